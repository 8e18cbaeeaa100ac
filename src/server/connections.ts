/**
 * One request at a time on each connection. A client may pipeline (RFC 9112 §9.3.2): bytes wait in the socket during an
 * answer, requests that arrived together in a queue. Only Node's parser frames requests.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../api/context.ts';
import { announcesBody } from '../api/pipeline.ts';

export interface Listener {
  onPoll(): void;
  onBegin(exchange: Exchange): void;
  onEnd(exchange: Exchange): void;
}

interface Connection {
  exchange: Exchange | undefined;
  waiting: Exchange[];
  /** Called when all requests are answered; nothing is read after that. */
  onLastAnswer: (() => void) | undefined;
  /** Whether the last request of the connection has arrived; further ones are dropped. */
  isEnding: boolean;
  droppedCount: number;
  /**
   * The latest bytes and the number of heads among them, for error messages and to detect an incomplete request, never to
   * frame one.
   */
  bytes: Buffer;
  headCount: number;
  /** Whether bytes of a further request arrived during an answer. */
  hasPipelined: boolean;
  read(): void;
}

/** A WeakMap would make each garbage collection visit every socket. */
const connectionKey = Symbol('connection');
type ServerSocket = Socket & { [connectionKey]: Connection };
const connectionOf = (socket: Socket) => (socket as ServerSocket)[connectionKey];
const noBytes = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const [carriageReturn, lineFeed, letterH] = [0x0d, 0x0a, 0x48];

/** One read may contain several requests, each of some kilobytes of memory. */
const bytesPerRead = 1024;
const droppedRequestsAtMost = 100;
const socketsPerBatch = 16;
/** libuv returns about 1,024 sockets at a time; with more of them open it may poll again before anything else runs. */
const socketsPerPoll = 1_000;
const lingerMs = 1000;

/** Returns the open connections. */
export function answerOneAtATime(server: Server, listener: Listener): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const scheduleServing = inBatches((socket) => {
    const connection = connectionOf(socket);
    if (!connection.exchange) begin(socket, connection);
    read(socket, connection);
  });

  function queue(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request;
    const connection = connectionOf(socket);
    connection.headCount++;
    if (connection.isEnding || connection.onLastAnswer || !socket.writable) {
      if (++connection.droppedCount > droppedRequestsAtMost) socket.destroy();
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
    if (connection.exchange) listener.onBegin(connection.exchange);
  }

  function read(socket: Socket, connection: Connection) {
    // A read without a size also detects the end of the stream.
    if (socket.readableLength === 0) socket.read();
    while (!connection.exchange && !connection.onLastAnswer && socket.writable && socket.readableLength > 0) {
      readChunk(socket, connection);
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
      scheduleServing(socket);
    listener.onEnd(exchange);
  }

  // Clients may close their sending side after a request (RFC 9112 §9.6). This undocumented property keeps the other
  // side open (docs/decisions/0011-one-road.md).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    addConnection(socket, (connection) => {
      if (!connection.hasPipelined && open.size < socketsPerPoll) listener.onPoll();
      connection.hasPipelined ||= connection.exchange !== undefined && socket.readableLength > 0;
      read(socket, connection);
    });
  });
  for (const event of ['request', 'checkExpectation']) server.on(event, queue);
  server.on('timeout', closeOrResetIdle);
  return open;
}

function addConnection(socket: Socket, read: (connection: Connection) => void): void {
  // Node removes its own listener at 'connect', and an error without a listener ends the process.
  socket.on('error', () => {});
  const connection: Connection = {
    exchange: undefined,
    waiting: [],
    onLastAnswer: undefined,
    isEnding: false,
    droppedCount: 0,
    bytes: noBytes,
    headCount: 0,
    hasPipelined: false,
    read: () => read(connection),
  };
  (socket as ServerSocket)[connectionKey] = connection;
  // Must run before Node's own listener, which hands the bytes to the parser.
  socket.prependListener('data', (bytes: Buffer) => recordBytes(connection, bytes));
  socket.on('readable', connection.read);
  // Node calls this after the last answer, and by default drops what has arrived, which no documented option prevents
  // (docs/decisions/0011-one-road.md).
  socket.destroySoon = () => lingeringClose(socket);
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

function readChunk(socket: Socket, connection: Connection): void {
  socket.read(socket.readableLength > bytesPerRead ? bytesPerRead : undefined);
  if (!connection.isEnding) return;
  const latest = connection.waiting.at(-1);
  if (!latest || !announcesBody(latest.request)) return;
  // Malformed framing is refused before anything else, so the parser gets the rest of the body first.
  if (socket.readableLength > 0) socket.read();
  // From here on Node reads the body at the speed of its consumer.
  socket.removeListener('readable', connection.read);
}

/** Until an answer begins, the server is what is slow, so the connection stays open. */
function closeOrResetIdle(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent !== false) closeOrReset(socket);
}

function inBatches(serve: (socket: Socket) => void): (socket: Socket) => void {
  const sockets: Socket[] = [];
  function serveNext() {
    for (const socket of sockets.splice(0, socketsPerBatch)) serve(socket);
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

/** Empty lines before a head do not count (RFC 9112 §2.2). */
function incompleteHead({ bytes, headCount }: Connection): Buffer {
  if (headCount === 1 && bytes.indexOf(headEnd) === bytes.length - headEnd.length) return noBytes;
  let start = skipEmptyLines(bytes, 0);
  for (let index = 0; index < headCount; index++) {
    const end = bytes.indexOf(headEnd, start);
    if (end < 0) return noBytes;
    start = skipEmptyLines(bytes, end + headEnd.length);
  }
  return bytes.subarray(start);
}

function skipEmptyLines(bytes: Buffer, start: number): number {
  let index = start;
  while (bytes[index] === carriageReturn || bytes[index] === lineFeed) index++;
  return index;
}

export const incompleteHeadOn = (socket: Socket): Buffer => incompleteHead(connectionOf(socket));

export const exchangeOn = (socket: Socket): Exchange | undefined => connectionOf(socket).exchange;

export function afterLastAnswer(socket: Socket, callback: () => void): void {
  const connection = connectionOf(socket);
  // A request with a malformed body gets no answer of its own.
  if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
  if (connection.exchange || connection.waiting.length > 0) connection.onLastAnswer ??= callback;
  else callback();
}

/** Node's parser accepts RTSP and ICE like HTTP without telling them apart. */
export function isOtherProtocol({ socket, method = '', url = '' }: IncomingMessage): boolean {
  const { bytes } = connectionOf(socket);
  if (bytes[method.length + url.length + '  '.length] === letterH) return false;
  const names = ['RTSP/', 'ICE/'].filter((name) => bytes.includes(name));
  return names.some((name) => bytes.includes(`${method} ${url} ${name}`));
}

export function isIdle(socket: Socket): boolean {
  const { exchange, waiting } = connectionOf(socket);
  return !exchange && waiting.length === 0 && socket.readableLength + incompleteHeadOn(socket).length === 0;
}

/** Within an answer an orderly close could look like the end of the body (RFC 9112 §6.3). */
export function closeOrReset(socket: Socket): void {
  if (exchangeOn(socket)?.response.headersSent) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Reads on for a while, because unread bytes would turn the close into a reset, which can destroy the answer (RFC 9112 §9.6).
 */
export function lingeringClose(socket: Socket): void {
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
