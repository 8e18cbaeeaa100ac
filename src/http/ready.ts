/**
 * Answers that are ready: what was read before and has not changed since is sent again without routing, looking up or
 * rendering anything, and what a DELETE says plainly is done. Requests of one turn of the event loop are answered
 * together, so that asking the store whether anything changed, which happens after the last of them arrived, is paid once
 * for all of them.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server } from 'node:http';
import type { Begun } from '../api/answer.ts';
import type { PlainDeletion } from '../api/deletions.ts';
import type { Ready } from '../api/shape.ts';
import type { Actor, Guard, Verdict } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { UseLog } from '../auth/tokens.ts';
import type { Store } from '../store/open.ts';
import type { RevisionScope } from '../store/revisions.ts';
import { type Exchange, fieldsOf, parsedExchange, replying, unparsedExchange } from './exchanges.ts';
import { gathering } from './gathering.ts';
import { headOf, parseHead } from './heads.ts';
import { isCurrent, type Kept, keptAnswers } from './kept-answers.ts';
import { type KnownFields, knownHeads } from './known-heads.ts';
import type { Connections } from './line.ts';
import type { TellAnswer } from './logging.ts';
import { isEnding, isPlain } from './protocol.ts';
import { namesTag } from './representation.ts';

export interface ReadyAnswers {
  /** Keeps an answer for requests like this one. */
  keep(request: IncomingMessage, ready: Ready): void;
  /** What is known of this request from before it was handed on. */
  begunFor(request: IncomingMessage): Begun | undefined;
  /** Answers what it can of the requests to a server and hands the rest on to the listener that it has. */
  standBefore(server: Server, connections: Connections): void;
  /** From now on hands everything on, and so what is under way without having been parsed. */
  stepAside(): void;
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
}

/** What to answer or to do for somebody, if only nothing changed since. */
type Found = { ready: Kept } | { deletion: PlainDeletion };

interface Waiting {
  exchange: Exchange;
  verdict: Verdict;
  found: Found;
  /** Of a request that was not parsed: where its verdict is from. */
  from?: KnownFields;
}

export function readyAnswers(context: ReadyContext): ReadyAnswers {
  const { store, guard, uses, limit } = context;
  const reply = replying(fieldsOf(context.headers), context.tellAnswer);
  const answers = keptAnswers();
  const heads = knownHeads();
  const begun = new WeakMap<IncomingMessage, Begun>();
  /** What is known of the request that is being parsed after all. */
  let parsing: Begun | undefined;
  /** Requests under way that were not parsed, with what is known of each: who steps aside has that done. */
  const unparsed = new Map<Waiting, Begun>();
  let isAside = false;

  const wait = gathering(answerTogether);

  function standBefore(server: Server, connections: Connections): void {
    const next = server.listeners('request').at(-1) as RequestListener;
    server.removeListener('request', next);
    server.on('request', (request: IncomingMessage, response) => {
      if (parsing) begun.set(request, parsing);
      const isNew = !parsing && !isAside && isPlain(request);
      const verdict = isNew ? guard.recall(request.headers.authorization) : undefined;
      const found = verdict && find(request.method, request.url ?? '', request.headers, verdict.actor);
      if (!found) return next(request, response);
      const head = response.shouldKeepAlive ? headOf(request) : undefined;
      if (head !== undefined) heads.learn(head, request, verdict);
      const exchange = parsedExchange(request, response, (known) => {
        begun.set(request, known);
        next(request, response);
      });
      wait({ exchange, verdict, found });
    });
    connections.take = (socket, head) => {
      if (isAside || isEnding({ socket })) return false;
      const known = heads.find(head);
      if (!known) return false;
      const { method, target, fields } = known;
      const { verdict, headers } = fields;
      const found = find(method, target, headers, verdict.actor);
      if (!found) return false;
      const exchange = unparsedExchange({ method, headers, socket }, target, (begun) => {
        parsing = begun;
        try {
          parseHead(socket);
        } finally {
          parsing = undefined;
        }
      });
      wait({ exchange, verdict, found, from: fields });
      return true;
    };
  }

  /** What is kept for, or done by, this request; undefined where it needs another look. */
  function find(
    method: string | undefined,
    target: string,
    headers: IncomingHttpHeaders,
    actor: Actor,
  ): Found | undefined {
    if (method === 'DELETE') {
      const deletion = context.deletionAt(target);
      return deletion && actor.scopes.has(deletion.scope) ? { deletion } : undefined;
    }
    if (method !== 'GET') return undefined;
    const ready = answers.find(target, headers, actor);
    return ready && { ready };
  }

  /** Its verdict may stand no more; it is looked for anew by whoever answers. */
  function handOn({ exchange, from }: Waiting, known: Begun): void {
    if (from) heads.forget(from);
    exchange.handOn(known);
  }

  function begin(one: Waiting, known: Begun): void {
    if (one.from) unparsed.set(one, known);
  }

  /** Whether it is still to be answered here. */
  function isOurs(one: Waiting): boolean {
    return !one.from || unparsed.delete(one);
  }

  function answerTogether(batch: readonly Waiting[], since: number): void {
    const now = Date.now();
    const reads: [Waiting, Kept][] = [];
    const deletions: [Waiting, PlainDeletion][] = [];
    for (const one of batch) {
      if (one.verdict.expiresAt <= now) handOn(one, { since });
      else if ('ready' in one.found) reads.push([one, one.found.ready]);
      else deletions.push([one, one.found.deletion]);
    }
    if (reads.length > 0) answerReads(reads, since);
    const isAlone = deletions.length === 1;
    for (const [one, deletion] of deletions) remove(one, deletion, isAlone, since);
  }

  function answerReads(reads: readonly [Waiting, Kept][], since: number): void {
    const scopes = new Set<RevisionScope>(['credentials']);
    for (const [, ready] of reads) for (const scope of ready.scopes) scopes.add(scope);
    const answer = (revisions: readonly bigint[], isMine: (one: Waiting) => boolean) => {
      const current = new Map([...scopes].map((scope, place) => [scope, revisions[place] ?? 0n]));
      const ms = performance.now() - since;
      for (const [one, ready] of reads) {
        if (!isMine(one)) continue;
        const isGood = one.verdict.revision === current.get('credentials');
        const left = isGood && isCurrent(ready, current) ? send(one, ready, ms) : {};
        if (left) handOn(one, { since, ...left });
      }
    };
    // Whoever asks again waits again.
    const fail = (failure: unknown, isMine: (one: Waiting) => boolean) => {
      for (const [one] of reads) if (isMine(one)) handOn(one, { since, failure });
    };
    let revisions: ReturnType<Store['revisions']>;
    try {
      revisions = store.revisions([...scopes]);
    } catch (failure) {
      fail(failure, () => true);
      return;
    }
    if (!(revisions instanceof Promise)) {
      answer(revisions, () => true);
      return;
    }
    for (const [one] of reads) begin(one, { since });
    revisions.then(
      (told) => answer(told, isOurs),
      (failure) => fail(failure, isOurs),
    );
  }

  /** Deletes and says so; everything else that can become of it is told by the long way. */
  function remove(one: Waiting, deletion: PlainDeletion, isAlone: boolean, since: number): void {
    const { exchange, verdict } = one;
    const { tokenId } = verdict.actor;
    const allowance = limit(tokenId);
    const isDeleted = allowance.isUsedUp ? undefined : deletion.run(verdict, isAlone);
    if (isDeleted === undefined) {
      handOn(one, { since, allowance });
      return;
    }
    uses.note(tokenId, Date.now());
    const known = { since, allowance, isDeleted };
    const tell = (isDone: boolean) =>
      isDone
        ? reply(exchange, 204, [fieldsOf(allowance.headers)], performance.now() - since)
        : handOn(one, known);
    if (isDeleted instanceof Promise) {
      begin(one, known);
      isDeleted.catch(() => false).then((isDone) => isOurs(one) && tell(isDone));
    } else tell(isDeleted);
  }

  /** Where the body is gone or the token's limit is used up: what is known by then for whoever answers. */
  function send(one: Waiting, ready: Kept, ms: number): Pick<Begun, 'allowance'> | undefined {
    const { exchange, verdict } = one;
    const { tokenId } = verdict.actor;
    const isNotModified = namesTag(exchange.asking.headers['if-none-match'], ready.tag);
    const { text } = ready;
    const body = isNotModified ? undefined : text === undefined ? ready.take() : { text };
    // Not counted: what goes the long way is counted there.
    if (!isNotModified && !body) return {};
    const allowance = limit(tokenId);
    if (allowance.isUsedUp) {
      if (body && 'bytes' in body) body.release?.();
      return { allowance };
    }
    uses.note(tokenId, Date.now());
    const own = isNotModified ? ready.sharedFields : ready.fields;
    reply(exchange, isNotModified ? 304 : 200, [fieldsOf(allowance.headers), own], ms, body);
    return undefined;
  }

  return {
    keep: ({ url = '', headers }, ready) => answers.keep(url, headers, ready),
    begunFor: (request) => begun.get(request),
    standBefore,
    stepAside: () => {
      isAside = true;
      for (const [one, known] of unparsed) {
        unparsed.delete(one);
        handOn(one, known);
      }
    },
  };
}
