/** Importing reviews: each is found again by its problem, its moment and what was said. */
import { refused } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { insertReviews, listReviewsOf, type ReviewsTable, setReviewUndone } from '../store/reviews.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, type GivenProblem, memberReferences, problemReferences } from './references.ts';

/** One review a day for years: all of them decide when the problem comes back. */
const reviewsOfProblemAtMost = 1_000;

type Review = Omit<ReviewsTable, 'id'>;
type Named = Omit<Review, 'undone_at'>;
type GivenReview = GivenMember & GivenProblem & Partial<Pick<Review, 'grade' | 'made_at' | 'undone_at'>>;

export function reviewSink({ tx, each, count, followed, ...applying }: Applying): Sink<GivenReview> {
  const nameOf = ({ user_id, problem_id, grade, made_at }: Named) =>
    [user_id, problem_id, grade, made_at].join();

  async function store(
    rows: readonly Located<Named & { undone_at?: string | null | undefined }>[],
  ): Promise<void> {
    const known = new Map<string, Review & { id?: bigint }>();
    const counts = new Map<string, number>();
    for (const [userId, some] of Map.groupBy(rows, ({ value }) => value.user_id)) {
      const problemIds = [...new Set(some.map(({ value }) => value.problem_id))];
      for (const row of await listReviewsOf(tx, userId, problemIds)) {
        known.set(nameOf(row), row);
        countOne(row);
      }
    }
    const added: Review[] = [];
    await each(rows, async ({ undone_at, ...given }) => {
      const found = known.get(nameOf(given));
      const row = { ...given, undone_at: undone_at === undefined ? (found?.undone_at ?? null) : undone_at };
      const line = () => `${row.grade} of problem ${row.problem_id} at ${row.made_at}`;
      if (found?.undone_at === row.undone_at) return count('kept', line);
      if (found) {
        found.undone_at = row.undone_at;
        if (found.id !== undefined) await setReviewUndone(tx, found.id, row.undone_at);
      } else {
        if (countOne(row) > reviewsOfProblemAtMost)
          throw refused('badRow.manyReviews', { most: reviewsOfProblemAtMost });
        known.set(nameOf(row), row);
        added.push(row);
      }
      count(found ? 'changed' : 'new', line);
      followed.solves(row.user_id, [row.problem_id]);
    });
    await insertReviews(tx, added);

    function countOne({ user_id, problem_id }: Named): number {
      const next = (counts.get(`${user_id} ${problem_id}`) ?? 0) + 1;
      counts.set(`${user_id} ${problem_id}`, next);
      return next;
    }
  }

  return {
    take: async (entries) => {
      const memberOf = await memberReferences({ tx, ...applying }, entries);
      const problemOf = await problemReferences(tx, entries);
      const rows = await each(entries, async (given) => {
        const { grade, made_at, undone_at } = given;
        if (grade === undefined || made_at === undefined)
          throw refused('badRow.needed', { names: 'grade', last: 'made_at' });
        return { user_id: memberOf(given), problem_id: problemOf(given), grade, made_at, undone_at };
      });
      await store(rows);
    },
  };
}
