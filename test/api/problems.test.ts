/** listProblems and getProblem: everyone sees every problem; the filters status and bookmarked are the member's own. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, client, exactJson, idsOf } from '../support/http.ts';
import { assertNoSuchProblem, edges } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';

const path = '/problem_list/api/problems/';
const at = '2026-03-01T00:00:00.000Z';

test('problems', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const [ada, ben] = await tokensFor(databaseUrl, ['ada', 'ben']);
  await importRows(databaseUrl, 'problems', [
    ...edges.map((id) => ({ id, title: `edge ${id}`, source: 'edges', source_key: `e${id}` })),
    {
      id: 50n,
      title: 'Say "hi" – 你好 🌱',
      source: 'codeforces',
      source_key: '1874F',
      url: 'https://codeforces.com/problemset/problem/1874/F',
      rating: 3500,
      tags: ['dp', 'math, "hard"'],
      aliases: ['1875G'],
      editorial_url: 'https://example.org/e',
      video_url: null,
      created_at: at,
      updated_at: at,
    },
    { id: 51n, title: 'A', source: 'cses', source_key: '1068', tags: ['dp'], rating: -1 },
    { id: 52n, title: 'B', source: 'cses', source_key: '1069', tags: ['greedy'], rating: 800 },
    { id: 53n, title: 'C', source: 'cses', source_key: '1070', tags: [] },
  ]);
  await importRows(databaseUrl, 'bookmarks', [
    { username: 'ada', problem: 51 },
    { username: 'ben', problem: 52 },
  ]);
  await importRows(databaseUrl, 'statuses', [
    { username: 'ada', problem: 51, status: 'complete', origin: 'self' },
    { username: 'ada', problem: 52, status: 'not_started', origin: 'self' },
    { username: 'ben', problem: 53, status: 'complete', origin: 'self' },
  ]);
  const server = await serveHere(t, { databaseUrl });
  const asAda = client(server.url, ada);
  const asBen = client(server.url, ben);
  const found = async (query: string, as = asAda) => {
    const reply = await as(`${path}?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return idsOf(reply);
  };

  await t.test('a problem has exactly the fields of the contract', async () => {
    assert.equal(
      (await asBen(`${path}50/`)).text,
      '{"id":50,"title":"Say \\"hi\\" – 你好 🌱","source":"codeforces","source_key":"1874F",' +
        '"url":"https://codeforces.com/problemset/problem/1874/F","rating":3500,"tags":["dp","math, \\"hard\\""],' +
        `"aliases":["1875G"],"editorial_url":"https://example.org/e","video_url":null,"created_at":"${at}","updated_at":"${at}"}`,
    );
  });

  await t.test('each id names its own problem, and the collection is in their order', async () => {
    for (const id of edges) {
      const row = exactJson((await asAda(`${path}${id}/`)).text) as { id: bigint; title: string };
      assert.deepEqual([row.id, row.title], [id, `edge ${id}`]);
    }
    const all = [...edges, 50n, 51n, 52n, 53n].sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(idsOf(await asAda(path)), all);
    assert.equal((await asBen(path)).text, (await asAda(path)).text);
  });

  await t.test('what is no problem is 404, what is no id 400', async () => {
    await assertNoSuchProblem(asAda, path);
  });

  await t.test('source, tags and ratings filter', async () => {
    assert.deepEqual(await found('source=cses'), [51n, 52n, 53n]);
    assert.deepEqual(await found('source=CSES'), []);
    assert.deepEqual(await found('tag=dp'), [50n, 51n]);
    assert.deepEqual(await found('tag=dp&tag=math%2C+%22hard%22'), [50n]);
    assert.deepEqual(await found('tag=dp&tag=greedy'), []);
    assert.deepEqual(await found('rating_min=800'), [50n, 52n]);
    assert.deepEqual(await found('rating_max=800'), [51n, 52n]);
    assert.deepEqual(await found('rating_min=-1&rating_max=-1&source=cses'), [51n]);
  });

  await t.test('q looks in the title and in every key', async () => {
    assert.deepEqual(await found('q=SAY+%22HI'), [50n]);
    assert.deepEqual(await found('q=1874f'), [50n]);
    assert.deepEqual(await found('q=1875g'), [50n]);
    assert.deepEqual(await found('q=%F0%9F%8C%B1'), [50n]);
    assert.deepEqual(await found('q=codeforces'), []);
  });

  await t.test('status and bookmarked are the member’s own', async () => {
    assert.deepEqual(await found('status=complete'), [51n]);
    assert.deepEqual(await found('status=complete', asBen), [53n]);
    assert.deepEqual(await found('bookmarked=true'), [51n]);
    assert.deepEqual(await found('bookmarked=true', asBen), [52n]);
    assert.deepEqual(await found('bookmarked=false&source=cses'), [52n, 53n]);
    assert.deepEqual(await found('status=not_started&source=cses'), [52n, 53n]);
    assert.deepEqual(await found('status=not_started&source=cses', asBen), [51n, 52n]);
    assert.deepEqual(await found('status=reading'), []);
    for (const [query, count] of Object.entries({ '': 1, 'status=complete': 2, 'bookmarked=true': 2 })) {
      const replies = await Promise.all([asAda, asBen].map((as) => as(`${path}?${query}`)));
      assert.equal(new Set(replies.map(({ headers }) => headers.etag)).size, count, `tags of ${query}`);
    }
    assertRefusal(await asAda(`${path}?bookmarked=1`), 40003, 'The parameter "bookmarked" must be "true" or "false".');
    assertRefusal(await asAda(`${path}?user=1`), 40002);
  });
});
