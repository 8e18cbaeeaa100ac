/** Finds web addresses in text. An address ends where a reader would end it. */

/** Brackets and quotes are no part of an address, nor are punctuation and pictures outside ASCII. */
const inAddress = /[[^\s<>"'`\(\)\[\]\{\}\|\\^]--[[\p{P}\p{S}]--[!-~]]]/v.source;
/** Markdown and JSON write a backslash before some characters. */
const escaped = /\\(?:[_*~#\&\/\-]|u00[23][\da-f])/v.source;
/** A sign between two addresses ends the first. */
const rest = `(?:(?![,;:~+&]https?:)${inAddress}|${escaped}){1,500}`;

// An address without http:// needs a short host name; later steps drop those of no judge.
const withoutScheme = /(?<![\w\/.@:\-])(?:[a-z\d\-]{1,30}\.){1,3}[a-z]{2,6}\//v.source;
const addresses = new RegExp(`(?:https?:\\\\?/\\\\?/|${withoutScheme})${rest}`, 'giv');

/** The sign after a comma that shows that the address goes on, such as in `1,2.html` or `?a=1;b=2`. */
const nextCell = /[,;](?!.*(?:[/=&?#]|\.[a-z]{2,})).*$/i;
/** Languages without spaces go on behind a letter or digit of an address. */
const nextWord = /(?<=\w)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}].*$/u;
const entityAtEnd = /&(?:quot|lt|gt|nbsp|apos|#39|#34|ldquo|rdquo|hellip|mdash|ndash);.*$/i;

export interface TextAddress {
  index: number;
  length: number;
  address: string;
}

export function* addressesIn(text: string): Generator<TextAddress> {
  for (const { index, 0: found } of text.matchAll(addresses)) {
    const address = found
      .replaceAll(/\\u00(..)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\\', '')
      .replace(entityAtEnd, '')
      .replaceAll(/&(?:amp|#38|#x26);/gi, '&')
      .replace(nextCell, '')
      .replace(nextWord, '')
      .replace(/[.,;:!?*_~]+$/, '');
    yield { index, length: found.length, address };
  }
}

/** What follows an address: punctuation outside ASCII, or a sign and another address. */
const behindAddress = /(?:[[\p{P}\p{S}]--[!-~]]|[,;\&\|]https?:).*$/v;

/** Takes the address alone from what somebody typed or copied as one. */
export function addressFrom(text: string): string {
  const isWhole = text.includes('://') ? /^https?:\/\/\S+$/i.test(text) : /^\S+$/.test(text);
  const [found] = isWhole ? [] : addressesIn(text);
  return (found?.address ?? text.replaceAll(/\\(?=[_*~&#-])/g, ''))
    .replace(/^(https?)[;：]/i, '$1:')
    .replace(behindAddress, '')
    .replace(nextCell, '')
    .replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, '');
}
