/** A walk over all pages meets every row that stays exactly once and in order, whatever comes and goes, however long its texts. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { testStore } from '../support/databases.ts';
import { garden, importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, bookmarks, client, exactJson, nextOf, problems, records, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { compareRows, type Row, sorted, walk } from '../support/walk.ts';

const baseUrl = 'https://garden.example.org';

test('a walk while another process imports, and other connections import and delete', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const stays = Array.from({ length: 90 }, (_, place) => ({
    id: 2n ** 53n + BigInt(place) - 45n,
    title: `${'zebra apple Mango é'.split(' ')[place % 4]} ${place % 7}`,
    source: place % 2 ? 'codeforces' : 'cses',
    source_key: `stays ${place}`,
    rating: place % 3 ? (place % 5) * 500 : null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: `2026-01-${String(1 + (place % 28)).padStart(2, '0')}T12:00:00.000Z`,
  }));
  await importRows(
    databaseUrl,
    'records',
    ['ada', 'boss', 'cyd', 'dan', 'eve'].map((username, place) => ({
      id: 100 + place,
      username,
      role: place === 1 ? 'staff' : 'member',
      city: place % 2 ? null : 'Rome',
    })),
  );
  await importRows(databaseUrl, 'problems', stays);
  const marks = stays.flatMap(({ id }, place) =>
    ['ada', 'cyd'].slice(0, place % 3).map((username) => ({ username, problem: id })),
  );
  await importRows(
    databaseUrl,
    'bookmarks',
    marks.map((mark, place) => ({ ...mark, note: place % 2 ? `note ${place % 5}` : null })),
  );
  await importRows(
    databaseUrl,
    'statuses',
    marks.map((mark, place) => ({ ...mark, status: place % 2 ? 'reading' : 'complete', origin: 'self' })),
  );
  const [boss] = await tokensFor(databaseUrl, ['boss']);
  const server = await serveHere(t, { databaseUrl, env: { BASE_URL: baseUrl, RATE_LIMIT: '0' } });
  const asBoss = client(server.url, boss);
  const cases: [target: string, order: string][] = [
    [problems, ''],
    [problems, 'title'],
    [problems, '-title,rating'],
    [problems, '-rating'],
    [problems, 'source,-updated_at'],
    [`${statuses}?user=all`, '-id'],
    [`${statuses}?user=all`, 'status,-user'],
    [`${bookmarks}?user=all`, 'note'],
    [`${bookmarks}?user=all`, '-updated_at,-note'],
    [records, 'city,-username'],
  ];
  const before = new Map<string, Row[]>();
  for (const [target] of cases) before.set(target, exactJson((await asBoss(target)).text) as Row[]);

  let isOver = false;
  let changes = 0;
  const churn = async () => {
    while (!isOver) {
      const row = { title: `mango ${changes}`, source: 'here', source_key: `new ${changes}`, rating: 1000 };
      const runs = [
        // The first time another process, which takes most of a second to start.
        await (changes === 0 ? garden : gardenHere)(['sample', 'load'], { databaseUrl }),
        await gardenHere('import problems - --format ndjson', {
          databaseUrl,
          input: JSON.stringify(row),
        }),
        await gardenHere('sample remove --yes', { databaseUrl }),
      ];
      for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
      changes++;
    }
  };
  const churning = churn();
  churning.catch(() => {});
  let transient = 0;
  let isWalked = false;
  // On a slow machine a walk may be over before anything has come.
  while (!isWalked || changes === 0 || transient === 0) {
    for (const [target, order] of cases) {
      const query = `${order === '' ? '' : `order=${order}&`}limit=12`;
      const rows = await walk(asBoss, baseUrl, `${target}${target.includes('?') ? '&' : '?'}${query}`);
      for (const [place, row] of rows.slice(1).entries()) {
        assert(compareRows(order, rows[place] as Row, row) < 0, `${target} ${order}: not in order`);
      }
      const expected = sorted(before.get(target) ?? [], order);
      const kept = new Set(expected.map(({ id, user }) => `${id} ${user}`));
      const met = rows.filter(({ id, user }) => kept.has(`${id} ${user}`));
      assert.deepEqual(met, expected, `${target} ${order}`);
      transient += rows.length - met.length;
    }
    isWalked = true;
  }
  isOver = true;
  await churning;
  t.diagnostic(`${changes} rounds of changes, ${transient} passing rows met`);
  assert(transient > 0);
});

test('a walk over long texts', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const row = (id: number, title: string, more = {}) => ({
    id,
    title,
    source: 'here',
    source_key: `k${id}`,
    ...more,
  });
  const alike = 'x'.repeat(9000);
  const rows = [
    ...[3, 1, 2, 2, 1].map((end, place) =>
      row(place, `${alike}${end}`, {
        url: place % 2 ? `http://x.test/${'界'.repeat(50_000)}${place}` : null,
      }),
    ),
    ...['b', 'a', 'c', '\u{1f331}', '"\\\u0001'].map((start, place) =>
      row(10 + place, start.repeat(20_000), { editorial_url: `http://x.test/${'\u{1f331}'.repeat(5000)}` }),
    ),
    row(20, 'short'),
    row(21, alike),
    row(22, "it's (so)*!~//"),
    row(23, "it's (so)*!~//"),
  ];
  await importRows(databaseUrl, 'records', [{ id: 1, username: 'ada' }]);
  await importRows(databaseUrl, 'problems', rows);
  await importRows(
    databaseUrl,
    'bookmarks',
    rows.map(({ id }, place) => ({ username: 'ada', problem: id, note: `${alike}${place % 4}` })),
  );
  const [ada] = await tokensFor(databaseUrl, ['ada']);
  const server = await serveHere(t, { databaseUrl, env: { BASE_URL: baseUrl, RATE_LIMIT: '0' } });
  const asAda = client(server.url, ada);

  await t.test('every link works, and all pages together are the whole', async () => {
    for (const [target, orders] of [
      [problems, ['title', '-title', 'url,-title', '-editorial_url,title,url', 'source,title']],
      [bookmarks, ['note', '-note', 'created_at,-note,-id']],
    ] as const) {
      const all = exactJson((await asAda(target)).text) as Row[];
      for (const order of orders) {
        for (const limit of testStore === 'sqlite' ? [1, 5] : [5]) {
          const walked = await walk(asAda, baseUrl, `${target}?order=${order}&limit=${limit}`);
          assert.deepEqual(walked, sorted(all, order), `${order} ${limit}`);
        }
      }
    }
  });

  const afterChange = async (order: string, limit: number) => {
    const first = await asAda(`${problems}?order=${order}&limit=${limit}`);
    const last = (exactJson(first.text) as Row[]).at(-1);
    const title = order.startsWith('-') ? '~' : ' ';
    await importRows(databaseUrl, 'problems', [{ id: last?.['id'], title }]);
    const reply = await asAda(nextOf(first) ?? '');
    await importRows(databaseUrl, 'problems', [{ id: last?.['id'], title: last?.['title'] }]);
    return reply;
  };
  await t.test('a long text of a row that changed meanwhile still tells where to go on', async () => {
    const all = exactJson((await asAda(problems)).text) as Row[];
    for (const order of ['title', '-title']) {
      const expected = sorted(all, order);
      const place = expected.findIndex(({ id }) => id === 12n);
      const ids = (exactJson((await afterChange(order, place + 1)).text) as Row[]).map(({ id }) => id);
      assert.equal(ids[0], expected[place + 1]?.['id'], order);
    }
  });

  await t.test('where it no longer does, nothing is skipped or repeated: the walk is refused', async () => {
    const place = sorted(rows as unknown as Row[], 'title').findIndex(({ title }) => title === `${alike}2`);
    for (const order of ['title', 'source,title'])
      assertRefusal(await afterChange(order, place + 1), 40005, /start again without "cursor"/);
  });

  await t.test('a link keeps parameters as they were sent, and is never longer than a target may be', async () => {
    const q = "xx'(xx)*!~xx".replaceAll(/[^x]/g, '');
    const sent = `q=${q}&order=title&count=true`;
    const { headers } = await asAda(`${problems}?${sent}&limit=1`);
    assert(String(headers['link']).startsWith(`<${baseUrl}${problems}?${sent}&limit=1&cursor=`));
    const odd = await asAda(`${problems}?q=x&limit=1&source=here&&`);
    assert.match(String(odd.headers['link']), /\?q=x&limit=1&source=here&cursor=/);
    const full = `${problems}?limit=1&q=${'x'.repeat(8192 - problems.length - 11)}`;
    const refused = await asAda(full);
    assertRefusal(refused, 41400, /its address would be too long/);
    assert.equal(refused.headers['link'], undefined);
    assert.equal((await asAda(full.replace('limit=1', 'limit=5'))).status, 414);
    assert.equal((await asAda(full.replace('limit=1', 'limit=6'))).status, 200);
    assert.equal((await asAda(full.replace('limit=1&', ''))).status, 200);
    assert.equal((await asAda(full.replace('q=x', 'q=y'))).text, '[]');
  });
});
