/** Case folding for search and usernames. Texts are folded here and not in SQL, so that both engines agree. */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';

/** Foldings that no upper-case letter leads to (Unicode CaseFolding.txt, status S, since Unicode 15.1). */
const specialFoldings = new Map([
  // Dotless i has a simple folding in Turkic only, though its capital is I.
  ['ı', 'ı'],
  ['\u{1fd3}', '\u{390}'],
  ['\u{1fe3}', '\u{3b0}'],
  ['\u{fb05}', '\u{fb06}'],
]);

export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const codePoint of text) folded += foldCodePoint(codePoint);
  return folded;
}

/** A noncharacter (Unicode §23.7) between two texts, so that no search matches the end of one and the beginning of the next. */
const separator = '\u{fdd0}';

export function searchColumn(texts: readonly string[]): string {
  return texts.map(foldPart).join(separator);
}

export function contains(db: Db, column: string, text: string) {
  return engineOf(db).contains(sql.ref(column), foldPart(text));
}

export function hasExactText(db: Db, column: string, text: string) {
  const separatorSql = sql.lit(separator);
  const separated = sql<string>`concat(${separatorSql}, ${sql.ref(column)}, ${separatorSql})`;
  return engineOf(db).contains(separated, separator + foldPart(text) + separator);
}

function foldPart(text: string): string {
  return fold(text.replaceAll(separator, '\u{fffd}'));
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
  return /^[\x00-\x7f]*$/.test(text);
}

function foldCodePoint(codePoint: string): string {
  const special = specialFoldings.get(codePoint);
  if (special !== undefined) return special;
  const upper = codePoint.toUpperCase();
  const upperCodePoint = isOneCodePoint(upper) ? upper : codePoint;
  const lower = upperCodePoint.toLowerCase();
  return isOneCodePoint(lower) ? lower : upperCodePoint;
}

function isOneCodePoint(text: string): boolean {
  return [...text].length === 1;
}
