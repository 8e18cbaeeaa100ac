/** The headers of the answers as the OpenAPI document describes them, and which of them go together. */
import { int64Schema } from './common.ts';
import { apiVersion } from './operations.ts';

const text = { type: 'string' };
const seconds = { type: 'integer', format: 'int32', minimum: 0 };

export const headers = {
  'API-Version': header('The version of this interface.', { type: 'string', const: apiVersion }),
  'X-Request-Id': header('Names the log line of this request.', text),
  RateLimit: header('What is left of the token’s requests in this window.', text),
  'RateLimit-Policy': header('How many requests a token may make in how many seconds.', text),
  ETag: header('A strong entity tag of exactly these bytes.', text),
  'Cache-Control': header('May be stored by the client alone, and asked about each time.', text),
  Vary: header('The request headers that the answer depends on.', text),
  Link: header('The next page, rel="next" (RFC 8288).', text),
  'X-Total-Count': header('With count=true: how many rows all pages have together.', {
    ...int64Schema,
    minimum: 0,
  }),
  'WWW-Authenticate': header(
    'Which credentials are asked for (RFC 6750); on 403 where a scope is missing.',
    text,
  ),
  'Retry-After': header('Seconds to wait before another try.', seconds),
};

type HeaderName = keyof typeof headers;

export const ofEveryAnswer: readonly HeaderName[] = ['API-Version', 'X-Request-Id'];
/** The headers of every answer to a valid token. */
export const ofValidToken: readonly HeaderName[] = [...ofEveryAnswer, 'RateLimit', 'RateLimit-Policy'];
/** The headers of an answer that a client may keep. */
export const ofKeptAnswer: readonly HeaderName[] = [...ofValidToken, 'ETag', 'Cache-Control', 'Vary'];

/** References to these headers, as a response has them. */
export function headersNamed(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, schema: object) {
  return { description, schema };
}
