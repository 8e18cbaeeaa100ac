/** Every example in the document is what the server really does: the examples are imported as rows and then asked for. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOf, openapiDocument, refusalExamples } from '../../src/contract/openapi.ts';
import { type Operation, operationIds, operations } from '../../src/contract/operations.ts';
import { documentedError } from '../../src/errors.ts';
import { read, sourceFiles } from '../house/support.ts';
import { gardenJson } from '../support/commands.ts';
import { gardenOfExamples } from '../support/examples.ts';
import { importRows, type MadeToken, tokensFor } from '../support/garden.ts';
import { client, exactJson, type Reply } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into here.
const document: any = openapiDocument('http://localhost:8080');

interface Example {
  value: unknown;
  summary?: string;
}

interface ExampleRequest {
  target: string;
  isForStaff: boolean;
}

test('examples', async (t) => {
  const { databaseUrl, username, token } = await gardenOfExamples(t);
  const server = await serveHere(t, { databaseUrl });
  const ask = client(server.url, token);

  const target = ({ path, row }: Operation, id?: string) =>
    path.replace('{id}', id ?? String(JSON.stringify(exampleOf(row)['id'])));
  const documented = (operation: Operation) => document.paths[operation.path][operation.method.toLowerCase()].responses;
  const assertHeaders = (reply: Reply, response: { headers: object }, absent: readonly string[] = []) => {
    const promised = Object.keys(response.headers).filter((name) => !absent.includes(name));
    for (const name of promised) assert(reply.headers[name.toLowerCase()], name);
  };
  const onPages = ['Link', 'X-Total-Count'];

  for (const id of operationIds) {
    const operation: Operation = operations[id];
    if (operation.kind === 'deletion') continue;
    await t.test(`${id} answers its example`, async () => {
      const reply = await ask(target(operation));
      assert.equal(reply.status, 200, reply.text);
      const { examples } = documented(operation)['200'].content['application/json'];
      const [example] = Object.values<{ value: unknown }>(examples);
      assert.deepEqual(exactJson(reply.text), exactJson(JSON.stringify(example?.value)));
      assertHeaders(reply, documented(operation)['200'], onPages);
      for (const type of ['application/x-ndjson', 'text/csv']) {
        const lines = documented(operation)['200']['x-alternativeContent']?.[type];
        assert.equal(lines !== undefined, operation.kind === 'collection');
        if (lines === undefined) continue;
        const { text } = await ask(target(operation), { headers: { Accept: type } });
        assert.equal(text, lines.examples.rows.value, type);
      }
      const headers = { 'If-None-Match': reply.headers.etag ?? '' };
      assertHeaders(await ask(target(operation), { headers }), documented(operation)['304']);
    });
  }

  const exampleRequests = (operation: Operation): ExampleRequest[] => {
    const { parameters } = document.paths[operation.path][operation.method.toLowerCase()] as {
      parameters: { name: string; in: string; examples?: Record<string, Example> }[];
    };
    const id = parameters.find((parameter) => parameter.in === 'path')?.examples?.['typical']?.value;
    const path = operation.path.replace('{id}', String(id));
    const optional = parameters.filter((parameter) => parameter.in === 'query');
    const pairs = (name: string, value: unknown) =>
      [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`);
    const alone = optional.flatMap(({ name, examples = {} }) =>
      Object.values(examples).map(({ value, summary = '' }) => ({
        target: `${path}?${pairs(name, value).join('&')}`,
        isForStaff: summary.startsWith('Staff only'),
      })),
    );
    const together = optional.flatMap(({ name, examples }) =>
      examples?.['typical'] === undefined ? [] : pairs(name, examples['typical'].value),
    );
    return [{ target: `${path}?${together.join('&')}`, isForStaff: false }, ...alone];
  };

  await t.test('requests made of the examples of parameters find the example row', async () => {
    await importRows(databaseUrl, 'records', [{ username: 'boss', role: 'staff' }]);
    const [boss] = await tokensFor(databaseUrl, ['boss']);
    let staffCount = 0;
    for (const id of operationIds) {
      const operation: Operation = operations[id];
      if (operation.kind === 'deletion') continue;
      for (const { target, isForStaff } of exampleRequests(operation)) {
        staffCount += Number(isForStaff);
        const reply = await client(server.url, isForStaff ? boss : token)(target);
        assert.equal(reply.status, 200, `${id} ${target}: ${reply.text}`);
        const [row] = [exactJson(reply.text)].flat();
        const example = { ...exampleOf(operation.row) };
        if (isForStaff && 'note' in example) example.note = null;
        assert.deepEqual(row, exactJson(JSON.stringify(example)), `${id} ${target}`);
      }
    }
    assert.equal(staffCount, 2);
  });

  const narrow = await Promise.all(
    ['problems:read', 'records:read'].map((scope) =>
      gardenJson<MadeToken>(['token', 'create', username, '--name', 'narrow', '--scope', scope], {
        databaseUrl,
      }),
    ),
  );
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    await t.test(`${id} refuses as its examples say`, async () => {
      const lacking = operation.scope === 'problems:read' ? narrow[1] : narrow[0];
      const authorizations = { none: undefined, unknown: 'Bearer abc', 'without scope': `Bearer ${lacking?.token}` };
      for (const { error, id: given, query, accept, token: which } of refusalExamples(operation)) {
        const { code, status, number, message } = error;
        const authorization = which === undefined ? `Bearer ${token}` : authorizations[which];
        const reply = await ask(`${target(operation, given)}${query === undefined ? '' : `?${query}`}`, {
          method: operation.method,
          headers: {
            ...(accept !== undefined && { Accept: accept }),
            ...(authorization !== undefined && { Authorization: authorization }),
          },
          ...(which === 'none' && { token: undefined }),
        });
        assert.equal(reply.status, status, `${code}: ${reply.text}`);
        assert.deepEqual(JSON.parse(reply.text), { error: number, message });
        assertHeaders(reply, documented(operation)[status], code === 'staffOnly' ? ['WWW-Authenticate'] : []);
      }
    });
  }

  await t.test('refusals that all operations share say what their examples say', async (t) => {
    const said = (reply: Reply) => JSON.parse(reply.text);
    const promised = (status: string) => {
      const [example] = Object.values<{ value: { error: number; message: string } }>(
        document.components.responses[status].content['application/json'].examples,
      );
      assert.ok(example);
      return example.value;
    };
    assert.deepEqual(said(await ask(`/?${'a'.repeat(8192)}`)), promised('414'));
    assert.deepEqual(said(await ask('/', { headers: { 'X-Long': 'a'.repeat(17_000) } })), promised('431'));
    const strict = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '1' } });
    const asked = () => client(strict.url, token)(target(operations.getProblem));
    let refused: Reply | undefined;
    await until('two requests within a second', async () => {
      refused = (await Promise.all([1, 2, 3].map(asked))).find(({ status }) => status === 429);
      return refused !== undefined;
    });
    assert.ok(refused);
    const { error, message } = promised('429');
    assert.deepEqual(said(refused), { error, message: message.replace('1000', '1') });
    assertHeaders(refused, document.components.responses['429']);
    // These take a fault, ten seconds or a crowd, so the source must refuse by these names.
    const source = sourceFiles().filter((path) => /^src\/(?:http|api|server)\/|^src\/errors/.test(path));
    const names = { '408': 'requestTimeout', '500': 'internal', '503': 'overloaded' } as const;
    for (const [status, name] of Object.entries(names)) {
      assert.equal(promised(status).message, documentedError(name).message);
      assert.ok(
        source.some((path) => read(path).includes(`documentedError('${name}')`)),
        name,
      );
    }
  });

  await t.test('deletePlant deletes its example', async () => {
    const reply = await ask(target(operations.deletePlant), { method: 'DELETE' });
    assert.equal(reply.status, 204, reply.text);
    assertHeaders(reply, documented(operations.deletePlant)['204']);
  });
});
