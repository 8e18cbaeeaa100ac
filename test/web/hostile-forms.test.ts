/**
 * Every form on every page, sent wrongly: tokens that are none, texts that are no texts, bodies that are no forms, ways back that
 * lead elsewhere, methods that a page has not. Forms are found on the pages, so a new one is tested without a line here. Each form
 * is sent some of the wrong things in turn; with `npm test fuzz`, all of them.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyImportPath, newListPath } from '../../src/web/paths.ts';
import { openGarden } from '../importing/support.ts';
import { crawl, type FoundForm, routeOf, routePaths, tokenField, tokenOf } from '../support/crawl.ts';
import { type Browser, browser, signIn, usualPassword } from '../support/forms.ts';
import { parseRaw, type Reply, sendRaw } from '../support/http.ts';
import { digester, markedGarden } from '../support/marked-garden.ts';

const urlencoded = 'application/x-www-form-urlencoded';
const evil = 'evil.example';
const isEach = process.env['GARDEN_FUZZ_RUNS'] !== undefined;
/** The nth form, or field, gets every so many of a list, and the next one those beside them. */
const inTurn = <T>(list: readonly T[], every: number, nth: number) =>
  isEach ? list : list.filter((_, place) => place % every === nth % every);
const probe = '<img src=x onerror="zq()">';

const texts: Readonly<Record<string, string>> = {
  '10 kB': 'x'.repeat(10_000),
  '10 kB of one letter in four bytes': encodeURIComponent('🌱'.repeat(2_500)),
  NUL: 'a%00b',
  'invalid UTF-8': '%ff%fe%c0%80',
  'a lone surrogate': '%ed%a0%80',
  'half a percent': '%%3%zz',
  'ends of lines': 'a%0d%0aSet-Cookie:%20zq=1%0d%0a%0d%0a%3Cb%3E',
  markup: encodeURIComponent(`"'>${probe}</textarea></title><script>zq()</script>`),
  'bidi overrides': encodeURIComponent('\u202egrebmun\u2066\u2067\u200f'),
  'a script address': encodeURIComponent('javascript:zq()'),
  'a data address': encodeURIComponent(`data:text/html,${probe}`),
  'a formula': encodeURIComponent('=cmd|" /C calc"!A0'),
  'an expression': encodeURIComponent("' OR 1=1 -- #{7*7} {{7*7}}"),
  'a prototype': '__proto__',
};

const waysElsewhere = [
  `//${evil}/`,
  `/\\${evil}/`,
  `\\\\${evil}/`,
  `/\t/${evil}/`,
  `/%09/${evil}/`.replace('%09', '\t'),
  `https:${evil}`,
  `https://${evil}/`,
  `/.//${evil}/`,
  `/\r\nLocation: https://${evil}/`,
  `javascript:alert('${evil}')`,
  `@${evil}/`,
  `/${evil}`.replace('/', '\u2215\u2215'),
];

const post = (one: Browser, path: string, body: string, type = urlencoded) =>
  one.ask(path, { method: 'POST', headers: { 'Content-Type': type }, body });

function assertHarmless({ status, headers, text }: Reply, what: string): void {
  assert.ok(status < 500, `${what}: ${status}`);
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
  assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/, what);
  if (status === 303) {
    const { location = '' } = headers;
    assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, what);
    assert.equal(new URL(location, 'http://garden.test').host, 'garden.test', what);
  } else assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/, what);
  assert.ok(!text.includes(probe) && !text.includes('<script>zq'), `${what}: markup`);
  // The bookmark button of the inbox is the one script in an address; its text is fixed, and the policy of the page blocks it.
  const linked = text.replace(/ href="javascript:location=[^"]*encodeURIComponent\(document\.title\)"/, '');
  assert.doesNotMatch(linked, /(?:href|src|action)="(?:javascript|data):/i, what);
  const leads = /(?:href|src|action|value)="(?:[a-z]+:|[\\/\s]*[\\/]{2})[^"]*evil\.example/i;
  assert.doesNotMatch(text, leads, `${what}: leads elsewhere`);
  assert.doesNotMatch(text, /node_modules|\.ts:\d|SQLITE_|sqlite:|postgres:|argon2id|\bat \S+ \(/, what);
  // A random value may have these letters, and has no sign of equality.
  assert.doesNotMatch(String(headers['set-cookie']), /zq=/, what);
  assert.ok(text.length < 400_000, `${what}: ${text.length} bytes`);
}

test('forms that are sent wrongly', async (t) => {
  const { databaseUrl, url, ids, visitors, stderr } = await markedGarden(t);
  const { store } = await openGarden(t, databaseUrl);
  const rows = await digester(store, ids);
  const found: { one: Browser; form: FoundForm; what: string }[] = [];
  const kinds = new Set<string>();
  const addresses = new Map<string, { one: Browser; address: string }>();
  for (const name of ['stranger', 'ada', 'grace'] as const) {
    const { pages, forms } = await crawl(visitors[name], { withIdAtMost: isEach ? 12 : 4 });
    for (const address of pages.keys()) {
      const route = routeOf(address) ?? '';
      if (!addresses.has(route)) addresses.set(route, { one: visitors[name], address });
    }
    for (const form of forms) {
      const said = [...form.fields].filter(([field]) => field !== tokenField);
      const last = said.at(-1)?.join('=').replace(/\d+/g, '') ?? '';
      const kind = `${name === 'stranger' ? name : ''} ${routeOf(form.path)} ${[...form.fields.keys()]} ${last.slice(0, 20)}`;
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      found.push({ one: visitors[name], form, what: `${name}, ${kind}` });
    }
  }
  const isEnding = ({ path, fields }: FoundForm) =>
    /sign-out|delete/.test(path) || fields.has('end') || fields.has('end_others');

  await t.test('many forms were found, and every page that has one', () => {
    assert.ok(found.length > 40, `${found.length} forms`);
    const routes = new Set(found.map(({ form }) => routeOf(form.path)));
    t.diagnostic(`${found.length} forms of ${routes.size} routes`);
    assert.ok(routes.size > 15, [...routes].join());
  });

  await t.test('a token that is missing, doubled, another’s or from before changes nothing', async () => {
    const before = await rows();
    const late = browser(url);
    await late.open('/authentication/sign-in/');
    const early = late.filled({ name: 'password' });
    const ofStranger = found.filter(({ one }) => one === visitors.stranger).map(({ form }) => tokenOf(form))[0];
    const ofEnded = await signIn(url, 'eve');
    await ofEnded.open('/problem_list/');
    const ended = ofEnded.filled({ within: 'form[action$="sign-out/"]' }).fields.get(tokenField) ?? '';
    await ofEnded.submit({ within: 'form[action$="sign-out/"]' });
    const ofBob = (await visitors.bob.ask('/problem_list/')).text.match(/[\w-]{16}\.[\w-]{43}/)?.[0] ?? '';
    for (const [nth, { one, form, what }] of found.entries()) {
      const good = tokenOf(form);
      const own = one === visitors.stranger ? ended : (ofStranger ?? '');
      const others = [own, ofBob, ended, early.fields.get(tokenField) ?? '', good.slice(0, -1)];
      const wrong = [[], [''], [good, good], ...others.map((other) => [other])];
      for (const tokens of inTurn(wrong, 8, nth)) {
        const fields = new URLSearchParams([...form.fields].filter(([name]) => name !== tokenField));
        for (const token of tokens) fields.append(tokenField, token);
        const reply = await post(one, form.path, String(fields));
        assert.equal(reply.status, 403, `${what}: ${tokens}`);
        assertHarmless(reply, what);
      }
    }
    await late.submit({ name: 'password' }, { username: 'ada', password: usualPassword });
    const fields = new URLSearchParams({
      [tokenField]: early.fields.get(tokenField) ?? '',
      status: 'skipped',
    });
    assert.equal((await post(late, '/problem_list/problem/4/', String(fields))).status, 403);
    await late.open('/problem_list/');
    await late.submit({ within: 'form[action$="sign-out/"]' });
    assert.deepEqual(await rows(), before);
  });

  await t.test('bodies that are no forms of this kind change nothing', async () => {
    const before = await rows();
    for (const [nth, { one, form, what }] of found.entries()) {
      const body = String(form.fields);
      const json = JSON.stringify(Object.fromEntries(form.fields));
      const part = `--x\r\nContent-Disposition: form-data; name="${tokenField}"\r\n\r\n${tokenOf(form)}\r\n--x--\r\n`;
      const bodies: [type: string, body: string, statuses: number[]][] = [
        ['application/json', json, [400, 403, 415]],
        ['text/plain', body, [400, 403, 415]],
        ['multipart/form-data; boundary=x', part, [400, 403, 415]],
        ['multipart/form-data', part, [400, 403, 415]],
        ['multipart/form-data; boundary=x', part.slice(0, -20), [400, 403, 415]],
        [urlencoded, `${'a=1&'.repeat(10_000)}b=2`, [403]],
        [urlencoded, `${body.replaceAll('=', '[]=')}&__proto__[${tokenField}]=x&constructor[prototype]=y`, [403]],
        [
          urlencoded,
          `${body}&rest=${'x'.repeat([newListPath, historyImportPath].includes(form.path) ? 4_500_000 : 700_000)}`,
          [413],
        ],
      ];
      for (const [type, sent, statuses] of inTurn(bodies, 8, nth)) {
        const reply = await post(one, form.path, sent, type);
        const isPartial = type.startsWith('multipart') && [413, 422].includes(reply.status);
        assert.ok(statuses.includes(reply.status) || isPartial, `${what}, ${type}: ${reply.status}`);
        assertHarmless(reply, `${what}, ${type}`);
      }
    }
    assert.deepEqual(await rows(), before);
  });

  await t.test('a body that is cut off changes nothing', async () => {
    const before = await rows();
    const cut = found.filter(({ form }) => !form.hasPassword).slice(0, 60);
    await Promise.all(
      cut.map(async ({ one, form, what }) => {
        const jar = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const body = String(form.fields);
        const head = `POST ${form.path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: ${jar}\r\nContent-Type: ${urlencoded}\r\n`;
        const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\nzz\r\n`;
        const { status } = parseRaw(await sendRaw(url, chunked));
        assert.equal(status, 400, what);
      }),
    );
    assert.deepEqual(await rows(), before);
  });

  await t.test('a way back leads into the garden, whatever the form says', async () => {
    let [tried, turns] = [0, 0];
    for (const { one, form, what } of found) {
      if (isEnding(form)) continue;
      for (const [name, value] of form.fields) {
        if (!value.startsWith('/') && !['then', 'from', 'to', 'next'].includes(name)) continue;
        for (const way of inTurn(waysElsewhere, 8, turns++)) {
          const fields = new URLSearchParams(form.fields);
          fields.set(name, way);
          assertHarmless(await post(one, form.path, String(fields)), `${what}, ${name}=${way}`);
          tried++;
        }
      }
    }
    for (const [nth, { one, address }] of [...addresses.values()].entries()) {
      const [path = ''] = address.split('?');
      for (const name of inTurn(['then', 'from', 'to', 'next', 'return', 'changed', 'done', 'q'], 8, nth)) {
        // A name meets the next way at each of its turns.
        const way = waysElsewhere[((nth % 8) + Math.floor(nth / 8)) % waysElsewhere.length] ?? '';
        const reply = await one.ask(`${path}?${new URLSearchParams({ [name]: way })}`);
        if (reply.headers['content-disposition'] || path.endsWith('/staff/health/')) continue;
        const text = name === 'q' ? reply.text.replaceAll(/ value="[^"]*"/g, '') : reply.text;
        assertHarmless({ ...reply, text }, `${path}?${name}=${way}`);
        tried++;
      }
    }
    assert.ok(tried > 150, `${tried}`);
  });

  await t.test('methods that a page has not', async () => {
    const before = await rows();
    const methods = ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];
    for (const [nth, [route, { one, address }]] of [...addresses].entries()) {
      const [path = ''] = address.split('?');
      for (const method of inTurn(methods, 7, nth)) {
        const reply = await one.ask(path, { method, body: method === 'PUT' ? 'x' : undefined } as object);
        const isHidden = route.startsWith('/authentication/staff/');
        const status = isHidden ? [404] : method === 'OPTIONS' ? [204] : [405, 501];
        assert.ok(status.includes(reply.status) || reply.status === 400, `${method} ${path}: ${reply.status}`);
        assert.equal(reply.headers['set-cookie'], undefined);
        if (method !== 'OPTIONS') assertHarmless(reply, `${method} ${path}`);
      }
      const [get, head] = [await one.ask(address), await one.ask(address, { method: 'HEAD' })];
      assert.equal(head.text, '');
      assert.ok(head.status === get.status || head.status === 405, `HEAD ${address}: ${head.status}`);
    }
    assert.deepEqual(await rows(), before);
    const reached = [...addresses.keys()].filter((route) => routePaths.includes(route));
    assert.ok(reached.length > 15, reached.join());
  });

  await t.test('texts that are no texts, and fields that no form has', async () => {
    let [sent, turns] = [0, 0];
    let before: unknown;
    for (const { one, form, what } of found) {
      let page: Reply | undefined;
      if (isEnding(form) || form.hasPassword || form.typed.length === 0) continue;
      for (const field of form.typed) {
        const turn = turns++;
        for (const [name, text] of inTurn(Object.entries(texts), 10, turn)) {
          const known = new URLSearchParams(form.fields);
          page ??= await one.ask(form.page);
          before ??= await rows();
          known.set(tokenField, page.text.match(/[\w-]{16}\.[\w-]{43}/)?.[0] ?? '');
          if (known.has('version')) {
            const at = page.text.indexOf(`name="${field}"`);
            const versions = [...page.text.slice(0, at).matchAll(/name="version" value="([^"]*)"/g)];
            known.set('version', versions.at(-1)?.[1] ?? '');
          }
          known.delete(field);
          const junk = '&role=staff&user_id=1&id=1&is_disabled=0&__proto__=x&constructor=y&toString=z&hasOwnProperty=1';
          const reply = await post(one, form.path, `${known}&${field}=${text}${sent % 2 ? junk : ''}`);
          assertHarmless(reply, `${what}, ${field}: ${name}`);
          if (reply.status >= 400) assert.deepEqual(await rows(), before, `${what}, ${field}: ${name}`);
          else {
            before = page = undefined;
            const next = reply.headers.location ?? form.page;
            const shown = await one.ask(next);
            assertHarmless(shown, `${next} after ${what}, ${field}: ${name}`);
          }
          sent++;
        }
      }
    }
    t.diagnostic(`${sent} texts`);
    assert.ok(sent > 150, `${sent}`);
    const roles = await store.reader.selectFrom('members').select(['username', 'role']).orderBy('id').execute();
    assert.deepEqual(
      roles.slice(0, 4).map(({ role }) => role),
      ['member', 'member', 'member', 'staff'],
    );
    // Accepted texts are in the files, where no cell is a formula; a line may end in an empty one.
    for (const what of ['records', 'bookmarks', 'plants', 'statuses']) {
      const { text } = await visitors.ada.ask(`/authentication/account/data/${what}/?format=csv`);
      assert.match(text, /^\ufeff\w/, 'Excel shows the letters of names');
      assert.doesNotMatch(text, /(?:^|[,\n])"?(?:[=+\-@\t]|\r(?!\n))[^\d]/, what);
    }
  });

  assert.doesNotMatch(stderr(), /"level":(?:50|60)/, 'no fault is logged');
});
