/** The rows of a file that are not valid: how many there are, what is said of the first, and when the file is given up. */
import { AppError, badFile } from '../errors.ts';
import { type Located, placeText } from '../files/entries.ts';

const badRowsShown = 10;

/** The number of bad rows, and sentences about the first of them. */
export interface BadRows {
  count: number;
  shown: string[];
  /** One more, and the file is given up. */
  most: number;
}

export function addBadRow(badRows: BadRows, place: Located<unknown>['place'], sentence: string): void {
  badRows.count++;
  if (badRows.count > badRows.most)
    throw badFile(
      `More than ${badRows.most} rows are not valid, and nothing was imported. Is this another kind of file? The first of them, ${badRows.shown[0]}`,
    );
  if (badRows.shown.length >= badRowsShown) return;
  badRows.shown.push(`${placeText(place())}: ${sentence}`);
}

export function refuseBadRows({ count, shown }: BadRows): void {
  if (count === 0) return;
  const more = count > shown.length ? `\n  and ${count - shown.length} more` : '';
  throw new AppError(
    'badRow',
    `${count === 1 ? 'One row is' : `${count} rows are`} not valid and nothing was imported; correct the file, or skip such rows with --skip-bad:\n  ${shown.join('\n  ')}${more}`,
  );
}
