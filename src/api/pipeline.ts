/**
 * The road of a request to one of the nine operations, step by step in the order that refusals have (CONTRACT §4): each step
 * hands on what it learned. What an operation looks up is its handler's business; everything else happens here.
 */
import type { IncomingMessage } from 'node:http';
import { type Actor, requireScope } from '../auth/guard.ts';
import { parseInt64 } from '../contract/common.ts';
import { type Operation, type OperationId, operations } from '../contract/operations.ts';
import { formats } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { chooseFormat } from '../http/negotiation.ts';
import { deletionMayHappen, isNotModified, preconditionFailed } from '../http/preconditions.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Api } from './context.ts';
import { type Departure, departing } from './departures.ts';
import type { Exchange } from './exchange.ts';
import type { Collection, Deletion, Item } from './handlers.ts';
import { handlers } from './index.ts';
import { type Match, versionHeader } from './match.ts';
import { readQuery, splitQuery } from './parameters.ts';
import { absent, type CommonQuery, partOf, sendCollection, sendItem } from './reads.ts';
import { refuse, sendBody, sendHead } from './send.ts';
import { findVariant, tagHeaders } from './variant.ts';

/** Answers a request, whatever becomes of it. */
export async function answer(api: Api, exchange: Exchange, match: Match): Promise<void> {
  const headers: string[] = [...versionHeader];
  const departure = departing(exchange);
  try {
    await follow(api, exchange, match, headers, departure);
  } catch (error) {
    // The work was stopped because its client has gone: there is nobody to answer.
    if (departure.hasHappened()) return;
    api.noteFailure(error, exchange);
    refuse(exchange, error, headers);
  }
}

/** `headers`: names and values in turn, which stand on the answer even if it becomes a refusal. */
async function follow(
  api: Api,
  exchange: Exchange,
  match: Match,
  headers: string[],
  { signal }: Departure,
): Promise<void> {
  const { request } = exchange;
  const operation: Operation = operations[match.operationId];
  const { actor, revision, revisions } = await authenticate(api, request, match.operationId, headers);
  count(api, actor, headers);
  const pairs = authorise(actor, operation, match);
  const id = match.id === undefined ? 0n : readId(match.id);
  const query: CommonQuery = readQuery(operation.query as never, pairs);
  await refuseBody(request);
  // The table of handlers is typed per operation; which one it is is known only at run time.
  const handle = handlers[match.operationId] as (ask: unknown) => Item | Collection | Deletion;
  const handled = handle({ actor, id, query });
  if (operation.kind === 'deletion') {
    await remove(api, exchange, match, handled as Deletion, revision);
    sendHead(exchange, 204, headers);
    return;
  }
  const source = handled as Item | Collection;
  const part = 'ties' in source ? partOf(match.operationId, source, query) : undefined;
  const format = chooseFormat(request.headers.accept, part ? formats : ['json']);
  const variant = await findVariant(
    {
      context: api,
      request: { ...match, headers: request.headers, signal },
      actor,
      format,
      fields: operation.row,
    },
    source,
    { scopes: expected(match.operationId, actor), revisions },
  );
  const kept = api.kept.find(variant.name);
  if (kept) {
    if (isNotModified(request.headers, kept.tag))
      sendHead(exchange, 304, [...headers, ...tagHeaders(kept.tag)]);
    else sendBody(exchange, [...headers, ...kept.headers], kept.body, api.bodies.hold);
    return;
  }
  if (part) await sendCollection(exchange, variant, source as Collection, part, headers);
  else await sendItem(exchange, variant, source as Item, id, headers);
}

/** Throws missingToken, invalidToken, or tooManyRequests where the network sent too many such requests. */
async function authenticate(api: Api, request: IncomingMessage, operationId: OperationId, headers: string[]) {
  try {
    return await api.guard.authenticate(request.headers.authorization, Date.now(), (actor) =>
      expected(operationId, actor),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 401) throw error;
    const allowance = api.limitStranger(request);
    headers.push(...allowance.headers);
    if (!allowance.isUsedUp) throw error;
    throw new AppError(
      'tooManyRequests',
      'This network sent too many requests without a good token; wait a second, and send "Authorization: Bearer pgt_…".',
    );
  }
}

/** The scopes that nearly every request of this kind needs: asked for along with the credentials'. */
function expected(operationId: OperationId, { memberId, isStaff }: Actor): readonly RevisionScope[] {
  switch (operationId) {
    case 'deletePlant':
      return [];
    case 'listProblems':
    case 'getProblem':
      return ['problems'];
    case 'listRecords':
    case 'getRecord':
      return [isStaff ? 'records' : `records:${memberId}`];
    case 'listBookmarks':
    case 'getBookmark':
      return [`bookmarks:${memberId}`];
    case 'listProblemStatuses':
      return [`statuses:${memberId}`];
    case 'getProblemStatus':
      return ['problems', `statuses:${memberId}`];
  }
}

function count(api: Api, { tokenId }: Actor, headers: string[]): void {
  api.uses.note(tokenId, Date.now());
  const allowance = api.limit(tokenId);
  headers.push(...allowance.headers);
  if (!allowance.isUsedUp) return;
  throw new AppError(
    'tooManyRequests',
    `This token made more than ${allowance.perSecond} requests in a second; wait a second.`,
  );
}

/** Throws missingScope. Answers the query's pairs, since some of them need a scope of their own. */
function authorise(actor: Actor, { scope, parameterScopes = {} }: Operation, { query }: Match) {
  requireScope(actor, scope);
  const pairs = splitQuery(query);
  for (const [name] of pairs) {
    if (Object.hasOwn(parameterScopes, name)) requireScope(actor, parameterScopes[name] as string);
  }
  return pairs;
}

function readId(text: string): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new AppError(
    'malformedId',
    `The id ${JSON.stringify(text.slice(0, 40))} is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.`,
  );
}

/** An announced body may be empty: the first byte decides, and no more is read. */
async function refuseBody(request: IncomingMessage): Promise<void> {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
  if (coding === undefined ? Number(length) === 0 : !(await hasBytes(request))) return;
  throw new AppError('unexpectedBody', 'This operation takes no body; send the request without one.');
}

function hasBytes(request: IncomingMessage): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  request.once('data', () => resolve(true));
  request.once('end', () => resolve(false));
  request.once('close', () => resolve(true));
  return promise;
}

/** Deletes, or throws unknownItem, preconditionFailed or invalidToken; the token has to be good when the row goes. */
async function remove(
  api: Api,
  { request }: Exchange,
  { operationId }: Match,
  deletion: Deletion,
  revision: bigint,
): Promise<void> {
  if (!deletionMayHappen(request.headers)) {
    if (await deletion.exists(api.store)) throw preconditionFailed();
    throw absent(operationId, deletion.id);
  }
  let credentials = revision;
  while (!(await deletion.run(api.store, credentials))) {
    const { authorization } = request.headers;
    const again = await api.guard.authenticate(authorization, Date.now(), () => []);
    if (again.revision === credentials) throw absent(operationId, deletion.id);
    // Nothing was deleted, perhaps because some member's credentials changed meanwhile.
    credentials = again.revision;
  }
}
