/** Texts inside pictures. */

/** What XML forbids, and controls that change the direction of other text. */
const unsafeCharacters = /[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;

/** The `svg` tag escapes the result. */
export function cleanForSvg(text: string): string {
  return text.toWellFormed().replace(unsafeCharacters, '');
}

/** Bounds the time that a long name takes. */
const charactersAtMost = 200;

/** Han, kana, Hangul and emoji are as wide as two letters. */
const wideCharacter = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\p{Emoji_Presentation}]/u;
const piece = new RegExp(` ?(?:${wideCharacter.source}|(?:(?!${wideCharacter.source})[^ ])+)`, 'gu');

/** In widths of a letter. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wideCharacter.test(character) ? 2 : 1;
  return width;
}

export function shorten(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * charactersAtMost));
  return widthOf(characters.join('')) > most ? truncate(characters, most) : text;
}

function truncate(characters: readonly string[], most: number): string {
  let [width, end] = [1, 0];
  for (const character of characters) {
    width += widthOf(character);
    if (width > most) break;
    end++;
  }
  return `${characters.slice(0, end).join('')}…`;
}

export function wrapLines(name: string, most: number): string[] {
  const lines = [''];
  let width = 0;
  for (const [part] of Array.from(name)
    .slice(0, charactersAtMost)
    .join('')
    .trim()
    .replace(/\s+/g, ' ')
    .matchAll(piece)) {
    const isNew = width > 0 && width + widthOf(part) > most;
    if (isNew) {
      lines.push('');
      width = 0;
    }
    const text = isNew ? part.trim() : part;
    lines[lines.length - 1] += text;
    width += widthOf(text);
  }
  const isTooLong = (line: string, index: number) => widthOf(line) > most || (index === 1 && lines.length > 2);
  return lines.slice(0, 2).map((line, index) => (isTooLong(line, index) ? truncate(Array.from(line), most) : line));
}
