/** Writes a collection, or a page of it, from batches of rows that are read by keyset. */
import { type OperationId, operations } from '../contract/operations.ts';
import { columnsOf, type Row, rowFormat } from '../contract/rows.ts';
import { documentedError } from '../errors.ts';
import { acceptsIdentity, encode, encodeStream } from '../http/codings.ts';
import type { Page, SortKey, SortValue } from '../store/listings.ts';
import type { Reading } from './context.ts';
import { readCursor, writeCursor } from './cursors.ts';
import type { Collection, OrderedCollection } from './handlers.ts';
import { nextTarget, readOrder } from './parameters.ts';

/** Most members have fewer rows. What is streamed may have long rows. The length of a batch gives the size of the next. */
const firstBatchRows = { whole: 64, streamed: 8 };
const batchGrowthAtMost = 8;
/** In characters. A streamed chunk waits for a slow client; one without an index sorts the whole collection. */
const chunkLength = { whole: 256 * 1024, streamed: 32 * 1024, sorted: 1024 * 1024 };
const rowsPerChunkAtMost = 1000;
/** Reading the values of rows takes longer than reading their JSON. */
const csvRowsPerChunkAtMost = 500;
const bodyLengthAtMost = 8 * 1024 * 1024;
const streamsAtMost = 64;
const encodersAtMost = 8;

export type CollectionRequest = ReturnType<typeof readCollectionRequest>;

/** Throws malformedParameter or malformedCursor. */
export function readCollectionRequest(
  operationId: OperationId,
  collection: Collection,
  query: CollectionQuery,
) {
  const { limit, count: isCounted = false, order, cursor } = query;
  const keys = readOrder(order, collection.sortFields, collection.tieBreakers);
  const cursorValues = cursor === undefined ? undefined : readCursor(cursor, operationId, keys);
  return { collection, limit, isCounted, keys, cursorValues };
}

interface CollectionQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

export function orderedBy(
  { collection, keys }: CollectionRequest,
  { api }: Reading,
  signal: AbortSignal,
): OrderedCollection {
  const { reader, longReader } = api.store;
  const listing = collection.listing();
  const usesIndex = listing.hasNoFilter && keys[0]?.field.name === 'id';
  return { collection, listing, keys, usesIndex, db: usesIndex ? reader : longReader, signal };
}

interface RowRange extends OrderedCollection {
  limit: number | undefined;
  after: readonly SortValue[] | undefined;
  /** The sort values of the last row. */
  upTo?: readonly SortValue[] | undefined;
}

export async function makeCollectionBody(reading: Reading, range: RowRange) {
  const { api, variant } = reading;
  const { bodies } = api;
  if (range.limit === undefined && bodies.tooLargeKeys.has(variant.cacheKey))
    return makeStream(reading, range, undefined);
  const chunks = chunksOf(reading, range, 'whole');
  const firstChunk = (await chunks.next()).value as Chunk;
  const { text, link, isLast } = firstChunk;
  if (isLast && text.length <= bodyLengthAtMost) return { body: await encode(text, variant.coding), link };
  return bodies.withLock('a long body', () => makeLongBody(reading, range, firstChunk, chunks));
}

/** One at a time, because each takes several times its length in memory. */
async function makeLongBody(
  reading: Reading,
  range: RowRange,
  firstChunk: Chunk,
  chunks: AsyncGenerator<Chunk, undefined>,
) {
  const { api, variant } = reading;
  let { link, upTo } = firstChunk;
  let text = '';
  let isTooLong = !api.bodies.hasMemory();
  for (let chunk: Chunk | undefined = firstChunk; chunk; chunk = (await chunks.next()).value) {
    ({ link, upTo } = chunk);
    text = isTooLong ? '' : text + chunk.text;
    if (text.length > bodyLengthAtMost) {
      isTooLong = true;
      if (range.limit === undefined) api.bodies.tooLargeKeys.set(variant.cacheKey, true);
    }
    // The Link header precedes the rows, so a page is read to its end first.
    if (isTooLong && range.limit === undefined) break;
  }
  if (!isTooLong) return { body: await encode(text, variant.coding), link };
  await chunks.return(undefined);
  return makeStream(reading, link === undefined ? range : { ...range, limit: undefined, upTo }, link);
}

/** Throws overloaded. */
function makeStream(reading: Reading, range: RowRange, link: string | undefined) {
  const { api, exchange, variant } = reading;
  const { openCounts } = api.bodies;
  if (openCounts.streams >= streamsAtMost) throw documentedError('overloaded');
  let { coding } = variant;
  if (coding !== 'identity' && openCounts.encoders >= encodersAtMost) {
    if (!acceptsIdentity(exchange.request.headers['accept-encoding'])) throw documentedError('overloaded');
    coding = 'identity';
  }
  const stream = encodeStream(textsOf(chunksOf(reading, range, 'streamed')), coding);
  const encoders = coding === 'identity' ? 0 : 1;
  openCounts.streams++;
  openCounts.encoders += encoders;
  stream.once('close', () => {
    openCounts.streams--;
    openCounts.encoders -= encoders;
  });
  return { stream, coding, link };
}

async function* textsOf(chunks: AsyncGenerator<Chunk, undefined>): AsyncGenerator<string, void> {
  for await (const { text } of chunks) yield text;
}

interface Chunk {
  text: string;
  isLast: boolean;
  link: string | undefined;
  upTo: readonly SortValue[] | undefined;
}

async function* chunksOf(
  reading: Reading,
  range: RowRange,
  mode: keyof typeof firstBatchRows,
): AsyncGenerator<Chunk, undefined> {
  const { fields, variant, api } = reading;
  const { limit = Number.POSITIVE_INFINITY, keys, upTo, signal } = range;
  const { start, separator, end } = rowFormat(fields, variant.format);
  const read = variant.format === 'csv' ? readCsv : readJson;
  const rowsAtMost = variant.format === 'csv' ? csvRowsPerChunkAtMost : rowsPerChunkAtMost;
  const targetLength = range.usesIndex ? chunkLength[mode] : chunkLength.sorted;
  let { after } = range;
  let text = start;
  let count = 0;
  for (let rows = firstBatchRows[mode]; ; ) {
    await api.bodies.nextLoopTurn();
    signal.throwIfAborted();
    const rowLimit = Math.min(rows, limit - count);
    const batch = await read(reading, range, { keys, after, upTo, limit: rowLimit, signal });
    const hasMore = batch.count > rowLimit;
    if (batch.count > 0) text += (count === 0 ? '' : separator) + batch.text;
    count += Math.min(batch.count, rowLimit);
    const isLast = !hasMore || count === limit;
    const last = hasMore ? batch.last() : undefined;
    after = last && keys.map(({ field }) => last[field.name] ?? null);
    const link = isLast && last ? linkAfter(reading, keys, last) : undefined;
    yield { text: isLast ? text + end : text, isLast, link, upTo: after };
    if (isLast) return undefined;
    rows = Math.round((rowLimit * targetLength) / Math.max(text.length, 1));
    rows = Math.min(Math.max(rows, 1), rowLimit * batchGrowthAtMost, rowsAtMost);
    text = '';
  }
}

interface Batch {
  /** One more than the limit if more rows follow. */
  count: number;
  text: string;
  last(): Row;
}

async function readCsv({ fields }: Reading, { listing, db }: RowRange, page: Page): Promise<Batch> {
  const { row } = rowFormat(fields, 'csv');
  const { limit } = page;
  const rows = await listing.list(db, { ...page, limit: limit + 1 });
  const pageRows = rows.slice(0, limit);
  return { count: rows.length, text: pageRows.map(row).join(''), last: () => pageRows.at(-1) ?? {} };
}

async function readJson({ fields, variant }: Reading, { listing, db }: RowRange, page: Page): Promise<Batch> {
  const { limit } = page;
  const result = await listing.listJson(db, { ...page, limit: limit + 1 }, columnsOf(fields));
  const count = Number(result.count);
  let lines = result.lines ?? '';
  if (count > limit) lines = lines.slice(0, Math.max(lines.lastIndexOf('\n'), 0));
  return {
    count,
    text: variant.format === 'json' ? lines.replaceAll('\n', ',') : `${lines}\n`,
    last: () => JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1), exactIntegers),
  };
}

function exactIntegers(_: string, value: unknown, { source = '' }: { source?: string } = {}) {
  return typeof value === 'number' ? BigInt(source) : value;
}

function linkAfter({ api, match }: Reading, keys: readonly SortKey[], last: Row): string {
  const { operationId, query } = match;
  const { origin, pathname } = new URL(api.baseUrl + operations[operationId].path);
  const target = nextTarget(pathname, query, writeCursor(operationId, keys, last));
  return `<${origin}${target}>; rel="next"`;
}
