/** Duels: who may challenge and accept whom, which problems are chosen, and that nobody learns more than they were told. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptDuel,
  duelRange,
  isExpired,
  listDuelChoices,
  makeDuel,
  openDuelsAfter,
} from '../../src/practice/duels.ts';
import { archiveGroup, makeGroup } from '../../src/practice/groups.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { disableMember, removeMember } from '../../src/practice/members.ts';
import { changeRound, joinRound } from '../../src/practice/rounds.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { findVisibleRound, listJoinedRounds, listRoundProblems, updateRound } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { hrefsOf } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { solve } from '../support/seasons.ts';

const minuteMs = 60_000;
const formPath = '/dashboard/rounds/duel/';
const path = (id: bigint) => `/dashboard/rounds/${id}/`;
const iso = (ms: number) => new Date(Date.now() + ms).toISOString();
const idsFrom = (first: number, length: number) => Array.from({ length }, (_, n) => BigInt(first + n));
const ratingOf = { ada: 1500n, bob: 1700n, cy: null, eve: null } as const;

/** Ada, Bob and Cy are in a group, Eve in none; problem n has the rating 1000 + 10 n. */
async function club(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'eve');
  await importRows(
    databaseUrl,
    'problems',
    ponds(120, (n) => ({ rating: 1010 + 10 * n })),
  );
  const handles: Record<string, bigint> = {};
  const group = await store.write(async (tx) => {
    const id = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    for (const user_id of [ids.bob, ids.cy]) await joinGroup(tx, id, user_id, { joined_at: iso(0) });
    for (const [name, rating] of Object.entries(ratingOf)) {
      const user_id = ids[name as keyof typeof ids];
      const row = { user_id, source: 'codeforces', name: `${name}_cf`, created_at: iso(0) };
      const { id: handle_id } = await insertHandle(tx, row);
      handles[name] = handle_id;
      const rated = { contest: '1', title: 'Round', place: null, rated_at: iso(-1) };
      if (rating !== null) await upsertRatings(tx, [{ ...rated, handle_id, rating }]);
    }
    return id;
  });
  const { url } = await serveHere(t, { databaseUrl });
  const as = (name: keyof typeof ids) => browserOf(url, name);
  const plan = { source: 'codeforces', band: 'even', startsAt: iso(0), minutes: 40 } as const;
  const challenge = (personId?: bigint) => {
    const person = personId === undefined ? undefined : { groupId: group, personId };
    return makeDuel(store, ids.ada, { ...plan, startsAt: iso(0) }, person);
  };
  const roundOf = (id: bigint, viewer = ids.ada) => findVisibleRound(store.reader, id, viewer);
  return { store, ids, group, handles, as, plan, challenge, roundOf };
}

test('the range of a duel follows from both contest ratings, in hundreds', () => {
  const cases = [
    ['easy', [1500, 1700], 1200, 1400],
    ['even', [1700, 1500], 1500, 1700],
    ['hard', [1500, 1700], 1800, 2000],
    ['even', [1449, 1449], 1300, 1500],
    ['even', [1000, 2500], 1700, 1900],
    ['hard', [1651], 1800, 2000],
  ] as const;
  for (const [band, ratings, from, to] of cases) assert.deepEqual(duelRange(band, ratings), { from, to }, band);
  const round = { starts_at: '2026-03-01T10:00:00.000Z' };
  const end = Date.parse('2026-03-02T10:00:00Z');
  assert.deepEqual([isExpired(round, end - 1), isExpired(round, end)], [false, true], 'a day after its start');
  assert.equal(openDuelsAfter(end), round.starts_at);
});

test('a person is challenged in two clicks; only they accept, and neither sees the problems before the start', async (t) => {
  const { store, ids, group, handles, as, roundOf } = await club(t);
  await store.write(async (tx) => {
    const marks = (memberId: bigint, from: number) =>
      setStatus(tx, { memberId, problemIds: idsFrom(from, 6), status: 'skipped' });
    await marks(ids.ada, 50);
    await marks(ids.bob, 56);
    const sent = { handle_id: handles['bob'] ?? 0n, submitted_at: iso(-minuteMs), verdict_class: 'void' as const };
    await insertSolves(tx, [solve({ ...sent, problem_id: 62n }), solve({ ...sent, problem_id: 63n })]);
  });
  const [ada, bob, cy, eve] = [await as('ada'), await as('bob'), await as('cy'), await as('eve')];
  const overview = await ada.open(`/dashboard/groups/${group}/`);
  const links = hrefsOf(overview, `a[href*="${formPath}"]`);
  assert.equal(links.length, 2, 'nobody challenges themselves');
  const [toBob = '', toCy = ''] = links;
  const choicesIn = async (address: string) => textOf(await ada.open(address), 'fieldset');
  assert.equal(await choicesIn(toBob), await choicesIn(toCy), 'the form counts what its maker tried, and nobody else');
  const page = await ada.open(toBob);
  assert.match(textOf(page, 'fieldset'), /1400–1600 by your contest rating: 15 problems/);
  assert.match(
    textOf(await cy.open(formPath), 'fieldset'),
    /1300–1500, the usual rating, because you have none there: \d/,
  );
  const { path: to } = await ada.submit({ name: 'hard' });
  const id = BigInt(/rounds\/(\d+)\/$/.exec(to)?.[1] ?? 0);
  assert.match(textOf(ada.page(), 'main'), /Not accepted yet.*They see it on Today/);
  for (const [name, stranger] of Object.entries({ cy, eve })) {
    assert.equal((await stranger.ask(path(id))).status, 404, name);
    await stranger.open('/dashboard/rounds/');
    assert.ok(!stranger.page().text.includes(path(id)), name);
    await assert.rejects(acceptDuel(store, ids[name as 'cy'], { id }), /does not exist/);
  }
  for (const address of ['/dashboard/', '/dashboard/rounds/'])
    assert.match((await bob.open(address)).text, /data-invited/);
  const offered = await roundOf(id, ids.bob);
  assert.equal(offered?.secret, null, 'no link lets somebody else in');
  await assert.rejects(joinRound(store, ids.bob, { id }, offered?.updated_at ?? ''), /does not exist/);
  const before = Date.now();
  const accepted = await bob.submit({ name: 'accept' });
  assert.equal(accepted.path, `${path(id)}?done=joined`);
  const round = await roundOf(id, ids.bob);
  assert.equal(`${round?.name} ${round?.secret} ${round?.people} ${round?.rule}`, 'ada – bob null 2 lockout');
  const startsInMs = Date.parse(round?.starts_at ?? '') - before;
  assert.ok(startsInMs >= 2 * minuteMs && startsInMs < 3 * minuteMs);
  assert.equal(Date.parse(round?.ends_at ?? '') - Date.parse(round?.starts_at ?? ''), 40 * minuteMs);
  const problems = await listRoundProblems(store.reader, id);
  assert.equal(problems.length, 3);
  assert.ok(
    problems.every(({ id: one }) => one < 50n || one > 63n),
    'neither tried them',
  );
  assert.ok(problems.every(({ rating }) => rating !== null && rating >= 1500n && rating <= 1700n));
  const shown = (text: string) => problems.filter(({ title }) => text.includes(`${title}<`)).length;
  for (const one of [ada, bob]) {
    assert.equal(shown((await one.open(path(id))).text), 0);
    assert.equal((await one.ask(`${path(id)}edit/`)).status, 404);
    assert.equal((await one.ask(`${path(id)}csv/`)).status, 404);
  }
  for (const stranger of [cy, eve]) assert.equal((await stranger.ask(path(id))).status, 404);
  const other = { name: 'x', rule: 'icpc', startsAt: iso(minuteMs), minutes: 30, freezeMinutes: 0 } as const;
  const choice = { problems: [1n], limits: { perDay: 0, total: 0 }, version: round?.updated_at ?? '' };
  await assert.rejects(changeRound(store, ids.ada, id, { ...other, points: [] }, choice), /does not exist/);
  await store.write((tx) => updateRound(tx, id, { starts_at: iso(-minuteMs) }));
  for (const one of [ada, bob]) assert.equal(shown((await one.open(path(id))).text), 3);
  await bob.submit({ name: 'leave' });
  assert.equal((await bob.ask(path(id))).status, 404);
  await ada.open(path(id));
  assert.equal((await ada.submit({ name: 'leave' })).path, '/dashboard/rounds/?done=deleted');
});

test('a challenge is declined, withdrawn, and made only in a group that both are in', async (t) => {
  const { store, ids, group, as, challenge, roundOf } = await club(t);
  const [ada, bob, eve] = [await as('ada'), await as('bob'), await as('eve')];
  const first = await challenge(ids.bob);
  await bob.open(path(first));
  await bob.submit({ name: 'decline' });
  assert.equal((await bob.ask(path(first))).status, 404);
  assert.match(textOf(await ada.open(path(first)), 'main'), /bob declined\./);
  const second = await challenge(ids.bob);
  await ada.open(path(second));
  const { path: to2, fields: own } = ada.filled({ name: 'leave' });
  await ada.post(to2, { ...Object.fromEntries([...own].filter(([name]) => name !== 'leave')), decline: 'yes' });
  assert.equal(await roundOf(second), undefined, 'its maker does not only leave it');
  assert.equal((await bob.ask(path(second))).status, 404);
  const third = await challenge(ids.bob);
  await store.write((tx) => disableMember(tx, 'ada', true));
  assert.equal((await bob.ask(path(third))).status, 404, 'its maker is disabled');
  const formFor = (id: bigint) => `${formPath}?group=${group}&person=${id}`;
  const wrong = [formFor(ids.eve), formFor(ids.bob), `${formPath}?person=1`, `${formPath}?group=1&person=x`];
  for (const address of wrong) assert.equal((await eve.ask(address)).status, 404, address);
  assert.equal((await bob.ask(formFor(ids.bob))).status, 404, 'oneself');
  assert.equal((await bob.ask(formFor(ids.ada))).status, 404, 'disabled');
  await bob.open(formFor(ids.cy));
  const { path: to, fields } = bob.filled({ name: 'hard' });
  await archiveGroup(store, { groupId: group, coachId: ids.ada }, true);
  const refused = await bob.post(to, fields);
  assert.match(refused.text, /archived/);
  assert.equal(refused.status, 400);
});

test('the judge at which a member was rated last is offered first, with the problems that they did not try', async (t) => {
  const { store, ids } = await club(t);
  const at = { user_id: ids.ada, source: 'atcoder', name: 'ada', created_at: iso(0) };
  const { id: handle_id } = await store.write((tx) => insertHandle(tx, at));
  for (const [rated_at, sources] of [
    [iso(-minuteMs), ['codeforces', 'atcoder']],
    [iso(minuteMs), ['atcoder', 'codeforces']],
  ] as const) {
    const rating = { handle_id, contest: '1', title: 'Round', place: null, rating: 800n, rated_at };
    await store.write((tx) => upsertRatings(tx, [rating]));
    const choices = await listDuelChoices(store.reader, ids.ada);
    assert.deepEqual([...new Set(choices.map(({ source }) => source))], sources);
    const atCodeforces = choices.filter(({ source }) => source === 'codeforces');
    assert.deepEqual(
      atCodeforces.map(({ band, from, to, problems }) => `${band} ${from} ${to} ${problems}`),
      ['easy 1200 1400 21', 'even 1400 1600 21', 'hard 1600 1800 21'],
    );
    assert.deepEqual(new Set(choices.map(({ isOpen, problems }) => isOpen === problems > 2)), new Set([true]));
  }
});

test('a link is accepted once, by somebody else, within a day, while problems are left', async (t) => {
  const { store, ids, as, plan, challenge, roundOf } = await club(t);
  const [ada, bob, cy] = [await as('ada'), await as('bob'), await as('cy')];
  const addressOf = async (id: bigint) => `/dashboard/rounds/join/${(await roundOf(id))?.secret}/`;
  const id = await challenge();
  const link = await addressOf(id);
  assert.equal((await ada.open(link)).path, path(id), 'one’s own link leads to the challenge');
  assert.equal(await acceptDuel(store, ids.ada, { id }), id);
  assert.equal((await roundOf(id))?.accepted_at, null);
  const joined = () => listJoinedRounds(store.reader, ids.ada, { from: iso(-minuteMs), until: iso(60 * minuteMs) });
  assert.match(textOf(ada.page(), 'main'), /Send this link. It works once/);
  assert.deepEqual(await joined(), [], 'no calendar has what nobody accepted');
  await cy.open(link);
  const { path: to, fields } = cy.filled({ name: 'accept' });
  await bob.open(link);
  assert.match(textOf(bob.page(), 'main'), /ada challenges you.*the other hasn’t tried the three problems/);
  assert.equal((await bob.submit({ name: 'accept' })).path, `${path(id)}?done=joined`);
  assert.equal((await joined()).length, 1);
  assert.equal((await cy.post(to, fields)).status, 404);
  for (const address of [link, path(id)]) assert.equal((await cy.ask(address)).status, 404);

  const raced = await challenge();
  const racedSecret = (await roundOf(raced))?.secret ?? '';
  const accepted = await Promise.allSettled(
    Array.from({ length: 20 }, (_, nth) => acceptDuel(store, nth % 2 ? ids.bob : ids.cy, { secret: racedSecret })),
  );
  assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await roundOf(raced))?.people, 2n);

  const old = await challenge();
  const oldLink = await addressOf(old);
  const open: bigint[] = [];
  for (let nth = 0; nth < 9; nth++) open.push(await challenge());
  const [first = 0n] = open;
  assert.equal((await roundOf(first))?.name, 'ada – …');
  const startedAgo = (ms: number) => store.write((tx) => updateRound(tx, old, { starts_at: iso(-ms) }));
  await startedAgo(24 * 60 * minuteMs - 5000);
  await cy.open(oldLink);
  await startedAgo(24 * 60 * minuteMs);
  const expired = await cy.submit({ name: 'accept' });
  assert.equal(expired.status, 422);
  assert.match(textOf(expired, 'main'), /has expired/);
  assert.match(textOf(await ada.open(path(old)), 'main'), /has expired/);
  await challenge();
  assert.equal(await roundOf(old), undefined, 'an expired one makes room');
  await assert.rejects(challenge(), /10 open challenges/);
  const later = await acceptDuel(store, ids.cy, { secret: (await roundOf(first))?.secret ?? '' });
  const ratings = (await listRoundProblems(store.reader, later)).map(({ rating }) => rating ?? 0n);
  assert.ok(
    ratings.every((one) => one >= 1400n && one <= 1600n),
    'the usual 1400 counts for who has no rating',
  );
  assert.deepEqual(ratings, ratings.toSorted());

  await setStatus(store, { memberId: ids.cy, problemIds: idsFrom(30, 31), status: 'complete' });
  await cy.open(await addressOf(open[1] ?? 0n));
  const few = await cy.submit({ name: 'accept' });
  assert.match(textOf(few, 'main'), /Fewer than 3 problems/);
  const startsAt = iso(3 * 60 * minuteMs);
  const planned = await makeDuel(store, ids.bob, { ...plan, band: 'hard', startsAt }, undefined);
  const secret = (await roundOf(planned, ids.bob))?.secret ?? '';
  await acceptDuel(store, ids.ada, { secret });
  assert.equal((await roundOf(planned))?.starts_at, startsAt);
  await cy.open(formPath);
  assert.ok(cy.page().document.querySelector('[value="codeforces even"]')?.hasAttribute('disabled'));
  for (const [wrong, sentence] of [
    [{ hard: '' }, /How hard/],
    [{ hard: 'codeforces even' }, /Fewer than 3/],
    [{ time: '10:00' }, /a date and a time/],
    [{ minutes: '4' }, /lasts 5 to/],
  ] as const) {
    await cy.open(formPath);
    const refused = await cy.post(formPath, { ...Object.fromEntries(cy.filled({ name: 'hard' }).fields), ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(wrong));
    assert.match(textOf(refused, '.notice'), sentence);
  }
  await store.write((tx) => removeMember(tx, 'ada'));
  assert.equal(await roundOf(planned, ids.bob), undefined, 'no duel keeps the name of an account');
});
