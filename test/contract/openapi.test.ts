/** The OpenAPI document: it is what the operations say, complete in every description and status, and the committed file is it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { openapiDocument } from '../../src/contract/openapi.ts';
import { operations } from '../../src/contract/operations.ts';
import { programDocument } from '../../src/contract/programs/document.ts';
import { gardenHere } from '../support/commands.ts';
import { root } from '../support/garden.ts';
import { exactJson } from '../support/http.ts';
import { matchesIn } from '../support/matches.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into here.
type Document = any;

const text = await readFile(join(root, 'openapi.json'), 'utf8');
const document: Document = JSON.parse(text);
const described: [name: string, operation: Document][] = Object.entries<Document>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]): [string, Document] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
);

function schemasIn(value: Document, place = ''): [place: string, schema: Document][] {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, Document][] = Object.entries<Document>(value.properties ?? {}).map(([name, schema]) => [
    `${place}.${name}`,
    schema,
  ]);
  return [...own, ...Object.entries(value).flatMap(([name, part]) => schemasIn(part, `${place}/${name}`))];
}

for (const [name, build, ...flags] of [
  ['openapi.json', openapiDocument],
  ['openapi-programs.json', programDocument, '--programs'],
] as const)
  test(`${name} is what garden openapi writes`, async () => {
    const committed = await readFile(join(root, name), 'utf8');
    assert.equal(`${JSON.stringify(build('http://localhost:8080'), null, 2)}\n`, committed, 'run: npm run generate');
    assert.equal((await gardenHere(['openapi', ...flags])).stdout, committed);
  });

test('the owner’s words stand as they were given', () => {
  const { openapi, info, servers } = document;
  const words = [openapi, info.title, info.version, info.license.name, ...servers.map(({ url }: Document) => url)];
  assert.deepEqual(words, ['3.1.0', 'Practice Garden', '1.0.0', 'MIT', 'http://localhost:8080']);
  assert.deepEqual(document.security, [{ bearerAuth: [] }]);
  const { type, scheme } = document.components.securitySchemes.bearerAuth;
  assert.deepEqual([type, scheme], ['http', 'bearer']);
  const { properties, required } = document.components.schemas.Error;
  assert.deepEqual(Object.keys(properties), ['error', 'message']);
  assert.deepEqual([properties.error.type, properties.error.format], ['integer', 'int32']);
  assert.equal(properties.message.type, 'string');
  assert.deepEqual(required, ['error', 'message']);
  const { id } = document.components.schemas.Plant.properties;
  assert.deepEqual([id.type, id.format], ['integer', 'int64']);
});

test('there are the nine operations and no other', () => {
  assert.deepEqual(
    described.map(([name, { operationId }]) => `${operationId}: ${name}`),
    [
      'deletePlant: DELETE /plants/{id}',
      'listRecords: GET /authentication/api/records/',
      'getRecord: GET /authentication/api/records/{id}/',
      'listBookmarks: GET /dashboard/api/bookmarks/',
      'getBookmark: GET /dashboard/api/bookmarks/{id}/',
      'listProblems: GET /problem_list/api/problems/',
      'getProblem: GET /problem_list/api/problems/{id}/',
      'listProblemStatuses: GET /problem_list/api/status/',
      'getProblemStatus: GET /problem_list/api/status/{id}/',
    ],
  );
});

test('every operation has a summary, a description, a tag and its statuses', () => {
  for (const [name, operation] of described) {
    assert(operation.summary && operation.description && operation.tags.length === 1, name);
    assert(
      document.tags.some((tag: Document) => tag.name === operation.tags[0] && tag.description),
      name,
    );
    assert.equal(operation.requestBody, undefined);
    assert.equal(operation.security, undefined);
    const { kind } = operations[operation.operationId as keyof typeof operations];
    const asksForUser = operation.parameters.some((parameter: Document) => parameter.name === 'user');
    const expected = ['400', '401', '403', '408', '412', '414', '429', '431', '500', '503'];
    if (kind === 'deletion') expected.push('204', '404');
    else expected.push('200', '304', '406', ...(kind === 'item' || asksForUser ? ['404'] : []));
    assert.deepEqual(Object.keys(operation.responses), expected.sort(), name);
  }
});

test('every parameter, property, header, response and scheme is described', () => {
  for (const [name, { parameters, responses }] of described) {
    for (const parameter of parameters) {
      assert(parameter.description && parameter.schema, `${name} ${parameter.name}`);
      assert(parameter.description.endsWith('.'), `${name} ${parameter.name}`);
      const hasExample = parameter.examples?.typical?.value !== undefined;
      assert.equal(hasExample, parameter.name !== 'cursor', `${name} ${parameter.name}`);
    }
    for (const [status, response] of Object.entries<Document>(responses)) {
      assert(response.description || response.$ref, `${name} ${status}`);
    }
  }
  const { schemas, headers, responses, securitySchemes } = document.components;
  for (const group of [schemas, headers, responses, securitySchemes]) {
    for (const [name, { description }] of Object.entries<Document>(group)) assert(description, name);
  }
  const properties = schemasIn(schemas);
  assert(properties.length > 30);
  for (const [place, { description, examples }] of properties) {
    assert(description?.endsWith('.'), place);
    assert.equal(examples?.length, 1, place);
  }
});

test('every body has an example, and every operation its samples', () => {
  const shared = Object.entries<Document>(document.components.responses);
  const answers = described.flatMap(([name, { responses }]) =>
    Object.entries<Document>(responses).map(([status, one]): [string, Document] => [`${name} ${status}`, one]),
  );
  let count = 0;
  for (const [place, { content = {}, 'x-alternativeContent': alternatives = {} }] of [...shared, ...answers]) {
    for (const [type, { examples, schema }] of Object.entries<Document>({ ...content, ...alternatives })) {
      count++;
      assert(schema, `${place} ${type}`);
      assert(Object.keys(examples ?? {}).length >= 1, `${place} ${type}`);
      for (const { value } of Object.values<Document>(examples)) assert(value, `${place} ${type}`);
    }
  }
  assert(count > 50, `${count} bodies`);
  for (const [name, operation] of described) {
    const samples = operation['x-codeSamples'].map(({ label }: Document) => label);
    assert.deepEqual(samples, ['curl', 'JavaScript', 'Python'], name);
    for (const { source } of operation['x-codeSamples']) {
      assert(source.includes(document.servers[0].url), name);
    }
  }
});

test('operationIds are unique, and no wording is a stub', () => {
  const ids = described.map(([, { operationId }]) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const [name, { summary, description }] of described) {
    assert.match(summary, /^[A-Z][^.\n]{5,60}$/, name);
    assert.match(description, /^[A-Z].{10,}\.\n\nScope: `[a-z]+:[a-z]+`\.$/s, name);
  }
  for (const [, word] of matchesIn(text, /"(?:description|summary)": "([^"]*)"/g)) {
    assert.match(word ?? '', /\S{3}/);
    assert.doesNotMatch(word ?? '', /\b(?:TODO|FIXME|lorem)\b/i);
  }
});

test('a row has all of its fields and no other', () => {
  for (const [name, schema] of Object.entries<Document>(document.components.schemas)) {
    assert.deepEqual(schema.required, Object.keys(schema.properties), name);
    assert.equal(schema.additionalProperties, false, name);
  }
});

test('every int64 has its exact range, which no double holds', () => {
  const exact = exactJson(text);
  const found: Document[] = [];
  const walk = (node: Document) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.format === 'int64') found.push(node);
    for (const part of Object.values(node)) walk(part);
  };
  walk(exact);
  assert(found.length > 15, `${found.length} int64`);
  for (const { type, minimum, maximum } of found) {
    assert.equal(type, 'integer');
    assert.ok(minimum === -(2n ** 63n) || Number(minimum) === 0);
    assert.equal(maximum, 2n ** 63n - 1n);
  }
  assert.equal(text.match(/"maximum": 9223372036854775807\b/g)?.length, found.length);
});

test('every answer has JSON alone as its content, and a collection names what else it is served as', () => {
  for (const [name, { operationId, responses }] of described) {
    const { kind } = operations[operationId as keyof typeof operations];
    for (const { content } of Object.values<Document>(responses)) {
      assert.deepEqual(Object.keys(content ?? {}), content ? ['application/json'] : [], name);
    }
    const alternatives = Object.keys(responses['200']?.['x-alternativeContent'] ?? {});
    assert.deepEqual(alternatives, kind === 'collection' ? ['application/x-ndjson', 'text/csv'] : [], name);
    if (kind === 'collection') assert.match(responses['200'].description, /x-ndjson.*text\/csv/);
  }
});

test('every integer has a format, and every text and list a bound where there is one', () => {
  const unbound = new Set<string>();
  const walk = (node: Document, place: string) => {
    if (typeof node !== 'object' || node === null) return;
    const types = [node.type].flat();
    if (types.includes('integer')) assert(node.format, place);
    if (types.includes('string') && !node.enum && !node.const && !node.format && !node.maxLength) unbound.add(place);
    if (types.includes('array') && !node.maxItems) unbound.add(place);
    for (const [key, part] of Object.entries(node)) {
      if (key !== 'examples') walk(part, `${place}/${key}`);
    }
  };
  walk(document.components.schemas, '');
  for (const [name, { parameters }] of described) {
    for (const parameter of parameters) walk(parameter.schema, `${name} ${parameter.name}`);
  }
  for (const [name, { schema }] of Object.entries<Document>(document.components.headers)) {
    if (schema.type === 'integer') walk(schema, name);
  }
  assert.deepEqual([...unbound].sort(), [
    '/Bookmark/properties/note',
    '/Error/properties/message',
    '/Problem/properties/aliases',
    '/Problem/properties/tags',
  ]);
});

test('every reference leads somewhere', () => {
  for (const [, path = ''] of matchesIn(text, /"\$ref": "#\/([^"]+)"/g)) {
    const found = path.split('/').reduce((part: Document, key) => part?.[key], document);
    assert(found, path);
  }
});
