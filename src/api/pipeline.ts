/** A request to one of the nine operations; the order of the steps decides which refusal comes first. */
import type { IncomingMessage } from 'node:http';
import { type Actor, type Authenticated, requireScope } from '../auth/tokens.ts';
import { parseInt64 } from '../contract/common.ts';
import { type Operation, type OperationId, operations } from '../contract/operations.ts';
import { formats } from '../contract/rows.ts';
import { AppError, documentedError } from '../errors.ts';
import { chooseCoding } from '../http/codings.ts';
import { chooseFormat } from '../http/negotiation.ts';
import { allowsDeletion } from '../http/preconditions.ts';
import type { RevisionScope } from '../store/revisions.ts';
import { variantOf } from './answer-cache.ts';
import { refuse, sendCached, sendCollection, sendHead, sendItem } from './answers.ts';
import { getBookmark, listBookmarks } from './bookmarks.ts';
import { readCollectionRequest } from './collections.ts';
import { type Api, clientDisconnected, type Exchange } from './context.ts';
import { type AnyHandler, type Deletion, type Handler, type Item, noSuchItem } from './handlers.ts';
import { type Match, versionHeader } from './match.ts';
import { readQuery, splitQuery } from './parameters.ts';
import { deletePlant } from './plants.ts';
import { getProblem, listProblems } from './problems.ts';
import { getRecord, listRecords } from './records.ts';
import { getProblemStatus, listProblemStatuses } from './statuses.ts';

const handlers: { [Id in OperationId]: Handler<Id> } = {
  deletePlant,
  listRecords,
  getRecord,
  listBookmarks,
  getBookmark,
  listProblems,
  getProblem,
  listProblemStatuses,
  getProblemStatus,
};

const onlyJson = ['json'] as const;

export async function answer(api: Api, exchange: Exchange, match: Match): Promise<void> {
  const { request, headers } = exchange;
  headers.push(...versionHeader);
  try {
    const operation: Operation = operations[match.operationId];
    const { prefetchedScopes, handle } = handlers[match.operationId] as AnyHandler;
    const authentication = api.guard.authenticate(
      request.headers.authorization,
      Date.now(),
      prefetchedScopes,
    );
    const authenticated = authentication instanceof Promise ? await authentication : authentication;
    const { actor } = authenticated;
    countRequest(api, actor, headers);
    const pairs = authorise(api, actor, operation, match);
    const id = match.id === undefined ? 0n : parseInt64(match.id);
    if (id === undefined) throw documentedError('malformedId', match.id ?? '');
    const query = pairs.length === 0 ? {} : readQuery(operation.query, pairs);
    if (announcesBody(request)) await assertNoBody(request);
    const resource = handle({ actor, id, query });
    if ('run' in resource) {
      await runDeletion(api, request, match, resource, authenticated);
      sendHead(exchange, 204, []);
      return;
    }
    const collectionRequest =
      'tieBreakers' in resource ? readCollectionRequest(match.operationId, resource, query) : undefined;
    const { accept, 'accept-encoding': codings } = request.headers;
    // Without Accept a client takes any type (RFC 9110 §12.5).
    const format = accept ? chooseFormat(accept, collectionRequest ? formats : onlyJson) : 'json';
    const coding = codings ? chooseCoding(codings) : 'identity';
    const revisions =
      prefetchedRevisions(resource.revisionScopes, authenticated) ??
      (await api.store.revisions(resource.revisionScopes));
    const variant = variantOf(match, actor, resource, { format, coding, revisions });
    const cached = api.cache.find(variant.cacheKey);
    if (cached) {
      sendCached(api, exchange, cached);
      return;
    }
    const reading = { api, exchange, match, variant, fields: operation.row };
    if (collectionRequest) await sendCollection(reading, collectionRequest);
    else await sendItem(reading, resource as Item, id);
  } catch (error) {
    if (error === clientDisconnected) return;
    const refusal =
      error instanceof AppError && error.status === 401 ? countUnauthenticated(api, exchange, error) : error;
    api.reportFailure(refusal, exchange);
    refuse(exchange, refusal);
  }
}

/** Returns tooManyRequests if the network sent too many requests without a valid token. */
export function countUnauthenticated(
  api: Pick<Api, 'allowsUnauthenticated' | 'guard'>,
  { request }: Exchange,
  error: AppError,
): AppError {
  if (api.allowsUnauthenticated(request)) return error;
  return new AppError(
    'tooManyRequests',
    `This network sent too many requests without a good token; wait a second, and send "Authorization: Bearer ${api.guard.kind}_…".`,
  );
}

/** Throws tooManyRequests. */
export function countRequest(api: Pick<Api, 'limitRequests'>, { tokenId }: Actor, headers: string[]): void {
  const allowance = api.limitRequests(tokenId);
  headers.push(...allowance.headers);
  if (!allowance.isUsedUp) return;
  throw documentedError('tooManyRequests', allowance.perSecond);
}

/** Throws missingScope. Some parameters of the query need a scope of their own. */
function authorise(
  { isDemo }: Api,
  actor: Actor,
  { method, scope, parameterScopes = {} }: Operation,
  { query }: Match,
) {
  requireScope(actor, scope);
  if (isDemo && method === 'DELETE') throw refusedInDemo(scope);
  const pairs = query === '' ? [] : splitQuery(query);
  for (const [name] of pairs) {
    if (Object.hasOwn(parameterScopes, name)) requireScope(actor, parameterScopes[name] as string);
  }
  return pairs;
}

export const refusedInDemo = (scope: string) =>
  new AppError(
    'missingScope',
    `This server is a demo that nobody can change, so no token has the scope ${scope} here.`,
  );

/** Throws unexpectedBody. An announced body may be empty. */
export async function assertNoBody(request: IncomingMessage): Promise<void> {
  if (await hasBytes(request))
    throw new AppError('unexpectedBody', 'This operation takes no body; send the request without one.');
}

/** RFC 9112 §6. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** A chunked body may be empty, so its first byte decides. */
async function hasBytes(request: IncomingMessage): Promise<boolean> {
  if (request.headers['transfer-encoding'] === undefined) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  request.once('data', () => resolve(true));
  request.once('end', () => resolve(false));
  request.once('close', () => resolve(true));
  return promise;
}

function prefetchedRevisions(scopes: readonly RevisionScope[], { revisionScopes, revisions }: Authenticated) {
  const prefetched: bigint[] = [];
  for (const key of scopes) {
    const revision = revisions[revisionScopes.indexOf(key)];
    if (revision === undefined) return undefined;
    prefetched.push(revision);
  }
  return prefetched;
}

/** Throws unknownItem, preconditionFailed or invalidToken, also if the token is revoked meanwhile. */
async function runDeletion(
  { store, guard }: Api,
  { headers }: IncomingMessage,
  { operationId }: Match,
  deletion: Deletion,
  authenticated: Authenticated,
): Promise<void> {
  if (!allowsDeletion(headers)) {
    if (await deletion.exists(store)) throw documentedError('preconditionFailed');
    throw noSuchItem(operationId, deletion.id);
  }
  let current = authenticated;
  while (!(await deletion.run(store, current))) {
    const latest = await guard.authenticate(headers.authorization, Date.now(), () => []);
    if (latest.revisions[0] === current.revisions[0]) throw noSuchItem(operationId, deletion.id);
    // A change of any credentials makes a deletion return false, so it is tried again.
    current = latest;
  }
}
