/** Cuts a JSON list out of a text that comes in pieces, so that neither the list nor the text is ever whole in memory. */

/** A longer element is no row of results, and would be a way to fill the memory. */
const elementCharacters = 64 * 1024;
/** `begin` has to find its match in so many characters. */
const beginCharacters = 32;

/**
 * `begin` matches until the bracket of the list, or of an object of elements. Returns a function that takes the next
 * piece and returns what of it stands outside the list. Elements that are neither lists nor objects are skipped. Throws
 * SyntaxError.
 */
export function listSplitter(begin: RegExp, onElement: (text: string) => void): (piece: string) => string {
  let last = '';
  let place: 'before' | 'in' | 'after' = 'before';
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let element = '';
  return (piece) => {
    if (place === 'after') return piece;
    let at = 0;
    if (place === 'before') {
      const text = last + piece;
      const match = begin.exec(text);
      if (!match) {
        last = text.slice(-beginCharacters);
        return piece;
      }
      place = 'in';
      at = match.index + match[0].length - last.length;
    }
    const outside = piece.slice(0, at);
    let start = at;
    for (; at < piece.length; at++) {
      const character = piece[at];
      if (isEscaped) isEscaped = false;
      else if (isString) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isString = false;
      } else if (character === '"') isString = true;
      else if (character === '{' || character === '[') {
        if (depth++ === 0) start = at;
      } else if (character === '}' || character === ']') {
        if (depth === 0) {
          place = 'after';
          return outside + piece.slice(at);
        }
        if (--depth > 0) continue;
        onElement(element + piece.slice(start, at + 1));
        element = '';
      }
    }
    if (depth > 0) element += piece.slice(start);
    if (element.length > elementCharacters) throw new SyntaxError('An element is too long.');
    return outside;
  };
}
