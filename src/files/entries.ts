/** The entries of a file: values, or reasons why they are bad. */
import { AppError, type LocalizedText, localizedError, localizedText, message } from '../errors.ts';

/** Both count from 1; columns count bytes, as `cut -b` does. */
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

export type Located<T> = { place: () => FilePlace; value: T };

/** A bad entry of a judge's file has its `raw` value. */
export type Entry<T> = Located<T> | { place: () => FilePlace; bad: LocalizedText; raw?: unknown };

export type EntryReader<T> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>;

export function badRow({ localized, message }: LocalizedText): AppError {
  return new AppError('badRow', message, localized && { localized });
}

export async function asBadRow<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalidValue' ? badRow(error) : error;
  }
}

export function localizedTextOf(error: unknown): LocalizedText {
  if (error instanceof AppError && error.code === 'badRow')
    return { localized: error.localized, message: error.message };
  throw error;
}

/** A zip of 500 kB can have half a billion blank lines. */
const blankLinesAtMost = 100_000;

/** Throws badFile. */
export function boundBlankLines(count: number): void {
  if (count > blankLinesAtMost) throw localizedError('badFile.manyRows', { most: blankLinesAtMost });
}

export function toEntries<V, T>(batch: readonly Entry<V>[], toValue: (value: V) => T): Entry<T>[] {
  return batch.map((entry) => {
    if ('bad' in entry) return entry;
    const { place, value } = entry;
    try {
      return { place, value: toValue(value) };
    } catch (error) {
      return { place, bad: localizedTextOf(error), raw: value };
    }
  });
}
