/** Imports own code: from the archive of a member, and from archives of other programs that have it beside solved problems. */

import { localizedError } from '../errors.ts';
import { problemAt } from '../judges/addresses.ts';
import { findStoredProblems, problemMapKey } from '../practice/added-problems.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import {
  addWithinRoom,
  digestOfCode,
  type LeftCode,
  leftMessage,
  newLeftCode,
} from '../practice/solutions.ts';
import { changedBy } from '../store/program-feeds.ts';
import { listDigests, type SolutionsTable } from '../store/solutions.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Sink } from './import.ts';
import { memberProblemRows } from './references.ts';
import type { FoundCode } from './solved-files.ts';

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

export type ReadCode = FoundCode & { bytes: Uint8Array };

/** Finds the problem of each file, undefined where the garden does not have it. */
async function problemsOf(db: Db, all: readonly FoundCode[], addresses: JudgeAddresses) {
  const targets = new Map(all.map(({ address }) => [address, problemAt(address, addresses)]));
  const stored = await findStoredProblems(
    db,
    [...targets.values()].filter((one) => one !== undefined),
  );
  return ({ address }: FoundCode): bigint | undefined => {
    const target = targets.get(address);
    return target && stored.get(problemMapKey(target))?.id;
  };
}

/** Leaves out what the member has already, so that the file can be imported again for the rest. */
export async function withoutStored(
  db: Db,
  memberId: bigint,
  all: readonly ReadCode[],
  addresses: JudgeAddresses,
): Promise<ReadCode[]> {
  const problemOf = await problemsOf(db, all, addresses);
  const stored = new Set((await listDigests(db, memberId)).map((row) => `${row.problem_id} ${row.sha256}`));
  return all.filter((one) => !stored.has(`${problemOf(one)} ${digestOfCode(one.bytes)}`));
}

/** Adds the code of problems that the garden has. */
export const addFoundCode = inTransaction(
  changedBy(
    'import',
    async (
      tx: Db,
      memberId: bigint,
      all: readonly ReadCode[],
      addresses: JudgeAddresses,
    ): Promise<{ added: number; left: LeftCode }> => {
      const problemOf = await problemsOf(tx, all, addresses);
      const left = newLeftCode();
      let added = 0;
      for (const one of all) {
        const problem = problemOf(one);
        if (
          problem !== undefined &&
          (await addWithinRoom(tx, memberId, { ...one, problem, code: one.bytes }, left))
        )
          added++;
      }
      return { added, left };
    },
    (memberId) => memberId,
  ),
);
