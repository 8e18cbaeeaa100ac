/**
 * One request at a time on each connection. What a client sends ahead (RFC 9112 §9.3.2) waits unparsed, and nothing more
 * is read from it while an answer is under way: a client that pipelines and never reads costs one answer and a packet
 * or two. Node's parser alone reads and frames the bytes; this file only decides when the parser gets them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../api/exchange.ts';
import {
  atStart,
  type HeadProgress,
  hasBody,
  headEndIn,
  isEmptyLines,
  watchBytes,
  watchStartLine,
} from './heads.ts';
import { endLingering } from './lingering.ts';
import { spreadOverTurns } from './turns.ts';

/** The connections of a server, together. */
export interface Connections {
  /** How many requests are being answered. */
  underWay: number;
  /** Whether nothing was begun on this connection that is not done. */
  isIdle(socket: Socket): boolean;
  /** Every connection that is open. */
  open: ReadonlySet<Socket>;
}

interface Connection extends HeadProgress {
  /** Node's own listeners, which hand bytes and their end to the parser. */
  parse(this: Socket, bytes: Buffer): void;
  polled(): void;
  finish(this: Socket): void;
  /** Refuses what the parser should have. */
  refuse(error: Error): void;
  /** Whether the client ended its side. */
  hasEnded: boolean;
  /** What arrived and is not parsed yet. */
  ahead: Buffer | undefined;
  answer: ServerResponse | undefined;
  unanswered: number;
  /** How many requests the parser has read, and whether the last one had an Upgrade: then it is silent about bad heads. */
  requests: number;
  hadUpgrade: boolean;
  /** Whether the parser stands before a request of which it has seen nothing. */
  isBetween: boolean;
  /** Whether the answer under way, or the one before, is the last. */
  isLast: boolean;
  /** Whether the bytes that the parser is getting end where a head does. */
  endsHead: boolean;
  /** No longer HTTP: what still arrives is dropped. */
  isOver: boolean;
  /** Refused by the parser, which only sees what still arrives so that it can be dropped. */
  isBroken: boolean;
}

/** Where a socket has its connection: a WeakMap would cost each collection of garbage a look at every socket. */
const ours = Symbol('connection');
type OurSocket = Socket & { [ours]?: Connection };
const connectionOf = (socket: Socket) => (socket as OurSocket)[ours];
const noBytes = Buffer.alloc(0);

/** Never reached by heads that end as they should; other line ends could hide many of them from the cuts below. */
const parsedAheadAtMost = 4;
/** Requests sent ahead that are begun in one turn of the event loop. */
const servedPerTurn = 16;

/** One poll of libuv answers about at most 1,024 sockets; with more open, it may poll again before anything else runs. */
const polledAtOnce = 1_000;

export interface Listener {
  /** Bytes arrived, in the poll phase of the event loop, which ends before what arrives later is looked at. */
  polled(): void;
  /** Answers a request. */
  begin(exchange: Exchange): void;
  /** The answer is sent, or its client is gone. */
  end(exchange: Exchange): void;
}

/** Hands a server's requests to the listener: on each connection the next one once the one before is answered. */
export function answerOneAtATime(server: Server, listener: Listener): Connections {
  const open = new Set<Socket>();
  const connections: Connections = { underWay: 0, isIdle, open };
  const polled = () => {
    if (open.size < polledAtOnce) listener.polled();
  };
  // A client may end its side once it has asked (RFC 9112 §9.6); what it asked before is answered.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // Node takes its own error listener away from every socket that it hands over ('connect', 'upgrade'), and an error
    // without a listener ends the process. This one stays.
    socket.on('error', () => {});
    const parseBytes = socket.listeners('data').at(-1) as Connection['parse'] | undefined;
    const finish = socket.listeners('end').at(-1) as Connection['finish'] | undefined;
    if (!parseBytes || !finish) throw new Error('this release of Node parses connections in another way');
    const connection: Connection = {
      parse: parseBytes,
      polled,
      finish,
      refuse: (error) => server.emit('clientError', error, socket),
      hasEnded: false,
      ahead: undefined,
      answer: undefined,
      unanswered: 0,
      requests: 0,
      hadUpgrade: false,
      isBetween: true,
      isLast: false,
      endsHead: false,
      ...atStart(),
      isOver: false,
      isBroken: false,
    };
    (socket as OurSocket)[ours] = connection;
    // Node calls this after the last answer on a connection.
    socket.destroySoon = () => {
      connection.isOver = true;
      connection.ahead = undefined;
      endLingering(socket);
    };
    socket.on('data', receive);
    socket.removeListener('data', parseBytes);
    socket.on('end', end);
    socket.removeListener('end', finish);
  });
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request.socket);
    // After the last answer on a connection nothing on it is a request (RFC 9112 §9.6).
    if (!connection) return;
    connection.requests++;
    connection.hadUpgrade = request.headers.upgrade !== undefined;
    if (connection.isLast) return;
    const { url: target = '' } = request;
    const id = randomUUID();
    const headers = ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'];
    const exchange = { request, response, target, id, startedAt: performance.now(), headers };
    connections.underWay++;
    connection.answer = response;
    connection.unanswered++;
    connection.isBetween = connection.endsHead && !hasBody(request);
    if (connection.unanswered > parsedAheadAtMost) request.socket.destroy();
    response.on('close', () => {
      connections.underWay--;
      connection.unanswered--;
      if (connection.answer === response) connection.answer = undefined;
      if (connection.ahead) serveSoon(request.socket);
      listener.end(exchange);
    });
    listener.begin(exchange);
  };
  for (const event of ['request', 'checkExpectation']) server.on(event, begin);
  server.prependListener('clientError', (_error, socket) => {
    const connection = connectionOf(socket as Socket);
    if (connection) connection.isBroken = true;
  });
  server.prependListener('connect', (_request, socket) => {
    const connection = connectionOf(socket as Socket);
    if (connection) connection.isOver = true;
  });
  server.on('timeout', (socket) => {
    // Nothing moves for the idle time. Where the server itself is slow, the client is not to blame.
    const { answer, unanswered = 0 } = connectionOf(socket) ?? {};
    if (unanswered === 0 || answer?.headersSent) cutOff(socket);
  });
  return connections;
}

/** Whether the start line of the request that Node's parser just read names RTSP or ICE, which it reads like HTTP. */
export function isForeign({ socket }: IncomingMessage): boolean {
  return connectionOf(socket)?.isForeign ?? false;
}

/** The connection ends with the answer to this request. */
export function endAfter({ request, response }: Exchange): void {
  response.shouldKeepAlive = false;
  const connection = connectionOf(request.socket);
  if (connection) connection.isLast = true;
}

/** Whether the connection ends with the answer under way. */
export function isLast(socket: Socket): boolean {
  return connectionOf(socket)?.isLast ?? false;
}

/**
 * Ends a connection at once. A client whose answer is not whole sees a reset: a plain end would look like the end of a body
 * without a length (RFC 9112 §6.3).
 */
export function cutOff(socket: Socket): void {
  if (connectionOf(socket)?.answer?.headersSent) socket.resetAndDestroy();
  else socket.destroy();
}

function isIdle(socket: Socket): boolean {
  const connection = connectionOf(socket);
  return !connection || (connection.unanswered === 0 && !connection.ahead && connection.isBetween);
}

function receive(this: Socket, bytes: Buffer): void {
  const connection = connectionOf(this);
  if (!connection || connection.isOver) return;
  connection.polled();
  // A paused socket may still have had something in hand.
  if (connection.ahead) connection.ahead = Buffer.concat([connection.ahead, bytes]);
  else feed(this, connection, bytes);
}

/** Comes even while the connection is paused, and so before what is held back. */
function end(this: Socket): void {
  const connection = connectionOf(this);
  if (connection) connection.hasEnded = true;
  // Node would close at once where it knows of no request.
  if (!connection?.ahead) connection?.finish.call(this);
}

function feed(socket: Socket, connection: Connection, bytes: Buffer): void {
  let rest = bytes;
  while (rest.length > 0 && !connection.isOver) {
    const isNoHead = connection.isBroken || connection.answer?.req.complete === false;
    if (connection.unanswered > 0 && !isNoHead) {
      connection.ahead = rest;
      socket.pause();
      return;
    }
    const end = isNoHead ? -1 : headEndIn(connection, rest);
    const isAll = end < 0 || end === rest.length;
    const piece = isAll ? rest : rest.subarray(0, end);
    rest = isAll ? noBytes : rest.subarray(end);
    // Answers that end meanwhile look here for what to go on with; nearly always nothing was sent ahead.
    connection.ahead = isAll ? undefined : rest;
    parse(socket, connection, piece, end >= 0);
    connection.ahead = undefined;
  }
}

/** Hands bytes to Node's parser; `endsHead`: whether they end where a head does. */
function parse(socket: Socket, connection: Connection, bytes: Buffer, endsHead: boolean): void {
  watchStartLine(connection, bytes);
  // Empty lines before a request are none of it (RFC 9112 §2.2).
  if (!connection.isBetween || !isEmptyLines(bytes)) connection.isBetween = false;
  connection.endsHead = endsHead;
  const { requests } = connection;
  connection.parse.call(socket, bytes);
  connection.endsHead = false;
  const { hadUpgrade, isBroken, isOver } = connection;
  if (hadUpgrade && endsHead && connection.requests === requests && !isBroken && !isOver) {
    connection.refuse(new Error('a head was neither taken nor refused'));
  }
  watchBytes(connection, bytes, endsHead || connection.isBetween, connection.isBetween);
}

/** Goes on with connections whose next request was sent ahead. Others have their turn before them, so that none is noticed. */
const serveSoon = spreadOverTurns(servedPerTurn, (socket: Socket) => {
  const connection = connectionOf(socket);
  // After an answer that ends the connection nothing on it is a request.
  if (!connection?.ahead || !socket.writable) return;
  const { ahead } = connection;
  connection.ahead = undefined;
  feed(socket, connection, ahead);
  if (connection.ahead) return;
  if (!connection.hasEnded) socket.resume();
  else connection.finish.call(socket);
});
