/** The entries of a file: values, or reasons why an entry is bad, with their places. */
import { AppError, type LocalizedText, localizedText, message } from '../errors.ts';

/** From 1; columns count bytes, as `cut -b` does. */
export interface FilePlace {
  line: number;
  column: number;
  file?: string;
}

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

/** The place is computed only when a report needs it. */
export type Located<T> = { place: () => FilePlace; value: T };

export type Entry<T> = Located<T> | { place: () => FilePlace; bad: LocalizedText };

/** Throws badFile if the whole file is unreadable. */
export type EntryReader<T> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>;

export function badRow({ localized, message }: LocalizedText): AppError {
  return new AppError('badRow', message, localized && { localized });
}

/** Turns a badSetting into a badRow. */
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

/** If `toValue` throws badRow, the entry is bad. */
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
