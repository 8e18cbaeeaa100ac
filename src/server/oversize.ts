/** Which part of a request's head was too large where the parser only says that the whole was: its target (414) or its headers (431). */
import type { Socket } from 'node:net';
import { type AppError, documentedError } from '../errors.ts';

export const targetLimit = 8 * 1024;
export const headersLimit = 16 * 1024;

/** The end of what was seen of a line whose beginning the parser has swallowed. */
const unfinished = new WeakMap<Socket, string>();

/**
 * What to refuse a head for that is too large. Undefined where these bytes do not show it, because the line at fault
 * began in an earlier packet and goes on: ask again with the next ones.
 */
export function overflowOf(socket: Socket, packet: Buffer, bytesParsed: number): AppError | undefined {
  const text = packet.toString('latin1');
  const seen = unfinished.get(socket);
  if (seen === undefined) {
    const firstLineEnd = text.indexOf('\n');
    const isFirstPacket = socket.bytesRead === packet.length;
    if (isFirstPacket && (firstLineEnd < 0 || firstLineEnd > targetLimit))
      return documentedError('targetTooLong');
    const before = text.slice(0, bytesParsed);
    const lineStart = before.lastIndexOf('\n') + 1;
    if (lineStart > 0) {
      // After an empty line a request begins, after any other it goes on.
      return /(?:^|\n)\r?\n$/.test(before.slice(0, lineStart))
        ? documentedError('targetTooLong')
        : documentedError('headersTooLarge');
    }
  }
  const line = `${seen ?? ''}${text}`;
  const lineEnd = line.indexOf('\n');
  if (lineEnd < 0) {
    unfinished.set(socket, line.slice(-20));
    return undefined;
  }
  return / HTTP\/\d\.\d\r?$/.test(line.slice(0, lineEnd))
    ? documentedError('targetTooLong')
    : documentedError('headersTooLarge');
}
