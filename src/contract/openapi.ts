/** Builds the OpenAPI 3.1 document from the operations, as a pure function. openapi.json is that of http://localhost:8080. */
import { ErrorBody, int64, type ObjectSchema } from './common.ts';
import { allScopes, apiVersion, type Operation, operationIds, operations, scopes } from './operations.ts';
import { exampleOf, headers, responsesOf, sharedResponses } from './responses.ts';
import { codeSamples } from './samples.ts';

/** An operation has the tag with which its path begins. */
const tags = {
  plants: 'Practice goals in a member’s garden.',
  authentication: 'The members’ records.',
  dashboard: 'A member’s bookmarks.',
  problem_list: 'Problems, and the status of a member on each.',
};

/** The document for one base address (no trailing slash). */
// biome-ignore lint/suspicious/noExplicitAny: its readers know the parts that they need.
export function openapiDocument(baseUrl: string): any {
  const all = operationIds.map((id): [string, Operation] => [id, operations[id]]);
  const resources: ObjectSchema[] = [...all.map(([, { row }]) => row), ErrorBody];
  const paths = all.map(([id, operation]) => {
    const { path, method } = operation;
    return [path, { [method.toLowerCase()]: describe(id, operation, baseUrl) }];
  });
  return plainJson({
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

/** A schema of ours has its description and examples within; OpenAPI has them beside it. */
function parameter(name: string, place: 'path' | 'query', described: object) {
  const { description, examples, staffExamples, ...schema } = described as ParameterSchema;
  return {
    name,
    in: place,
    required: place === 'path',
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

/** A copy as plain JSON; integers beyond 2^53 keep their digits. */
function plainJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (_key, value, { source = '' } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value,
  );
}
