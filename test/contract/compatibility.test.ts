/**
 * The interfaces keep their promise: neither document breaks anything of a released one of its major version. The
 * comparison is itself held by tests: each way to break something is caught, and so is the removal of anything at all.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../support/garden.ts';
import { breakingChanges } from './compatibility.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape are looked into here.
type Document = any;

const read = async (path: string): Promise<Document> => JSON.parse(await readFile(join(root, path), 'utf8'));
const current = await read('openapi.json');
const files = (await readdir(join(root, 'docs', 'released'))).filter((file) => file.endsWith('.json'));
const released = await read('docs/released/openapi-1.0.0.json');

const problems = (document: Document): Document => document.paths['/problem_list/api/problems/'].get;
const problem = (document: Document): Document => document.paths['/problem_list/api/problems/{id}/'].get;
const parameter = (document: Document, name: string): Document =>
  problems(document).parameters.find((one: Document) => one.name === name);
const schema = (document: Document, name: string): Document => document.components.schemas[name];
const refusals = (document: Document): Document =>
  problem(document).responses['404'].content['application/json'].examples;

const programs = await read('openapi-programs.json');

/** The interface for programs may get operations that only read; their absence from the released document is no difference. */
function withoutNewReads(before: Document, now: Document): Document {
  const document = structuredClone(now);
  for (const [path, methods] of Object.entries<Document>(document.paths)) {
    if (before.paths[path]?.get === undefined) delete methods.get;
    if (Object.keys(methods).length === 0) delete document.paths[path];
  }
  return document;
}

for (const [name, document] of Object.entries({ openapi: current, 'openapi-programs': programs })) {
  const own = files.filter((file) => file.replace(/-[\d.]+\.json$/, '') === name);
  for (const file of own)
    test(`${name}.json breaks nothing of ${file}`, async (t) => {
      const before = await read(`docs/released/${file}`);
      assert.equal(file, `${name}-${before.info.version}.json`);
      const [released, now] = [before, document].map(({ info }) => info.version.split('.')[0]);
      if (released !== now) return t.skip('another major version may break it');
      const compared = document === programs ? withoutNewReads(before, document) : document;
      assert.deepEqual(breakingChanges(before, compared), []);
    });

  test(`what is added to ${name}.json raises its version: a released one stays as it is`, async (t) => {
    const file = `${name}-${document.info.version}.json`;
    if (!own.includes(file)) return t.skip(`${document.info.version} is not released yet`);
    assert.deepEqual(breakingChanges(document, await read(`docs/released/${file}`)), []);
  });
}

test('programs may get reads, but no write, and no field that a body must have', () => {
  const { get } = programs.paths['/practice/v1/me'];
  const breaksBy = (change: (document: Document) => void) => {
    const document = structuredClone(programs);
    change(document);
    return breakingChanges(programs, withoutNewReads(programs, document));
  };
  assert.deepEqual(
    breaksBy((d) => {
      d.paths['/practice/v1/figures'] = { get };
    }),
    [],
  );
  assert.deepEqual(
    breaksBy((d) => {
      d.paths['/practice/v1/figures'] = { get, post: get };
    }),
    ['paths > /practice/v1/figures: added'],
  );
  assert.deepEqual(
    breaksBy(({ components }) => components.schemas.NewProblem.required.push('more')),
    ['components > schemas > NewProblem > required > more: added'],
  );
});

/** Each way beside removals: the last test takes everything away in turn. */
const breaking: Record<string, (document: Document) => void> = {
  'a path is added': (d) => {
    d.paths['/plants/'] = { get: problems(d) };
  },
  'a method is added': (d) => {
    d.paths['/plants/{id}'].get = problem(d);
  },
  'an operation is renamed': (d) => {
    problems(d).operationId = 'getProblems';
  },
  'an operation changes its tag': (d) => {
    problems(d).tags = ['plants'];
  },
  'an operation needs no token': (d) => {
    problems(d).security = [];
  },
  'another security scheme': (d) => {
    d.components.securitySchemes.bearerAuth = { type: 'apiKey', in: 'header', name: 'X-Key' };
  },
  'a request body is added': (d) => {
    problems(d).requestBody = { content: {} };
  },
  'a parameter is renamed': (d) => {
    parameter(d, 'limit').name = 'size';
  },
  'a parameter moves to the headers': (d) => {
    parameter(d, 'limit').in = 'header';
  },
  'a parameter becomes required': (d) => {
    parameter(d, 'limit').required = true;
  },
  'a required parameter is added': (d) =>
    problems(d).parameters.push({ name: 'x', in: 'query', required: true, schema: { type: 'string' } }),
  'a parameter changes its type': (d) => {
    parameter(d, 'limit').schema.type = 'string';
  },
  'a parameter takes less': (d) => {
    parameter(d, 'limit').schema.maximum = 100;
  },
  'a parameter gets a bound': (d) => {
    parameter(d, 'q').schema.maxLength = 10;
  },
  'a parameter is written in another way': (d) => {
    parameter(d, 'tag').explode = false;
  },
  'an id is no int64 any more': (d) => {
    problem(d).parameters[0].schema.format = 'int32';
  },
  'a status is added': (d) => {
    problem(d).responses['202'] = { description: 'Later.' };
  },
  'a content type changes its schema': (d) => {
    problems(d).responses['200']['x-alternativeContent']['text/csv'].schema.type = 'array';
  },
  'a collection gets an envelope': (d) => {
    problems(d).responses['200'].content['application/json'].schema = { type: 'object' };
  },
  'a collection has other rows': (d) => {
    problems(d).responses['200'].content['application/json'].schema.items.$ref = '#/components/schemas/Plant';
  },
  'a header changes its type': (d) => {
    d.components.headers['Retry-After'].schema.type = 'string';
  },
  'a field may be null': (d) => {
    schema(d, 'Problem').properties.title.type = ['string', 'null'];
  },
  'a field is never null': (d) => {
    schema(d, 'Problem').properties.url.type = 'string';
  },
  'a field changes its format': (d) => {
    delete schema(d, 'Problem').properties.created_at.format;
  },
  'a list has other members': (d) => {
    schema(d, 'Problem').properties.tags.items.type = 'integer';
  },
  'a field without a fallback gets a value': (d) => schema(d, 'UserRecord').properties.role.enum.push('guest'),
  'a field gets a value, and the fallback only now': (d) => {
    const { role } = schema(d, 'UserRecord').properties;
    role.enum.push('guest');
    role.description = 'A client that meets another value treats it as "member".';
  },
  'Error gets a field': (d) => {
    schema(d, 'Error').properties.detail = { type: 'string' };
  },
  'Error may have more fields': (d) => {
    schema(d, 'Error').additionalProperties = true;
  },
  'an error number means something else': (d) => {
    refusals(d).unknownItem.value.error = 40402;
  },
  'the major version changes': (d) => {
    d.info.version = '2.0.0';
  },
  'the version goes back': (d) => {
    d.info.version = '0.9.0';
  },
};

const allowed: Record<string, (document: Document) => void> = {
  nothing: () => {},
  'other words and examples': (d) => {
    d.info.description = 'Other words.';
    problems(d).summary = 'Other words';
    parameter(d, 'limit').description = 'Other words.';
    parameter(d, 'limit').examples = {};
    schema(d, 'Problem').properties.title.description = 'Other words.';
    problems(d)['x-codeSamples'] = [];
    refusals(d).unknownItem.value.message = 'Other words.';
    d.servers = [{ url: 'https://example.org' }];
  },
  'lists in another order': (d) => {
    problems(d).parameters.reverse();
    schema(d, 'Problem').required.reverse();
    schema(d, 'ProblemStatus').properties.status.enum.reverse();
    schema(d, 'Problem').properties.url.type.reverse();
    d.tags.reverse();
  },
  'an optional parameter': (d) =>
    problems(d).parameters.push({ name: 'x', in: 'query', required: false, schema: { type: 'string' } }),
  'a field that is always there': (d) => {
    schema(d, 'Problem').properties.points = { type: 'integer', description: 'Points.' };
    schema(d, 'Problem').required.push('points');
  },
  'a field that is called like a keyword': (d) => {
    schema(d, 'Problem').properties.description = { type: 'string' };
  },
  'a value with a documented fallback': (d) => {
    schema(d, 'ProblemStatus').properties.status.enum.push('stuck');
    parameter(d, 'status').schema.enum.push('stuck');
  },
  'a header of an answer': (d) => {
    d.components.headers['X-New'] = { schema: { type: 'string' } };
    problems(d).responses['200'].headers['X-New'] = { $ref: '#/components/headers/X-New' };
  },
  'an error number of a known status': (d) => {
    refusals(d).other = { value: { error: 40403, message: 'Other.' } };
  },
  'a schema': (d) => {
    d.components.schemas.Extra = { type: 'object' };
  },
  'a later version': (d) => {
    d.info.version = '1.4.2';
  },
  'an announcement of an end': (d) => {
    problems(d).deprecated = true;
  },
};

test('each way to break a client is caught', () => {
  for (const [name, change] of Object.entries(breaking)) {
    const document = structuredClone(released);
    change(document);
    assert.notDeepEqual(document, released, name);
    assert.notDeepEqual(breakingChanges(released, document), [], name);
  }
});

test('what is allowed is not', () => {
  for (const [name, change] of Object.entries(allowed)) {
    const document = structuredClone(released);
    change(document);
    assert.deepEqual(breakingChanges(released, document), [], name);
  }
});

test('a field called like a keyword is a field', () => {
  const before = structuredClone(released);
  schema(before, 'Problem').properties.description = { type: 'string' };
  assert.deepEqual(breakingChanges(before, released), [
    'components > schemas > Problem > properties > description: removed',
  ]);
});

test('whatever is taken away from a released document is caught, wording aside', () => {
  const wording =
    /(?:^|,)(?:description|summary|title|examples|bearerFormat)(?:,|$)|^(?:info|servers|tags|openapi)|x-codeSamples/;
  // Two operations and all that they refer to have every kind of place.
  const paths = ['/problem_list/api/problems/', '/plants/{id}'].map((path) => [path, released.paths[path]]);
  const whole = { ...released, paths: Object.fromEntries(paths) };
  const places = placesIn(whole);
  const document = structuredClone(whole);
  const silent = places.filter((place) => {
    const holder = place.slice(0, -1).reduce((node: Document, key) => node[key], document);
    const key = place.at(-1) ?? '';
    const taken = holder[key];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    const isSilent = breakingChanges(whole, document).length === 0;
    if (Array.isArray(holder)) holder.splice(Number(key), 0, taken);
    else holder[key] = taken;
    return isSilent;
  });
  assert.ok(places.length - silent.length > 400, `${places.length} places, ${silent.length} silent`);
  const unexpected = silent.filter((place) => !wording.test(place.join().replaceAll('properties,title', '')));
  assert.deepEqual(unexpected, []);
});

function placesIn(document: Document): string[][] {
  const places: string[][] = [];
  const walk = (node: Document, place: string[]) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries<Document>(node)) {
      const here = [...place, key];
      places.push(here);
      walk(child, here);
    }
  };
  walk(document, []);
  return places;
}
