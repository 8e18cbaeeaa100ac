/** The client's types and the interface agree: the generated file is current, every operation is there, ids are no numbers. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generateSchema, schemaPath } from '../../client/generate.ts';
import { createClient, type Problem, type ProblemStatus } from '../../client/src/client.ts';
import { operationIds, operations } from '../../src/contract/operations.ts';

test('client/src/schema.ts is what client/generate.ts makes of the interface', async () => {
  equal(await readFile(schemaPath, 'utf8'), await generateSchema(), 'run: node client/generate.ts');
});

test('the client has a method for each operation and nothing else, and a walk for each collection', async () => {
  const { pages, rows, ...methods } = createClient({ baseUrl: 'http://x', token: 't' });
  const collections = operationIds.filter((id) => operations[id].kind === 'collection');
  deepEqual(Object.keys(methods).sort(), [...operationIds].sort());
  deepEqual(Object.keys(pages).sort(), collections.sort());
  deepEqual(Object.keys(rows).sort(), collections.sort());
});

test('each method asks at its own operation’s address', async () => {
  const asked: [string, string | undefined][] = [];
  const fetch = async (url: string, { method }: RequestInit) => {
    asked.push([url, method]);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json(url.includes('/7/') ? { id: 7 } : []);
  };
  const client = createClient({ baseUrl: 'http://x/practice/', token: 't', fetch });
  for (const id of operationIds) {
    await (operations[id].kind === 'collection' ? client[id as 'listRecords']() : client[id as 'getRecord'](7));
  }
  deepEqual(
    asked,
    operationIds.map((id) => [`http://x/practice${operations[id].path.replace('{id}', '7')}`, operations[id].method]),
  );
});

test('ids are typed as they arrive', () => {
  const typed = (problem: Problem, exact: Problem<'bigint'>, status: ProblemStatus<'bigint'>) => {
    const texts: string[] = [problem.id, problem.title];
    const integers: bigint[] = [exact.id, status.user, status.problem];
    const rating: number | null = exact.rating;
    // @ts-expect-error An id is not a number.
    const number: number = problem.id;
    return [texts, integers, rating, number];
  };
  equal(typeof typed, 'function');
});
