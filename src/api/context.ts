/** What the nine operations of one server share. */
import type { IncomingMessage } from 'node:http';
import type { Guard } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { Store } from '../store/store.ts';
import type { Exchange } from './exchange.ts';
import type { KeptAnswers } from './kept-answers.ts';
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
