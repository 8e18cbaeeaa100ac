/** How far the bytes of a request's head have come on a connection: where it ends, and which protocol its start line names. */
import type { IncomingMessage } from 'node:http';

export interface HeadProgress {
  /** The last bytes that the parser got of a head that has not ended: fewer than end one. */
  tail: Buffer;
  /** The last characters of a start line that has not ended; undefined behind it. */
  startLine: string | undefined;
  /** Whether the start line names a protocol that Node's parser takes and this server does not speak. */
  isForeign: boolean;
}

const headEnd = Buffer.from('\r\n\r\n');
const noBytes = Buffer.alloc(0);
const lineFeed = 0x0a;
const letterH = 0x48;

export function atStart(): HeadProgress {
  return { tail: noBytes, startLine: '', isForeign: false };
}

/** Remembers what the next bytes need: nothing behind a head that is whole, no start line but before a request. */
export function watchBytes(head: HeadProgress, bytes: Buffer, isWhole: boolean, isBetween: boolean): void {
  if (isBetween) head.startLine = '';
  head.tail = isWhole
    ? noBytes
    : Buffer.concat([head.tail, bytes.subarray(1 - headEnd.length)]).subarray(1 - headEnd.length);
}

/** Empty lines before a request are none of it (RFC 9112 §2.2). */
export function isEmptyLines(bytes: Buffer): boolean {
  return (bytes[0] === 0x0d || bytes[0] === lineFeed) && /^[\r\n]*$/.test(bytes.toString('latin1'));
}

/** Looks whether the start line ends with a version of HTTP: the parser does not tell which protocol it read there. */
export function watchStartLine(head: HeadProgress, bytes: Buffer): void {
  if (head.startLine === undefined) return;
  const lineEnd = bytes.indexOf(lineFeed);
  head.isForeign = false;
  if (head.startLine === '' && bytes[lineEnd - 'HTTP/1.1\r'.length] === letterH) {
    head.startLine = undefined;
    return;
  }
  const lines = `${head.startLine}${bytes.toString('latin1')}`.replace(/^[\r\n]+/, '');
  const end = lines.indexOf('\n');
  if (end < 0) {
    head.startLine = lines.slice(-' RTSP/1.1\r'.length);
    return;
  }
  head.startLine = undefined;
  head.isForeign = / (?:RTSP|ICE)\/\d\.\d\r?$/.test(lines.slice(0, end));
}

/** Where the head that the parser is at ends in these bytes; -1 where it does not. Its end may have begun before them. */
export function headEndIn({ tail }: HeadProgress, bytes: Buffer): number {
  if (tail.length > 0) {
    const seam = Buffer.concat([tail, bytes.subarray(0, headEnd.length - 1)]).indexOf(headEnd);
    if (seam >= 0) return seam + headEnd.length - tail.length;
  }
  const found = bytes.indexOf(headEnd);
  return found < 0 ? -1 : found + headEnd.length;
}

/** Whether the request says that a body follows (RFC 9112 §6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
