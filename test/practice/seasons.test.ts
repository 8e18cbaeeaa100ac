/** Seasons: which days one has, what a change of its rule leaves behind, and which contests it may have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noLimits } from '../../src/practice/added-problems.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import {
  addSeasonContests,
  changeSeason,
  completeContest,
  daysFault,
  givePoints,
  makeSeason,
  seasonShownTo,
  versionOfSeason,
} from '../../src/practice/seasons.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { cancelledPhase, completePhase } from '../../src/store/contests.ts';
import { findSeason, type SeasonPerson } from '../../src/store/seasons.ts';
import { gardenOf } from '../importing/support.ts';
import { addPerson, dayMs, hourMs, iso, usualSeason } from '../support/seasons.ts';

const now = Date.parse('2026-10-01T12:00:00.000Z');

test('a season has up to 731 days of years that people plan, and a person of it is shown to few', () => {
  for (const [first_day, last_day, fault] of [
    ['2026-02-30', '2026-03-01', 'noDay'],
    ['2026-02-01', '2026-02-30', 'noDay'],
    ['1989-12-31', '1990-01-01', 'noDay'],
    ['1990-01-01', '1990-01-01', undefined],
    ['2199-12-31', '2199-12-31', undefined],
    ['2199-12-31', '2200-01-01', 'noDay'],
    ['2026-01-02', '2026-01-01', 'order'],
    ['2026-01-01', '2028-01-01', undefined],
    ['2026-01-01', '2028-01-02', 'long'],
  ] as const)
    assert.equal(daysFault({ first_day, last_day }), fault, `${first_day} ${last_day}`);
  for (const [role, has_board, user_id, on_board, isShown] of [
    ['coach', 0n, 2n, 0n, true],
    ['member', 0n, 1n, 0n, true],
    ['member', 1n, 2n, 0n, false],
    ['member', 0n, 2n, 1n, false],
    ['member', 1n, 2n, 1n, true],
  ] as const)
    assert.equal(seasonShownTo({ role, has_board }, 1n)({ user_id, on_board } as SeasonPerson), isShown);
});

test('a season says since when its rule holds, and takes contests that the judge describes, or will', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now });
  const { store } = await gardenOf(t, 'ada');
  const group_id = await makeGroup(store, 1n, { name: 'Club', zone: 'UTC' });
  const coach = { groupId: group_id, coachId: 1n };
  const find = () => findSeason(store.reader, group_id);
  const change = (more: object, version: string) => changeSeason(store, coach, { ...usualSeason, ...more }, version);
  await assert.rejects(change({}, ''), /no season yet/);
  for (let n = 0; n < 50; n++) await makeSeason(store, coach, usualSeason);
  await assert.rejects(makeSeason(store, coach, usualSeason), /up to 50 seasons/);
  const row = { id: 50n, group_id, ...usualSeason, rule_since: null, created_at: iso(now) };
  assert.deepEqual(await change({ name: 'B' }, 'other'), row);
  assert.deepEqual(await find(), row);
  const renamed = { ...row, name: 'B' };
  assert.equal(await change({ name: 'B' }, versionOfSeason(row)), undefined);
  assert.deepEqual(await find(), renamed);
  assert.equal(await change({ name: 'B' }, 'pressed twice'), undefined);
  t.mock.timers.tick(1);
  await change({ name: 'B', best: 5n }, versionOfSeason(renamed));
  assert.deepEqual(await find(), { ...renamed, best: 5n, rule_since: iso(now + 1) });

  const problem = (key: string, isGym = false) => ({ source: 'codeforces', key, url: '', isGym, position: key });
  const described = (key: string, startedMs: number, ...problems: ReturnType<typeof problem>[]) => {
    const times = { starts_at: iso(now + 1 - startedMs), duration_s: 7200n };
    return { contest: { source: 'codeforces', key, title: 'Round', ...times, problems }, limits: noLimits };
  };
  const add = (description: ReturnType<typeof described>) => addSeasonContests(store, coach, [], description);
  const contests = async () =>
    (await store.reader.selectFrom('contests').selectAll().orderBy('id').execute()).map((one) =>
      [one.key, one.phase, one.is_gym].join(' '),
    );
  const places = async () =>
    (await store.reader.selectFrom('contest_problems').selectAll().orderBy('position').execute()).map(
      (one) => `${one.contest_id} ${one.key}`,
    );
  const many = Array.from({ length: 101 }, (_, n) => problem(`${n}X`));
  await assert.rejects(add(described('1', 2 * hourMs)), /shows no problems/, 'it is over');
  await assert.rejects(add(described('1', hourMs, ...many)), /up to 100 problems/);
  await add(described('1', 2 * hourMs - 1));
  await add(described('1', 2 * hourMs, problem('1A')));
  await add(described('1', 2 * hourMs, problem('1A'), problem('1B')));
  await add(described('2', 0, problem('2A', true)));
  for (const kind of ['contest', 'coming', 'round'] as const)
    await assert.rejects(addSeasonContests(store, coach, [{ kind, item_id: 99n }]), /not on this server/);
  const listed = { source: 'leetcode', key: 'w', title: 'W', url: null, starts_at: iso(now + dayMs), duration_s: 60n };
  const list = (rows: (typeof listed)[]) => saveListing(store, 'leetcode', { contests: rows, isComplete: true }, now);
  await list([listed]);
  await list([]);
  const [coming] = await store.reader.selectFrom('upcoming_contests').select('id').execute();
  for (const _ of [1, 2]) await addSeasonContests(store, coach, [{ kind: 'coming', item_id: coming?.id ?? 0n }]);
  assert.deepEqual(await contests(), ['1  0', `2 ${completePhase} 1`, `w ${cancelledPhase} 0`]);
  assert.deepEqual(await places(), ['1 1A', '1 1B', '2 2A']);

  await completeContest(store, 99n, described('w', 0).contest);
  await completeContest(store, 3n, described('w', 0).contest);
  assert.equal((await contests())[2], `w ${cancelledPhase} 0`);
  await completeContest(store, 3n, described('w', 0, problem('wA')).contest);
  assert.equal((await contests())[2], 'w  0', 'a contest whose problems are shown took place');

  for (let n = 3; n < 100; n++) await add(described(`m${n}`, 0));
  await assert.rejects(add(described('more', 0)), /up to 100 contests/);
  const [bob, cy] = await store.write(async (tx) => [
    (await addPerson(tx, group_id, 'bob')).id,
    (await addPerson(tx, group_id, 'cy', { in_season: null })).id,
  ]);
  const give = (userId = 0n) => givePoints(store, coach, { userId, halves: 1n, reason: 'x' });
  await assert.rejects(give(cy), /not shown in the season/);
  for (let n = 0; n < 500; n++) await give(bob);
  await assert.rejects(give(bob), /up to 500 entries/);
});
