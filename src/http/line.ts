/** What is remembered of each connection: how far its requests are parsed, answered and taken. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Says whether it answers the request with this head, and then calls `answerHead` or `parseHead`, once. */
export type TakeHead = (socket: Socket, head: string) => boolean;

/** The connections of a server, together. */
export interface Connections {
  /** Requests that are being answered. */
  underWay: number;
  /** Who is asked about each head that begins where another request has ended; nobody at first. */
  take: TakeHead | undefined;
}

export interface Line {
  connections: Connections;
  /** Node's own listeners, which hand bytes and their end to the parser. */
  parse(this: Socket, bytes: Buffer): void;
  finish(this: Socket): void;
  /** Whether the client ended its side. */
  hasEnded: boolean;
  /** What arrived and is not parsed yet. */
  ahead: Buffer | undefined;
  answer: ServerResponse | undefined;
  unanswered: number;
  /** The head that the parser is at, if it was given no more and no less. */
  parsing: Buffer | undefined;
  /** Whether the parser was given nothing yet. */
  isFresh: boolean;
  /** Whether what the parser is at ends with a head. */
  endsHead: boolean;
  /** The last bytes that the parser was given of a head that has not ended: fewer than end one. */
  tail: Buffer;
  /** Whether the parser has seen one request at least, and all of it. */
  isBetween: boolean;
  /** The head of the request under way that somebody took. */
  taken: Buffer | undefined;
  /** Whether the answer to that is on its way. */
  isSending: boolean;
  /** To be called once the system has that answer, or never will. */
  onSent: (() => void) | undefined;
  /** Has what was sent ahead begun in one of the next turns of the event loop. */
  goOnSoon(): void;
  /** No longer HTTP: what still arrives is dropped. */
  isOver: boolean;
  /** Refused by the parser: it only wants to see what still arrives, and is not to be asked for every line of it. */
  isBroken: boolean;
}

export const lines = new WeakMap<Socket, Line>();
export const connectionsOf = new WeakMap<Server, Connections>();

export const noBytes = Buffer.alloc(0);
const tailLength = 3;

/** Hands bytes to Node's parser; `endsHead`: whether they end where a head does. */
export function parse(socket: Socket, line: Line, bytes: Buffer, endsHead: boolean): void {
  const isAtStart = line.isFresh || line.isBetween;
  // Empty lines before a request are none of it (RFC 9112 §2.2).
  if (!isAtStart || !isEmptyLines(bytes)) {
    line.isFresh = false;
    line.isBetween = false;
  }
  line.endsHead = endsHead;
  line.parsing = endsHead && isAtStart ? bytes : undefined;
  line.parse.call(socket, bytes);
  line.parsing = undefined;
  line.endsHead = false;
  const isAmidHead = !endsHead && !line.isFresh && !line.isBetween;
  line.tail = isAmidHead
    ? Buffer.concat([line.tail, bytes.subarray(-tailLength)]).subarray(-tailLength)
    : noBytes;
}

function isEmptyLines(bytes: Buffer): boolean {
  return (bytes[0] === 0x0d || bytes[0] === 0x0a) && /^[\r\n]*$/.test(bytes.toString('latin1'));
}

/** Whether nothing was begun on a connection that is not done. */
export function isIdle(socket: Socket): boolean {
  const line = lines.get(socket);
  return !line || (line.unanswered === 0 && !line.ahead && (line.isFresh || line.isBetween));
}
