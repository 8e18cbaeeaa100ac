/** The records that the readers of all judges yield. They know nothing of the store. */

/** A problem in a judge's catalogue. A field is absent if the catalogue does not have it. */
export interface CatalogueProblem {
  source: string;
  key: string;
  title?: string;
  url?: string;
  rating?: number | null;
  tags?: string[];
}

/** Twins: keys of one judge that name the same problem, such as in Div. 1 and Div. 2. */
export interface TwinGroup {
  source: string;
  keys: string[];
}

/** One submission of one member to one problem. */
export interface Submission {
  source: string;
  key: string;
  /** RFC 3339, UTC, milliseconds. */
  submittedAt: string;
  isSolved: boolean;
  /** A problem of a private training contest (Codeforces gym), which no catalogue lists. */
  isGym: boolean;
}
