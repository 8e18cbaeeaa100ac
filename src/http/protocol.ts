/** What happens below the router: requests that are no proper HTTP get the same Error body, once, and the connection ends. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors.ts';
import { refusalOf } from './refusals.ts';

export const targetLimit = 8 * 1024;
export const headersLimit = 16 * 1024;
const lingerMs = 1000;
export const timeouts = { headersMs: 10_000, requestMs: 10_000, idleMs: 15_000 };

/** A request line that is in order (RFC 9112 §3), whatever its method. */
const startLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) [^ \r\n]+ HTTP\/1\.[01]\r?\n/;

/** What Node's parser reports: a code, and the bytes it stopped at. */
type ParserError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

const reasons: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  505: 'HTTP Version Not Supported',
};

/** Answers what the parser refuses, an Expect that cannot be met, and CONNECT. */
export function guardProtocol(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response) => {
    const { status, body } = refusalOf(
      new AppError('expectationFailed', 'The Expect header must be 100-continue or absent; leave it out.'),
    );
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'X-Request-Id': randomUUID(),
      Connection: 'close',
    });
    response.end(text);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuseOnSocket(socket, wrongMethod('CONNECT'));
  });
}

/** Sockets that had their refusal: what still arrives on them is read and dropped. */
const refused = new WeakSet<Duplex>();

/** Answers a request that never became one. Fastify's clientErrorHandler. */
export function refuseMalformed(error: ParserError, socket: Socket): void {
  if (refused.has(socket)) return;
  const answer = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (answer?.req.complete) {
    // The request before it on this connection was whole and is being answered: the refusal waits its turn.
    answer.once('close', () => refuseMalformed(error, socket));
  } else if (answer?.headersSent) {
    // A refusal now would be read as the rest of the answer.
    socket.destroy();
  } else {
    refuseOnSocket(socket, malformation(error));
  }
}

function malformation(error: ParserError): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const lineEnd = error.rawPacket?.indexOf('\n') ?? -1;
    return lineEnd < 0 || lineEnd > targetLimit ? targetTooLong() : headersTooLarge();
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError(
      'requestTimeout',
      'The request took longer than 10 seconds to arrive; send it faster.',
    );
  }
  if (error.code === 'HPE_INVALID_VERSION') return unsupportedVersion();
  if (error.code === 'HPE_INVALID_METHOD') {
    const [, method] = startLine.exec(lineAtFault(error)) ?? [];
    if (method !== undefined) return wrongMethod(method);
  }
  return new AppError(
    'malformedRequest',
    'The request is not well-formed HTTP/1.1; check its start line, headers and framing.',
  );
}

/** From the start of the line that the parser stopped in: requests before it may stand in the same packet. */
function lineAtFault({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const bytes = rawPacket ?? Buffer.alloc(0);
  const start = bytesParsed === 0 ? 0 : bytes.lastIndexOf('\n', bytesParsed - 1) + 1;
  return bytes.toString('latin1', start);
}

/** Throws where the request line or the headers are what the parser lets through but the contract does not. */
export function checkRequest(request: IncomingMessage): void {
  const { url = '' } = request;
  // The parser lets 0.9 and 2.0 through, which never look like this.
  if (request.httpVersionMajor !== 1) throw unsupportedVersion();
  if (url.length > targetLimit) throw targetTooLong();
  if (url.includes('#')) {
    throw new AppError(
      'malformedRequest',
      'The request target has a "#"; send the address without its fragment.',
    );
  }
  let headerBytes = 0;
  let hosts = 0;
  let authorizations = 0;
  const { rawHeaders } = request;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? '';
    headerBytes += name.length + (rawHeaders[place + 1]?.length ?? 0) + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (headerBytes > headersLimit) throw headersTooLarge();
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1') || !isHost(request.headers.host)) {
    throw new AppError('badHost', 'The request needs exactly one well-formed Host header; send one.');
  }
  if (authorizations > 1) {
    throw new AppError('malformedRequest', 'The Authorization header stands more than once; send it once.');
  }
}

function isHost(host: string | undefined): boolean {
  return (
    host === undefined || /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/.test(host)
  );
}

function unsupportedVersion(): AppError {
  return new AppError('unsupportedHttpVersion', 'This speaks HTTP/1.1 and HTTP/1.0; use one of them.');
}

function wrongMethod(method: string): AppError {
  return new AppError('wrongMethod', `${method} is not served here; use GET or DELETE.`);
}

function targetTooLong(): AppError {
  return new AppError(
    'targetTooLong',
    'The request target is longer than 8 KiB; send fewer or shorter parameters.',
  );
}

function headersTooLarge(): AppError {
  return new AppError('headersTooLarge', 'The headers are larger than 16 KiB; send fewer or shorter ones.');
}

/** Writes the refusal and closes, but not before the client could read it: unread bytes would make it a reset. */
function refuseOnSocket(socket: Duplex, error: AppError): void {
  const { status, headers, body } = refusalOf(error);
  const text = JSON.stringify(body);
  refused.add(socket);
  setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${randomUUID()}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(error.code === 'wrongMethod' ? ['Allow: GET, HEAD, DELETE, OPTIONS'] : []),
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
