/** All rows that a sync changes, to compare them before and after. */
import type { Db } from '../../src/store/tables.ts';

export async function keptRows(db: Db): Promise<Record<string, readonly object[]>> {
  return {
    solves: await db.selectFrom('solves').selectAll().orderBy('handle_id').orderBy('submission_id').execute(),
    statuses: await db.selectFrom('statuses').selectAll().orderBy('user_id').orderBy('problem_id').execute(),
    handles: await db.selectFrom('handles').selectAll().orderBy('id').execute(),
    bookmarks: await db.selectFrom('bookmarks').selectAll().orderBy('user_id').orderBy('problem_id').execute(),
    changes: await db.selectFrom('changes').selectAll().orderBy('id').execute(),
  };
}
