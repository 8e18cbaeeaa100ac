/** The responses of an operation in the OpenAPI document, each with its headers and examples. */
import { type AppError, errors } from '../errors.ts';
import { int64Schema, type ObjectSchema } from './common.ts';
import { apiVersion, type Operation } from './operations.ts';
import { refusalExamples, sharedRefusals } from './refusal-examples.ts';
import { type Row, rowFormat } from './rows.ts';

const seconds = { type: 'integer', format: 'int32', minimum: 0 };
const rowCount = { ...int64Schema, minimum: 0 };
const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

export const headers = {
  'API-Version': header('The version of this interface.', { type: 'string', const: apiVersion }),
  'X-Request-Id': header('Names the log line of this request.'),
  RateLimit: header('How many requests the token has left in this window.'),
  'RateLimit-Policy': header('How many requests a token may make in how many seconds.'),
  ETag: header('A strong entity tag of exactly these bytes.'),
  'Cache-Control': header('Only the client may store the answer, and must revalidate it before each use.'),
  Vary: header('The request headers that the answer depends on.'),
  Link: header('The next page, rel="next" (RFC 8288).'),
  'X-Total-Count': header('With count=true: how many rows all pages have together.', rowCount),
  'WWW-Authenticate': header('Which credentials are asked for (RFC 6750); on 403 where a scope is missing.'),
  'Retry-After': header('Seconds to wait before another try.', seconds),
};

type HeaderName = keyof typeof headers;
const ofEveryAnswer = ['API-Version', 'X-Request-Id'] as const;
const ofValidToken = [...ofEveryAnswer, 'RateLimit', 'RateLimit-Policy'] as const;
const ofStorableAnswer = [...ofValidToken, 'ETag', 'Cache-Control', 'Vary'] as const;

function headersNamed(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The first example of each field. */
export function exampleOf(row: ObjectSchema): Record<string, unknown> {
  const fields = Object.entries(row.properties) as [name: string, schema: { examples?: unknown[] }][];
  return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
}

export function responsesOf(operation: Operation) {
  const shared = sharedRefusals.map(({ status }) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...successesOf(operation), ...refusalsOf(operation), ...Object.fromEntries(shared) };
}

function successesOf({ kind, row }: Operation) {
  if (kind === 'deletion')
    return {
      '204': { description: 'Deleted; the deletion is durable.', headers: headersNamed(ofValidToken) },
    };
  const headers = headersNamed(ofStorableAnswer);
  const schema = { $ref: `#/components/schemas/${row.title}` };
  const value = exampleOf(row);
  const item = { description: 'The row.', headers, content: jsonContent(schema, { row: { value } }) };
  const collection = {
    description:
      'The rows, as a JSON array of any length. With `Accept: application/x-ndjson` one JSON object a line, with `Accept: text/csv` a table; both are described in `x-alternativeContent`.',
    headers: headersNamed([...ofStorableAnswer, 'Link', 'X-Total-Count']),
    content: jsonContent({ type: 'array', items: schema }, { rows: { value: [value] } }),
    'x-alternativeContent': alternativeContent(row),
  };
  return {
    '200': kind === 'item' ? item : collection,
    '304': { description: 'The client’s copy is still current.', headers },
  };
}

function jsonContent(schema: object, examples: object) {
  return { 'application/json': { schema, examples } };
}

/** The other media types stand beside `content`, or generated clients would type a collection as "rows or text" (0018). */
function alternativeContent(row: ObjectSchema) {
  const text = (description: string, format: 'ndjson' | 'csv') => {
    const { start, row: line, end } = rowFormat(row, format);
    const value = start + line(storedExample(row)) + end;
    return { schema: { type: 'string', description }, examples: { rows: { value } } };
  };
  return {
    'application/x-ndjson': text('One row a line, each a JSON object.', 'ndjson'),
    'text/csv': text('A header of field names, then one row a line (RFC 4180).', 'csv'),
  };
}

/** The example row as a store would return it: integers as bigint, lists as JSON text. */
function storedExample(row: ObjectSchema): Row {
  return JSON.parse(JSON.stringify(exampleOf(row)), (_key, value, { source = '' } = {}) => {
    if (typeof value === 'number') return BigInt(source);
    return Array.isArray(value) ? JSON.stringify(value) : value;
  });
}

function refusalsOf(operation: Operation) {
  const byStatus = Map.groupBy(refusalExamples(operation), ({ error }) => error.status);
  const responses = [...byStatus].map(([status, examples]) => {
    const names = [...(status === 401 ? ofEveryAnswer : ofValidToken)];
    const isAboutCredentials = status === 401 || status === 403;
    const causes = examples.map(({ error }) => error);
    return [status, refusal(isAboutCredentials ? [...names, 'WWW-Authenticate'] : names, causes)];
  });
  return Object.fromEntries(responses);
}

/** The responses that every operation refers to, by their status. */
export const sharedResponses = Object.fromEntries(
  sharedRefusals.map((error) => {
    const isLimit = error.status === 429;
    const names: HeaderName[] = isLimit || error.status === 412 ? [...ofValidToken] : ['X-Request-Id'];
    if (isLimit || error.status === 503) names.push('Retry-After');
    return [error.status, refusal(names, [error])];
  }),
);

function refusal(names: readonly HeaderName[], causes: readonly AppError[]) {
  const examples = causes.map(({ code, number, message }) => [code, { value: { error: number, message } }]);
  return {
    description: causes.map(({ code }) => errors[code].summary).join(' '),
    headers: headersNamed(names),
    content: jsonContent({ $ref: '#/components/schemas/Error' }, Object.fromEntries(examples)),
  };
}
