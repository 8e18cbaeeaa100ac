/** A collection as an answer: a page or all of it, from bytes that many readers share or, where that is too much, as a stream. */
import type { Readable } from 'node:stream';
import { operations } from '../contract/operations.ts';
import { columnsOf, type RowFormat, rowFormat } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { type Coding, mayBePlain } from '../http/negotiation.ts';
import { encode, encodeStream } from '../http/representation.ts';
import { type Made, type SharedBodies, sharedBodies, slots, turns, type Unmade } from '../http/sharing.ts';
import type { JsonColumn, SortKey, SortValue } from '../store/listing.ts';
import { writeCursor } from './cursors.ts';
import type { Collection } from './handlers.ts';
import { nextTarget } from './parameters.ts';
import type { Shape } from './shape.ts';

/** Rows in the first piece of a body; what is no longer than that never waits for others. */
const rowsAtFirst = 64;
/**
 * How long the following pieces should be, in characters: each of these may wait for a slow client. In other orders than
 * that of the ids every piece costs a look at all rows, so pieces are longer.
 */
const pieceLength = { byId: 32 * 1024, sorted: 256 * 1024 };
/** The same for a body that is put together first, where no piece waits. */
const pieceLengthOfWhole = 256 * 1024;
const rowsPerPieceAtMost = 1000;
/** A larger body is not kept but streamed; in bytes before any coding. */
const wholeAtMost = 8 * 1024 * 1024;
const keptAtMost = 12 * 1024 * 1024;
const heldAtMost = 16 * 1024 * 1024;
const streamsAtMost = 64;
const encodersAtMost = 8;

/** What the answers of one server share. */
export interface Bodies {
  shared: SharedBodies;
  /** Waits until a piece of long work may run. */
  inTurn(): Promise<void>;
  /** Runs one work after the other; each may use the room where bodies are put together, but only meanwhile. */
  renderLong<T>(work: (room: Buffer) => Promise<T>): Promise<T>;
  open: { streams: number; encoders: number };
}

export function bodies(): Bodies {
  const oneByOne = slots(1);
  let room: Buffer | undefined;
  return {
    shared: sharedBodies({ keptAtMost, heldAtMost, refusedAtMost: 10_000 }),
    inTurn: turns(),
    renderLong: (work) =>
      oneByOne(() => {
        // One for all: each body put together anew would leave several times its size to be cleared away.
        room ??= Buffer.allocUnsafeSlow(wholeAtMost);
        return work(room);
      }),
    open: { streams: 0, encoders: 0 },
  };
}

/** Which part of a collection is asked for, in what order. */
export interface Part {
  limit: number | undefined;
  keys: readonly SortKey[];
  after: readonly SortValue[] | undefined;
}

/** A body, or where that is too much to hold at once a stream of it, in a coding that may be plainer than was chosen. */
type MadeCollection =
  | { bytes: Buffer; release(): void; link: string | undefined }
  | { stream: Readable; coding: Coding; link: string | undefined };

export async function answerCollection(
  shape: Shape,
  collection: Collection,
  part: Part,
): Promise<MadeCollection> {
  const { context, fields, format } = shape;
  const form = rowFormat(fields, format);
  const isById = part.keys.length === collection.ties.length;
  const isAscending = part.keys.every(({ isDescending }) => !isDescending);
  const source = {
    collection,
    read: shape.read,
    form,
    inTurn: context.bodies.inTurn,
    pieceLength: isById ? pieceLength.byId : pieceLength.sorted,
    columns: isById && isAscending && format === 'json' ? columnsOf(fields) : undefined,
    ...part,
  };
  const taken = await context.bodies.shared.take(shape.name, () =>
    part.limit === undefined
      ? makeWhole(shape, { ...source, pieceLength: pieceLengthOfWhole })
      : makePage(shape, source, part.limit),
  );
  if (taken) return taken;
  const link = part.limit === undefined ? undefined : (await readPage(shape, source, part.limit)).link;
  const { body, coding } = stream(shape, source);
  return { stream: body, coding, link };
}

/** What a body is made from. */
interface Source extends Part {
  collection: Collection;
  read: Shape['read'];
  form: RowFormat;
  inTurn(): Promise<void>;
  /** In characters. */
  pieceLength: number;
  /** Of rows that the engine may write as JSON in the order of their ids. */
  columns: readonly JsonColumn[] | undefined;
}

/** A page and the Link header that leads to the next one. */
async function readPage(
  { context, request }: Shape,
  { collection, read, form, inTurn, keys, after }: Source,
  limit: number,
): Promise<Made> {
  await inTurn();
  // One row more than asked for tells whether there is a next page.
  const rows = await read((db) => collection.list(db, { keys, after, limit: limit + 1 }));
  const hasMore = rows.length > limit;
  if (hasMore) rows.length = limit;
  const bytes = Buffer.from(form.start + rows.map(form.row).join(form.separator) + form.end);
  const last = rows.at(-1);
  if (!hasMore || !last) return { bytes, link: undefined };
  const { operationId, query } = request;
  // With the base address's own path, which counts too.
  const { origin, pathname } = new URL(context.baseUrl + operations[operationId].path);
  const target = nextTarget(pathname, query, writeCursor(operationId, keys, last));
  return { bytes, link: `<${origin}${target}>; rel="next"` };
}

async function makePage(shape: Shape, source: Source, limit: number): Promise<Made | Unmade> {
  const { renderLong, shared } = shape.context.bodies;
  const make = async () => {
    const { bytes, link } = await readPage(shape, source, limit);
    return bytes.length > wholeAtMost ? 'too large' : { bytes: await encode(bytes, shape.coding), link };
  };
  return limit <= rowsAtFirst ? make() : renderLong(async () => (shared.hasRoom() ? make() : 'no room'));
}

async function makeWhole({ context, coding }: Shape, source: Source): Promise<Made | Unmade> {
  const { renderLong, shared } = context.bodies;
  let place = await readPiece(source, startOf(source));
  if (place.isEnd) return { bytes: await encode(Buffer.from(place.texts.join('')), coding), link: undefined };
  return renderLong(async (room) => {
    if (!shared.hasRoom()) return 'no room';
    let length = 0;
    for (;;) {
      for (const text of place.texts) {
        // Three bytes at most for a UTF-16 unit; counted out only where that might not fit.
        const mayFit = length + 3 * text.length <= room.length;
        if (!mayFit && length + Buffer.byteLength(text) > room.length) return 'too large';
        length += room.write(text, length);
      }
      if (place.isEnd) break;
      place = await readPiece(source, place);
    }
    const whole = room.subarray(0, length);
    const bytes = coding === 'identity' ? Buffer.from(whole) : await encode(whole, coding);
    return { bytes, link: undefined };
  });
}

/** A body that is made as fast as it is read. Throws overloaded where too many are under way. */
function stream(shape: Shape, source: Source): { body: Readable; coding: Coding } {
  const { open } = shape.context.bodies;
  if (open.streams >= streamsAtMost) throw overloaded();
  let { coding } = shape;
  if (coding !== 'identity' && open.encoders >= encodersAtMost) {
    if (!mayBePlain(shape.request.headers['accept-encoding'])) throw overloaded();
    coding = 'identity';
  }
  const body = encodeStream(chunks(source), coding);
  const encoders = coding === 'identity' ? 0 : 1;
  open.streams++;
  open.encoders += encoders;
  body.once('close', () => {
    open.streams--;
    open.encoders -= encoders;
  });
  return { body, coding };
}

function overloaded(): AppError {
  return new AppError('overloaded', 'Too many long answers are under way; try again in a second.');
}

async function* chunks(source: Source): AsyncGenerator<string> {
  let place = startOf(source);
  do {
    place = await readPiece(source, place);
    yield place.texts.join('');
  } while (!place.isEnd);
}

/** How far a walk over a collection has come; holds no rows, because slow clients hold it for long. */
interface Place {
  /** What comes next, in parts: joining long texts means copying them. */
  texts: readonly string[];
  after: readonly SortValue[] | undefined;
  isStart: boolean;
  isEnd: boolean;
  /** How many rows to read next, and how many there may be at most. */
  rows: number;
  left: number;
}

function startOf({ after, limit = Number.POSITIVE_INFINITY }: Source): Place {
  return { texts: [], after, isStart: true, isEnd: false, rows: Math.min(rowsAtFirst, limit), left: limit };
}

/** The next rows of a walk by key as text, with what belongs before the first and after the last. */
async function readPiece(source: Source, { after, isStart, rows: size, left }: Place): Promise<Place> {
  const { form, inTurn } = source;
  await inTurn();
  const rows = await writeRows(source, after, size);
  const isEnd = rows.count < size || size === left;
  const before = isStart ? form.start : rows.last ? form.separator : '';
  const fitting = Math.round((size * source.pieceLength) / Math.max(rows.text.length, 1));
  return {
    texts: [before, rows.text, isEnd ? form.end : ''],
    after: rows.last,
    isStart: false,
    isEnd,
    rows: Math.min(Math.max(fitting, 1), rowsPerPieceAtMost, left - size),
    left: left - size,
  };
}

/** So many rows after this one as text, and what the last of them is sorted by; undefined where there is none. */
async function writeRows(
  { collection, columns, read, form, keys }: Source,
  after: Place['after'],
  limit: number,
): Promise<{ text: string; count: number; last: Place['after'] }> {
  const { list, listAsJson } = collection;
  if (columns && listAsJson) {
    const id = after?.[0];
    const part = { after: typeof id === 'bigint' ? id : undefined, limit };
    const { text, count, lastId } = await read((db) => listAsJson(db, columns, part));
    return { text: text ?? '', count: Number(count), last: lastId === null ? undefined : [lastId] };
  }
  const rows = await read((db) => list(db, { keys, after, limit }));
  const last = rows.at(-1);
  return {
    text: rows.map(form.row).join(form.separator),
    count: rows.length,
    last: last && keys.map(({ field }) => last[field.name] ?? null),
  };
}
