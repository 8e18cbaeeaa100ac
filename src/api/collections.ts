/** A collection as an answer: a page or all of it, from bytes that many readers share or, where that is too much, as a stream. */
import type { Readable } from 'node:stream';
import { type OperationId, operations } from '../contract/operations.ts';
import { columnsOf, type Row, type RowFormat, rowFormat } from '../contract/rows.ts';
import { documentedError } from '../errors.ts';
import { encode, encodeStream } from '../http/codings.ts';
import { type Coding, mayBePlain } from '../http/negotiation.ts';
import type { SortKey, SortValue } from '../store/keyset.ts';
import type { KeyRow } from '../store/sorting.ts';
import { type Position, readCursor, writeCursor } from './cursors.ts';
import type { Collection } from './handlers.ts';
import { readOrder } from './orders.ts';
import { nextTarget } from './parameters.ts';
import { firstKeys, isInOrder, type Walking } from './passes.ts';
import { fitting, jsonTexts, type Pieces, piecesOf, type Texts, textsOf } from './pieces.ts';
import { type Made, type Unmade, wholeAtMost } from './shared-bodies.ts';
import { keyOf, type Reading } from './variant.ts';
import { walkKeys, walkRows } from './walks.ts';

/** A page of so many rows never waits for others that are rendered. */
const shortPage = 64;
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

export async function makeCollection(reading: Reading, part: Part): Promise<MadeCollection> {
  const { api, fields, variant } = reading;
  const { pausing, make } = api.bodies;
  const signal = reading.signal();
  const source = { ...part, db: api.store.reader, form: rowFormat(fields, variant.format) };
  const made = await make(keyOf(variant), signal, (whileAwaited) => {
    const walking = { ...source, pause: pausing(whileAwaited) };
    return part.limit === undefined ? makeWhole(reading, walking) : makePage(reading, walking, part.limit);
  });
  if (made) return made;
  const walking = { ...source, pause: pausing(signal) };
  const page = part.limit === undefined ? undefined : await keysOfPage(reading, walking, part.limit);
  const texts = page ? textsOf(walkKeys(walking, page.keyRows), walking.form) : textsOfAll(reading, walking);
  const { body, coding } = stream(reading, walking, texts);
  return { stream: body, coding, link: page?.link };
}

/** What a body is made from. */
type Source = Part & Walking & { form: RowFormat };

/** All rows after where a source begins, as text. */
function textsOfAll({ fields, variant }: Reading, source: Source): Texts {
  const { keys, after, collection, form } = source;
  const isById = keys.length === collection.ties.length && keys.every(({ isDescending }) => !isDescending);
  const written =
    isById && variant.format === 'json' ? jsonTexts(source, after, columnsOf(fields)) : undefined;
  return written ?? textsOf(walkRows(source, after), form);
}

/** The sort values of a page's rows, and the Link header that leads to the next page. */
async function keysOfPage(
  reading: Reading,
  source: Source,
  limit: number,
): Promise<{ keyRows: KeyRow[]; link: string | undefined }> {
  // One row more than asked for tells whether there is a next page.
  const keyRows = await firstKeys(source, source.after, limit + 1);
  const hasMore = keyRows.length > limit;
  if (hasMore) keyRows.length = limit;
  return { keyRows, link: hasMore ? linkAfter(reading, source.keys, keyRows.at(-1)) : undefined };
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

async function makePage(reading: Reading, source: Source, limit: number): Promise<Made | Unmade> {
  const { renderLong, hasRoom } = reading.api.bodies;
  // Rows that are found in order are rendered at once; others only after all of them were looked at, outside the slot.
  const page = isInOrder(source) ? undefined : await keysOfPage(reading, source, limit);
  const make = () => (page ? makeOf(reading, source, page) : makeInOrder(reading, source, limit));
  return limit <= shortPage ? make() : renderLong(async () => (hasRoom() ? make() : 'no room'));
}

async function makeOf(
  { variant }: Reading,
  source: Source,
  { keyRows, link }: { keyRows: readonly KeyRow[]; link: string | undefined },
): Promise<Made | Unmade> {
  const pieces = piecesOf(textsOf(walkKeys(source, keyRows), source.form), source.form, pieceLengthOfWhole);
  const buffers: Buffer[] = [];
  for (let length = 0; !pieces.isEnd(); ) {
    const piece = Buffer.from(await pieces.next());
    length += piece.length;
    if (length > wholeAtMost) return 'too large';
    buffers.push(piece);
  }
  return { bytes: await encode(joined(buffers), variant.coding), link };
}

async function makeInOrder(reading: Reading, source: Source, limit: number): Promise<Made | Unmade> {
  const { form, keys, after } = source;
  const walk = walkRows(source, after);
  const rowsThatFit = fitting(pieceLengthOfWhole);
  const buffers: Buffer[] = [];
  let last: Row | undefined;
  let length = 0;
  let count = 0;
  while (count <= limit && !walk.isEnd()) {
    // One row more than asked for tells whether there is a next page.
    const rows = await walk.next(Math.min(rowsThatFit.rows(), limit + 1 - count));
    const shown = rows.slice(0, limit - count);
    const text = shown.map(form.row).join(form.separator);
    rowsThatFit.note(shown.length, text.length);
    buffers.push(Buffer.from((count === 0 ? '' : shown.length > 0 ? form.separator : '') + text));
    length += text.length;
    if (length > wholeAtMost) return 'too large';
    count += rows.length;
    last = shown.at(-1) ?? last;
  }
  const bytes = joined([Buffer.from(form.start), ...buffers, Buffer.from(form.end)]);
  if (bytes.length > wholeAtMost) return 'too large';
  const link = count > limit ? linkAfter(reading, keys, last) : undefined;
  return { bytes: await encode(bytes, reading.variant.coding), link };
}

function joined(buffers: Buffer[]): Buffer {
  const [only] = buffers;
  return only && buffers.length === 1 ? only : Buffer.concat(buffers);
}

async function makeWhole(reading: Reading, source: Source): Promise<Made | Unmade> {
  const { coding } = reading.variant;
  const { renderLong, hasRoom } = reading.api.bodies;
  const pieces = piecesOf(textsOfAll(reading, source), source.form, pieceLengthOfWhole);
  const texts: string[] = [];
  // What is short needs no room, and looking for the first rows may take long.
  for (let length = 0; !pieces.isEnd() && length < pieceLengthOfWhole; ) {
    const text = await pieces.next();
    length += text.length;
    texts.push(text);
  }
  if (pieces.isEnd()) return { bytes: await encode(Buffer.from(texts.join('')), coding), link: undefined };
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
      if (pieces.isEnd()) break;
      texts.push(await pieces.next());
    }
    const whole = room.subarray(0, length);
    const bytes = coding === 'identity' ? Buffer.from(whole) : await encode(whole, coding);
    return { bytes, link: undefined };
  });
}

/** A body that is made as fast as it is read. Throws overloaded where too many are under way. */
function stream(
  { api, exchange, variant }: Reading,
  source: Source,
  texts: Texts,
): { body: Readable; coding: Coding } {
  const { open } = api.bodies;
  if (open.streams >= streamsAtMost) throw documentedError('overloaded');
  let { coding } = variant;
  if (coding !== 'identity' && open.encoders >= encodersAtMost) {
    if (!mayBePlain(exchange.request.headers['accept-encoding'])) throw documentedError('overloaded');
    coding = 'identity';
  }
  const length = pieceLengthOfStream[isInOrder(source) ? 'inOrder' : 'byIds'];
  const body = encodeStream(chunks(piecesOf(texts, source.form, length)), coding);
  const encoders = coding === 'identity' ? 0 : 1;
  open.streams++;
  open.encoders += encoders;
  body.once('close', () => {
    open.streams--;
    open.encoders -= encoders;
  });
  return { body, coding };
}

async function* chunks(pieces: Pieces): AsyncGenerator<string> {
  while (!pieces.isEnd()) {
    const text = await pieces.next();
    if (text !== '') yield text;
  }
}
