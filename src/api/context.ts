/** The steps of a request share these: the parts of the server, and one request with its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Allowance } from '../auth/rate-limits.ts';
import type { Guard } from '../auth/tokens.ts';
import type { ObjectSchema } from '../contract/common.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Store } from '../store/store.ts';
import type { KeptAnswers, Variant } from './kept-answers.ts';
import type { LargeBodies } from './large-bodies.ts';
import type { Match } from './match.ts';

export interface Api {
  store: Store;
  /** Without a trailing slash: what links are built from. */
  baseUrl: string;
  guard: Guard;
  limit(tokenId: bigint): Allowance;
  /** Counts a request without a valid token against its network; false if that has used up its limit. */
  allowsStranger(request: IncomingMessage): boolean;
  kept: KeptAnswers;
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
