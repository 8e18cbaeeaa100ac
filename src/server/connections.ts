/**
 * One request at a time on each connection. A client may send requests ahead (RFC 9112 §9.3.2): bytes wait in the socket while an
 * answer is under way, and what came with the bytes of an earlier request waits for its turn. Node's parser alone frames requests.
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
  /** Under way. */
  exchange: Exchange | undefined;
  /** Requests whose turn comes after it. */
  waiting: Exchange[];
  /** Takes the turn when all of them are answered: nothing more is read. */
  onLastAnswer: (() => void) | undefined;
  /** Whether a request came that is the last on its connection: all behind it is dropped. */
  isEnding: boolean;
  /** Requests that came behind the last one. */
  dropped: number;
  /**
   * The bytes since those that began the latest requests, and how many these were: for the sentence of a refusal, and to see that
   * a request is on its way. They never decide what is a request.
   */
  bytes: Buffer;
  headCount: number;
  /** Whether bytes ever waited for an answer: such bytes are read in any phase of the event loop. */
  hasWaited: boolean;
  read(): void;
}

/** The property of a socket that has its connection: a WeakMap would cost each collection of garbage a look at every socket. */
const connectionKey = Symbol('connection');
type ServerSocket = Socket & { [connectionKey]: Connection };
const connectionOf = (socket: Socket) => (socket as ServerSocket)[connectionKey];
const noBytes = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const [carriageReturn, lineFeed, letterH] = [0x0d, 0x0a, 0x48];

/** Bytes that the parser gets at once. They may be several requests, each of which takes some kilobytes of memory. */
const bytesPerRead = 1024;
/** Requests behind the last one on a connection that are dropped before it is closed. */
const droppedRequestsAtMost = 100;
/** Requests sent ahead that are begun in one turn of the event loop. */
const requestsPerTurn = 16;
/** One poll of libuv answers about at most 1,024 sockets; with more open, it may poll again before anything else runs. */
const socketsPerPoll = 1_000;
/** How long bytes that arrive after the last answer are read and dropped. */
const lingerMs = 1000;

/** Hands a server's requests to the listener, on each connection one after the other. Answers the open connections. */
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
    // No Upgrade is done, and Node's parser drops what comes with a request for one.
    if (announcesBody(request) || request.headers.upgrade !== undefined) {
      connection.isEnding = true;
      response.shouldKeepAlive = false;
    }
    // Node closes the connection as soon as its parser has read the preface of HTTP/2.
    if (request.httpVersionMajor !== 1 && !connection.exchange) begin(socket, connection);
  }

  function begin(socket: Socket, connection: Connection) {
    connection.exchange = socket.writable ? connection.waiting.shift() : undefined;
    if (connection.exchange) listener.begin(connection.exchange);
  }

  function read(socket: Socket, connection: Connection) {
    // A read without a number also tells the end of what a client sends.
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

  // A client may end its side once it has asked (RFC 9112 §9.6); its earlier requests are answered. Without this property, which
  // Node does not document, the answers end with the client's side (docs/decisions/0011-one-road.md).
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

/** Gives a new socket its connection, which `read` gets whenever there is something to read. */
function addConnection(socket: Socket, read: (connection: Connection) => void): void {
  // Node takes its own error listener away from every socket that it hands over ('connect'), and an error without a
  // listener ends the process. This one stays.
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
  // Before Node's own listener, which hands the bytes to the parser.
  socket.prependListener('data', (bytes: Buffer) => recordBytes(connection, bytes));
  socket.on('readable', connection.read);
  // Node calls this after the last answer on a connection. Its own closes without reading what has arrived, and nothing that
  // Node documents puts that off (docs/decisions/0011-one-road.md).
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

/** Hands the next bytes to the parser. */
function readSome(socket: Socket, connection: Connection): void {
  socket.read(socket.readableLength > bytesPerRead ? bytesPerRead : undefined);
  if (!connection.isEnding) return;
  const latest = connection.waiting.at(-1);
  if (!latest || !announcesBody(latest.request)) return;
  // First the parser gets the part of the body that arrived: malformed framing is refused before anything else.
  if (socket.readableLength > 0) socket.read();
  // From here on Node reads the body as fast as it is taken.
  socket.removeListener('readable', connection.read);
}

/** Nothing moves for the idle time. Where the server itself is slow, the client is not to blame. */
function cutOffIdle(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent !== false) cutOff(socket);
}

/** Goes on with connections whose next request was sent ahead. Others have their turn before, so that none notices. */
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

/** The bytes behind the heads that became requests. Empty lines before a head belong to none (RFC 9112 §2.2). */
function incompleteHead({ bytes, headCount }: Connection): Buffer {
  // Most requests come by themselves.
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

/** The bytes of a request's head whose end has not come yet. */
export const headOn = (socket: Socket): Buffer => incompleteHead(connectionOf(socket));

/** The request of this connection that has no whole answer yet. */
export const exchangeOn = (socket: Socket): Exchange | undefined => connectionOf(socket).exchange;

/** Calls back once all requests that came are answered; nothing that comes later counts. */
export function afterAll(socket: Socket, last: () => void): void {
  const connection = connectionOf(socket);
  // A request whose body is malformed is none.
  if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
  if (connection.exchange || connection.waiting.length > 0) connection.onLastAnswer ??= last;
  else last();
}

/** Whether the start line of this request names RTSP or ICE: Node's parser reads them like HTTP, and does not say which it was. */
export function isForeign({ socket, method = '', url = '' }: IncomingMessage): boolean {
  const { bytes } = connectionOf(socket);
  if (bytes[method.length + url.length + '  '.length] === letterH) return false;
  const names = ['RTSP/', 'ICE/'].filter((name) => bytes.includes(name));
  return names.some((name) => bytes.includes(`${method} ${url} ${name}`));
}

/** Whether nothing that began is under way. */
export function isIdle(socket: Socket): boolean {
  const { exchange, waiting } = connectionOf(socket);
  return !exchange && waiting.length === 0 && socket.readableLength + headOn(socket).length === 0;
}

/** Ends a connection at once, by a reset within an answer: a plain end could look like the end of its body (RFC 9112 §6.3). */
export function cutOff(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Ends the sending side, and reads and drops what still arrives for a while: unread bytes would turn the end into a reset, which
 * can take the answer with it before the client read it (RFC 9112 §9.6).
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
