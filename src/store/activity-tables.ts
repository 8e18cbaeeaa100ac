/** The tables of what members did on each of their days. All other tables are in `tables.ts`. */

/** A problem that a member solved on one of their days: by a submission that was accepted, or by a mark. */
export interface SolvedDaysTable {
  user_id: bigint;
  /** Days since 1 January 1970, as the member's own days go. */
  day: bigint;
  problem_id: bigint;
  /** 1 on the first day on which they solved it. */
  is_first: bigint;
}

/** A day of a member on which they did anything. */
export interface ActivityRow {
  user_id: bigint;
  day: bigint;
  submissions: bigint;
  /** Problems solved that day, again or for the first time. */
  solved: bigint;
  first_solves: bigint;
  /** Reviews that were done. */
  reviews: bigint;
  /** The highest rating among the first solves of each judge: a JSON object of ratings by judge. */
  hardest: string | null;
}

export interface ActivityTables {
  activity: ActivityRow;
  solved_days: SolvedDaysTable;
}
