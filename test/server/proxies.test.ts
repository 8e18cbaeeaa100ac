/** The log names the address of the peer, unless the peer is a trusted proxy; and links never follow forwarded headers. */
import assert from 'node:assert/strict';
import http from 'node:http';
import test, { type TestContext } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { importProblems, memberWithToken, type Server, serve, temporaryDatabase } from '../support/garden.ts';
import { problems } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { logLineOf } from '../support/logs.ts';

type Garden = Pick<Server, 'url' | 'stderr'>;

interface Seen {
  client: string;
  scheme?: string;
}

test('proxies', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, 2);
  const envOf = (ranges: string) => ({
    LOG_LEVEL: 'debug',
    TRUSTED_PROXIES: ranges,
    BASE_URL: 'https://garden.example.org',
  });
  const start = (t: TestContext, ranges: string) => serveHere(t, { databaseUrl, env: envOf(ranges) });

  const ask = async (server: Garden, from: string, headers: http.OutgoingHttpHeaders, target = `${problems}1/`) => {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    http
      .get({
        agent: false,
        hostname: from.includes(':') ? '::1' : '127.0.0.1',
        port: new URL(server.url).port,
        localAddress: from,
        path: target,
        headers: { Authorization: `Bearer ${token}`, ...headers },
      })
      .on('error', reject)
      .on('response', resolve);
    const response = await promise;
    response.resume();
    const { headers: received } = response;
    return { seen: await logLineOf<Seen>(server, received['x-request-id']), headers: received };
  };
  const clientSeen = async (server: Garden, from: string, headers: http.OutgoingHttpHeaders) =>
    (await ask(server, from, headers)).seen.client;

  await t.test('by default the headers of no proxy are trusted', async (t) => {
    const server = await start(t, 'none');
    for (const headers of [{ 'X-Forwarded-For': '203.0.113.9' }, { Forwarded: 'for=203.0.113.9' }]) {
      assert.equal(await clientSeen(server, '127.0.0.1', headers), '127.0.0.1');
    }
    const { seen } = await ask(server, '127.0.0.1', { 'X-Forwarded-Proto': 'https' });
    assert.equal(seen.scheme, undefined);
  });

  await t.test('of a chain the right-most address that is no trusted proxy counts', async (t) => {
    const server = await start(t, '127.0.0.2, 10.0.0.0/8,2001:db8:1::/48');
    const cases: [forwarded: string | string[], client: string][] = [
      ['203.0.113.9', '203.0.113.9'],
      ['1.1.1.1, 203.0.113.9', '203.0.113.9'],
      ['1.1.1.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
      ['203.0.113.9, 10.1.2.3,10.255.0.1, 2001:db8:1::7', '203.0.113.9'],
      ['203.0.113.9:4711', '203.0.113.9'],
      ['[2001:db8:2::9]:4711', '2001:db8:2::9'],
      ['2001:db8:2::9', '2001:db8:2::9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['203.0.113.9, ::ffff:10.0.0.1', '203.0.113.9'],
      [['1.1.1.1', '203.0.113.9'], '203.0.113.9'],
      ['10.1.1.1', '10.1.1.1'],
      ['unknown', '127.0.0.2'],
      ['203.0.113.9, junk', '127.0.0.2'],
      ['203.0.113.9, junk, 10.0.0.1', '10.0.0.1'],
      ['203.0.113.999', '127.0.0.2'],
      ['', '127.0.0.2'],
      [',,,', '127.0.0.2'],
      ['fe80::1%eth0', '127.0.0.2'],
      ['<script>alert(1)</script>', '127.0.0.2'],
      [`${'1.1.1.1, '.repeat(900)}203.0.113.9`, '203.0.113.9'],
      ['9'.repeat(8000), '127.0.0.2'],
      [','.repeat(8000), '127.0.0.2'],
    ];
    for (const [forwarded, client] of cases) {
      const headers = { 'X-Forwarded-For': forwarded };
      assert.equal(await clientSeen(server, '127.0.0.2', headers), client, String(forwarded).slice(0, 80));
      assert.equal(await clientSeen(server, '127.0.0.3', headers), '127.0.0.3', String(forwarded).slice(0, 80));
    }
  });

  await t.test('Forwarded is read like X-Forwarded-For; where the two disagree neither counts', async (t) => {
    const server = await start(t, '127.0.0.2/32');
    for (const [forwarded, client] of [
      ['for=203.0.113.9', '203.0.113.9'],
      ['For="[2001:db8::9]:4711";proto=https', '2001:db8::9'],
      ['for=1.1.1.1, for=203.0.113.9;by=10.0.0.1', '203.0.113.9'],
      ['proto=https;for = 203.0.113.9', '203.0.113.9'],
      ['for=_hidden', '127.0.0.2'],
      ['by=203.0.113.9', '127.0.0.2'],
      ['for="203.0.113.9', '127.0.0.2'],
      [`${';'.repeat(4000)}${' '.repeat(4000)}`, '127.0.0.2'],
      // This once took minutes, in which the server answered nobody.
      [`for=${' '.repeat(4000)}"x`, '127.0.0.2'],
    ] as const) {
      assert.equal(await clientSeen(server, '127.0.0.2', { Forwarded: forwarded }), client, forwarded);
    }
    const agree = { Forwarded: 'for=203.0.113.9', 'X-Forwarded-For': '1.1.1.1, 203.0.113.9' };
    assert.equal(await clientSeen(server, '127.0.0.2', agree), '203.0.113.9');
    const disagree = { Forwarded: 'for=1.1.1.1', 'X-Forwarded-For': '203.0.113.9' };
    assert.equal(await clientSeen(server, '127.0.0.2', disagree), '127.0.0.2');
    for (const [proto, scheme] of [
      ['https', 'https'],
      ['HTTPS', 'https'],
      ['https, http', 'http'],
      ['javascript', undefined],
    ] as const) {
      const { seen } = await ask(server, '127.0.0.2', { 'X-Forwarded-Proto': proto });
      assert.equal(seen.scheme, scheme, proto);
    }
  });

  await t.test('a socket for both families sees IPv4 proxies as what they are, and IPv6 ones too', async (t) => {
    const args = ['--host', '::'];
    const server = await serve(t, { databaseUrl, args, env: envOf('::ffff:127.0.0.0/120,::1') });
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    assert.equal(await clientSeen(server, '127.0.0.2', headers), '203.0.113.9');
    assert.equal(await clientSeen(server, '::1', headers), '203.0.113.9');
    assert.equal(await clientSeen(server, '127.0.1.2', headers), '127.0.1.2');
  });

  await t.test('links, redirects and the document are built from the base address alone', async (t) => {
    const server = await start(t, '127.0.0.0/8');
    const forged = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'javascript',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-For': '203.0.113.9',
      Forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
    };
    const page = await ask(server, '127.0.0.2', forged, `${problems}?limit=1`);
    assert.match(String(page.headers['link']), /^<https:\/\/garden\.example\.org\/problem_list\//);
    const redirect = await ask(server, '127.0.0.2', forged, problems.slice(0, -1));
    assert.equal(redirect.headers.location, problems);
    for (const { headers } of [page, redirect]) assert(!/evil|203\.0\.113/.test(JSON.stringify(headers)));
  });

  await t.test('a range that is none is refused at the start, in a sentence', async () => {
    const bad = ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8;::1', '::/129', '*', '1', '10.0.0.0/08'];
    for (const [nth, ranges] of bad.entries()) {
      const run = await gardenHere(nth === 0 ? 'serve' : 'config', { databaseUrl, env: { TRUSTED_PROXIES: ranges } });
      assert.equal(run.code, 2, ranges);
      const named = `garden: TRUSTED_PROXIES is ${JSON.stringify(ranges)}; it must be none or IP addresses and CIDR ranges`;
      assert(run.stderr.startsWith(named), run.stderr);
    }
  });
});
