/** Case folding for search and for names, the same on every store because it happens here and not in SQL. */

/** Dotless i has no simple folding (Unicode CaseFolding.txt lists it for Turkic only), though its capital is I. */
const unfolded = new Set(['ı']);

/** Foldings that no capital leads to (CaseFolding.txt, status S, since Unicode 15.1). */
const twins = new Map([
  ['\u{1fd3}', '\u{390}'],
  ['\u{1fe3}', '\u{3b0}'],
  ['\u{fb05}', '\u{fb06}'],
]);

/** Unicode simple case folding: each code point to one code point. Two texts that differ in case alone fold alike. */
export function fold(text: string): string {
  // By far most texts are ASCII, where lower case is the folding.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, whole.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const point of text) folded += foldPoint(point);
  return folded;
}

/** A code point that is no character (Unicode §23.7): it keeps a text from being found across two others. */
const between = '\u{fdd0}';

/** Texts that are searched together, as one column. */
export function searchColumn(texts: readonly string[]): string {
  return texts.map(searchPart).join(between);
}

/** What is looked for in such a column. */
export function searchPart(text: string): string {
  return fold(text.replaceAll(between, '\u{fffd}'));
}

function foldPoint(point: string): string {
  if (unfolded.has(point)) return point;
  const twin = twins.get(point);
  if (twin !== undefined) return twin;
  const upper = point.toUpperCase();
  const raised = isOnePoint(upper) ? upper : point;
  const lower = raised.toLowerCase();
  return isOnePoint(lower) ? lower : raised;
}

function isOnePoint(text: string): boolean {
  return [...text].length === 1;
}
