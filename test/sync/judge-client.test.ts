/** How any site is asked: never inside the own network, within bounds of bytes, and not again before it wants to be. */
import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { consecutiveFaults, judgeClient, readResponseText } from '../../src/jobs/judge-client.ts';
import {
  dispatcherWith,
  faultCodeOf,
  isPrivate,
  isPrivateHost,
  networkFault,
  PrivateAddressError,
  publicLookup,
  resolvesToPrivateHost,
} from '../../src/jobs/public-hosts.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { faultKindOf, judgeFault } from '../../src/judges/faults.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { judges } from '../../src/judges/judges.ts';
import { takeSlot } from '../../src/store/leases.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { gardenWithHandle, replayOf, rowsSent } from './support.ts';

const replayed = {
  codeforces: replayCodeforces({ status: { ada: rowsSent('ada', ['1A', 'OK', 1_700_000_000]) } }),
};

test('a name that leads into a private network is not asked, unless staff configured it', async (t) => {
  const replay = await replayOf(t, replayed);
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const api = {
    ...judges.codeforces.api,
    baseUrl: `http://localhost:${new URL(replay.url).port}/codeforces`,
  };
  const renamed: Judge = { ...judges.codeforces, api };
  const pace = { retries: 0, intervalMs: 0 };
  await assert.rejects(
    syncHandle(garden.store, handle, judgeClient(garden.store, renamed, { pace })),
    /^AppError: localhost is an address inside the server’s own network, so Codeforces was not contacted\. Check the DNS server\.$/,
  );
  assert.equal(replay.log.length, 0);
  await syncHandle(
    garden.store,
    handle,
    judgeClient(garden.store, renamed, { pace, address: { url: api.baseUrl, mayBePrivate: true } }),
  );
  assert.equal(replay.log.length, 2, 'its submissions, and their end');
  const own = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
  for (const address of [
    ...own,
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:a00:1',
    '::ffff:0:0:7f00:1',
    '0:0:1::7f00:1',
    '64:ff9b:0:1::a00:1',
    '4000::1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2001::1',
    '2002:a00:1::1',
    'fec0::1',
    '224.0.0.1',
    '255.255.255.255',
  ]) {
    assert.ok(isPrivate(address), address);
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2001:4860::1', '64:ff9b::808:808'])
    assert.ok(!isPrivate(address), address);
});

test('the address that was checked is the one that is connected to, whatever the name says later', async (t) => {
  const replay = await replayOf(t, replayed);
  const { port } = new URL(replay.url);
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1']];
  const rebinding = ((_host: string, _options: unknown, done: (error: null, found: unknown) => void) => {
    const found = answers.shift() ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as typeof lookup;
  const checked = publicLookup(rebinding);
  const first = await new Promise((resolve) => checked('judge.example', {}, (_error, address) => resolve(address)));
  assert.equal(first, '93.184.215.14');
  const agent = await dispatcherWith(checked);
  while (answers.length > 0) {
    await assert.rejects(
      fetch(`http://judge.example:${port}/codeforces/problemset.problems`, { dispatcher: agent }),
      ({ cause }: Error) => cause instanceof PrivateAddressError && cause.host === 'judge.example',
    );
  }
  assert.equal(replay.log.length, 0);
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  for (const host of ['127.0.0.1', '[::1]']) {
    const place = { url: `http://${host}:${port}/codeforces`, mayBePrivate: false };
    const ask = judgeClient(garden.store, judges.codeforces, { address: place, pace: { retries: 0, intervalMs: 0 } });
    await assert.rejects(syncHandle(garden.store, handle, ask), /is an address inside the server’s own network/);
  }
  assert.equal(replay.log.length, 0);
});

test('a host is private by its address or as this computer, and what cannot be asked has a word', async () => {
  for (const [url, isSo] of [
    ['http://localhost/', true],
    ['http://a.localhost./', true],
    ['http://notlocalhost/', false],
    ['http://localhost.example/', false],
    ['http://[::1]/', true],
    ['https://2130706433/', true],
    ['https://8.8.8.8/', false],
    ['https://[2606:4700::1111]/', false],
  ] as const)
    assert.equal(isPrivateHost(new URL(url)), isSo, url);
  const inside = ['http://127.0.0.1/', 'http://[::1]/', 'http://localhost/', 'http://8.8.8.8/'].map((url) =>
    resolvesToPrivateHost(new URL(url)),
  );
  assert.deepEqual(await Promise.all(inside), [true, true, true, false]);

  const found = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];
  const lookedUp = (error: Error | null, addresses: typeof found, all: boolean) =>
    new Promise((resolve) => {
      const fake = (_: string, __: object, done: (...answer: unknown[]) => void) => done(error, addresses);
      publicLookup(fake as unknown as typeof lookup)('pond.example', { all }, (...answer) => resolve(answer));
    });
  const none = new Error('no such name');
  assert.deepEqual(await lookedUp(null, found, true), [null, found]);
  assert.deepEqual(await lookedUp(null, found, false), [null, '8.8.8.8', 4]);
  assert.deepEqual(await lookedUp(none, found, true), [none, []]);
  assert.deepEqual(await lookedUp(null, [], true), [new Error('pond.example has no address'), []]);

  const inSide = new PrivateAddressError('pond.example');
  const failed = (cause: unknown) => new TypeError('fetch failed', { cause });
  const cases: [Error, word: string, code: string, kind: string, why: string][] = [
    [inSide, 'private', 'private', 'refused', inSide.message],
    // The answer would reveal names of the network.
    [failed(inSide), 'private', 'unknown-host', 'refused', 'fetch failed'],
    [Object.assign(new Error('late'), { name: 'TimeoutError' }), 'timeout', 'timeout', 'down', 'late'],
    [failed(new Error('unexpected redirect')), 'redirect', 'redirect', 'odd answer', 'fetch failed'],
    [failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'unknown-host', 'unknown-host', 'down', 'ENOTFOUND'],
    [failed({ code: 'ECONNRESET' }), 'unreachable', 'unreachable', 'down', 'ECONNRESET'],
  ];
  for (const [error, word, code, kind, why] of cases) {
    assert.equal(faultCodeOf(error), code);
    const host = word === 'private' ? 'pond.example' : '';
    const fault = networkFault(error, 1_500, (cause) => {
      assert.deepEqual(cause, { word, host, why, seconds: 1.5 });
      return new AppError('judgeFailed', why);
    });
    assert.equal(faultKindOf(fault), kind);
  }
});

test('a fault is followed by the pause that its judge wants or the usual one, and bytes are counted as they came', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const responses: (Response | Error)[] = [];
    const said: string[] = [];
    const fetched = t.mock.method(globalThis, 'fetch', async () => {
      const response = responses.shift() ?? new Response('{}');
      if (response instanceof Error) throw response;
      return response;
    });
    const api = { baseUrl: 'https://pond.example/', intervalMs: 0 };
    const bytes: number[] = [];
    const asking = (retries: number, retryMs = 20, intervalMs = 0, signal?: AbortSignal) =>
      judgeClient(
        store,
        { site: 'Pond', api },
        {
          address: { url: 'https://club.example/api//', mayBePrivate: true },
          pace: { retries, intervalMs, retryMs },
          onBytes: (count) => bytes.push(count),
          signal,
          onWait: (sentence) => said.push(sentence),
        },
      );
    assert.equal(asking(0).site, 'https://club.example/api');
    const kinds: Record<number, Parameters<typeof judgeFault>[0]> = { 429: 'busy', 403: 'refused' };
    const read = ({ status, text }: { status: number; text: string }) => {
      if (status === 418) throw new Error(text);
      if (status >= 400) throw judgeFault(kinds[status] ?? 'down', new AppError('judgeFailed', text));
      return text;
    };
    const ask = (retries: number, retryMs: number, ...some: [status: number, headers?: Record<string, string>][]) => {
      fetched.mock.resetCalls();
      responses.splice(
        0,
        Infinity,
        ...some.map(([status, headers = {}]) => new Response('x'.repeat(15), { status, headers })),
      );
      return asking(retries, retryMs)('/a', read).then(
        () => 'good',
        () => 'fault',
      );
    };
    const asked = async (retries: number, ...some: [status: number, headers?: Record<string, string>][]) => [
      await ask(retries, 20, ...some),
      fetched.mock.callCount(),
    ];
    const told = () => said.splice(0).length;
    assert.deepEqual([...(await asked(2, [500], [429], [200])), told()], ['good', 3, 2]);
    assert.deepEqual([...(await asked(1, [503], [500], [200])), told()], ['fault', 2, 1]);
    assert.deepEqual([...(await asked(2, [418], [200])), told()], ['fault', 1, 0], 'a fault of ours');
    assert.deepEqual([...(await asked(2, [403], [200])), told()], ['fault', 1, 0], 'who refuses is not asked again');
    const long = [...(await asked(2, [429, { 'retry-after': '1' }], [200])), told()];
    assert.deepEqual(long, ['fault', 1, 0], 'a long pause is for another run');
    assert.deepEqual(
      [await asked(0, [300]), await asked(0, [399])],
      [
        ['fault', 1],
        ['fault', 1],
      ],
      'redirects',
    );

    /** For how long the host is left alone after one try. */
    const pauseAfter = async (status: number, headers: Record<string, string> = {}) => {
      await store.write((tx) => tx.deleteFrom('request_slots').execute());
      await ask(0, 60_000, [status, headers]);
      const [slot] = await store.reader.selectFrom('request_slots').selectAll().execute();
      assert.equal(slot?.host, 'club.example');
      return Math.max(0, Number(slot.next_at) - Date.now());
    };
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    const pauses: [number, Record<string, string>, pauseMs: number][] = [
      [429, {}, 60_000],
      [503, {}, 0],
      [503, { 'retry-after': '100' }, 100_000],
      [429, { 'retry-after': '100' }, 100_000],
      [429, { 'retry-after': inTwoMinutes }, 120_000],
      [429, { 'retry-after': '1' }, 60_000],
      [503, { 'retry-after': '961' }, 960_000],
      [500, { 'retry-after': '100' }, 0],
      [503, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 0],
      [503, { 'retry-after': 'soon' }, 0],
    ];
    for (const [status, headers, pauseMs] of pauses) {
      const ms = await pauseAfter(status, headers);
      assert.ok(ms <= pauseMs && ms >= pauseMs - 15_000, `${status} ${headers['retry-after']}: ${ms}`);
    }

    bytes.length = 0;
    const plain = { 'content-length': '9' };
    const zipped = { 'content-encoding': 'gzip' };
    await ask(0, 0, [200]);
    await ask(0, 0, [200, plain]);
    await ask(0, 0, [200, { ...plain, ...zipped }]);
    await ask(0, 0, [200, zipped]);
    assert.deepEqual(bytes, [15, 9, 9, 3]);
    await store.write((tx) => tx.deleteFrom('request_slots').execute());
    await asking(0, 20, 600_000)('/a', read);
    const [slot] = await store.reader.selectFrom('request_slots').selectAll().execute();
    assert.ok(Number(slot?.next_at) - Date.now() > 500_000, 'the interval of the judge');

    const failed = (cause: unknown) => new TypeError('fetch failed', { cause });
    for (const [error, message] of [
      [failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), /^Pond was not found \(ENOTFOUND\)/],
      [failed({ code: 'ECONNRESET' }), /^Pond could not be reached \(ECONNRESET\)\./],
      [Object.assign(new Error('late'), { name: 'TimeoutError' }), /^Pond did not answer within 60 seconds\./],
    ] as const) {
      await store.write((tx) => tx.deleteFrom('request_slots').execute());
      responses.splice(0, 1, error);
      await assert.rejects(asking(0)('/a', read), { message });
    }

    said.length = 0;
    for (const [waitMs, sentences] of [
      [4_000, ''],
      [60_000, 'Pond is asked in 60 s'],
    ] as const) {
      await store.write((tx) => tx.deleteFrom('request_slots').execute());
      await takeSlot(store, 'club.example', waitMs);
      const stopping = new AbortController();
      const waiting = asking(0, 20, 0, stopping.signal)('/a', read);
      setTimeout(() => stopping.abort(), 500);
      await assert.rejects(waiting, { name: 'AbortError' });
      assert.equal(said.splice(0).join().replace('59', '60'), sentences);
    }
  });
  const givesUp = consecutiveFaults();
  const fault = (kind: Parameters<typeof judgeFault>[0]) => judgeFault(kind, new AppError('judgeFailed', kind));
  const faults = ['down', 'down', 'odd answer', 'down', 'busy', 'down', 'down'] as const;
  assert.deepEqual(
    faults.map((kind) => givesUp(fault(kind))),
    [false, false, false, false, false, true, false],
  );
});

test('an answer is read up to its bound, and no further than what is enough', async () => {
  // Its first letter has two bytes, which come apart.
  const pieces = () => new Response(ReadableStream.from([[0xc3], [0xa9], [0x63]].map((one) => Uint8Array.from(one))));
  const mebibyte = 'x'.repeat(1024 * 1024);
  assert.equal((await readResponseText(new Response(mebibyte), 'Pond', 1)).length, mebibyte.length);
  await assert.rejects(readResponseText(new Response(`${mebibyte}x`), 'Pond', 1), /more than 1 MiB/);
  const isEnough = (text: string) => text.includes('é');
  assert.equal(await readResponseText(pieces(), 'Pond', 1, { isEnough }), 'é');
  const reader = () => (piece: string) => piece.toUpperCase();
  assert.equal(await readResponseText(pieces(), 'Pond', 1, { reader }), 'ÉC');
});
