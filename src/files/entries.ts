/** The entries of a file: each is a value, or a sentence that says why it is bad, with its place in the file. */
import { AppError, type LocalizedText, localizedText, message } from '../errors.ts';

/** Lines and columns count from 1; columns count bytes, as `cut -b` does. */
export interface FilePlace {
  line: number;
  column: number;
  /** The file's name, where there are several in one. */
  file?: string;
}

/** The text about an entry, with the place before it. */
export function withPlace(
  { file, line, column }: FilePlace,
  { localized, message: english }: LocalizedText,
): LocalizedText {
  const why = localized ?? english;
  return localizedText(
    file === undefined
      ? message('badRow.at', { line, column, why })
      : message('badRow.inFile', { file, line, column, why }),
  );
}

/** A value and its place, which is computed only when a report needs it. */
export type Located<T> = { place: () => FilePlace; value: T };

export type Entry<T> = Located<T> | { place: () => FilePlace; bad: LocalizedText };

/** Turns the bytes of a file into batches of entries. Throws badFile if the file as a whole is unreadable. */
export type EntryReader<T> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>;

/** The error that makes one entry of a file bad, in the words of another refusal. */
export function badRow({ localized, message }: LocalizedText): AppError {
  return new AppError('badRow', message, localized && { localized });
}

/** Turns a refusal of what is wanted, such as of more than there is room for, into a badRow. */
export async function asRow<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError && error.code === 'badSetting' ? badRow(error) : error;
  }
}

/** The text of a badRow. Throws any other error. */
export function localizedTextOf(error: unknown): LocalizedText {
  if (error instanceof AppError && error.code === 'badRow')
    return { localized: error.localized, message: error.message };
  throw error;
}

/** Turns parsed values into entries. If `toValue` throws badRow, the entry is bad for that reason. */
export function toEntries<V, T>(batch: readonly Entry<V>[], toValue: (value: V) => T): Entry<T>[] {
  return batch.map((entry) => {
    if ('bad' in entry) return entry;
    const { place, value } = entry;
    try {
      return { place, value: toValue(value) };
    } catch (error) {
      return { place, bad: localizedTextOf(error) };
    }
  });
}
