/** Decodes text: files of programs strictly as UTF-8 (RFC 3629), and what people save in the encoding that it names. */
import { type AppError, localizedError } from '../errors.ts';

const pieceBytes = 64 * 1024;

/** Without the byte order mark. Throws badFile. */
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
  if (offset === 0 && looksLikeDatabase(bytes.toString('latin1', 0, 20)))
    return localizedError('badFile.database');
  if (offset === 0 && utf16Of(bytes)) return localizedError('badFile.utf16');
  const isContinued = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const start = offset === 0 ? 0 : ([0, 1, 2].find((at) => !isContinued(at)) ?? 3);
  const rest = bytes.subarray(start);
  // Lenient decoding replaces invalid bytes, so the texts differ where these begin.
  const reencoded = Buffer.from(rest.toString());
  const at = rest.findIndex((byte, index) => byte !== reencoded[index]);
  return localizedError('badFile.notUtf8', { byte: offset + start + at + 1 });
}

export const looksLikeDatabase = (start: string): boolean => start.startsWith('SQLite format 3\0');

/** The encoding whose byte order mark the text begins with. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

const pageHeadBytes = 4096;

/**
 * Reads what people save, such as "Unicode text" of Excel: a byte order mark, the Content-Type or an HTML page can name
 * another encoding than UTF-8. Throws badFile.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const utf16 = utf16Of(bytes);
  const sent = encodingIn(contentType);
  const head = Buffer.from(bytes.subarray(0, pageHeadBytes)).toString('latin1');
  const [tag = ''] = /<meta\b[^<>]{0,200}?\bcharset\b[^<>]{0,60}/i.exec(head) ?? [];
  // Servers send Latin 1 as their default, also with UTF-8. A tag that can be read here is not in UTF-16.
  const encodings = utf16
    ? [utf16]
    : [sent === 'windows-1252' ? 'utf-8' : sent, 'utf-8', sent, encodingIn(tag.replace(/utf-?16/i, ''))];
  for (const encoding of new Set(encodings)) {
    const text = tryDecode(bytes, encoding);
    // UTF-16 without its mark is valid UTF-8 with NULs.
    if (text !== undefined && text.split('\0').length > 1 + text.length / 8)
      throw localizedError('badFile.utf16');
    if (text !== undefined) return text.replaceAll('\0', '');
  }
  throw notUtf8(Buffer.from(bytes), 0);
}

/** With U+FFFD where `decodeText` throws, for texts of which the links or numbers matter. */
export function decodeLeniently(bytes: Uint8Array, contentType = ''): string {
  try {
    return decodeText(bytes, contentType);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodingIn(text: string): string {
  const [, name = 'utf-8'] = /\bcharset\s{0,3}=\s{0,3}["']?([\w:.-]{1,40})/i.exec(text) ?? [];
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return 'utf-8';
  }
}
