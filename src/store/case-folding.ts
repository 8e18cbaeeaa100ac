/** Case folding for search and usernames. It happens here and not in SQL, so that both engines agree. */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';

/** Foldings that no upper-case letter leads to (Unicode CaseFolding.txt, status S, since Unicode 15.1). */
const sameLetter = new Map([
  // Dotless i has a simple folding in Turkic only, though its capital is I.
  ['ı', 'ı'],
  ['\u{1fd3}', '\u{390}'],
  ['\u{1fe3}', '\u{3b0}'],
  ['\u{fb05}', '\u{fb06}'],
]);

export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const point of text) folded += foldPoint(point);
  return folded;
}

/** A noncharacter (Unicode §23.7) between two texts, so that no search matches across their border. */
const separator = '\u{fdd0}';

export function searchColumn(texts: readonly string[]): string {
  return texts.map(searchPart).join(separator);
}

export function contains(db: Db, column: string, text: string) {
  return engineOf(db).contains(sql.ref(column), searchPart(text));
}

export function hasText(db: Db, column: string, text: string) {
  const border = sql.lit(separator);
  const bordered = sql<string>`concat(${border}, ${sql.ref(column)}, ${border})`;
  return engineOf(db).contains(bordered, separator + searchPart(text) + separator);
}

function searchPart(text: string): string {
  return fold(isAscii(text) ? text : text.replaceAll(separator, '\u{fffd}'));
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, whole.
  return /^[\x00-\x7f]*$/.test(text);
}

function foldPoint(point: string): string {
  const same = sameLetter.get(point);
  if (same !== undefined) return same;
  const upper = point.toUpperCase();
  const raised = isOnePoint(upper) ? upper : point;
  const lower = raised.toLowerCase();
  return isOnePoint(lower) ? lower : raised;
}

function isOnePoint(text: string): boolean {
  return [...text].length === 1;
}
