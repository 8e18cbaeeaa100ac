/** Decodes UTF-8 (RFC 3629) without its byte order mark. */
import { type AppError, localizedError } from '../errors.ts';

const pieceBytes = 64 * 1024;

export async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let offset = 0;
  let previousBytes: Buffer = Buffer.alloc(0);
  const decode = (piece: Uint8Array, stream: boolean): string => {
    try {
      return decoder.decode(piece, { stream });
    } catch {
      throw notUtf8(Buffer.concat([previousBytes, piece]), offset - previousBytes.length);
    }
  };
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const piece = chunk.subarray(start, start + pieceBytes);
      const text = decode(piece, true);
      if (text !== '') yield text;
      previousBytes = Buffer.concat([previousBytes, piece.subarray(-3)]).subarray(-3);
      offset += piece.length;
    }
  }
  decode(Buffer.alloc(0), false);
}

/** The first three bytes may end a character. */
function notUtf8(bytes: Buffer, offset: number): AppError {
  const magic = offset === 0 ? bytes.toString('latin1', 0, 2) : '';
  if (magic === '\x1f\x8b' || magic === 'PK') return localizedError('badFile.compressed');
  if (magic === '\xff\xfe' || magic === '\xfe\xff') return localizedError('badFile.utf16');
  const isContinued = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const start = offset === 0 ? 0 : ([0, 1, 2].find((at) => !isContinued(at)) ?? 3);
  const rest = bytes.subarray(start);
  // Lenient decoding replaces invalid bytes, so the texts differ where these begin.
  const reencoded = Buffer.from(rest.toString());
  const at = rest.findIndex((byte, index) => byte !== reencoded[index]);
  return localizedError('badFile.notUtf8', { byte: offset + start + at + 1 });
}
