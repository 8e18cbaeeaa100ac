/** The steps of a request share these: the parts of the server, and one request with its answer. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Allowance } from '../auth/rate-limits.ts';
import type { Guard } from '../auth/tokens.ts';
import type { ObjectSchema } from '../contract/common.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Store } from '../store/store.ts';
import type { AnswerCache, Variant } from './answer-cache.ts';
import type { Match } from './match.ts';

/* Large answers of one server take turns while they are made, and a bound holds for all that clients read slowly. */

/** Bytes of large bodies that are being sent; beyond it none is made, and collections are streamed. */
const sendingBytesAtMost = 16 * 1024 * 1024;
/** Characters of names. */
const nameLengthsAtMost = 1024 * 1024;

export type LargeBodies = ReturnType<typeof largeBodies>;

export function largeBodies() {
  const lastByName = new Map<string, Promise<unknown>>();
  let sending = 0;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    /** Names of whole collections that are too large to be kept. A name may be as long as a query. */
    tooLarge: new LRUCache<string, true>({
      maxSize: nameLengthsAtMost,
      sizeCalculation: (_, { length }) => length,
    }),
    open: { streams: 0, encoders: 0 },
    /** In each turn of the event loop one read begins, so that however many there are, others are served between them. */
    nextTurn: (): Promise<unknown> => {
      turn = turn.then(() => new Promise(setImmediate));
      return turn;
    },
    /** Runs works of one name one after another. */
    inTurn: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const result = (lastByName.get(name) ?? Promise.resolve()).then(work);
      const settled = result.catch(() => {});
      lastByName.set(name, settled);
      try {
        return await result;
      } finally {
        if (lastByName.get(name) === settled) lastByName.delete(name);
      }
    },
    hasRoom: () => sending <= sendingBytesAtMost,
    /** Counts a body as being sent until the function that it returns is called. */
    hold: ({ length }: Buffer) => {
      sending += length;
      return () => {
        sending -= length;
      };
    },
  };
}

/* The parts of the server, and one request. */

export interface Api {
  store: Store;
  /** Without a trailing slash: what links are built from. */
  baseUrl: string;
  /** Whether this is a public demo that nobody can change. */
  isDemo: boolean;
  guard: Guard;
  limit(tokenId: bigint): Allowance;
  /** Counts a request without a valid token against its network; false if that has used up its limit. */
  allowsStranger(request: IncomingMessage): boolean;
  kept: AnswerCache;
  bodies: LargeBodies;
  /** Logs a refusal that is a fault, or the database's. */
  noteFailure(error: unknown, exchange: Exchange): void;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The request target as it was sent: Fastify writes over `request.url`. */
  target: string;
  /** The X-Request-Id. */
  id: string;
  operation: OperationId | 'health' | 'other';
  /** Milliseconds on the clock of `performance.now`. */
  startedAt: number;
  /** Whether its body may take longer than other requests do, as an upload does, which watches over its time itself. */
  hasLongBody?: boolean;
  /** Headers that every answer to this request has: names and values in turn. */
  headers: string[];
}

/** A read that no kept answer serves. */
export interface Reading {
  api: Api;
  exchange: Exchange;
  match: Match;
  variant: Variant;
  fields: ObjectSchema;
}

/* Clients that leave before they are answered: the work for them stops. */

/** The reason why the work for a client stops. It is never answered, so it needs no stack of its own. */
export const departed = new Error('the client has gone');

/** How long a client that ended its side is waited for. */
const halfClosedMs = 1_000;

/**
 * Aborts once the client has gone. One that ended its side may still read (RFC 9112 §9.6), but looks like one that has gone: its
 * connection is closed unless the answer begins soon.
 */
export function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const { socket } = response.req;
  const closeUnanswered = () => {
    if (!response.headersSent) socket.destroy();
  };
  const wait = () => {
    const timer = setTimeout(closeUnanswered, halfClosedMs);
    response.once('close', () => clearTimeout(timer));
  };
  response.once('close', () => {
    controller.abort(departed);
    socket.removeListener('end', wait);
  });
  if (response.closed) controller.abort(departed);
  else if (socket.readableEnded) wait();
  else socket.once('end', wait);
  return controller.signal;
}
