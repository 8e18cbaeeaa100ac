/** The client's cache: what is still current is not transferred again, what changed is, and memory stays bounded. */
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../client/src/client.ts';
import { gardenHere } from '../support/commands.ts';
import { planted, watchedFetch } from './support.ts';

test('a cache', async (t) => {
  const { server, ada, databaseUrl } = await planted(t);
  const { fetch, statuses } = watchedFetch();
  const client = createClient({ baseUrl: server.url, token: ada.token, fetch, cache: true });
  const seen = () => statuses.splice(0);

  await t.test('answers from memory what the server says is current', async () => {
    const first = await client.listProblems();
    deepEqual(await client.listProblems(), first);
    const item = await client.getProblem('9007199254740993');
    deepEqual(await client.getProblem('9007199254740993'), item);
    deepEqual(seen(), [200, 304, 200, 304]);
  });

  await t.test('keeps addresses apart', async () => {
    equal((await client.listProblems({ limit: 2 })).length, 2);
    equal((await client.listProblems({ limit: 3 })).length, 3);
    notEqual((await client.getProblem('7')).id, (await client.getProblem('0')).id);
    deepEqual(seen(), [200, 200, 200, 200]);
  });

  await t.test('is not changed by what a caller does to its rows', async () => {
    const [row] = await client.listBookmarks();
    if (row) row.note = 'changed by the caller';
    const [again] = await client.listBookmarks();
    notEqual(again?.note, 'changed by the caller');
    deepEqual(seen(), [200, 304]);
  });

  await t.test('fetches what changed on the server', async () => {
    await client.getBookmark('7');
    const input = `{"username":"ada","source":"cses","source_key":"k7","note":"new words"}`;
    await gardenHere('import bookmarks - --format ndjson', { databaseUrl, input });
    equal((await client.getBookmark('7')).note, 'new words');
    deepEqual(seen(), [200, 200]);
  });

  await t.test('is off unless asked for', async () => {
    const plain = createClient({ baseUrl: server.url, token: ada.token, fetch });
    await plain.listProblems();
    await plain.listProblems();
    deepEqual(seen(), [200, 200]);
  });
});

test('a full cache lets the least recently used answer go', async () => {
  const asked: (string | null)[] = [];
  const body = JSON.stringify({ id: 7, title: 'x'.repeat(5_000_000) });
  const fetch = async (url: string, { headers }: RequestInit) => {
    const tag = new Headers(headers).get('If-None-Match');
    asked.push(tag);
    const json = { 'Content-Type': 'application/json', ETag: JSON.stringify(url) };
    return tag === null ? new Response(body, { headers: json }) : new Response(null, { status: 304 });
  };
  const client = createClient({ baseUrl: 'http://x', token: 't', fetch, cache: true });
  for (const id of [1, 2, 3, 1, 4, 1, 3, 2]) await client.getProblem(id);
  deepEqual(
    asked.map((tag) => tag !== null),
    [false, false, false, true, false, true, true, false],
  );
});
