/**
 * One request at a time on each connection. What a client pipelines (RFC 9112 §9.3.2) waits unparsed, and nothing more is read
 * while an answer is under way. Node's parser alone reads and frames the bytes; this file only decides when it gets them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../api/context.ts';
import { announcesBody } from '../api/pipeline.ts';

export interface Listener {
  /** Bytes arrived, in the poll phase of the event loop, which ends before what arrives later is looked at. */
  polled(): void;
  begin(exchange: Exchange): void;
  /** The answer is sent, or its client is gone. */
  end(exchange: Exchange): void;
}

interface Connection {
  server: Server;
  /** Node's own listeners, which hand bytes and their end to the parser. */
  parse(this: Socket, bytes: Buffer): void;
  finish(this: Socket): void;
  /** What the parser got of a head that is no request yet. */
  head: Buffer;
  /** What arrived and is not parsed yet. */
  ahead: Buffer | undefined;
  exchange: Exchange | undefined;
  /** Whether the socket was ever paused: what it read meanwhile is handed over later, in any phase of the event loop. */
  wasPaused?: boolean;
}

/** Where a socket has its connection: a WeakMap would cost each collection of garbage a look at every socket. */
const ours = Symbol('connection');
type OurSocket = Socket & { [ours]: Connection };
const connectionOf = (socket: Socket) => (socket as OurSocket)[ours];
const noBytes = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const letterH = 0x48;

/** Requests sent ahead that are begun in one turn of the event loop. */
const servedPerTurn = 16;
/** One poll of libuv answers about at most 1,024 sockets; with more open, it may poll again before anything else runs. */
const polledAtOnce = 1_000;
/** How long bytes that arrive after the last answer are read and dropped. */
const lingerMs = 1000;

/** Hands a server's requests to the listener, on each connection one after the other. Answers the open connections. */
export function answerOneAtATime(server: Server, listener: Listener): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  function receive(this: Socket, bytes: Buffer) {
    // After the last answer on a connection nothing on it is a request (RFC 9112 §9.6).
    if (!this.writable) return;
    const connection = connectionOf(this);
    if (!connection.wasPaused && open.size < polledAtOnce) listener.polled();
    // A paused socket may still have had something in hand.
    if (connection.ahead) connection.ahead = Buffer.concat([connection.ahead, bytes]);
    else feed(this, connection, bytes);
  }
  function begin(request: IncomingMessage, response: ServerResponse) {
    const { socket, url: target = '' } = request;
    const connection = connectionOf(socket);
    if (connection.exchange) {
      // Bytes behind a body, after which the connection ends; or the parser ended a head where none was cut.
      if (connection.exchange.response.shouldKeepAlive) socket.destroy();
      return;
    }
    const id = randomUUID();
    const exchange: Exchange = {
      request,
      response,
      target,
      id,
      operation: 'other',
      startedAt: performance.now(),
      headers: ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'],
    };
    connection.exchange = exchange;
    response.on('close', end);
    if (!announcesBody(request)) return start(connection, exchange);
    // What a body brings is dropped, and so the next request cannot be found behind it.
    response.shouldKeepAlive = false;
    // First the parser gets the part of the body that arrived: malformed framing is refused before anything else.
    queueMicrotask(() => start(connection, exchange));
  }
  function start(connection: Connection, exchange: Exchange) {
    if (exchange.request.socket.writable) listener.begin(exchange);
    else connection.exchange = undefined;
    connection.head = noBytes;
  }
  function end(this: ServerResponse) {
    const { socket } = this.req;
    const connection = connectionOf(socket);
    const { exchange } = connection;
    connection.exchange = undefined;
    if (connection.ahead) serveSoon(socket);
    if (exchange) listener.end(exchange);
  }
  // A client may end its side once it has asked (RFC 9112 §9.6); its earlier requests are answered.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // Node takes its own error listener away from every socket that it hands over ('connect'), and an error without a
    // listener ends the process. This one stays.
    socket.on('error', () => {});
    const parse = socket.listeners('data').at(-1) as Connection['parse'] | undefined;
    const finish = socket.listeners('end').at(-1) as Connection['finish'] | undefined;
    if (!parse || !finish) throw new Error('this release of Node parses connections in another way');
    const atFirst = { head: noBytes, ahead: undefined, exchange: undefined };
    const connection: Connection = { server, parse, finish, ...atFirst };
    (socket as OurSocket)[ours] = connection;
    socket.once('pause', () => Object.assign(connection, { wasPaused: true }));
    // Node calls this after the last answer on a connection.
    socket.destroySoon = () => endLingering(socket);
    socket.on('data', receive);
    socket.removeListener('data', parse);
    socket.on('end', finishUnlessAhead);
    socket.removeListener('end', finish);
  });
  for (const event of ['request', 'checkExpectation']) server.on(event, begin);
  server.on('timeout', (socket) => {
    // Nothing moves for the idle time. Where the server itself is slow, the client is not to blame.
    if (answerOn(socket)?.headersSent !== false) cutOff(socket);
  });
  return open;
}

/** What was asked and is not answered yet. */
export function exchangeOn(socket: Socket): Exchange | undefined {
  return connectionOf(socket).exchange;
}

/** The answer that is under way. */
export function answerOn(socket: Socket): ServerResponse | undefined {
  return exchangeOn(socket)?.response;
}

/** What arrived of a head that is no request yet, or of the one that just became a request. */
export function headOn(socket: Socket): Buffer {
  return connectionOf(socket).head;
}

/** Whether the start line of the request that Node's parser just read names RTSP or ICE, which it reads like HTTP. */
export function isForeign({ socket }: IncomingMessage): boolean {
  const { head } = connectionOf(socket);
  return head[head.indexOf(lineFeed) - 'HTTP/1.1\r'.length] !== letterH;
}

/** Whether nothing was begun on this connection that is not done. */
export function isIdle(socket: Socket): boolean {
  const { exchange, ahead, head } = connectionOf(socket);
  return !exchange && !ahead && head.length === 0;
}

/** Ends a connection at once, by a reset within an answer: a plain end could look like the end of its body (RFC 9112 §6.3). */
export function cutOff(socket: Socket): void {
  if (answerOn(socket)?.headersSent) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Ends the sending side, and reads and drops what still arrives for a while: unread bytes would turn the end into a reset, which
 * can take the answer with it before the client read it (RFC 9112 §9.6).
 */
export function endLingering(socket: Socket): void {
  connectionOf(socket).ahead = undefined;
  if (!socket.writable || socket.readableEnded) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}

/** The end comes even while a connection is paused, before the bytes held back: Node would close at once. */
function finishUnlessAhead(this: Socket): void {
  const { ahead, finish } = connectionOf(this);
  if (!ahead && this.writable) finish.call(this);
}

/** Hands bytes to Node's parser: those of a head up to its end, those of a body as they are, and the rest later. */
function feed(socket: Socket, connection: Connection, bytes: Buffer): void {
  let rest = bytes;
  while (rest.length > 0 && socket.writable && !connection.exchange) {
    rest = feedHead(socket, connection, rest);
  }
  if (rest.length === 0 || !socket.writable) return;
  if (connection.exchange?.request.complete === false) connection.parse.call(socket, rest);
  else {
    connection.ahead = rest;
    socket.pause();
  }
}

/** Hands over bytes of a head, and answers with those behind its end. */
function feedHead(socket: Socket, connection: Connection, arrived: Buffer): Buffer {
  const before = connection.head.length;
  const bytes = before === 0 ? withoutEmptyLines(arrived) : arrived;
  const head = before === 0 ? bytes : Buffer.concat([connection.head, bytes]);
  const found = head.indexOf(headEnd, Math.max(0, before + 1 - headEnd.length));
  const isPart = found >= 0 && found + headEnd.length < head.length;
  const end = isPart ? found + headEnd.length : head.length;
  connection.head = isPart ? head.subarray(0, end) : head;
  connection.parse.call(socket, isPart ? bytes.subarray(0, end - before) : bytes);
  // After a request with an Upgrade, the parser says nothing of a malformed head.
  if (found >= 0 && !connection.exchange && socket.writable) {
    connection.server.emit('clientError', new Error('a head was neither taken nor refused'), socket);
  }
  return isPart ? bytes.subarray(end - before) : noBytes;
}

/** Empty lines before a request are none of it (RFC 9112 §2.2). */
function withoutEmptyLines(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes[start] === carriageReturn || bytes[start] === lineFeed) start++;
  return start === 0 ? bytes : bytes.subarray(start);
}

const waiting: Socket[] = [];

/** Goes on with a connection whose next request was sent ahead. Others have their turn before, so that none notices. */
function serveSoon(socket: Socket): void {
  if (waiting.push(socket) === 1) setImmediate(serveWaiting);
}

function serveWaiting(): void {
  for (const socket of waiting.splice(0, servedPerTurn)) serveAhead(socket);
  if (waiting.length > 0) setImmediate(serveWaiting);
}

function serveAhead(socket: Socket): void {
  const connection = connectionOf(socket);
  const { ahead } = connection;
  if (!ahead || !socket.writable) return;
  connection.ahead = undefined;
  feed(socket, connection, ahead);
  if (connection.ahead) return;
  if (!socket.readableEnded) socket.resume();
  else connection.finish.call(socket);
}
