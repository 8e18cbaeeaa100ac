/** The proxies of docs/operations.md in front of the server: people sign in, upload and read through them, and the log has their address. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { browser, memberWithPassword, signIn } from '../support/forms.ts';
import { startFront } from '../support/fronts.ts';
import { memberWithToken, temporaryFile } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { logLineOf } from '../support/logs.ts';
import { freePort } from '../support/ports.ts';
import { imported, staffImports, uploaded } from '../support/uploads.ts';

const problems = '/problem_list/api/problems/?limit=1000';
const longTitle = 'A long title '.repeat(20).trim();

/**
 * The size of an upload in megabytes: nginx alone bounds it, by the same line with and without a header. Then the header with
 * the username, where a program beside the proxy signs people in.
 */
const fronts = [
  ['nginx', 60],
  ['haproxy', 2],
  ['caddy', 2],
  ['nginx', 2, 'Remote-User'],
  ['caddy', 2, 'Remote-User'],
  ['caddy', 2, 'X-Authentik-Username'],
] as const;

for (const [name, megabytes, header] of fronts) {
  test(`through ${name}${header ? ` with ${header}` : ''} people sign in, upload ${megabytes} MB and read, and the log has their address`, async (t) => {
    const databaseUrl = await temporaryFile(t);
    await memberWithPassword(databaseUrl, 'ada', { role: 'staff' });
    const { token } = await memberWithToken(databaseUrl, 'ada');
    const port = await freePort();
    const env = {
      BASE_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      TRUST_HEADER: header ?? 'none',
      LOG_LEVEL: 'debug',
    };
    const server = await serveHere(t, { databaseUrl, env });
    const portalPort = await freePort();
    const portal = http.createServer((_request, response) => response.setHeader(String(header), 'ada').end());
    portal.listen(portalPort, '127.0.0.1');
    t.after(() => portal.close());
    const front = await startFront(t, name, server.url, port, header && { header, port: portalPort });
    if (front === undefined) return;

    const ada = header ? browser(front) : await signIn(front, 'ada');
    assert.equal((await ada.open('/dashboard/')).status, 200);

    const rows = Array.from({ length: 2_000 }, (_, place) => ({
      title: `${longTitle} ${place}`,
      source: 'here',
      source_key: `k${place}`,
    }));
    const bytes = Buffer.from(rows.map((row) => JSON.stringify(row).padEnd(megabytes * 525)).join('\n'));
    assert.ok(bytes.length > megabytes * 1024 * 1024);
    await uploaded(ada, staffImports, { what: 'problems', file: { name: 'problems.ndjson', bytes } });
    await imported(ada);
    const headers = { Authorization: `Bearer ${token}` };
    const [through, direct] = await Promise.all(
      [front, server.url].map(async (url) => (await fetch(url + problems, { headers })).text()),
    );
    assert.equal(through, direct);
    assert.ok(Buffer.byteLength(String(through)) > 250_000);

    // A client that names other addresses is not believed.
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
    const request = http.get({ port, hostname: '127.0.0.1', localAddress: '127.0.0.5', path: '/', headers: forged });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    const { client } = await logLineOf<{ client: string }>(server, response.headers['x-request-id']);
    assert.equal(client, '127.0.0.5');
  });
}
