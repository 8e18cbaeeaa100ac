/** A collection as an answer: a page or all of it, from bytes that many readers share or, where that is too much, as a stream. */
import type { Readable } from 'node:stream';
import { type OperationId, operations } from '../contract/operations.ts';
import { columnsOf, type Row, rowFormat } from '../contract/rows.ts';
import { documentedError } from '../errors.ts';
import { encode, encodeStream } from '../http/codings.ts';
import { type Coding, mayBePlain } from '../http/negotiation.ts';
import type { SortKey, SortValue } from '../store/keyset.ts';
import type { KeyRow } from '../store/sorting.ts';
import type { Reading } from './context.ts';
import { type Position, readCursor, writeCursor } from './cursors.ts';
import type { Collection } from './handlers.ts';
import { keyOf } from './kept-answers.ts';
import { nextTarget, readOrder } from './parameters.ts';
import { isInOrder, type Ordered } from './passes.ts';
import type { Made, Pause, Unmade } from './shared-bodies.ts';
import { type Batch, batchOf, firstKeys, idsOf, type Read, walkIds, walkRows } from './walks.ts';

/**
 * Rows in the first piece, so that most members' rows take one statement; how long these are tells how many the next one may
 * have, but never many times more.
 */
const rowsAtFirst = 64;
const growthAtMost = 8;
const rowsPerPieceAtMost = 1000;
/**
 * How long pieces should be, in characters: those of a stream may wait for a slow client, those of a body that is put
 * together first do not. Rows that are fetched by their ids cost less the more there are.
 */
const pieceLengthOfStream = { inOrder: 32 * 1024, byIds: 256 * 1024 };
const pieceLengthOfWhole = 256 * 1024;
const streamsAtMost = 64;
const encodersAtMost = 8;

/** Which part of a collection is asked for, in what order. */
interface Part {
  collection: Collection;
  limit: number | undefined;
  keys: readonly SortKey[];
  after: readonly SortValue[] | undefined;
}

/** The same as the query says it. */
export interface AskedPart extends Omit<Part, 'after'> {
  isCounted: boolean;
  position: Position | undefined;
}

/** Throws malformedParameter or malformedCursor. */
export function partOf(operationId: OperationId, collection: Collection, query: PartQuery): AskedPart {
  const { limit, count: isCounted = false, order, cursor } = query;
  const keys = readOrder(order, collection.sortFields, collection.ties);
  const position = cursor === undefined ? undefined : readCursor(cursor, operationId, keys);
  return { collection, limit, isCounted, keys, position };
}

/** The parameters that every collection has. */
interface PartQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

/** A body, or where that is too much to hold at once a stream of it, in a coding that may be plainer than was chosen. */
type MadeCollection = Made | { stream: Readable; coding: Coding; link: string | undefined };

export async function makeCollection(
  reading: Reading,
  part: Part,
  hasLeft: () => boolean,
): Promise<MadeCollection> {
  const { api, variant } = reading;
  const { make, pausing } = api.bodies;
  const ordered = (pause: Pause) => ({ ...part, db: api.store.reader, pause });
  const made = await make(keyOf(variant), hasLeft, (pause) => makeBody(reading, ordered(pause)));
  return made ?? makeStream(reading, ordered(pausing(hasLeft)));
}

/** What a body is made from. */
type Source = Part & Ordered;

/** A page whose rows are known before any of them is read. */
interface KnownPage {
  ids: BigInt64Array;
  /** The Link header that leads to the next page. */
  link: string | undefined;
}

async function makeBody(reading: Reading, source: Source): Promise<Made | Unmade> {
  const { coding } = reading.variant;
  const { renderLong, hasRoom } = reading.api.bodies;
  // Rows that are found in order are read at once; others only after all of them were looked at.
  const page = isInOrder(source) ? undefined : await knownPage(reading, source);
  const pieces = piecesOf(reading, source, page, pieceLengthOfWhole);
  const texts: string[] = [];
  let piece = await pieces.next();
  // What is short needs no room, and looking for the first rows may take long.
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
        // Three bytes at most for a UTF-16 unit; counted out only where that might not fit.
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

/** A body that is made as fast as it is read. Throws overloaded where too many are under way. */
async function makeStream(reading: Reading, source: Source): Promise<MadeCollection> {
  const { api, exchange, variant } = reading;
  // Its link is sent before its rows.
  const page = await knownPage(reading, source);
  const { open } = api.bodies;
  if (open.streams >= streamsAtMost) throw documentedError('overloaded');
  let { coding } = variant;
  if (coding !== 'identity' && open.encoders >= encodersAtMost) {
    if (!mayBePlain(exchange.request.headers['accept-encoding'])) throw documentedError('overloaded');
    coding = 'identity';
  }
  const pieceLength = pieceLengthOfStream[isInOrder(source) ? 'inOrder' : 'byIds'];
  const stream = encodeStream(piecesOf(reading, source, page, pieceLength), coding);
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
async function knownPage(reading: Reading, source: Source): Promise<KnownPage | undefined> {
  const { limit, keys, after, collection } = source;
  if (limit === undefined) return undefined;
  // One row more than asked for tells whether there is a next page.
  const keyRows = await firstKeys(source, after, limit + 1);
  const shown = keyRows.slice(0, limit);
  const link = keyRows.length > limit ? linkAfter(reading, keys, shown.at(-1)) : undefined;
  return { ids: idsOf(shown, collection.ties), link };
}

/** The text of a body, in pieces of about this length in characters; in the end the Link header that leads to the next page. */
async function* piecesOf(
  reading: Reading,
  source: Source,
  page: KnownPage | undefined,
  pieceLength: number,
): AsyncGenerator<string, string | undefined> {
  const { start, separator, end } = rowFormat(reading.fields, reading.variant.format);
  const read = readerOf(reading, source);
  const { limit = Number.POSITIVE_INFINITY, after, keys } = source;
  let piece = start;
  let rows = rowsAtFirst;
  let count = 0;
  let last: TextBatch | undefined;
  const walk = page
    ? walkIds(source, read, page.ids, () => rows)
    : walkRows(source, read, after, () => Math.min(rows, limit + 1 - count));
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

/** Rows that were read together, as the text of an answer. */
interface TextBatch extends Batch {
  text(): string;
  withoutLast(): TextBatch;
}

/** CSV is written from the fields of rows, the other formats from JSON. */
function readerOf({ fields, variant }: Reading, { collection, db }: Source): Read<TextBatch> {
  if (variant.format === 'csv') {
    const { row } = rowFormat(fields, 'csv');
    const batch = (rows: readonly Row[]): TextBatch => ({
      ...batchOf(rows),
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

/** The Link header that leads on after this row. */
function linkAfter({ api, match }: Reading, keys: Part['keys'], last: KeyRow | undefined) {
  if (!last) return undefined;
  const { operationId, query } = match;
  // With the base address's own path, which counts too.
  const { origin, pathname } = new URL(api.baseUrl + operations[operationId].path);
  const target = nextTarget(pathname, query, writeCursor(operationId, keys, last));
  return `<${origin}${target}>; rel="next"`;
}
