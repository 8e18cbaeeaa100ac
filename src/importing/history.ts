/** Imports the changes, reviews and timers of members. Several values of a row together identify it. */
import { longestText } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import type { Row } from '../contract/rows.ts';
import { states } from '../contract/statuses.ts';
import { localizedError } from '../errors.ts';
import { areLabels } from '../practice/labels.ts';
import { boundHistory, longestNote } from '../practice/marks.ts';
import { pausesAtMost } from '../practice/timer-rules.ts';
import { type ChangesTable, insertChangesWithIds, listChangesOn, setChangeUndone } from '../store/changes.ts';
import { insertReviews, listReviewsOf, type ReviewsTable, setReviewUndone } from '../store/reviews.ts';
import { findOpenTimer, insertTimer, listTimersOf, type TimersTable, updateTimer } from '../store/timers.ts';
import type { ImportContext, Sink } from './import.ts';
import { memberProblemKey } from './marks.ts';
import { memberProblemRows } from './references.ts';
import { upsertSink } from './rows.ts';

type MemberProblemRow<R> = { user_id: bigint; problem_id: bigint } & Partial<R>;
interface Undoable {
  undone_at?: string | null | undefined;
}

/* States before and after a change are checked strictly, because undoing it writes them back. */

export const solveMethods = ['alone', 'hint', 'editorial'] as const;

type Side = 'before' | 'after';

const isStatusChange = (kind: ChangesTable['kind']) => kind === 'status' || kind === 'how';

/** Returns JSON exactly as a change on the website stores it, because undoing compares the text. Throws badRow. */
function checkedState(
  kind: ChangesTable['kind'],
  side: Side,
  text: string | null,
  hasLimits: boolean,
): string {
  const state: unknown = JSON.parse(text ?? 'null');
  if (isStatusChange(kind)) {
    const fields = { status: isStateOrNull, at: isTimeOrNull, how: isSolveMethodOrNull };
    return JSON.stringify(
      pickFields(state, side === 'before' ? { ...fields, judge: isStateOrNull } : fields, side),
    );
  }
  if (state === null) return 'null';
  const fields = { note: hasLimits ? isShortNote : isNoteOrNull, created_at: isTime, updated_at: isTime };
  const { starred, labels } = Object(state);
  const isNote = (value: unknown) => (value !== null || labels !== undefined) && fields.note(value);
  const noteFields = starred === undefined ? fields : { ...fields, note: isNote, starred: isFalse };
  const allFields = labels === undefined ? noteFields : { ...noteFields, labels: areLabels };
  return JSON.stringify(pickFields(state, allFields, side));
}

function pickFields(state: unknown, fields: Record<string, (value: unknown) => boolean>, side: Side) {
  const found = Object(state) as Record<string, unknown>;
  const names = Object.keys(fields);
  const hasAllFields = Object.keys(found).length === names.length;
  if (!hasAllFields || !names.every((name) => Object.hasOwn(found, name) && fields[name]?.(found[name])))
    throw localizedError('badRow.changeState', { side, names: names.join(', ') });
  return Object.fromEntries(names.map((name) => [name, found[name]]));
}

const isFalse = (value: unknown) => value === false;
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value);
const isStateOrNull = orNull((value) => states.some((state) => state === value));
const isSolveMethodOrNull = orNull((value) => solveMethods.some((way) => way === value));
const isTime = (value: unknown) => typeof value === 'string' && readInstant(value) === value;
const isTimeOrNull = orNull(isTime);
const isShortNote = (value: unknown) => isNoteOrNull(value) && String(value).length <= longestNote;
const isNoteOrNull = orNull(
  (value) =>
    typeof value === 'string' && value.length <= longestText && value.isWellFormed() && !value.includes('\0'),
);

interface Batch {
  name: string;
  id: bigint | undefined;
  hasStatusChanges: boolean;
}

type Change = Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'> & Undoable;
type BatchedChange = Change & { batch: Batch };

export function changeSink(context: ImportContext): Sink<never> {
  const { tx, hasLimits } = context;
  // A batch may continue in the next call of `write`.
  let batch: Batch | undefined;

  /**
   * Throws badRow where a batch could not be undone as one. A batch may change a problem twice, since its twins may
   * have been merged.
   */
  function batchOf({ user_id, kind }: Change, batchNumber: bigint): Batch {
    const name = `${user_id} ${batchNumber}`;
    if (batch?.name !== name) batch = { name, id: undefined, hasStatusChanges: isStatusChange(kind) };
    if (batch.hasStatusChanges !== isStatusChange(kind)) throw localizedError('badRow.changeBatch');
    return batch;
  }

  const naturalKeyOf = ({ user_id, problem_id, kind, before, after, made_at }: Change) =>
    [user_id, problem_id, kind, made_at, before, after].join('\0');
  const rowsOfMembers = memberProblemRows(context, listChangesOn);
  const members = new Set<bigint>();
  const sink = upsertSink<ChangesTable & { batch?: Batch }, BatchedChange>(context, {
    insert: (_tx, rows) => {
      for (const { user_id } of rows) members.add(user_id);
      const rowsWithBatch = rows.map(({ batch: batchOfRow, ...row }) => {
        if (batchOfRow) batchOfRow.id ??= row.id;
        return { ...row, batch_id: batchOfRow?.id ?? row.id };
      });
      return insertChangesWithIds(tx, rowsWithBatch);
    },
    update: (_tx, { id, undone_at }) => setChangeUndone(tx, id, undone_at),
    idTable: 'changes',
    resolveReferences: async (entries) => {
      const resolve = await rowsOfMembers.resolveReferences(entries);
      return (row: MemberProblemRow<Change> & { batch?: bigint }): BatchedChange => {
        const { kind, batch: batchNumber, made_at, undone_at, before = null, after = null } = row;
        if (kind === undefined || batchNumber === undefined || made_at === undefined)
          throw localizedError('badRow.needed', { names: 'batch, kind', last: 'made_at' });
        const { user_id, problem_id } = resolve(row);
        const change = {
          user_id,
          problem_id,
          kind,
          made_at,
          undone_at,
          before: checkedState(kind, 'before', before, hasLimits),
          after: checkedState(kind, 'after', after, hasLimits),
        };
        return { ...change, batch: batchOf(change, batchNumber) };
      };
    },
    find: async (rows) => {
      const found = await rowsOfMembers.find(rows);
      const batchIds = new Map(found.map((row) => [naturalKeyOf(row), row.batch_id]));
      for (const row of rows) row.batch.id ??= batchIds.get(naturalKeyOf(row));
      return found;
    },
    naturalKeyOf,
    rowOf: (input, current) => {
      const { undone_at = current?.undone_at ?? null } = input;
      return current ? { ...current, undone_at } : { ...input, undone_at, id: 0n, batch_id: 0n };
    },
    describe: ({ kind, problem_id, made_at }) => `${kind} of problem ${problem_id} at ${made_at}`,
  });
  return {
    ...sink,
    finish: async () => {
      for (const id of members) await boundHistory(tx, id, Number.POSITIVE_INFINITY);
    },
  };
}

/** Numbers the batches of each member from 1, because ids differ between gardens. */
export function batchRenumbering(): (row: Row) => Row {
  let previous = { member: '', id: undefined as Row[string] | undefined, batch: 0n };
  return (row) => {
    const { username, batch_id: id = null } = row;
    const member = String(username);
    if (previous.member !== member) previous = { member, id, batch: 1n };
    else if (previous.id !== id) previous = { member, id, batch: previous.batch + 1n };
    return { ...row, batch: previous.batch };
  };
}

/** The review schedule reads all reviews; one every day for years fits. */
const reviewsOfProblemAtMost = 1_000;

type Review = Omit<ReviewsTable, 'id'> & { id?: bigint };

export function reviewSink(context: ImportContext): Sink<never> {
  const { tx, stale } = context;
  const naturalKeyOf = ({ user_id, problem_id, grade, made_at }: MemberProblemRow<Review>) =>
    [user_id, problem_id, grade, made_at].join();
  return upsertSink<Review, MemberProblemRow<Review>>(context, {
    insert: insertReviews,
    update: (_tx, { id = 0n, undone_at }) => setReviewUndone(tx, id, undone_at),
    onChange: ({ user_id, problem_id }) => stale.addProblems(user_id, [problem_id]),
    ...memberProblemRows(context, listReviewsOf),
    naturalKeyOf,
    rowOf: ({ grade, made_at, ...input }, current) => {
      const { user_id, problem_id, undone_at = current?.undone_at ?? null } = input;
      if (grade === undefined || made_at === undefined)
        throw localizedError('badRow.needed', { names: 'grade', last: 'made_at' });
      return { user_id, problem_id, grade, made_at, undone_at };
    },
    describe: ({ grade, problem_id, made_at }) => `${grade} of problem ${problem_id} at ${made_at}`,
    groupLimit: {
      count: reviewsOfProblemAtMost,
      groupOf: memberProblemKey,
      fault: (most) => localizedError('badRow.manyReviews', { most }),
    },
  });
}

/** A timer every day for years fits. */
const timersOfProblemAtMost = 1_000;

const emptyTimer = {
  id: 0n,
  pauses: '[]',
  stopped_at: null,
  outcome: null,
  grade: null,
  undone_at: null,
  solved_at: null,
  change_id: null,
};

export function timerSink(context: ImportContext): Sink<never> {
  const { tx, stale } = context;
  const naturalKeyOf = ({ user_id, problem_id, started_at }: MemberProblemRow<TimersTable>) =>
    [user_id, problem_id, started_at].join();
  return upsertSink<TimersTable, MemberProblemRow<TimersTable>>(context, {
    insertOne: async (row) => (await insertTimer(tx, row)) ?? row,
    update: updateTimer,
    onChange: ({ user_id, problem_id }) => stale.addProblems(user_id, [problem_id]),
    ...memberProblemRows(context, listTimersOf),
    naturalKeyOf,
    rowOf: async ({ started_at, ...input }, current) => {
      if (started_at === undefined) throw localizedError('badRow.timerStart');
      const timer = { ...emptyTimer, ...current, ...input, started_at };
      assertValidTimer(timer);
      const isOpen = timer.stopped_at === null && timer.undone_at === null;
      const open = isOpen ? await findOpenTimer(tx, timer.user_id) : undefined;
      if (open && open.id !== current?.id) throw localizedError('badRow.timerOpen');
      return timer;
    },
    describe: ({ problem_id, started_at }) => `timer of problem ${problem_id} at ${started_at}`,
    groupLimit: {
      count: timersOfProblemAtMost,
      groupOf: memberProblemKey,
      fault: (most) => localizedError('badRow.manyTimers', { most }),
    },
  });
}

function assertValidTimer({ started_at, stopped_at, outcome, pauses }: TimersTable): void {
  if ((stopped_at === null) !== (outcome === null)) throw localizedError('badRow.timerOutcome');
  if (stopped_at !== null && stopped_at < started_at) throw localizedError('badRow.timerStop');
  const moments: string[] = JSON.parse(pauses);
  const isWhole = moments.every((moment, index) => {
    return readInstant(moment) === moment && moment >= (moments[index - 1] ?? '');
  });
  const hasEnd = moments.length % 2 === 0 || stopped_at === null;
  if (!isWhole || !hasEnd || moments.length > 2 * pausesAtMost)
    throw localizedError('badRow.timerPauses', { most: pausesAtMost });
}
