/**
 * The table of a round is a fold over submissions: in whatever order they come, it is the one that the published rules give, and that
 * of a scoreboard which sees one submission after the other.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from 'd3-array';
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
/** Two people who share a row. */
const team = [6n, 7n];

interface RoundSubmission {
  userId: bigint;
  problemId: bigint;
  id: string;
  at: number;
  isSolved: boolean;
  isTeam?: boolean;
  count?: number;
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
type Cell = Omit<RoundCell, 'takenBy' | 'sender'> & { takenBy: bigint | undefined; sender: bigint | undefined };
type Line = Omit<RoundRow, 'person' | 'members' | 'cells'> & { userId: bigint; members: bigint[]; cells: Cell[] };

const iso = (at: number) => new Date(at).toISOString();

/** The table of these people, as the store has the rows; people by their ids. */
function table(rule: RoundRule, given: Given = {}): Line[] {
  const { hiddenFrom, hasLater = false, submissions = replay } = given;
  const personOf = (user_id: bigint): RoundPerson => ({
    user_id,
    username: `u${user_id}`,
    team_id: team.includes(user_id) ? 1n : null,
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
    solves: submissions.map(({ userId, problemId, id, at, isSolved, isTeam, count = 1 }) => ({
      user_id: userId,
      problem_id: problemId,
      submission_id: id,
      submitted_at: iso(at),
      round_id: 1n,
      is_team: isTeam ? 1n : 0n,
      count: BigInt(count),
      verdict_class: isSolved ? 'solved' : 'tried',
    })),
  });
  return lines.map(({ person, members, cells, ...line }) => ({
    ...line,
    userId: person.user_id,
    members: members.map(({ user_id }) => user_id),
    cells: cells.map(({ takenBy, sender, ...cell }) => ({
      ...cell,
      takenBy: takenBy?.user_id,
      sender: sender?.user_id,
    })),
  }));
}

test('each rule places the same five people by what it counts, who is equal shares a place, and who sent nothing has none', () => {
  const places = (rule: RoundRule, more: readonly RoundSubmission[] = []) =>
    table(rule, { submissions: [...replay, ...more] }).map(({ userId, place, solved, points, time }) => [
      Number(userId),
      place,
      solved,
      points,
      time,
    ]);
  // ICPC: minutes of every solve, with 20 for each wrong try.
  assert.deepEqual(places('icpc'), [
    [2, 1, 2, 300, 50],
    [3, 1, 2, 300, 50],
    [1, 3, 2, 300, 56],
    [4, 4, 1, 300, 139],
    [5, undefined, 0, 0, 0],
  ]);
  // Points: the last improvement, with five minutes for each wrong try to a solved problem.
  assert.deepEqual(places('points'), [
    [1, 1, 2, 300, 30 * 60 + 300],
    [2, 2, 2, 300, 40 * 60 + 30],
    [3, 3, 2, 300, 40 * 60 + 59],
    [4, 4, 1, 300, 119 * 60 + 59 + 300],
    [5, undefined, 0, 0, 0],
  ]);
  // Training: the last solve alone.
  assert.deepEqual(places('training'), [
    [1, 1, 2, 300, 30 * 60],
    [2, 2, 2, 300, 40 * 60 + 30],
    [3, 3, 2, 300, 40 * 60 + 59],
    [4, 4, 1, 300, 119 * 60 + 59],
    [5, undefined, 0, 0, 0],
  ]);
  // Lockout: the first takes the points, in the same second the lower submission number.
  assert.deepEqual(places('lockout', [sent(2, 3, '119:59', true, '98')]), [
    [1, 1, 2, 300, 0],
    [2, 1, 1, 300, 0],
    [3, 3, 0, 0, 0],
    [4, 3, 0, 0, 0],
    [5, undefined, 0, 0, 0],
  ]);
});

const at = (minutes: number) => startsAt + minutes * 60_000;
const anySubmission = fc.record({
  userId: fc.constantFrom(...people, ...team, 9n),
  problemId: fc.constantFrom(1n, 2n, 3n, 7n),
  id: fc.constantFrom('9', '10', '11'),
  at: fc
    .tuple(fc.constantFrom(-20, 0, 10, 20, 90, 120, 130), fc.constantFrom(-1, 0, 0, 30_500))
    .map(([minutes, ms]) => at(minutes) + ms),
  isSolved: fc.boolean(),
  isTeam: fc.boolean(),
  count: fc.constantFrom(1, 1, 3),
});

const compareSent = (a: RoundSubmission, b: RoundSubmission) =>
  a.at - b.at || Number(a.id) - Number(b.id) || Number(a.userId - b.userId);

/** The table of a scoreboard that sees one submission after the other. */
function scoreboard(rule: RoundRule, { hiddenFrom = endsAt, hasLater = false, submissions = [] }: Given): Line[] {
  const firsts = new Map<bigint, bigint>();
  const board = new Map(
    [...people, 6n].map((unit) => [
      unit,
      problems.map(() => {
        type Solve = { at: number; wrong: number; sender: bigint | undefined } | undefined;
        const [solve, later] = [undefined as Solve, undefined as Solve];
        return { isBefore: false, isSolved: false, seen: 0, hidden: 0, wrong: 0, solve, later };
      }),
    ]),
  );
  for (const { userId, problemId, at, isSolved, isTeam, count = 1 } of submissions.toSorted(compareSent)) {
    const unit = team.includes(userId) ? 6n : userId;
    const cell = board.get(unit)?.[Number(problemId) - 1];
    if (!cell) continue;
    const solve = { at, wrong: cell.wrong, sender: unit === 6n && !isTeam ? userId : undefined };
    cell.isSolved ||= isSolved;
    if (at < startsAt) cell.isBefore ||= isSolved;
    else if (at < hiddenFrom) cell.seen += count;
    else if (at < endsAt) cell.hidden += count;
    if (at >= startsAt && !isSolved) cell.wrong += count;
    if (isSolved && at >= endsAt) cell.later ??= solve;
    if (isSolved && at >= startsAt && at < hiddenFrom) cell.solve ??= solve;
    if (cell.solve && !firsts.has(problemId)) firsts.set(problemId, unit);
  }
  const lines = [...board].map(([userId, cells]): Line & { isAway: boolean } => {
    const shown = cells.map(({ isBefore, isSolved, seen, hidden, solve, later }, nth): Cell => {
      const first = firsts.get(problems[nth]?.id ?? 0n);
      const isTaken = rule === 'lockout' && first !== undefined && first !== userId;
      const none = { afterMs: 0, points: 0, takenBy: undefined, sender: undefined, isSolved: hasLater && isSolved };
      const taken: Cell = { ...none, kind: 'taken', tries: seen, takenBy: first };
      if (isTaken && !hasLater) return taken;
      if (solve) {
        const kind = isTaken ? 'behind' : rule !== 'training' && first === userId ? 'first' : 'solved';
        const points = isTaken ? 0 : Number(problems[nth]?.points);
        return { ...none, kind, points, tries: solve.wrong, afterMs: solve.at - startsAt, sender: solve.sender };
      }
      if (hidden > 0) return { ...none, kind: 'hidden', tries: seen + hidden };
      if (hasLater && later && !isBefore)
        return { ...none, kind: 'later', tries: later.wrong, afterMs: later.at - endsAt, sender: later.sender };
      if (isTaken) return taken;
      if (seen > 0) return { ...none, kind: 'tried', tries: seen };
      return { ...none, kind: isBefore ? 'before' : 'none', tries: 0 };
    });
    const solved = shown.filter(({ kind }) => ['first', 'solved', 'behind'].includes(kind));
    const penalties = sum(solved, ({ tries }) => tries);
    const last = Math.floor(Math.max(0, ...solved.map(({ afterMs }) => afterMs)) / 1000);
    return {
      userId,
      members: userId === 6n ? team : [userId],
      place: undefined,
      solved: solved.length,
      points: sum(solved, ({ points }) => points),
      penalties,
      time: {
        icpc: sum(solved, ({ afterMs }) => Math.floor(afterMs / 60_000)) + 20 * penalties,
        points: last + 300 * penalties,
        training: last,
        lockout: 0,
      }[rule],
      later: shown.filter(({ kind }) => kind === 'later').length,
      cells: shown,
      isAway: cells.every(({ seen, hidden }) => seen + hidden === 0),
    };
  });
  const before = (a: Line, b: Line) =>
    (rule === 'points' || rule === 'lockout' ? b.points - a.points : b.solved - a.solved) ||
    (rule === 'lockout' ? 0 : a.time - b.time || a.penalties - b.penalties);
  const hasPlaces = lines.some(({ solved }) => solved > 0);
  return lines
    .toSorted((a, b) => before(a, b) || Number(a.isAway) - Number(b.isAway))
    .map(({ isAway, ...line }) => {
      const place = 1 + lines.filter((other) => before(other, line) < 0).length;
      return { ...line, place: hasPlaces && !isAway ? place : undefined };
    });
}

test('submissions in any order give the table of a scoreboard', () => {
  const rules = fc.constantFrom('icpc', 'points', 'lockout', 'training' as const);
  const all = fc.uniqueArray(anySubmission, {
    selector: ({ userId, id, at }) => `${userId} ${id} ${at}`,
    minLength: 20,
    maxLength: 60,
  });
  fc.assert(
    fc.property(rules, all, fc.boolean(), (rule, submissions, isFrozen) => {
      const given = { submissions, hiddenFrom: isFrozen ? at(90) : undefined, hasLater: !isFrozen };
      assert.deepEqual(table(rule, { ...given, people: [...people, ...team] }), scoreboard(rule, given));
    }),
    { numRuns: 500 },
  );
});
