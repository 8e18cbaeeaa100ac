/** `garden companion`, as people run it: real sockets on both loopbacks, a real garden that goes and comes back, and a file between. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { endInbox, makeInbox } from '../../src/practice/inbox.ts';
import { rowsOf } from '../support/databases.ts';
import { temporaryDatabase, temporaryFolder, withStore } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { freePort, listenOn } from '../support/ports.ts';
import { waitedForCoreMs } from '../support/processes.ts';
import { until } from '../support/waiting.ts';
import { person, garden as program, usualEnv } from './command-support.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const json = { 'Content-Type': 'application/json' };
/** An address of an inbox where none answers. */
const nowhere = `http://127.0.0.1:9/inbox/${'x'.repeat(43)}/`;

async function inbox(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada');
  const secret = await withStore(databaseUrl, (store) => makeInbox(store, ada));
  const garden = await serveHere(t, { databaseUrl });
  return { databaseUrl, ada, garden, address: `${garden.url}/inbox/${secret}/` };
}

interface Companion {
  child: ChildProcess;
  url: string;
  file: string;
  said(): string;
  ended: Promise<number | null>;
}

async function start(t: TestContext, address: string, { file = '', port = 0 } = {}): Promise<Companion> {
  const at = port || (await freePort());
  const kept = file || join(await temporaryFolder(t), 'state', 'companion.json');
  const args = [program, 'companion', '--port', String(at), '--file', kept];
  const env = { ...usualEnv, HOME: await temporaryFolder(t), GARDEN_INBOX: address };
  const child = spawn(process.execPath, args, { env });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (some) => (text += some));
  child.stderr.setEncoding('utf8').on('data', (some) => (text += some));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  t.after(() => child.kill('SIGKILL'));
  await until('its first words', () => /listening|garden-client: /.test(text));
  return { child, url: `http://127.0.0.1:${at}`, file: kept, said: () => text, ended };
}

const part = (letter: string, id = 'one', size = 3) => ({
  name: `${letter}. Problem ${letter}`,
  group: 'Codeforces - Round 1',
  url: `https://codeforces.com/contest/1900/problem/${letter}`,
  tests: [{ input: '1', output: '2' }],
  batch: { id, size },
});
const post = (url: string, value: unknown, headers: Readonly<Record<string, string>> = json) =>
  send(url, '/', {
    method: 'POST',
    headers,
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
const titles = async (databaseUrl: string) =>
  (
    await rowsOf(
      databaseUrl,
      `SELECT lists.name, title FROM list_items INNER JOIN problems ON problems.id = problem_id
       INNER JOIN lists ON lists.id = list_id ORDER BY lists.name, list_items.position`,
    )
  ).map(({ name, title }) => `${name}: ${title}`);
/** Milliseconds until it has said this, without those in which it or this process waited for a core. */
async function msUntilSaid({ child, said }: Companion, sentence: string): Promise<number> {
  const own = () => performance.now() - waitedForCoreMs(child.pid) - waitedForCoreMs('self');
  const began = own();
  await until(sentence, () => said().includes(sentence));
  return own() - began;
}
const stop = async ({ child, ended }: Companion) => {
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
};

// Most of the time they wait.
suite('garden companion', { concurrency: true }, () => {
  test('a contest that the extension sends in parallel, by IPv4 and IPv6, becomes one list', async (t) => {
    const { databaseUrl, address } = await inbox(t);
    const companion = await start(t, address);
    const other = hasIpv6 ? companion.url.replace('127.0.0.1', '[::1]') : companion.url;
    const extension = { ...json, Origin: 'chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl' };
    const replies = await Promise.all([
      post(companion.url, part('C'), extension),
      fetch(other, { method: 'POST', headers: json, body: JSON.stringify(part('A')) }),
      post(companion.url, `json\n${JSON.stringify(part('B'))}`, {}),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    );
    // One that misses a part is sent after ten seconds.
    const ms = await msUntilSaid(companion, 'Sent 3 problems: 3 added, 0 already there.');
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.deepEqual(
      await titles(databaseUrl),
      ['A', 'B', 'C'].map((letter) => `Round 1: Problem ${letter}`),
    );
    // The file has no secret and no test data, and nothing once all is sent.
    await stop(companion);
    assert.deepEqual(JSON.parse(await readFile(companion.file, 'utf8')).waiting, []);
    if (process.platform !== 'win32') assert.equal((await stat(companion.file)).mode & 0o777, 0o600);
    assert.match(companion.said(), hasIpv6 ? /^listening on 127\.0\.0\.1:\d+ and \[::1\]:\d+\n/ : /^listening on 127/);
  });

  test('the extension is answered while the garden has not answered yet: it waits half a second', async (t) => {
    const held: ServerResponse[] = [];
    const garden = createServer((_, response) => held.push(response));
    const port = await listenOn(t, garden);
    const companion = await start(t, nowhere.replace(':9/', `:${port}/`));
    assert.equal((await post(companion.url, part('A', 'alone', 1))).status, 200);
    await until('the garden is asked', () => held.length > 0);
    assert.doesNotMatch(companion.said(), /Sent/);
    held[0]?.writeHead(200, json).end('{"added":1,"known":0,"waiting":2,"lost":0,"limit":"total"}');
    const sent = 'Sent 1 problem: 1 added, 0 already there, 2 waiting (the limit in total is reached).';
    await until('it is sent', () => companion.said().includes(sent));
    await stop(companion);
  });

  test('a batch that misses a part is sent after ten seconds', async (t) => {
    const { databaseUrl, address } = await inbox(t);
    const companion = await start(t, address);
    for (const letter of ['B', 'A', 'B']) await post(companion.url, part(letter));
    const ms = await msUntilSaid(companion, 'Sent 2 problems: 2 added');
    assert.ok(ms < 14_000, `${ms} ms`);
    assert.deepEqual(await titles(databaseUrl), ['Round 1: Problem A', 'Round 1: Problem B']);
    await stop(companion);
  });

  test('pages, other hosts, other methods, and large, slow or malformed bodies are refused', async (t) => {
    const companion = await start(t, nowhere);
    const { url } = companion;
    for (const origin of [
      'https://evil.example',
      'http://localhost:3000',
      'null',
      'HTTPS://EVIL.example',
      'file://',
      '',
    ])
      assert.equal((await post(url, part('A'), { ...json, Origin: origin })).status, 403, origin);
    assert.equal((await post(url, part('A'), { ...json, Host: 'evil.example' })).status, 403);
    assert.equal(
      (await send(url, '/', { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } })).status,
      403,
    );
    assert.equal((await send(url, '/')).status, 405);
    for (const body of ['{', '[]', 'null', '{"url":"javascript:1"}', '{"url":7}', ''])
      assert.equal((await post(url, body)).status, 400, body);
    assert.equal((await post(url, ' '.repeat(1024 * 1024 + 1))).status, 413);
    const chunked = await new Promise<string>((done) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket
        .setEncoding('utf8')
        .on('data', (some) => (text += some))
        .on('error', () => {})
        .on('close', () => done(text));
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (let at = 0; at < 20; at++) socket.write(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    });
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    // Fifty slow senders are cut off, and others are served meanwhile.
    const slow = Array.from({ length: 50 }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {}).write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
      const timer = setInterval(() => socket.write(' '), 1000);
      socket.resume().on('close', () => clearInterval(timer));
      return new Promise<void>((done) => socket.once('close', () => done()));
    });
    assert.equal((await post(url, part('A'))).status, 200);
    await Promise.all(slow);
    await stop(companion);
  });

  test('while the garden is down problems wait in the file, over a kill, and are sent when it is back', async (t) => {
    const { databaseUrl, ada } = await inbox(t);
    const port = await freePort();
    const secret = await withStore(databaseUrl, (store) => makeInbox(store, ada));
    const address = `http://127.0.0.1:${port}/inbox/${secret}/`;
    const first = await start(t, address);
    await post(first.url, part('A', 'alone', 1));
    await until('the garden is down', () => first.said().includes('cannot be reached; 1 problem will be sent later'));
    await post(first.url, part('B', 'pair', 2));
    await until('the file has both', async () => /problem\/B/.test(await readFile(first.file, 'utf8').catch(() => '')));
    first.child.kill('SIGKILL');
    await first.ended;
    const text = await readFile(first.file, 'utf8');
    assert.ok(!text.includes(secret) && !text.includes('tests'));
    const second = await start(t, address, { file: first.file });
    assert.match(second.said(), /2 problems wait from before/);
    await until('the garden is still down', () => second.said().includes('cannot be reached'));
    // In front of the garden: first busy, then not there, then itself.
    const { url } = await serveHere(t, { databaseUrl });
    let asked = 0;
    const front = createServer(async (request, response) => {
      asked++;
      if (asked === 1) return response.writeHead(429, { 'Retry-After': '1' }).end();
      if (asked === 2) return response.destroy();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const reply = await send(url, request.url ?? '', {
        method: 'POST',
        headers: json,
        body: Buffer.concat(chunks),
      });
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.bytes);
    }).listen(port, '127.0.0.1');
    t.after(() => front.close());
    await until('both are there', async () => (await titles(databaseUrl)).length === 2);
    assert.deepEqual(await titles(databaseUrl), ['Inbox: Problem A', 'Round 1: Problem B']);
    await stop(second);
  });

  test('what waited for a day is dropped, and a file of something else is replaced', async (t) => {
    const { address, databaseUrl } = await inbox(t);
    const file = join(await temporaryFolder(t), 'companion.json');
    const now = Date.now();
    const waiting = [
      { at: now - 86_400_001, problems: [part('A')] },
      { at: now - 86_000_000, problems: [part('B'), { url: 'ftp://x' }, null] },
      { at: 'x', problems: 7 },
    ];
    await writeFile(file, JSON.stringify({ format: 'garden-companion/1', waiting }));
    const companion = await start(t, address, { file });
    await until('one is sent', () => /Sent 1 problem/.test(companion.said()));
    assert.match(companion.said(), /Dropped 1 problem that could not be sent for a day/);
    assert.deepEqual(await titles(databaseUrl), ['Round 1: Problem B']);
    await stop(companion);
    await writeFile(file, '{"half":');
    const again = await start(t, address, { file });
    assert.match(again.said(), /is not a file of this command/);
    await stop(again);
  });

  test('after the address is revoked it says so and ends, and keeps what it has', async (t) => {
    const { address, databaseUrl, ada } = await inbox(t);
    const companion = await start(t, address);
    await withStore(databaseUrl, (store) => endInbox(store, ada));
    assert.equal((await post(companion.url, part('A', 'alone', 1))).status, 200);
    assert.equal(await companion.ended, 1);
    assert.match(
      companion.said(),
      /garden-client: This inbox address no longer works; create a new one on the Inbox page/,
    );
    assert.match(await readFile(companion.file, 'utf8'), /problem\/A/);
    const secret = await withStore(databaseUrl, (store) => makeInbox(store, ada));
    const next = address.replace(/[\w-]{43}/, secret);
    const again = await start(t, next, { file: companion.file });
    await until('it is sent', () => again.said().includes('Sent 1 problem: 1 added'));
    await stop(again);
  });

  test('a wrong command line ends with 2 and a sentence, and so does a port that is taken', async (t) => {
    const { run } = await person(t);
    const taken = await listenOn(t, createServer());
    for (const [flags, sentence] of [
      ['', /inbox address is missing/],
      ['--inbox http://x/inbox/', /inbox address is missing/],
      [`--inbox ${nowhere} --port 0`, /port must be/],
      [`--inbox ${nowhere} --port ${taken}`, /is used by another program/],
    ] as const) {
      const { code, out, err } = await run(`companion ${flags}`);
      assert.equal(code, 2, out + err);
      assert.match(out + err, sentence);
    }
  });
});
