/** Bytes between requests; all other bytes that are no proper HTTP are in the tables of test/hostile. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importProblems, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { problems, sendRaw } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';

test('millions of empty lines before a request cost little, and it is answered', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  await importProblems(databaseUrl, [7]);
  const server = await serveHere(t, { databaseUrl });
  const authorization = `Authorization: Bearer ${token}`;

  const last = `GET ${problems}7/ HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`;
  const first = last.replace('Connection: close\r\n', '');
  const ms = await ownMs(async () => {
    const text = await sendRaw(server.url, `${first}${'\r\n'.repeat(3_000_000)}${last}`);
    assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2);
  });
  assert.ok(ms < 3_000, `${ms} ms`);
});
