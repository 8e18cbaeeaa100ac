/** Storing what a judge says of the ratings of a handle. */
import { localizedError } from '../errors.ts';
import { findHandle } from '../store/handles.ts';
import { deleteRating, listRatingsOfHandle, type RatingsTable, upsertRatings } from '../store/ratings.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

/**
 * A contest that is no longer rated is deleted, unless some rows of the judge could not be read. Returns how many are
 * new, changed or deleted. Throws unknownItem.
 */
export const saveRatingHistory = inTransaction(
  async (
    tx: Db,
    handleId: bigint,
    history: readonly Omit<RatingsTable, 'handle_id'>[],
    { isComplete = true } = {},
  ): Promise<number> => {
    if (!(await findHandle(tx, handleId))) throw localizedError('unknownItem.handleGone');
    const before = new Map((await listRatingsOfHandle(tx, handleId)).map((row) => [row.contest, row]));
    const current = new Map(history.map((row) => [row.contest, { handle_id: handleId, ...row }]));
    const changed = [...current.values()].filter((row) => {
      const stored = before.get(row.contest);
      return (
        !stored ||
        (Object.keys(row) as (keyof RatingsTable)[]).some((column) => stored[column] !== row[column])
      );
    });
    const gone = isComplete ? [...before.keys()].filter((contest) => !current.has(contest)) : [];
    await upsertRatings(tx, changed);
    for (const contest of gone) await deleteRating(tx, handleId, contest);
    return changed.length + gone.length;
  },
);
