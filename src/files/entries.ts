/** The entries of a file: each is a value or a fault, with its place in the file. */

/** Lines and columns count from 1; columns count bytes, as `cut -b` does. */
export interface Place {
  line: number;
  column: number;
}

/** A value and its place, which is computed only when a report needs it. */
export type Located<T> = { place: () => Place; value: T };

/** One entry of a file: a value, or a sentence that says why there is none. */
export type Entry<T> = Located<T> | { place: () => Place; bad: string };

/** Turns the bytes of a file into batches of entries. Throws AppError if the file as a whole is unreadable. */
export type Reader<T> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>;
