/** The members and problems of which an import changes anything, collected while it goes on and settled once at its end. */
import type { Db } from '../store/tables.ts';
import { settle, settleDays } from './settling.ts';

export type Followed = ReturnType<typeof collectFollowed>;

export function collectFollowed() {
  const problems = new Map<bigint, Set<bigint>>();
  const recounted = new Set<bigint>();

  return {
    /** A member's marks on these problems, what they sent to them, or reviews of them. */
    solves: (userId: bigint, problemIds: Iterable<bigint>) => {
      const ids = problems.get(userId) ?? new Set();
      for (const id of problemIds) ids.add(id);
      problems.set(userId, ids);
    },
    /** When the days of a member begin. */
    days: (userId: bigint) => void recounted.add(userId),
    settle: async (tx: Db): Promise<void> => {
      for (const [userId, ids] of problems) await settle(tx, userId, [...ids]);
      for (const userId of recounted) await settleDays(tx, userId);
    },
  };
}
