/** Uploads that no page of ours sends, or that are made to break something: each is refused in clear words, and nothing of it stays. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { uploadFolder } from '../../src/jobs/uploads.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf } from '../support/elements.ts';
import {
  type Browser,
  boundary,
  type ChosenFile,
  type Filling,
  multipartBody,
  type Page,
  type Part,
  signIn,
  textOf,
} from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { finished, holdTurn, ownUploads as path } from '../support/uploads.ts';
import { until } from '../support/waiting.ts';

const plants = { name: 'plants.csv', bytes: 'name,target\nDP,3\n' };
const mebibyte = 1024 * 1024;

async function worldOf(t: TestContext, timeouts?: Parameters<typeof serveHere>[1]['timeouts']) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'grace');
  const server = await serveHere(t, { databaseUrl, ...(timeouts && { timeouts }) });
  t.after(() => assert.doesNotMatch(server.stderr(), /Error: (?!The database|There is no database|Too many uploads)/));
  const folder = await withStore(databaseUrl, async ({ instance }) => uploadFolder(databaseUrl, instance));
  const assertNothingKept = async (what: string) => {
    await until(`${what} leaves nothing`, async () => {
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.upload'));
      return files.length === 0 && (await rowsOf(databaseUrl, 'SELECT id FROM uploads')).length === 0;
    });
    assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM plants'), [], what);
  };
  const member = await signIn(server.url, 'ada');
  return { url: server.url, databaseUrl, ids: { ada }, member, assertNothingKept };
}

async function partsWith(member: Browser, file: ChosenFile): Promise<readonly Part[]> {
  await member.open(path);
  return member.filled({ name: 'file' }, { file }).parts ?? [];
}

const headers = (member: Browser, url: string) => ({
  'Content-Type': `multipart/form-data; boundary=${boundary}`,
  Origin: new URL(url).origin,
  Cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

function slowUpload(member: Browser, url: string, length: number) {
  const { hostname, port } = new URL(url);
  const head = Object.entries({ ...headers(member, url), Host: 'localhost', 'Content-Length': length });
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\n${head.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  const answered = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    socket.on('close', () => resolve(text));
  });
  return { socket, answered };
}

test('uploads that no page sends, and files that are not what they should be', async (t) => {
  const { member, url, databaseUrl, assertNothingKept } = await worldOf(t);
  await t.test('forms that are none of ours keep nothing of their file', async () => {
    const good = await partsWith(member, plants);
    const token = good.find(([name]) => name === '_csrf') as Part;
    const file = good.find(([name]) => name === 'file') as Part;
    const foreign = (await partsWith(await signIn(url, 'grace'), plants)).find(([name]) => name === '_csrf') as Part;
    const others = good.filter(([name]) => name !== '_csrf' && name !== 'file');
    const cases: Readonly<Record<string, readonly [status: number, parts: readonly Part[]]>> = {
      'no token': [403, [...others, file]],
      'the token behind the file': [403, [...others, file, token]],
      'two tokens': [403, [token, token, ...others, file]],
      'the token of somebody else': [403, [foreign, ...others, file]],
      'a token that is a file': [403, [['_csrf', { name: 'x', bytes: String(token[1]) }], ...others, file]],
      'a token of nonsense': [403, [['_csrf', 'x'], ...others, file]],
      'two files': [400, [token, ...others, file, file]],
      'a field behind the file': [400, [token, ...others, file, ['what', 'plants']]],
      'fifty fields': [400, [token, ...Array.from({ length: 50 }, (): Part => ['more', 'x']), file]],
      'a field of 10 kB': [400, [token, ['what', 'x'.repeat(10_000)], file]],
      'a field named __proto__': [400, [token, ['__proto__', 'x'], file]],
      'no file at all': [422, [token, ...others]],
      'a file field that is left alone': [422, [token, ...others, ['file', { name: '', bytes: '' }]]],
      'a kind that there is none of': [422, [token, ['what', '../../etc/passwd'], ['handle', ''], file]],
      'a kind of staff': [422, [token, ['what', 'problems'], ['handle', ''], file]],
      'a handle for plants': [422, [token, ['what', 'plants'], ['handle', 'x'], file]],
      'a handle of 4,000 letters': [422, [token, ['what', ''], ['handle', 'x'.repeat(4000)], file]],
    };
    for (const [what, [status, parts]] of Object.entries(cases)) {
      const page = await member.upload(path, parts);
      assert.equal(page.status, status, `${what}: ${textOf(page, 'main')}`);
      await assertNothingKept(what);
    }
  });

  await t.test('bodies that are no forms with files are refused', async () => {
    const body = multipartBody(await partsWith(member, plants));
    const cut = (at: number) => body.subarray(0, body.length - at);
    const cases: Readonly<Record<string, readonly [status: number, type: string, body: Uint8Array | string]>> = {
      'no boundary': [400, 'multipart/form-data', body],
      'another boundary': [400, 'multipart/form-data; boundary=other', body],
      'a boundary of 5,000 letters': [400, `multipart/form-data; boundary=${'x'.repeat(5000)}`, body],
      'nothing in it': [403, `multipart/form-data; boundary=${boundary}`, ''],
      'cut within the last boundary': [400, `multipart/form-data; boundary=${boundary}`, cut(6)],
      'cut within the file': [400, `multipart/form-data; boundary=${boundary}`, cut(boundary.length + 12)],
      'cut within the fields': [400, `multipart/form-data; boundary=${boundary}`, body.subarray(0, 150)],
      'a plain form': [403, 'application/x-www-form-urlencoded', 'what=plants'],
      JSON: [403, 'application/json', '{}'],
      'a mixed body': [403, `multipart/mixed; boundary=${boundary}`, body],
    };
    for (const [what, [status, type, sent]] of Object.entries(cases)) {
      const reply = await member.ask(path, {
        method: 'POST',
        headers: { ...headers(member, url), 'Content-Type': type },
        body: sent,
      });
      assert.equal(reply.status, status, `${what}: ${reply.text}`);
      await assertNothingKept(what);
    }
  });

  await t.test('a connection that breaks off leaves nothing', async () => {
    const body = multipartBody(await partsWith(member, { name: 'p.csv', bytes: 'x'.repeat(300_000) }));
    const { socket } = slowUpload(member, url, body.length);
    socket.write(body.subarray(0, 200_000));
    const arriving = () => rowsOf(databaseUrl, "SELECT id FROM uploads WHERE state = 'arriving'");
    await until('the file arrives', async () => (await arriving()).length === 1);
    socket.destroy();
    await assertNothingKept('a broken connection');
  });

  await t.test('what is too large is refused with the limit, announced or not', async () => {
    const parts = await partsWith(member, plants);
    const said = /This file has more than 64 MiB, so it was not kept/;
    const file = { name: 'x.csv', bytes: Buffer.alloc(64 * mebibyte + 1, 'x') };
    const large = parts.map((part): Part => (part[0] === 'file' ? ['file', file] : part));
    for (const [what, more, sent] of [
      ['a size that is announced', { 'Content-Length': String(65 * mebibyte + 1) }, parts],
      ['a size that shows at the end', { 'Transfer-Encoding': 'chunked' }, large],
    ] as const) {
      const own = { ...headers(member, url), ...more };
      const refused = await member.ask(path, { method: 'POST', headers: own, body: multipartBody(sent) });
      assert.equal(refused.status, 413, what);
      assert.match(refused.text, said);
      await assertNothingKept(what);
    }
  });

  await t.test('an empty file is refused at once', async () => {
    for (const bytes of ['', ' \r\n\t', '\ufeff']) {
      const page = await member.submitAt(path, { name: 'file' }, { file: { name: 'x.csv', bytes } });
      assert.equal(page.status, 422);
      assert.match(textOf(page, '#file-fault'), /This file is empty/);
      await assertNothingKept(JSON.stringify(bytes));
    }
  });

  await t.test('files that are not what they should be are refused in words, and change nothing', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const torn = Buffer.from('PK\x03\x04 and more', 'latin1');
    const isOfAtCoder =
      /This looks like AtCoder submissions \(submissions\), not Codeforces submissions \(user\.status\): choose that kind\./;
    const cases: readonly (readonly [what: string, bytes: string | Uint8Array, said: RegExp])[] = [
      [
        'plants',
        gzipSync('x'.repeat(mebibyte)),
        /This file is compressed; unpack it first\. A backup .* garden restore\./,
      ],
      ['plants', torn, /This file is compressed; unpack it first/],
      ['', torn, /The archive cannot be unpacked/],
      ['archive', '{"username":"ada"}', /This is not a zip archive/],
      ['archive', gzipSync('{"username":"ada"}'), /This file is compressed; unpack it first/],
      ['statuses', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), /The file is not UTF-8/],
      ['statuses', '<!doctype html><title>Sign in</title>', /there is no field|web page|header/i],
      ['codeforces-submissions', '{"status":"OK","result":{}}', /is not a list/],
      ['codeforces-submissions', '{"status":"OK","result":[{"id":1,', /Line 1, column/],
      ['codeforces-submissions', '[{"epoch_second":1,"problem_id":"a"}]', isOfAtCoder],
      ['bookmarks', deep, /Invalid|cannot be read|nested|Interrupted|not a list|deep/i],
      ['bookmarks', '{"username":"ada","source":"x","source_key":"y","evil":1}', /there is no field/],
      [
        'plants',
        '{"user":1,"name":"x","target":1}',
        /use a file from an export, which has names and keys as well as ids/,
      ],
      ['plants', '{"name":"<script>alert(1)</script>\u202e","target":0}', /target is missing or less than 1/],
    ];
    for (const [what, bytes, said] of cases) {
      const page = await settled(member, { what, file: { name: 'x', bytes } });
      assert.match(textOf(page, 'main'), said, what);
      assert.doesNotMatch(textOf(page, 'main'), /--[a-z]|garden import/);
    }
    for (const table of ['plants', 'statuses', 'bookmarks', 'handles', 'solves', 'problems'])
      assert.deepEqual(await rowsOf(databaseUrl, `SELECT * FROM ${table}`), [], table);
  });

  await t.test('names of files are shown and can do nothing', async () => {
    const names: readonly (readonly [string, RegExp])[] = [
      ['<script>alert(1)</script>.csv', /^<?\/?script>\.csv$|<script>alert\(1\)/],
      ['\u202egnp.exe\u2066\u0000\u0007', /^gnp\.exe$/],
      ['"onmouseover="x', /onmouseover/],
      ['x'.repeat(10_240), /^x{80}…$/],
      ['../../../etc/passwd', /^passwd$/],
      ['C:\\fakepath\\plants.csv', /^plants\.csv$/],
      ['\u200b', /^Unnamed file$/],
    ];
    for (const [name, shown] of names) {
      const page = await settled(member, { file: { name, bytes: plants.bytes } });
      assert.match(textOf(page, 'h1'), shown, name.slice(0, 40));
      for (const { document, text } of [page, await member.open(path)]) {
        assert.equal(document.querySelectorAll('main script, [onmouseover]').length, 0);
        assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]|<script>alert/);
      }
    }
  });

  await t.test('all files together have bounded room, and a hundred uploads at once are taken or refused', async () => {
    const names = Array.from({ length: 10 }, (_, place) => `member-${place}`);
    await membersNamed(databaseUrl, ...names);
    const browsers: Browser[] = [];
    for (const name of names) browsers.push(await signIn(url, name));
    const before = process.memoryUsage.rss();
    const file = { name: 'plants.csv', bytes: `name,target\n${'DP,3\n'.repeat(200_000)}` };
    const bodies = await Promise.all(browsers.map(async (one) => multipartBody(await partsWith(one, file))));
    const send = () =>
      browsers.flatMap((one, place) =>
        Array.from({ length: 10 }, () =>
          one.ask(path, { method: 'POST', headers: headers(one, url), body: bodies[place] as Buffer }),
        ),
      );
    // No check is done meanwhile, after which a member may upload again.
    await holdTurn(databaseUrl, async () => {
      const statuses = (await Promise.all(send())).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 303).length, 10, String(statuses));
      assert.equal(statuses.filter((status) => status === 409).length, 90, String(statuses));
      const grown = (process.memoryUsage.rss() - before) / mebibyte;
      // The bodies that this test sends are in the same process, and take 10 MiB.
      assert.ok(grown < 200, `${grown} MiB more`);
      await tamper(databaseUrl, `UPDATE uploads SET bytes = ${60 * mebibyte}`);
      const grace = await signIn(url, 'grace');
      const full: Page = await grace.upload(path, await partsWith(grace, plants));
      assert.equal(full.status, 503);
      assert.match(textOf(full, 'main'), /Too many uploads are waiting/);
      // Otherwise their checks would begin as the test ends, which takes their files away.
      await tamper(databaseUrl, "DELETE FROM uploads WHERE state = 'to-check'");
    });
  });
});

test('an upload may take longer than other requests, and is given up when it stands still', async (t) => {
  const timeouts = { headersMs: 4_000, requestMs: 4_000, idleMs: 60_000 };
  const { member, url, assertNothingKept } = await worldOf(t, timeouts);
  const grace = await signIn(url, 'grace');
  const body = multipartBody(await partsWith(member, plants));
  const still = slowUpload(grace, url, 1_000_000);
  still.socket.write(multipartBody(await partsWith(grace, plants)).subarray(0, -60));
  const slow = slowUpload(member, url, body.length);
  const piece = Math.ceil(body.length / 12);
  for (let at = 0; at < body.length; at += piece) {
    slow.socket.write(body.subarray(at, at + piece));
    await sleep(500);
  }
  assert.match(await slow.answered, /^HTTP\/1\.1 303 /);
  assert.match(await still.answered, /^HTTP\/1\.1 408 [\s\S]*The upload stopped, so the file was not kept/);
  await member.open(attributeOf(await member.open(path), '[data-upload] a', 'href') ?? '');
  await finished(member);
  await member.submit({ name: 'act', value: 'discard' });
  await assertNothingKept('an upload that stands still');
});

/** Sends a file, which may be refused before it is looked at. */
async function settled(browser: Browser, filling: Filling): Promise<Page> {
  const page = await browser.submitAt(path, { name: 'file' }, filling);
  return page.status === 422 ? page : finished(browser);
}
