/** Rows of many characters: the memory that a list of them takes is bounded. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { requestBytes } from '../faults/attack.ts';
import { importProblems, importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, bookmarks, client, nextOf, records } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { openSocket, readAll } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';

const longestNote = 10_000;
const longestText = 100_000;
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

/** The lengths of the chunks of a body (RFC 9112 §7.1). */
function chunksOf(reply: string): number[] {
  const lengths = [];
  let at = reply.indexOf('\r\n\r\n') + 4;
  for (let length = -1; length !== 0; ) {
    const end = reply.indexOf('\r\n', at);
    length = Number.parseInt(reply.slice(at, end), 16);
    assert(length >= 0, reply.slice(at, at + 20));
    lengths.push(length);
    at = end + length + 4;
  }
  return lengths;
}

const incompressible = () => randomBytes(0.75 * longestNote).toString('base64');

test('long rows', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });

  await t.test('after many short ones come in pieces of at most a thousand', async () => {
    await importProblems(databaseUrl, 2_400);
    const notes = Array.from({ length: 2_400 }, (_, place) => ({
      username: 'ada',
      problem: place + 1,
      // Below all of Base64 in the order of notes.
      note: place < 1_300 ? '!' : incompressible(),
    }));
    await importRows(databaseUrl, 'bookmarks', notes);
    const reply = await readAll(
      await openSocket(server.url, requestBytes(`${bookmarks}?order=note`, token, 'Connection: close')),
    );
    assert.equal(reply.split('"note":').length, 1 + notes.length);
    const longest = Math.max(...chunksOf(reply));
    assert(longest < 1_000 * (longestNote + 300), `${longest} characters at once`);
  });

  await t.test('are compressed for eight clients at once, and sent as they are to those who take that', async () => {
    const ask = client(server.url, token);
    const asked = (coding: string) => ask(bookmarks, { headers: { 'Accept-Encoding': coding } });
    const request = requestBytes(bookmarks, token, 'Accept-Encoding: gzip');
    const stuck = await Promise.all(Array.from({ length: 8 }, () => openSocket(server.url, request)));
    await Promise.all(stuck.map((socket) => once(socket, 'readable')));
    const { etag } = (await ask(bookmarks, { method: 'HEAD' })).headers;
    const { status, headers } = await asked('gzip');
    assert.deepEqual([status, headers['content-encoding'], headers.etag], [200, undefined, etag]);
    const refused = await asked('gzip, identity;q=0');
    assertRefusal(refused, 50300);
    assert.equal(refused.headers['retry-after'], '1');
    for (const socket of stuck) socket.destroy();
    await until('a place is free', async () => {
      const socket = await openSocket(server.url, request);
      const [head] = await once(socket.setEncoding('latin1'), 'data');
      socket.destroy();
      return /^content-encoding: gzip\r$/im.test(head);
    });
  });

  await t.test('that are too much for one body are streamed, however few they are', async () => {
    const text = 'y'.repeat(longestText);
    const people = Array.from({ length: 50 }, (_, nth) => ({ username: `m${nth}`, first_name: text, last_name: text }));
    await importRows(databaseUrl, 'records', people);
    const raw = await readAll(await openSocket(server.url, requestBytes(records, token, 'Connection: close')));
    assert(Math.max(...chunksOf(raw)) < 9 * 2 * longestText, 'the first piece has few rows');
    const ask = client(server.url, token);
    const tags = new Set<unknown>();
    for (const target of [records, `${records}?limit=60`]) {
      const reply = await ask(target);
      assert.deepEqual([reply.status, reply.headers['transfer-encoding']], [200, 'chunked'], target);
      assert.equal(JSON.parse(reply.text).length, 51);
      for (const [coding, decode] of Object.entries(decoders).slice(0, target === records ? 3 : 1)) {
        const { headers, bytes } = await ask(target, { headers: { 'Accept-Encoding': coding } });
        assert.deepEqual([headers['transfer-encoding'], headers['content-encoding']], ['chunked', coding]);
        assert(decode(bytes).equals(reply.bytes), coding);
        tags.add(headers.etag);
      }
      tags.add(reply.headers.etag);
    }
    assert.equal(tags.size, 6);
    const last = await ask(nextOf(await ask(`${records}?order=first_name&limit=50`)) ?? '');
    assert.match(last.text, /^\[\{"id":\d+,"username":"ada",[^{]*\}\]$/);
  });
});
