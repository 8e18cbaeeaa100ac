/** The phases of a round, the limits of its plan, and who may change, join, show and remove it, at every boundary. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { noLimits } from '../../src/practice/added-problems.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import {
  changeRound,
  findRoundAtAddress,
  frozenFrom,
  hiddenFrom,
  inviteToRound,
  isJury,
  isSyncedOften,
  joinRound,
  leaveRound,
  letterOf,
  makeRound,
  phaseOf,
  type RoundPlan,
  readRoundResults,
  removeRound,
  seesHiddenResults,
  showResults,
} from '../../src/practice/rounds.ts';
import { setArchivedAt } from '../../src/store/groups.ts';
import { findVisibleRound, listRoundProblems, type ShownRound } from '../../src/store/rounds.ts';
import { gardenOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const at = (ms: number) => new Date(ms).toISOString();
const because = (key: string) => (error: unknown) => error instanceof AppError && error.localized?.key === key;

test('a round has its phase from the first moment to the last', () => {
  const [start, end] = [Date.parse('2026-11-28T12:00:00.000Z'), Date.parse('2026-11-28T14:00:00.000Z')];
  const freeze = end - 30 * minuteMs;
  const round = { starts_at: at(start), ends_at: at(end), freeze_minutes: 30n, is_shown: 0n };
  const open = { ...round, freeze_minutes: 0n };
  assert.deepEqual([frozenFrom(round), frozenFrom(open)], [freeze, undefined]);
  for (const [now, phase, ofOpen, ofShown] of [
    [start - 1, 'before', 'before', 'before'],
    [start, 'running', 'running', 'running'],
    [freeze - 1, 'running', 'running', 'running'],
    [freeze, 'frozen', 'running', 'running'],
    [end - 1, 'frozen', 'running', 'running'],
    [end, 'held', 'over', 'over'],
    [end + dayMs - 1, 'held', 'over', 'over'],
    [end + dayMs, 'over', 'over', 'over'],
  ] as const) {
    const phases = [round, open, { ...round, is_shown: 1n }].map((one) => phaseOf(one, now));
    assert.deepEqual(phases, [phase, ofOpen, ofShown], at(now));
    assert.equal(hiddenFrom(round, now), phase === 'frozen' || phase === 'held' ? at(freeze) : undefined);
  }
  const often = (more: object) => isSyncedOften({ ...round, archived_at: null, ...more } as ShownRound);
  assert.deepEqual(
    [{}, { archived_at: at(0) }, { ends_at: at(start + dayMs) }, { ends_at: at(start + dayMs + 1) }].map(often),
    [true, false, true, false],
  );
  assert.deepEqual([1n, 26n, 27n].map((position) => letterOf({ position })).join(''), 'AZZ');
  const made = { ...round, made_by: 1n, has_joined: 0n } as ShownRound;
  assert.deepEqual([isJury(made, 1n), isJury(made, 2n), isJury({ ...made, has_joined: 1n }, 1n)], [true, false, false]);
  assert.deepEqual([seesHiddenResults(made, 1n, freeze), seesHiddenResults(made, 1n, end)], [true, false]);
});

test('a plan is taken up to its limits, and a round is changed, joined and shown in its time', async (t) => {
  const [{ store, import: bring }, ada, bob] = [await gardenOf(t, 'ada', 'bob'), 1n, 2n];
  await bring('problems', ponds(30));
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-28T12:00:00.000Z') });
  const now = Date.now();
  const group = await makeGroup(store, ada, { name: 'Club', zone: 'UTC' });
  const times = { startsAt: at(now), minutes: 120, freezeMinutes: 30 };
  const usual = { ...times, name: ' A  round ', rule: 'icpc', points: [] } as const;
  const ids = (count: number) => Array.from({ length: count }, (_, n) => BigInt(n + 1));
  const make = (more: Partial<RoundPlan> = {}, problems = ids(2), groupId: bigint | undefined = undefined, by = ada) =>
    makeRound(store, by, { ...usual, ...more }, { problems, limits: noLimits, groupId });
  for (const [more, reason] of [
    [{ name: ' ' }, 'roundName'],
    ...[4, 1441, 60.5].map((minutes) => [{ minutes }, 'roundMinutes'] as const),
    [{ rule: 'training', minutes: 43_201 }, 'roundMinutes'],
    ...[-1, 120, 1.5].map((freezeMinutes) => [{ freezeMinutes }, 'roundFreeze'] as const),
    [{ startsAt: at(now - 120 * minuteMs) }, 'roundPast'],
    [{ startsAt: at(now + 731 * dayMs + 1) }, 'roundFar'],
    [{ startsAt: at(now - 10 * minuteMs - 1) }, 'roundStart'],
    [{ points: [1, 2, 3] }, 'roundPointsMany'],
    ...[0, 10_001, 1.5].map((point) => [{ points: [1, point] }, 'roundPoints'] as const),
  ] as const)
    await assert.rejects(make(more), because(`invalidValue.${reason}`), reason);
  await assert.rejects(make({}, ids(27)), because('invalidValue.roundProblems'));
  await assert.rejects(make({}, [99n]), because('invalidValue.roundEmpty'));
  await assert.rejects(make({}, ids(1), group, bob), because('invalidValue.roundGroup'));
  for (const more of [
    { minutes: 5, freezeMinutes: 4 },
    { minutes: 1440, freezeMinutes: 0, startsAt: at(now + 731 * dayMs) },
    { rule: 'training', minutes: 43_200 },
    { startsAt: at(now - 10 * minuteMs), points: [1, 10_000] },
  ] as const)
    await make(more, ids(26));
  const find = async (id: bigint, by = ada) => (await findVisibleRound(store.reader, id, by)) as ShownRound;
  const pointsOf = async (id: bigint) =>
    (await listRoundProblems(store.reader, id)).map(({ id: problem, points }) => [problem, points]);
  const training = await find(await make({ rule: 'training', points: [7] }));
  assert.deepEqual([training.freeze_minutes, training.secret === null, training.name], [0n, false, 'A round']);
  assert.deepEqual(
    await pointsOf(training.id),
    [
      [1n, 1n],
      [2n, 1n],
    ],
    'its rule has no points',
  );
  const id = await make({ rule: 'points', points: [7], startsAt: at(now + minuteMs) }, [3n, 3n, 99n, 1n], group);
  assert.deepEqual(await pointsOf(id), [
    [3n, 7n],
    [1n, 1n],
  ]);
  assert.equal((await find(id)).secret, null);

  const change = async (more: Partial<RoundPlan>, problems?: bigint[], by = ada, version?: string) => {
    const round = await find(id);
    const plan = { ...usual, rule: round.rule, startsAt: round.starts_at, ...more };
    return changeRound(store, by, id, plan, { problems, limits: noLimits, version: version ?? round.updated_at });
  };
  await assert.rejects(change({}, undefined, bob), because('unknownPath.round'));
  assert.equal(await change({}, undefined, ada, 'old'), false);
  t.mock.timers.tick(1);
  assert.equal(await change({ points: [5] }, [2n, 1n]), true);
  assert.deepEqual(await pointsOf(id), [
    [2n, 5n],
    [1n, 1n],
  ]);
  await assert.rejects(joinRound(store, bob, { id }, (await find(id)).updated_at), because('unknownPath.round'));
  await assert.rejects(joinRound(store, ada, { id }, 'old'), because('invalidValue.roundChanged'));
  await joinRound(store, ada, { id }, (await find(id)).updated_at);
  assert.equal(await joinRound(store, ada, { id }, 'old'), id, 'who joined is in it already');
  assert.equal(await showResults(store, ada, id), false, 'nothing is hidden yet');
  t.mock.timers.tick(95 * minuteMs + 1000);

  // Neither an end nor a freeze that is edited away and back shows what is hidden.
  for (const wishes of [
    { freezeMinutes: 0 },
    { minutes: 97, freezeMinutes: 0 },
    { minutes: 150, freezeMinutes: 1, rule: 'lockout', startsAt: at(now) },
  ] as const) {
    assert.equal(await change(wishes, [9n]), true);
    assert.equal(frozenFrom(await find(id)), now + 91 * minuteMs);
  }
  const frozen = await find(id);
  assert.deepEqual(
    [frozen.rule, frozen.starts_at, frozen.ends_at, frozen.freeze_minutes, await pointsOf(id)],
    [
      'points',
      at(now + minuteMs),
      at(now + 151 * minuteMs),
      60n,
      [
        [2n, 5n],
        [1n, 1n],
      ],
    ],
    'results stay hidden from the same moment on',
  );
  const results = await readRoundResults(store.reader, group, ada, Date.now());
  assert.deepEqual(
    results.map(({ solved, later, problems }) => [solved, later, problems]),
    [[0, 0, 2]],
  );
  await leaveRound(store, ada, id);
  await assert.rejects(joinRound(store, ada, { id }, frozen.updated_at), because('invalidValue.roundJury'));
  assert.deepEqual(await readRoundResults(store.reader, group, ada, Date.now()), []);
  await inviteToRound(store, ada, id);
  await assert.rejects(inviteToRound(store, ada, training.id), because('unknownPath.round'));
  t.mock.timers.tick(56 * minuteMs);
  await assert.rejects(joinRound(store, ada, { id }, frozen.updated_at), because('invalidValue.roundOver'));
  await assert.rejects(inviteToRound(store, ada, id), because('invalidValue.roundOver'));
  assert.equal(await change({ name: 'Ended', minutes: 300 }), true);
  assert.deepEqual([(await find(id)).name, (await find(id)).ends_at], ['Ended', frozen.ends_at]);
  assert.equal(await showResults(store, bob, id), false);
  assert.equal(await showResults(store, ada, id), true);
  assert.equal(phaseOf(await find(id), Date.now()), 'over');

  const secret = training.secret ?? '';
  assert.equal((await findRoundAtAddress(store.reader, secret, bob))?.id, training.id);
  assert.equal(await findRoundAtAddress(store.reader, `${secret}x`, bob), undefined);
  await store.write((tx) => setArchivedAt(tx, group, at(now)));
  await assert.rejects(make({}, ids(1), group), /archived/);
  assert.equal(await removeRound(store, bob, training.id), false);
  assert.equal(await removeRound(store, ada, training.id), true);
  assert.equal(await find(training.id), undefined);
});
