/** The answers to reads: a kept one, a row, or a collection, each with its preconditions (RFC 9110 §13). */
import { jsonWriter } from '../contract/rows.ts';
import { encode } from '../http/codings.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { chooseAxis } from '../store/windows.ts';
import { type AskedPart, makeCollection } from './collections.ts';
import type { Api, Exchange, Reading } from './context.ts';
import { beginAfter } from './cursors.ts';
import { departureOf } from './departures.ts';
import { absent, type Item } from './handlers.ts';
import { type Kept, keyOf, tagOf } from './kept-answers.ts';
import { bodyHeaders, sendBody, sendHead, sendStream, tagHeaders } from './send.ts';
import { countAll } from './walks.ts';

export function sendKept(api: Api, exchange: Exchange, { tag, headers, body }: Kept): void {
  if (isNotModified(exchange.request.headers, tag)) sendHead(exchange, 304, tagHeaders(tag));
  else sendBody(exchange, headers, body, api.bodies.hold);
}

/** Throws unknownItem. */
export async function sendItem(
  { api, exchange, match, variant, fields }: Reading,
  { assertVisible, find }: Item,
  id: bigint,
): Promise<void> {
  const { reader } = api.store;
  if (assertVisible) await assertVisible(reader);
  const row = await find(reader);
  if (!row) throw absent(match.operationId, id);
  const json = jsonWriter(fields)(row);
  const body = await encode(json, variant.coding);
  const tag = tagOf(api, variant);
  const answer = { tag, headers: bodyHeaders(variant, tag, Buffer.byteLength(body)), body };
  api.kept.keep(keyOf(variant), answer);
  sendKept(api, exchange, answer);
}

export async function sendCollection(reading: Reading, part: AskedPart): Promise<void> {
  const { api, exchange, variant } = reading;
  const hasLeft = departureOf(exchange.response);
  const { collection, keys, limit } = part;
  const { reader: db } = api.store;
  if (collection.assertVisible) await collection.assertVisible(db);
  const tag = tagOf(api, variant);
  if (isNotModified(exchange.request.headers, tag)) {
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
    const plainer = { ...variant, coding: made.coding };
    const headers = bodyHeaders(plainer, tagOf(api, plainer), undefined);
    sendStream(exchange, [...headers, ...more], made.stream);
    return;
  }
  const headers = [...bodyHeaders(variant, tag, Buffer.byteLength(made.body)), ...more];
  api.kept.keep(keyOf(variant), { tag, headers, body: made.body });
  sendBody(exchange, headers, made.body, api.bodies.hold);
}
