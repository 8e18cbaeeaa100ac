/** The refusals in the document, as requests that cause them. operations.ts assigns them to operations. */
import type { ErrorName } from '../errors.ts';

/** A refused request, as its differences from the example request, and the answer that it gets. */
export interface Refusal {
  error: ErrorName;
  message: string;
  /** The path parameter, in place of the example's. */
  id?: string;
  query?: string;
  accept?: string;
  /** How the token differs: it is missing, malformed, or lacks the scope of the operation. */
  token?: 'none' | 'unknown' | 'without scope';
}

const missingToken: Refusal = {
  error: 'missingToken',
  message: 'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
  token: 'none',
};
const invalidToken: Refusal = {
  error: 'invalidToken',
  message: 'This token is malformed, unknown, expired or revoked; garden token create makes a new one.',
  token: 'unknown',
};
const malformedId: Refusal = {
  error: 'malformedId',
  message:
    'The id "abc" is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.',
  id: 'abc',
};
const unknownParameter: Refusal = {
  error: 'unknownParameter',
  message: 'There is no parameter "limitt" here; did you mean "limit"?',
  query: 'limitt=10',
};
const malformedParameter: Refusal = {
  error: 'malformedParameter',
  message: 'The parameter "limit" must be an integer from 1 to 1000.',
  query: 'limit=0',
};
const repeatedParameter: Refusal = {
  error: 'repeatedParameter',
  message: 'The parameter "limit" stands more than once; send it once.',
  query: 'limit=10&limit=10',
};
const malformedCursor: Refusal = {
  error: 'malformedCursor',
  message:
    'This cursor does not belong to this collection and order; take it from the Link header of the page before.',
  query: 'cursor=abc',
};
export const staffOnly: Refusal = {
  error: 'staffOnly',
  message: 'Only staff may ask for user=all; leave "user" out to see your own rows.',
  query: 'user=all',
};
export const unknownMember: Refusal = {
  error: 'unknownMember',
  message: 'There is no member 404 that this token may see; check "user".',
  query: 'user=404',
};
const notAcceptable = (types: string): Refusal => ({
  error: 'notAcceptable',
  message: `This cannot be served as "image/png"; accept ${types}.`,
  accept: 'image/png',
});
const missingScope = (scope: string): Refusal => ({
  error: 'missingScope',
  message: `This token lacks the scope ${scope}; make one that has it with garden token create.`,
  token: 'without scope',
});
const unknownItem = (noun: string): Refusal => ({
  error: 'unknownItem',
  message: `There is no ${noun} 404 that this token may see; check the id.`,
  id: '404',
});

export const refusalsOfDeletion = (noun: string, scope: string): Refusal[] => [
  malformedId,
  missingToken,
  invalidToken,
  missingScope(scope),
  unknownItem(noun),
];
export const refusalsOfItem = (noun: string, scope: string): Refusal[] => [
  ...refusalsOfDeletion(noun, scope),
  notAcceptable('application/json'),
];
export const refusalsOfCollection = (scope: string): Refusal[] => [
  unknownParameter,
  malformedParameter,
  repeatedParameter,
  malformedCursor,
  missingToken,
  invalidToken,
  missingScope(scope),
  notAcceptable('application/json, application/x-ndjson or text/csv'),
];

/** Refusals that no single request causes. Every operation refers to the same response for each. */
export const sharedRefusals = {
  '408': {
    error: 'requestTimeout',
    message: 'The request took longer than 10 seconds to arrive; send it faster.',
  },
  '412': {
    error: 'preconditionFailed',
    message:
      'If-Match or If-None-Match does not hold, and nothing was done; read the ETag again, or leave the header out.',
  },
  '414': {
    error: 'targetTooLong',
    message: 'The request target is longer than 8 KiB; send fewer or shorter parameters.',
  },
  '429': {
    error: 'tooManyRequests',
    message: 'This token made more than 1000 requests in a second; wait a second.',
  },
  '431': {
    error: 'headersTooLarge',
    message: 'The headers are larger than 16 KiB; send fewer or shorter ones.',
  },
  '500': {
    error: 'internal',
    message:
      'Something broke here; try again, and if it stays show the X-Request-Id to the people who run this garden.',
  },
  '503': {
    error: 'overloaded',
    message: 'Too many long answers are under way; try again in a second.',
  },
} as const satisfies Record<string, Refusal>;
