/**
 * The table of a round as a fold over submissions, in whatever order they came. Points are ordered by the rule of AtCoder Problems
 * (ResultCalcUtil.ts): for each problem the best result and the refused tries before it; then most points, the time of the last
 * improvement with a penalty for each of those tries, and fewest of them. Equal results share a place.
 */
import type { RoundRule } from '../store/rounds.ts';

/** The penalty for a refused try to a solved problem: of the ICPC, and of AtCoder Problems. */
export const icpcPenaltyMinutes = 20;
export const pointsPenaltyMinutes = 5;

export interface RoundSubmission {
  userId: bigint;
  problemId: bigint;
  /** The judge's own id. */
  id: string;
  /** When it was sent, in milliseconds since 1970. */
  at: number;
  isSolved: boolean;
}

/** Everything that a table is made of. Moments in milliseconds since 1970. */
export interface RoundInput {
  rule: RoundRule;
  startsAt: number;
  /** Submissions before this moment count. */
  endsAt: number;
  /** Results from this moment on are hidden. */
  hiddenFrom?: number | undefined;
  /** Whether the table also has what was solved after the end. */
  hasLater?: boolean;
  problems: readonly { id: bigint; points: number }[];
  /** In the order in which those with equal results stand. */
  people: readonly bigint[];
  submissions: readonly RoundSubmission[];
}

/**
 * `first`: solved, and nobody did before. `hidden`: tried while results are hidden. `taken`: somebody else has its points (lockout).
 * `later`: solved after the end, or after somebody else took it; `before`: before the start alone.
 */
export type CellKind = 'first' | 'solved' | 'tried' | 'hidden' | 'taken' | 'later' | 'before' | 'none';

export interface RoundCell {
  kind: CellKind;
  /** Refused tries before it was solved, or all tries. */
  tries: number;
  /** When it was solved: milliseconds after the start; after the end where it was solved later, 0 for what was taken by then. */
  afterMs: number;
  points: number;
  /** The person who has the points, where it is somebody else. */
  takenBy?: bigint;
}

export interface RoundLine {
  userId: bigint;
  /** Undefined where nobody solved anything, and after the end for those who tried nothing. */
  place: number | undefined;
  solved: number;
  points: number;
  /** ICPC: minutes of all solved problems with penalties. Points: seconds until the last improvement, with penalties. Otherwise 0. */
  time: number;
  /** Refused tries to problems that were solved then. */
  penalties: number;
  later: number;
  /** In the order of the problems. */
  cells: readonly RoundCell[];
}

const minuteMs = 60_000;

/** The ids of a judge are numbers of any length, or words. */
const compareIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

const bySending = (a: RoundSubmission, b: RoundSubmission) =>
  a.at - b.at || compareIds(a.id, b.id) || (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0);

export function roundTable(input: RoundInput): RoundLine[] {
  const { people, problems, startsAt, endsAt, hiddenFrom = endsAt, rule, hasLater = false } = input;
  const known = new Set(people);
  const ordered = input.submissions.filter(({ userId }) => known.has(userId)).toSorted(bySending);
  const firsts = new Map<bigint, bigint>();
  for (const { problemId, userId, at, isSolved } of ordered)
    if (isSolved && at >= startsAt && at < Math.min(hiddenFrom, endsAt) && !firsts.has(problemId))
      firsts.set(problemId, userId);
  const sent = Map.groupBy(ordered, ({ userId, problemId }) => `${userId} ${problemId}`);
  const lines = people.map((userId) => {
    const cells = problems.map(({ id, points }) => {
      const own = sent.get(`${userId} ${id}`) ?? [];
      return cellOf(own, { ...input, hiddenFrom }, { userId, points, first: firsts.get(id) });
    });
    return lineOf(userId, cells, rule);
  });
  const ranked = lines.toSorted((a, b) => compare(a, b, rule));
  const hasSolved = ranked.some(({ solved }) => solved > 0);
  let place = 0;
  return ranked.map((line, at) => {
    const last = ranked[at - 1];
    if (!last || compare(last, line, rule) !== 0) place = at + 1;
    const isIn = hasSolved && (!hasLater || line.cells.some(({ kind }) => isOfRound(kind)));
    return { ...line, place: isIn ? place : undefined };
  });
}

const isOfRound = (kind: CellKind) =>
  kind !== 'none' && kind !== 'later' && kind !== 'before' && kind !== 'taken';

/** A person's submissions to one problem, in the order in which they were sent. */
function cellOf(
  own: readonly RoundSubmission[],
  { rule, startsAt, endsAt, hiddenFrom, hasLater }: RoundInput & { hiddenFrom: number },
  { userId, points, first }: { userId: bigint; points: number; first: bigint | undefined },
): RoundCell {
  const during = own.filter(({ at }) => at >= startsAt && at < endsAt);
  const shown = during.filter(({ at }) => at < hiddenFrom);
  const solvedAt = shown.findIndex(({ isSolved }) => isSolved);
  const none = { afterMs: 0, points: 0 };
  const isTaken = rule === 'lockout' && first !== undefined && first !== userId;
  const solve = shown[solvedAt];
  // A problem that somebody else took gives no points, as one that is solved after the end.
  if (isTaken && hasLater && solve)
    return { kind: 'later', tries: solvedAt, afterMs: Math.max(0, solve.at - endsAt), points: 0 };
  if (isTaken && !hasLater) return { ...none, kind: 'taken', tries: shown.length, takenBy: first };
  if (solve) {
    const kind = rule !== 'training' && first === userId ? 'first' : 'solved';
    return { kind, tries: solvedAt, afterMs: solve.at - startsAt, points };
  }
  if (shown.length < during.length) return { ...none, kind: 'hidden', tries: during.length };
  const earlier = own.some(({ at, isSolved }) => isSolved && at < startsAt);
  const later = own.filter(({ at }) => at >= endsAt);
  const laterAt = later.findIndex(({ isSolved }) => isSolved);
  const upsolve = hasLater && !earlier ? later[laterAt] : undefined;
  if (upsolve)
    return { kind: 'later', tries: during.length + laterAt, afterMs: upsolve.at - endsAt, points: 0 };
  if (isTaken) return { ...none, kind: 'taken', tries: shown.length, takenBy: first };
  if (during.length > 0) return { ...none, kind: 'tried', tries: during.length };
  return { ...none, kind: earlier ? 'before' : 'none', tries: 0 };
}

function lineOf(userId: bigint, cells: readonly RoundCell[], rule: RoundRule): RoundLine {
  const solved = cells.filter(({ kind }) => kind === 'first' || kind === 'solved');
  const sum = (of: (cell: RoundCell) => number) => solved.reduce((all, cell) => all + of(cell), 0);
  const penalties = sum(({ tries }) => tries);
  const times = {
    icpc: () => sum(({ afterMs, tries }) => Math.floor(afterMs / minuteMs) + icpcPenaltyMinutes * tries),
    points: () => {
      const last = Math.max(0, ...solved.map(({ afterMs }) => afterMs));
      return Math.floor(last / 1000) + penalties * pointsPenaltyMinutes * 60;
    },
    lockout: () => 0,
    training: () => 0,
  };
  return {
    ...{
      userId,
      place: undefined,
      solved: solved.length,
      points: sum(({ points }) => points),
      penalties,
      cells,
    },
    ...{ time: times[rule](), later: cells.filter(({ kind }) => kind === 'later').length },
  };
}

/** Orders two lines; 0 where they share a place. */
function compare(a: RoundLine, b: RoundLine, rule: RoundRule): number {
  if (rule === 'training') return b.solved - a.solved;
  if (rule === 'lockout') return b.points - a.points;
  const most = rule === 'icpc' ? b.solved - a.solved : b.points - a.points;
  return most || a.time - b.time || a.penalties - b.penalties;
}
