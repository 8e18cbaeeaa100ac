/** What a program may mark: statuses move forward unless it has seen the mark, and notes grow or are replaced. */
import { AppError, invalidValue, localizedError } from '../errors.ts';
import { type AddLimits, addProblems, type ProblemToAdd } from '../practice/added-problems.ts';
import { isAtLeastAsFar } from '../practice/derivation.ts';
import { findOrMakeList } from '../practice/inbox.ts';
import { changeContent, idsIn, tidyLine, withProblems } from '../practice/lists.ts';
import {
  advanceStatus,
  extendedNote,
  isShownAs,
  longestNote,
  setBookmarks,
  setNote,
  setStatus,
  tidyNote,
} from '../practice/marks.ts';
import { insertEndedTimer } from '../practice/timers.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import { readContent } from '../store/lists.ts';
import { findStatuses, type How, type State, shownStateOf } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import type { RecordPart } from './writes.ts';

/** What is undefined stays, null takes away. */
export interface ProgramMark {
  status?: State | undefined;
  how?: How | null | undefined;
  isStarred?: boolean | undefined;
  note?: string | null | undefined;
  addedNote?: string | undefined;
  minutes?: number | undefined;
}

interface MarkedProblem {
  memberId: bigint;
  problemId: bigint;
  /** Whether the program has seen the mark that it changes. */
  mayGoBack: boolean;
}

/** Throws invalidValue, goesBack and timerConflict. */
export async function markByProgram(
  tx: Db,
  marked: MarkedProblem,
  mark: ProgramMark,
  record: RecordPart,
): Promise<void> {
  const { memberId, problemId } = marked;
  await markStatus(tx, marked, mark, record);
  if (mark.isStarred !== undefined) {
    const { batch } = await setBookmarks(tx, memberId, [problemId], mark.isStarred);
    record({ kind: 'marks', part_id: batch ?? null });
  }
  await markNote(tx, marked, mark, record);
}

async function markStatus(
  tx: Db,
  { memberId, problemId, mayGoBack }: MarkedProblem,
  { status, how, minutes }: ProgramMark,
  record: RecordPart,
): Promise<void> {
  const [row] = await findStatuses(tx, memberId, [problemId]);
  const shown = shownStateOf(row);
  const target = status ?? shown;
  if (how && target !== 'complete') throw invalidValue('The field "how" belongs to solved problems alone.');
  if (minutes !== undefined && target !== 'complete' && target !== 'practicing')
    throw invalidValue('The field "minutes" belongs to problems that are solved or trying.');
  if (!isAtLeastAsFar(target, shown) && !mayGoBack) {
    const sentence = 'The status would go back; read the mark, and send its ETag as If-Match.';
    throw new AppError('goesBack', sentence);
  }
  if (!isShownAs(row, target, target === 'complete' ? how : undefined)) {
    const { batch } = await setStatus(tx, { memberId, problemIds: [problemId], status: target, how });
    record({ kind: 'marks', part_id: batch ?? null });
  }
  if (minutes === undefined) return;
  const wasEditorial = (how === undefined ? row?.how : how) === 'editorial';
  const outcome = target === 'practicing' ? 'unsolved' : wasEditorial ? 'editorial' : 'solved';
  const timer = await insertEndedTimer(tx, memberId, problemId, { minutes, outcome });
  if (timer) record(timer);
  else
    throw new AppError('timerConflict', 'A timer of this problem runs; stop it instead of sending minutes.');
}

async function markNote(
  tx: Db,
  { memberId, problemId }: Pick<MarkedProblem, 'memberId' | 'problemId'>,
  { note, addedNote }: ProgramMark,
  record: RecordPart,
): Promise<void> {
  if (note === undefined && addedNote === undefined) return;
  const [row] = await findBookmarks(tx, memberId, [problemId]);
  const text =
    addedNote === undefined ? tidyNote(note ?? '') : extendedNote(row?.note ?? '', tidyNote(addedNote));
  if (text.length > longestNote)
    throw invalidValue(`A note has at most ${longestNote} characters, and this one has ${text.length}.`);
  const { batch } = await setNote(tx, memberId, problemId, text);
  record({ kind: 'marks', part_id: batch ?? null });
}

interface ProblemByProgram {
  problem: ProblemToAdd;
  list?: string | undefined;
  status?: State | undefined;
  how?: How | undefined;
  addedNote?: string | undefined;
}

/** Adds a problem or finds it, all or nothing. A status only moves forward. Throws invalidValue. */
export async function addByProgram(
  tx: Db,
  memberId: bigint,
  { problem, list, status, how, addedNote }: ProblemByProgram,
  limits: AddLimits,
  record: RecordPart,
): Promise<{ id: bigint; isNew: boolean }> {
  if (how && status !== 'complete') throw invalidValue('The field "how" belongs to the status solved.');
  const [added] = await addProblems(tx, memberId, [problem], limits);
  if (!added) throw localizedError('unknownItem.problem');
  const { id, isNew } = added;
  if (isNew) record({ kind: 'problem', part_id: id });
  if (list !== undefined) await addToNamedList(tx, memberId, id, list, record);
  record({ kind: 'marks', part_id: await advanceStatus(tx, memberId, id, { status, how }) });
  await markNote(tx, { memberId, problemId: id }, { addedNote }, record);
  return added;
}

async function addToNamedList(
  tx: Db,
  memberId: bigint,
  problemId: bigint,
  text: string,
  record: RecordPart,
): Promise<void> {
  const name = tidyLine(text);
  if (name === '') throw localizedError('invalidValue.listName');
  const list = await findOrMakeList(tx, memberId, name, 1);
  if (list.isNew) record({ kind: 'list', part_id: list.id });
  if (idsIn(await readContent(tx, list.id)).has(problemId)) return;
  await changeContent(tx, { id: list.id, owner_id: memberId }, (content) =>
    withProblems(content, [problemId]),
  );
  record({ kind: 'item', part_id: list.id, before: String(problemId) });
}
