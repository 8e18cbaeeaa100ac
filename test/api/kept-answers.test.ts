/** Kept answers are used: a read that was answered before asks the database whether anything has changed, and nothing else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import Database from 'better-sqlite3';
import { answerCache } from '../../src/api/answer-cache.ts';
import { largeBodies } from '../../src/api/context.ts';
import { requestBytes } from '../faults/attack.ts';
import { filesOnly } from '../support/databases.ts';
import { importProblems, importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { client, problems, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { openSocket } from '../support/sockets.ts';

function watchStatements(t: test.TestContext): string[] {
  const statements: string[] = [];
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
  for (const name of ['get', 'all', 'run', 'iterate']) {
    const original = prototype[name];
    prototype[name] = function (this: { source: string }, ...values: unknown[]) {
      statements.push(this.source);
      return original.apply(this, values);
    };
    t.after(() => {
      prototype[name] = original;
    });
  }
  return statements;
}

test('answers that are kept', { skip: filesOnly }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, 3);
  await importRows(databaseUrl, 'statuses', [{ username: 'ada', problem: 1, status: 'reading' }]);
  const { url } = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const ask = client(url, token);
  const statements = watchStatements(t);
  const targets = [`${problems}1/`, problems, `${problems}?limit=2&count=true`, statuses];

  await t.test('are sent again after one look at whether anything has changed', async () => {
    for (const target of targets) {
      for (const coding of ['identity', 'gzip']) {
        const headers = { 'Accept-Encoding': coding };
        statements.length = 0;
        const first = await ask(target, { headers });
        assert.equal(first.status, 200);
        assert.ok(
          statements.some((statement) => /from "(?:problems|statuses)"/.test(statement)),
          `${target} was read`,
        );
        await ask(target, { headers });
        statements.length = 0;
        const again = await ask(target, { headers });
        assert.deepEqual(statements, ['PRAGMA data_version'], `${target} ${coding}`);
        assert.deepEqual(again.bytes, first.bytes);
      }
    }
  });

  const made = () =>
    statements.filter((statement) => statement.includes('string_agg') && !statement.includes('>')).length;
  for (const [rows, length, times] of [
    [1, 'a short one at most twice', 2],
    [200, 'a long one once for all who ask at that moment', 1],
  ] as const)
    await t.test(`are made anew once the rows have changed, ${length}`, async () => {
      await importProblems(databaseUrl, 3 + rows);
      statements.length = 0;
      const replies = await Promise.all(Array.from({ length: 8 }, () => ask(problems)));
      for (const { text } of replies) assert.equal(JSON.parse(text).length, 3 + rows);
      assert.ok(made() >= 1 && made() <= times, `made ${made()} times`);
    });
});

test('answers of some megabytes', { skip: filesOnly }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const count = 140;
  await importProblems(databaseUrl, count, (place) => ({ title: `${place} ${'x'.repeat(50_000)}` }));
  const { url } = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const ask = client(url, token);
  const statements = watchStatements(t);

  await t.test('are kept as long as their bytes fit', async () => {
    await ask(problems);
    await ask(problems, { headers: { Accept: 'application/x-ndjson' } });
    statements.length = 0;
    assert.equal(JSON.parse((await ask(problems)).text).length, count);
    assert.deepEqual(statements, ['PRAGMA data_version']);
  });

  await t.test('are streamed at once while others wait for their clients', async (t) => {
    const stuck = await Promise.all(Array.from({ length: 3 }, () => openSocket(url, requestBytes(problems, token))));
    t.after(() => {
      for (const socket of stuck) socket.destroy();
    });
    await Promise.all(stuck.map((socket) => once(socket, 'readable')));
    statements.length = 0;
    const reply = await ask(`${problems}?order=id`);
    assert.equal(reply.headers['transfer-encoding'], 'chunked');
    const lists = statements.filter((statement) => statement.includes('string_agg'));
    assert.deepEqual(
      lists.slice(0, 3).map((statement) => statement.includes('>')),
      [false, false, true],
    );
  });
});

test('the second answer with a key is kept, however alike the keys are', () => {
  const cache = answerCache();
  const keys = Array.from({ length: 500 }, (_, id) => `/practice/v1/problems/${id + 1} \n1 identity 1,3,4,0`);
  const answer = { tag: '""', headers: [], body: '{}' };
  const keptAfterAdding = () => {
    for (const key of keys) cache.add(key, answer);
    return keys.filter((key) => cache.find(key)).length;
  };
  assert.equal(keptAfterAdding(), 0);
  const kept = keptAfterAdding();
  assert.ok(kept >= 480 && kept <= 500, `${kept} of ${keys.length}`);
});

test('kept answers take 20 MiB at most, two bytes for each character', () => {
  const text = 'x'.repeat(2 ** 20);
  for (const [headers, body, most] of [
    [[], text, 9],
    [[], Buffer.from(text), 19],
    [[text], '', 9],
  ] as const) {
    const cache = answerCache();
    const keys = Array.from({ length: 30 }, (_, place) => String(place));
    for (const key of keys) for (let times = 0; times < 2; times++) cache.add(key, { tag: '""', headers, body });
    assert.equal(keys.filter((key) => cache.find(key)).length, most);
  }
});

test('answers are made in memory while at most 16 MiB are being sent, and 1 MiB of names is kept of those too large', () => {
  const { countSending, hasMemory, tooLargeKeys } = largeBodies();
  countSending(Buffer.alloc(16 * 2 ** 20));
  assert.ok(hasMemory());
  const end = countSending(Buffer.alloc(1));
  assert.ok(!hasMemory());
  end();
  assert.ok(hasMemory());
  const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(2 ** 19));
  for (const key of keys) tooLargeKeys.set(key, true);
  assert.deepEqual(
    keys.map((key) => tooLargeKeys.has(key)),
    [false, true, true],
  );
});
