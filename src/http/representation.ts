/** From rows to the bytes that are sent: entity tags, codings, whole and streamed bodies. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import type { Coding } from './negotiation.ts';

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes),
};

/**
 * A strong entity tag (RFC 9110 §8.8.3) made of what determines the bytes, not of the bytes: it costs the same for any
 * size, survives restarts, and changes with every change because the revisions do.
 */
export function entityTag(parts: readonly (string | bigint)[]): string {
  return `"${createHash('sha256')
    .update(JSON.stringify(parts.map(String)))
    .digest('base64url')
    .slice(0, 27)}"`;
}

/** Whether If-None-Match names the tag (RFC 9110 §13.1.2: weak comparison, lists, `*`). */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const named = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return named.some((candidate) => candidate.replace(/^W\//, '') === tag);
}

/** The whole body in its coding. */
export async function encode(text: string, coding: Coding): Promise<Buffer> {
  const bytes = Buffer.from(text);
  return coding === 'identity' ? bytes : compressors[coding](bytes);
}

/** A body of unknown length in its coding, made as fast as the client reads. */
export function encodeStream(chunks: AsyncIterable<string>, coding: Coding): Readable {
  const source = Readable.from(chunks, { objectMode: false });
  if (coding === 'identity') return source;
  const encoder =
    coding === 'gzip'
      ? createGzip()
      : coding === 'br'
        ? createBrotliCompress(brotliOptions)
        : createZstdCompress();
  source.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  return source.pipe(encoder);
}
