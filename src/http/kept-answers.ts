/** Answers that were given and may be given again: found by what a request asks for, as long as nothing changed since. */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Ready } from '../api/shape.ts';
import type { Actor } from '../auth/guard.ts';
import type { RevisionScope } from '../store/revisions.ts';
import { type Fields, fieldsOf } from './exchanges.ts';

const answersAtMost = 10_000;
const keyLengthMax = 1000;
/** A body of up to so many bytes is kept as text, which is joined to the head: both are written in one piece. */
const textAtMost = 4096;

export interface Kept extends Ready {
  /** The bytes as Latin-1, where they are few. */
  text: string | undefined;
  /** All that a 304 has and that does not depend on the request, and all that a 200 has. */
  sharedFields: Fields;
  fields: Fields;
}

export interface KeptAnswers {
  /** Keeps an answer for requests like this one. */
  keep(target: string, headers: IncomingHttpHeaders, ready: Ready): void;
  /** What is kept for this request, if the actor may have it. */
  find(target: string, headers: IncomingHttpHeaders, actor: Actor): Kept | undefined;
}

export function keptAnswers(): KeptAnswers {
  const answers = new LRUCache<string, Kept>({ max: answersAtMost });
  return {
    keep: (target, headers, ready) => {
      const key = keyOf(target, headers, ready.actor);
      if (key.length > keyLengthMax) return;
      const taken = ready.take();
      // Who has it already does not want the body, and so it was not made; whoever got it before keeps it.
      if (!taken && answers.peek(key)?.tag === ready.tag) return;
      const length = taken?.bytes.length ?? 0;
      const text = taken && length <= textAtMost ? taken.bytes.toString('latin1') : undefined;
      taken?.release?.();
      const { sharedHeaders, bodyHeaders } = ready;
      const sharedFields = fieldsOf(sharedHeaders);
      const fields = fieldsOf([...sharedHeaders, ...bodyHeaders, 'content-length', String(length)]);
      // With the text the bytes need not be held as well.
      const take = text === undefined ? ready.take : () => undefined;
      answers.set(key, { ...ready, take, text, sharedFields, fields });
    },
    find: (target, headers, actor) => {
      const ready = answers.get(keyOf(target, headers)) ?? answers.get(keyOf(target, headers, actor));
      return ready?.needs.every((scope) => actor.scopes.has(scope)) ? ready : undefined;
    },
  };
}

/** Whether what it was made of has the revisions that it had then. */
export function isCurrent({ scopes, revisions }: Kept, current: ReadonlyMap<RevisionScope, bigint>): boolean {
  return scopes.every((scope, place) => current.get(scope) === revisions[place]);
}

/** What two requests have in common that get the same bytes; none of its parts can hold a line feed. */
function keyOf(target: string, headers: IncomingHttpHeaders, actor?: Actor): string {
  const reader = actor ? `${actor.memberId} ${actor.isStaff}` : 'everyone';
  return `${reader}\n${target}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
