/** The client's pages and rows: walked to the end, left early, taken up again, and never led to another host. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../client/src/client.ts';
import { collect, idsOf, planted, watchedFetch } from './support.ts';

test('a walk', async (t) => {
  const ids = Array.from({ length: 25 }, (_, place) => String(9007199254740980n + BigInt(place)));
  // The base address is one that the garden cannot be reached at: links name it, requests must not.
  const { server, ada, root } = await planted(t, { ids, env: { BASE_URL: 'http://elsewhere.invalid' } });
  const client = createClient({ baseUrl: server.url, token: ada.token });

  await t.test('through pages yields every row once, in order, with the total', async () => {
    const pages = await collect(client.pages.listProblems({ limit: 10, count: true, tag: ['dp'] }));
    deepEqual(
      pages.map(({ rows, total, next }) => [rows.length, total, typeof next]),
      [
        [10, 25, 'string'],
        [10, 25, 'string'],
        [5, 25, 'undefined'],
      ],
    );
    deepEqual(idsOf(pages.flatMap(({ rows }) => rows)), ids);
  });

  await t.test('through rows works for every collection, in any order', async () => {
    const exact = createClient({ baseUrl: server.url, token: ada.token, ids: 'bigint' });
    const problems = await collect(exact.rows.listProblems({ limit: 7, order: '-source_key' }));
    deepEqual(idsOf(problems), ids.map(BigInt).reverse());
    for (const walk of [client.rows.listBookmarks, client.rows.listProblemStatuses])
      deepEqual(idsOf(await collect<{ id: string }>(walk({ limit: 9 }))), ids);
    const staff = createClient({ baseUrl: server.url, token: root.token });
    equal((await collect(staff.rows.listRecords({ limit: 1 }))).length, 2);
    const ofAll = await collect(staff.pages.listBookmarks({ limit: 20, user: 'all' }));
    deepEqual(
      ofAll.map(({ rows }) => rows.length),
      [20, 5],
    );
    deepEqual((await collect(staff.pages.listRecords())).length, 1);
    deepEqual((await collect(staff.pages.listProblemStatuses())).length, 1);
  });

  await t.test('asks in pages of 1000 by default', async () => {
    const { fetch, urls } = watchedFetch();
    const rows = createClient({ baseUrl: server.url, token: ada.token, fetch }).rows.listProblems();
    equal((await collect(rows)).length, 25);
    deepEqual(urls, [`${server.url}/problem_list/api/problems/?limit=1000`]);
  });

  await t.test('fetches nothing before it begins, and nothing more once it is left', async () => {
    const { fetch, urls } = watchedFetch();
    const watched = createClient({ baseUrl: server.url, token: ada.token, fetch });
    const rows = watched.rows.listProblems({ limit: 2 });
    equal(urls.length, 0);
    let seen = 0;
    for await (const _ of rows) if (++seen === 3) break;
    equal(urls.length, 2);
  });

  await t.test('goes on from a cursor that was kept', async () => {
    let kept: string | undefined;
    for await (const { next } of client.pages.listProblems({ limit: 10 })) {
      kept = next;
      break;
    }
    const rest = await collect(client.rows.listProblems({ limit: 10, cursor: kept }));
    deepEqual(idsOf(rest), ids.slice(10));
  });

  await t.test('goes through a cache and changes nothing by it', async () => {
    const { fetch, statuses } = watchedFetch();
    const caching = createClient({ baseUrl: server.url, token: ada.token, fetch, cache: true });
    const first = await collect(caching.pages.listProblems({ limit: 10, count: true }));
    const second = await collect(caching.pages.listProblems({ limit: 10, count: true }));
    deepEqual(second, first);
    deepEqual(statuses, [200, 200, 200, 304, 304, 304]);
  });
});
