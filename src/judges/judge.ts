/** What every judge's reader yields: plain records with the place in the file where each one stood. No store here. */

/** Lines and columns count from 1; columns count bytes, as `cut -b` does. */
export interface Place {
  line: number;
  column: number;
}

/** A value and where it starts, which is worked out when it is asked for. */
export type Located<T> = { place: () => Place; value: T };

/** One entry of a file: either a value, or what is wrong with it. */
export type Entry<T> = Located<T> | { place: () => Place; bad: string };

/** A reader turns the bytes of one file into batches of entries; it throws AppError when the file as a whole is unreadable. */
export type Reader<T> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>;

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
