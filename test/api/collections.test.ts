/** Rules that every collection follows: links, cursors, counts. Its orders are in orders.test.ts, its walks in walks.test.ts. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, bookmarks, type Client, client, exactJson, idsOf, problems, records } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { importMarks } from '../support/marks.ts';
import { type Row, walk } from '../support/walk.ts';

const baseUrl = 'https://garden.example.org';

const titles = ['b', 'B', 'é', 'a', '~', 'Zebra', '😀', '～', 'a b', 'aa'];
const rows = Array.from({ length: 60 }, (_, place) => ({
  id: BigInt(place) * 3n - 20n + (place > 50 ? 2n ** 53n : 0n),
  title: titles[place % titles.length] ?? '',
  source: place % 2 ? 'here' : 'there',
  source_key: `k${place}`,
  rating: place % 4 ? (place % 7) * 100 : null,
  url: place % 3 ? null : `https://example.org/${place % 5}`,
  tags: ['a&b=c d', `t${place % 3}`],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: `2026-01-${String(1 + (place % 28)).padStart(2, '0')}T12:00:00.000Z`,
}));

test('collections', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    { id: 1, username: 'ada', first_name: 'Ada' },
    { id: 2, username: 'ben', role: 'staff' },
    { id: 3, username: 'cyd', first_name: 'Cyd' },
  ]);
  await importRows(databaseUrl, 'problems', rows);
  const marks = await importMarks(databaseUrl, {
    problems: rows.map(({ id }) => id),
    usernames: ['ada', 'ben', 'cyd'],
    countOf: (place) => 1 + (place % 3),
    bookmark: (place) => ({ note: place % 2 ? `n${place % 4}` : null }),
    status: (place) => ({
      status: place % 2 ? 'complete' : 'reading',
      origin: 'self',
    }),
  });
  const [ada, ben] = await tokensFor(databaseUrl, ['ada', 'ben']);
  const server = await serveHere(t, { databaseUrl, env: { BASE_URL: baseUrl, RATE_LIMIT: '0' } });
  const asAda = client(server.url, ada);
  const asBen = client(server.url, ben);

  await t.test('the next page keeps every parameter, and the last page has no Link', async () => {
    const target = `${problems}?tag=a%26b%3Dc+d&tag=t1&q=A&source=here&limit=1&order=-title`;
    const whole = exactJson((await asAda(target.replace('&limit=1', ''))).text) as Row[];
    assert(whole.length > 1);
    assert.deepEqual(await walk(asAda, baseUrl, target), whole);
    assert.equal((await asAda(`${problems}?limit=60`)).headers['link'], undefined);
    assert.notEqual((await asAda(`${problems}?limit=59`)).headers['link'], undefined);
    assert.equal((await asAda(problems)).headers['link'], undefined);
    assert.equal((await asAda(`${problems}?q=nothing&limit=1`)).text, '[]');
  });

  await t.test('a cursor belongs to one collection and one order, and is never made up', async () => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const cursor = forged(['listProblems', '-title,id', '😀', '-2']);
    const link = String((await asBen(`${problems}?limit=1&order=-title`)).headers['link']);
    assert.equal(/cursor=([^&>]+)/.exec(link)?.[1], cursor);
    assert.equal((await asBen(`${problems}?order=-title&cursor=${cursor}`)).status, 200);
    for (const target of [
      `${problems}?cursor=${cursor}`,
      `${problems}?order=title&cursor=${cursor}`,
      `${records}?order=username&cursor=${cursor}`,
      `${problems}?cursor=abc`,
      `${problems}?cursor=%22`,
      `${problems}?cursor=${forged(null)}`,
      `${problems}?cursor=${forged(['listProblems', 'id', 1])}`,
      `${problems}?cursor=${forged(['listProblems', 'id', null])}`,
      `${problems}?cursor=${forged(['listProblems', 'id', '1', '2'])}`,
      `${problems}?cursor=${forged(['listProblems', 'id', '9223372036854775808'])}`,
      `${problems}?cursor=${forged(['listProblems', 'id', ['1', '2']])}`,
      ...['\0', 1, null, ['a'], ['a', 1], ['a', 'b', 'c']].map(
        (title) => `${problems}?order=title&cursor=${forged(['listProblems', 'title,id', title, '1'])}`,
      ),
    ]) {
      assertRefusal(await asBen(target), 40005);
    }
  });

  await t.test('count=true tells how many rows all pages have together', async () => {
    const totalOf = async (as: Client, target: string) => (await as(target)).headers['x-total-count'];
    assert.equal(await totalOf(asBen, `${problems}?count=true&limit=1`), '60');
    assert.equal(await totalOf(asBen, `${problems}?count=true&source=here`), '30');
    assert.equal(await totalOf(asBen, `${problems}?count=true&q=nothing`), '0');
    assert.equal(await totalOf(asBen, `${problems}?count=false`), undefined);
    assert.equal(await totalOf(asBen, `${bookmarks}?count=true&user=all`), String(marks));
    assert.equal(await totalOf(asAda, `${bookmarks}?count=true`), '60');
  });
});

test('the engine writes JSON as we do', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const [cat] = await tokensFor(databaseUrl, ['cat']);
  const titles = ['"\\/', '\b\f\n\r\t\v\u0001\u001f\u007f', 'é\u2028\u2029\ufeff', '𝒳 😀', "a'b,c{}[]", ' '];
  await importRows(
    databaseUrl,
    'problems',
    titles.map((title, place) => ({ title, source: 'odd', source_key: `o${place}`, tags: ['x"y\\', 'ü'] })),
  );
  const asCat = client((await serveHere(t, { databaseUrl })).url, cat);
  const reply = await asCat(problems);
  const whole = reply.text;
  const lines = (await asCat(problems, { headers: { Accept: 'application/x-ndjson' } })).text;
  assert.equal(whole, `[${lines.trimEnd().split('\n').join(',')}]`);
  const items = await Promise.all(idsOf(reply).map(async (id) => (await asCat(`${problems}${id}/`)).text));
  assert.equal(whole, `[${items.join(',')}]`);
  for (const title of titles) assert(whole.includes(JSON.stringify(title)), JSON.stringify(title));
});
