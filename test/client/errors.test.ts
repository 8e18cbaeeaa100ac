/** The client when it does not get what it asked for: refusals, retries, aborts, strangers that answer. */
import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createClient, type GardenError, isGardenError } from '../../client/src/client.ts';
import { memberWithToken } from '../support/garden.ts';
import { listenOn } from '../support/ports.ts';
import { until } from '../support/waiting.ts';
import { collect, planted, watchedFetch } from './support.ts';

async function refusalOf(call: Promise<unknown>): Promise<GardenError> {
  try {
    await call;
  } catch (error) {
    if (isGardenError(error)) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}

async function stranger(t: TestContext, answers: { status: number; headers?: object; body?: string }[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(answer?.status ?? 500, { ...answer?.headers }).end(answer?.body);
  });
  t.after(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${await listenOn(t, server)}`;
  return { url, requests, client: createClient({ baseUrl: url, token: 't' }) };
}

const busy = (status: number, seconds: string) => ({ status, headers: { 'Retry-After': seconds } });
const row = { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"id":7}' };

test('a refusal', async (t) => {
  const { server, ada, databaseUrl } = await planted(t, { ids: ['7'], env: { LOG_LEVEL: 'info' } });
  const client = createClient({ baseUrl: server.url, token: ada.token });

  await t.test('tells status, catalogue number, sentence and request id', async () => {
    const error = await refusalOf(client.getProblem('9007199254740993'));
    ok(error instanceof Error);
    deepEqual([error.name, error.status, error.error], ['GardenError', 404, 40401]);
    match(error.message, /^There is no problem 9007199254740993 /);
    equal(error.retryAfter, undefined);
    await until('its line', () => server.stderr().includes(error.requestId ?? 'no id'));
  });

  await t.test('has the number of its cause', async () => {
    const anonymous = createClient({ baseUrl: server.url, token: '' });
    const stale = createClient({ baseUrl: server.url, token: `pgt_${'0'.repeat(36)}` });
    const { token } = await memberWithToken(databaseUrl, 'grace', { scopes: ['status:read'] });
    const narrow = createClient({ baseUrl: server.url, token });
    const cases: [() => Promise<unknown>, number][] = [
      [() => client.getProblem(2n ** 63n), 40001],
      [() => client.listProblems({ nonsense: 1 } as object), 40002],
      [() => client.listProblems({ limit: 0 }), 40003],
      [() => collect(client.pages.listProblems({ cursor: 'abc' })), 40005],
      [() => anonymous.listProblems(), 40100],
      [() => stale.listProblems(), 40101],
      [() => narrow.listProblems(), 40300],
      [() => narrow.deletePlant(7), 40300],
      [() => client.listBookmarks({ user: 'all' }), 40301],
      [() => client.deletePlant(404), 40401],
      [() => client.getBookmark(7, { user: 404 }), 40402],
    ];
    for (const [call, number] of cases) equal((await refusalOf(call())).error, number);
  });

  await t.test('of an id that is none is a TypeError, and nothing is sent', async () => {
    const { fetch, urls } = watchedFetch();
    const watched = createClient({ baseUrl: server.url, token: ada.token, fetch });
    await rejects(watched.deletePlant(Number('9007199254740993')), TypeError);
    await rejects(watched.getProblem('../../plants/1'), TypeError);
    await rejects(watched.listBookmarks({ user: 2 ** 60 }), TypeError);
    equal(urls.length, 0);
  });
});

test('a rate limit is waited for, and is an error once the retries are used up', async (t) => {
  const { server, ada } = await planted(t, { ids: ['7', '8', '9'], env: { RATE_LIMIT: '2' } });
  const { fetch, statuses } = watchedFetch();
  const patient = createClient({ baseUrl: server.url, token: ada.token, retries: 10, fetch });
  equal((await collect(patient.rows.listProblems({ limit: 1 }))).length, 3);
  for (const id of ['7', '8', '9']) await patient.deletePlant(id);
  // On a busy machine none of these seconds may have had more than two.
  await until('a request above the limit', async () => {
    if (!statuses.includes(429)) await Promise.all([7, 8, 9].map((id) => patient.getProblem(id)));
    return statuses.includes(429);
  });
  equal(statuses.filter((status) => status === 204).length, 3);

  const hasty = createClient({ baseUrl: server.url, token: ada.token, retries: 0 });
  const calls = await Promise.all(
    Array.from({ length: 12 }, () => hasty.getProblem(7).catch((error: unknown) => error)),
  );
  const refusals = calls.filter(isGardenError);
  ok(refusals.length >= 2);
  for (const { status, error, retryAfter } of refusals) {
    deepEqual([status, error, retryAfter], [429, 42900, 1]);
  }
});

test('a retry', async (t) => {
  await t.test('follows 429 and 503, for reading and deleting, twice by default', async (t) => {
    const first = await stranger(t, [busy(503, '0'), busy(429, '0'), row]);
    equal((await first.client.getProblem(7)).id, '7');
    equal(first.requests.length, 3);
    const second = await stranger(t, [busy(503, new Date().toUTCString()), { status: 204 }]);
    await second.client.deletePlant(7);
    deepEqual(second.requests, ['DELETE /plants/7', 'DELETE /plants/7']);
    const third = await stranger(t, [busy(503, '0')]);
    equal((await refusalOf(third.client.getProblem(7))).status, 503);
    equal(third.requests.length, 3);
  });

  await t.test('follows nothing else: no fault, no lost connection', async (t) => {
    for (const status of [400, 404, 408, 500, 502, 504]) {
      const { client, requests } = await stranger(t, [busy(status, '0')]);
      equal((await refusalOf(client.deletePlant(7))).status, status);
      equal(requests.length, 1);
    }
    let tries = 0;
    const fetch = async () => {
      tries++;
      throw new TypeError('fetch failed');
    };
    await rejects(createClient({ baseUrl: 'http://x', token: 't', fetch }).deletePlant(7), /fetch failed/);
    equal(tries, 1);
  });

  await t.test('does not wait longer than a minute', async (t) => {
    const { client, requests } = await stranger(t, [busy(503, '61')]);
    const error = await refusalOf(client.getProblem(7));
    deepEqual([error.status, error.retryAfter, requests.length], [503, 61, 1]);
  });
});

test('a signal ends a call: before it, during it, and while it waits to try again', async (t) => {
  const { url, requests, client } = await stranger(t, [busy(503, '30')]);
  const reason = new Error('enough');
  await rejects(client.getProblem(7, { signal: AbortSignal.abort(reason) }), reason);
  equal(requests.length, 0);
  const waiting = new AbortController();
  const deleting = rejects(client.deletePlant(7, { signal: waiting.signal }), reason);
  await until('the refusal', () => requests.length === 1);
  waiting.abort(reason);
  await deleting;
  equal(requests.length, 1);
  await rejects(client.getProblem(7, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });

  const closing = new AbortController();
  const closed = createClient({ baseUrl: url, token: 't', signal: closing.signal });
  setTimeout(() => closing.abort(reason), 50);
  const own = new AbortController().signal;
  await rejects(collect(closed.rows.listProblems({ signal: own })), reason);
  await rejects(closed.listRecords(), reason);
});

test('an answer that no garden gave is a GardenError without a number', async (t) => {
  const html = { 'Content-Type': 'text/html' };
  const strange = [
    { status: 200, headers: html, body: '<h1>Welcome to the network of this hotel</h1>' },
    { status: 502, headers: html, body: '<h1>Bad Gateway</h1>' },
    { status: 404, body: '' },
    { status: 400, headers: row.headers, body: '{"error":"bad"}' },
    { status: 500, headers: row.headers, body: 'null' },
    { status: 304, headers: { ETag: '"x"' } },
  ];
  for (const answer of strange) {
    const { client } = await stranger(t, [answer]);
    const error = await refusalOf(client.getProblem(7));
    deepEqual([error.status, error.error, error.requestId], [answer.status, undefined, undefined]);
    match(error.message, /^GET http:\S+\/problems\/7\/ was answered with \d+ by something that is not a garden/);
  }
});

test('a redirect is not followed, so the token stays where it was sent', async (t) => {
  const other = await stranger(t, [row]);
  const { client } = await stranger(t, [{ status: 307, headers: { Location: `${other.url}/` } }]);
  equal((await refusalOf(client.getProblem(7))).status, 307);
  equal(other.requests.length, 0);
});

test('options that cannot be right are refused when the client is made', () => {
  for (const baseUrl of ['', 'garden.example.org', 'ftp://x', 'http://x/?a=1', 'http://x/#a']) {
    throws(() => createClient({ baseUrl, token: 't' }), TypeError);
  }
  throws(() => createClient({ baseUrl: 'http://x', token: 't', ids: 'number' as 'string' }), TypeError);
});
