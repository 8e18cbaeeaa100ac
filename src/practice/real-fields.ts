/** The results of the contest that the problems of a round are of, which its maker may show beside the round. */
import { localizedError } from '../errors.ts';
import type { ContestPosition } from '../judges/judge.ts';
import { judgeOf } from '../judges/judges.ts';
import type { RealField } from '../judges/real-field.ts';
import { listContestsOfProblem } from '../store/contests.ts';
import {
  deleteRealField,
  findEarlierRound,
  findRealField,
  putRealField,
  rulesWithField,
  updateRealField,
} from '../store/real-fields.ts';
import {
  findVisibleRound,
  listRoundPeople,
  listRoundProblems,
  type RoundProblem,
  type RoundsTable,
  type ShownRound,
} from '../store/rounds.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { fieldOfRound } from './ghosts.ts';
import { phaseOf, readRoundTable } from './rounds.ts';

export const mayHaveField = ({ rule }: Pick<RoundsTable, 'rule'>) => rulesWithField.includes(rule);

/** Its judge is asked once the round is over. Throws unknownPath. */
export const showRealField = inTransaction(async (tx: Db, makerId: bigint, round_id: bigint) => {
  const round = await findVisibleRound(tx, round_id, makerId);
  if (round?.made_by !== makerId || !mayHaveField(round)) throw localizedError('unknownPath.round');
  if (!(await findRealField(tx, round_id)))
    await putRealField(tx, { round_id, due_at: 0n, failures: 0n, title: null, field: null });
});

export const hideRealField = inTransaction(async (tx: Db, makerId: bigint, round_id: bigint) => {
  const round = await findVisibleRound(tx, round_id, makerId);
  if (round?.made_by === makerId) await deleteRealField(tx, round_id);
});

/** Its cells are those of the round's problems. */
export const saveRealField = inTransaction(
  (tx: Db, roundId: bigint, field: RealField, title: string | null) =>
    updateRealField(tx, roundId, { due_at: null, title, field: JSON.stringify(field) }),
);

export interface ContestOfRound {
  source: string;
  contest: string;
  title: string;
  /** The places in it of the round's problems, by their positions in the round. */
  positions: readonly string[];
}

/** The contest that all problems are of, if its judge shows whole results. */
export async function findContestOfRound(db: Db, roundId: bigint): Promise<ContestOfRound | undefined> {
  const candidates: (ContestPosition & { source: string; title: string })[][] = [];
  const problems = await listRoundProblems(db, roundId);
  for (const { id, source, source_key } of problems) {
    const judge = judgeOf(source);
    const place = judge?.contestPositionOf?.(source_key);
    const ofKey = place && { ...place, source, title: judge?.gymTitle?.(place.contest) ?? place.contest };
    candidates.push([...(await listContestsOfProblem(db, { problemId: id })), ...(ofKey ? [ofKey] : [])]);
  }
  for (const { source, contest, title } of candidates[0] ?? []) {
    const places = candidates.map((some) =>
      some.find((one) => one.source === source && one.contest === contest),
    );
    if (!judgeOf(source)?.api?.realField || places.includes(undefined)) continue;
    const positions: string[] = [];
    for (const [index, { position }] of problems.entries())
      positions[Number(position) - 1] = places[index]?.position ?? '';
    return { source, contest, title, positions: Array.from(positions, (one) => one ?? '') };
  }
  return undefined;
}

/** The same field with cells for these problems alone; -1 stands for one that the contest did not have. */
export const withColumns = (field: RealField, indices: readonly number[]): RealField => ({
  ...field,
  positions: indices.map((index) => field.positions[index] ?? ''),
  worth: field.worth.length > 0 ? indices.map((index) => field.worth[index] ?? 0) : [],
  rows: field.rows.map((row) => indices.map((index) => row[index] ?? 0)),
});

export interface ShownField {
  /** Undefined before it is here. */
  field?: RealField;
  title: string | null;
  /** When it is of an earlier round of the group (RFC 3339). */
  heldAt?: string;
  /** Why its judge has not shown it. */
  state?: 'notYet' | 'soon' | 'noContest' | 'failed';
}

/** Undefined if its maker shows none. As long as there is no other, an earlier round of the group is one. */
export async function readRealField(
  db: Db,
  round: ShownRound,
  problems: readonly RoundProblem[],
): Promise<ShownField | undefined> {
  const row = mayHaveField(round) ? await findRealField(db, round.id) : undefined;
  if (!row) return undefined;
  if (row.field === null) {
    const state = await stateOfMissing(db, round, row.due_at !== null);
    return { title: null, state, ...(await earlierField(db, round, problems)) };
  }
  const columns = problems.map(({ position }) => Number(position) - 1);
  return { field: withColumns(JSON.parse(row.field) as RealField, columns), title: row.title };
}

async function stateOfMissing(
  db: Db,
  round: ShownRound,
  isDue: boolean,
): Promise<Required<ShownField>['state']> {
  if (!(await findContestOfRound(db, round.id))) return 'noContest';
  if (!isDue) return 'failed';
  return phaseOf(round, Date.now()) === 'over' ? 'soon' : 'notYet';
}

async function earlierField(
  db: Db,
  { group_id, starts_at, made_by }: ShownRound,
  problems: readonly RoundProblem[],
): Promise<Pick<Required<ShownField>, 'field' | 'title' | 'heldAt'> | undefined> {
  const ids = problems.map(({ id }) => id);
  const id = group_id === null ? undefined : await findEarlierRound(db, { group_id, starts_at }, ids);
  const earlier = id === undefined ? undefined : await findVisibleRound(db, id, made_by);
  const now = Date.now();
  if (!earlier || phaseOf(earlier, now) !== 'over') return undefined;
  const input = {
    viewerId: made_by,
    now,
    people: await listRoundPeople(db, earlier.id),
    problems: await listRoundProblems(db, earlier.id),
  };
  const seconds = (Date.parse(earlier.ends_at) - Date.parse(earlier.starts_at)) / 1000;
  const field = fieldOfRound(await readRoundTable(db, earlier, input), seconds);
  const columns = ids.map((one) => input.problems.findIndex((problem) => problem.id === one));
  return field && { field: withColumns(field, columns), title: earlier.name, heldAt: earlier.starts_at };
}
