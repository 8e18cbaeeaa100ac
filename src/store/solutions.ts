/** Members' own code, which only its member reads. The rules are in `practice/solutions.ts`. */
import { sql } from 'kysely';
import { columnOf, type Page, paged, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import { findRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface SolutionsTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  file: string;
  about: string | null;
  submission: string | null;
  bytes: bigint;
  sha256: string;
  /** In base64, because the bytes may be no text. */
  code: string;
  added_at: string;
  /** Set while the removal can be undone. */
  removed_at: string | null;
}

export type SolutionRow = Omit<SolutionsTable, 'code'>;

declare module './tables.ts' {
  interface Tables {
    solutions: SolutionsTable;
  }
}

const columns = ['id', 'user_id', 'problem_id', 'file', 'about', 'submission'] as const;
const moreColumns = ['bytes', 'sha256', 'added_at', 'removed_at'] as const;

/** The oldest first, without their code. */
export const listSolutionsOf = prepared((db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
  db
    .selectFrom('solutions')
    .select([...columns, ...moreColumns])
    .where('user_id', '=', userId)
    .where('problem_id', '=', problemId)
    .where('removed_at', 'is', null)
    .orderBy('id'),
);

/** Undefined for the code of another member; `isRemoved` selects one whose removal can be undone. */
export const listSolutionsByIds = (db: Db, userId: bigint, ids: readonly bigint[]): Promise<SolutionRow[]> =>
  db
    .selectFrom('solutions')
    .select([...columns, ...moreColumns])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .execute();

export async function findSolution(
  db: Db,
  userId: bigint,
  id: bigint,
  isRemoved = false,
): Promise<SolutionsTable | undefined> {
  const row = await findRow(db, 'solutions', { id, user_id: userId });
  return row && (row.removed_at !== null) === isRemoved ? row : undefined;
}

const sizes = prepared((db, { userId }: { userId: bigint }) =>
  db
    .selectFrom('solutions')
    .select(sql<bigint | null>`cast(sum(bytes) AS bigint)`.as('bytes'))
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null),
);

export const sizeOfSolutions = async (db: Db, userId: bigint): Promise<number> =>
  Number((await sizes(db, { userId }))[0]?.bytes ?? 0);

export const listDigests = (db: Db, userId: bigint) =>
  db
    .selectFrom('solutions')
    .select(['id', 'problem_id', 'sha256'])
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('problem_id')
    .orderBy('id')
    .execute();

/** One row at a time, because 20 MiB of a member need not be in memory. */
export async function* eachSolution(db: Db, userId: bigint): AsyncGenerator<SolutionsTable> {
  for (const { id } of await listDigests(db, userId)) {
    const row = await findSolution(db, userId, id);
    if (row) yield row;
  }
}

/** Also deletes the code of all members whose removal can be undone no longer. */
export async function deleteRemovedSolutions(tx: Db, userId: bigint, since: string): Promise<void> {
  await tx
    .deleteFrom('solutions')
    .where('removed_at', 'is not', null)
    .where((eb) => eb.or([eb('removed_at', '<', since), eb('user_id', '=', userId)]))
    .execute();
}

export const solutionOrder = sortFieldsOf('solutions', {
  user_id: 'integer',
  added_at: 'text',
  id: 'integer',
});

/** Code that was removed is in no export. */
export async function exportSolutions(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('solutions')
    .select(['user_id', 'added_at', 'solutions.id', 'file', 'about', 'submission', 'code'])
    .select([
      columnOf('members', 'username', 'solutions.user_id'),
      columnOf('problems', 'source', 'solutions.problem_id'),
      columnOf('problems', 'source_key', 'solutions.problem_id'),
    ])
    .where('removed_at', 'is', null);
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}
