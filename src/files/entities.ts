/** Decodes the character references of HTML (HTML Standard §13.5): those of markup, and numbers. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Text that was encoded twice is decoded once. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (reference, name, decimal, hex) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? reference;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : reference;
  });
