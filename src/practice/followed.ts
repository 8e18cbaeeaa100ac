/** What an import changes of the days of members, collected while it goes on and counted anew once at its end. */
import { countSolvedAnew, listSolversOf } from '../store/activity.ts';
import type { SolvesTable } from '../store/judged-tables.ts';
import type { Db } from '../store/tables.ts';
import {
  always,
  countAllAnew,
  followReviews,
  followSolves,
  followSubmissions,
  type Span,
} from './activity.ts';

export type Followed = ReturnType<typeof collectFollowed>;

export function collectFollowed() {
  const problems = new Map<bigint, Set<bigint>>();
  const spans = new Map<bigint, Span>();
  const whole = new Set<bigint>();
  const rated = new Set<bigint>();
  const reviewed = new Set<bigint>();

  const solves = (userId: bigint, problemIds: readonly bigint[]) => {
    const ids = problems.get(userId) ?? new Set();
    for (const id of problemIds) ids.add(id);
    problems.set(userId, ids);
  };

  return {
    /** A member's marks on these problems, or what they sent to them. */
    solves,
    /** Submissions of a member that came, went or changed. */
    submissions: (userId: bigint, rows: readonly SolvesTable[]) => {
      for (const { problem_id, submitted_at: at } of rows) {
        if (problem_id !== null) solves(userId, [problem_id]);
        const [from, until] = spans.get(userId) ?? [at, at];
        spans.set(userId, [at < from ? at : from, at > until ? at : until]);
      }
    },
    /** A review of a member that came, went or changed. */
    review: (userId: bigint, problemId: bigint) => {
      solves(userId, [problemId]);
      reviewed.add(userId);
    },
    /** When the days of a member begin. */
    days: (userId: bigint) => void whole.add(userId),
    /** The rating of a problem. */
    rating: (problemId: bigint) => void rated.add(problemId),
    /** Counts anew what changed. */
    settle: async (tx: Db): Promise<void> => {
      for (const userId of whole) await countAllAnew(tx, userId);
      for (const [userId, ids] of problems) if (!whole.has(userId)) await followSolves(tx, userId, [...ids]);
      for (const [userId, span] of spans) if (!whole.has(userId)) await followSubmissions(tx, userId, span);
      for (const userId of reviewed) if (!whole.has(userId)) await followReviews(tx, userId, always);
      const solvers = await listSolversOf(tx, [...rated]);
      for (const [userId, rows] of Map.groupBy(solvers, ({ user_id }) => user_id))
        await countSolvedAnew(
          tx,
          userId,
          rows.map(({ day }) => day),
        );
    },
  };
}
