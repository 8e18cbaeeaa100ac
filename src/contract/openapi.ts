/**
 * Builds the OpenAPI 3.1 document from the operations, as a pure function. `openapi.json` is its result for
 * http://localhost:8080.
 */
import { errors, statusOf } from '../errors.ts';
import { ErrorBody, type Fields, int64Schema } from './common.ts';
import type { Json } from './headers.ts';
import { answerHeaders, cacheHeaders, everyHeaders, headers, requestIdHeader } from './headers.ts';
import {
  allScopes,
  apiVersion,
  type Operation,
  operationIds,
  operations,
  scopes,
  tags,
} from './operations.ts';
import { Plant } from './plants.ts';
import { type Refusal, sharedRefusals } from './refusals.ts';
import { type Row, rowFormat } from './rows.ts';
import { codeSamples, type SampleLanguage, sampleLanguages } from './samples.ts';

/** A body with the first example of each field. */
export function exampleOf(row: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row.properties).map(([name, schema]) => [
      name,
      (schema as { examples?: unknown[] }).examples?.[0],
    ]),
  );
}

/** A copy of a schema as plain JSON; integers beyond 2^53 keep their digits. */
// biome-ignore lint/suspicious/noExplicitAny: JSON.parse answers any, too.
function plainJson(schema: object): any {
  const keepDigits = (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value;
  return JSON.parse(JSON.stringify(schema), keepDigits);
}

/** The id in the path of the operation's example request. */
function exampleIdOf({ row }: Operation): string {
  return JSON.stringify(exampleOf(row ?? Plant)['id']);
}

/** A collection of the example row, in NDJSON or CSV. */
function exampleLines(row: Fields, format: 'ndjson' | 'csv'): string {
  const written = Object.entries(exampleOf(row)).map(([name, value]) => {
    if (value === null || typeof value === 'string') return [name, value];
    const json = JSON.stringify(value);
    return [name, Array.isArray(value) ? json : BigInt(json)];
  });
  const { start, row: line, end } = rowFormat(row, format);
  return start + line(Object.fromEntries(written) as Row) + end;
}

/**
 * What a collection is served as where Accept asks for it, in the form of `content`. It stands beside `content`, because
 * a generated client never asks for it, and would type every collection as "rows or text" otherwise (decision 0018).
 */
function alternativeContent(row: Fields): Json {
  const text = (description: string, format: 'ndjson' | 'csv') => ({
    schema: { type: 'string', description },
    examples: { rows: { value: exampleLines(row, format) } },
  });
  return {
    'application/x-ndjson': text('One row a line, each a JSON object.', 'ndjson'),
    'text/csv': text('A header of field names, then one row a line (RFC 4180).', 'csv'),
  };
}

/** An Error body, with an example of each refusal that it tells. */
function errorContent(refusals: readonly Refusal[]): Json {
  const examples = refusals.map(({ error, message }) => [
    error,
    { value: { error: errors[error].number, message } },
  ]);
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(examples),
    },
  };
}

function refusalResponses(operation: Operation): Record<string, Json> {
  const byStatus = new Map<number, Refusal[]>();
  for (const refusal of operation.refusals) {
    const status = statusOf(errors[refusal.error].number);
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  const responses: Record<string, Json> = {};
  for (const [status, refusals] of byStatus) {
    responses[String(status)] = {
      description: refusals.map((refusal) => errors[refusal.error].summary).join(' '),
      headers: {
        ...(status === 401 ? everyHeaders : answerHeaders),
        ...((status === 401 || status === 403) && {
          'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
        }),
      },
      content: errorContent(refusals),
    };
  }
  for (const status of Object.keys(sharedRefusals)) {
    responses[status] = { $ref: `#/components/responses/${status}` };
  }
  return responses;
}

function successResponse(operation: Operation): Record<string, Json> {
  if (operation.row === null)
    return { '204': { description: 'Deleted, and on disk.', headers: answerHeaders } };
  const row = { $ref: `#/components/schemas/${operation.row.title}` };
  const example = exampleOf(operation.row) as Json;
  const isCollection = operation.kind === 'collection';
  const json = isCollection
    ? { schema: { type: 'array', items: row }, examples: { rows: { value: [example] } } }
    : { schema: row, examples: { row: { value: example } } };
  const pages = {
    Link: { $ref: '#/components/headers/Link' },
    'X-Total-Count': { $ref: '#/components/headers/X-Total-Count' },
  };
  return {
    '200': {
      description: isCollection
        ? 'The rows, as a JSON array of any length. With `Accept: application/x-ndjson` one JSON object a line, with `Accept: text/csv` a table; both are described in `x-alternativeContent`.'
        : 'The row.',
      headers: { ...answerHeaders, ...cacheHeaders, ...(isCollection && pages) },
      content: { 'application/json': json },
      ...(isCollection && { 'x-alternativeContent': alternativeContent(operation.row) }),
    },
    '304': {
      description: 'What the client has is still current.',
      headers: { ...answerHeaders, ...cacheHeaders },
    },
  };
}

function parametersOf(operation: Operation): Json[] {
  const path = operation.path.includes('{id}')
    ? [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'An exact int64 in decimal digits, without leading zeros.',
          schema: int64Schema,
          examples: { typical: { value: JSON.parse(exampleIdOf(operation)) } },
        },
      ]
    : [];
  const query = Object.entries(operation.query.properties).map(([name, property]) => {
    const { description, examples, staffExamples, ...schema } = plainJson(property);
    return {
      name,
      in: 'query',
      required: false,
      description,
      schema,
      ...(examples && { examples: { typical: { value: examples[0] }, ...staffExamples } }),
      ...(schema.type === 'array' && { style: 'form', explode: true }),
    };
  });
  return [...path, ...query];
}

/** The extension in which documentation tools look for code samples. */
function samplesOf(operation: Operation, baseUrl: string): Json[] {
  const samples = codeSamples(operation, baseUrl, exampleIdOf(operation));
  return Object.entries(sampleLanguages).map(([language, lang]) => ({
    lang,
    label: language === 'curl' ? 'curl' : lang,
    source: samples[language as SampleLanguage],
  }));
}

/** The document for one base address (no trailing slash). */
export function openapiDocument(baseUrl: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    paths[operation.path] = {
      [operation.method.toLowerCase()]: {
        operationId: id,
        tags: [operation.tag],
        summary: operation.summary,
        description: `${operation.description}\n\nScope: \`${operation.scope}\`.`,
        parameters: parametersOf(operation),
        responses: { ...successResponse(operation), ...refusalResponses(operation) },
        'x-codeSamples': samplesOf(operation, baseUrl),
      },
    };
  }
  return {
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
    paths,
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
      schemas: {
        ...Object.fromEntries(
          [...operationIds.map((id): Fields | null => operations[id].row), Plant, ErrorBody]
            .filter((row): row is Fields => row !== null)
            .map((row) => [row.title ?? '', plainJson(row)]),
        ),
      },
      headers,
      responses: Object.fromEntries(
        Object.entries(sharedRefusals).map(([status, refusal]) => [
          status,
          {
            description: errors[refusal.error].summary,
            headers: {
              ...(status === '412' || status === '429' ? answerHeaders : requestIdHeader),
              ...((status === '429' || status === '503') && {
                'Retry-After': { $ref: '#/components/headers/Retry-After' },
              }),
            },
            content: errorContent([refusal]),
          },
        ]),
      ),
    },
  };
}
