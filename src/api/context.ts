/** Objects that several steps of answering a request use. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Allowance } from '../auth/rate-limits.ts';
import type { Guard } from '../auth/tokens.ts';
import type { ObjectSchema } from '../contract/common.ts';
import type { OperationId } from '../contract/operations.ts';
import type { ProgramOperationId } from '../contract/programs/operations.ts';
import type { Store } from '../store/store.ts';
import type { AnswerCache, Variant } from './answer-cache.ts';
import type { Match } from './match.ts';

/** While more is being sent, collections are streamed instead of built in memory. */
const sendingBytesLimit = 16 * 1024 * 1024;
const keyLengthsAtMost = 1024 * 1024;

export type LargeBodies = ReturnType<typeof largeBodies>;

export function largeBodies() {
  const lastByKey = new Map<string, Promise<unknown>>();
  let sendingBytes = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();
  return {
    tooLargeKeys: new LRUCache<string, true>({
      maxSize: keyLengthsAtMost,
      sizeCalculation: (_, { length }) => length,
    }),
    openCounts: { streams: 0, encoders: 0 },
    /** One read begins in each turn of the event loop, so that other requests are served in between. */
    nextLoopTurn: (): Promise<unknown> => {
      lastTurn = lastTurn.then(() => new Promise(setImmediate));
      return lastTurn;
    },
    withLock: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const result = (lastByKey.get(key) ?? Promise.resolve()).then(work);
      const settled = result.catch(() => {});
      lastByKey.set(key, settled);
      try {
        return await result;
      } finally {
        if (lastByKey.get(key) === settled) lastByKey.delete(key);
      }
    },
    hasMemory: () => sendingBytes <= sendingBytesLimit,
    /** Counts a body as being sent until the returned function is called. */
    countSending: ({ length }: Buffer) => {
      sendingBytes += length;
      return () => {
        sendingBytes -= length;
      };
    },
  };
}

export interface Api {
  store: Store;
  /** Has no trailing slash. */
  baseUrl: string;
  isDemo: boolean;
  guard: Guard;
  limitRequests(tokenId: bigint): Allowance;
  /** False once the client's network has used up its requests without a valid token. */
  allowsUnauthenticated(request: IncomingMessage): boolean;
  cache: AnswerCache;
  bodies: LargeBodies;
  reportFailure(error: unknown, exchange: Exchange): void;
}

/** One request and its response. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Fastify overwrites `request.url`. */
  target: string;
  id: string;
  operation: OperationId | ProgramOperationId | 'mcp' | 'health' | 'other';
  /** Of a program, for the access log. */
  tokenId?: bigint;
  startedAt: number;
  /** An upload has a time limit of its own. */
  hasLongBody?: boolean;
  /** Each name is followed by its value. */
  headers: string[];
}

/** A read that the cache could not answer. */
export interface Reading {
  api: Api;
  exchange: Exchange;
  match: Match;
  variant: Variant;
  fields: ObjectSchema;
}

export const clientDisconnected = new Error('the client has gone');

const gracePeriodMs = 1_000;

/** A client that closed its sending side may still read (RFC 9112 §9.6), so it gets a grace period. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const { socket } = response.req;
  const closeUnanswered = () => {
    if (!response.headersSent) socket.destroy();
  };
  const startGracePeriod = () => {
    const timer = setTimeout(closeUnanswered, gracePeriodMs);
    response.once('close', () => clearTimeout(timer));
  };
  response.once('close', () => {
    controller.abort(clientDisconnected);
    socket.removeListener('end', startGracePeriod);
  });
  if (response.closed) controller.abort(clientDisconnected);
  else if (socket.readableEnded) startGracePeriod();
  else socket.once('end', startGracePeriod);
  return controller.signal;
}
