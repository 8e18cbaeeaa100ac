/** Credentials where several processes serve one database: what is revoked is refused in all of them, and uses cost no writes. */
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { newToken, secretDigest } from '../../src/auth/tokens.ts';
import { commandLine } from '../support/commands.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { memberWithToken, type Server, serve, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, problems, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { logLineOf } from '../support/logs.ts';
import { until } from '../support/waiting.ts';

interface Connection {
  agent: http.Agent;
  server: Pick<Server, 'url' | 'stderr'>;
  pid: number;
}

test('credentials and processes', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const cli = commandLine(databaseUrl);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const env = { LOG_LEVEL: 'debug', RATE_LIMIT: '0' };
  const other = await serve(t, { databaseUrl, env });
  const alone = await serveHere(t, { databaseUrl, env });

  /** Asks over one kept connection, so that one process answers; says with which status and which process it was. */
  const ask = async ({ agent, server }: Omit<Connection, 'pid'>, token: string) => {
    const { port } = new URL(server.url);
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const headers = { Authorization: `Bearer ${token}` };
    http.get({ agent, host: '127.0.0.1', port, path: problems, headers }).on('error', reject).on('response', resolve);
    const response = await promise;
    response.resume();
    const { pid } = await logLineOf<{ pid: number }>(server, response.headers['x-request-id']);
    return { status: response.statusCode, pid };
  };

  const connections: Connection[] = [];
  t.after(() => connections.map(({ agent }) => agent.destroy()));
  for (const server of [other, alone]) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { status, pid } = await ask({ agent, server }, ada.token);
    assert.equal(status, 200);
    connections.push({ agent, server, pid });
  }
  assert.notEqual(connections[0]?.pid, connections[1]?.pid);

  /** Waits until every process refuses the token; fails if that takes more than a second. */
  const refusedEverywhere = async (token: string) => {
    const began = performance.now();
    for (;;) {
      const askedAfterMs = performance.now() - began;
      const replies = await Promise.all(connections.map((connection) => ask(connection, token)));
      const statuses = replies.map(({ status }) => status);
      if (statuses.every((status) => status === 401)) return;
      assert(askedAfterMs < 1000, `after ${askedAfterMs} ms the processes answer ${statuses}`);
    }
  };

  await t.test('a revoked token is refused by all of them within a second', async () => {
    const made = await cli.json<{ id: number; token: string }>('token create ada --name x');
    for (const connection of connections) assert.equal((await ask(connection, made.token)).status, 200);
    assert.equal((await cli.run(`token revoke ${made.id}`)).code, 0);
    await refusedEverywhere(made.token);
    for (const connection of connections) assert.equal((await ask(connection, ada.token)).status, 200);
  });

  await t.test('a disabled member is refused by all of them within a second, and let in again', async () => {
    const ben = await memberWithToken(databaseUrl, 'ben');
    for (const connection of connections) assert.equal((await ask(connection, ben.token)).status, 200);
    assert.equal((await cli.run('member disable ben')).code, 0);
    await refusedEverywhere(ben.token);
    assert.equal((await cli.run('member enable ben')).code, 0);
    for (const connection of connections)
      await until('ben is let in', async () => (await ask(connection, ben.token)).status === 200);
  });

  await t.test('uses are noted without a write for each', async () => {
    const lastUsed = async () => {
      const [row] = await rowsOf(
        databaseUrl,
        'SELECT last_used_at FROM tokens WHERE id = (SELECT min(id) FROM tokens)',
      );
      return String(row?.['last_used_at'] ?? '');
    };
    const asAda = client(alone.url, ada.token);
    const before = await lastUsed();
    const began = new Date().toISOString();
    let seen = before;
    let writes = 0;
    for (let count = 0; count < 100; count++) {
      assert.equal((await asAda(`${problems}?limit=1`)).status, 200);
      const now = await lastUsed();
      if (now !== seen) writes++;
      seen = now;
    }
    // Each of the two processes may write down its uses every ten seconds, so once meanwhile unless the machine is slow.
    const turns = 1 + Math.floor((Date.now() - Date.parse(began)) / 10_000);
    assert(writes <= 2 * turns, `${writes} writes in ${turns} turn(s) of ten seconds`);
    await until('the use is written down', async () => (await lastUsed()) >= began, { everyMs: 250 });
    const after = await lastUsed();
    assert(after <= new Date().toISOString(), `${before}, ${began}, ${after}`);
  });

  await t.test('a token with a wrong checksum is refused without a look into the database', async () => {
    const unknown = newToken('pgt');
    const mistyped = ada.token.slice(0, -1) + (ada.token.endsWith('0') ? '1' : '0');
    assertRefusal(await send(alone.url, problems, { token: unknown }), 40101);
    await tamper(databaseUrl, 'ALTER TABLE tokens RENAME TO lost');
    assertRefusal(await send(alone.url, problems, { token: mistyped }), 40101);
    // One that may be right has to be looked up, which fails now.
    assertRefusal(await send(alone.url, problems, { token: unknown }), 50000);
    await tamper(databaseUrl, 'ALTER TABLE lost RENAME TO tokens');
    assertRefusal(await send(alone.url, problems, { token: unknown }), 40101);
  });

  await t.test('a token whose digest begins like another’s is not taken for it', async () => {
    const like = newToken('pgt');
    const digest = `${secretDigest(like).slice(0, 32)}${'0'.repeat(32)}`;
    await tamper(databaseUrl, `UPDATE tokens SET digest = '${digest}' WHERE id = (SELECT max(id) FROM tokens)`);
    assertRefusal(await send(alone.url, problems, { token: like }), 40101);
  });
});
