/** Writing an answer: its head in one call, its body behind it, and every refusal with the same Error body. */
import type { Readable } from 'node:stream';
import { refusalOf } from '../errors.ts';
import type { Exchange } from './exchange.ts';
import type { Body } from './kept-answers.ts';

/** What every answer has, whatever it says. */
function withShared({ id }: Exchange, headers: readonly string[]): string[] {
  return ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff', ...headers];
}

/** An answer without a body. `headers`: names and values in turn. */
export function sendHead(exchange: Exchange, status: number, headers: readonly string[]): void {
  const { response } = exchange;
  response.writeHead(status, withShared(exchange, headers));
  response.end();
}

/** A whole body. `hold` counts large ones as being sent. */
export function sendBody(
  exchange: Exchange,
  headers: readonly string[],
  body: Body,
  hold: (bytes: Buffer) => () => void,
): void {
  const { request, response } = exchange;
  response.writeHead(200, withShared(exchange, headers));
  if (request.method === 'HEAD') response.end();
  else if ('text' in body) response.end(body.text, 'latin1');
  else {
    // A client may have gone while its answer was made.
    if (!response.closed) response.once('close', hold(body.bytes));
    response.end(body.bytes);
  }
}

/** A body that is made as fast as the client reads it. Where it cannot be finished, the client sees a reset. */
export function sendStream(exchange: Exchange, headers: readonly string[], body: Readable): void {
  const { request, response } = exchange;
  response.writeHead(200, withShared(exchange, headers));
  if (request.method === 'HEAD' || response.closed) {
    body.destroy();
    response.end();
    return;
  }
  response.once('close', () => body.destroy());
  body.once('error', () => response.socket?.resetAndDestroy());
  body.pipe(response);
}

/** Any error as the Error body that every refusal has; a head that is on its way is cut off. */
export function refuse(exchange: Exchange, error: unknown, headers: readonly string[]): void {
  const { request, response } = exchange;
  if (response.headersSent) {
    response.socket?.resetAndDestroy();
    return;
  }
  const refusal = refusalOf(error);
  const text = JSON.stringify(refusal.body);
  response.writeHead(
    refusal.status,
    withShared(exchange, [
      ...headers,
      ...refusal.headers,
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(text)),
      'Cache-Control',
      'no-store',
    ]),
  );
  response.end(request.method === 'HEAD' ? undefined : text);
}
