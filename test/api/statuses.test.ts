/** listProblemStatuses and getProblemStatus: how far a member is with a problem, also where they never said. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { submissionsOf } from '../importing/support.ts';
import { gardenJson } from '../support/commands.ts';
import { importProblems, importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, bookmarks, client, exactJson, idsOf, nextOf } from '../support/http.ts';
import { assertNoSuchProblem } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';
import { importMarks } from '../support/marks.ts';

const path = '/problem_list/api/status/';
const big = 2n ** 63n - 1n;
const at = '2026-03-01T00:00:00.000Z';

test('statuses', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    { id: 1, username: 'ada' },
    { id: 2, username: 'ben' },
    { id: 3, username: 'boss', role: 'staff' },
  ]);
  await importProblems(databaseUrl, [7n, 8n, 9n, big]);
  await importRows(databaseUrl, 'problems', [{ id: 10n, title: 'Q', source: 'codeforces', source_key: '1A' }]);
  await importRows(databaseUrl, 'statuses', [
    { username: 'ada', problem: big, status: 'complete', origin: 'self', updated_at: at },
    { username: 'ada', problem: 8n, status: 'not_started', origin: 'self', updated_at: at },
    { username: 'ben', problem: 7n, status: 'ignored', origin: 'self', updated_at: at },
    { username: 'ben', problem: 8n, status: 'reading', origin: 'self', updated_at: at },
  ]);
  const [ada, ben, boss] = await tokensFor(databaseUrl, ['ada', 'ben', 'boss']);
  const input = JSON.stringify(submissionsOf('ada', ['1A', 'OK', 1_767_225_600]));
  await gardenJson('import codeforces-submissions - --member ada', { databaseUrl, input });
  const server = await serveHere(t, { databaseUrl });
  const asAda = client(server.url, ada);
  const asBen = client(server.url, ben);
  const asBoss = client(server.url, boss);

  await t.test('a status has exactly the fields of the contract', async () => {
    assert.equal(
      (await asAda(`${path}${big}/`)).text,
      `{"id":${big},"user":1,"problem":${big},"status":"complete","origin":"self","updated_at":"${at}"}`,
    );
  });

  await t.test('a judge’s verdict says so in origin, with the verdict’s date', async () => {
    assert.equal(
      (await asAda(`${path}10/`)).text,
      '{"id":10,"user":1,"problem":10,"status":"complete","origin":"judge","updated_at":"2026-01-01T00:00:00.000Z"}',
    );
  });

  await t.test('a problem never touched is not started, without a date', async () => {
    const { status, text, headers } = await asAda(`${path}9/`);
    assert.equal(status, 200);
    assert.equal(text, '{"id":9,"user":1,"problem":9,"status":"not_started","origin":null,"updated_at":null}');
    assert.match(headers.etag ?? '', /^"/);
  });

  await t.test('a problem that does not exist has no status', async () => {
    await assertNoSuchProblem(asAda, path);
  });

  await t.test('the collection lists what was set, also not_started set by hand', async () => {
    assert.deepEqual(idsOf(await asAda(path)), [8n, 10n, big]);
    assert.deepEqual(idsOf(await asBen(path)), [7n, 8n]);
    assert.equal((await asBoss(path)).text, '[]');
    assert.deepEqual(idsOf(await asAda(`${path}?status=not_started`)), [8n]);
    assert.deepEqual(idsOf(await asAda(`${path}?status=complete`)), [10n, big]);
    assertRefusal(
      await asAda(`${path}?status=done`),
      40003,
      'The parameter "status" must be one of not_started, reading, practicing (trying), complete (solved), skipped, ignored.',
    );
  });

  await t.test('a statement that is used again has the member, the order and the limit of each request', async () => {
    assert.deepEqual(idsOf(await asBen(`${path}?limit=1`)), [7n]);
    assert.deepEqual(idsOf(await asAda(`${path}?limit=2`)), [8n, 10n]);
    assert.deepEqual(idsOf(await asAda(`${path}?limit=1`)), [8n]);
    assert.deepEqual(idsOf(await asAda(`${path}?order=-id`)), [big, 10n, 8n]);
    assert.deepEqual(idsOf(await asBen(`${path}?order=-id&limit=1`)), [8n]);
    assert.deepEqual(idsOf(await asAda(nextOf(await asAda(`${path}?limit=1`)) ?? '')), [10n]);
  });

  await t.test('staff name another member or all; a member only themselves', async () => {
    assert.deepEqual(idsOf(await asBoss(`${path}?user=2`)), [7n, 8n]);
    assert.match((await asBoss(`${path}7/?user=2`)).text, /"user":2,.*"ignored"/);
    assert.match((await asBoss(`${path}9/?user=2`)).text, /"user":2,.*"not_started","origin":null/);
    const rows = exactJson((await asBoss(`${path}?user=all`)).text) as { id: bigint; user: bigint }[];
    assert.deepEqual(
      rows.map(({ id, user }) => `${id}/${user}`),
      ['7/2', '8/1', '8/2', '10/1', `${big}/1`],
    );
    assert.equal((await asAda(`${path}9/?user=1`)).status, 200);
    assertRefusal(await asAda(`${path}9/?user=2`), 40402);
    assertRefusal(await asAda(`${path}?user=all`), 40301);
    assertRefusal(await asBoss(`${path}9/?user=all`), 40003);
  });

  await t.test('a new status changes the tag of what was never set', async () => {
    const before = await asBen(`${path}9/`);
    const headers = { 'If-None-Match': before.headers.etag ?? '' };
    assert.equal((await asBen(`${path}9/`, { headers })).status, 304);
    await importRows(databaseUrl, 'statuses', [{ username: 'ben', problem: 9, status: 'skipped', origin: 'self' }]);
    const after = await asBen(`${path}9/`, { headers });
    assert.equal(after.status, 200);
    assert.match(after.text, /"skipped"/);
  });
});

test('a list that one statement reads is the one that pieces make', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const sizes = [0, 1, 99, 100, 101, 102];
  await importRows(
    databaseUrl,
    'records',
    sizes.map((size) => ({ username: `has${size}` })),
  );
  const problems = Array.from({ length: 102 }, (_, place) => BigInt(place + 1));
  await importProblems(databaseUrl, problems, () => ({ title: 'P "é"' }));
  await importMarks(databaseUrl, {
    problems,
    usernames: sizes.toReversed().map((size) => `has${size}`),
    countOf: (place) => sizes.filter((size) => size > place).length,
    bookmark: () => ({ note: 'a "note", é\n\u2028' }),
    status: () => ({ status: 'complete', updated_at: at }),
  });
  const tokens = await tokensFor(
    databaseUrl,
    sizes.map((size) => `has${size}`),
  );
  const server = await serveHere(t, { databaseUrl });
  for (const [place, size] of sizes.entries())
    for (const list of [path, bookmarks]) {
      const own = client(server.url, tokens[place]);
      const few = await own(list);
      assert.equal(JSON.parse(few.text).length, size, list);
      assert.equal(few.text, (await own(`${list}?order=id`)).text, `${list} of ${size}`);
    }
});
