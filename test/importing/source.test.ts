/** The sources of bytes: real files, standard input, and a small server on the loopback interface. */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openSource } from '../../src/importing/source.ts';
import { codeforces } from '../../src/judges/codeforces.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import { all, assertBadFile, chunksOf } from '../support/files.ts';
import { temporaryFolder } from '../support/garden.ts';

const noInput = chunksOf('');
const open = (spec: string, silenceMs?: number) => openSource(spec, noInput, silenceMs);

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a file is read whole and its size is known beforehand', async (t) => {
  const path = join(await temporaryFolder(t), 'a.json');
  const content = 'ツ'.repeat(300_000);
  await writeFile(path, content);
  const { name, bytes, size } = await open(path);
  assert.deepEqual([name, size], [path, 900_000]);
  assert.equal(await text(bytes), content);
});

test('a path that is missing, a directory or below a file is refused', async (t) => {
  const root = await temporaryFolder(t);
  await writeFile(join(root, 'a'), '');
  await assertBadFile(open(join(root, 'b')), /\/b does not exist: check the path\.$/);
  await assertBadFile(open(join(root, 'a/b')), /\/a\/b does not exist: check the path\.$/);
  await assertBadFile(open(root), / is a directory: name a file in it\.$/);
  await assertBadFile(open(''), /does not exist/);
  await assertBadFile(open('x'.repeat(300)), /x cannot be read \(ENAMETOOLONG\): check the path and the disk\.$/);
});

test('a file that may not be read is refused', async (t) => {
  const path = join(await temporaryFolder(t), 'a');
  await writeFile(path, '');
  await chmod(path, 0);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534); // Root may read everything, nobody may not.
  try {
    await assertBadFile(open(path), /^No permission to read .*: check its permissions\.$/);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a dash is standard input', async () => {
  const { name, bytes, size } = await openSource('-', chunksOf('[1]'));
  assert.deepEqual([name, size, await text(bytes)], ['standard input', undefined, '[1]']);
});

test('an address is fetched as practice-garden, and its query stays out of the name', async (t) => {
  let request: IncomingMessage | undefined;
  const base = await serve(t, (incoming, response) => {
    request = incoming;
    response.end('[1,2]');
  });
  const { name, bytes } = await open(`${base}/a/problems.json?apiKey=secret`);
  assert.equal(await text(bytes), '[1,2]');
  assert.equal(name, `${base}/a/problems.json`);
  assert.equal(request?.headers['user-agent'], 'practice-garden/1.0');
  assert.equal(request?.url, '/a/problems.json?apiKey=secret');
});

test('a compressed answer is unpacked', async (t) => {
  const packed = gzipSync('[1,2,3]');
  const base = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
  });
  const { bytes } = await open(base);
  assert.equal(await text(bytes), '[1,2,3]');
});

test('a redirect is followed, a loop of them is refused', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/here') response.end('found');
    else response.writeHead(302, { location: request.url === '/loop' ? '/loop' : '/here' }).end();
  });
  assert.equal(await text((await open(`${base}/there`)).bytes), 'found');
  await assertBadFile(open(`${base}/loop`), /\/loop could not be read \(redirect count exceeded\)/);
});

test('an answer other than 200 is refused with its status and what a judge says in it', async (t) => {
  const base = await serve(t, (request, response) => {
    const isJson = request.url === '/json';
    response.writeHead(isJson ? 400 : 503, { 'content-type': isJson ? 'application/json' : 'text/html' });
    response.end(isJson ? '{"status":"FAILED","comment":"no such handle"}' : '<h1>busy</h1>');
  });
  await assertBadFile(open(`${base}/page`), /\/page answered 503: check the address, try again later, or download/);
  await assertBadFile(open(`${base}/json`), /answered 400 \(\{"status":"FAILED","comment":"no such handle"\}\): /);
});

test('a server that falls silent before or within its answer is given up', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/within') response.write('[1,');
  });
  await assertBadFile(open(`${base}/before`, 50), /\/before sent nothing for 0\.05 seconds: try again later\.$/);
  await assertBadFile(
    open(`${base}/within`, 50).then(({ bytes }) => text(bytes)),
    /sent nothing for 0\.05 seconds/,
  );
});

test('time that the reader takes for itself does not count as silence', async (t) => {
  let finish = () => {};
  const base = await serve(t, (_, response) => {
    response.write('a');
    finish = () => response.end('b');
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { bytes } = await open(base, 60);
  let read = '';
  for await (const chunk of bytes) {
    read += Buffer.from(chunk).toString();
    t.mock.timers.tick(120);
    if (read === 'a') finish();
  }
  assert.equal(read, 'ab');
});

test('an answer that breaks off is refused, whatever had been read by then', async (t) => {
  const base = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"status":"OK","result":[');
    setTimeout(() => response.destroy(), 20);
  });
  const { bytes } = await open(base);
  await assertBadFile(
    all(readJudgeFile(codeforces.files.twins, bytes)),
    /could not be read \(\w+\): check the address and the network/,
  );
});

test('a reader that stops early closes the connection', { timeout: 60_000 }, async (t) => {
  const closed = Promise.withResolvers<void>();
  const base = await serve(t, (request, response) => {
    request.socket.on('close', () => closed.resolve());
    response.write('x'.repeat(1000));
  });
  for await (const _ of (await open(base)).bytes) break;
  await closed.promise;
});

test('an address without a listener, or that is malformed, is refused', async (t) => {
  const base = await serve(t, () => {});
  const nobody = base.replace('127.0.0.1', '127.0.0.2');
  await assertBadFile(open(nobody), /^http:\/\/127\.0\.0\.2:\d+\/ could not be read \(ECONNREFUSED\)/);
  await assertBadFile(open('http://'), /^http:\/\/ is not an address: check its spelling\.$/);
  await assertBadFile(open('http://me:secret@127.0.0.1/x'), /^http:\/\/127\.0\.0\.1\/x contains a password/);
});

test('an address of another scheme is refused', async () => {
  for (const spec of ['file:///etc/passwd', 'ftp://a.example/b', 'data://x', 'HTTPX://a']) {
    await assertBadFile(open(spec), /:\/\/ addresses are not supported: give a path, - for standard input, or an http/);
  }
});
