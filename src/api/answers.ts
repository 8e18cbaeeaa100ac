/** Sends answers, each with its headers and preconditions (RFC 9110 §13). */
import type { Readable } from 'node:stream';
import { mediaTypes } from '../contract/rows.ts';
import { refusalOf } from '../errors.ts';
import { type Body, encode, isPlain, shortBodyLength } from '../http/codings.ts';
import { isNotModified } from '../http/preconditions.ts';
import { type CachedAnswer, tagOf, type Variant, withCoding } from './answer-cache.ts';
import { type CollectionRequest, makeCollectionBody, orderedBy } from './collections.ts';
import { type Api, disconnectSignal, type Exchange, type Reading } from './context.ts';
import { resolveCursor } from './cursors.ts';
import { type Item, noSuchItem } from './handlers.ts';

export function sendCached(api: Api, exchange: Exchange, cached: CachedAnswer): void {
  if (isUnchanged(exchange, cached.tag)) sendHead(exchange, 304, tagHeaders(cached.tag));
  else sendBody(exchange, cached, api.bodies.countSending);
}

/** Throws preconditionFailed. */
function isUnchanged({ request: { headers } }: Exchange, tag: string): boolean {
  const isConditional = headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;
  return isConditional && isNotModified(headers, tag);
}

/** Throws unknownItem. */
export async function sendItem(reading: Reading, { assertVisible, find }: Item, id: bigint): Promise<void> {
  const { api, exchange, match, variant } = reading;
  if (assertVisible) await assertVisible(api.store.reader);
  const result = find(api.store);
  const json = result instanceof Promise ? await result : result;
  if (json === undefined) throw noSuchItem(match.operationId, id);
  const tag = tagOf(api, variant);
  const body = isPlain(json, variant.coding) ? json : await encode(json, variant.coding);
  sendCached(api, exchange, cacheAnswer(reading, tag, body));
}

function cacheAnswer(
  { api, variant }: Reading,
  tag: string,
  body: Body,
  extraHeaders: readonly string[] = [],
): CachedAnswer {
  const headers = [...bodyHeaders(variant, tag, Buffer.byteLength(body)), ...extraHeaders];
  const answer = { tag, headers, body };
  api.cache.add(variant.cacheKey, answer);
  return answer;
}

export async function sendCollection(reading: Reading, requested: CollectionRequest): Promise<void> {
  const { api, exchange, match, variant } = reading;
  const { collection } = requested;
  if (collection.assertVisible) await collection.assertVisible(api.store.reader);
  const tag = tagOf(api, variant);
  if (isUnchanged(exchange, tag)) {
    sendHead(exchange, 304, tagHeaders(tag));
    return;
  }
  const completeJson =
    match.query === '' && variant.format === 'json' ? await collection.findIfFew?.(api.store) : undefined;
  if (completeJson !== undefined) {
    const body = await encode(completeJson, variant.coding);
    sendBody(exchange, cacheAnswer(reading, tag, body), api.bodies.countSending);
    return;
  }
  const signal = disconnectSignal(exchange.response);
  // Concurrent requests for one body wait for the first one, whose answer is cached.
  await api.bodies.withLock(variant.cacheKey, async () => {
    signal.throwIfAborted();
    const cached = api.cache.find(variant.cacheKey);
    if (cached) sendBody(exchange, cached, api.bodies.countSending);
    else await makeAndSend(reading, requested, { tag, signal });
  });
}

async function makeAndSend(
  reading: Reading,
  requested: CollectionRequest,
  { tag, signal }: { tag: string; signal: AbortSignal },
): Promise<void> {
  const { api, exchange, variant } = reading;
  const { longReader } = api.store;
  const ordered = orderedBy(requested, reading, signal);
  const total = requested.isCounted
    ? ['x-total-count', String(await ordered.listing.count(longReader, signal))]
    : [];
  const after = requested.cursorValues && (await resolveCursor(requested.cursorValues, ordered));
  const result = await makeCollectionBody(reading, { ...ordered, limit: requested.limit, after });
  const extraHeaders = result.link === undefined ? total : [...total, 'link', result.link];
  if ('stream' in result) {
    const plainerVariant = withCoding(variant, result.coding);
    const headers = bodyHeaders(plainerVariant, tagOf(api, plainerVariant), undefined);
    sendStream(exchange, [...headers, ...extraHeaders], result.stream);
    return;
  }
  sendBody(exchange, cacheAnswer(reading, tag, result.body, extraHeaders), api.bodies.countSending);
}

export function sendHead(
  { response, headers }: Exchange,
  status: number,
  extraHeaders: readonly string[],
): void {
  headers.push(...extraHeaders);
  response.writeHead(status, headers);
  response.end();
}

const vary = 'Authorization, Accept, Accept-Encoding';

function tagHeaders(tag: string): string[] {
  return ['ETag', tag, 'Cache-Control', 'private, no-cache', 'Vary', vary];
}

export function bodyHeaders(
  { format, coding }: Pick<Variant, 'format' | 'coding'>,
  tag: string,
  length: number | undefined,
): string[] {
  const headers = tagHeaders(tag);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Type', mediaTypes[format]);
  if (length !== undefined) headers.push('Content-Length', String(length));
  return headers;
}

function sendBody(
  { request, response, headers }: Exchange,
  { headers: ownHeaders, body }: CachedAnswer,
  countSending: (bytes: Buffer) => () => void,
): void {
  headers.push(...ownHeaders);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else {
    const isLarge = typeof body !== 'string' && body.length > shortBodyLength && !response.closed;
    if (isLarge) response.once('close', countSending(body));
    response.end(body);
  }
}

/** A body that cannot be finished ends in a reset, so that the client does not take a part for the whole. */
function sendStream(exchange: Exchange, extraHeaders: readonly string[], body: Readable): void {
  const { request, response, headers } = exchange;
  headers.push(...extraHeaders);
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

/** An answer that has begun can only be reset. */
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
