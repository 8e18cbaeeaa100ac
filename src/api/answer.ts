/**
 * One request to one of the nine operations, step by step in the order that refusals have: credentials, scope,
 * parameters, existence. What each operation looks up is its handler's business; everything else happens here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Actor, authenticate, requireScope } from '../auth/guard.ts';
import type { UseLog } from '../auth/tokens.ts';
import { type Fields, parseInt64 } from '../contract/common.ts';
import { apiVersion, type Operation, type OperationId, operations } from '../contract/operations.ts';
import {
  type Format,
  formats,
  jsonWriter,
  mediaTypes,
  type Row,
  type RowFormat,
  rowFormat,
} from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { chooseCoding, chooseFormat } from '../http/negotiation.ts';
import { encode, encodeStream, entityTag, namesTag } from '../http/representation.ts';
import type { SortKey, SortValue } from '../store/listing.ts';
import type { Store } from '../store/open.ts';
import { type RevisionScope, readRevisions } from '../store/revisions.ts';
import { readCursor, readOrder, writeCursor } from './cursors.ts';
import type { Collection, Item } from './handlers.ts';
import { handlers } from './index.ts';
import { readQuery, splitQuery } from './parameters.ts';

export interface ApiContext {
  store: Store;
  /** Without a trailing slash: what links are built from. */
  baseUrl: string;
  uses: UseLog;
  /** Counts the request against its token; throws tooManyRequests. */
  limit(tokenId: bigint, setHeader: SetHeader): void;
}

export type SetHeader = (name: string, value: string) => void;

export interface ApiRequest {
  operationId: OperationId;
  /** The raw text in the path; undefined where the path has no id. */
  id: string | undefined;
  /** After the question mark, still encoded. */
  query: string;
  headers: IncomingHttpHeaders;
  hasBody: boolean;
  /** Headers set here stand on the answer even if it becomes a refusal. */
  setHeader: SetHeader;
}

export interface Answer {
  status: 200 | 204 | 304;
  body?: Buffer | Readable;
}

/** Rows read at a time while a whole collection is streamed. */
const rowsPerRead = 1000;

/** What a query may hold once it is read, whichever operation it is for. */
interface CommonQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

export async function answer(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const operation: Operation = operations[request.operationId];
  const now = new Date();
  const actor = await authenticate(context.store.reader, request.headers.authorization, now);
  context.uses.note(actor.tokenId, now);
  context.limit(actor.tokenId, request.setHeader);
  requireScope(actor, operation.scope);
  const pairs = splitQuery(request.query);
  for (const [name, scope] of Object.entries(operation.parameterScopes ?? {})) {
    if (pairs.some(([given]) => given === name)) requireScope(actor, scope);
  }
  const id = request.id === undefined ? 0n : readId(request.id);
  const query: CommonQuery = readQuery(operation.query as never, pairs);
  if (request.hasBody) {
    throw new AppError('unexpectedBody', 'This operation takes no body; send the request without one.');
  }
  // The table of handlers is typed per operation; which one it is is known only at run time.
  const handle = handlers[request.operationId] as (ask: unknown) => Promise<Item | Collection | boolean>;
  const ask = { store: context.store, actor, id, query };
  if (operation.kind === 'deletion') {
    if (await handle(ask)) return { status: 204 };
    throw absent(operation, id);
  }
  const shape = { context, request, actor, fields: operation.row as Fields };
  if (operation.kind === 'collection') {
    const collection = (await handle(ask)) as Collection;
    const keys = readOrder(query.order, collection.sortFields, collection.ties);
    const after =
      query.cursor === undefined ? undefined : readCursor(query.cursor, request.operationId, keys);
    const format = chooseFormat(request.headers.accept, formats);
    await collection.assertVisible?.();
    return answerCollection({ ...shape, format }, collection, { query, pairs, keys, after });
  }
  const format = chooseFormat(request.headers.accept, ['json']);
  return answerItem({ ...shape, format }, (await handle(ask)) as Item, id);
}

interface Shape {
  context: ApiContext;
  request: ApiRequest;
  actor: Actor;
  format: Format;
  fields: Fields;
}

/** Which part of a collection is asked for, in what order. */
interface Part {
  query: CommonQuery;
  pairs: readonly [string, string][];
  keys: readonly SortKey[];
  after: readonly SortValue[] | undefined;
}

async function answerItem(shape: Shape, item: Item, id: bigint): Promise<Answer> {
  const isNotModified = await isCurrent(shape, item.scopes);
  const row = await item.find();
  if (!row) throw absent(operations[shape.request.operationId], id);
  if (isNotModified) return { status: 304 };
  const coding = codingOf(shape);
  return { status: 200, body: await encode(jsonWriter(shape.fields)(row), coding) };
}

async function answerCollection(
  shape: Shape,
  collection: Collection,
  { query, pairs, keys, after }: Part,
): Promise<Answer> {
  const { request, context, fields, format } = shape;
  const { operationId } = request;
  const isNotModified = await isCurrent(shape, collection.scopes);
  if (query.count) request.setHeader('X-Total-Count', String(await collection.count()));
  if (isNotModified) return { status: 304 };
  const limit = query.limit ?? rowsPerRead;
  // One row more than asked for tells whether there is a next page.
  const rows = await collection.list({ keys, after, limit: limit + 1 });
  const hasMore = rows.length > limit;
  if (hasMore) rows.length = limit;
  const last = rows.at(-1);
  const form = rowFormat(fields, format);
  const coding = codingOf(shape);
  if (hasMore && last && query.limit === undefined) {
    const chunks = streamRows(collection, keys, rows, form);
    return { status: 200, body: encodeStream(chunks, coding) };
  }
  if (hasMore && last) {
    const next = new URLSearchParams(pairs.filter(([name]) => name !== 'cursor'));
    next.append('cursor', writeCursor(operationId, keys, last));
    request.setHeader('Link', `<${context.baseUrl}${operations[operationId].path}?${next}>; rel="next"`);
  }
  return {
    status: 200,
    body: await encode(form.start + rows.map(form.row).join(form.separator) + form.end, coding),
  };
}

async function* streamRows(
  collection: Collection,
  keys: readonly SortKey[],
  first: readonly Row[],
  form: RowFormat,
): AsyncGenerator<string> {
  let rows = first;
  let prefix = form.start;
  for (;;) {
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map(form.row).join(form.separator);
    prefix = form.separator;
    if (rows.length < rowsPerRead) break;
    const after = keys.map(({ field }) => last[field.name] ?? null);
    rows = await collection.list({ keys, after, limit: rowsPerRead });
  }
  yield form.end;
}

/** Sets the headers that a 200 and a 304 share, and says whether the client's copy is current. */
async function isCurrent(shape: Shape, scopes: readonly RevisionScope[]): Promise<boolean> {
  const { context, request, actor, format } = shape;
  const revisions = await readRevisions(context.store.reader, scopes);
  const tag = entityTag([
    context.store.instance,
    apiVersion,
    ...revisions,
    context.baseUrl,
    request.operationId,
    request.id ?? '',
    request.query,
    actor.memberId,
    actor.isStaff ? 'staff' : 'member',
    format,
    chooseCoding(request.headers['accept-encoding']),
  ]);
  request.setHeader('ETag', tag);
  request.setHeader('Cache-Control', 'private, no-cache');
  request.setHeader('Vary', 'Authorization, Accept, Accept-Encoding');
  return namesTag(request.headers['if-none-match'], tag);
}

function codingOf({ request, format }: Shape) {
  const coding = chooseCoding(request.headers['accept-encoding']);
  if (coding !== 'identity') request.setHeader('Content-Encoding', coding);
  request.setHeader('Content-Type', mediaTypes[format]);
  return coding;
}

function readId(text: string): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new AppError(
    'malformedId',
    `The id ${JSON.stringify(text.slice(0, 40))} is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.`,
  );
}

function absent({ noun }: Operation, id: bigint): AppError {
  return new AppError('unknownItem', `There is no ${noun} ${id} that this token may see; check the id.`);
}
