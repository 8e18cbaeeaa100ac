/** The responses of an operation in the OpenAPI document, each with examples. */
import { type AppError, errors } from '../errors.ts';
import type { ObjectSchema } from './common.ts';
import { headersNamed, ofEveryAnswer, ofKeptAnswer, ofValidToken } from './headers.ts';
import type { Operation } from './operations.ts';
import { refusalExamples, sharedRefusals } from './refusal-examples.ts';
import { type Row, rowFormat } from './rows.ts';

/** The first example of each field. */
export function exampleOf(row: ObjectSchema): Record<string, unknown> {
  const fields = Object.entries(row.properties) as [name: string, schema: { examples?: unknown[] }][];
  return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
}

interface ResponseObject {
  description: string;
  headers: object;
  content?: Content;
  /** The media types beside JSON, for which a client has to ask by Accept. */
  'x-alternativeContent'?: Content;
}

type Examples = Record<string, { value: unknown }>;
type Content = Record<string, { schema: object; examples: Examples }>;

export function responsesOf(operation: Operation) {
  const shared = sharedRefusals.map(({ status }) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...successesOf(operation), ...refusalsOf(operation), ...Object.fromEntries(shared) };
}

function successesOf({ kind, row }: Operation): Record<string, ResponseObject> {
  if (kind === 'deletion')
    return { '204': { description: 'Deleted, and on disk.', headers: headersNamed(ofValidToken) } };
  const headers = headersNamed(ofKeptAnswer);
  const schema = { $ref: `#/components/schemas/${row.title}` };
  const value = exampleOf(row);
  const item = {
    description: 'The row.',
    headers,
    content: jsonContent(schema, { row: { value } }),
  };
  const collection = {
    description:
      'The rows, as a JSON array of any length. With `Accept: application/x-ndjson` one JSON object a line, with `Accept: text/csv` a table; both are described in `x-alternativeContent`.',
    headers: headersNamed([...ofKeptAnswer, 'Link', 'X-Total-Count']),
    content: jsonContent({ type: 'array', items: schema }, { rows: { value: [value] } }),
    'x-alternativeContent': alternativeContent(row),
  };
  return {
    '200': kind === 'item' ? item : collection,
    '304': { description: 'What the client has is still current.', headers },
  };
}

function jsonContent(schema: object, examples: Examples): Content {
  return { 'application/json': { schema, examples } };
}

/**
 * What a collection is served as where Accept asks for it, in the form of `content`. It stands beside `content`, because
 * a generated client never asks for it, and would type every collection as "rows or text" otherwise (decision 0018).
 */
function alternativeContent(row: ObjectSchema): Content {
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

function refusalsOf(operation: Operation): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(
    refusalExamples(operation).map(({ error }) => error),
    ({ status }) => status,
  );
  const responses = [...byStatus].map(([status, causes]) => {
    const names = status === 401 ? ofEveryAnswer : ofValidToken;
    const headers = headersNamed(status === 401 || status === 403 ? [...names, 'WWW-Authenticate'] : names);
    return [status, refusalResponse(headers, causes)];
  });
  return Object.fromEntries(responses);
}

/** The responses that every operation refers to, by their status. */
export const sharedResponses: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  sharedRefusals.map((error) => {
    const { status } = error;
    const headers = headersNamed([
      ...(status === 412 || status === 429 ? ofValidToken : (['X-Request-Id'] as const)),
      ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ]);
    return [status, refusalResponse(headers, [error])];
  }),
);

function refusalResponse(headers: object, causes: readonly AppError[]): ResponseObject {
  const examples = causes.map(({ code, number, message }) => [code, { value: { error: number, message } }]);
  return {
    description: causes.map(({ code }) => errors[code].summary).join(' '),
    headers,
    content: jsonContent({ $ref: '#/components/schemas/Error' }, Object.fromEntries(examples)),
  };
}
