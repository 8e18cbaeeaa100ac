/** Encrypts with a key from the session's cookie, of which the store has only the digest. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A text opens only with the `purpose` for which it was sealed. */
export interface Sealing {
  seal(purpose: string, text: string): string;
  open(purpose: string, sealed: string): string | undefined;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function sealingBy(secret: string): Sealing {
  const key = () => Buffer.from(hkdfSync('sha256', secret, '', 'sealed texts', 32));
  return {
    seal: (purpose, text) => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key(), nonce).setAAD(Buffer.from(purpose));
      const sealed = [sealing.update(text, 'utf8'), sealing.final()];
      return Buffer.concat([nonce, ...sealed, sealing.getAuthTag()]).toString('base64url');
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const opening = createDecipheriv(cipher, key(), bytes.subarray(0, nonceBytes)).setAAD(
        Buffer.from(purpose),
      );
      opening.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return (
          opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8')
        );
      } catch {
        return undefined;
      }
    },
  };
}
