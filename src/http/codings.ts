/** From rows to the bytes that are sent: entity tags, codings, whole and streamed bodies. */
import { hash } from 'node:crypto';
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
// Half the time of zlib's own level 6, for a twentieth more bytes.
const gzipOptions = { level: 4 };
const compressors = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, gzipOptions),
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes),
};

/** How much of a stream waits for a client that does not read. */
const streamBytes = 16 * 1024;
/** Smaller windows than usual: as many may be open as there are slow clients. */
const streamEncoders = {
  gzip: () => createGzip(gzipOptions),
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 18 } }),
};

/**
 * A strong entity tag (RFC 9110 §8.8.3) made of what determines the bytes, not of the bytes: it costs the same for any
 * size, survives restarts, and changes with every change because the revisions do.
 */
export function entityTag(parts: readonly string[]): string {
  return `"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 27)}"`;
}

/** The whole body in its coding. */
export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'identity' ? bytes : compressors[coding](bytes);
}

/** A body of unknown length in its coding, made as fast as the client reads. A compressor holds up to some MiB. */
export function encodeStream(chunks: AsyncIterable<string>, coding: Coding): Readable {
  const source = Readable.from(chunks, { objectMode: false, highWaterMark: streamBytes });
  if (coding === 'identity') return source;
  const encoder = streamEncoders[coding]();
  source.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  return source.pipe(encoder);
}
