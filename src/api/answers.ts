/** Answers: a kept one, a row, a collection or a refusal, each with its headers and preconditions (RFC 9110 §13). */
import type { Readable } from 'node:stream';
import { mediaTypes } from '../contract/rows.ts';
import { refusalOf } from '../errors.ts';
import { type Body, encode, shortAtMost } from '../http/codings.ts';
import { isNotModified } from '../http/preconditions.ts';
import { chooseAxis } from '../store/windows.ts';
import { type AskedPart, makeCollection } from './collections.ts';
import type { Api, Exchange, Reading } from './context.ts';
import { beginAfter } from './cursors.ts';
import { departureOf } from './departures.ts';
import { absent, type Item } from './handlers.ts';
import { type Kept, recoded, tagOf, type Variant } from './kept-answers.ts';
import { countAll } from './walks.ts';

export function sendKept(api: Api, exchange: Exchange, { tag, headers, body }: Kept): void {
  if (isUnchanged(exchange, tag)) sendHead(exchange, 304, tagHeaders(tag));
  else sendBody(exchange, headers, body, api.bodies.hold);
}

/** Throws preconditionFailed. Most requests have no precondition. */
function isUnchanged({ request: { headers } }: Exchange, tag: string): boolean {
  const isConditional = headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;
  return isConditional && isNotModified(headers, tag);
}

/** Throws unknownItem. */
export async function sendItem(
  { api, exchange, match, variant }: Reading,
  { assertVisible, find }: Item,
  id: bigint,
): Promise<void> {
  if (assertVisible) await assertVisible(api.store.reader);
  const found = find(api.store);
  const json = found instanceof Promise ? await found : found;
  if (json === undefined) throw absent(match.operationId, id);
  const isPlain = variant.coding === 'identity' && json.length <= shortAtMost;
  const body = isPlain ? json : await encode(json, variant.coding);
  const tag = tagOf(api, variant);
  const answer = { tag, headers: bodyHeaders(variant, tag, Buffer.byteLength(body)), body };
  api.kept.keep(variant.name, answer);
  sendKept(api, exchange, answer);
}

export async function sendCollection(reading: Reading, part: AskedPart): Promise<void> {
  const { api, exchange, variant } = reading;
  const hasLeft = departureOf(exchange.response);
  const { collection, keys, limit } = part;
  const { reader: db } = api.store;
  if (collection.assertVisible) await collection.assertVisible(db);
  const tag = tagOf(api, variant);
  if (isUnchanged(exchange, tag)) {
    sendHead(exchange, 304, tagHeaders(tag));
    return;
  }
  const axis = chooseAxis(collection.axes, keys);
  const ordered = { collection, keys, axis, db, pause: api.bodies.pausing(hasLeft) };
  const total = part.isCounted ? ['x-total-count', String(await countAll(ordered))] : [];
  const after = part.position && (await beginAfter(part.position, ordered));
  const made = await makeCollection(reading, { ...ordered, limit, after }, hasLeft);
  const more = [...total, ...(made.link === undefined ? [] : ['link', made.link])];
  if ('stream' in made) {
    const plainer = recoded(variant, made.coding);
    const headers = bodyHeaders(plainer, tagOf(api, plainer), undefined);
    sendStream(exchange, [...headers, ...more], made.stream);
    return;
  }
  const headers = [...bodyHeaders(variant, tag, Buffer.byteLength(made.body)), ...more];
  api.kept.keep(variant.name, { tag, headers, body: made.body });
  sendBody(exchange, headers, made.body, api.bodies.hold);
}

/** An answer without a body. `more`, here and below: headers, names and values in turn. */
export function sendHead({ response, headers }: Exchange, status: number, more: readonly string[]): void {
  headers.push(...more);
  response.writeHead(status, headers);
  response.end();
}

const vary = 'Authorization, Accept, Accept-Encoding';

/** The headers of a 304, and of a 200 as well. */
function tagHeaders(tag: string): string[] {
  return ['ETag', tag, 'Cache-Control', 'private, no-cache', 'Vary', vary];
}

/** The headers of a 200 that do not depend on the request. `length` in bytes; undefined if it is not known yet. */
function bodyHeaders({ format, coding }: Variant, tag: string, length: number | undefined): string[] {
  const headers = tagHeaders(tag);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Type', mediaTypes[format]);
  if (length !== undefined) headers.push('Content-Length', String(length));
  return headers;
}

function sendBody(
  { request, response, headers }: Exchange,
  more: readonly string[],
  body: Body,
  hold: (bytes: Buffer) => () => void,
): void {
  headers.push(...more);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else {
    // A client may have gone while its answer was made.
    const isHeld = typeof body !== 'string' && body.length > shortAtMost && !response.closed;
    if (isHeld) response.once('close', hold(body));
    response.end(body);
  }
}

/** A body that is made as fast as the client reads it. If it cannot be finished, the client sees a reset. */
function sendStream(exchange: Exchange, more: readonly string[], body: Readable): void {
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
