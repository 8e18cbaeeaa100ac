/** One request and its answer, from the first look at it until the last byte is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '../contract/operations.ts';

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
