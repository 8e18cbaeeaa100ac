/** Texts of settings that are more than a number or a word: addresses, ranges of them, and URLs with passwords. */
import { isIP } from 'node:net';

/** All addresses whose first `prefix` bits are those of this one. */
export interface AddressRange {
  address: string;
  prefix: number;
}

/** Undefined where one of them is no address or range. */
export function readRanges(text: string): AddressRange[] | undefined {
  if (text === 'none') return [];
  const ranges = text.split(',').map((part) => readRange(part.trim()));
  return ranges.some((range) => range === undefined) ? undefined : (ranges as AddressRange[]);
}

function readRange(text: string): AddressRange | undefined {
  const [, written = '', bits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const isSix = isIP(written) === 6;
  if (isIP(written) === 0) return undefined;
  const width = isSix ? 128 : 32;
  const prefix = bits === undefined ? width : Number(bits);
  if (prefix > width) return undefined;
  // What a socket for both families calls an IPv4 address.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(written)?.[1];
  if (mapped === undefined) return { address: written, prefix };
  return prefix < 96 ? undefined : { address: mapped, prefix: prefix - 96 };
}

/** Without a trailing slash; undefined where it is no address to build links from. */
export function readBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** A password in it becomes ***. */
export function maskedUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):.*@/s, '$1:***@').replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***');
}
