/** Reading and rendering what no kept answer holds, and keeping it: an item, or a collection. */
import { type OperationId, operations } from '../contract/operations.ts';
import { jsonWriter } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { encode } from '../http/codings.ts';
import { isNotModified } from '../http/preconditions.ts';
import type { SortKey } from '../store/keyset.ts';
import { answerCollection } from './collections.ts';
import { beginAfter, type Position, readCursor } from './cursors.ts';
import type { Exchange } from './exchange.ts';
import type { Collection, Item } from './handlers.ts';
import { readOrder } from './orders.ts';
import { countAll, pausing } from './passes.ts';
import { sendBody, sendHead, sendStream } from './send.ts';
import { bodyHeaders, tagHeaders, type Variant } from './variant.ts';

/** What a query may hold once it is read, whichever operation it is for. */
export interface CommonQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

export async function sendItem(
  exchange: Exchange,
  variant: Variant,
  item: Item,
  id: bigint,
  headers: readonly string[],
): Promise<void> {
  const { context, tag } = variant;
  const { assertVisible } = item;
  if (assertVisible) await variant.read(assertVisible);
  const row = await variant.read(item.find);
  if (!row) throw absent(variant.request.operationId, id);
  if (isNotModified(exchange.request.headers, tag)) {
    sendHead(exchange, 304, [...headers, ...tagHeaders(tag)]);
    return;
  }
  const bytes = await encode(Buffer.from(jsonWriter(variant.fields)(row)), variant.coding);
  const keptHeaders = bodyHeaders(variant, bytes.length);
  sendBody(exchange, [...headers, ...keptHeaders], context.kept.keep(variant.name, tag, keptHeaders, bytes));
}

/** Which part of a collection is asked for, in what order, and where it begins. */
interface AskedPart {
  limit: number | undefined;
  isCounted: boolean;
  keys: readonly SortKey[];
  position: Position | undefined;
}

/** Throws malformedParameter or malformedCursor. */
export function partOf(
  operationId: OperationId,
  { sortFields, ties }: Collection,
  query: CommonQuery,
): AskedPart {
  const keys = readOrder(query.order, sortFields, ties);
  const position = query.cursor === undefined ? undefined : readCursor(query.cursor, operationId, keys);
  return { limit: query.limit, isCounted: query.count ?? false, keys, position };
}

export async function sendCollection(
  exchange: Exchange,
  variant: Variant,
  collection: Collection,
  { limit, isCounted, keys, position }: AskedPart,
  headers: readonly string[],
): Promise<void> {
  const { context, request, tag } = variant;
  const { assertVisible } = collection;
  if (assertVisible) await variant.read(assertVisible);
  if (isNotModified(request.headers, tag)) {
    sendHead(exchange, 304, [...headers, ...tagHeaders(tag)]);
    return;
  }
  const pause = pausing(context.bodies.inTurn, request.signal());
  const walking = { collection, keys, read: variant.read, pause };
  const total = isCounted ? ['x-total-count', String(await countAll(walking))] : [];
  const after = position && (await beginAfter(position, walking));
  const made = await answerCollection(variant, collection, { limit, keys, after });
  const more = [...total, ...(made.link === undefined ? [] : ['link', made.link])];
  if ('stream' in made) {
    sendStream(exchange, [...headers, ...bodyHeaders(variant, undefined, made.coding), ...more], made.stream);
    return;
  }
  const keptHeaders = [...bodyHeaders(variant, made.bytes.length), ...more];
  context.kept.keep(variant.name, tag, keptHeaders, made.bytes);
  sendBody(exchange, [...headers, ...keptHeaders], made);
}

export function absent(operationId: OperationId, id: bigint): AppError {
  const { noun } = operations[operationId];
  return new AppError('unknownItem', `There is no ${noun} ${id} that this token may see; check the id.`);
}
