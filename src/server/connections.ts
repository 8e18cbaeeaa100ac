/**
 * Handles one request at a time on each connection. A client may pipeline (RFC 9112 §9.3.2): bytes wait in the socket while
 * an answer is in progress, and requests that arrived together are queued. Only Node's parser frames requests.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../api/context.ts';
import { announcesBody } from '../api/pipeline.ts';

export interface Listener {
  /** Called when bytes arrive in the poll phase of the event loop. */
  polled(): void;
  begin(exchange: Exchange): void;
  /** The answer was sent, or the client disconnected. */
  end(exchange: Exchange): void;
}

interface Connection {
  exchange: Exchange | undefined;
  /** Pipelined requests, in order. */
  waiting: Exchange[];
  /** Called when all requests are answered; after that nothing is read. */
  onLastAnswer: (() => void) | undefined;
  /** Whether a request came that is the last on its connection. Further ones are dropped. */
  isEnding: boolean;
  dropped: number;
  /**
   * The bytes since the latest requests, and how many heads of requests these contain. They serve for error messages and to
   * detect incomplete requests, never to frame one.
   */
  bytes: Buffer;
  headCount: number;
  /** Whether bytes ever waited for an answer; those are read in any phase of the event loop. */
  hasWaited: boolean;
  read(): void;
}

/** A property of the socket, because a WeakMap would make each garbage collection visit every socket. */
const connectionKey = Symbol('connection');
type ServerSocket = Socket & { [connectionKey]: Connection };
const connectionOf = (socket: Socket) => (socket as ServerSocket)[connectionKey];
const noBytes = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const [carriageReturn, lineFeed, letterH] = [0x0d, 0x0a, 0x48];

/** They may contain several requests, each of which takes some kilobytes of memory. */
const bytesPerRead = 1024;
/** If more follow the last request, the connection is destroyed. */
const droppedRequestsAtMost = 100;
/** Pipelined requests that begin in one turn of the event loop. */
const requestsPerTurn = 16;
/** One poll of libuv returns about 1,024 sockets; with more of them open, it may poll again before anything else runs. */
const socketsPerPoll = 1_000;
/** Bytes that arrive after the last answer are read and dropped for so long. */
const lingerMs = 1000;

/** Returns the open connections. */
export function answerOneAtATime(server: Server, listener: Listener): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const serveSoon = inSmallTurns((socket) => {
    const connection = connectionOf(socket);
    if (!connection.exchange) begin(socket, connection);
    read(socket, connection);
  });

  function queue(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request;
    const connection = connectionOf(socket);
    connection.headCount++;
    if (connection.isEnding || connection.onLastAnswer || !socket.writable) {
      if (++connection.dropped > droppedRequestsAtMost) socket.destroy();
      return;
    }
    connection.waiting.push(newExchange(request, response));
    response.on('close', end);
    // Upgrades are not supported, and Node's parser drops what comes with a request for one.
    if (announcesBody(request) || request.headers.upgrade !== undefined) {
      connection.isEnding = true;
      response.shouldKeepAlive = false;
    }
    // Node closes the connection as soon as it has parsed the preface of HTTP/2.
    if (request.httpVersionMajor !== 1 && !connection.exchange) begin(socket, connection);
  }

  function begin(socket: Socket, connection: Connection) {
    connection.exchange = socket.writable ? connection.waiting.shift() : undefined;
    if (connection.exchange) listener.begin(connection.exchange);
  }

  function read(socket: Socket, connection: Connection) {
    // A read without a size also detects the end of the stream.
    if (socket.readableLength === 0) socket.read();
    while (!connection.exchange && !connection.onLastAnswer && socket.writable && socket.readableLength > 0) {
      readSome(socket, connection);
      if (!connection.exchange) begin(socket, connection);
    }
    if (!connection.exchange && connection.waiting.length === 0 && socket.writable)
      connection.onLastAnswer?.();
  }

  function end(this: ServerResponse) {
    const { socket } = this.req;
    const connection = connectionOf(socket);
    const { exchange } = connection;
    if (exchange?.response !== this) return;
    connection.exchange = undefined;
    if (connection.waiting.length > 0 || connection.onLastAnswer || socket.readableLength > 0)
      serveSoon(socket);
    listener.end(exchange);
  }

  // A client may close its sending side after its requests (RFC 9112 §9.6) and still gets the answers. Without this
  // undocumented property Node would close the connection (docs/decisions/0011-one-road.md).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    addConnection(socket, (connection) => {
      if (!connection.hasWaited && open.size < socketsPerPoll) listener.polled();
      connection.hasWaited ||= connection.exchange !== undefined && socket.readableLength > 0;
      read(socket, connection);
    });
  });
  for (const event of ['request', 'checkExpectation']) server.on(event, queue);
  server.on('timeout', cutOffIdle);
  return open;
}

function addConnection(socket: Socket, read: (connection: Connection) => void): void {
  // Node removes its own error listener from a socket of a 'connect' event, and an error without a listener ends the
  // process.
  socket.on('error', () => {});
  const connection: Connection = {
    exchange: undefined,
    waiting: [],
    onLastAnswer: undefined,
    isEnding: false,
    dropped: 0,
    bytes: noBytes,
    headCount: 0,
    hasWaited: false,
    read: () => read(connection),
  };
  (socket as ServerSocket)[connectionKey] = connection;
  // This listener must run before Node's, which hands the bytes to the parser.
  socket.prependListener('data', (bytes: Buffer) => recordBytes(connection, bytes));
  socket.on('readable', connection.read);
  // Node calls this after the last answer. Its own version closes without reading what has arrived, and no documented
  // option prevents that (docs/decisions/0011-one-road.md).
  socket.destroySoon = () => endLingering(socket);
}

function newExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const id = randomUUID();
  return {
    request,
    response,
    target: request.url ?? '',
    id,
    operation: 'other',
    startedAt: performance.now(),
    headers: ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'],
  };
}

function readSome(socket: Socket, connection: Connection): void {
  socket.read(socket.readableLength > bytesPerRead ? bytesPerRead : undefined);
  if (!connection.isEnding) return;
  const latest = connection.waiting.at(-1);
  if (!latest || !announcesBody(latest.request)) return;
  // The parser gets the rest of the body first, so that malformed framing is refused before anything else.
  if (socket.readableLength > 0) socket.read();
  // From here on Node reads the body at the speed of its consumer.
  socket.removeListener('readable', connection.read);
}

/** If no answer has begun, the server is slow and the client is not to blame. */
function cutOffIdle(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent !== false) cutOff(socket);
}

/** Pipelined requests are served in batches, with other connections in between. */
function inSmallTurns(serve: (socket: Socket) => void): (socket: Socket) => void {
  const sockets: Socket[] = [];
  function serveNext() {
    for (const socket of sockets.splice(0, requestsPerTurn)) serve(socket);
    if (sockets.length > 0) setImmediate(serveNext);
  }
  return (socket) => {
    if (sockets.push(socket) === 1) setImmediate(serveNext);
  };
}

function recordBytes(connection: Connection, bytes: Buffer): void {
  if (connection.isEnding) return;
  const rest = incompleteHead(connection);
  connection.bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
  connection.headCount = 0;
}

/** The bytes after the complete heads. Empty lines before a head do not count (RFC 9112 §2.2). */
function incompleteHead({ bytes, headCount }: Connection): Buffer {
  // Shortcut for a request that arrived alone.
  if (headCount === 1 && bytes.indexOf(headEnd) === bytes.length - headEnd.length) return noBytes;
  let start = pastEmptyLines(bytes, 0);
  for (let index = 0; index < headCount; index++) {
    const end = bytes.indexOf(headEnd, start);
    if (end < 0) return noBytes;
    start = pastEmptyLines(bytes, end + headEnd.length);
  }
  return bytes.subarray(start);
}

function pastEmptyLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === carriageReturn || bytes[at] === lineFeed) at++;
  return at;
}

export const headOn = (socket: Socket): Buffer => incompleteHead(connectionOf(socket));

export const exchangeOn = (socket: Socket): Exchange | undefined => connectionOf(socket).exchange;

/** Requests that come later do not count. */
export function afterAll(socket: Socket, last: () => void): void {
  const connection = connectionOf(socket);
  // A request with a malformed body gets no answer of its own.
  if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
  if (connection.exchange || connection.waiting.length > 0) connection.onLastAnswer ??= last;
  else last();
}

/** Node's parser accepts RTSP and ICE like HTTP without telling them apart. */
export function isForeign({ socket, method = '', url = '' }: IncomingMessage): boolean {
  const { bytes } = connectionOf(socket);
  if (bytes[method.length + url.length + '  '.length] === letterH) return false;
  const names = ['RTSP/', 'ICE/'].filter((name) => bytes.includes(name));
  return names.some((name) => bytes.includes(`${method} ${url} ${name}`));
}

export function isIdle(socket: Socket): boolean {
  const { exchange, waiting } = connectionOf(socket);
  return !exchange && waiting.length === 0 && socket.readableLength + headOn(socket).length === 0;
}

/** Within an answer it resets the connection, because an orderly close could look like the end of the body (RFC 9112 §6.3). */
export function cutOff(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Closes the sending side, then reads and drops input for a while. Unread bytes would turn the close into a reset, which can
 * destroy the answer before the client reads it (RFC 9112 §9.6).
 */
export function endLingering(socket: Socket): void {
  const connection = connectionOf(socket);
  connection.isEnding = true;
  if (!socket.writable || socket.readableEnded) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.removeListener('readable', connection.read);
  socket.resume();
}
