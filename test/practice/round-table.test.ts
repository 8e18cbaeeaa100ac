/** The table of a round is a fold over submissions: in whatever order they come, it is the one that the published rules give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RoundCell, type RoundRow, roundTable } from '../../src/practice/round-table.ts';
import type { RoundPerson, RoundRule } from '../../src/store/rounds.ts';

const startsAt = Date.parse('2026-11-28T12:00:00.000Z');
const endsAt = startsAt + 120 * 60_000;
const problems = [
  { id: 1n, points: 100n },
  { id: 2n, points: 200n },
  { id: 3n, points: 300n },
];
const people = [1n, 2n, 3n, 4n, 5n];

interface RoundSubmission {
  userId: bigint;
  problemId: bigint;
  id: string;
  at: number;
  isSolved: boolean;
}

let ids = 100;
/** A submission so many minutes and seconds after the start. */
function sent(
  userId: number,
  problemId: number,
  clock: string,
  isSolved: boolean,
  id = String(ids++),
): RoundSubmission {
  const [minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return {
    userId: BigInt(userId),
    problemId: BigInt(problemId),
    id,
    at: startsAt + (minutes * 60 + seconds) * 1000,
    isSolved,
  };
}

/** Five people; the second and the third end equal by the rules of the ICPC. */
const replay = [
  sent(1, 1, '6:10', true),
  sent(1, 2, '20:59', false),
  sent(1, 2, '30:00', true),
  sent(1, 3, '118:00', false),
  sent(2, 1, '10:00', true, '1000'),
  sent(2, 2, '40:30', true),
  sent(3, 1, '10:00', true, '999'),
  sent(3, 2, '40:59', true),
  sent(4, 3, '15:00', false),
  sent(4, 3, '119:59', true),
  // A second after the end, and what was solved before the start, do not count.
  sent(5, 1, '120:00', true),
  sent(5, 2, '-5:00', true),
];

interface Given {
  hiddenFrom?: number | undefined;
  hasLater?: boolean;
  people?: readonly bigint[];
  submissions?: readonly RoundSubmission[];
}
type Line = Omit<RoundRow, 'person' | 'cells'> & {
  userId: bigint;
  cells: (Omit<RoundCell, 'takenBy'> & { takenBy: bigint | undefined })[];
};

const iso = (at: number) => new Date(at).toISOString();

/** The table of these people, as the store has the rows; people by their ids. */
function table(rule: RoundRule, given: Given = {}): Line[] {
  const { hiddenFrom, hasLater = false, submissions = replay } = given;
  const personOf = (user_id: bigint): RoundPerson => ({
    user_id,
    username: `u${user_id}`,
    team_id: null,
    team: null,
    has_page: 0n,
    has_same_problems: 1n,
  });
  const lines = roundTable({
    round: { rule, starts_at: iso(startsAt), ends_at: iso(endsAt) },
    problems,
    showsLater: hasLater,
    hiddenFrom: hiddenFrom ? iso(hiddenFrom) : undefined,
    people: (given.people ?? people).map(personOf),
    solves: submissions.map(({ userId, problemId, id, at, isSolved }) => ({
      user_id: userId,
      problem_id: problemId,
      submission_id: id,
      submitted_at: iso(at),
      round_id: 1n,
      is_team: 0n,
      count: 1n,
      verdict_class: isSolved ? 'solved' : 'tried',
    })),
  });
  return lines.map(({ person, cells, ...line }) => ({
    ...line,
    userId: person.user_id,
    cells: cells.map(({ takenBy, ...cell }) => ({ ...cell, takenBy: takenBy?.user_id })),
  }));
}
const places = (lines: readonly Line[]) =>
  lines.map(({ userId, place, solved, points, time }) => [Number(userId), place, solved, points, time]);
const kinds = (lines: readonly Line[], userId: bigint) =>
  lines.find((line) => line.userId === userId)?.cells.map(({ kind, tries }) => `${kind} ${tries}`);

test('ICPC: most solved, then minutes with 20 for each wrong try; equal results share a place', () => {
  assert.deepEqual(places(table('icpc')), [
    [2, 1, 2, 300, 50],
    [3, 1, 2, 300, 50],
    [1, 3, 2, 300, 56],
    [4, 4, 1, 300, 139],
    [5, 5, 0, 0, 0],
  ]);
  const isSolved = table('icpc').some(({ cells }) => cells.some((cell) => cell.isSolved));
  assert.equal(isSolved, false, 'what was solved before shows after the end');
});

test('points: the last improvement with five minutes for each wrong try to a solved problem', () => {
  assert.deepEqual(places(table('points')), [
    [1, 1, 2, 300, 30 * 60 + 300],
    [2, 2, 2, 300, 40 * 60 + 30],
    [3, 3, 2, 300, 40 * 60 + 59],
    [4, 4, 1, 300, 119 * 60 + 59 + 300],
    [5, 5, 0, 0, 0],
  ]);
});

test('points: with equal times fewer penalties come first', () => {
  const submissions = [
    sent(1, 1, '10:00', false),
    sent(1, 1, '15:00', true),
    sent(2, 1, '20:00', true),
    sent(3, 1, '20:00', true),
  ];
  const lines = table('points', { submissions });
  assert.deepEqual(lines.map(({ userId, place, time }) => [Number(userId), place, time]).slice(0, 3), [
    [2, 1, 1200],
    [3, 1, 1200],
    [1, 3, 1200],
  ]);
});

test('lockout: the first takes the points, in the same second the lower submission number; the others see whose it is', () => {
  const submissions = [...replay, sent(2, 3, '119:59', true, '98')];
  const lines = table('lockout', { submissions });
  assert.deepEqual(places(lines), [
    [1, 1, 2, 300, 0],
    [2, 1, 1, 300, 0],
    [3, 3, 0, 0, 0],
    [4, 3, 0, 0, 0],
    [5, 3, 0, 0, 0],
  ]);
  assert.deepEqual(
    lines.find(({ userId }) => userId === 4n)?.cells.map(({ kind, takenBy }) => [kind, takenBy]),
    [
      ['taken', 1n],
      ['taken', 1n],
      ['taken', 2n],
    ],
  );
  const after = [...replay, sent(4, 1, '100:00', true, '97'), sent(4, 2, '1560:00', true, '96')];
  const upsolved = table('lockout', { submissions: after, hasLater: true });
  const cellsOf = (id: bigint) => upsolved.find(({ userId }) => userId === id)?.cells ?? [];
  assert.deepEqual(
    cellsOf(4n).map(({ kind, afterMs }) => [kind, afterMs]),
    [
      ['behind', 100 * 60_000],
      ['later', 24 * 3_600_000],
      ['first', 119 * 60_000 + 59_000],
    ],
    'solved in the round behind somebody is not solved after it',
  );
  const four = upsolved.find(({ userId }) => userId === 4n);
  assert.deepEqual([four?.solved, four?.points, four?.later], [2, 300, 1]);
  const score = (lines: Line[]) => places(lines).map(([id, place, , ...rest]) => [id, place, ...rest]);
  assert.deepEqual(score(upsolved), score(table('lockout', { hasLater: true })), 'it changes no place and no points');
  const beaten = [
    sent(1, 1, '5:00', true),
    sent(2, 1, '6:00', true),
    sent(5, 1, '7:00', false),
    sent(3, 1, '125:00', true),
  ];
  assert.deepEqual(
    places(table('lockout', { submissions: beaten, hasLater: true })).map(([id, place]) => [id, place]),
    [
      [1, 1],
      [2, 2],
      [5, 2],
      [3, undefined],
      [4, undefined],
    ],
    'who sent something in the round has a place, also where somebody else took everything, and stands before all others',
  );
  const equal = [sent(2, 1, '10:00', true, '1000'), sent(3, 1, '10:00', true, '999')];
  assert.equal(table('lockout', { submissions: equal })[0]?.userId, 3n, '999 is lower than 1000');
});

test('training: how many are solved, then the last solve without penalties, then fewer wrong tries', () => {
  assert.deepEqual(places(table('training')), [
    [1, 1, 2, 300, 30 * 60],
    [2, 2, 2, 300, 40 * 60 + 30],
    [3, 3, 2, 300, 40 * 60 + 59],
    [4, 4, 1, 300, 119 * 60 + 59],
    [5, 5, 0, 0, 0],
  ]);
  const submissions = [
    sent(1, 1, '10:00', false),
    sent(1, 1, '20:00', true),
    sent(2, 1, '20:00', true),
    sent(3, 1, '20:00', true),
  ];
  const equal = table('training', { submissions }).map(({ userId, place }) => [Number(userId), place]);
  assert.deepEqual(equal.slice(0, 3), [
    [2, 1],
    [3, 1],
    [1, 3],
  ]);
});

test('the first to solve has a flag; a problem solved before the start is neither solved nor an upsolve', () => {
  const lines = table('icpc', { hasLater: true });
  assert.deepEqual(kinds(lines, 1n), ['first 0', 'first 1', 'tried 1']);
  assert.deepEqual(kinds(lines, 5n), ['later 0', 'before 0', 'none 0']);
  const five = lines.at(-1);
  assert.deepEqual([five?.place, five?.later, five?.cells[0]?.afterMs], [undefined, 1, 0], 'no rank without a try');
});

test('a freeze hides results of the last minutes and tells the tries; all show afterwards', () => {
  const hiddenFrom = endsAt - 10 * 60_000;
  const frozen = table('icpc', { hiddenFrom });
  assert.deepEqual(kinds(frozen, 4n), ['none 0', 'none 0', 'hidden 2']);
  assert.deepEqual(kinds(frozen, 1n), ['first 0', 'first 1', 'hidden 1']);
  assert.equal(frozen.find(({ userId }) => userId === 4n)?.solved, 0);
  assert.deepEqual(kinds(table('icpc'), 4n), ['none 0', 'none 0', 'first 1']);
});

test('somebody who leaves is counted for nothing', () => {
  const left = table('icpc', { people: people.filter((id) => id !== 1n) });
  assert.deepEqual(kinds(left, 2n)?.slice(1), ['first 0', 'none 0'], 'the flag goes to the next');
  assert.equal(left.length, 4);
});

const anySubmission = fc.record({
  userId: fc.constantFrom(...people, 9n),
  problemId: fc.constantFrom(1n, 2n, 3n, 7n),
  id: fc.integer({ min: 1, max: 400 }).map(String),
  at: fc.integer({ min: -20, max: 140 }).map((minutes) => startsAt + minutes * 60_000),
  isSolved: fc.boolean(),
});
const byIds = (one: RoundSubmission) => `${one.userId} ${one.id}`;

test('replays in any order give the same table, and what is outside changes nothing', () => {
  const rules = fc.constantFrom('icpc', 'points', 'lockout', 'training' as const);
  const all = fc.uniqueArray(anySubmission, { selector: byIds, maxLength: 60 });
  const shuffled = all.chain((some) =>
    fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length })),
  );
  fc.assert(
    fc.property(rules, shuffled, fc.boolean(), (rule, [one, other], isFrozen) => {
      const more = { hiddenFrom: isFrozen ? endsAt - 30 * 60_000 : undefined, hasLater: !isFrozen };
      const lines = table(rule, { submissions: one, ...more });
      assert.deepEqual(table(rule, { submissions: other, ...more }), lines);
      const inside = one.filter(({ userId, problemId }) => userId !== 9n && problemId !== 7n);
      assert.deepEqual(table(rule, { submissions: inside, ...more }), lines);
      for (const [at, line] of lines.entries()) {
        const before = lines[at - 1];
        const [main, last] =
          rule === 'icpc' || rule === 'training' ? [line.solved, before?.solved] : [line.points, before?.points];
        assert.ok(last === undefined || main <= last);
        if (line.place !== undefined) assert.ok(line.place <= at + 1);
      }
    }),
    { numRuns: 300 },
  );
});
