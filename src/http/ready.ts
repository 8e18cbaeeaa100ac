/**
 * Answers that are ready: what was read before and has not changed since is sent again without routing, looking up or
 * rendering anything, and what a DELETE says plainly is done. Requests of one turn of the event loop are answered
 * together, so that asking the store whether anything changed, which happens after the last of them arrived, is paid once
 * for all of them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Begun } from '../api/answer.ts';
import type { PlainDeletion } from '../api/deletions.ts';
import type { Ready } from '../api/shape.ts';
import type { Actor, Guard, Verdict } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { UseLog } from '../auth/tokens.ts';
import type { Store } from '../store/open.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { TellAnswer } from './logging.ts';
import { checkRequest, hasBody, isEnding } from './protocol.ts';
import { namesTag } from './representation.ts';

export interface ReadyAnswers {
  /** Keeps an answer for requests like this one. */
  keep(request: IncomingMessage, ready: Ready): void;
  /** What is known of this request from before it was handed on. */
  begunFor(request: IncomingMessage): Begun | undefined;
  /** Answers what it can of the requests to a server and hands the rest on to the listener that it has. */
  standBefore(server: Server): void;
}

export interface ReadyContext {
  store: Store;
  guard: Guard;
  uses: UseLog;
  limit(tokenId: bigint): Allowance;
  /** On every answer: names and values in turn. */
  headers: readonly string[];
  tellAnswer: TellAnswer;
  /** What a DELETE of this target does, if that is plain. */
  deletionAt(target: string): PlainDeletion | undefined;
  /** Whether requests may be answered here at the moment. */
  isOpen(): boolean;
}

const answersAtMost = 10_000;
const keyLengthMax = 1000;
/** A body of up to so many bytes is kept as text: Node joins that to the headers and writes both in one piece. */
const textAtMost = 4096;

interface Kept extends Ready {
  /** The bytes as Latin-1, where they are few. */
  text: string | undefined;
  /** All headers of a 200 that do not depend on the request. */
  headers: readonly string[];
}

/** A request whose token is known, and so is what to answer or to do, if only nothing changed since. */
interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  verdict: Verdict;
  found: { ready: Kept } | { deletion: PlainDeletion };
}

export function readyAnswers(context: ReadyContext): ReadyAnswers {
  const { store, guard, uses, limit, headers } = context;
  const answers = new LRUCache<string, Kept>({ max: answersAtMost });
  const lastVerdicts = new WeakMap<Socket, { authorization: string | undefined; verdict: Verdict }>();
  const begun = new WeakMap<IncomingMessage, Begun>();
  let waiting: Waiting[] = [];
  /** When the first of them arrived; one look at the clock a turn. */
  let waitingSince = 0;

  return {
    keep: (request, ready) => {
      const key = keyOf(request, ready.actor);
      if (key.length > keyLengthMax) return;
      const taken = ready.take();
      if (!taken) return;
      const { length } = taken.bytes;
      const text = length <= textAtMost ? taken.bytes.toString('latin1') : undefined;
      taken.release?.();
      const headers = [...ready.sharedHeaders, ...ready.bodyHeaders, 'content-length', String(length)];
      // With the text the bytes need not be held as well.
      const take = text === undefined ? ready.take : () => undefined;
      answers.set(key, { ...ready, take, text, headers });
    },
    begunFor: (request) => begun.get(request),
    standBefore: (server) => {
      const next = server.listeners('request').at(-1) as RequestListener;
      server.removeListener('request', next);
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const found = context.isOpen() ? find(request) : undefined;
        if (!found) return next(request, response);
        waiting.push({ request, response, ...found });
        if (waiting.length > 1) return;
        waitingSince = performance.now();
        setImmediate(answerWaiting, next);
      });
    },
  };

  function find(request: IncomingMessage): Pick<Waiting, 'verdict' | 'found'> | undefined {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'DELETE') || isEnding(request) || hasBody(request)) return undefined;
    if (!isInOrder(request)) return undefined;
    const verdict = verdictOn(request);
    if (!verdict) return undefined;
    const { actor } = verdict;
    if (method === 'DELETE') {
      const deletion = context.deletionAt(url);
      return deletion && actor.scopes.has(deletion.scope) ? { verdict, found: { deletion } } : undefined;
    }
    const ready = answers.get(keyOf(request)) ?? answers.get(keyOf(request, actor));
    return ready?.needs.every((scope) => actor.scopes.has(scope)) ? { verdict, found: { ready } } : undefined;
  }

  /** A connection mostly sends the same token again, which need not be digested again then. */
  function verdictOn({ socket, headers: { authorization } }: IncomingMessage): Verdict | undefined {
    const last = lastVerdicts.get(socket);
    if (last && last.authorization === authorization) return last.verdict;
    const verdict = guard.recall(authorization);
    if (verdict) lastVerdicts.set(socket, { authorization, verdict });
    return verdict;
  }

  async function answerWaiting(next: RequestListener): Promise<void> {
    const batch = waiting;
    const since = waitingSince;
    waiting = [];
    const now = Date.now();
    const scopes = new Set<RevisionScope>(['credentials']);
    for (const { found } of batch) {
      if ('ready' in found) for (const scope of found.ready.scopes) scopes.add(scope);
    }
    const handOn = ({ request, response }: Waiting, known: Omit<Begun, 'since'> = {}) => {
      begun.set(request, { ...known, since });
      next(request, response);
    };
    let current: Map<RevisionScope, bigint>;
    try {
      current = await revisionsOf([...scopes]);
    } catch (failure) {
      // Whoever asks again waits again.
      for (const one of batch) handOn(one, { failure });
      return;
    }
    const ms = performance.now() - since;
    for (const one of batch) {
      const { verdict, found, request } = one;
      const isGood = verdict.revision === current.get('credentials') && verdict.expiresAt > now;
      // Or the connection would be reminded of it for ever.
      if (!isGood) lastVerdicts.delete(request.socket);
      if (!isGood) handOn(one);
      else if ('deletion' in found) remove(one, found.deletion, { now, since, handOn });
      else if (!isCurrent(found.ready, current) || !send(one, found.ready, now, ms)) handOn(one);
    }
  }

  /** Deletes and says so; everything else that can become of it is told by the long way. */
  async function remove(
    waiting: Waiting,
    deletion: PlainDeletion,
    {
      now,
      since,
      handOn,
    }: { now: number; since: number; handOn(one: Waiting, known?: Omit<Begun, 'since'>): void },
  ): Promise<void> {
    const {
      request,
      response,
      verdict: { actor },
    } = waiting;
    const allowance = limit(actor.tokenId);
    if (allowance.isUsedUp) return handOn(waiting, { allowance });
    uses.note(actor.tokenId, now);
    const isDeleted = deletion.run(actor);
    if (!(await isDeleted.catch(() => false))) return handOn(waiting, { allowance, isDeleted });
    const id = randomUUID();
    response.writeHead(204, ['x-request-id', id, ...headers, ...allowance.headers]).end();
    const ms = performance.now() - since;
    context.tellAnswer(request, { id, target: request.url ?? '', status: 204, ms });
  }

  async function revisionsOf(scopes: readonly RevisionScope[]): Promise<Map<RevisionScope, bigint>> {
    const revisions = await store.revisions(scopes);
    return new Map(scopes.map((scope, place) => [scope, revisions[place] ?? 0n]));
  }

  /** False where the body is gone or the token's limit is used up. */
  function send({ request, response, verdict }: Waiting, ready: Kept, now: number, ms: number): boolean {
    const { tokenId } = verdict.actor;
    const isNotModified = namesTag(request.headers['if-none-match'], ready.tag);
    const isText = ready.text !== undefined;
    const taken = isNotModified || isText ? undefined : ready.take();
    if (!isNotModified && !isText && !taken) return false;
    // Counted only now: what goes the long way is counted there.
    const allowance = limit(tokenId);
    if (allowance.isUsedUp) {
      taken?.release?.();
      return false;
    }
    uses.note(tokenId, now);
    const id = randomUUID();
    const status = isNotModified ? 304 : 200;
    const own = isNotModified ? ready.sharedHeaders : ready.headers;
    response.writeHead(status, ['x-request-id', id, ...headers, ...allowance.headers, ...own]);
    if (isNotModified) response.end();
    else if (isText) response.end(ready.text, 'latin1');
    else if (taken) {
      // A client may have gone while its request waited.
      if (response.closed) taken.release?.();
      else if (taken.release) response.once('close', taken.release);
      response.end(taken.bytes);
    }
    context.tellAnswer(request, { id, target: request.url ?? '', status, ms });
    return true;
  }
}

function isCurrent({ scopes, revisions }: Kept, current: ReadonlyMap<RevisionScope, bigint>): boolean {
  return scopes.every((scope, place) => current.get(scope) === revisions[place]);
}

function isInOrder(request: IncomingMessage): boolean {
  try {
    checkRequest(request, request.url ?? '');
    return true;
  } catch {
    return false;
  }
}

/** What two requests have in common that get the same bytes. */
function keyOf({ url, headers }: IncomingMessage, actor?: Actor): string {
  const asked = `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
  return actor ? `${asked}\n${actor.memberId} ${actor.isStaff}` : asked;
}
