/**
 * A request whose header fields are, byte for byte, those of one before it is answered without being parsed, and nobody
 * could tell: the same bytes come back, and whatever changed in between counts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { rateLimiter } from '../../src/auth/limits.ts';
import { readConfig } from '../../src/config.ts';
import { buildApp } from '../../src/http/app.ts';
import { newCounts } from '../../src/http/counting.ts';
import { listen, stopper, stopping } from '../../src/http/listen.ts';
import { openLog } from '../../src/http/log.ts';
import { openStore } from '../../src/store/open.ts';
import { listTokens, revokeToken } from '../../src/store/tokens.ts';
import { holdPlants, testStore } from '../support/databases.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';

const problems = '/problem_list/api/problems/';

/** The real server within this process, where it can be counted how many requests were parsed. */
async function serveHere(t: TestContext, databaseUrl: string, perSecond = 100_000) {
  const config = readConfig({ databaseUrl, logLevel: 'silent' });
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 3000 });
  const counts = newCounts();
  const limiter = rateLimiter(perSecond);
  const { lines: log } = openLog(config.logLevel);
  let counted = 0;
  const limit = (tokenId: bigint) => {
    counted++;
    return limiter(tokenId);
  };
  const app = buildApp(config, store, { log, limit, counts });
  const stop = stopper(app);
  let parsed = 0;
  app.server.prependListener('request', () => parsed++);
  const url = await listen(app, '127.0.0.1', 0);
  t.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    await store.close();
  });
  return {
    stop,
    store,
    counts,
    port: Number(new URL(url).port),
    parsed: () => parsed,
    counted: () => counted,
  };
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
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
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

  await t.test('get a 304 that nobody got a body of before', async (t) => {
    const own = await serveHere(t, databaseUrl);
    const { ask } = await keepOpen(t, server.port);
    const there = await keepOpen(t, own.port);
    for (const target of [problems, `${problems}9/`]) {
      const [full] = await ask(head(target));
      const etag = full?.lines.find((line) => line.startsWith('etag: '))?.slice(6);
      const bytes = head(target, { more: `If-None-Match: ${etag}\r\n` });
      for (let tries = 0; tries < 3; tries++) assert.equal((await there.ask(bytes))[0]?.status, 304);
      const before = own.parsed();
      assert.equal((await there.ask(bytes))[0]?.status, 304);
      assert.equal(own.parsed(), before);
      const bodies = [
        await there.ask(head(target)),
        await there.ask(head(target)),
        await there.ask(head(target)),
      ];
      for (const [answer] of bodies) assert.deepEqual([answer?.status, answer?.body], [200, full?.body]);
    }
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

  await t.test('are nobody else’s, however a head was cut when it was first seen', async (t) => {
    const whole = head(`${problems}6/`, { more: 'User-Agent: one\r\nAccept: */*\r\n' });
    const tails = [
      '\r\nAccept: */*\r\n\r\n',
      '\r\nUser-Agent: one\r\nAccept: */*\r\n\r\n',
      '\r\nHost: a\r\n\r\n',
    ];
    for (let cut = 1; cut < whole.length; cut++) {
      const { socket, ask } = await keepOpen(t, server.port);
      await ask(whole);
      socket.write(whole.slice(0, cut));
      await sleep(2);
      // What is sent ahead behind the rest has other fields.
      await ask(`${whole.slice(cut)}GET /livez HTTP/1.1\r\nHost: a\r\n\r\n`, 2);
    }
    for (const tail of tails) {
      for (const start of [`GET ${problems}6/`, 'GET /authentication/api/records/1/', 'DELETE /plants/20']) {
        const { ask } = await keepOpen(t, server.port);
        await ask('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
        const [answer] = await ask(`${start} HTTP/1.1${tail}`);
        assert.match(String(answer?.status), /^40[01]$/, start + tail);
      }
    }
  });

  await t.test('are each answered for whom they are from, in whatever pieces they come', async (t) => {
    const records = '/authentication/api/records/';
    const members = [ada, ben].map(({ token, memberId }, place) => {
      const own = (target: string, more = '', method = 'GET') => head(target, { method, token, more });
      const others = [ben, ada][place]?.memberId;
      return [
        [own(`${records}${memberId}/`), 200, `{"id":${memberId},`],
        [own(`${records}${others}/`), 404, '{"error":40401,'],
        [own(records, 'Accept: application/x-ndjson\r\n'), 200, `{"id":${memberId},`],
        [own(`${problems}6/`), 200, '{"id":6,'],
        [own(`${problems}?limit=2`), 200, '[{"id":1,'],
        [own('/plants/4242', '', 'DELETE'), 404, '{"error":40401,'],
        [own('/plants/abc', '', 'DELETE'), 400, '{"error":40001,'],
        [own(`${problems}6/`, 'Content-Length: 0\r\n'), 200, '{"id":6,'],
        [`\r\n${own(`${problems}6/`)}`, 200, '{"id":6,'],
        [`GET ${problems}6/ HTTP/1.1\r\nHost: x\r\n\r\n`, 401, '{"error":40100,'],
        [own('/livez'), 200, '{'],
      ] as const;
    });
    const seed = Date.now() % 2 ** 31;
    t.diagnostic(`seed ${seed}`);
    let state = seed;
    // Lehmer's generator: the same pieces again for the same seed.
    const below = (count: number) => {
      state = (state * 48_271) % (2 ** 31 - 1) || 1;
      return state % count;
    };
    const talk = async () => {
      const { socket, ask } = await keepOpen(t, server.port);
      const asked = Array.from({ length: 1 + below(25) }, () => {
        const cases = members[below(2)] ?? [];
        return cases[below(cases.length)] ?? members[0]?.[0];
      });
      const bytes = asked.map((one) => one?.[0]).join('');
      const answers = ask('', asked.length);
      const most = [bytes.length, 2000, 300, 60][below(4)] ?? 1;
      for (let at = 0; at < bytes.length; ) {
        const next = at + 1 + below(most);
        socket.write(bytes.slice(at, next));
        at = next;
        if (below(3) > 0) await sleep(0);
      }
      assert.deepEqual(
        (await answers).map(({ status, body }, place) => [status, body.slice(0, asked[place]?.[2].length)]),
        asked.map((one) => one?.slice(1)),
        `seed ${seed}`,
      );
      socket.destroy();
    };
    const before = server.parsed();
    let talks = 0;
    const end = performance.now() + 3000;
    const client = async () => {
      for (; performance.now() < end; talks++) await talk();
    };
    await Promise.all([client(), client(), client(), client()]);
    // Far more were asked than parsed.
    t.diagnostic(`${talks} connections, ${server.parsed() - before} requests parsed`);
  });

  await t.test('cannot name an answer that is kept for somebody else', async (t) => {
    const { ask } = await keepOpen(t, server.port);
    const records = '/authentication/api/records/';
    await warm(ask, head(records, { more: 'Accept: */*\r\n' }));
    const forged = { token: ben.token, more: `Accept-Encoding: ${ada.memberId} false\r\n` };
    await ask(head('/plants/4242', { method: 'DELETE', ...forged }));
    await ask(head(`${problems}6/`, forged));
    await warm(ask, head(`${problems}6/`, forged));
    for (const target of [`${records}\n*/*`, `${records}\n*/*\n`, `${ada.memberId} false\n${records}`]) {
      const own = await keepOpen(t, server.port);
      await warm(own.ask, head(`${problems}6/`, forged));
      assert.equal((await own.ask(head(target, forged)))[0]?.status, 400);
    }
  });

  await t.test('count against the limit of their token', async (t) => {
    const strict = await serveHere(t, databaseUrl, 20);
    const { ask } = await keepOpen(t, strict.port);
    const answers = await ask(head(`${problems}7/`).repeat(60), 60);
    const told = answers.filter(({ status }) => status === 200).length;
    // They may fall into two windows of a second.
    assert(told >= 20 && told <= 40, String(told));
    assert(strict.parsed() < 60);
    assert.equal(strict.counted(), 60);
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

  await t.test('lose nothing that was sent behind them by a client that has ended its side', async (t) => {
    const strict = await serveHere(t, databaseUrl, 3);
    const warming = await keepOpen(t, strict.port);
    while ((await warming.ask(head('/plants/4242', { method: 'DELETE' })))[0]?.status !== 429);
    // The slow one lets the rest arrive before it is answered.
    const { socket, ask } = await keepOpen(t, strict.port);
    const slow = head(`${problems}?limit=300`, { token: ben.token, more: 'Accept-Encoding: br\r\n' });
    const live = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.end(slow + head('/plants/4242', { method: 'DELETE' }) + live + live);
    const statuses = (await ask('', 5)).map(({ status }) => status);
    // In another second it is found missing instead.
    assert.deepEqual(statuses, statuses[1] === 404 ? [200, 404, 200, 200] : [200, 429, 200, 200]);
  });

  await t.test('keep their order behind a head whose end came in two packets', async (t) => {
    const upgrade = head('/livez', { more: 'Connection: upgrade\r\nUpgrade: foo\r\n' });
    for (const first of [upgrade, head('/livez'), head(`${problems}7/`)]) {
      for (let behind = 1; behind < 4; behind++) {
        const { socket, ask } = await keepOpen(t, server.port);
        socket.write(first.slice(0, -behind));
        await sleep(5);
        const rest = first.slice(-behind) + head(`${problems}6/`) + head('/nowhere');
        const answers = await ask(rest, 3);
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 404],
        );
        assert.equal(JSON.parse(answers[1]?.body ?? '').id, 6);
      }
    }
  });

  await t.test(
    'leave their connections idle, however they were cut, so that the server ends soon',
    async (t) => {
      const own = await serveHere(t, databaseUrl);
      for (const last of [1, 2, 3]) {
        const { socket, ask } = await keepOpen(t, own.port);
        const bytes = head(`${problems}7/`);
        socket.write(bytes.slice(0, -last));
        await sleep(5);
        await ask(bytes.slice(-last));
        // An empty line that belongs to nothing.
        if (last === 2) socket.write('\r\n');
      }
      const started = performance.now();
      await own.stop(stopping);
      assert(performance.now() - started < stopping.drainMs - 1000);
    },
  );

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

  await t.test('are answered before the server ends, also where the database is slow', async (t) => {
    if (testStore !== 'postgres') return t.skip('reads of the embedded store do not wait');
    const own = await serveHere(t, databaseUrl);
    const { ask } = await keepOpen(t, own.port);
    for (let tries = 0; tries < 3; tries++) await ask(head(`${problems}7/`));
    const before = own.parsed();
    const other = await openStore(databaseUrl, { create: false, lockTimeoutMs: 3000 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = other.write(async (tx) => {
      await sql`LOCK TABLE revisions IN ACCESS EXCLUSIVE MODE`.execute(tx);
      await released;
    });
    await sleep(50);
    const answers = ask(head(`${problems}7/`));
    await sleep(50);
    assert.deepEqual([own.parsed(), own.counts.inFlight()], [before, 1]);
    const ended = own.stop(stopping);
    await sleep(1500);
    release();
    await holding;
    assert.equal((await answers)[0]?.status, 200);
    await ended;
    await other.close();
  });

  await t.test('are sent whole before the server ends, to who reads slowly too', async (t) => {
    const large = Array.from({ length: 800 }, (_, place) => ({
      title: 'x'.repeat(9000),
      source: 'large',
      source_key: `k${place}`,
    }));
    await importRows(databaseUrl, 'problems', large);
    const own = await serveHere(t, databaseUrl);
    const { socket, ask } = await keepOpen(t, own.port);
    for (let tries = 0; tries < 3; tries++) await ask(head(problems));
    const before = own.parsed();
    socket.pause();
    socket.write(head(problems));
    await sleep(100);
    const ended = own.stop(stopping);
    await sleep(1500);
    socket.resume();
    const [answer] = await ask('');
    assert.equal(own.parsed(), before);
    assert.equal(JSON.parse(answer?.body ?? '').length, large.length + rows.length);
    await ended;
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
    const ended = own.stop(stopping);
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
