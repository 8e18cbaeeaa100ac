/** Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): a text in quotes, or bare. */
import { AppError } from '../errors.ts';

const longestKey = 255;

/** Throws malformedKey. */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted, bare] =
    /^(?:"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"|([\x21\x23-\x7e]+))$/.exec(String(header).trim()) ?? [];
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
  if (key !== undefined && key.length <= longestKey) return key;
  throw new AppError(
    'malformedKey',
    `An Idempotency-Key is 1 to ${longestKey} visible ASCII characters, in quotes or not.`,
  );
}
