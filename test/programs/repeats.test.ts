/** Writes that come twice or at once: keys, versions, and a server that is killed between a write and its answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { programKeys } from '../../src/programs/writes.ts';
import { insertProgramKey } from '../../src/store/program-writes.ts';
import { rowsOf } from '../support/databases.ts';
import { importProblems, memberWithToken, serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { assertRefusal } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { program, programGarden } from './support.ts';

test('writes that come twice or at once', async (t) => {
  const { databaseUrl, ada, ben, reader } = await programGarden(t);
  const patch = (id: number, body: object, headers = {}, as = ada) => as.patch(`/marks/${id}`, body, headers);
  const withKey = (key: string) => ({ 'Idempotency-Key': key });

  await t.test('of 20 parallel writes with one version one succeeds', async () => {
    const { version } = (await ada('/marks/7')).json;
    const headers = { 'If-Match': `"${version}"` };
    const writes = Array.from({ length: 20 }, (_, n) => patch(7, { note: `writer ${n}` }, headers));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses.filter((status) => status === 412).length, 19);
    assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM program_changes')).length, 1);
  });

  await t.test('a repeat with the same key gets the first answer, although the mark has changed since', async () => {
    const first = await patch(8, { status: 'trying', add_note: 'once' }, withKey('"k1"'));
    await patch(8, { status: 'solved', note: null });
    const again = await patch(8, { status: 'trying', add_note: 'once' }, withKey('k1'));
    assert.deepEqual([again.status, again.text, again.headers.etag], [200, first.text, first.headers.etag]);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await ada('/marks/8')).json.status, 'solved');
    assertRefusal(await patch(8, { status: 'trying' }, withKey('k1')), 42200);
    assertRefusal(await patch(9, { status: 'trying', add_note: 'once' }, withKey('k1')), 42200);
    const conditional = { ...withKey('k1'), 'If-Match': '*' };
    assertRefusal(await patch(8, { status: 'trying', add_note: 'once' }, conditional), 42200);
    assert.equal((await patch(8, { status: 'trying' }, withKey('k1'), ben)).status, 200);
    for (const key of ['""', '"a', 'a b', 'ä', 'x'.repeat(256)])
      assertRefusal(await patch(8, { starred: true }, withKey(Buffer.from(key).toString('latin1'))), 40010);
    assert.equal((await patch(8, { starred: true }, withKey('x'.repeat(255)))).status, 200);
  });

  await t.test('a refusal is not stored, and 20 equal requests at once run once', async () => {
    assertRefusal(await patch(99, { starred: true }, withKey('k2')), 40401);
    assert.equal((await patch(9, { starred: true }, withKey('k2'))).status, 200);
    const body = { url: 'https://codeforces.com/contest/1700/problem/A' };
    const add = () => ada.post('/problems', body, withKey('k3'));
    const replies = await Promise.all(Array.from({ length: 20 }, add));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed']).length, 19);
  });

  await t.test('of old answers the newest stay, up to their number and bytes', async () => {
    const [{ id }] = (await rowsOf(databaseUrl, 'SELECT min(id) AS id FROM tokens')) as [{ id: unknown }];
    const row = { token_id: BigInt(String(id)), digest: 'd', answer: '{}' };
    const keysAfter = async (bytes: bigint, most: number, mostBytes: number) => {
      await withStore(databaseUrl, (store) =>
        store.write(async (tx) => {
          await tx.deleteFrom('program_keys').execute();
          for (const n of [1, 2, 3, 4])
            await insertProgramKey(
              tx,
              { ...row, key: `n${n}`, bytes, made_at: `2026-01-0${n}` },
              { since: '2026-01-02', most, mostBytes },
            );
        }),
      );
      const rows = await rowsOf(databaseUrl, 'SELECT key FROM program_keys ORDER BY key');
      return rows.map(({ key }) => key);
    };
    assert.deepEqual(await keysAfter(10n, 9, 99), ['n2', 'n3', 'n4']);
    assert.deepEqual(await keysAfter(10n, 2, 99), ['n3', 'n4']);
    assert.deepEqual(await keysAfter(10n, 9, 20), ['n3', 'n4']);
    assert.deepEqual(programKeys, { storedMs: 86_400_000, mostPerToken: 1000, mostBytes: 4_194_304 });
  });

  await t.test('a reader writes nothing with any key', async () => {
    assertRefusal(await patch(7, { starred: true }, withKey('k9'), reader), 40300);
  });
});

test('kill -9 loses no answered write, leaves no half, and a repeat with its key happens once', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:mark'] });
  await importProblems(databaseUrl, 100);
  const env = { RATE_LIMIT: '0', PROGRAM_WRITES: '0' };
  const parts = { status: 'solved', starred: true, minutes: 5 };
  const write = (url: string, id: number) =>
    program(url, token).patch(`/marks/${id}`, { ...parts, note: `note ${id}` }, { 'Idempotency-Key': `k${id}` });
  const server = await serve(t, { databaseUrl, env });
  const answered = new Map<number, string>();
  const unanswered = new Set<number>();
  const queue = Array.from({ length: 100 }, (_, n) => n + 1);
  const writers = Array.from({ length: 8 }, async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      unanswered.add(id);
      const reply = await write(server.url, id).catch(() => undefined);
      if (!reply) return;
      unanswered.delete(id);
      if (reply.status === 503) {
        // On a busy machine it may wait too long for the others, and is to be sent again.
        queue.push(id);
        continue;
      }
      assert.equal(reply.status, 200, reply.text);
      answered.set(id, reply.text);
      if (answered.size === 40) server.child.kill('SIGKILL');
    }
  });
  const exit = once(server.child, 'exit');
  await Promise.all([exit, ...writers]);
  assert.ok(unanswered.size > 0);
  const count = async (query: string) =>
    Number((await rowsOf(databaseUrl, `SELECT count(*) AS n FROM ${query}`))[0]?.['n']);
  const changes = await count('program_changes');
  assert.ok(changes >= answered.size);
  for (const table of ['statuses', 'bookmarks', 'timers', 'program_keys'])
    assert.equal(await count(table), changes, table);
  assert.equal(await count('program_parts'), 4 * changes);
  const next = await serveHere(t, { databaseUrl, env });
  for (const [id, text] of answered) assert.equal((await write(next.url, id)).text, text);
  for (const id of unanswered) assert.equal((await write(next.url, id)).status, 200);
  const all = answered.size + unanswered.size;
  for (const table of ['program_changes', 'statuses', 'timers', 'program_keys'])
    assert.equal(await count(table), all, table);
});
