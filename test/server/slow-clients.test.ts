/** Clients that send or read slowly, or ahead: they cost little memory, others do not notice them, and their time is limited. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import test from 'node:test';
import { behaveWell, requestBytes, startAttack } from '../faults/attack.ts';
import { importProblems, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { client, nextOf, parseRaw, problems, type Reply } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { openSocket, readAll } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';

const rowCount = 1_300;
const promised = { headersMs: 10_000, requestMs: 10_000, idleMs: 15_000 };
const shorter = { headersMs: 2_000, requestMs: 2_000, idleMs: 3_000 };
/** The time that a busy machine may add to them. */
const slackMs = 4_000;

test('slow clients', { concurrency: true }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, rowCount, (place) => ({
    title: `${place} ${randomBytes(5_250).toString('base64')}`,
    rating: 800 + (place % 3),
  }));
  const env = { RATE_LIMIT: '0' };
  const server = await serveHere(t, { databaseUrl, env });
  const ask = client(server.url, token);

  const open = (bytes: string) => openSocket(server.url, bytes);
  const bodiesIn = (text: string): Reply[] => text.split(/(?=HTTP\/1\.1 \d{3} )/).map(parseRaw);

  const lasting = [];
  lasting.push(
    t.test('many who ask ahead and never read are kept, and others are served', async (t) => {
      const own = await serve(t, { databaseUrl, env });
      const at = Number(new URL(own.url).port);
      const bytes = requestBytes(problems, token).repeat(200) + requestBytes(`${problems}?q=#`, token).repeat(200);
      const attackers = await startAttack({ port: at, connections: 60, bytes, reads: false });
      t.after(attackers.stop);
      const polite = await behaveWell({ port: at, token }, [`${problems}7/`, `${problems}?limit=5`], 5_000, 20);
      assert.deepEqual(polite.failures, []);
      assert(polite.answers > 0);
      const { connected, failed } = await attackers.standing();
      assert.deepEqual({ connected, failed }, { connected: 60, failed: 0 });
      await attackers.stop();
      assert.equal(own.stderr(), '');
    }),
  );

  const head = `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  const dripping = { bytes: 'GET / HTTP/1.1\r\n', trickle: 'X-A: b\r\n' };
  const drippingBody = { bytes: `${head}Transfer-Encoding: chunked\r\n\r\n`, trickle: '0' };
  const idling = { bytes: requestBytes(`${problems}7/`, token) };
  for (const [name, attack, told, limits, firstMs] of [
    ['headers in drops', dripping, { 408: 60 }, promised, promised.headersMs],
    ['a body in drops', drippingBody, { 408: 60 }, shorter, shorter.requestMs],
    ['nothing', { bytes: '' }, {}, shorter, shorter.headersMs],
    ['one request and then nothing', idling, { 200: 60 }, shorter, shorter.idleMs],
  ] as const) {
    lasting.push(
      t.test(`connections that send ${name} are closed in time, and others are served`, async (t) => {
        const own = await serveHere(t, { databaseUrl, env, ...(limits !== promised && { timeouts: limits }) });
        const at = Number(new URL(own.url).port);
        const attackers = await startAttack({ ...attack, port: at, connections: 60, reads: true });
        t.after(attackers.stop);
        const polite = await behaveWell({ port: at, token }, [`${problems}7/`], firstMs + slackMs, 100);
        await until('all are closed', async () => (await attackers.standing()).open === 0);
        const standing = await attackers.standing();
        assert.deepEqual(polite.failures, []);
        assert(standing.lastClosedMs > firstMs - 500, `${standing.lastClosedMs} ms`);
        // A machine that stands still for a while keeps everybody waiting.
        const stoodStillMs = polite.times.at(-1) ?? 0;
        const latestMs = firstMs + slackMs + stoodStillMs;
        assert(standing.lastClosedMs < latestMs, `${standing.lastClosedMs} ms, of ${latestMs}`);
        assert.deepEqual(standing.told, told);
        assert.equal(own.stderr(), '');
      }),
    );
  }
  await t.test('what is sent ahead is answered in order, each once, however much it is', async () => {
    const targets = Array.from({ length: 700 }, (_, place) => `${problems}${(place % rowCount) + 1}/?x=${place}`);
    targets.push(`${problems}?limit=2`);
    const last = requestBytes(`${problems}9/`, token, 'Connection: close');
    const replies = bodiesIn(await readAll(await open(targets.map((one) => requestBytes(one, token)).join('') + last)));
    assert.equal(replies.length, targets.length + 1);
    for (const reply of replies.slice(0, 700)) assert.equal(JSON.parse(reply.text).error, 40002);
    assert.deepEqual(
      JSON.parse(replies[700]?.text ?? '').map(({ id }: { id: number }) => id),
      [1, 2],
    );
    assert.equal(JSON.parse(replies[701]?.text ?? '').id, 9);
  });

  await t.test('heads cut anywhere are put together again', async () => {
    const bytes = requestBytes(`${problems}7/`, token).repeat(3);
    const socket = await open('');
    const text = readAll(socket);
    for (const byte of bytes.slice(0, -1)) if (!socket.write(byte)) await once(socket, 'drain');
    socket.end(bytes.slice(-1));
    const replies = bodiesIn(await text);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  await t.test('who ends its side after asking still gets the answers', async () => {
    const socket = await open('');
    socket.end(requestBytes(`${problems}7/`, token).repeat(5));
    assert.equal(bodiesIn(await readAll(socket)).length, 5);
  });

  await t.test('a collection too large to keep is streamed', async () => {
    let pages = '';
    for (let next: string | undefined = `${problems}?order=-rating&limit=1000`; next; ) {
      const page: Reply = await ask(next);
      pages += `${pages === '' ? '' : ','}${page.text.slice(1, -1)}`;
      next = nextOf(page);
    }
    const reply = await ask(`${problems}?order=-rating`);
    assert.equal(reply.headers['transfer-encoding'], 'chunked');
    assert.equal(reply.text, `[${pages}]`);
  });

  await Promise.all(lasting);
});
