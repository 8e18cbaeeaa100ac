/** Sharing notes with groups. Whether somebody may read a note is decided when they do. */
import { findBookmarks } from '../store/bookmarks.ts';
import { listJoinedGroups } from '../store/groups.ts';
import { deleteShares, insertShares, listShares } from '../store/shared-notes.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

export const shareNote = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    problemId: bigint,
    isShared: (groupId: bigint) => boolean,
  ): Promise<void> => {
    const noteKey = { problem_id: problemId, user_id: memberId };
    const [bookmark] = await findBookmarks(tx, memberId, [problemId]);
    if (!bookmark?.note) return;
    const before = new Set((await listShares(tx, noteKey)).map(({ group_id }) => group_id));
    const shared_at = new Date().toISOString();
    for (const { id: group_id, archived_at } of await listJoinedGroups(tx, memberId)) {
      if (!isShared(group_id)) await deleteShares(tx, { ...noteKey, group_id });
      else if (!before.has(group_id) && archived_at === null)
        await insertShares(tx, [{ ...noteKey, group_id, shared_at }]);
    }
  },
);
