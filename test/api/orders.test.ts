/** Every order of every collection, page by page and whole, is what sorting in the test gives, also where most values are equal. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { testStore } from '../support/databases.ts';
import { importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { bookmarks, client, exactJson, problems, records, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { importMarks } from '../support/marks.ts';
import { type Row, sorted, walk } from '../support/walk.ts';

const baseUrl = 'https://garden.example.org';
const rowCount = 170;
const texts = ['same', 'same', 'same', 'b', 'B', 'é', '～', '😀', '\u{e000}', '\u{10ffff}x'];
// Pages are cut by the same code on each store.
const limits = testStore === 'sqlite' ? [7, 60] : [60];
const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

const rows = Array.from({ length: rowCount }, (_, place) => ({
  id: BigInt((place * 389) % rowCount) * 5n - 1000n,
  title: texts[place % texts.length],
  source: place % 3 ? 'here' : 'there',
  source_key: `k${(place * 7) % rowCount}`,
  rating: place % 4 ? 100 * (place % 3) : null,
  url: place % 5 ? null : `https://example.org/${place % 7}`,
  video_url: null,
  tags: ['all', `t${place % 2}`, ...(place % 50 ? [] : ['rare'])],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: place < 110 ? times[0] : times[place % times.length],
}));

test('orders', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    ...['ada', 'ben', 'cyd'].map((username, place) => ({
      id: place + 1,
      username,
      role: place === 1 ? 'staff' : 'member',
    })),
    ...Array.from({ length: 150 }, (_, place) => ({
      id: place + 10,
      username: `member${place}`,
      city: place % 3 ? 'Rome' : null,
      first_name: texts[place % texts.length],
    })),
  ]);
  await importRows(databaseUrl, 'problems', rows);
  await importMarks(databaseUrl, {
    problems: rows.map(({ id }) => id),
    usernames: ['ada', 'ben', 'cyd'],
    countOf: (place) => place % 4,
    bookmark: (place) => ({
      note: place % 3 ? (texts[place % texts.length] ?? null) : null,
      created_at: times[0],
      updated_at: times[place % times.length],
    }),
    status: (place) => ({
      status: place % 5 ? 'complete' : 'reading',
      origin: place % 7 ? 'self' : 'judge',
      updated_at: times[place % times.length],
    }),
  });
  const [ada, ben] = await tokensFor(databaseUrl, ['ada', 'ben']);
  const server = await serveHere(t, { databaseUrl, env: { BASE_URL: baseUrl, RATE_LIMIT: '0' } });
  const as = { ada: client(server.url, ada), ben: client(server.url, ben) };
  const fieldsOf = (id: 'listProblems' | 'listRecords' | 'listBookmarks' | 'listProblemStatuses') =>
    Object.keys(operations[id].row.properties).filter((name) => name !== 'tags' && name !== 'aliases');

  const cases = [
    ['ada', problems, fieldsOf('listProblems')],
    ['ben', records, fieldsOf('listRecords')],
    ['ada', bookmarks, fieldsOf('listBookmarks')],
    ['ben', `${bookmarks}?user=all`, fieldsOf('listBookmarks')],
    ['ada', statuses, fieldsOf('listProblemStatuses')],
    ['ben', `${statuses}?user=all`, fieldsOf('listProblemStatuses')],
  ] as const;
  for (const [who, target, fields] of cases) {
    await t.test(`${target}, by each field in both directions`, async () => {
      const all = exactJson((await as[who](target)).text) as Row[];
      assert(all.length >= 120, `${all.length} rows`);
      const orders = fields.flatMap((name) => [name, `-${name}`]);
      const [some = '', other = ''] = fields.slice(-2);
      for (const order of [...orders, `${some},-${other}`, `-${other},-id`, `${other},${some}`]) {
        const asked = `${target}${target.includes('?') ? '&' : '?'}order=${order}`;
        const expected = sorted(all, order);
        assert.deepEqual(exactJson((await as[who](asked)).text), expected, asked);
        for (const limit of order.endsWith('id') ? limits : limits.slice(-1)) {
          assert.deepEqual(await walk(as[who], baseUrl, `${asked}&limit=${limit}`), expected, `${asked} ${limit}`);
        }
      }
    });
  }

  await t.test('the document’s pattern of `order` matches what is answered, and nothing else', async () => {
    const wrong = ['', 'tags', 'ID', '+id', 'id,', ',id', '--id', 'id,id', '-updated_at,updated_at'];
    for (const [who, target, fields] of cases.filter(([, path]) => !path.includes('?'))) {
      const operation = Object.values(operations).find(({ path }) => target.endsWith(path));
      assert(operation && 'order' in operation.query.properties, target);
      const { pattern: text = '' } = operation.query.properties.order as { pattern?: string };
      const pattern = new RegExp(text, 'u');
      for (const order of [...fields, ...fields.map((name) => `-${name}`), '-updated_at,id', ...wrong]) {
        const { status } = await as[who](`${target}?limit=1&order=${encodeURIComponent(order)}`);
        assert.equal(status === 200, pattern.test(order), `${target} ${order}`);
      }
      assert(
        wrong.every((order) => !pattern.test(order)),
        target,
      );
    }
  });

  await t.test('filters and counts in any order are those of the rows', async () => {
    const all = exactJson((await as.ada(problems)).text) as (Row & { tags: unknown })[];
    const mine = exactJson((await as.ada(statuses)).text) as Row[];
    const stateOf = new Map(mine.map(({ id, status }) => [id, status]));
    const marked = new Set((exactJson((await as.ada(bookmarks)).text) as Row[]).map(({ id }) => id));
    const has = (row: { tags: unknown }, tag: string) => (row.tags as string[]).includes(tag);
    const filters: [query: string, matches: (row: (typeof all)[number]) => boolean][] = [
      ['tag=all', (row) => has(row, 'all')],
      ['tag=rare&tag=t0&tag=rare', (row) => has(row, 'rare') && has(row, 't0')],
      ['tag=all&tag=nothing', () => false],
      ['tag=t1&status=complete', (row) => has(row, 't1') && stateOf.get(row['id'] ?? 0n) === 'complete'],
      [
        'status=reading&bookmarked=true',
        (row) => stateOf.get(row['id'] ?? 0n) === 'reading' && marked.has(row['id'] ?? 0n),
      ],
      ['status=not_started', (row) => !stateOf.has(row['id'] ?? 0n)],
      ['status=not_started&bookmarked=true', () => false],
      ['status=complete&bookmarked=false', () => false],
      ['bookmarked=false', (row) => !marked.has(row['id'] ?? 0n)],
      ['q=SAME&source=here', (row) => row['title'] === 'same' && row['source'] === 'here'],
      ['q=no+such', () => false],
      ['rating_min=100&rating_max=100', (row) => row['rating'] === 100n],
      [`updated_since=${times[2]}`, (row) => String(row['updated_at']) >= String(times[2])],
      [`updated_since=${times[2]}&tag=t0`, (row) => String(row['updated_at']) >= String(times[2]) && has(row, 't0')],
    ];
    for (const [query, matches] of filters) {
      const matching = all.filter(matches);
      for (const order of ['id', '-id', 'updated_at', '-updated_at', '-rating,title', 'url']) {
        const asked = `${problems}?${query}&order=${order}`;
        const expected = sorted(matching as Row[], order);
        const reply = await as.ada(`${asked}&count=true`);
        assert.deepEqual(exactJson(reply.text), expected, asked);
        assert.equal(reply.headers['x-total-count'], String(expected.length), asked);
        assert.deepEqual(await walk(as.ada, baseUrl, `${asked}&limit=40`), expected, asked);
      }
    }
  });
});
