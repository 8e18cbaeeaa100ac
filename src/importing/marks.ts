/** Imports bookmarks with notes, and statuses. A member has one of each for a problem. */
import { localizedError } from '../errors.ts';
import { asBadRow, badRow } from '../files/entries.ts';
import { type JudgeStatus, noStatus } from '../practice/derivation.ts';
import { assertRoomForLabels, checkedLabels, labelsIn } from '../practice/labels.ts';
import { longestNote, notesFault } from '../practice/marks.ts';
import { type BookmarksTable, bookmarkRepository, listLabels, sizeOfNotes } from '../store/bookmarks.ts';
import type { MemberProblemRepository } from '../store/member-problems.ts';
import { type State, type StatusesTable, type StatusRow, statusRepository } from '../store/statuses.ts';
import type { ImportContext, Sink } from './import.ts';
import { memberProblemRows } from './references.ts';
import { upsertSink } from './rows.ts';

interface MemberProblem {
  user_id: bigint;
  problem_id: bigint;
}

export const memberProblemKey = ({ user_id, problem_id }: MemberProblem) => `${user_id} ${problem_id}`;

const repositoryMapping = <Row extends MemberProblem>(
  context: ImportContext,
  { table, findMany, save }: MemberProblemRepository<Row>,
) => ({
  ...memberProblemRows(context, findMany),
  save,
  onChange: ({ user_id }: MemberProblem) => context.bumpRevision(table, user_id),
  naturalKeyOf: memberProblemKey,
  describe: ({ user_id, problem_id }: MemberProblem) => `problem ${problem_id} of member ${user_id}`,
});

interface InputBookmark
  extends MemberProblem,
    Partial<Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at' | 'editorial_at'>> {
  starred?: 'yes' | 'no';
  /** A JSON list. */
  labels?: string;
}

export function bookmarkSink(context: ImportContext): Sink<never> {
  const { tx, now, hasLimits } = context;
  const sizes = new Map<bigint, Awaited<ReturnType<typeof sizeOfNotes>>>();
  const labelledProblems = new Map<bigint, number>();
  const readLabels = async (
    userId: bigint,
    input: { labels?: string },
    current: BookmarksTable | undefined,
  ) => {
    if (input.labels === undefined) return labelsIn(current);
    const labels = checkedLabels(labelsIn(input));
    if (labels.length === 0 || labelsIn(current).length > 0) return labels;
    const count = labelledProblems.get(userId) ?? (await listLabels(tx, { userId })).length;
    assertRoomForLabels(count);
    labelledProblems.set(userId, count + 1);
    return labels;
  };
  const addNote = async (userId: bigint, before: string, note: string) => {
    const { count, bytes } = sizes.get(userId) ?? (await sizeOfNotes(tx, userId));
    const added = Buffer.byteLength(note) - Buffer.byteLength(before);
    const next = { count: count + Number(note !== '') - Number(before !== ''), bytes: bytes + added };
    const fault = added > 0 && notesFault(next);
    if (fault) throw badRow(fault);
    sizes.set(userId, next);
  };
  return upsertSink<BookmarksTable, InputBookmark>(context, {
    ...repositoryMapping(context, bookmarkRepository),
    rowOf: async ({ created_at, updated_at, starred = 'yes', ...input }, current) => {
      const { user_id, problem_id, note = current?.note ?? null } = input;
      const { editorial_at = current?.editorial_at ?? null } = input;
      if (hasLimits && note && note.length > longestNote && note !== current?.note)
        throw localizedError('badRow.long', { field: 'note', count: note.length, most: longestNote });
      const labels = await asBadRow(readLabels(user_id, input, current));
      if (starred === 'no' && note === null && editorial_at === null && labels.length === 0)
        throw localizedError('badRow.notStarred');
      if (hasLimits) await addNote(user_id, current?.note ?? '', note ?? '');
      return {
        user_id,
        problem_id,
        note,
        is_starred: starred === 'yes' ? 1n : 0n,
        editorial_at,
        labels: labels.length > 0 ? JSON.stringify(labels) : null,
        created_at: created_at ?? current?.created_at ?? now,
        updated_at: updated_at ?? current?.updated_at ?? created_at ?? now,
      };
    },
  });
}

type InputStatus = MemberProblem &
  Partial<Pick<StatusRow, 'status' | 'origin' | 'updated_at'>> &
  Partial<Pick<StatusesTable, 'how' | keyof JudgeStatus>>;

/** A row sets the member's own status or, with the origin `judge`, the judge status. */
export function statusSink(context: ImportContext): Sink<never> {
  const rows = repositoryMapping(context, statusRepository);
  let isNew = false;
  const count: ImportContext['count'] = (figure, describe) => context.count(isNew ? 'new' : figure, describe);
  return upsertSink<StatusesTable, InputStatus>(
    { ...context, count },
    {
      ...rows,
      onChange: (row) => {
        rows.onChange(row);
        context.stale.addProblems(row.user_id, [row.problem_id]);
      },
      rowOf: (input, current) => {
        isNew = context.newStatuses?.has(memberProblemKey(input)) === true;
        return statusOf(input, current, context.now);
      },
    },
  );
}

function statusOf(input: InputStatus, current: StatusesTable | undefined, now: string): StatusesTable {
  const { user_id, problem_id, status, origin, updated_at, how, judge_status, judge_at } = input;
  if (status === undefined) throw localizedError('badRow.noStatus');
  const before = current ?? { user_id, problem_id, ...noStatus };
  /** Without a time, the time of the import counts; with the time null, the problem was solved on an unknown day. */
  const timeOrNow = (state: State, at: string | null | undefined) =>
    state === 'complete' && at === null ? null : now;
  const author = origin === 'judge' ? 'judge' : 'self';
  const [statusColumn, timeColumn] = [`${author}_status`, `${author}_at`] as const;
  const isSame = before[statusColumn] === status;
  const next = {
    ...before,
    [statusColumn]: status,
    [timeColumn]: updated_at ?? (isSame ? before[timeColumn] : timeOrNow(status, updated_at)),
  };
  if (input.earlier_status && (input.earlier_at || input.earlier_status === 'complete'))
    Object.assign(next, {
      earlier_status: input.earlier_status,
      earlier_at: input.earlier_at ?? null,
    });
  else if (author === 'judge' && !isSame) Object.assign(next, { earlier_status: null, earlier_at: null });
  if (input.solved_list_source !== undefined) next.solved_list_source = input.solved_list_source;
  if (author === 'judge') return next;
  // A row of the member's own status carries the judge status too. Without `judge_status` the stored one stays.
  if (judge_status)
    Object.assign(next, {
      judge_status,
      judge_at:
        judge_at ??
        (before.judge_status === judge_status ? before.judge_at : timeOrNow(judge_status, judge_at)),
    });
  return { ...next, how: status === 'complete' ? (how === undefined ? before.how : how) : null };
}
