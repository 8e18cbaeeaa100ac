/** What the steps of the road are given: what the operations of one server share, and one request with its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { ObjectSchema } from '../contract/common.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Store } from '../store/store.ts';
import type { KeptAnswers, Variant } from './kept-answers.ts';
import type { Match } from './match.ts';
import type { Bodies } from './shared-bodies.ts';

export interface Api {
  store: Store;
  /** Without a trailing slash: what links are built from. */
  baseUrl: string;
  guard: Guard;
  /** Counts a request against its token. */
  limit(tokenId: bigint): Allowance;
  /** Counts a request without a good token against its network, and says whether the limit allows it. */
  allowsStranger(request: IncomingMessage): boolean;
  kept: KeptAnswers;
  bodies: Bodies;
  /** Takes note of a refusal that is a fault, or the database's. */
  noteFailure(error: unknown, exchange: Exchange): void;
}

/** One request and its answer, from the first look at it until the last byte is sent. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The request target as it was sent: Fastify writes over `request.url`. */
  target: string;
  /** The X-Request-Id of the answer. */
  id: string;
  /** The operation that the request is for; `health` for the checks, `other` for all else. */
  operation: OperationId | 'health' | 'other';
  /** When the request was read, on the clock of `performance.now`. */
  startedAt: number;
  /** The headers that the answer has already, whatever it becomes: names and values in turn. */
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
