/** The body of a collection, or of a page of it: bytes that many readers share or, if these are too many, a stream. */
import { type OperationId, operations } from '../contract/operations.ts';
import { columnsOf, type Row, rowFormat } from '../contract/rows.ts';
import { documentedError } from '../errors.ts';
import { encode, encodeStream } from '../http/codings.ts';
import { mayBePlain } from '../http/negotiation.ts';
import type { SortKey, SortValue } from '../store/keyset.ts';
import type { KeyRow } from '../store/sorting.ts';
import {
  type Batch,
  firstKeys,
  idsOf,
  type Ordered,
  type Read,
  walkIds,
  walkRows,
} from './collection-walks.ts';
import type { Reading } from './context.ts';
import { readCursor, writeCursor } from './cursors.ts';
import type { Collection } from './handlers.ts';
import { nextTarget, readOrder } from './parameters.ts';
import type { Made, Unmade } from './shared-bodies.ts';

/** Rows in the first piece, which most members' rows fit; the number in the next one follows from their length. */
const rowsAtFirst = 64;
const growthAtMost = 8;
const rowsPerPieceAtMost = 1000;
/** Characters in a piece. Those of a stream may wait for a slow client; many rows cost less to fetch by their ids than few. */
const pieceLengthOfStream = { inOrder: 32 * 1024, byIds: 256 * 1024 };
const pieceLengthOfWhole = 256 * 1024;
const streamsAtMost = 64;
const encodersAtMost = 8;

interface Part extends Ordered {
  limit: number | undefined;
  after: readonly SortValue[] | undefined;
}

export type AskedPart = ReturnType<typeof partOf>;

/** Throws malformedParameter or malformedCursor. */
export function partOf(operationId: OperationId, collection: Collection, query: PartQuery) {
  const { limit, count: isCounted = false, order, cursor } = query;
  const keys = readOrder(order, collection.sortFields, collection.ties);
  const position = cursor === undefined ? undefined : readCursor(cursor, operationId, keys);
  return { collection, limit, isCounted, keys, position };
}

interface PartQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

/** A whole body or, if that is too much to hold, a stream in a coding that may be plainer than was chosen. */
export async function makeCollection(reading: Reading, part: Part, hasLeft: () => boolean) {
  const { api, variant } = reading;
  const made = await api.bodies.make(variant.name, hasLeft, (pause) => makeBody(reading, { ...part, pause }));
  return made ?? makeStream(reading, part);
}

/** A page whose rows are known before any of them is read. */
interface KnownPage {
  ids: BigInt64Array;
  link: string | undefined;
}

async function makeBody(reading: Reading, part: Part): Promise<Made | Unmade> {
  const { coding } = reading.variant;
  const { renderLong, hasRoom } = reading.api.bodies;
  const page = part.axis.isOrder ? undefined : await knownPage(reading, part);
  const pieces = piecesOf(reading, part, page, pieceLengthOfWhole);
  const texts: string[] = [];
  let piece = await pieces.next();
  // Only what is long waits for the room, and not while its first rows are looked for.
  for (let length = 0; !piece.done && length < pieceLengthOfWhole; piece = await pieces.next()) {
    length += piece.value.length;
    texts.push(piece.value);
  }
  if (piece.done) return { body: await encode(texts.join(''), coding), link: piece.value };
  return renderLong(async (room) => {
    if (!hasRoom()) return 'no room';
    let length = 0;
    for (;;) {
      for (const text of texts.splice(0)) {
        // A UTF-16 unit takes three bytes at most, so most texts need no exact count.
        const mayFit = length + 3 * text.length <= room.length;
        if (!mayFit && length + Buffer.byteLength(text) > room.length) return 'too large';
        length += room.write(text, length);
      }
      if (piece.done) break;
      texts.push(piece.value);
      piece = await pieces.next();
    }
    return { body: await encode(room.subarray(0, length), coding), link: piece.value };
  });
}

/** A body that is made as fast as it is read. Throws overloaded if too many are under way. */
async function makeStream(reading: Reading, part: Part) {
  const { api, exchange, variant } = reading;
  // Its link is sent before its rows.
  const page = await knownPage(reading, part);
  const { open } = api.bodies;
  if (open.streams >= streamsAtMost) throw documentedError('overloaded');
  let { coding } = variant;
  if (coding !== 'identity' && open.encoders >= encodersAtMost) {
    if (!mayBePlain(exchange.request.headers['accept-encoding'])) throw documentedError('overloaded');
    coding = 'identity';
  }
  const pieceLength = pieceLengthOfStream[part.axis.isOrder ? 'inOrder' : 'byIds'];
  const stream = encodeStream(piecesOf(reading, part, page, pieceLength), coding);
  const encoders = coding === 'identity' ? 0 : 1;
  open.streams++;
  open.encoders += encoders;
  stream.once('close', () => {
    open.streams--;
    open.encoders -= encoders;
  });
  return { stream, coding, link: page?.link };
}

/** Undefined for a whole collection. */
async function knownPage(reading: Reading, part: Part): Promise<KnownPage | undefined> {
  const { limit, keys, after, collection } = part;
  if (limit === undefined) return undefined;
  // One row more than asked for shows whether there is a next page.
  const keyRows = await firstKeys(part, after, limit + 1);
  const shown = keyRows.slice(0, limit);
  const link = keyRows.length > limit ? linkAfter(reading, keys, shown.at(-1)) : undefined;
  return { ids: idsOf(shown, collection.ties), link };
}

/** The text of a body, in pieces of about this many characters; in the end the Link header to the next page. */
async function* piecesOf(
  reading: Reading,
  part: Part,
  page: KnownPage | undefined,
  pieceLength: number,
): AsyncGenerator<string, string | undefined> {
  const { start, separator, end } = rowFormat(reading.fields, reading.variant.format);
  const read = readerOf(reading, part);
  const { limit = Number.POSITIVE_INFINITY, after, keys } = part;
  let piece = start;
  let rows = rowsAtFirst;
  let count = 0;
  let last: TextBatch | undefined;
  const walk = page
    ? walkIds(part, read, page.ids, () => rows)
    : walkRows(part, { read, after, wanted: () => Math.min(rows, limit + 1 - count) });
  for await (const found of walk) {
    const shown = count + found.count > limit ? found.withoutLast() : found;
    if (shown.count > 0) {
      const text = shown.text();
      piece += (count === 0 ? '' : separator) + text;
      const fitting = Math.round((shown.count * pieceLength) / Math.max(text.length, 1));
      rows = Math.min(Math.max(fitting, 1), rows * growthAtMost, rowsPerPieceAtMost);
      last = shown;
    }
    count += found.count;
    if (count > limit) break;
    // Windows of which a filter leaves little make one piece together.
    if (piece.length * 2 < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece + end;
  if (page) return page.link;
  return count > limit ? linkAfter(reading, keys, last?.lastKeys()) : undefined;
}

interface TextBatch extends Batch {
  text(): string;
  withoutLast(): TextBatch;
}

/** CSV is written from the fields of rows, the other formats from JSON. */
function readerOf({ fields, variant }: Reading, { collection, db }: Part): Read<TextBatch> {
  if (variant.format === 'csv') {
    const { row } = rowFormat(fields, 'csv');
    const batch = (rows: readonly Row[]): TextBatch => ({
      count: rows.length,
      lastKeys: () => rows.at(-1),
      text: () => rows.map(row).join(''),
      withoutLast: () => batch(rows.slice(0, -1)),
    });
    return async (page) => batch(await collection.list(db, page));
  }
  const columns = columnsOf(fields);
  const isArray = variant.format === 'json';
  const batch = (lines: string, count: number): TextBatch => ({
    count,
    lastKeys: () => JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1), exactIntegers),
    text: () => (isArray ? lines.replace(/\n/g, ',') : `${lines}\n`),
    withoutLast: () => batch(lines.slice(0, Math.max(lines.lastIndexOf('\n'), 0)), count - 1),
  });
  return async (page) => {
    const { lines, count } = await collection.listJson(db, page, columns);
    return batch(lines ?? '', Number(count));
  };
}

function exactIntegers(_: string, value: unknown, { source = '' }: { source?: string } = {}) {
  return typeof value === 'number' ? BigInt(source) : value;
}

/** The Link header to the page after this row. */
function linkAfter({ api, match }: Reading, keys: readonly SortKey[], last: KeyRow | undefined) {
  if (!last) return undefined;
  const { operationId, query } = match;
  const { origin, pathname } = new URL(api.baseUrl + operations[operationId].path);
  const target = nextTarget(pathname, query, writeCursor(operationId, keys, last));
  return `<${origin}${target}>; rel="next"`;
}
