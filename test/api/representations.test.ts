/** The forms of an answer: JSON, NDJSON and CSV, compressed or not, whole or streamed, and the tags that name them. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { acceptsIdentity, encode, encodeStream, encodeSync } from '../../src/http/codings.ts';
import type { ResourceName } from '../../src/importing/row-kinds.ts';
import { importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { bookmarks, client, nextOf, problems, type Reply, records, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const paths = [problems, statuses, bookmarks, records];
const decoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
const types = {
  'application/json': 'application/json; charset=utf-8',
  'application/x-ndjson': 'application/x-ndjson',
  'text/csv': 'text/csv; charset=utf-8',
};
const at = '2026-03-01T00:00:00.000Z';
const rowCount = 2345;

test('representations', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    { id: 1, username: 'ada', last_name: '', role: 'staff', created_at: at, updated_at: at },
    {
      id: 2,
      username: 'ben',
      first_name: '=1+1',
      city: 'a,b "c"\r\nd',
      phone: '+44',
      state: "'s",
      zipcode: '-1',
      created_at: at,
      updated_at: at,
    },
  ]);
  await importRows(
    databaseUrl,
    'problems',
    Array.from({ length: rowCount }, (_, place) => ({
      id: 2n ** 53n + BigInt(place),
      title: `Nr. ${place} 🌱`,
      source: 'here',
      source_key: `k${place}`,
      tags: ['a', 'b "c"'],
      rating: place,
      created_at: at,
      updated_at: at,
    })),
  );
  const mark = { username: 'ada', problem: 2n ** 53n };
  await importRows(databaseUrl, 'bookmarks', [{ ...mark, note: 'x' }]);
  await importRows(databaseUrl, 'statuses', [{ ...mark, status: 'reading', origin: 'self' }]);
  const [ada] = await tokensFor(databaseUrl, ['ada']);
  const env = { RATE_LIMIT: '0', BASE_URL: 'http://garden.example.org' };
  const server = await serveHere(t, { databaseUrl, env });
  const ask = client(server.url, ada);
  const as = (target: string, headers: Record<string, string>) => ask(target, { headers });

  const pages = async (accept: string): Promise<string[]> => {
    const texts: string[] = [];
    for (let next: string | undefined = `${problems}?limit=500`; next !== undefined; ) {
      const reply: Reply = await as(next, { Accept: accept });
      texts.push(reply.text);
      next = nextOf(reply);
    }
    assert.equal(texts.length, Math.ceil(rowCount / 500));
    return texts;
  };

  await t.test('a whole collection of any length is its pages put together', async () => {
    const json = await ask(problems);
    assert.equal(json.headers['content-length'], String(json.bytes.length));
    assert.equal(JSON.parse(json.text).length, rowCount);
    const arrays = await pages('application/json');
    assert.equal(json.text, `[${arrays.map((text) => text.slice(1, -1)).join(',')}]`);
    const lines = await pages('application/x-ndjson');
    assert.equal((await as(problems, { Accept: 'application/x-ndjson' })).text, lines.join(''));
    assert.equal(lines.join(''), json.text.slice(1, -1).replaceAll('},{', '}\n{') + '\n');
    const tables = await pages('text/csv');
    const header = `${tables[0]?.split('\r\n', 1)}\r\n`;
    assert.equal(
      (await as(problems, { Accept: 'text/csv' })).text,
      header + tables.map((text) => text.replace(header, '')).join(''),
    );
  });

  await t.test('a collection of exactly as many rows as are read at once is whole too', async () => {
    for (const most of [998, 999, 1000, 1999, 2000]) {
      assert.equal(JSON.parse((await ask(`${problems}?rating_max=${most}`)).text).length, most + 1);
    }
    assert.equal((await ask(`${problems}?q=nothing`)).text, '[]');
    assert.equal((await as(`${problems}?q=nothing`, { Accept: 'application/x-ndjson' })).text, '');
  });

  await t.test('CSV tells null from empty and disarms what a spreadsheet would run', async () => {
    const { text } = await as(records, { Accept: 'text/csv' });
    assert.equal(
      text,
      'id,username,first_name,last_name,email,phone,address,city,state,zipcode,role,created_at,updated_at\r\n' +
        `1,ada,,"",,,,,,,staff,${at},${at}\r\n` +
        `2,ben,'=1+1,,,'+44,,"a,b ""c""\r\nd",''s,'-1,member,${at},${at}\r\n`,
    );
    const first = (await as(`${problems}?limit=1`, { Accept: 'text/csv' })).text.split('\r\n')[1];
    assert.equal(first, `9007199254740992,Nr. 0 🌱,here,k0,,0,"[""a"",""b \\""c\\""""]",[],,,${at},${at}`);
  });

  await t.test('every read serves the type that it sends, whatever parameters Accept gives it', async () => {
    const items = [`${problems}9007199254740992/`, '/problem_list/api/status/9007199254740992/'];
    items.push('/dashboard/api/bookmarks/9007199254740992/', '/authentication/api/records/1/');
    for (const path of [...paths, ...items]) {
      const reply = await as(path, { Accept: types['application/json'] });
      assert.deepEqual([reply.status, reply.headers['content-type']], [200, types['application/json']], path);
    }
    for (const path of items) {
      assert.equal((await as(path, { Accept: types['text/csv'] })).status, 406, path);
    }
  });

  await t.test('Accept chooses the format by its preference, and of a range only the weight counts', async () => {
    const served: Record<string, keyof typeof types | undefined> = {
      '': 'application/json',
      '*/*': 'application/json',
      'application/*': 'application/json',
      'APPLICATION/JSON': 'application/json',
      'text/html, */*;q=0.1': 'application/json',
      'text/html, text/csv;q=0.5, */*;q=0.1': 'text/csv',
      'text/html, application/x-ndjson;q=0.5, */*;q=0.1': 'application/x-ndjson',
      'text/csv;q=0.5, application/json;q=0.4': 'text/csv',
      'application/json;q=0, */*': 'application/x-ndjson',
      'image/png': undefined,
      'application/json;charset=UTF-8': 'application/json',
      'application/json;profile="x, y"': 'application/json',
      'application/json;profile="x, text/csv': 'application/json',
      'application/json;profile="\\"", text/csv;q=0.9': 'application/json',
      'application/json;profile="\\': 'application/json',
      'text/csv; charset=utf-8': 'text/csv',
      'text/csv; charset=utf-8; header=present': 'text/csv',
      'text/csv; charset="utf-8"; q=0.2, application/json; q=0.1; charset=utf-8': 'text/csv',
      'application/x-ndjson;foo="a,b";q=0.5': 'application/x-ndjson',
      'application/x-ndjson;foo="a,b";q=0.5, text/csv;foo="q=0"': 'text/csv',
      'application/json;v=1;q=0, text/csv;v=1;Q=0.001': 'text/csv',
      'text/*;level=1': 'text/csv',
      '*/*;charset=utf-8': 'application/json',
      'application/*;v="1;q=0"': 'application/json',
      'application/json ; q=0.5 , text/csv ; q=0.7': 'text/csv',
      'application/json;;charset=utf-8;': 'application/json',
      'image/png;a=",application/json"': undefined,
      'application/json;charset=utf-8;q=0': undefined,
      ';q=1': undefined,
      ';;;,;': undefined,
      '"application/json"': undefined,
    };
    for (const [Accept, type] of Object.entries(served)) {
      const reply = await as(`${problems}?limit=1`, { Accept });
      const expected = type === undefined ? [406, types['application/json']] : [200, types[type]];
      assert.deepEqual([reply.status, reply.headers['content-type']], expected, Accept);
    }
  });

  await t.test('every coding decodes to the same bytes, whole, streamed and as an item', async () => {
    for (const target of [problems, `${problems}?limit=50`, `${problems}9007199254740993/`]) {
      const plain = await ask(target);
      assert.equal(plain.headers['content-encoding'], undefined);
      for (const [coding, decode] of Object.entries(decoders)) {
        const reply = await as(target, { 'Accept-Encoding': coding });
        assert.equal(reply.headers['content-encoding'], coding === 'identity' ? undefined : coding);
        assert.equal(reply.headers.vary, 'Authorization, Accept, Accept-Encoding');
        assert(decode(reply.bytes).equals(plain.bytes), coding);
        if (coding !== 'identity' && target !== `${problems}9007199254740993/`)
          assert(reply.bytes.length < plain.bytes.length / 2);
      }
    }
    const chosen = async (coding: string) =>
      (await as(`${problems}?limit=1`, { 'Accept-Encoding': coding })).headers['content-encoding'];
    assert.equal(await chosen('gzip, deflate, br'), 'br');
    assert.equal(await chosen('gzip, br;q=0.5'), 'gzip');
    assert.equal(await chosen('*'), 'br');
    for (const none of ['', 'deflate', 'gzip;q=0', 'identity, *;q=0'])
      assert.equal(await chosen(none), undefined, none);
  });

  await t.test('a tag is strong, names one form, and stays while nothing changes', async () => {
    for (const path of paths) {
      const tags = new Set<unknown>();
      for (const Accept of Object.keys(types)) {
        for (const coding of Object.keys(decoders)) {
          const headers = { Accept, 'Accept-Encoding': coding };
          const reply = await as(path, headers);
          assert.match(reply.headers.etag ?? '', /^"[\w-]{20,}"$/);
          assert.equal(reply.headers['cache-control'], 'private, no-cache');
          assert.equal((await as(path, headers)).headers.etag, reply.headers.etag);
          tags.add(reply.headers.etag);
        }
      }
      assert.equal(tags.size, 12);
    }
  });

  await t.test('If-None-Match that names the tag is answered 304, without a body', async () => {
    for (const target of [problems, `${problems}?limit=2&count=true`, `${problems}9007199254740992/`, ...paths]) {
      const { etag = '' } = (await ask(target)).headers;
      for (const named of [etag, `W/${etag}`, `"x", ${etag}`, `"a,b" , W/"y",${etag}`, '*']) {
        const reply = await as(target, { 'If-None-Match': named });
        assert.equal(reply.status, 304, named);
        assert.equal(reply.bytes.length, 0);
        assert.equal(reply.headers.etag, etag);
        assert.equal(reply.headers['cache-control'], 'private, no-cache');
        assert.equal(reply.headers.vary, 'Authorization, Accept, Accept-Encoding');
        assert.equal(reply.headers['api-version'], '1.0.0');
      }
      for (const other of ['"x"', etag.replaceAll('"', ''), `"${etag}"`, '', 'W/"x"', `${etag.slice(0, -1)}-gzip"`]) {
        assert.equal((await as(target, { 'If-None-Match': other })).status, 200, other);
      }
      const gzipped = await as(target, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' });
      assert.equal(gzipped.status, 200);
      assert.equal(gzipped.headers['content-encoding'], 'gzip');
    }
    assert.equal((await as(`${problems}404/`, { 'If-None-Match': '*' })).status, 404);
  });

  await t.test('an import by another process changes the tag of what it changed, and a restart none', async () => {
    const [, statuses, bookmarks, records] = paths;
    const targets: Record<string, string[]> = {
      problems: [problems],
      statuses: [`${statuses}`, `${statuses}?user=all`, `${problems}?status=complete`],
      bookmarks: [`${bookmarks}`, `${bookmarks}?user=all`, `${problems}?bookmarked=true`],
      records: [`${records}`],
    };
    const tagsOf = async (url: string) =>
      Promise.all(
        Object.values(targets)
          .flat()
          .map(async (path) => (await client(url, ada)(path)).headers.etag),
      );
    const before = await tagsOf(server.url);
    const other = await serveHere(t, { databaseUrl, env });
    assert.deepEqual(await tagsOf(other.url), before);
    const changes: [what: ResourceName, row: Record<string, unknown>][] = [
      ['problems', { id: 2n ** 53n, title: 'New' }],
      ['statuses', { ...mark, status: 'complete', origin: 'self' }],
      ['bookmarks', { ...mark, note: 'new' }],
      ['records', { id: 1, username: 'ada', city: 'London' }],
    ];
    for (const [what, row] of changes) {
      const changed = targets[what] ?? [];
      const tags = await Promise.all(changed.map(async (path) => (await ask(path)).headers.etag ?? ''));
      await importRows(databaseUrl, what, [row]);
      for (const [place, path] of changed.entries()) {
        const reply = await as(path, { 'If-None-Match': tags[place] ?? '' });
        assert.equal(reply.status, 200, path);
        assert.match(reply.text, /New|complete|new|London/);
        await importRows(databaseUrl, what, [row]);
        assert.equal((await as(path, { 'If-None-Match': reply.headers.etag ?? '' })).status, 304, `${path} again`);
      }
    }
  });
});

test('each coding holds the same text, made whole, at once or in pieces, and none may be refused', async () => {
  const text = 'Ponds, brooks and creeks. '.repeat(900);
  for (const coding of ['identity', 'gzip', 'br', 'zstd'] as const) {
    const decoded = (bytes: string | Buffer) => String(decoders[coding](Buffer.from(bytes)));
    const pieces = await encodeStream(Readable.from([text, text]), coding).toArray();
    const all = [await encode(text, coding), encodeSync(Buffer.from(text), coding)].map(decoded);
    assert.deepEqual([...all, decoded(Buffer.concat(pieces))], [text, text, text + text], coding);
  }
  const accepted = [undefined, 'gzip', '*;q=0', 'identity;q=0', 'identity, *;q=0'].map(acceptsIdentity);
  assert.deepEqual(accepted, [true, true, false, false, true]);
});
