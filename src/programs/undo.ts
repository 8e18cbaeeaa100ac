/** undoChange: takes back a write of any token of the member. */
import { AppError } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { undoProgramChange } from '../practice/program-undo.ts';
import type { Writer } from './context.ts';

export const undoChange: Writer<'undoChange'> = async (tx, { actor, id, conditions }) => {
  assertConditions(conditions, undefined);
  const { outcome, changed } = await undoProgramChange(tx, actor.memberId, id).catch(sayChangedSince);
  if (outcome === 'byHand')
    throw new AppError('notByProgram', 'This change was made by hand; undo it on the website.');
  if (outcome === 'trimmed')
    throw new AppError(
      'trimmed',
      'The history does not have all of this change any more, so nothing was undone.',
    );
  return { body: { change: String(id), undone: true, changed } };
};

/** No condition was sent, so the answer is not 412. */
function sayChangedSince(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'preconditionFailed') throw error;
  throw new AppError('changedSince', 'A later change depends on this one, so nothing was undone.', {
    cause: error,
  });
}
