/** Texts inside pictures: without what XML forbids or what turns other text around, and broken into lines. */

/** Signs that XML does not allow, and controls of direction. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;

/** A text that people wrote, as it may stand in a picture. The tag of the picture escapes it. */
export function drawable(text: string): string {
  return text.toWellFormed().replace(unsafe, '');
}

/** More of a name is never drawn, so that a long one costs nothing; the whole one is in the list. */
const drawnAtMost = 200;

/** As many characters as there is room for. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * drawnAtMost));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

/** A name in at most two lines of so many characters. */
export function wrapped(name: string, width: number): string[] {
  const lines = [''];
  for (const word of Array.from(name).slice(0, drawnAtMost).join('').trim().split(/\s+/)) {
    const joined = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && Array.from(joined).length > width) lines.push(word);
    else lines[lines.length - 1] = joined;
  }
  const isCut = (line: string, nth: number) => Array.from(line).length > width || (nth === 1 && lines.length > 2);
  const cut = (line: string) =>
    `${Array.from(line)
      .slice(0, width - 1)
      .join('')}…`;
  return lines.slice(0, 2).map((line, nth) => (isCut(line, nth) ? cut(line) : line));
}
