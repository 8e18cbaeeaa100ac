/**
 * A request whose header fields are, byte for byte, those of one before it is answered without being parsed, and nobody
 * could tell: the same bytes come back, and whatever changed in between counts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimiter } from '../../src/auth/limits.ts';
import { readConfig } from '../../src/config.ts';
import { buildApp } from '../../src/http/app.ts';
import { newCounts } from '../../src/http/counting.ts';
import { listen, stopper, stopping } from '../../src/http/listen.ts';
import { openStore } from '../../src/store/open.ts';
import { listTokens, revokeToken } from '../../src/store/tokens.ts';
import { holdPlants } from '../support/databases.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';

const problems = '/problem_list/api/problems/';

/** The real server within this process, where it can be counted how many requests were parsed. */
async function serveHere(t: TestContext, databaseUrl: string, perSecond = 100_000) {
  const config = readConfig({ databaseUrl, logLevel: 'silent' });
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 3000 });
  const counts = newCounts();
  const app = buildApp(config, store, { limit: rateLimiter(perSecond), counts });
  let parsed = 0;
  app.server.prependListener('request', () => parsed++);
  const url = await listen(app, '127.0.0.1', 0);
  t.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    await store.close();
  });
  return { app, store, counts, port: Number(new URL(url).port), parsed: () => parsed };
}

interface Answer {
  status: number;
  /** Names as they were sent, without what differs each time. */
  lines: string[];
  id: string;
  left: number;
  body: string;
}

/** One connection that stays; `ask` sends bytes and reads so many answers. */
async function keepOpen(t: TestContext, port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  t.after(() => socket.destroy());
  let text = '';
  let isClosed = false;
  let wake = () => {};
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const take = (): Answer | undefined => {
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n');
    const value = (name: string) =>
      lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
    const status = Number(first.split(' ')[1]);
    const length = status === 304 ? 0 : Number(value('content-length') ?? 0);
    if (text.length < headEnd + 4 + length) return undefined;
    const body = text.slice(headEnd + 4, headEnd + 4 + length);
    text = text.slice(headEnd + 4 + length);
    const shown = [first, ...lines].map((line) =>
      line.replace(/^(x-request-id|ratelimit|date): .*/i, '$1: …'),
    );
    return {
      status,
      lines: shown,
      id: value('x-request-id') ?? '',
      left: Number(/r=(\d+)/.exec(value('ratelimit') ?? '')?.[1]),
      body,
    };
  };
  const ask = async (bytes: string, count = 1): Promise<Answer[]> => {
    if (bytes !== '') socket.write(bytes, 'latin1');
    const answers: Answer[] = [];
    while (answers.length < count) {
      const answer = take();
      if (answer) answers.push(answer);
      else if (isClosed) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return answers;
  };
  return { socket, ask };
}

test('requests that are answered by their heads', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const ben = await memberWithToken(databaseUrl, 'ben');
  const rows = Array.from({ length: 400 }, (_, place) => ({
    id: place + 1,
    title: `Problem ${place + 1}`,
    source: 'here',
    source_key: `k${place}`,
  }));
  await importRows(databaseUrl, 'problems', rows);
  const plants = Array.from({ length: 60 }, (_, place) => ({
    id: place + 1,
    username: 'ada',
    name: 'p',
    target: 1,
  }));
  await importRows(databaseUrl, 'plants', plants);
  const server = await serveHere(t, databaseUrl);
  const head = (target: string, { method = 'GET', token = ada.token, more = '' } = {}) =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
  /** Until it is answered without being parsed. */
  const warm = async (ask: (bytes: string) => Promise<Answer[]>, bytes: string) => {
    for (let tries = 0; tries < 5; tries++) {
      const before = server.parsed();
      await ask(bytes);
      if (server.parsed() === before) return;
    }
    assert.fail('it was parsed each time');
  };

  await t.test('get the same bytes, each with its own id and count', async (t) => {
    const { ask } = await keepOpen(t, server.port);
    const [tagged] = await ask(head(`${problems}7/`));
    const etag = tagged?.lines.find((line) => line.startsWith('etag: '))?.slice(6);
    for (const bytes of [
      head(`${problems}7/`),
      head(`${problems}7/`, { more: `If-None-Match: ${etag}\r\n` }),
      head(problems),
      head(problems, { more: 'Accept-Encoding: gzip\r\n' }),
      head(problems, { more: 'Accept: text/csv\r\nAccept-Encoding: br\r\n' }),
      head(`${problems}?limit=5`),
      head('/problem_list/api/status/', { more: 'connection: keep-alive\r\n' }),
    ]) {
      const [first] = await ask(bytes);
      await warm(ask, bytes);
      const before = server.parsed();
      const [one, other] = [...(await ask(bytes)), ...(await ask(bytes))];
      assert.equal(server.parsed(), before, bytes);
      assert.deepEqual([one?.lines, one?.body], [first?.lines, first?.body]);
      assert.deepEqual([other?.lines, other?.body], [first?.lines, first?.body]);
      assert.match(one?.id ?? '', /^[0-9a-f-]{36}$/);
      assert.notEqual(one?.id, other?.id);
    }
    const [a, b] = [...(await ask(head(`${problems}7/`))), ...(await ask(head(`${problems}7/`)))];
    // Unless a second begins between them.
    if ((b?.left ?? 0) < (a?.left ?? 0)) assert.equal(b?.left, (a?.left ?? 0) - 1);
  });

  await t.test('delete each plant once', async (t) => {
    const { ask } = await keepOpen(t, server.port);
    await ask(head('/plants/1', { method: 'DELETE' }));
    await ask(head('/plants/2', { method: 'DELETE' }));
    const before = server.parsed();
    const [third] = await ask(head('/plants/3', { method: 'DELETE' }));
    assert.equal(server.parsed(), before);
    assert.equal(third?.status, 204);
    assert.equal(third?.body, '');
    const [again] = await ask(head('/plants/3', { method: 'DELETE' }));
    assert.equal(again?.status, 404);
    assert.deepEqual(
      (await server.store.reader.selectFrom('plants').select('id').where('id', '<=', 3n).execute()).length,
      0,
    );
  });

  await t.test('are told what they are told when parsed, where a byte differs', async (t) => {
    const fine = head(`${problems}7/`);
    for (const bytes of [
      fine.replace('Host: x\r\n', 'Host: x\r\nHost: x\r\n'),
      fine.replace('Host: x\r\n', ''),
      fine.replace('HTTP/1.1', 'HTTP/1.0'),
      fine.replace('HTTP/1.1', 'HTTP/2.0'),
      fine.replace('GET', 'get'),
      fine.replace('GET', 'PUT'),
      fine.replace('/7/', '/7/#'),
      fine.replace('/7/', '/07/'),
      fine.replace('/7/', '/7/ '),
      fine.replace('/7/', '/7'),
      fine.replace('\r\n', '\n'),
      fine.replace(ada.token, `${ada.token.slice(0, -1)}_`),
      fine.replace('\r\n\r\n', '\r\nExpect: 200-ok\r\n\r\n'),
      fine.replace('\r\n\r\n', '\r\nTransfer-Encoding: gzip\r\n\r\n'),
      fine.replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n'),
      fine.replace('\r\n\r\n', '\r\nContent-Length: 4\r\n\r\nGET '),
      fine.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      fine.replace('\r\nHost: x', '\r\n Host: x'),
      `\r\n${fine}`,
    ]) {
      const [fresh] = await (await keepOpen(t, server.port)).ask(bytes);
      const { ask } = await keepOpen(t, server.port);
      await warm(ask, fine);
      const [answer] = await ask(bytes);
      assert(fresh, bytes);
      assert.deepEqual([answer?.lines, answer?.body], [fresh.lines, fresh.body], bytes);
    }
  });

  await t.test('wait their turn, however they are cut and sent ahead', async (t) => {
    const { socket, ask } = await keepOpen(t, server.port);
    const targets = Array.from({ length: 40 }, (_, place) => `${problems}${(place % 20) + 1}/`);
    for (let round = 0; round < 3; round++) {
      const answers = await ask(targets.map((target) => head(target)).join(''), targets.length);
      assert.deepEqual(
        answers.map(({ body }) => JSON.parse(body).id),
        targets.map((_, place) => (place % 20) + 1),
      );
    }
    const bytes = head(`${problems}9/`);
    for (let cut = 1; cut < bytes.length; cut += 7) {
      socket.write(bytes.slice(0, cut));
      await sleep(1);
      const [answer] = await ask(bytes.slice(cut));
      assert.equal(JSON.parse(answer?.body ?? '').id, 9);
    }
    // Half a head behind a whole one.
    const [first] = await ask(bytes + bytes.slice(0, 20));
    const [second] = await ask(bytes.slice(20));
    assert.deepEqual([first?.body, second?.body], [first?.body, first?.body]);
  });

  await t.test('see at once what changed: a problem, the member, the token', async (t) => {
    const { ask } = await keepOpen(t, server.port);
    const cyd = await memberWithToken(databaseUrl, 'cyd');
    const bytes = head(`${problems}8/`, { token: cyd.token });
    await warm(ask, bytes);
    await importRows(databaseUrl, 'problems', [{ ...rows[7], title: 'Another title' }]);
    assert.equal(JSON.parse((await ask(bytes))[0]?.body ?? '').title, 'Another title');
    await warm(ask, bytes);
    const mine = head('/problem_list/api/status/', { token: cyd.token });
    await warm(ask, mine);
    const others = head('/problem_list/api/status/', { token: ben.token });
    await importRows(databaseUrl, 'statuses', [{ username: 'ben', problem: 5, status: 'complete' }]);
    await warm(ask, others);
    assert.equal((await ask(mine))[0]?.body, '[]');
    assert.equal(JSON.parse((await ask(others))[0]?.body ?? '').length, 1);
    const deletion = head('/plants/4', { method: 'DELETE', token: cyd.token });
    assert.equal((await ask(deletion))[0]?.status, 404);
    const tokens = await listTokens(server.store.reader, BigInt(cyd.memberId));
    for (const { id } of tokens) {
      await server.store.writeBeside((tx) => revokeToken(tx, id, new Date().toISOString()));
    }
    for (const one of [bytes, mine, deletion]) assert.equal((await ask(one))[0]?.status, 401);
  });

  await t.test('count against the limit of their token', async (t) => {
    const strict = await serveHere(t, databaseUrl, 20);
    const { ask } = await keepOpen(t, strict.port);
    const answers = await ask(head(`${problems}7/`).repeat(60), 60);
    const told = answers.filter(({ status }) => status === 200).length;
    // They may fall into two windows of a second.
    assert(told >= 20 && told <= 40, String(told));
    assert(strict.parsed() < 60);
    for (const { status, lines } of answers.slice(told)) {
      assert.equal(status, 429);
      assert(lines.some((line) => /^retry-after: /i.test(line)));
    }
  });

  await t.test('get their answers also where the client has ended its side', async (t) => {
    const { socket, ask } = await keepOpen(t, server.port);
    const bytes = head(`${problems}7/`);
    await warm(ask, bytes);
    socket.end(bytes.repeat(3));
    assert.equal((await ask('', 4)).length, 3);
  });

  await t.test('leave nothing behind where the client goes away', async (t) => {
    const bytes = head(problems);
    const { ask } = await keepOpen(t, server.port);
    await warm(ask, bytes);
    for (let round = 0; round < 50; round++) {
      const { socket, ask } = await keepOpen(t, server.port);
      await ask(bytes);
      socket.pause();
      socket.write(bytes.repeat(20));
      await sleep(1);
      socket.resetAndDestroy();
    }
    await sleep(200);
    assert.equal(server.counts.inFlight(), 0);
    assert.equal((await ask(bytes))[0]?.status, 200);
  });

  await t.test('are answered before the server ends', async (t) => {
    const own = await serveHere(t, databaseUrl);
    const { ask } = await keepOpen(t, own.port);
    await ask(head('/plants/11', { method: 'DELETE' }));
    await ask(head('/plants/12', { method: 'DELETE' }));
    const before = own.parsed();
    const release = await holdPlants(databaseUrl);
    const answers = ask(head('/plants/13', { method: 'DELETE' }));
    await sleep(50);
    assert.deepEqual([own.parsed(), own.counts.inFlight()], [before, 1]);
    const ended = stopper(own.app)(stopping);
    // Longer than idle connections are spared.
    await sleep(1000);
    await release();
    const [answer] = await answers;
    assert.equal(answer?.status, 204);
    assert(answer?.lines.includes('Connection: close'), String(answer?.lines));
    await ended;
    assert.equal(own.counts.inFlight(), 0);
  });
});
