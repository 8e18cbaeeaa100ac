/** readMark and changeMark: status, how it was solved, star, note and time of one problem. */
import { invalidValue } from '../errors.ts';
import { assertConditions, hasVersionCondition } from '../http/preconditions.ts';
import type { Reader, Writer } from './context.ts';
import { markByProgram } from './marking.ts';
import { isMarked, markOf, readMark, stateOfWord, versionOf } from './representations.ts';

export const getMark: Reader<'readMark'> = async (db, { actor, id }) => {
  const body = markOf(await readMark(db, actor.memberId, id));
  return { body, version: body.version };
};

export const changeMark: Writer<'changeMark'> = async (tx, { actor, id, body, conditions }, record) => {
  const { memberId } = actor;
  const before = await readMark(tx, memberId, id);
  assertConditions(conditions, versionOf(before), isMarked(before));
  const { status, how, starred, note, add_note, minutes } = body;
  if (note !== undefined && add_note !== undefined)
    throw invalidValue('The field "add_note" cannot be sent with "note", which replaces the note.');
  const mark = { status: stateOfWord(status), how, isStarred: starred, note, addedNote: add_note, minutes };
  const marked = { memberId, problemId: id, mayGoBack: hasVersionCondition(conditions) };
  await markByProgram(tx, marked, mark, record);
  const after = markOf(await readMark(tx, memberId, id));
  return { body: { mark: after }, version: after.version };
};
