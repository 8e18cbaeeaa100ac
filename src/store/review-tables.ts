/** The tables of problems that are due to be tried again. All other tables are in `tables.ts`. */

export type Grade = 'again' | 'hard' | 'good' | 'easy';

/** What a member said of a problem that came back: how it went, that it comes another day, or never again. */
export interface ReviewsTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  grade: Grade | 'later' | 'never';
  made_at: string;
  undone_at: string | null;
}

/**
 * When a solved problem comes back. Everything here follows from how it was solved and from `reviews`, so that undoing a review
 * makes the card what it was.
 */
export interface ReviewCardsTable {
  user_id: bigint;
  problem_id: bigint;
  /** The day of the solve from which it is counted, as the member's own days go. */
  begun_day: bigint;
  first_grade: Grade;
  /** Null where it does not come back. */
  due_day: bigint | null;
  /** What comes first among what is due: 0 after a first review; before it 1 to 4, from again to easy. */
  turn: bigint;
  /** The review that was done last. */
  last_review: bigint | null;
}

export interface ReviewTables {
  reviews: ReviewsTable;
  review_cards: ReviewCardsTable;
}
