/** The headers of the answers as the OpenAPI document describes them, and which of them go together. */
import { int64Schema } from './common.ts';
import { apiVersion } from './operations.ts';

export type Json = null | boolean | number | string | RawJSON | Json[] | { [key: string]: Json | undefined };

export const headers = {
  'API-Version': header('The version of this interface.', { type: 'string', const: apiVersion }),
  'X-Request-Id': header('Names the log line of this request.', { type: 'string' }),
  RateLimit: header('What is left of the token’s requests in this window.', { type: 'string' }),
  'RateLimit-Policy': header('How many requests a token may make in how many seconds.', {
    type: 'string',
  }),
  ETag: header('A strong entity tag of exactly these bytes.', { type: 'string' }),
  'Cache-Control': header('May be stored by the client alone, and asked about each time.', {
    type: 'string',
  }),
  Vary: header('The request headers that the answer depends on.', { type: 'string' }),
  Link: header('The next page, rel="next" (RFC 8288).', { type: 'string' }),
  'X-Total-Count': header('With count=true: how many rows all pages have together.', {
    ...int64Schema,
    minimum: 0,
  }),
  'WWW-Authenticate': header('Which credentials are asked for (RFC 6750); on 403 where a scope is missing.', {
    type: 'string',
  }),
  'Retry-After': header('Seconds to wait before another try.', {
    type: 'integer',
    format: 'int32',
    minimum: 0,
  }),
};

export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

export const everyHeaders = {
  'API-Version': { $ref: '#/components/headers/API-Version' },
  ...requestIdHeader,
};

/** The headers of every answer to a valid token. */
export const answerHeaders = {
  ...everyHeaders,
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
};

export const cacheHeaders = {
  ETag: { $ref: '#/components/headers/ETag' },
  'Cache-Control': { $ref: '#/components/headers/Cache-Control' },
  Vary: { $ref: '#/components/headers/Vary' },
};

function header(description: string, schema: Json): Json {
  return { description, schema };
}
