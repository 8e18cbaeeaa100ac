/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser proves by one that this account
 * was used in it before. It opens nothing by itself. The hash of the password signs it, so a new password ends it, and the
 * garden needs no key of its own and no list of browsers.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The value of a new device cookie for the account whose password has this hash. */
export function newDevice(passwordHash: string): string {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${signatureOf(passwordHash, nonce).toString('base64url')}`;
}

/** Whether this is the value of a device cookie of the account whose password has this hash. */
export function isDeviceOf(device: string, passwordHash: string): boolean {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(device) ?? [];
  if (nonce === undefined || signature === undefined) return false;
  return timingSafeEqual(signatureOf(passwordHash, nonce), Buffer.from(signature, 'base64url'));
}

function signatureOf(passwordHash: string, nonce: string): Buffer {
  return createHmac('sha256', passwordHash).update(`device ${nonce}`).digest();
}
