/**
 * The points of a season: live, virtual and upsolved solves of each contest by the rule of the season and the clocks of the
 * group, counted from submissions when the table is read.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { readSeasonTable } from '../../src/practice/season-table.ts';
import {
  addSeasonContests,
  changeSeason,
  givePoints,
  makeSeason,
  removeSeasonContest,
  versionOfSeason,
} from '../../src/practice/seasons.ts';
import { setContestPhase, updateContest } from '../../src/store/contests.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { deleteRound, type RoundRule, saveRoundPerson } from '../../src/store/rounds.ts';
import { findSeason, type SeasonsTable } from '../../src/store/seasons.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import {
  addContest,
  addPerson,
  addRound,
  dayMs,
  fillSeason,
  iso,
  openClub,
  seasonTable,
  solve,
  usualSeason,
} from '../support/seasons.ts';
import { counted } from '../support/statements.ts';

const zone = 'Europe/Berlin';
const start = '2026-10-24T14:35:00.000Z';
const startMs = Date.parse(start);
const minute = (count: number) => iso(startMs + count * 60_000);
const now = Date.parse('2026-11-20T12:00:00Z');

async function world(t: TestContext, wishes: Partial<typeof usualSeason> = {}, starts_at: string | null = start) {
  const { store, group, coach: coached } = await openClub(t, zone);
  const made = await store.write(async (tx) => {
    await makeSeason(tx, coached, { ...usualSeason, ...wishes });
    const contest = await addContest(tx, { key: '2000', starts_at });
    await addSeasonContests(tx, coached, [{ kind: 'contest', item_id: contest.id }]);
    const bob = await addPerson(tx, group, 'bob');
    const cy = await addPerson(tx, group, 'cy');
    return { contest, bob, cy };
  });
  const season = async () => (await findSeason(store.reader, group)) as SeasonsTable;
  const pointsOf = (_: string, rating: bigint | null) => Number((rating ?? 0n) / 300n);
  const table = (at = now) => seasonTable(store.reader, { id: group, zone }, at, pointsOf);
  const sentBy = (
    { handle }: { handle: bigint },
    ...rows: [place: number, at: string, more?: Partial<SolvesTable>][]
  ) =>
    store.write((tx) =>
      insertSolves(
        tx,
        rows.map(([place, submitted_at, more]) =>
          solve({
            handle_id: handle,
            submitted_at,
            key: `2000${'ABCDEF'[place]}`,
            contest: '2000',
            problem_id: made.contest.problemIds[place] ?? null,
            ...more,
          }),
        ),
      ),
    );
  /** The line of a person, such as "live 2+1 = 5" in half points, and the total. */
  const lineOf = async (name: string, at?: number) => {
    const line = (await table(at)).rows.find(({ person }) => person.username === name);
    assert.ok(line, name);
    return line.cells
      .map(({ participation, solved, upsolved, halves, isTeam, counts }) =>
        [`${participation}${isTeam ? ' team' : ''} ${solved}+${upsolved} = ${halves}`, counts ? '' : 'out']
          .filter(Boolean)
          .join(' '),
      )
      .concat(`${line.total}`)
      .join(', ');
  };
  return { store, group, coached, ...made, season, table, sentBy, lineOf };
}

const live = { participation: 'contest' } as const;
const virtual = { participation: 'virtual' } as const;

test('solved live is a point, in a virtual contest or upsolved in time half a point, and nothing later', async (t) => {
  const { bob, cy, sentBy, lineOf, table, season } = await world(t);
  assert.equal(await lineOf('bob'), 'absent 0+0 = 0, 0');
  await sentBy(bob, [0, minute(10), live], [1, minute(40), { ...live, verdict_class: 'tried' }], [1, minute(60), live]);
  await sentBy(bob, [2, iso(startMs + 3 * dayMs)], [3, iso(startMs + 9 * dayMs)]);
  assert.equal(await lineOf('bob'), 'live 2+1 = 5, 5');
  // A virtual contest a day later; the days of upsolving begin with its end.
  await sentBy(cy, [0, iso(startMs + 2 * dayMs), virtual], [1, iso(startMs + 2 * dayMs + 60_000), virtual]);
  await sentBy(cy, [2, iso(startMs + 9 * dayMs)], [3, iso(startMs + 11 * dayMs)]);
  assert.equal(await lineOf('cy'), 'virtual 2+1 = 3, 3');
  const read = await table();
  assert.deepEqual(
    read.rows.map(({ person, place, live }) => [person.username, place, live]),
    [
      ['bob', 1, 1],
      ['cy', undefined, 0],
    ],
    'the last has no place',
  );
  const [line] = read.rows;
  assert.ok(line);
  assert.deepEqual(
    line.cells[0]?.solves.map(({ setting, isCounted, isTried }) => [setting, isCounted, isTried]),
    [
      ['live', true, true],
      ['live', true, true],
      ['later', true, true],
      ['later', false, true],
      [undefined, false, false],
      [undefined, false, false],
    ],
  );
  assert.equal((await season()).rule_since, null);
});

/** A round of the contest's problems a week later, frozen for its last half hour, which Bob joined. */
const addFrozenRound = (
  { store, group, coached, contest, bob }: Awaited<ReturnType<typeof world>>,
  rule: RoundRule = 'icpc',
) =>
  store.write(async (tx) => {
    const id = await addRound(tx, {
      made_by: coached.coachId,
      group_id: group,
      rule,
      at: startMs + 7 * dayMs,
      freeze_minutes: 30n,
      problems: contest.problemIds.map((problem_id) => ({ problem_id, points: 3n })),
    });
    await saveRoundPerson(tx, { round_id: id, user_id: bob.id, joined_at: start });
    await addSeasonContests(tx, coached, [{ kind: 'round', item_id: id }]);
    return id;
  });

test('a round of the group counts who joined and sent in its span; hidden results give nothing yet', async (t) => {
  const made = await world(t);
  const { store, coached, contest, bob, cy, sentBy, lineOf, table } = made;
  const round = await addFrozenRound(made);
  await store.write((tx) => removeSeasonContest(tx, coached, { kind: 'contest', item_id: contest.id }));
  const at = (count: number) => iso(startMs + 7 * dayMs + count * 60_000);
  const practice = { contest: null };
  await sentBy(bob, [0, at(-5), practice], [1, at(10), practice], [2, at(110), practice]);
  await sentBy(bob, [3, at(200), practice], [4, at(60 * 24 * 20), practice]);
  // Cy solved two while it ran and did not join, and one afterwards.
  await sentBy(cy, [0, at(10), practice], [1, at(20), practice], [2, at(300), practice]);
  const ms = (text: string) => Date.parse(text);
  assert.equal(await lineOf('bob', ms(at(-1))), 'absent 0+0 = 0, 0');
  assert.deepEqual((await table(ms(at(-1)))).columns[0]?.places, [], 'its problems are nobody’s before');
  assert.equal(await lineOf('bob', ms(at(250))), 'live 1+0 = 2, 2', 'the end is hidden');
  assert.equal(await lineOf('cy', ms(at(310))), 'absent 0+0 = 0, 0');
  assert.equal(await lineOf('bob'), 'live 2+1 = 5, 5');
  assert.equal(await lineOf('cy'), 'absent 0+0 = 0, 0', 'a round tells nothing of who never joined it');
  const [line] = (await table()).rows.filter(({ person }) => person.username === 'cy');
  assert.ok(line?.cells.every(({ solves }) => solves.every(({ isTried }) => !isTried)));
  const other = await store.write((tx) => makeGroup(tx, coached.coachId, { name: 'Other', zone: 'UTC' }));
  await store.write((tx) => makeSeason(tx, { ...coached, groupId: other }, usualSeason));
  await assert.rejects(
    store.write((tx) => addSeasonContests(tx, { ...coached, groupId: other }, [{ kind: 'round', item_id: round }])),
    'it is a round of another group',
  );
  await store.write((tx) => deleteRound(tx, round));
  assert.deepEqual((await table()).columns, []);
});

test('what a round hides is in no column of the season, and a solve that names no contest takes nobody into a round', async (t) => {
  const made = await world(t);
  const { bob, cy, sentBy, lineOf, table } = made;
  await addFrozenRound(made);
  const at = (count: number) => startMs + 7 * dayMs + count * 60_000;
  await sentBy(bob, [0, iso(at(10))], [1, iso(at(100))], [2, iso(at(110)), { verdict_class: 'tried' }]);
  await sentBy(cy, [3, iso(at(20)), { contest: null, participation: null }], [4, iso(at(95))]);
  assert.equal(await lineOf('bob', at(115)), 'upsolved 0+1 = 1, live 1+0 = 2, 3', 'while it is frozen');
  assert.equal(await lineOf('cy', at(300)), 'upsolved 0+1 = 1, absent 0+0 = 0, 1', 'until it is shown');
  const [bobs] = (await table(at(300))).rows;
  assert.deepEqual(
    bobs?.cells.map(({ solves }) => solves.filter(({ isTried }) => isTried).length),
    [1, 1],
    'nor are tries',
  );
  assert.equal(await lineOf('bob'), 'upsolved 0+2 = 2, live 2+0 = 4, 6');
  assert.equal(await lineOf('cy'), 'upsolved 0+2 = 2, absent 0+0 = 0, 2');
});

test('a round counts from its start to the moment before its end, live for those who joined', async (t) => {
  const made = await world(t);
  const round_id = await addFrozenRound(made);
  await made.store.write((tx) => removeSeasonContest(tx, made.coached, { kind: 'contest', item_id: made.contest.id }));
  const [from, end] = [startMs + 7 * dayMs, startMs + 7 * dayMs + 7_200_000];
  const { bob, cy, sentBy, lineOf } = made;
  await sentBy(bob, [0, iso(from - 1)], [1, iso(from)], [2, iso(end - 1)], [3, iso(end)]);
  await sentBy(cy, [1, iso(from)], [2, iso(end - 1)], [3, iso(end)]);
  assert.deepEqual([await lineOf('bob'), await lineOf('cy')], ['live 2+1 = 5, 5', 'absent 0+0 = 0, 0']);
  const dee = await made.store.write(async (tx) => {
    const person = await addPerson(tx, made.group, 'dee');
    await saveRoundPerson(tx, { round_id, user_id: person.id, joined_at: start });
    return person;
  });
  await sentBy(dee, [1, iso(end)]);
  assert.equal(await lineOf('dee'), 'upsolved 0+1 = 1, 1');
});

test('a lockout gives its own points, to the first to solve alone, also one who is not shown or whom a freeze hides', async (t) => {
  const made = await world(t);
  const { store, group, coached, contest, bob, cy, sentBy, lineOf, table } = made;
  const round_id = await addFrozenRound(made, 'lockout');
  await store.write((tx) => removeSeasonContest(tx, coached, { kind: 'contest', item_id: contest.id }));
  const dee = await store.write(async (tx) => {
    const person = await addPerson(tx, group, 'dee', { in_season: null });
    for (const { id } of [cy, person]) await saveRoundPerson(tx, { round_id, user_id: id, joined_at: start });
    return person;
  });
  const at = (count: number) => iso(startMs + 7 * dayMs + count * 60_000);
  await sentBy(bob, [0, at(10)], [1, at(20)], [2, at(30)], [3, at(100)], [3, at(200)], [4, at(200)]);
  await sentBy(cy, [0, at(11)], [1, at(19)], [0, at(300)]);
  await sentBy(dee, [2, at(5)], [3, at(95)]);
  // Problem 0 is Bob's and 1 is Cy's; 2 and 3 are those of Dee, who is not shown; 4 was solved afterwards.
  assert.equal(await lineOf('bob'), 'live 1+1 = 9, 9');
  assert.equal(await lineOf('cy'), 'live 1+0 = 6, 6');
  const [line] = (await table()).rows;
  const settings = ['live', 'behind', 'behind', 'behind', 'later', undefined];
  assert.deepEqual(
    line?.cells[0]?.solves.map(({ setting }) => setting),
    settings,
  );
});

test('a season counts from its first midnight to the moment before its last one', async (t) => {
  const [from, until] = [Date.parse('2026-08-31T22:00:00Z'), Date.parse('2026-12-15T23:00:00Z')];
  const absent = 'absent 0+0 = 0, 0';
  for (const [starts_at, one, line] of [
    ['2025-03-01T10:00:00.000Z', virtual, 'virtual 1+0 = 1, 1'],
    [null, live, 'live 1+0 = 2, 2'],
  ] as const) {
    const { bob, cy, sentBy, lineOf } = await world(t, {}, starts_at);
    await sentBy(bob, [0, iso(from - 1), one]);
    await sentBy(cy, [0, iso(until), one]);
    assert.deepEqual([await lineOf('bob', until), await lineOf('cy', until)], [absent, absent]);
    await sentBy(bob, [1, iso(from), one]);
    await sentBy(cy, [1, iso(until - 1), one]);
    assert.deepEqual([await lineOf('bob', until), await lineOf('cy', until)], [line, line]);
  }
  const { bob, sentBy, lineOf } = await world(t, {}, '2026-08-30T10:00:00.000Z');
  await sentBy(bob, [0, iso(from - 1)], [1, iso(from)]);
  assert.equal(await lineOf('bob', until), 'upsolved 0+1 = 1, 1');
  const old = await world(t, {}, '2025-03-01T10:00:00.000Z');
  await old.sentBy(old.bob, [0, '2025-03-01T10:20:00.000Z', live]);
  assert.equal(await old.lineOf('bob', until), absent);
});

test('who took part and solved nothing was there, also if no contest is named; who only upsolved was not', async (t) => {
  const unnamed = { contest: null, participation: null } as const;
  for (const [then, later] of [
    [live, {}],
    [unnamed, unnamed],
  ] as const) {
    const { bob, cy, sentBy, lineOf } = await world(t);
    await sentBy(bob, [0, minute(30), { ...then, verdict_class: 'tried' }]);
    await sentBy(cy, [0, minute(-30), { ...unnamed, verdict_class: 'tried' }], [1, iso(startMs + dayMs), later]);
    assert.equal(await lineOf('bob'), 'live 0+0 = 0, 0');
    assert.equal(await lineOf('cy'), 'upsolved 0+1 = 1, 1');
  }
});

test('two handles of one person count once, and a team counts for each member', async (t) => {
  const { bob, cy, sentBy, lineOf, store } = await world(t);
  const second = await store.write((tx) =>
    insertHandle(tx, { user_id: bob.id, source: 'codeforces', name: 'bob_alt', created_at: start }),
  );
  await sentBy(bob, [0, minute(10), live], [1, minute(20), live]);
  await sentBy({ handle: second.id }, [0, minute(15), live], [1, iso(startMs + dayMs)], [2, minute(50), live]);
  assert.equal(await lineOf('bob'), 'live 3+0 = 6, 6');
  const team = { participation: 'team', is_team: 1n } as const;
  await sentBy(cy, [0, minute(10), team]);
  await sentBy(bob, [3, minute(70), team]);
  assert.equal(await lineOf('cy'), 'live team 1+0 = 2, 2');
  assert.equal(await lineOf('bob'), 'live team 4+0 = 8, 8');
});

test('the days of upsolving end with a day of the group’s clocks, also in a week in which clocks change', async (t) => {
  for (const [starts_at, last, over] of [
    // Clocks go back on 25 October: the seventh day after 24 October ends at 23:00 UTC on 31 October.
    [start, '2026-10-31T22:59:59.000Z', '2026-10-31T23:00:00.000Z'],
    // Clocks go forward on 28 March: the seventh day after 27 March ends at 22:00 UTC on 3 April.
    ['2027-03-27T14:35:00.000Z', '2027-04-03T21:59:59.000Z', '2027-04-03T22:00:00.000Z'],
  ] as const) {
    const { bob, cy, sentBy, lineOf, season, coached, store } = await world(t, { last_day: '2027-05-01' }, starts_at);
    await sentBy(bob, [0, last]);
    await sentBy(cy, [0, over]);
    const at = Date.parse(over) + 14 * dayMs;
    assert.equal(await lineOf('bob', at), 'upsolved 0+1 = 1, 1');
    assert.equal(await lineOf('cy', at), 'absent 0+0 = 0, 0');
    const { name, first_day, last_day, points, best } = await season();
    const none = { name, first_day, last_day, points, best, upsolve_days: 0n };
    await changeSeason(store, coached, none, versionOfSeason(await season()));
    assert.equal(await lineOf('bob', at), 'absent 0+0 = 0, 0', 'no days at all');
  }
});

test('upsolving counts from the end of the contest, or of the virtual one, and not at all with 0 days', async (t) => {
  for (const [days, line] of [
    [7n, 'virtual 2+1 = 3, 3'],
    [0n, 'virtual 2+0 = 2, 2'],
  ] as const) {
    const { bob, cy, sentBy, lineOf, table } = await world(t, { upsolve_days: days });
    const hours = (count: number) => iso(startMs + 2 * dayMs + count * 3_600_000);
    await sentBy(cy, [0, hours(0), virtual], [1, hours(2), virtual]);
    await sentBy(cy, [2, hours(-20)], [2, hours(9)], [3, hours(1)], [4, hours(3)]);
    assert.equal(await lineOf('cy'), line);
    const cell = (await table()).rows.find(({ person }) => person.username === 'cy')?.cells[0];
    const settings = cell?.solves.map(({ setting }) => setting).slice(2, 5);
    assert.deepEqual(settings, ['elsewhere', 'elsewhere', 'later']);
    await sentBy(bob, [0, minute(119)], [1, minute(120)]);
    assert.equal(await lineOf('bob'), days > 0n ? 'upsolved 0+1 = 1, 1' : 'absent 0+0 = 0, 0');
  }
  const undated = await world(t, { upsolve_days: 0n }, null);
  await undated.sentBy(undated.bob, [0, minute(10)]);
  assert.equal(await undated.lineOf('bob'), 'absent 0+0 = 0, 0', 'the contest is none before it was added');
});

test('what was solved before counts where it is solved again live or in a virtual contest', async (t) => {
  const { bob, cy, sentBy, lineOf } = await world(t);
  for (const one of [bob, cy]) await sentBy(one, [0, '2026-08-01T10:00:00.000Z'], [1, '2026-09-05T10:00:00.000Z']);
  await sentBy(bob, [0, minute(10), live], [1, iso(startMs + dayMs)]);
  await sentBy(cy, [0, iso(startMs + dayMs), virtual], [1, iso(startMs + dayMs + 60_000), virtual]);
  assert.equal(await lineOf('bob'), 'live 1+0 = 2, 2');
  assert.equal(await lineOf('cy'), 'virtual 2+0 = 2, 2');
});

test('a compile error alone is no part, and who sent nothing has no place', async (t) => {
  const { bob, group, store, coached, sentBy, lineOf, table } = await world(t);
  await sentBy(bob, [0, minute(10), { ...live, verdict_class: 'void' }]);
  assert.equal(await lineOf('bob'), 'absent 0+0 = 0, 0');
  await store.write((tx) => addPerson(tx, group, 'abe'));
  await givePoints(store, coached, { userId: bob.id, halves: -2n, reason: 'Late' });
  const places = (await table()).rows.map(({ person, place }) => [person.username, place]);
  assert.deepEqual(places, [
    ['abe', undefined],
    ['cy', undefined],
    ['bob', undefined],
  ]);
});

test('a contest that is moved counts where it is held, and not after the season', async (t) => {
  const { bob, sentBy, lineOf, table, contest, store } = await world(t, { last_day: '2026-10-31' });
  const row = { id: contest.id, source: 'codeforces', key: '2000', title: 'Round', duration_s: 7200n, is_gym: 0n };
  const moveTo = (starts_at: string) => store.write((tx) => updateContest(tx, { ...row, starts_at, phase: null }));
  // The last evening of the season in Berlin, and the first midnight after it.
  for (const [at, phase, line] of [
    ['2026-10-31T20:00:00.000Z', 'held', 'live 1+0 = 2, 2'],
    ['2026-10-31T23:00:00.000Z', 'outside', 'absent 0+0 = 0, 0'],
  ] as const) {
    await moveTo(at);
    if (phase === 'held') await sentBy(bob, [0, '2026-10-31T20:30:00.000Z', live]);
    assert.equal((await table()).columns[0]?.phase, phase);
    assert.equal(await lineOf('bob'), line);
  }
  await store.write((tx) => setContestPhase(tx, contest.id, 'CANCELLED'));
  const { columns, contestCount } = await table();
  assert.deepEqual([columns[0]?.phase, contestCount], ['cancelled', 0]);
  await moveTo('2026-10-30T10:00:00.000Z');
  const { columns: ahead, ...counts } = await table(Date.parse('2026-10-29T00:00:00Z'));
  assert.deepEqual([ahead[0]?.phase, counts.pastCount, counts.contestCount], ['ahead', 0, 1]);
});

test('a contest that goes on after the last midnight of the season counts as a whole', async (t) => {
  // It begins at 23:30 in Berlin.
  const { bob, cy, sentBy, lineOf } = await world(t, { last_day: '2026-10-31' }, '2026-10-31T22:30:00.000Z');
  await sentBy(bob, [0, '2026-10-31T22:50:00.000Z', live], [1, '2026-10-31T23:10:00.000Z', live]);
  await sentBy(cy, [0, '2026-10-31T23:20:00.000Z', live], [1, '2026-11-01T09:00:00.000Z', virtual]);
  assert.equal(await lineOf('bob'), 'live 2+0 = 4, 4');
  assert.equal(await lineOf('cy'), 'live 1+1 = 3, 3');
});

test('a team was there also where nobody knows when the contest was', async (t) => {
  const { store, bob, sentBy, lineOf } = await world(t, {}, null);
  await store.write((tx) => tx.updateTable('season_contests').set({ added_at: start }).execute());
  await sentBy(bob, [0, minute(10), { participation: 'team', is_team: 1n }]);
  assert.equal(await lineOf('bob'), 'live team 1+0 = 2, 2');
});

test('a problem that was solved elsewhere before the end gives nothing', async (t) => {
  const { bob, sentBy, lineOf } = await world(t);
  await sentBy(bob, [0, minute(20), { contest: '1999', participation: 'contest' }], [0, iso(startMs + dayMs)]);
  await sentBy(bob, [1, minute(30), live]);
  assert.equal(await lineOf('bob'), 'live 1+0 = 2, 2');
});

test('a problem that no catalogue has yet does not hide that somebody was there', async (t) => {
  const { bob, store, contest, sentBy, lineOf, table } = await world(t);
  await sentBy(bob, [0, minute(20), { ...live, problem_id: null }], [1, minute(30), { ...live, problem_id: null }]);
  assert.equal(await lineOf('bob'), 'live 0+0 = 0, 0');
  const isIncomplete = async (at = now) => (await table(at)).columns[0]?.isIncomplete;
  assert.equal(await isIncomplete(), false);
  const setPhase = (phase: string) => store.write((tx) => setContestPhase(tx, contest.id, phase));
  await setPhase('CODING');
  assert.deepEqual([await isIncomplete(), await isIncomplete(startMs - 1)], [true, false]);
  await setPhase('FINISHED');
  assert.equal(await isIncomplete(), false);
  await store.write((tx) =>
    tx.updateTable('contest_problems').set({ problem_id: null }).where('key', '=', '2000B').execute(),
  );
  assert.equal(await isIncomplete(), true, 'one of its problems is not here');
  assert.equal(await lineOf('bob'), 'live 1+0 = 2, 2', 'who solved it has it under its key');
  await store.write((tx) => tx.deleteFrom('contest_problems').execute());
  assert.equal(await isIncomplete(), true, 'none is known');
});

test('harder problems give more, only the best contests count, and a changed rule counts all again', async (t) => {
  const { bob, store, coached, sentBy, lineOf, season, table } = await world(t);
  const second = await store.write(async (tx) => {
    const others = [
      await addContest(tx, { key: '2001', starts_at: iso(startMs + dayMs) }),
      await addContest(tx, { key: '2002', starts_at: iso(startMs + 2 * dayMs) }),
    ] as const;
    await addSeasonContests(
      tx,
      coached,
      others.map(({ id: item_id }) => ({ kind: 'contest', item_id })),
    );
    return others[0];
  });
  await sentBy(bob, [0, minute(10), live], [1, minute(20), live], [2, minute(90), live]);
  await sentBy(bob, [
    0,
    iso(startMs + dayMs + 60_000),
    { ...live, contest: '2001', problem_id: second.problemIds[0] ?? null },
  ]);
  assert.equal(await lineOf('bob'), 'live 3+0 = 6, live 1+0 = 2, absent 0+0 = 0, 8');
  const { name, first_day, last_day } = await season();
  const wishes = { name, first_day, last_day, upsolve_days: 7n, points: 'band', best: 1n } as const;
  await changeSeason(store, coached, wishes, versionOfSeason(await season()));
  // 800, 1100 and 1400 are 2, 3 and 4 points here.
  assert.equal(await lineOf('bob'), 'live 3+0 = 18, live 1+0 = 4 out, absent 0+0 = 0, 18');
  await givePoints(store, coached, { userId: bob.id, halves: -3n, reason: 'Wrong account' });
  assert.match(await lineOf('bob'), /, 15$/);
  assert.equal((await table()).rows[0]?.handHalves, -3);
});

test('40 people and 20 contests take a few statements, and little time', async (t) => {
  const { store, ada } = await openClub(t, zone);
  const { group } = await fillSeason(store, ada, { people: 40, contests: 20, wishes: { best: 15n } });
  const season = (await findSeason(store.reader, group)) as SeasonsTable;
  const { db, statements } = counted(store.reader);
  const table = await readSeasonTable(db, { id: group, zone }, season, {
    now: Date.now(),
    isShown: () => true,
    pointsOf: () => 1,
  });
  assert.deepEqual([table.rows.length, table.columns.length, table.pastCount], [40, 20, 20]);
  assert.deepEqual(
    table.rows.flatMap(({ place }) => place ?? []),
    [1, 2, 3],
  );
  assert.ok(statements() <= 10, `${statements()} statements`);
});
