/** The refusals in the document, as requests that cause them. test/contract/examples.test.ts sends them. */
import type { ErrorName } from '../errors.ts';
import type { Operation } from './operations.ts';

/** A refused request, as its differences from the example request, and the answer that it gets. */
export interface RefusalExample {
  error: ErrorName;
  message: string;
  /** The path parameter, in place of the example's. */
  id?: string;
  query?: string;
  accept?: string;
  /** How the token differs: it is missing, malformed, or lacks the scope of the operation. */
  token?: 'none' | 'unknown' | 'without scope';
}

const ofPages: readonly RefusalExample[] = [
  {
    error: 'unknownParameter',
    message: 'There is no parameter "limitt" here; did you mean "limit"?',
    query: 'limitt=10',
  },
  {
    error: 'malformedParameter',
    message: 'The parameter "limit" must be an integer from 1 to 1000.',
    query: 'limit=0',
  },
  {
    error: 'repeatedParameter',
    message: 'The parameter "limit" stands more than once; send it once.',
    query: 'limit=10&limit=10',
  },
  {
    error: 'malformedCursor',
    message:
      'This cursor does not belong to this collection and order; take it from the Link header of the page before.',
    query: 'cursor=abc',
  },
];

const malformedId: RefusalExample = {
  error: 'malformedId',
  message:
    'The id "abc" is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.',
  id: 'abc',
};

const ofCredentials = (scope: string): readonly RefusalExample[] => [
  {
    error: 'missingToken',
    message: 'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
    token: 'none',
  },
  {
    error: 'invalidToken',
    message: 'This token is malformed, unknown, expired or revoked; garden token create makes a new one.',
    token: 'unknown',
  },
  {
    error: 'missingScope',
    message: `This token lacks the scope ${scope}; make one that has it with garden token create.`,
    token: 'without scope',
  },
];

const unknownItem = (noun: string): RefusalExample => ({
  error: 'unknownItem',
  message: `There is no ${noun} 404 that this token may see; check the id.`,
  id: '404',
});

const notAcceptable = (types: string): RefusalExample => ({
  error: 'notAcceptable',
  message: `This cannot be served as "image/png"; accept ${types}.`,
  accept: 'image/png',
});

const staffOnly: RefusalExample = {
  error: 'staffOnly',
  message: 'Only staff may ask for user=all; leave "user" out to see your own rows.',
  query: 'user=all',
};

const unknownMember: RefusalExample = {
  error: 'unknownMember',
  message: 'There is no member 404 that this token may see; check "user".',
  query: 'user=404',
};

/** The refusals that a single request to the operation causes, one example each. */
export function refusalExamples({ kind, noun, scope, query }: Operation): RefusalExample[] {
  const ofCollection = [
    ...ofPages,
    ...ofCredentials(scope),
    notAcceptable('application/json, application/x-ndjson or text/csv'),
  ];
  const ofItem = [malformedId, ...ofCredentials(scope), unknownItem(noun)];
  const asksForUser = 'user' in query.properties;
  if (kind === 'collection') return asksForUser ? [...ofCollection, staffOnly, unknownMember] : ofCollection;
  if (kind === 'deletion') return ofItem;
  return [...ofItem, notAcceptable('application/json'), ...(asksForUser ? [unknownMember] : [])];
}

/** Refusals that no single request causes. Every operation refers to the same response for each. */
export const sharedRefusals = {
  requestTimeout: 'The request took longer than 10 seconds to arrive; send it faster.',
  preconditionFailed:
    'If-Match or If-None-Match does not hold, and nothing was done; read the ETag again, or leave the header out.',
  targetTooLong: 'The request target is longer than 8 KiB; send fewer or shorter parameters.',
  tooManyRequests: 'This token made more than 1000 requests in a second; wait a second.',
  headersTooLarge: 'The headers are larger than 16 KiB; send fewer or shorter ones.',
  internal:
    'Something broke here; try again, and if it stays show the X-Request-Id to the people who run this garden.',
  overloaded: 'Too many long answers are under way; try again in a second.',
} as const satisfies Partial<Record<ErrorName, string>>;
