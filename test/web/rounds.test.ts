/** Rounds: who sees one, what is hidden until its start and during its freeze, and how its table follows what happens to it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { takeLease } from '../../src/jobs/lease.ts';
import { removeFromGroup } from '../../src/practice/groups.ts';
import { addHandle, removeHandle } from '../../src/practice/handles.ts';
import { makeList } from '../../src/practice/lists.ts';
import { createMember, removeMember } from '../../src/practice/members.ts';
import { mergeProblem, removeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { changeRound, joinRound, type RoundPlan } from '../../src/practice/rounds.ts';
import { deleteGroup, deleteGroupMember, updateGroupMember } from '../../src/store/groups.ts';
import { listHandlesAtJudge } from '../../src/store/handles.ts';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import {
  findVisibleRound,
  listHandlesInRounds,
  listJoinedRounds,
  listRoundPeople,
  listRoundProblems,
  type ShownRound,
  saveRoundPerson,
  updateRound,
} from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { findSync, freshSync, type SyncSubject, type SyncsTable, saveSync } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { startReplay } from '../replay/replay.ts';
import { checkedCalendar } from '../support/calendars.ts';
import { crawl } from '../support/crawl.ts';
import { attributesOf, valueIn } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { idOf, joinGroup } from '../support/members.ts';
import { clubDatabase, clubRound, keysOfRound, otherKeysOfRound } from '../support/rounds.ts';
import { solve } from '../support/seasons.ts';

const path = (id: bigint) => `/dashboard/rounds/${id}/`;
const minuteMs = 60_000;
const inMinutes = (minutes: number, from = Date.now()) => new Date(from + minutes * minuteMs).toISOString();

async function club(t: TestContext, env: Record<string, string> = {}) {
  const { databaseUrl, store } = await openGarden(t, await clubDatabase(t));
  const { url } = await serveHere(t, { databaseUrl, env });
  const as = (name: string) => browserOf(url, name);
  return { store, as };
}
const handleOf = async (store: Store, name: string) =>
  (await listHandlesAtJudge(store.reader, await idOf(store, name), 'codeforces'))[0]?.id ?? 0n;
const sentBy = async (store: Store, name: string): Promise<SyncSubject> => ({
  source: 'codeforces',
  task: 'submissions',
  handle_id: await handleOf(store, name),
});
const setSync = (store: Store, subject: SyncSubject, values: Partial<SyncsTable>) =>
  store.write(async (tx) => saveSync(tx, { ...((await findSync(tx, subject)) ?? freshSync(subject)), ...values }));
const atcoderProblem = async ({ reader }: Store) => {
  const first = reader.selectFrom('problems').select('id').where('source', '=', 'atcoder').orderBy('id');
  return (await first.executeTakeFirstOrThrow()).id;
};
const problemIds = async (store: Store) => {
  const found = await findProblemsByKeys(store.reader, 'codeforces', keysOfRound);
  return keysOfRound.map((key) => found.find((row) => row.key === key)?.id ?? 0n);
};

/** The cells of a person: what came of each problem, and the figure. */
function cells({ document }: Page, name: string): string[] {
  const rows = document.querySelectorAll('.standings tbody tr');
  const row = rows.find((one) => one.querySelector('.c-name bdi')?.text === name);
  return (row?.querySelectorAll('td.c-p') ?? []).map((cell) => {
    const text = cell.querySelector('b span:not(.sr):not(.w-narrow)')?.text ?? '';
    return `${cell.getAttribute('data-result') ?? ''} ${text} ${cell.querySelector('.tries')?.text ?? ''}`.trim();
  });
}
const order = ({ document }: Page) =>
  document
    .querySelectorAll('.standings tbody tr')
    .map((row) => `${row.querySelector('.c-place')?.text.trim()} ${row.querySelector('.c-name bdi')?.text}`);

test('a round is made from a private list; until the start only its maker is told the problems', async (t) => {
  const { store, as } = await club(t);
  const demoId = await idOf(store, 'demo');
  const ids = await problemIds(store);
  const items = ids.map((problem) => ({ problem }));
  const list = await store.write((tx) =>
    makeList(tx, { ownerId: demoId, name: 'Secret plan', content: [{ name: '', items }] }),
  );
  const demo = await as('demo');
  await demo.open('/dashboard/rounds/new/?group=1');
  const start = inMinutes(40);
  const times = { date: start.slice(0, 10), time: start.slice(11, 16), minutes: '90', freeze: '20' };
  const form = { name: 'Saturday round', list: String(list), rule: 'icpc', contest: '', points: '', ...times };
  const refusals: [object, RegExp][] = [
    [{ name: ' ' }, /Enter a name for the round/],
    [{ list: '' }, /needs problems/],
    [{ name: 'x'.repeat(5000) }, /Use at most 100 characters/],
    [{ rule: 'best' }, /Choose one of the rules/],
    [{ date: '9999-12-31' }, /within two years/],
    [{ date: '2026-02-30' }, /a date and a time/],
    [{ contest: 'https://codeforces.com/contest/1' }, /not both/],
    [{ rule: 'points', points: '100 x' }, /Points are whole numbers/],
  ];
  for (const [wrong, sentence] of refusals) {
    const refused = await demo.submit({ name: 'name' }, { ...form, ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(wrong));
    assert.match(textOf(refused, 'main'), sentence);
  }
  const made = await demo.submit({ name: 'name' }, form);
  assert.match(made.path, /^\/dashboard\/rounds\/\d+\/\?done=made$/);
  const id = BigInt(/rounds\/(\d+)/.exec(made.path)?.[1] ?? 0);
  const titles = (await listRoundProblems(store.reader, id)).map(({ title }) => title);
  assert.equal(titles.length, 6);
  const told = (page: { text: string }) => titles.filter((title) => page.text.includes(title)).length;
  assert.equal(told(made), 6, 'the maker sees them');
  const ana = await as('ana');
  assert.match((await ana.submitAt(path(id), { name: 'join' })).path, /\?done=joined$/);
  // Everything that leads to the round, for each kind of visitor: the status, and how many titles it tells.
  const seen: [name: string, page: string, csv: number][] = [
    ['demo', '200 6', 404],
    ['ana', '200 0', 404],
    ['ben', '200 0', 404],
    ['vera', '404 0', 404],
    ['outsider', '404 0', 404],
    ['staff', '404 0', 404],
  ];
  for (const [name, expected, csv] of seen) {
    const browser = await as(name);
    const page = await browser.open(path(id));
    assert.equal(`${page.status} ${told(page)}`, expected, name);
    assert.equal((await browser.ask(`${path(id)}csv/`)).status, csv, name);
    assert.equal((await browser.ask(`${path(id)}edit/`)).status, name === 'demo' ? 200 : 404, name);
    if (name === 'demo') continue;
    for (const other of ['/dashboard/rounds/', '/dashboard/groups/1/rounds/', `/problem_list/lists/${list}/`])
      assert.equal(told(await browser.open(other)), 0, `${name} ${other}`);
    assert.equal((await browser.ask(`/problem_list/lists/${list}/json/`)).status, 404, name);
  }
  const missing = await as('outsider');
  const [one, other] = [await missing.open(path(id)), await missing.open(path(9999n))];
  const withoutRequestId = ({ text }: Page) => text.replace(/[0-9a-f-]{36}/, '');
  assert.equal(withoutRequestId(one), withoutRequestId(other), 'as one that does not exist');
  // At the start everybody in the group sees them.
  await store.write((tx) => updateRound(tx, id, { starts_at: inMinutes(-1 / 60) }));
  const ben = await as('ben');
  assert.equal(told(await ben.open(path(id))), 6);
});

test('a round behind a secret address is joined by it, and by nothing else', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: -30, groupId: undefined, players: [] });
  const { secret } = (await findVisibleRound(store.reader, id, await idOf(store, 'demo'))) ?? {};
  const outsider = await as('outsider');
  assert.equal((await outsider.ask(path(id))).status, 404);
  assert.equal((await outsider.ask(`/dashboard/rounds/join/${'a'.repeat(43)}/`)).status, 404);
  const invited = await outsider.open(`/dashboard/rounds/join/${secret}/`);
  assert.equal(invited.status, 200);
  assert.match(textOf(invited, 'h1'), /Saturday round 7/);
  const joined = await outsider.submit({ within: 'main form' });
  assert.equal(joined.path, `${path(id)}?done=joined`);
  assert.match(textOf(joined, '.joined'), /You’re in/);
  assert.match(textOf(joined, '.miss'), /no Codeforces handle/);
  assert.match(textOf(joined, '.joiners ~ *, .notice[data-kind=warn]'), /1 person can’t be checked/);
  await store.write(async (tx) => {
    for (let n = 1; n < 300; n++) {
      const { id: user_id } = await createMember(tx, { username: `guest-${n}`, role: 'member' });
      await saveRoundPerson(tx, { round_id: id, user_id, joined_at: inMinutes(0) });
    }
    assert.equal(await joinRound(tx, await idOf(store, 'outsider'), { secret: secret ?? '' }, ''), id, 'again');
    await assert.rejects(joinRound(tx, await idOf(store, 'staff'), { secret: secret ?? '' }, ''), /300/);
  });
  assert.equal((await outsider.submit({ name: 'leave' })).path, '/dashboard/rounds/?done=left');
  assert.equal((await outsider.ask(path(id))).status, 404);
  const demo = await as('demo');
  assert.match((await demo.open(path(id))).text, new RegExp(`/dashboard/rounds/join/${secret}/`));
});

test('the table of a running round, and what late people and an unlinked handle do to it', async (t) => {
  const { store, as } = await club(t);
  const players = ['demo', 'ana', 'ben', 'chloe', 'farid'];
  const id = await clubRound(store, { minutesIn: 63, freezeMinutes: 0, players });
  const demo = await as('demo');
  const live = await demo.open(path(id));
  assert.deepEqual(order(live), ['1 ana', '2 ben', '3 demo', '4 chloe', '5 farid']);
  const firsts = ['first 0:06 first', 'first 0:14 first', 'first 0:27 first', 'first 0:41 first, 1 wrong'];
  assert.deepEqual(cells(live, 'ana'), [...firsts, '', '']);
  const own = ['solved 0:08', 'solved 0:19 1 wrong', 'solved 0:31', 'tried – 2 wrong'];
  assert.deepEqual(cells(live, 'demo'), [...own, '', '']);
  assert.match(textOf(live, '.rs-fresh'), /As of (?:\d+ \w+, )?\d\d:\d\d:\d\d/);

  // A late joiner counts from the start.
  const dmitri = await as('dmitri');
  await clubRound(store, { minutesIn: 63, freezeMinutes: 0, players: ['dmitri'], name: 'other' });
  await dmitri.submitAt(path(id), { name: 'join' });
  assert.ok(order(await demo.open(path(id))).includes('3 dmitri'));
  await dmitri.submitAt(path(id), { name: 'leave' });

  const row = await findVisibleRound(store.reader, id, await idOf(store, 'demo'));
  // Somebody unlinks their handle, somebody leaves the group, and the table follows.
  const ofBen = await handleOf(store, 'ben');
  await store.write((tx) => removeHandle(tx, ofBen));
  const unlinked = await demo.open(path(id));
  assert.deepEqual(cells(unlinked, 'ben'), ['', '', '', '', '', '']);
  assert.match(textOf(unlinked, '.board-foot'), /A handle is missing.*ben/s);
  const chloe = await idOf(store, 'chloe');
  await store.write((tx) => removeFromGroup(tx, { groupId: 1n, coachId: row?.made_by ?? 0n }, chloe));
  assert.ok(!order(await demo.open(path(id))).some((line) => line.endsWith('chloe')));

  // A judge that has not answered for long: the table says whose results are older.
  const foot = async () => textOf(await demo.open(path(id)), '.board-foot');
  const failed = { good_at: inMinutes(-20), fault: 'down' } as const;
  const sent = await sentBy(store, 'ana');
  await setSync(store, { ...sent, task: 'ratings' }, failed);
  assert.doesNotMatch(await foot(), /ana/, 'her ratings are no results of the round');
  await setSync(store, sent, failed);
  assert.match(await foot(), /These results may be out of date: ana \(Codeforces, /);
  // A second handle that was never checked: she is named once, with both.
  const anaId = await idOf(store, 'ana');
  await store.write((tx) => addHandle(tx, anaId, 'codeforces', 'ana_two'));
  assert.match(await foot(), /out of date: ana \(Codeforces, [^;]+; Codeforces, never checked\)\./);
});

test('a form of a round that another tab changed since saves nothing', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: -60, players: [] });
  const [one, other] = [await as('demo'), await as('demo')];
  for (const tab of [one, other]) await tab.open(`${path(id)}edit/`);
  assert.match((await one.submit({ name: 'name' }, { name: 'First tab', freeze: '' })).path, /\?done=saved$/);
  const unfrozen = valueIn(await one.open(`${path(id)}edit/`), 'freeze');
  assert.equal(unfrozen ?? '', '', 'the hint says that an empty field is no freeze');
  const late = await other.submit({ name: 'name' }, { name: 'Second tab', minutes: '45' });
  assert.equal(late.status, 409);
  assert.match(textOf(late, '.notice'), /changed in another tab.*Nothing was overwritten/);
  assert.equal((await findVisibleRound(store.reader, id, await idOf(store, 'demo')))?.name, 'First tab');
  assert.equal(valueIn(late, 'name'), 'Second tab', 'it stays in the field');
  assert.match((await other.submit({ name: 'name' })).path, /\?done=saved$/, 'and is saved the second time');
});

test('a round of a judge that is never asked says so, and no more', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 10, players: ['ana'] });
  await store.write((tx) =>
    tx.updateTable('problems').set({ source: 'cses' }).where('source_key', 'in', keysOfRound).execute(),
  );
  const page = await (await as('ana')).open(path(id));
  assert.match(textOf(page, '.board-foot'), /^Submissions at CSES count after members import a file/);
  assert.doesNotMatch(textOf(page, '.rs-fresh'), /Not checked yet|Checks every/);
});

test('a round says how often judges are asked, or that no server asks them', async (t) => {
  const { store, as } = await club(t, { SYNC: 'off' });
  const id = await clubRound(store, { minutesIn: 10, players: ['ana'] });
  const ana = await as('ana');
  assert.match(textOf(await ana.open(path(id)), '.rs-fresh'), /Sync is turned off on this server/);
  await takeLease(store, 'sync', 'another server');
  assert.match(textOf(await ana.open(path(id)), '.rs-fresh'), /Checks every \d+ s/);
});

test('a round says that a judge does not answer, and when it is asked again', async (t) => {
  const { store, as } = await club(t);
  // The other server keeps its lease, and the minutes until the next try are of one moment.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  await takeLease(store, 'sync', 'another server');
  const id = await clubRound(store, { minutesIn: 10, players: ['ana', 'ben'] });
  const ana = await as('ana');
  const change = (subject: SyncSubject, fault: 'down' | null) =>
    setSync(store, subject, { tried_at: inMinutes(-2), due_at: BigInt(Date.now() + 60 * minuteMs), fault });
  const [ofAna, ofBen] = [await sentBy(store, 'ana'), await sentBy(store, 'ben')];
  const said = async () => textOf(await ana.open(path(id)), '.rs-fresh');
  // A round that began before midnight names the day too.
  const hasNotAnswered = /Codeforces has not answered since (?:\d+ \w+, )?\d\d:\d\d\. Next try in 3 min\./;
  await change(ofAna, 'down');
  assert.match(await said(), /Checks every/, 'about one of them it answered');
  await change(ofBen, 'down');
  assert.match(await said(), hasNotAnswered);
  await change(ofBen, null);
  const ofAll = { source: 'codeforces', task: 'submissions', handle_id: null } as const;
  await change(ofAll, 'down');
  assert.match(await said(), hasNotAnswered, 'it is left alone');
  const good_at = inMinutes(-7);
  const problem_id = await atcoderProblem(store);
  await store.write(async (tx) => {
    await tx.insertInto('round_problems').values({ round_id: id, position: 20n, problem_id, points: 1n }).execute();
    await tx.updateTable('syncs').set({ good_at }).where('handle_id', 'is not', null).execute();
  });
  await change({ ...ofAll, source: 'atcoder' }, 'down');
  const since = `(?:\\d+ \\w+, )?${good_at.slice(11, 16)}\\. Next try in 3 min\\.`;
  assert.match(
    await said(),
    new RegExp(`Codeforces has not answered since ${since} AtCoder (?:has not|doesn’t) answer`),
  );
});

test('a round of more than a day says that judges are asked at the usual pace, and both its days', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 10, rule: 'training', freezeMinutes: 0, players: ['ana'] });
  const start = Date.parse((await findVisibleRound(store.reader, id, await idOf(store, 'ana')))?.starts_at ?? '');
  const ends_at = inMinutes(30 * 1440, start);
  await store.write((tx) => updateRound(tx, id, { ends_at }));
  await setSync(store, await sentBy(store, 'ana'), { good_at: inMinutes(-26 * 60) });
  const ana = await as('ana');
  const page = await ana.open(path(id));
  assert.match(textOf(page, '.rs-fresh'), /As of \d+ \w+, \d\d:\d\d:\d\dLonger than a day: checks at the usual pace/);
  assert.doesNotMatch(textOf(page, '.board-foot'), /out of date/);
  assert.match(textOf(page, '.rs-scale'), /^\d+ \w+, \d\d:\d\d\d+ \w+, \d\d:\d\d$/);
  assert.match(textOf(page, '.plain'), /from \d+ \w+, \d\d:\d\d:\d\d to \d+ \w+, \d\d:\d\d:\d\d/);
  await store.write(async (tx) => {
    await updateRound(tx, id, { ends_at: inMinutes(60, start) });
    await tx.updateTable('groups').set({ archived_at: ends_at }).execute();
  });
  assert.match(textOf(await ana.open(path(id)), '.rs-fresh'), /Archived group: checks at the usual pace/);
});

test('a freeze hides the last results from everybody but a maker who takes no part, who shows them after the end', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 110, players: ['ana', 'ben', 'elif', 'ines'] });
  const [ana, demo] = [await as('ana'), await as('demo')];
  const frozen = await ana.open(path(id));
  assert.equal(cells(frozen, 'ana')[4], 'hidden ? 4 tries', 'one’s own too');
  assert.equal(cells(frozen, 'elif')[3], 'hidden ? 5 tries');
  assert.match(textOf(frozen, '.round-state'), /Frozen.*Results hidden since/s);
  const spacer = frozen.document.querySelector('.rs-freeze > svg');
  assert.equal(spacer?.getAttribute('width'), '75%', 'its hour stands where the freeze begins');
  assert.doesNotMatch((await ana.ask(`${path(id)}csv/`)).text, /1:33/);
  const jury = await demo.open(path(id));
  assert.equal(cells(jury, 'ana')[4], 'first 1:33 first, 3 wrong');
  assert.match(textOf(jury, '.notice'), /You see all results/);
  assert.equal(jury.document.querySelector('[name=join]'), null);
  assert.deepEqual(cells(await ana.open(path(id)), 'demo'), []);
  const edit = async () => (await demo.open(`${path(id)}edit/`)).text;
  assert.doesNotMatch(await edit(), /type="(?:date|time)"|name="(?:list|contest|rule|freeze)"/);
  await store.write((tx) => updateRound(tx, id, { ends_at: inMinutes(-1 / 60), freeze_minutes: 20n }));
  assert.doesNotMatch(await edit(), /name="minutes"/);
  const held = await ana.open(path(id));
  assert.match(textOf(held, '.notice'), /hidden until demo shows them/);
  assert.equal(cells(held, 'ana')[4], 'hidden ? 4 tries');
  const shown = await demo.submitAt(path(id), { name: 'show' });
  assert.match(shown.path, /done=shown$/);
  assert.equal(cells(await ana.open(path(id)), 'ana')[4], 'first 1:33 first, 3 wrong');
});

test('no page shows a handle of another member, also not where their results are late', async (t) => {
  const { store, as } = await club(t);
  const old = inMinutes(-90);
  const rounds: string[] = [];
  for (const minutesIn of [-60, 63, 110, 200]) rounds.push(path(await clubRound(store, { minutesIn })));
  await store.write((tx) => tx.updateTable('syncs').set({ good_at: old, fault: 'down' }).execute());
  for (const name of ['ana', 'outsider']) {
    const one = await as(name);
    const { pages: found } = await crawl(one, { withIdAtMost: 2, isBrief: true });
    const pages = new Map(found);
    for (const address of rounds.flatMap((round) => ['', 'csv/', 'field/'].map((end) => round + end)))
      pages.set(address, (await one.ask(address)).text);
    assert.equal(
      pages.values().some((text) => text.includes('out of date')),
      name === 'ana',
    );
    for (const [address, text] of pages)
      assert.ok(
        text.matchAll(/([\w-]+)~sample/g).every(([, one]) => one === name),
        address,
      );
  }
});

/** The maker changes a round as the form would send it. */
async function change(store: Store, id: bigint, wishes: Partial<RoundPlan>, problems?: bigint[]): Promise<ShownRound> {
  const demoId = await idOf(store, 'demo');
  const read = async () => (await findVisibleRound(store.reader, id, demoId)) as ShownRound;
  const { name, rule, starts_at: startsAt, updated_at: version, ...round } = await read();
  const minutes = (Date.parse(round.ends_at) - Date.parse(startsAt)) / minuteMs;
  const plan = { name, rule, startsAt, minutes, freezeMinutes: Number(round.freeze_minutes), points: [], ...wishes };
  await changeRound(store, demoId, id, plan, { problems, limits: { perDay: 0, total: 0 }, version });
  return read();
}

test('nothing is shown but what a person saw when they joined; a round that changes asks again', async (t) => {
  const { store, as } = await club(t);
  const [one = 0n, other = 0n] = await problemIds(store);
  const [now, anaId] = [Date.now(), await idOf(store, 'ana')];
  const id = await clubRound(store, { minutesIn: -30, freezeMinutes: 0, players: [] });
  await change(store, id, {}, [one]);
  const handle_id = await handleOf(store, 'ana');
  const sent = (minutes: number, problem_id: bigint) =>
    store.write((tx) => insertSolves(tx, [solve({ handle_id, problem_id, submitted_at: inMinutes(minutes, now) })]));
  for (const problem of [one, other]) await sent(-500, problem);
  const [ana, demo] = [await as('ana'), await as('demo')];
  const invited = await ana.open(path(id));
  assert.match(textOf(invited, '.lobby'), /the group sees .* which of the round’s problems you solved before/);
  await change(store, id, { minutes: 100 });
  const late = await ana.submit({ name: 'join' });
  assert.match(textOf(late, '.notice[data-kind=bad]'), /^This round has changed/);
  await ana.submit({ name: 'join' });
  // The maker puts another problem in, and moves the start to earlier and the end to later.
  await change(store, id, { startsAt: inMinutes(10, now), minutes: 240 }, [other]);
  for (const at of [path(id), '/dashboard/rounds/']) assert.match((await ana.open(at)).text, /Join again/);
  t.mock.timers.enable({ apis: ['Date'], now: now + 200 * minuteMs });
  const told = async () => textOf(await demo.open(path(id)), '.standings tbody').match(/A (.*?)(?: wrong|$)/)?.[1];
  await sent(20, other);
  assert.equal(await told(), 'not tried', 'it was solved before the round and before the hours that she saw');
  await sent(160, other);
  assert.equal(await told(), 'not tried');
  await ana.submitAt(path(id), { name: 'join' });
  assert.match((await told()) ?? '', /first to solve 0:10/);
  await store.write(async (tx) => {
    await deleteGroupMember(tx, 1n, anaId);
    await joinGroup(tx, 1n, anaId, { joined_at: inMinutes(0, now) });
  });
  assert.deepEqual(order(await demo.open(path(id))), [], 'leaving the group ends it');
});

test('a round whose problems changed shows at no other judge who has a handle', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: -30, players: ['ana', 'ben'] });
  await change(store, id, {}, [await atcoderProblem(store)]);
  const [demo, ben] = [await as('demo'), await as('ben')];
  const others = await demo.open(path(id));
  assert.doesNotMatch(textOf(others, '.joiners'), /AtCoder|AC/);
  assert.match(textOf(others, '.joiners'), /Not checked yet.*Not checked yet/s);
  assert.match(textOf(await ben.open(path(id)), '.joiners'), /ana\s*Not checked yet.*no AtCoder handle/s, 'one’s own');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 40 * minuteMs });
  assert.doesNotMatch(textOf(await demo.open(path(id)), '.board-foot'), /missing|out of date/);
  await ben.submitAt(path(id), { name: 'join' });
  assert.match(textOf(await demo.open(path(id)), '.board-foot'), /A handle is missing[^:]*: ben\./);
});

test('after the end the page is the upsolving table, with what is left for the visitor', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 120 + 5 * 1440 });
  const demo = await as('demo');
  const after = await demo.open(path(id));
  assert.equal(cells(after, 'ana')[5], 'later +1 d later');
  assert.equal(textOf(after, 'thead .c-time'), 'Time, Upsolved');
  assert.match(textOf(after, '.own .c-time'), /^\d{2,3} \+1$/, 'the time of the round stays');
  await store.write((tx) => updateRound(tx, id, { rule: 'points' }));
  const points = await demo.open(path(id));
  assert.match(textOf(points, '.own .c-time'), /^\d+:\d\d \+1$/);
  assert.ok(
    cells(points, 'ana').some((cell) => /^first 1 \d:\d\d, first/.test(cell)),
    cells(points, 'ana').join('; '),
  );
  await store.write((tx) => updateRound(tx, id, { rule: 'icpc' }));
  assert.equal(cells(after, 'demo')[4], 'later +2 d 1 wrong');
  const left = after.document.querySelectorAll('.work').map((one) => one.querySelector('b + a')?.text);
  assert.deepEqual(left, ['Pizza Delivery']);
  assert.match(textOf(after, '.upsolve'), /You solved 4 in the round and 1 since/);
  const [form] = after.document.querySelectorAll('.work form[action$="/timer/"]');
  assert.match(form?.text ?? '', /Start.*Pizza Delivery/s);
  const phone = after.document.querySelectorAll('.own .w-narrow').map(({ text }) => text);
  assert.deepEqual(phone, ['1 ✕', '2 ✕', '1 ✕'], 'wrong tries of what was solved, too');
  const marked = await demo.submit({ within: '.work', name: 'status', value: 'complete' });
  assert.match(textOf(marked, '.upsolve'), /You solved all problems of this round/);
  const anaId = await idOf(store, 'ana');
  await store.write((tx) => updateGroupMember(tx, 1n, anaId, { student_number: '22-17' }));
  const { text, headers } = await demo.ask(`${path(id)}csv/`);
  assert.match(String(headers['content-disposition']), /Saturday.round.7\.csv/);
  assert.match(text, /^\ufeffplace,member,username,student_number,solved,points,time,wrong,later,A CF 2193A/);
  assert.match(text, /\r\n1,Ana Kovač,ana,22-17,5,5,.*,later 24:00 0\r\n/, 'no nearer than the page');
  assert.match(textOf(after, '.standings'), /ana\s*Ana Kovač/);
  assert.equal((await demo.ask(path(id), { method: 'POST' })).status >= 400, true);
  const ana = await as('ana');
  const everybody = await ana.ask(`${path(id)}csv/`);
  assert.match(everybody.text, /^\ufeffplace,username,solved,/, 'names are for coaches of the group');
  assert.doesNotMatch(everybody.text + (await ana.open(path(id))).text, /Okafor|22-17/);
  await ana.submit({ name: 'leave' });
  assert.ok(!order(await demo.open(path(id))).some((line) => line.endsWith(' ana')));
  const long = { starts_at: '2019-03-02T10:00:00.000Z', ends_at: '2019-03-02T12:00:00.000Z' };
  await store.write((tx) => updateRound(tx, id, long));
  for (const at of [path(id), '/dashboard/rounds/'])
    assert.match((await demo.open(at)).text, /Saturday,? 2 Mar 2019, /, 'another year is said');
});

test('who had solved a problem before the round and tried it there again is in Solved by now', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 120 + 5 * 1440 });
  const { id: problemId = 0n } = (await listRoundProblems(store.reader, id))[3] ?? {};
  await store.write((tx) =>
    tx
      .updateTable('solves')
      .set({ submitted_at: '2020-01-01T00:00:00.000Z' })
      .where('problem_id', '=', problemId)
      .where('verdict_class', '=', 'solved')
      .execute(),
  );
  const after = await (await as('demo')).open(path(id));
  assert.match(cells(after, 'demo')[3] ?? '', /^tried/);
  const counts = after.document.querySelectorAll('tfoot tr').map((row) => row.querySelectorAll('.c-p b')[3]?.text);
  assert.deepEqual(counts, ['0', '8']);
});

test('in a lockout what was solved behind somebody has its own word, and counts as solved in the round', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { rule: 'lockout', minutesIn: 120 + 5 * 1440 });
  const ana = await as('ana');
  const after = await ana.open(path(id));
  assert.equal(cells(after, 'ana')[0], 'first 1 0:06, first');
  assert.equal(cells(after, 'ben')[0], 'behind 0:09 not first');
  assert.match(after.document.querySelector('[data-result="behind"]')?.text ?? '', /B solved, not first/);
  assert.match(textOf(after, '.board-legend'), /1:06 not first/);
  const counts = (nth: number) =>
    Number(after.document.querySelectorAll('tfoot tr')[nth]?.querySelector('.c-p b')?.text);
  assert.deepEqual([counts(0), counts(1)], [12, 12]);
  assert.match(textOf(after, '.upsolve'), /You solved 5 in the round and 1 since/);
  const { text } = await ana.ask(`${path(id)}csv/`);
  assert.match(text, /\r\n\d+,ben,5,0,0,\d+,0,behind 0:09 0,/);
});

test('a contest by its link and a pick become rounds; one that nobody knows is refused with advice', async (t) => {
  const problem = (index: string, name: string) => ({ contestId: 101_021, index, name, tags: [] });
  const problems = [problem('A', 'Guess the Number'), problem('B', 'Another')];
  const gym = { contest: { id: 101_021, name: 'Fill Your Brain' }, problems, rows: [] };
  const replay = await startReplay({ codeforces: replayCodeforces({ status: {}, standings: { 101021: gym } }) });
  t.after(() => replay.close());
  const { store, as } = await club(t, { JUDGE_URLS: `codeforces=${replay.url}/codeforces` });
  const demo = await as('demo');
  const start = inMinutes(40);
  const plan = { name: 'Gym', date: start.slice(0, 10), time: start.slice(11, 16), minutes: '60' };
  const make = (contest: string) => demo.submitAt('/dashboard/rounds/new/', { name: 'contest' }, { ...plan, contest });
  const idIn = (page: Page) => BigInt(/rounds\/(\d+)/.exec(page.path)?.[1] ?? 0);
  const ofGym = await listRoundProblems(store.reader, idIn(await make('https://codeforces.com/gym/101021')));
  assert.equal(ofGym.map(({ title }) => title).join(), 'Guess the Number,Another');
  replay.log.length = 0;
  const ofGrid = await listRoundProblems(store.reader, idIn(await make('https://codeforces.com/contest/2193')));
  const keys = ofGrid.map(({ source_key }) => source_key);
  assert.deepEqual(keys, [...keysOfRound, '2193G', '2193H']);
  assert.equal(replay.log.length, 0, 'a contest that is here is not asked for');
  assert.equal((await make('https://atcoder.jp/contests/abc001')).status, 422);
  await takeLease(store, `waiting ${await idOf(store, 'demo')}`, 'another tab');
  assert.match(textOf(await make('https://codeforces.com/gym/101022'), '.notice'), /previous contest is still loading/);
  const picked = await demo.submitAt('/dashboard/groups/1/pick/', { name: 'round' });
  assert.match(picked.path, /^\/dashboard\/rounds\/new\/\?group=1&problem=/);
  const made = await demo.submit({ name: 'name' }, plan);
  const inRound = (await listRoundProblems(store.reader, idIn(made))).map((one) => String(one.id));
  const asked = new URLSearchParams(picked.path.split('?')[1]).getAll('problem');
  assert.deepEqual(inRound, asked, 'in the order of the pick');
});

test('problems that are merged or removed, and members and groups that go, leave rounds whole', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 63, maker: 'ana', players: ['ana', 'ben'] });
  const keys = async () =>
    (await listRoundProblems(store.reader, id)).map(({ position, source_key }) => `${position} ${source_key}`);
  const [first = 0n, second = 0n] = await problemIds(store);
  const [{ id: other } = { id: 0n }] = await findProblemsByKeys(store.reader, 'codeforces', ['2193G']);
  const before = await keys();
  await store.write((tx) => mergeProblem(tx, first, other));
  assert.equal((await keys())[0], '1 2193G');
  await store.write((tx) => restoreProblem(tx, first));
  assert.deepEqual(await keys(), before);
  await store.write((tx) => removeProblem(tx, second));
  const ben = await as('ben');
  assert.match(textOf(await ben.open(path(id)), '.standings thead'), /A.*C.*D/s, 'letters stay');
  await store.write((tx) => restoreProblem(tx, second));
  assert.deepEqual(await keys(), before);
  // A round that was changed in the meantime has other letters, so the problem comes back at its end.
  await store.write(async (tx) => {
    const start = Date.now() + 60 * minuteMs;
    const startsAt = inMinutes(0, start);
    const ends_at = inMinutes(60, start);
    await updateRound(tx, id, { starts_at: startsAt, ends_at, updated_at: startsAt });
    await removeProblem(tx, second);
    const plan = { name: 'Later', rule: 'icpc', startsAt, minutes: 60, freezeMinutes: 0, points: [] } as const;
    const limits = { perDay: 0, total: 0 };
    await changeRound(tx, await idOf(store, 'ana'), id, plan, { problems: undefined, limits, version: startsAt });
    await restoreProblem(tx, second);
  });
  assert.deepEqual(await keys(), ['1 2193A', '2 2193C', '3 2193D', '4 2193E', '5 2193F', '6 2193B']);
  const began = inMinutes(-63);
  await store.write((tx) => updateRound(tx, id, { starts_at: began }));
  // A coach deletes a round of the group; a round goes with its maker, and with its group.
  const more = await clubRound(store, { minutesIn: 10, maker: 'ben', players: ['ana'] });
  const demo = await as('demo');
  assert.equal((await demo.submitAt(`${path(more)}edit/`, { name: 'delete' })).path, '/dashboard/rounds/?done=deleted');
  const own = await clubRound(store, { minutesIn: 10, maker: 'ben', players: ['ana'] });
  await store.write((tx) => removeMember(tx, 'ben'));
  assert.equal((await demo.ask(path(own))).status, 404);
  assert.deepEqual(order(await demo.open(path(id))), [' ana']);
  await store.write((tx) => deleteGroup(tx, 1n));
  assert.equal((await store.reader.selectFrom('rounds').selectAll().execute()).length, 0);
});

test('a round that somebody joined is in their calendar, moves there under the same name, and tells no problem', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: -60, players: ['ben'] });
  const ben = await as('ben');
  const page = await ben.submitAt('/authentication/account/reminders/', { name: 'share', value: 'calendar' });
  const address = new URL(textOf(page, '[data-calendar]')).pathname;
  const eventOf = async () => {
    const { text } = await ben.ask(address);
    const events = checkedCalendar(text).getAllSubcomponents('vevent');
    const event = events.find((one) => String(one.getFirstPropertyValue('uid')).startsWith(`round-${id}@`));
    return { text, event };
  };
  const { text, event } = await eventOf();
  const round = await findVisibleRound(store.reader, id, await idOf(store, 'demo'));
  assert.equal(event?.getFirstPropertyValue('dtstart')?.toString(), `${round?.starts_at.slice(0, 19)}Z`);
  assert.equal(event?.getFirstPropertyValue('dtend')?.toString(), `${round?.ends_at.slice(0, 19)}Z`);
  assert.equal(event?.getFirstPropertyValue('summary'), 'Saturday round 7 (Thursday club)');
  for (const { title } of await listRoundProblems(store.reader, id)) assert.ok(!text.includes(title), title);
  const later = inMinutes(60, Date.parse(round?.starts_at ?? ''));
  const updated_at = inMinutes(1);
  await store.write((tx) => updateRound(tx, id, { starts_at: later, updated_at }));
  const moved = (await eventOf()).event;
  assert.equal(moved?.getFirstPropertyValue('uid'), event?.getFirstPropertyValue('uid'));
  assert.equal(moved?.getFirstPropertyValue('dtstart')?.toString(), `${later.slice(0, 19)}Z`);
  assert.ok(Number(moved?.getFirstPropertyValue('sequence')) > Number(event?.getFirstPropertyValue('sequence')));
  await ben.submitAt(path(id), { name: 'leave' });
  assert.equal((await eventOf()).event, undefined);
});

test('a round of an archived group is read, but no longer synced often, joined, made or in a calendar', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 10, players: ['ben'] });
  const [ben, ana] = [await idOf(store, 'ben'), await as('ana')];
  await store.write((tx) => tx.updateTable('members').set({ is_sample: 0n }).execute());
  const span = { from: '2000', until: '3000' };
  const seen = async () => [
    (await listJoinedRounds(store.reader, ben, span)).some((one) => one.id === id),
    (await listHandlesInRounds(store.reader, 'codeforces', { now: inMinutes(0), endedAfter: '2000' })).length > 0,
    (await ana.open(path(id))).document.querySelector('[name=join]') !== null,
    (await as('ben').then((one) => one.open('/dashboard/'))).text.includes(`data-joined="${id}"`),
    (await ana.open('/dashboard/rounds/new/')).text.includes('Thursday club</option>'),
  ];
  assert.deepEqual(await seen(), [true, true, true, true, true]);
  const archive = (archived_at: string | null) =>
    store.write((tx) => tx.updateTable('groups').set({ archived_at }).execute());
  await archive('2026-01-01T00:00:00.000Z');
  assert.deepEqual(await seen(), [false, false, false, false, false]);
  await archive(null);
  const own = await clubRound(store, { minutesIn: 10, players: [], keys: otherKeysOfRound.frozen });
  await ana.open(path(id));
  await archive('2026-01-01T00:00:00.000Z');
  assert.match((await ana.submit({ name: 'join' })).text, /This group is archived/);
  const demo = await as('demo');
  assert.doesNotMatch(textOf(await demo.open(path(own)), 'main'), /You can still join|Edit round/);
  await archive(null);
  const settings = textOf(await demo.open('/dashboard/groups/1/settings/'), '[aria-labelledby=archive]');
  assert.match(settings, /Not over yet: 3 rounds and 1 assignment not due yet\./);
  await demo.open(`${path(own)}edit/`);
  await archive('2026-01-01T00:00:00.000Z');
  assert.match((await demo.submit({ name: 'name' }, { name: 'Late' })).text, /This group is archived/);
  assert.deepEqual(attributesOf(demo.page(), 'main form[method=post] button', 'name'), ['delete']);
});

test('a coach invites the group to a round; nothing of anybody shows before they join, and who declines is not asked again', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: -60, players: [] });
  const [demo, ana, ben] = [await as('demo'), await as('ana'), await as('ben')];
  const invite = async () => {
    return demo.submitAt(path(id), { name: 'invite' });
  };
  const all = await invite();
  assert.match(textOf(all, 'main'), /The group is invited.*12 people are invited and haven’t joined yet/s);
  assert.equal(all.text.includes('name="invite"'), false, 'nobody is left');
  assert.equal(all.text.match(/Nobody joined/g)?.length, 1, 'said once');
  assert.deepEqual(await listRoundPeople(store.reader, id), []);
  const invited = async (one: typeof ana, where = '/dashboard/') =>
    (await one.open(where)).document.querySelector(`[data-invited="${id}"]`)?.textContent ?? '';
  for (const where of ['/dashboard/', '/dashboard/rounds/'])
    assert.match(await invited(ana, where), /Saturday round 7.*the group sees your username/s, where);
  assert.equal((await ana.ask(path(id))).text.includes('name="invite"'), false, 'is for coaches');
  await ana.submit({ name: 'join' });
  const seenAt: string[] = [];
  for (const [from, until] of [
    [-2, -0.01],
    [-1, 0.02],
    [23, 25],
    [49, 50],
  ] as const) {
    const at = (hours: number) => new Date(Date.now() + hours * 60 * minuteMs).toISOString();
    await store.write((tx) => updateRound(tx, id, { starts_at: at(from), ends_at: at(until) }));
    for (const where of ['/dashboard/', '/dashboard/groups/1/', '/dashboard/rounds/']) {
      const [link] = (await ana.open(where)).document.querySelectorAll(`[data-joined="${id}"] a`);
      if (!link?.getAttribute('href')?.endsWith(path(id))) continue;
      seenAt.push(`${from} ${where}`);
      assert.match(link.parentNode?.text ?? '', /\d (?:Join again|You’re in)/, 'the name and the tag are apart');
    }
  }
  const now = ['/dashboard/', '/dashboard/groups/1/'];
  assert.deepEqual(seenAt, [...now.map((where) => `-1 ${where}`), ...now.map((where) => `23 ${where}`)]);
  await invited(ben);
  await ben.submit({ name: 'decline' });
  await ana.submitAt(path(id), { name: 'leave' });
  const newcomer = await idOf(store, 'outsider');
  await store.write((tx) => joinGroup(tx, 1n, newcomer, { joined_at: inMinutes(0) }));
  assert.match(textOf(await invite(), 'main'), /11 people are invited/);
  assert.deepEqual([await invited(ana), await invited(ben), await invited(demo)], ['', '', '']);
  const frozen = await clubRound(store, { minutesIn: 100, players: [], keys: otherKeysOfRound.frozen });
  const ofJury = await demo.submitAt(path(frozen), { name: 'invite' });
  assert.match(textOf(ofJury, 'main'), /13 people are invited/, 'the jury too');
});
