/** Errors below the router: malformed HTTP gets an Error body, and the connection is closed. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { longestTarget } from '../contract/parameters.ts';
import { AppError, documentedError, refusalOf } from '../errors.ts';
import { STATUS_CODES } from '../http/node-http.ts';
import { headersLimit } from './connection-limits.ts';
import {
  afterLastAnswer,
  closeOrReset,
  exchangeOn,
  incompleteHeadOn,
  isOtherProtocol,
  lingeringClose,
} from './connections.ts';

export const serverMethods = 'GET, HEAD, POST, DELETE, OPTIONS';

type LogRefusal = (line: { reqId: string; status: number; error: number; client: string }) => void;
type ParserError = Error & { code?: string };

const startLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) +([^ \r\n]+) HTTP\/(\d\.\d)\r?\n/;

/** Node emits no 'request' for malformed HTTP and for CONNECT. */
export function guardProtocol(server: Server, logRefusal: LogRefusal): void {
  server.on('clientError', (error, socket) => refuseMalformed(error, socket as Socket, logRefusal));
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    afterLastAnswer(socket, () => refuseOnSocket(socket, wrongMethod('CONNECT'), logRefusal));
  });
}

function refuseMalformed(error: ParserError, socket: Socket, logRefusal: LogRefusal): void {
  const response = exchangeOn(socket)?.response;
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isTimeout && exchangeOn(socket)?.hasLongBody) return;
  if (!socket.writable) return;
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0) socket.destroy();
  // After an answer has begun, a refusal would be read as a part of it.
  else if (response?.req.complete === false && response.headersSent) closeOrReset(socket);
  else if (response?.req.complete === false)
    refuseOnSocket(socket, parserRefusal(error, incompleteHeadOn(socket)), logRefusal);
  // During an answer nothing more is read, so a timeout is not the fault of the client.
  else if (!response || !isTimeout) {
    const refusal = parserRefusal(error, incompleteHeadOn(socket));
    afterLastAnswer(socket, () => refuseOnSocket(socket, refusal, logRefusal));
  }
}

function parserRefusal({ code }: ParserError, head: Buffer): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return documentedError('requestTimeout');
  const text = head.toString('latin1');
  if (code === 'HPE_HEADER_OVERFLOW') {
    const [, target = ''] = /^\S+ +(\S*)/.exec(text) ?? [];
    return documentedError(target.length > longestTarget ? 'targetTooLong' : 'headersTooLarge');
  }
  const [, method, , version] = startLine.exec(text) ?? [];
  if (version && version !== '1.0' && version !== '1.1') return unsupportedVersion();
  if (code === 'HPE_INVALID_METHOD' && method) return wrongMethod(method);
  return malformedRequest(
    'The request is not well-formed HTTP/1.1; check its start line, headers and framing.',
  );
}

/** Throws where Node's parser is more lenient than the contract. */
export function checkRequest(request: IncomingMessage, target: string): void {
  // Node's parser accepts HTTP 0.9 and 2.0.
  if (request.httpVersionMajor !== 1) throw unsupportedVersion();
  if (isOtherProtocol(request)) {
    throw malformedRequest('The start line names a protocol other than HTTP; send HTTP/1.1.');
  }
  if (target.length > longestTarget) throw documentedError('targetTooLong');
  if (!target.startsWith('/')) checkNonPathTarget(request, target);
  if (target.includes('#')) {
    throw malformedRequest('The request target has a "#"; send the address without its fragment.');
  }
  const { headers, httpVersion } = request;
  const { expect, 'transfer-encoding': coding } = headers;
  // The server decodes only "chunked", which HTTP/1.0 does not have (RFC 9112 §6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    throw malformedRequest(
      'The Transfer-Encoding must be "chunked", in HTTP/1.1; none of the operations takes a body.',
    );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue' && httpVersion === '1.1') {
    const sentence = 'The Expect header must be 100-continue or absent; leave it out.';
    throw new AppError('expectationFailed', sentence);
  }
  let headerBytes = 0;
  let hosts = 0;
  let authorizations = 0;
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    headerBytes += name.length + (rawHeaders[index + 1]?.length ?? 0) + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (headerBytes > headersLimit) throw documentedError('headersTooLarge');
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1') || !isHost(headers.host ?? '')) {
    throw new AppError('badHost', 'The request needs exactly one valid Host header; send one.');
  }
  if (authorizations > 1) {
    throw malformedRequest('The Authorization header was sent more than once; send it once.');
  }
}

/** RFC 9112 §3.2.2, §3.2.4. */
function checkNonPathTarget({ method }: IncomingMessage, target: string): void {
  const [, authority, host = ''] = /^https?:\/\/((?:[^/?#]*@)?([^/?#]*))/i.exec(target) ?? [];
  // RFC 9110 §4.2.1: an http address needs a host.
  if (authority && (!isHost(host) || /^(?::|$)/.test(host))) {
    throw new AppError('badHost', 'The request target has a malformed host; begin it with "/".');
  }
  if (!authority && !(target === '*' && method === 'OPTIONS')) {
    throw malformedRequest('The request target is neither a path nor an http address; begin it with "/".');
  }
}

/** RFC 3986 §3.2.2, §3.2.3; no host has percent signs. */
function isHost(host: string): boolean {
  const match = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{0,5}))?$/.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

function malformedRequest(sentence: string): AppError {
  return new AppError('malformedRequest', sentence);
}

function unsupportedVersion(): AppError {
  return new AppError(
    'unsupportedHttpVersion',
    'The server supports HTTP/1.1 and HTTP/1.0; use one of them.',
  );
}

function wrongMethod(method: string): AppError {
  return new AppError('wrongMethod', `This path does not allow ${method}; use GET or DELETE.`);
}

function refuseOnSocket(socket: Socket, error: AppError, logRefusal: LogRefusal): void {
  const { status, body } = refusalOf(error);
  const text = JSON.stringify(body);
  const reqId = randomUUID();
  logRefusal({ reqId, status, error: body.error, client: socket.remoteAddress ?? '' });
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${reqId}`,
      'Connection: close',
      ...(error.code === 'wrongMethod' ? [`Allow: ${serverMethods}`] : []),
      `Date: ${new Date().toUTCString()}`,
      '',
      text,
    ].join('\r\n'),
  );
  lingeringClose(socket);
}
