/** Checks that incoming bytes are UTF-8 (RFC 3629) and decodes them, without a byte order mark. */
import { type AppError, localizedError } from '../errors.ts';

// Small pieces bound the memory of the readers, because the chunks of a source may be large.
const pieceBytes = 64 * 1024;

/** Decodes bytes to texts that end between characters. Throws badFile at the first byte that is not UTF-8. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let offset = 0;
  /** The last bytes before the offset: an incomplete character has at most three. */
  let before: Buffer = Buffer.alloc(0);
  const decode = (piece: Uint8Array, stream: boolean): string => {
    try {
      return decoder.decode(piece, { stream });
    } catch {
      throw notUtf8(Buffer.concat([before, piece]), offset - before.length);
    }
  };
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const piece = chunk.subarray(start, start + pieceBytes);
      const text = decode(piece, true);
      if (text !== '') yield text;
      before = Buffer.concat([before, piece.subarray(-3)]).subarray(-3);
      offset += piece.length;
    }
  }
  decode(Buffer.alloc(0), false);
}

/** The refusal of bytes that are not all UTF-8. Up to three at the beginning may be the end of a sound character. */
function notUtf8(bytes: Buffer, offset: number): AppError {
  const magic = offset === 0 ? bytes.toString('latin1', 0, 2) : '';
  if (magic === '\x1f\x8b' || magic === 'PK') return localizedError('badFile.compressed');
  if (magic === '\xff\xfe' || magic === '\xfe\xff') return localizedError('badFile.utf16');
  const isContinued = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const start = offset === 0 ? 0 : ([0, 1, 2].find((at) => !isContinued(at)) ?? 3);
  const rest = bytes.subarray(start);
  // Lenient decoding replaces what is not UTF-8, so the two differ first where that begins.
  const mended = Buffer.from(rest.toString());
  const at = rest.findIndex((byte, place) => byte !== mended[place]);
  return localizedError('badFile.notUtf8', { byte: offset + start + at + 1 });
}
