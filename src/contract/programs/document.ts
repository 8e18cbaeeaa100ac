/** Builds the OpenAPI 3.1 document of the interface for programs, from the operations. */
import { type ErrorName, errors } from '../../errors.ts';
import { codeSamples } from '../code-samples.ts';
import { ErrorBody, type ObjectSchema, schemaOf } from '../common.ts';
import { header, jsonContent, parameter, withExactIntegers } from '../openapi.ts';
import {
  allProgramScopes,
  idNamesOf,
  type ProgramOperation,
  programOperationIds,
  programOperations,
  programScopes,
  programsPath,
  programVersion,
} from './operations.ts';
import { idText, line, nestedSchemas } from './schemas.ts';

const headers = {
  'API-Version': header('The version of this interface.', { type: 'string', const: programVersion }),
  'X-Request-Id': header('Names the log line of this request.'),
  ETag: header('The version in quotes, or with a coding after it; for If-Match and If-None-Match.'),
  'Cache-Control': header('Only the client may store the answer, and must revalidate it before each use.'),
  Location: header('The address of what was made.'),
  'Idempotency-Replayed': header('true where the answer is that of an earlier request with the same key.'),
  'WWW-Authenticate': header('Which credentials are asked for (RFC 6750).'),
  'Retry-After': header('Seconds to wait before another try.', {
    type: 'integer',
    format: 'int32',
    minimum: 0,
  }),
};

const reference = (kind: string, name: string | number) => ({ $ref: `#/components/${kind}/${name}` });
const headersNamed = (names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]));

/* Refusals by status: those of every operation, of writes, and of writes with a body. */

const refusals: readonly ErrorName[] = [
  ...([
    'malformedRequest',
    'malformedId',
    'unknownParameter',
    'malformedParameter',
    'repeatedParameter',
  ] as const),
  ...(['malformedCursor', 'unexpectedBody', 'malformedBody', 'malformedKey', 'invalidValue'] as const),
  ...([
    'missingToken',
    'invalidToken',
    'missingScope',
    'notByProgram',
    'unknownItem',
    'notAcceptable',
  ] as const),
  ...([
    'requestTimeout',
    'changedSince',
    'goesBack',
    'notDue',
    'timerConflict',
    'trimmed',
    'preconditionFailed',
  ] as const),
  ...([
    'bodyTooLarge',
    'targetTooLong',
    'unsupportedType',
    'keyReused',
    'versionRequired',
    'tooManyRequests',
    'headersTooLarge',
  ] as const),
  ...(['internal', 'overloaded', 'databaseBusy', 'databaseUncertain'] as const),
];
const statusOf = (name: ErrorName) => Math.floor(errors[name].number / 100);
const everywhere = [400, 401, 403, 404, 406, 408, 412, 414, 429, 431, 500, 503];
const ofWrites = [...everywhere, 409, 410, 422];
const ofBodies = [...ofWrites, 413, 415];

const sharedResponses = Object.fromEntries(
  [...Map.groupBy(refusals, statusOf)].map(([status, names]) => {
    const own = status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : [];
    const waiting = status === 429 || status === 503 ? (['Retry-After'] as const) : [];
    const entries = names.map((name) => [name, errors[name]] as const);
    const examples = entries.map(([name, { number, summary }]) => [
      name,
      { value: { error: number, message: summary } },
    ]);
    const description = entries.map(([, { summary }]) => summary).join(' ');
    const content = jsonContent(reference('schemas', 'Error'), Object.fromEntries(examples));
    return [status, { description, headers: headersNamed(['X-Request-Id', ...own, ...waiting]), content }];
  }),
);

const conditionHeaders = {
  'If-Match': schemaOf<string>({
    type: 'string',
    description: 'Tags of the versions that the write may change, or *.',
    examples: ['"k3v0bq8SfnO2dW1mXzQ4tA"'],
  }),
  'Idempotency-Key': line(
    'Makes a repeat answer what the first request did; stored for 24 hours.',
    '"k1"',
    510,
  ),
};

function describe(operationId: string, operation: ProgramOperation, baseUrl: string) {
  const { method, summary, description, scope, secondScope, query, body, needsVersion } = operation;
  const scopes = [scope, secondScope ?? []].flat().map((one) => `\`${one}\``);
  const isRead = method === 'GET';
  const fields = { ...(isRead ? {} : conditionHeaders) };
  const ofReads = 'after' in query.properties ? [...everywhere, 410] : everywhere;
  const ofMethod = isRead ? ofReads : body ? ofBodies : ofWrites;
  const statuses = needsVersion ? [...ofMethod, 428] : ofMethod;
  return {
    operationId,
    tags: ['practice'],
    summary,
    description: `${description}\n\nScope: ${scopes.join(' and ')}.`,
    parameters: [
      ...idNamesOf(operation).map((name) => parameter(name, 'path', idText('An int64 in decimal digits.'))),
      ...Object.entries(query.properties).map(([name, schema]) => parameter(name, 'query', schema)),
      ...Object.entries(fields).map(([name, schema]) => parameter(name, 'header', schema)),
    ],
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      ...successesOf(operation),
      ...Object.fromEntries(statuses.map((status) => [status, reference('responses', status)])),
    },
    'x-codeSamples': codeSamples(
      {
        method,
        path: programsPath + operation.path,
        exampleBody: body && exampleOfBody(body),
        exampleTag: needsVersion && '"4"',
      },
      baseUrl,
      '7',
    ),
  };
}

const exampleFields: Readonly<Record<string, readonly string[]>> = {
  MarkChange: ['status', 'how', 'minutes'],
  TimerAction: ['action', 'problem'],
  ListItem: ['url', 'memo'],
  PracticeList: ['format', 'title', 'sections'],
};

function exampleOfBody({ properties, title }: ObjectSchema): object {
  const names = exampleFields[title ?? ''] ?? Object.keys(properties);
  const entries = Object.entries(properties) as [string, { examples?: unknown[] }][];
  return Object.fromEntries(
    entries.filter(([name]) => names.includes(name)).map(([name, { examples }]) => [name, examples?.[0]]),
  );
}

const requestBody = (body: ObjectSchema) => ({
  required: true,
  content: jsonContent(reference('schemas', body.title ?? ''), { typical: { value: exampleOfBody(body) } }),
});

function successesOf({ method, answer, makes }: ProgramOperation) {
  const entries = Object.entries(answer.properties) as [string, { examples?: unknown[] }][];
  const value = Object.fromEntries(entries.map(([name, { examples }]) => [name, examples?.[0]]));
  const content = jsonContent(reference('schemas', answer.title ?? ''), { typical: { value } });
  const base = ['API-Version', 'X-Request-Id', 'Cache-Control'] as const;
  if (method === 'GET')
    return {
      200: { description: 'The answer.', headers: headersNamed([...base, 'ETag']), content },
      304: { description: 'Unchanged since If-None-Match.', headers: headersNamed([...base, 'ETag']) },
    };
  const ofWrite = headersNamed([...base, 'ETag', 'Idempotency-Replayed']);
  const done = {
    200: { description: 'Done, durably; or nothing had to change.', headers: ofWrite, content },
  };
  if (!makes) return done;
  const made = { ...ofWrite, ...headersNamed(['Location']) };
  return { ...done, 201: { description: 'Made, durably.', headers: made, content } };
}

// biome-ignore lint/suspicious/noExplicitAny: callers know the parts that they need.
export function programDocument(baseUrl: string): any {
  const entries = programOperationIds.map((id): [string, ProgramOperation] => [id, programOperations[id]]);
  const bodies = entries.flatMap(([, { body }]) => body ?? []);
  const schemas: ObjectSchema[] = [
    ...entries.map(([, { answer }]) => answer),
    ...bodies,
    ...nestedSchemas,
    ErrorBody,
  ];
  const byPath = Map.groupBy(entries, ([, { path }]) => programsPath + path);
  const paths = [...byPath].map(([path, ofPath]) => [
    path,
    Object.fromEntries(ofPath.map(([id, one]) => [one.method.toLowerCase(), describe(id, one, baseUrl)])),
  ]);
  const scopes = allProgramScopes.map((scope) => `\`${scope}\` (${programScopes[scope]})`).join(' ');
  return withExactIntegers({
    openapi: '3.1.0',
    info: {
      title: 'Practice Garden for programs',
      version: programVersion,
      summary: 'Reads and writes the practice of one member.',
      description:
        'Programs read and mark what one member practises. Every write is one entry of the member’s history, with the name of the token, and can be undone.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This garden.' }],
    security: [{ bearerAuth: [] }],
    tags: [{ name: 'practice', description: 'The practice of the member of the token.' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pgw_…',
          description: `A token made by garden token create --scope practice:mark, or on the page Connections. Scopes: ${scopes}`,
        },
      },
      schemas: Object.fromEntries(schemas.map((schema) => [schema.title, schema])),
      headers,
      responses: sharedResponses,
    },
  });
}
