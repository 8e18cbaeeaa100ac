/**
 * One request to one of the nine operations, step by step in the order that refusals have: credentials, scope,
 * parameters, existence. What each operation looks up is its handler's business; everything else happens here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Guard, requireScope } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { UseLog } from '../auth/tokens.ts';
import { type Fields, parseInt64 } from '../contract/common.ts';
import { type Operation, type OperationId, operations } from '../contract/operations.ts';
import { formats, jsonWriter } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { chooseFormat } from '../http/negotiation.ts';
import { encode, namesTag } from '../http/representation.ts';
import type { Store } from '../store/open.ts';
import { answerCollection, type Bodies } from './collections.ts';
import { beginAfter, readCursor } from './cursors.ts';
import type { Collection, Item } from './handlers.ts';
import { handlers } from './index.ts';
import { readOrder } from './orders.ts';
import { readQuery, splitQuery } from './parameters.ts';
import { countAll, pausing } from './passes.ts';
import { type Asked, found, notModified, type Ready, shapeOf } from './shape.ts';

export interface ApiContext {
  store: Store;
  /** Without a trailing slash: what links are built from. */
  baseUrl: string;
  uses: UseLog;
  guard: Guard;
  /** Counts the request against its token. */
  limit(tokenId: bigint): Allowance;
  bodies: Bodies;
}

export interface ApiRequest {
  operationId: OperationId;
  /** The raw text in the path; undefined where the path has no id. */
  id: string | undefined;
  /** After the question mark, still encoded. */
  query: string;
  headers: IncomingHttpHeaders;
  hasBody: boolean;
  /** Aborted once nobody waits for the answer any more. */
  signal(): AbortSignal;
  /** Of a request that was looked at before. */
  begun: Begun | undefined;
  /** Puts headers, names and values in turn, on the answer even if it becomes a refusal. */
  tell(headers: readonly string[]): void;
}

/** What is known of a request, and was done for it, before it is answered here. */
export interface Begun {
  /** When it arrived, on the clock of `performance.now`. */
  since: number;
  /** It was counted already. */
  allowance?: Allowance;
  /** Whether its deletion was done; where it was not, nothing happened yet. */
  isDeleted?: boolean | Promise<boolean>;
  /** Why the store could not be asked. */
  failure?: unknown;
}

export interface Answer {
  status: 200 | 204 | 304;
  /** Names and values in turn. */
  headers: readonly string[];
  body?: Buffer | Readable;
  /** To be called once the body is sent, or never will be. */
  release?(): void;
  /** How the same can be answered again, where its body is kept. */
  ready?: Ready;
}

/** What a query may hold once it is read, whichever operation it is for. */
interface CommonQuery {
  limit?: number;
  cursor?: string;
  order?: string;
  count?: boolean;
}

export async function answer(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const operation: Operation = operations[request.operationId];
  const now = Date.now();
  const { allowance, isDeleted, failure } = request.begun ?? {};
  if (failure !== undefined) throw failure;
  if (allowance) request.tell(allowance.headers);
  // Its token was good when that was begun. That nobody knows what became of it is told before anything else can fail.
  if (await isDeleted) return { status: 204, headers: [] };
  const actor = await context.guard.authenticate(request.headers.authorization, now);
  context.uses.note(actor.tokenId, now);
  const { headers, perSecond, isUsedUp } = allowance ?? context.limit(actor.tokenId);
  request.tell(headers);
  if (isUsedUp) {
    throw new AppError(
      'tooManyRequests',
      `This token made more than ${perSecond} requests in a second; wait a second.`,
    );
  }
  requireScope(actor, operation.scope);
  const pairs = splitQuery(request.query);
  const needs = [operation.scope];
  for (const [name, scope] of Object.entries(operation.parameterScopes ?? {})) {
    if (!pairs.some(([given]) => given === name)) continue;
    requireScope(actor, scope);
    needs.push(scope);
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
    if (await handle(ask)) return { status: 204, headers: [] };
    throw absent(operation, id);
  }
  const asked = { context, request, actor, needs, fields: operation.row as Fields };
  if (operation.kind === 'collection') {
    const collection = (await handle(ask)) as Collection;
    const keys = readOrder(query.order, collection.sortFields, collection.ties);
    const position =
      query.cursor === undefined ? undefined : readCursor(query.cursor, request.operationId, keys);
    const format = chooseFormat(request.headers.accept, formats);
    const shape = await shapeOf({ ...asked, format }, collection);
    const { assertVisible } = collection;
    if (assertVisible) await shape.read(assertVisible);
    const pause = pausing(context.bodies.inTurn, request.signal());
    const walking = { collection, keys, read: shape.read, pause };
    if (query.count) shape.headers.push('x-total-count', String(await countAll(walking)));
    if (namesTag(request.headers['if-none-match'], shape.tag)) return notModified(shape);
    const after = position && (await beginAfter(position, walking));
    return answerCollection(shape, collection, { limit: query.limit, keys, after });
  }
  const format = chooseFormat(request.headers.accept, ['json']);
  return answerItem({ ...asked, format }, (await handle(ask)) as Item, id);
}

async function answerItem(asked: Asked, item: Item, id: bigint): Promise<Answer> {
  const shape = await shapeOf(asked, item);
  const { assertVisible } = item;
  if (assertVisible) await shape.read(assertVisible);
  const row = await shape.read(item.find);
  if (!row) throw absent(operations[asked.request.operationId], id);
  if (namesTag(asked.request.headers['if-none-match'], shape.tag)) return notModified(shape);
  const bytes = await encode(Buffer.from(jsonWriter(shape.fields)(row)), shape.coding);
  return found(shape, { bytes }, [], () => ({ bytes }));
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
