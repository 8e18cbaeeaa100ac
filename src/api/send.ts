/** Writes answers: a head in one call, the body behind it, and the same Error body for every refusal. */
import type { Readable } from 'node:stream';
import { mediaTypes } from '../contract/rows.ts';
import { refusalOf } from '../errors.ts';
import type { Body } from '../http/codings.ts';
import type { Exchange } from './context.ts';
import type { Variant } from './kept-answers.ts';

/** An answer without a body. `more`, here and below: headers, names and values in turn. */
export function sendHead({ response, headers }: Exchange, status: number, more: readonly string[]): void {
  headers.push(...more);
  response.writeHead(status, headers);
  response.end();
}

const vary = 'Authorization, Accept, Accept-Encoding';

/** The headers of a 304, and of a 200 as well. */
export function tagHeaders(tag: string): string[] {
  return ['ETag', tag, 'Cache-Control', 'private, no-cache', 'Vary', vary];
}

/** The headers of a 200 that do not depend on the request. `length` in bytes; undefined if it is not known yet. */
export function bodyHeaders({ format, coding }: Variant, tag: string, length: number | undefined): string[] {
  const headers = tagHeaders(tag);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Type', mediaTypes[format]);
  if (length !== undefined) headers.push('Content-Length', String(length));
  return headers;
}

export function sendBody(
  { request, response, headers }: Exchange,
  more: readonly string[],
  body: Body,
  hold: (bytes: Buffer) => () => void,
): void {
  headers.push(...more);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body);
  else {
    // A client may have gone while its answer was made.
    if (!response.closed) response.once('close', hold(body));
    response.end(body);
  }
}

/** A body that is made as fast as the client reads it. If it cannot be finished, the client sees a reset. */
export function sendStream(exchange: Exchange, more: readonly string[], body: Readable): void {
  const { request, response, headers } = exchange;
  headers.push(...more);
  response.writeHead(200, headers);
  if (request.method === 'HEAD' || response.closed) {
    body.destroy();
    response.end();
    return;
  }
  response.once('close', () => body.destroy());
  body.once('error', () => response.socket?.resetAndDestroy());
  body.pipe(response);
}

/** Sends an error as the Error body; cuts off an answer whose head is on its way. */
export function refuse({ request, response, headers }: Exchange, error: unknown): void {
  if (response.headersSent) {
    response.socket?.resetAndDestroy();
    return;
  }
  const refusal = refusalOf(error);
  const text = JSON.stringify(refusal.body);
  headers.push(
    ...refusal.headers,
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Cache-Control', 'no-store'],
  );
  response.writeHead(refusal.status, headers);
  response.end(request.method === 'HEAD' ? undefined : text);
}
