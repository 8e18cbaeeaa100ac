/** Rules for every page, document and asset over HTTP, and each is what it says: the YAML is the JSON, the Markdown is the file. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'yaml';
import { assetPaths } from '../../src/web/kit/assets.ts';
import { root, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, exactJson, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { matchesIn } from '../support/matches.ts';
import { ownMs } from '../support/processes.ts';

const types: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  xml: 'application/opensearchdescription+xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
};
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const;

const documents = (await readdir(join(root, 'docs'), { recursive: true }))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replaceAll('\\', '/'));

const isDoor = (path: string) => path === '/';

test('pages over HTTP', async (t) => {
  const server = await serveHere(t, {
    databaseUrl: await temporaryDatabase(t),
    env: { BASE_URL: 'https://example.org/practice' },
  });
  const base = '/practice';
  const ask = (path: string, options?: Parameters<typeof send>[2]) => send(server.url, base + path, options);

  const assets = Object.values(assetPaths);
  const pages = ['/', '/docs/reference/', '/docs/api/', '/docs/cli/', '/docs/decisions/'];
  const files = [
    '/openapi.json',
    '/openapi.yaml',
    '/llms.txt',
    '/manifest.webmanifest',
    '/opensearch.xml',
    '/offline/',
    '/service-worker.js',
    '/docs/reference.md',
    ...documents.map((file) => `/docs/${file}`),
  ];
  const everything = [...pages, ...files, ...assets];

  await t.test('each answers GET, HEAD, OPTIONS and If-None-Match, and refuses the rest', async () => {
    assert.ok(documents.length >= 14 && assets.length >= 8, `${documents.length}, ${assets.length}`);
    for (const path of everything) {
      const get = await ask(path);
      assert.equal(get.status, 200, path);
      const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? '';
      assert.equal(get.headers['content-type'], types[extension] ?? 'text/html; charset=utf-8', path);
      assert.ok(get.bytes.length > 50, path);
      const head = await ask(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.bytes.length], [200, 0], path);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
      }
      const tag = get.headers.etag ?? '';
      assert.match(tag, /^"[\w-]+"$/, path);
      const fresh = await ask(path, { headers: { 'If-None-Match': `"other", ${tag}` } });
      assert.deepEqual([fresh.status, fresh.bytes.length, fresh.headers.etag], [304, 0, tag], path);
      const changed = await ask(path, { headers: { 'If-None-Match': '"other"' } });
      assert.equal(changed.status, 200, path);
      const choices = await ask(path, { method: 'OPTIONS' });
      assert.deepEqual([choices.status, choices.headers.allow], [204, 'GET, HEAD, OPTIONS'], path);
      for (const method of ['POST', 'DELETE', 'PROPFIND']) {
        const refused = await ask(path, { method });
        assertRefusal(refused, 40500);
        assert.equal(refused.headers.allow, 'GET, HEAD, OPTIONS', path);
      }
    }
  });

  await t.test('each is the same in every coding, under a tag of its own', async () => {
    for (const path of everything) {
      const plain = await ask(path);
      const tags = new Set([plain.headers.etag]);
      for (const [coding, decode] of Object.entries(decoders)) {
        const reply = await ask(path, { headers: { 'Accept-Encoding': coding } });
        assert.equal(reply.headers['content-encoding'], coding, path);
        assert.ok(decode(reply.bytes).equals(plain.bytes), `${path} ${coding}`);
        const isForReader = /\/$|(?:webmanifest|xml|worker\.js)$/.test(path);
        assert.equal(
          reply.headers['vary'],
          isForReader ? 'Cookie, Accept-Encoding, Accept-Language' : 'Accept-Encoding',
        );
        tags.add(reply.headers.etag);
        const headers = { 'Accept-Encoding': coding, 'If-None-Match': plain.headers.etag ?? '' };
        assert.equal((await ask(path, { headers })).status, 200, 'a tag of other bytes');
      }
      assert.equal(tags.size, 4, path);
    }
    const largest = { 'site.css': 15_500, 'site.js': 6_000, 'try.js': 2_500 } as const;
    for (const [name, most] of Object.entries(largest)) {
      const { bytes } = await ask(assetPaths[name as keyof typeof largest], { headers: { 'Accept-Encoding': 'gzip' } });
      assert.ok(bytes.length <= most, `${bytes.length} bytes of ${name}`);
    }
  });

  await t.test('what takes long to make is made once, also for clients that want no coding', async () => {
    const times: number[] = [];
    for (let tries = 0; tries < 6; tries++) times.push(await ownMs(() => ask('/openapi.yaml')));
    assert.ok(Math.min(...times) < 50, `${times.map(Math.round)} ms`);
  });

  await t.test('the headers allow nothing that is not needed', async () => {
    for (const path of everything) {
      const { headers } = await ask(path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'same-origin');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      const isKept = headers['cache-control'] === 'public, max-age=31536000, immutable';
      assert.equal(isKept, path.startsWith('/assets/'), path);
      if (!isKept) {
        assert.equal(headers['cache-control'], isDoor(path) ? 'private, no-cache' : 'no-cache', path);
      }
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; /, path);
      const last = isDoor(path) ? '; trusted-types service-worker' : "frame-ancestors 'none'";
      assert.ok(policy.includes("base-uri 'none'") && policy.endsWith(last), path);
      assert.match(policy, /; frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe|http|\*|blob/, path);
      assert.equal(/script-src 'self';/.test(policy), path === '/docs/reference/' || isDoor(path), path);
      if (path.endsWith('/')) {
        const { text } = await ask(path);
        assert.doesNotMatch(
          text,
          path === '/offline/' ? /<(?:script|link|img)/ : /<style|style="|<script(?! src=")| on[a-z]+="|javascript:/,
          path,
        );
      }
    }
  });

  await t.test('all links and files of a page are below the base path', async () => {
    for (const path of pages) {
      for (const [, target = ''] of matchesIn((await ask(path)).text, /(?:href|src|data-base)="([^"]*)"/g)) {
        assert.match(target, /^(?:\/practice(?:\/|$)|#|https?:)/, path);
      }
    }
  });

  await t.test('a page has the icons that it shows, and no others', async () => {
    const browser = { headers: { Accept: 'text/html' } };
    for (const path of [...pages, '/docs/nothing/', '/authentication/sign-in/']) {
      const { text } = await ask(path, browser);
      const shown = Array.from(text.matchAll(/<use href="#([\w-]+)"/g), ([, name]) => name);
      const symbols = Array.from(text.matchAll(/<symbol id="([\w-]+)"/g), ([, name]) => name);
      assert.deepEqual(symbols.toSorted(), [...new Set(shown)].toSorted(), path);
    }
    assert.match((await ask('/docs/nothing/', browser)).text, /<symbol id="search"/);
  });

  await t.test('a page without its slash leads to the one with it, and one that moved to where it is', async () => {
    for (const path of pages.slice(1)) {
      const reply = await ask(`${path.slice(0, -1)}?a=1`);
      assert.deepEqual([reply.status, reply.headers.location], [308, `${base}${path}?a=1`]);
    }
    const moved = await ask('/docs/?a=1');
    assert.deepEqual([moved.status, moved.headers.location], [308, `${base}/docs/reference/?a=1`]);
    const form = await ask('/authentication/sign-in', { method: 'POST' });
    assert.deepEqual([form.status, form.headers.location], [308, `${base}/authentication/sign-in/`]);
  });

  await t.test('nothing is below a file or behind a second slash', async () => {
    for (const path of ['/openapi.json/', '/livez/', '/docs/api.md/', '//', '/docs//', '/problem_list//', '/members//'])
      assertRefusal(await ask(path), 40400);
  });

  await t.test('what is not there is 404, also outside of docs and assets', async () => {
    const absent = ['/docs/nothing.md', '/docs/nothing/', '/docs/API.md', '/assets/', '/assets/x/try.js'];
    const outside = ['/docs/../package.json', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json'];
    for (const path of [...absent, ...outside, '/docs/released/openapi-1.0.0.json']) {
      assertRefusal(await ask(path), 40400);
    }
    const sentence = (path: string) =>
      `There is no page or operation at "${path}"; the operations are listed at ${base}/docs/.`;
    for (const path of ['/docs/', `${base}/docs/nothing/`, `${base}/members/nobody/`])
      assertRefusal(await send(server.url, path), 40400, sentence(path));
  });

  await t.test('a browser that is refused gets a page, every other client the Error body', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const asked: [method: string, path: string, status: number][] = [
      ['GET', '/docs/nothing/', 404],
      ['HEAD', '/docs/nothing/', 404],
      ['POST', '/docs/reference/', 405],
      ['DELETE', '/docs/reference/', 405],
      ['GET', '/%ff<script>', 400],
    ];
    for (const [method, path, status] of asked) {
      const shown = await ask(path, { method, headers: { Accept: browser } });
      assert.deepEqual([shown.status, shown.headers['content-type']], [status, 'text/html; charset=utf-8'], path);
      assert.equal(shown.headers['vary'], 'Accept, Accept-Language, Cookie');
      assert.match(
        String(shown.headers['content-security-policy']),
        /^default-src 'none'; manifest-src 'self'; style-src 'self'/,
      );
      if (method !== 'HEAD') {
        assert.match(shown.text, new RegExp(`<code>${shown.headers['x-request-id']}</code>`));
        assert.match(shown.text, /<a href="\/practice\/docs\/reference\/">/);
        assert.doesNotMatch(shown.text, /<script/);
      }
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9', undefined]) {
        const told = await ask(path, { method, headers: accept === undefined ? {} : { Accept: accept } });
        const type = 'application/json; charset=utf-8';
        assert.deepEqual([told.status, told.headers['content-type'], told.headers['vary']], [status, type, 'Accept']);
      }
    }
    const operation = await ask('/problem_list/api/problems/', { headers: { Accept: browser } });
    assert.deepEqual([operation.status, operation.headers['content-type']], [401, 'application/json; charset=utf-8']);
    const plant = await ask('/plants/1', { headers: { Accept: browser } });
    assertRefusal(plant, 40500);
  });

  await t.test('openapi.yaml says what openapi.json says', async () => {
    const json = exactJson((await ask('/openapi.json')).text) as { servers: { url: string }[] };
    const { text } = await ask('/openapi.yaml');
    assert.deepEqual(parse(text, { intAsBigInt: true }), json);
    assert.match(text, /^ +maximum: 9223372036854775807$/m);
    assert.equal(json.servers[0]?.url, 'https://example.org/practice');
    assert.doesNotMatch(text, /^\s*[&*]\w/m);
  });

  await t.test('each document is served as it is, but its samples go to this garden', async () => {
    for (const file of documents) {
      const committed = await readFile(join(root, 'docs', file), 'utf8');
      const own = committed.replaceAll('http://localhost:8080/', 'https://example.org/practice/');
      assert.equal((await ask(`/docs/${file}`)).text, own, file);
    }
  });

  await t.test('the help for members and for coaches shows its pictures', async () => {
    for (const path of ['/docs/members/', '/docs/coaches/']) {
      const { text } = await ask(path);
      const pictures = [...text.matchAll(/<img src="\/practice(\/docs\/pictures\/[^"]+)" alt="[^"]{10,}"/g)];
      assert.ok(pictures.length >= 5, `${path} ${pictures.length}`);
      for (const [, picture = ''] of pictures) {
        const { status, headers, bytes } = await ask(picture);
        assert.deepEqual([status, headers['content-type']], [200, 'image/png'], picture);
        assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      }
    }
    assert.equal((await ask('/docs/pictures/staff-1440-light.png')).status, 404);
  });

  await t.test('the samples on a document’s page go to this garden', async () => {
    const unescaped = (await ask('/docs/api/')).text.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
    const document = JSON.parse((await ask('/openapi.json')).text);
    for (const { source } of document.paths['/problem_list/api/problems/'].get['x-codeSamples']) {
      const request = /["']https:\/\/example\.org\/practice\/problem_list[^"']*["']/.exec(source)?.[0] ?? source;
      assert.ok(unescaped.replaceAll('&amp;', '&').includes(request), request);
    }
    for (const file of documents) {
      const { text } = await ask(`/docs/${file.replace(/(?:README)?\.md$/, '')}/`.replace('//', '/'));
      const code = [...text.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, inside]) => inside).join('\n');
      assert.doesNotMatch(code, /http:\/\/localhost:8080\//, file);
    }
  });

  await t.test('llms.txt has the form of the proposal and leads to everything', async () => {
    const { text } = await ask('/llms.txt');
    const [title, , summary] = text.split('\n');
    assert.match(title ?? '', /^# \S/);
    assert.match(summary ?? '', /^> \S/);
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, ['Practice Garden', 'Interface', 'Docs', 'Optional']);
    const entries = [...text.matchAll(/^- \[(.+)\]\((\S+)\): (.+)$/gm)];
    assert.equal(entries.length, text.split('\n').filter((line) => line.startsWith('-')).length);
    for (const [, , url = '', description = ''] of entries) {
      const { origin, pathname } = new URL(url);
      assert.equal(origin, 'https://example.org');
      assert.equal((await send(server.url, pathname)).status, 200, url);
      assert.match(description, /^[^`[\]]{20,}$/, url);
    }
    const linked = entries.map(([, , url]) => url);
    for (const file of [...documents, 'reference.md']) {
      assert.ok(linked.includes(`https://example.org/practice/docs/${file}`), file);
    }
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
});
