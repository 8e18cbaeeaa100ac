/** Builds the OpenAPI 3.1 document from the operations. The committed openapi.json is that of http://localhost:8080. */
import { type AppError, documentedError, errors } from '../errors.ts';
import { codeSamples } from './code-samples.ts';
import { ErrorBody, int64, int64Schema, type ObjectSchema } from './common.ts';
import { allScopes, apiVersion, type Operation, operationIds, operations, scopes } from './operations.ts';
import { type Row, rowFormat } from './rows.ts';

/* Refusals as requests that cause them; test/contract/examples.test.ts sends these. */

interface RefusalExample {
  error: AppError;
  id?: string;
  query?: string;
  accept?: string;
  token?: 'none' | 'unknown' | 'without scope';
}

export function refusalExamples({ kind, noun, scope, query }: Operation): RefusalExample[] {
  const isCollection = kind === 'collection';
  const hasUserParameter = 'user' in query.properties;
  const types = isCollection ? 'application/json, application/x-ndjson or text/csv' : 'application/json';
  return [
    ...(isCollection ? collectionRefusals : [{ error: documentedError('malformedId', 'abc'), id: 'abc' }]),
    { error: documentedError('missingToken'), token: 'none' },
    { error: documentedError('invalidToken'), token: 'unknown' },
    { error: documentedError('missingScope', scope), token: 'without scope' },
    ...(isCollection ? [] : [{ error: documentedError('unknownItem', noun, 404n), id: '404' }]),
    ...(kind === 'deletion'
      ? []
      : [{ error: documentedError('notAcceptable', 'image/png', types), accept: 'image/png' }]),
    ...(isCollection && hasUserParameter ? [{ error: documentedError('staffOnly'), query: 'user=all' }] : []),
    ...(hasUserParameter ? [{ error: documentedError('unknownMember', 404n), query: 'user=404' }] : []),
  ];
}

const collectionRefusals: readonly RefusalExample[] = [
  { error: documentedError('unknownParameter', 'limitt', 'limit'), query: 'limitt=10' },
  { error: documentedError('malformedParameter', 'limit', 'an integer from 1 to 1000'), query: 'limit=0' },
  { error: documentedError('repeatedParameter', 'limit'), query: 'limit=10&limit=10' },
  { error: documentedError('malformedCursor'), query: 'cursor=abc' },
];

const sharedRefusals: readonly AppError[] = [
  documentedError('requestTimeout'),
  documentedError('preconditionFailed'),
  documentedError('targetTooLong'),
  documentedError('tooManyRequests', 1000),
  documentedError('headersTooLarge'),
  documentedError('internal'),
  documentedError('overloaded'),
];

const seconds = { type: 'integer', format: 'int32', minimum: 0 };
const rowCount = { ...int64Schema, minimum: 0 };
export const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

const headers = {
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
const everyAnswerHeaders = ['API-Version', 'X-Request-Id'] as const;
const validTokenHeaders = [...everyAnswerHeaders, 'RateLimit', 'RateLimit-Policy'] as const;
const storableAnswerHeaders = [...validTokenHeaders, 'ETag', 'Cache-Control', 'Vary'] as const;

function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function exampleOf(row: ObjectSchema): Record<string, unknown> {
  const fields = Object.entries(row.properties) as [name: string, schema: { examples?: unknown[] }][];
  return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
}

function responsesOf(operation: Operation) {
  const shared = sharedRefusals.map(({ status }) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...successesOf(operation), ...refusalsOf(operation), ...Object.fromEntries(shared) };
}

function successesOf({ kind, row }: Operation) {
  if (kind === 'deletion')
    return {
      '204': {
        description: 'Deleted; the deletion is durable.',
        headers: headerReferences(validTokenHeaders),
      },
    };
  const headers = headerReferences(storableAnswerHeaders);
  const schema = { $ref: `#/components/schemas/${row.title}` };
  const value = exampleOf(row);
  const item = { description: 'The row.', headers, content: jsonContent(schema, { row: { value } }) };
  const collection = {
    description:
      'The rows, as a JSON array of any length. With `Accept: application/x-ndjson` one JSON object a line, with `Accept: text/csv` a table; both are described in `x-alternativeContent`.',
    headers: headerReferences([...storableAnswerHeaders, 'Link', 'X-Total-Count']),
    content: jsonContent({ type: 'array', items: schema }, { rows: { value: [value] } }),
    'x-alternativeContent': alternativeContent(row),
  };
  return {
    '200': kind === 'item' ? item : collection,
    '304': { description: 'The client’s copy is still current.', headers },
  };
}

export function jsonContent(schema: object, examples: object) {
  return { 'application/json': { schema, examples } };
}

/** Beside `content`, because generated clients would type a collection as "rows or text" (docs/decisions/0018). */
function alternativeContent(row: ObjectSchema) {
  const text = (description: string, format: 'ndjson' | 'csv') => {
    const { start, row: line, end } = rowFormat(row, format);
    const value = start + line(exampleAsRow(row)) + end;
    return { schema: { type: 'string', description }, examples: { rows: { value } } };
  };
  return {
    'application/x-ndjson': text('One row a line, each a JSON object.', 'ndjson'),
    'text/csv': text('A header of field names, then one row a line (RFC 4180).', 'csv'),
  };
}

function exampleAsRow(row: ObjectSchema): Row {
  return JSON.parse(JSON.stringify(exampleOf(row)), (_key, value, { source = '' } = {}) => {
    if (typeof value === 'number') return BigInt(source);
    return Array.isArray(value) ? JSON.stringify(value) : value;
  });
}

function refusalsOf(operation: Operation) {
  const byStatus = Map.groupBy(refusalExamples(operation), ({ error }) => error.status);
  const responses = [...byStatus].map(([status, examples]) => {
    const names = [...(status === 401 ? everyAnswerHeaders : validTokenHeaders)];
    const concernsCredentials = status === 401 || status === 403;
    const causes = examples.map(({ error }) => error);
    return [status, refusal(concernsCredentials ? [...names, 'WWW-Authenticate'] : names, causes)];
  });
  return Object.fromEntries(responses);
}

const sharedResponses = Object.fromEntries(
  sharedRefusals.map((error) => {
    const isLimit = error.status === 429;
    const names: HeaderName[] = isLimit || error.status === 412 ? [...validTokenHeaders] : ['X-Request-Id'];
    if (isLimit || error.status === 503) names.push('Retry-After');
    return [error.status, refusal(names, [error])];
  }),
);

function refusal(names: readonly HeaderName[], causes: readonly AppError[]) {
  const examples = causes.map(({ code, number, message }) => [code, { value: { error: number, message } }]);
  return {
    description: causes.map(({ code }) => errors[code].summary).join(' '),
    headers: headerReferences(names),
    content: jsonContent({ $ref: '#/components/schemas/Error' }, Object.fromEntries(examples)),
  };
}

const tags = {
  plants: 'Practice goals in a member’s garden.',
  authentication: 'The members’ records.',
  dashboard: 'A member’s bookmarks.',
  problem_list: 'Problems, and the status of a member on each.',
};

// biome-ignore lint/suspicious/noExplicitAny: callers know the parts that they need.
export function openapiDocument(baseUrl: string): any {
  const entries = operationIds.map((id): [string, Operation] => [id, operations[id]]);
  const resources: ObjectSchema[] = [...entries.map(([, { row }]) => row), ErrorBody];
  const paths = entries.map(([id, operation]) => {
    const { path, method } = operation;
    return [path, { [method.toLowerCase()]: describe(id, operation, baseUrl) }];
  });
  return withExactIntegers({
    openapi: '3.1.0',
    info: {
      title: 'Practice Garden',
      version: apiVersion,
      summary: 'Practice Garden: a self-hosted practice tracker for competitive programmers.',
      description:
        'A sample that demonstrates features of an API description format (OpenAPI). Nine operations: delete a plant; list and look up user records, bookmarks, problems and problem statuses. Every one needs a bearer token, which acts for one member.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This garden.' }],
    security: [{ bearerAuth: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pgt_…',
          description: `A token made by garden token create. Scopes: ${allScopes
            .map((scope) => `\`${scope}\` (${scopes[scope]})`)
            .join(' ')}`,
        },
      },
      schemas: Object.fromEntries(resources.map((row) => [row.title, row])),
      headers,
      responses: sharedResponses,
    },
  });
}

function describe(id: string, operation: Operation, baseUrl: string) {
  const { path, summary, description, scope, row, query } = operation;
  const exampleId = JSON.stringify(exampleOf(row)['id']);
  const idSchema = int64('An exact int64 in decimal digits, without leading zeros.', exampleId);
  return {
    operationId: id,
    tags: [path.split('/')[1]],
    summary,
    description: `${description}\n\nScope: \`${scope}\`.`,
    parameters: [
      ...(path.includes('{id}') ? [parameter('id', 'path', idSchema)] : []),
      ...Object.entries(query.properties).map(([name, schema]) => parameter(name, 'query', schema)),
    ],
    responses: responsesOf(operation),
    'x-codeSamples': codeSamples(operation, baseUrl, exampleId),
  };
}

/** OpenAPI has description and examples beside a schema, not in it. */
export function parameter(name: string, location: 'path' | 'query' | 'header', schemaOfParameter: object) {
  const { description, examples, staffExamples, ...schema } = schemaOfParameter as ParameterSchema;
  return {
    name,
    in: location,
    required: location === 'path',
    description,
    schema,
    ...(examples && { examples: { typical: { value: examples[0] }, ...staffExamples } }),
    ...(schema.type === 'array' && { style: 'form', explode: true }),
  };
}

interface ParameterSchema {
  type?: string;
  description: string;
  examples?: unknown[];
  staffExamples?: object;
}

export function withExactIntegers(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (_key, value, { source = '' } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value,
  );
}
