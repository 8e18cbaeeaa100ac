/** Imports own code from the archive of a member, which alone has it. */
import { localizedError } from '../errors.ts';
import { addWithinRoom, leftMessage, newLeftCode } from '../practice/solutions.ts';
import type { SolutionsTable } from '../store/solutions.ts';
import type { ImportContext, Sink } from './import.ts';
import { memberProblemRows } from './references.ts';

type InputSolution = Partial<Pick<SolutionsTable, 'file' | 'about' | 'submission' | 'added_at' | 'code'>>;

/** Code with the same bytes stays as it is. What is beyond the limits of the member is named in the report. */
export function solutionSink(context: ImportContext): Sink<never> {
  const { tx, forEachEntry, count, addNote } = context;
  const { resolveReferences } = memberProblemRows(context, async () => []);
  const left = newLeftCode();
  return {
    write: async (entries) => {
      const resolve = await resolveReferences(entries);
      await forEachEntry(entries, async (row: InputSolution) => {
        const { file, code, added_at, about, submission, user_id, problem_id } = resolve(row);
        if (file === undefined || code === undefined)
          throw localizedError('badRow.needed', { names: 'file', last: 'code' });
        const added = { problem: problem_id, file, about, submission, addedAt: added_at };
        const isNew = await addWithinRoom(tx, user_id, { ...added, code: Buffer.from(code, 'base64') }, left);
        count(isNew === undefined ? 'unmatched' : isNew ? 'new' : 'kept', () => file);
      });
    },
    finish: async () => {
      if (left.files.length > 0) addNote(leftMessage(left));
    },
  };
}
