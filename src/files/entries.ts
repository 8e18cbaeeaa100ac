/** What a reader of a file yields: values, or what is wrong, each with the place where it stood. */

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
