/** Checks that incoming bytes are UTF-8 (RFC 3629), removes a byte order mark, and never splits a character between pieces. */
import { isUtf8 } from 'node:buffer';
import { type AppError, badFile } from '../errors.ts';

// Small pieces bound the memory of every reader, however large the chunks of the source are.
const pieceBytes = 64 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Cuts bytes into pieces of whole characters. Throws badFile at the first byte that is not UTF-8. */
export async function* wholeCharacters(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let carried: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const fresh = Buffer.from(
        chunk.buffer,
        chunk.byteOffset + start,
        Math.min(pieceBytes, chunk.length - start),
      );
      const joined = carried.length === 0 ? fresh : Buffer.concat([carried, fresh]);
      const end = joined.length - unfinishedBytes(joined);
      const piece = joined.subarray(0, end);
      carried = joined.subarray(end);
      if (!isUtf8(piece)) throw notUtf8(piece, offset);
      const isMarked = offset === 0 && piece.subarray(0, 3).equals(byteOrderMark);
      offset += piece.length;
      if (piece.length > 0) yield isMarked ? piece.subarray(3) : piece;
    }
  }
  if (carried.length > 0) throw notUtf8(carried, offset);
}

/** How many bytes at the end belong to a character that is not complete yet. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes.readUInt8(bytes.length - back);
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

function notUtf8(piece: Buffer, offset: number): AppError {
  const magic = offset === 0 ? piece.toString('latin1', 0, 2) : '';
  if (magic === '\x1f\x8b' || magic === 'PK') return badFile('The file is compressed: unpack it first.');
  if (magic === '\xff\xfe' || magic === '\xfe\xff') return badFile('The file is UTF-16: save it as UTF-8.');
  // A binary search finds the longest valid beginning. It runs once, which is cheaper than counting all the way.
  let [low, high] = [0, piece.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const start = piece.subarray(0, middle);
    if (isUtf8(start.subarray(0, middle - unfinishedBytes(start)))) low = middle;
    else high = middle - 1;
  }
  const byte = offset + low - unfinishedBytes(piece.subarray(0, low)) + 1;
  return badFile(`The file is not UTF-8 at byte ${byte}: save it as UTF-8, or download it again.`);
}
