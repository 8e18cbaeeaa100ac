/**
 * One request at a time on each connection. What a client sends ahead (RFC 9112 §9.3.2) waits unparsed, and nothing more
 * is read from it while an answer is under way: who pipelines and never reads costs one answer and a packet or two.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { offer } from './heads.ts';
import { type Connections, connectionsOf, type Line, lines, noBytes, parse } from './line.ts';
import { hasBody } from './protocol.ts';

const headEnd = Buffer.from('\r\n\r\n');
/** Never reached by heads that end as they should; other line ends could hide many of them from the cuts below. */
const parsedAheadAtMost = 4;
/** Requests sent ahead that are begun in one turn of the event loop. */
const servedPerTurn = 16;

/** Makes the connections of a server wait for their answers. */
export function answerOneAtATime(server: Server): Connections {
  const connections: Connections = { underWay: 0, take: undefined };
  connectionsOf.set(server, connections);
  // A client may end its side once it has asked (RFC 9112 §9.6); what it asked before is answered.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    const parseBytes = socket.listeners('data').at(-1) as Line['parse'] | undefined;
    const finish = socket.listeners('end').at(-1) as Line['finish'] | undefined;
    if (!parseBytes || !finish) throw new Error('this release of Node parses connections in another way');
    lines.set(socket, {
      connections,
      parse: parseBytes,
      finish,
      hasEnded: false,
      ahead: undefined,
      answer: undefined,
      unanswered: 0,
      parsing: undefined,
      isFresh: true,
      tail: noBytes,
      endsHead: false,
      isBetween: false,
      taken: undefined,
      isSending: false,
      onSent: undefined,
      goOnSoon: () => serveSoon(socket),
      isOver: false,
      isBroken: false,
    });
    socket.on('data', receive);
    socket.removeListener('data', parseBytes);
    socket.on('end', end);
    socket.removeListener('end', finish);
  });
  server.prependListener('request', begin);
  server.prependListener('checkExpectation', begin);
  server.prependListener('clientError', (_error, socket) => {
    const line = lines.get(socket as Socket);
    if (line) line.isBroken = true;
  });
  server.prependListener('connect', (_request, socket) => {
    const line = lines.get(socket as Socket);
    if (line) line.isOver = true;
  });
  server.on('timeout', (socket) => {
    // Nothing moves for the idle time. Where we are the slow ones, the client is not to blame.
    const { answer, unanswered = 0, isSending } = lines.get(socket) ?? {};
    if (unanswered === 0 || answer?.headersSent || isSending) socket.destroy();
  });
  return connections;
}

function receive(this: Socket, bytes: Buffer): void {
  const line = lines.get(this);
  if (!line || line.isOver) return;
  // A paused socket may still have had something in hand.
  if (line.ahead) line.ahead = Buffer.concat([line.ahead, bytes]);
  else feed(this, line, bytes);
}

/** Comes even while the connection is paused, and so before what is held back. */
function end(this: Socket): void {
  const line = lines.get(this);
  if (!line) return;
  line.hasEnded = true;
  // Node would close at once where it knows of no request.
  if (!line.ahead && !line.taken) line.finish.call(this);
}

function feed(socket: Socket, line: Line, bytes: Buffer): void {
  let rest = bytes;
  while (rest.length > 0 && !line.isOver) {
    const isWhole = line.isBroken || line.answer?.req.complete === false;
    if (line.unanswered > 0 && !isWhole) {
      line.ahead = rest;
      socket.pause();
      return;
    }
    const end = isWhole ? -1 : headEndIn(line, rest);
    const piece = end < 0 ? rest : rest.subarray(0, end);
    rest = rest.subarray(piece.length);
    // Seen by whoever looks meanwhile: nearly always nothing was sent ahead.
    line.ahead = rest.length > 0 ? rest : undefined;
    if (end < 0 || !offer(socket, line, piece)) parse(socket, line, piece, end >= 0);
    line.ahead = undefined;
  }
}

/** Where the head that the parser is at ends in these bytes; -1 where it does not. Its end may have begun before them. */
function headEndIn({ tail }: Line, bytes: Buffer): number {
  if (tail.length > 0) {
    const seam = Buffer.concat([tail, bytes.subarray(0, headEnd.length - 1)]).indexOf(headEnd);
    if (seam >= 0) return seam + headEnd.length - tail.length;
  }
  const found = bytes.indexOf(headEnd);
  return found < 0 ? -1 : found + headEnd.length;
}

function begin(request: IncomingMessage, response: ServerResponse): void {
  const line = lines.get(request.socket);
  if (!line) return;
  line.answer = response;
  line.unanswered++;
  line.connections.underWay++;
  line.isBetween = line.endsHead && !hasBody(request);
  if (line.unanswered > parsedAheadAtMost) request.socket.destroy();
  response.on('close', answered);
}

function answered(this: ServerResponse): void {
  const { socket } = this.req;
  const line = lines.get(socket);
  if (!line) return;
  line.unanswered--;
  line.connections.underWay--;
  if (line.answer === this) line.answer = undefined;
  if (line.ahead) serveSoon(socket);
}

/** Connections whose next request was sent ahead. Others have their turn before them, so that none is noticed. */
const waiting: Socket[] = [];

function serveSoon(socket: Socket): void {
  waiting.push(socket);
  if (waiting.length === 1) setImmediate(serveWaiting);
}

function serveWaiting(): void {
  for (const socket of waiting.splice(0, servedPerTurn)) {
    const line = lines.get(socket);
    if (line) goOn(socket, line);
  }
  if (waiting.length > 0) setImmediate(serveWaiting);
}

function goOn(socket: Socket, line: Line): void {
  const { ahead } = line;
  // After an answer that ends the connection nothing on it is a request.
  if (!ahead || !socket.writable) return;
  line.ahead = undefined;
  feed(socket, line, ahead);
  if (line.ahead) return;
  if (!line.hasEnded) socket.resume();
  else if (!line.taken) line.finish.call(socket);
}
