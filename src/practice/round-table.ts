/**
 * The table of a round from submissions in any order. Points follow AtCoder Problems (ResultCalcUtil.ts): most points
 * first, then the time of the last improvement with a penalty for each refused try before it, then fewest of these.
 * Equal results share a place.
 */
import { ascending } from 'd3-array';
import { minuteMs } from '../durations.ts';
import type { RoundPerson, RoundProblem, RoundRule, RoundSolve, RoundsTable } from '../store/rounds.ts';

export const roundRules: Readonly<
  Record<
    RoundRule,
    {
      hasPoints: boolean;
      penaltyMinutes: number;
    }
  >
> = {
  icpc: { hasPoints: false, penaltyMinutes: 20 },
  points: { hasPoints: true, penaltyMinutes: 5 },
  lockout: { hasPoints: true, penaltyMinutes: 0 },
  training: { hasPoints: false, penaltyMinutes: 0 },
};

export interface RoundInput {
  round: Pick<RoundsTable, 'rule' | 'starts_at' | 'ends_at'>;
  /** RFC 3339; results from then on, which is before the end, are hidden. */
  hiddenFrom?: string | undefined;
  /** Whether it shows solves after the end. */
  showsLater?: boolean;
  problems: readonly Pick<RoundProblem, 'id' | 'points'>[];
  people: readonly RoundPerson[];
  solves: readonly RoundSolve[];
}

/**
 * `first`: nobody solved it before. `behind`: solved in a lockout after somebody else, which shows after the end. `hidden`: tried
 * while results are hidden. `taken`: somebody else has its points. `later`: solved after the end. `before`: solved only before
 * the start.
 */
export type CellKind =
  | 'first'
  | 'solved'
  | 'behind'
  | 'tried'
  | 'hidden'
  | 'taken'
  | 'later'
  | 'before'
  | 'none';

export interface RoundCell {
  kind: CellKind;
  tries: number;
  /** The time from the start to the solve, or from the end if it was later. */
  afterMs: number;
  points: number;
  takenBy?: RoundPerson | undefined;
  /** Of the people of a team, who sent the solve. A team of the judge does not tell. */
  sender?: RoundPerson | undefined;
  /** Whether the person has solved it by now, before the round too. False as long as later solves do not show. */
  isSolved: boolean;
}

export interface RoundRow {
  /** The first of the members, who stands for them. */
  person: RoundPerson;
  /** The people of a team who joined, or one person. */
  members: readonly RoundPerson[];
  /** Undefined if nobody solved anything, and for people who sent nothing in the round. */
  place: number | undefined;
  solved: number;
  points: number;
  /**
   * ICPC: minutes of all solved problems with penalties. Points and training: seconds until the last solve, with
   * penalties. Lockout: 0.
   */
  time: number;
  penalties: number;
  later: number;
  cells: readonly RoundCell[];
}

export type RoundResult = Omit<RoundRow, 'person' | 'members' | 'place'>;

const compareIds = (a: string, b: string) => a.length - b.length || ascending(a, b);

const compareSubmissions = (a: RoundSolve, b: RoundSolve) =>
  Date.parse(a.submitted_at) - Date.parse(b.submitted_at) ||
  compareIds(a.submission_id, b.submission_id) ||
  Number(a.user_id - b.user_id);

const countOf = (submissions: readonly RoundSolve[]) =>
  submissions.reduce((sum, { count }) => sum + Number(count), 0);

const isSolved = ({ verdict_class }: RoundSolve) => verdict_class === 'solved';

export const isSolvedThen = ({ kind }: Pick<RoundCell, 'kind'>) =>
  kind === 'first' || kind === 'solved' || kind === 'behind';

export function roundTable(input: RoundInput): RoundRow[] {
  const { people, problems, showsLater, round } = input;
  const { rule, starts_at, ends_at } = round;
  const hiddenFrom = input.hiddenFrom ?? ends_at;
  const unitOf = ({ team_id, user_id }: RoundPerson) => (team_id === null ? `p${user_id}` : `t${team_id}`);
  const units = [...Map.groupBy(people, unitOf).values()];
  const firstOf = new Map(
    units.flatMap((members) => members.map(({ user_id }) => [user_id, members[0] as RoundPerson] as const)),
  );
  const ordered = input.solves.filter(({ user_id }) => firstOf.has(user_id)).toSorted(compareSubmissions);
  const firstSolves = firstSolvesIn(ordered, { starts_at, ends_at: hiddenFrom });
  const ids = new Set(problems.map(({ id }) => id));
  const participants = new Set(
    ordered.flatMap(({ user_id, problem_id, submitted_at: at }) =>
      ids.has(problem_id) && at >= starts_at && at < ends_at ? (firstOf.get(user_id)?.user_id ?? []) : [],
    ),
  );
  const submissions = Map.groupBy(
    ordered,
    ({ user_id, problem_id }) => `${firstOf.get(user_id)?.user_id} ${problem_id}`,
  );
  const rows = units.map((members) => {
    const person = members[0] as RoundPerson;
    const cells = problems.map(({ id, points }) => {
      const ofCell = submissions.get(`${person.user_id} ${id}`) ?? [];
      const first = firstOf.get(firstSolves.get(id)?.user_id ?? 0n);
      const senderOf = ({ user_id, is_team }: RoundSolve) =>
        members.find((one) => one.team_id !== null && is_team === 0n && one.user_id === user_id);
      const cell = cellOf(
        ofCell,
        { ...input, hiddenFrom },
        { person, points: Number(points), first, senderOf },
      );
      return { ...cell, isSolved: showsLater === true && ofCell.some(isSolved) };
    });
    return { ...rowOf(cells, rule), person, members, place: undefined };
  });
  const isAway = ({ person }: RoundRow) => Number(!participants.has(person.user_id));
  const ranked = rows.toSorted((a, b) => compare(a, b, rule) || isAway(a) - isAway(b));
  const hasSolved = ranked.some(({ solved }) => solved > 0);
  let place = 1;
  return ranked.map((row, index) => {
    const last = ranked[index - 1];
    if (last && compare(last, row, rule) !== 0) place = index + 1;
    const isRanked = hasSolved && participants.has(row.person.user_id);
    return { ...row, place: isRanked ? place : undefined };
  });
}

/** The first solve of each problem in these hours. */
export function firstSolvesIn<One extends RoundSolve>(
  solves: readonly One[],
  { starts_at, ends_at }: Pick<RoundsTable, 'starts_at' | 'ends_at'>,
): ReadonlyMap<bigint, One> {
  const during = solves.filter(
    (one) => isSolved(one) && one.submitted_at >= starts_at && one.submitted_at < ends_at,
  );
  return new Map(
    during
      .toSorted(compareSubmissions)
      .toReversed()
      .map((one) => [one.problem_id, one]),
  );
}

function cellOf(
  submissions: readonly RoundSolve[],
  { round: { rule, starts_at, ends_at }, hiddenFrom, showsLater }: RoundInput & { hiddenFrom: string },
  {
    person,
    points,
    first,
    senderOf,
  }: {
    person: RoundPerson;
    points: number;
    first: RoundPerson | undefined;
    senderOf: (solve: RoundSolve) => RoundPerson | undefined;
  },
): Omit<RoundCell, 'isSolved'> {
  const msAfter = ({ submitted_at }: RoundSolve, since: string) =>
    Date.parse(submitted_at) - Date.parse(since);
  const during = submissions.filter(
    ({ submitted_at }) => submitted_at >= starts_at && submitted_at < ends_at,
  );
  const shown = during.filter(({ submitted_at }) => submitted_at < hiddenFrom);
  const solveIndex = shown.findIndex(isSolved);
  const solve = shown[solveIndex];
  const tries = countOf(solve ? shown.slice(0, solveIndex) : during);
  const noResult = { afterMs: 0, points: 0 };
  const takenCell = { ...noResult, kind: 'taken', tries: countOf(shown), takenBy: first } as const;
  const isTaken = rule === 'lockout' && first !== undefined && first !== person;
  if (isTaken && showsLater && solve)
    return { kind: 'behind', tries, afterMs: msAfter(solve, starts_at), points: 0, sender: senderOf(solve) };
  if (isTaken && !showsLater) return takenCell;
  if (solve) {
    const kind = rule !== 'training' && first === person ? 'first' : 'solved';
    return { kind, tries, afterMs: msAfter(solve, starts_at), points, sender: senderOf(solve) };
  }
  if (shown.length < during.length) return { ...noResult, kind: 'hidden', tries };
  const isSolvedEarlier = submissions.some((one) => isSolved(one) && one.submitted_at < starts_at);
  const later = submissions.filter(({ submitted_at }) => submitted_at >= ends_at);
  const laterIndex = later.findIndex(isSolved);
  const upsolve = showsLater && !isSolvedEarlier ? later[laterIndex] : undefined;
  if (upsolve)
    return {
      kind: 'later',
      tries: tries + countOf(later.slice(0, laterIndex)),
      afterMs: msAfter(upsolve, ends_at),
      points: 0,
      sender: senderOf(upsolve),
    };
  if (isTaken) return takenCell;
  if (during.length > 0) return { ...noResult, kind: 'tried', tries };
  return { ...noResult, kind: isSolvedEarlier ? 'before' : 'none', tries: 0 };
}

export function rowOf(cells: readonly RoundCell[], rule: RoundRule): RoundResult {
  const solved = cells.filter(isSolvedThen);
  const sum = (amountOf: (cell: RoundCell) => number) =>
    solved.reduce((all, cell) => all + amountOf(cell), 0);
  const penalties = sum(({ tries }) => tries);
  const { penaltyMinutes } = roundRules[rule];
  let time = 0;
  if (rule === 'icpc')
    time = sum(({ afterMs }) => Math.floor(afterMs / minuteMs)) + penaltyMinutes * penalties;
  if (rule === 'points' || rule === 'training') {
    const last = Math.max(0, ...solved.map(({ afterMs }) => afterMs));
    time = Math.floor(last / 1000) + penalties * penaltyMinutes * 60;
  }
  const later = cells.filter(({ kind }) => kind === 'later').length;
  const points = sum((cell) => cell.points);
  return { solved: solved.length, points, penalties, cells, time, later };
}

/** Below 0 if `a` comes before `b`. */
export function compare(a: RoundResult, b: RoundResult, rule: RoundRule): number {
  const byScore = roundRules[rule].hasPoints ? b.points - a.points : b.solved - a.solved;
  return rule === 'lockout' ? byScore : byScore || a.time - b.time || a.penalties - b.penalties;
}
