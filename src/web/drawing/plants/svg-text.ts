/** Texts inside pictures: without what XML forbids or what turns other text around, and broken into lines. */

/** Signs that XML does not allow, and controls of direction. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;

/** A text that people wrote, as it may stand in a picture. The tag of the picture escapes it. */
export function drawable(text: string): string {
  return text.toWellFormed().replace(unsafe, '');
}

/** More of a name is never drawn, so that a long one costs nothing; the whole one is in the list. */
const drawnAtMost = 200;

/** A sign of Han, kana, Hangul or a picture is as wide as two others. */
const isWide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\p{Emoji_Presentation}]/u;
/** The pieces between which a line may break, each with the blank before it. */
const piece = new RegExp(` ?(?:${isWide.source}|(?:(?!${isWide.source})[^ ])+)`, 'gu');

/** In the widths of a letter. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += isWide.test(sign) ? 2 : 1;
  return width;
}

/** As much of a text as there is room for. */
export function shortened(text: string, most: number): string {
  const signs = Array.from(text.slice(0, 2 * drawnAtMost));
  return widthOf(signs.join('')) > most ? cut(signs, most) : text;
}

function cut(signs: readonly string[], most: number): string {
  let [width, end] = [1, 0];
  for (const sign of signs) {
    width += widthOf(sign);
    if (width > most) break;
    end++;
  }
  return `${signs.slice(0, end).join('')}…`;
}

/** A name in at most two lines of this width. */
export function wrapped(name: string, most: number): string[] {
  const lines = [''];
  let width = 0;
  for (const [part] of Array.from(name).slice(0, drawnAtMost).join('').trim().replace(/\s+/g, ' ').matchAll(piece)) {
    const isNew = width > 0 && width + widthOf(part) > most;
    if (isNew) {
      lines.push('');
      width = 0;
    }
    const shown = isNew ? part.trim() : part;
    lines[lines.length - 1] += shown;
    width += widthOf(shown);
  }
  const isCut = (line: string, nth: number) => widthOf(line) > most || (nth === 1 && lines.length > 2);
  return lines.slice(0, 2).map((line, nth) => (isCut(line, nth) ? cut(Array.from(line), most) : line));
}
