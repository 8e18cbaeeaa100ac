/** The refusals in the document, as requests that cause them. test/contract/examples.test.ts sends them. */
import { type AppError, documentedError } from '../errors.ts';
import type { Operation } from './operations.ts';

/** A refused request, as its differences from the example request. */
export interface RefusalExample {
  error: AppError;
  /** The path parameter, in place of the example's. */
  id?: string;
  query?: string;
  accept?: string;
  /** How the token differs: it is missing, malformed, or lacks the scope of the operation. */
  token?: 'none' | 'unknown' | 'without scope';
}

/** The refusals that a single request to the operation causes, one example each. */
export function refusalExamples({ kind, noun, scope, query }: Operation): RefusalExample[] {
  const isCollection = kind === 'collection';
  const asksForUser = 'user' in query.properties;
  const types = isCollection ? 'application/json, application/x-ndjson or text/csv' : 'application/json';
  return [
    ...(isCollection ? ofPages : [{ error: documentedError('malformedId', 'abc'), id: 'abc' }]),
    { error: documentedError('missingToken'), token: 'none' },
    { error: documentedError('invalidToken'), token: 'unknown' },
    { error: documentedError('missingScope', scope), token: 'without scope' },
    ...(isCollection ? [] : [{ error: documentedError('unknownItem', noun, 404n), id: '404' }]),
    ...(kind === 'deletion'
      ? []
      : [{ error: documentedError('notAcceptable', 'image/png', types), accept: 'image/png' }]),
    ...(isCollection && asksForUser ? [{ error: documentedError('staffOnly'), query: 'user=all' }] : []),
    ...(asksForUser ? [{ error: documentedError('unknownMember', 404n), query: 'user=404' }] : []),
  ];
}

const ofPages: readonly RefusalExample[] = [
  { error: documentedError('unknownParameter', 'limitt', 'limit'), query: 'limitt=10' },
  { error: documentedError('malformedParameter', 'limit', 'an integer from 1 to 1000'), query: 'limit=0' },
  { error: documentedError('repeatedParameter', 'limit'), query: 'limit=10&limit=10' },
  { error: documentedError('malformedCursor'), query: 'cursor=abc' },
];

/** Refusals that no single request causes. Every operation refers to the same response for each. */
export const sharedRefusals: readonly AppError[] = [
  documentedError('requestTimeout'),
  documentedError('preconditionFailed'),
  documentedError('targetTooLong'),
  documentedError('tooManyRequests', 1000),
  documentedError('headersTooLarge'),
  documentedError('internal'),
  documentedError('overloaded'),
];
