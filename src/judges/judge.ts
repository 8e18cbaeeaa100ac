/** What every judge's reader yields: plain records. No store here. */

/** A problem as a judge's catalogue tells it. A field that is left out is one this catalogue says nothing about. */
export interface CatalogueProblem {
  source: string;
  key: string;
  title?: string;
  url?: string;
  rating?: number | null;
  tags?: string[];
}

/** Keys of one judge that name one and the same problem (its Div. 1 and Div. 2 appearances). */
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
