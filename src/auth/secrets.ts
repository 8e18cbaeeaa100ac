/** The form of tokens: `pgt_`, 30 random base62 characters, and 6 for their CRC-32. The store has only SHA-256 digests. */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const tokenPattern = /^pgt_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new token with about 178 random bits. */
export function newToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(62)]).join('');
  return `pgt_${random}${checksum(random)}`;
}

/** Whether the text has the form and checksum of a token, so that a typing error costs no look-up. */
export function isWellFormedToken(text: string): boolean {
  const [, random, sum] = tokenPattern.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** The SHA-256 digest of a token, in hexadecimal. */
export function tokenDigest(token: string): string {
  return hash('sha256', token);
}

/** CRC-32 (IEEE) in base62, most significant first, padded to six. */
function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  while (sum.length < checksumLength) {
    sum = alphabet[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
