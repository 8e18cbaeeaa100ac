/**
 * Connections: every token and secret address of a member is on one page, says what it can do and when it was used, and ends there
 * at once. Tokens of programs are made there, and shown once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInbox } from '../../src/practice/inbox.ts';
import { makeList, setVisibility } from '../../src/practice/lists.ts';
import { makeSharedAddress } from '../../src/practice/public-pages.ts';
import { program, programGarden } from '../programs/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { csrfOf, hrefsOf, textsOf } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { withStore } from '../support/garden.ts';
import { assertRefusal, send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const connections = '/authentication/account/connections/';
const pictures = [
  ['garden', (secret: string) => `/plants/picture/${secret}.svg`],
  ['year', (secret: string) => `/plants/picture/${secret}.svg`],
  ['calendar', (secret: string) => `/dashboard/calendar/${secret}.ics`],
] as const;

const rowsIn = ({ document }: Page) =>
  document.querySelectorAll('.connections li').map((row) =>
    row
      .querySelectorAll('h3, p, button')
      .map(({ textContent }) => textContent)
      .join(' '),
  );

/** Ada has one of everything, and ben too; `addresses` are hers. */
async function connected(t: Parameters<typeof programGarden>[0]) {
  const garden = await programGarden(t);
  const addresses: Record<string, string> = {};
  await withStore(garden.databaseUrl, async (store) => {
    const members = await store.reader.selectFrom('members').select(['id', 'username']).execute();
    for (const { id, username } of members) {
      const inbox = await makeInbox(store, id);
      for (const [kind] of pictures) await makeSharedAddress(store, id, kind);
      const list = await makeList(store, { ownerId: id, name: `For a friend of ${username}` });
      const secret = await setVisibility(store, { id: list, owner_id: id }, 'secret');
      if (username !== 'ada') continue;
      Object.assign(addresses, { inbox: `/inbox/${inbox}/`, list: `/problem_list/shared/${secret}/` });
      const shared = await store.reader.selectFrom('shared_addresses').selectAll().where('user_id', '=', id).execute();
      for (const [kind, path] of pictures)
        addresses[kind] = path(shared.find((one) => one.kind === kind)?.secret ?? '');
    }
  });
  const { server } = garden;
  const statusOf = async (name: string) => {
    const post = { method: 'POST', body: 'https://codeforces.com/contest/7/problem/A' };
    return (await send(server.url, addresses[name] ?? '', name === 'inbox' ? post : {})).status;
  };
  return { ...garden, addresses, statusOf, browser: await browserOf(server.url, 'ada') };
}

test('every token and address of the member is there with what it can do, and nobody else’s', async (t) => {
  const { browser, ada, reader, addresses, statusOf } = await connected(t);
  await ada('/marks/7', { method: 'PATCH', body: { starred: true } });
  await reader('/me');
  for (const name of Object.keys(addresses)) assert.equal(await statusOf(name), 200, name);
  const page = await browser.open(connections);
  const rows = rowsIn(page);
  const expected = [
    /^test Expires.* problems:read/,
    /^test Expires.* your own code/,
    /^test Expires.* Read (?!and)/,
    /^test Expires.* Read and mark, your own code/,
    /^Inbox ….inbox.\S{5}… Add problems used just now/,
    /^Calendar ….calendar.\S{5}… See due times and contests used just now/,
    /^Your garden as a picture ….picture.\S{5}… See the picture used just now/,
    /^Your year as a picture .* See the picture used just now/,
    /^For a friend of ada .* See the list Revoke/,
  ];
  assert.equal(rows.length, expected.length, rows.join('\n'));
  for (const [place, pattern] of expected.entries()) assert.match(rows[place] ?? '', pattern);
  for (const address of Object.values(addresses)) {
    const [secret = ''] = /[\w-]{20,}/.exec(address) ?? [];
    assert.ok(secret && !page.text.includes(secret), address);
  }
});

test('what is revoked there ends at once, and what is another’s stays', async (t) => {
  const { databaseUrl, browser, ada, ben, addresses, statusOf } = await connected(t);
  const ids = await rowsOf(databaseUrl, 'SELECT id, name FROM lists');
  const tokens = await rowsOf(databaseUrl, "SELECT id FROM tokens WHERE scopes LIKE 'practice:mark%' ORDER BY id");
  const [own, foreign] = tokens.map(({ id }) => String(id));
  const listOf = (name: string) => String(ids.find((one) => String(one['name']).endsWith(name))?.['id']);
  await browser.open(connections);
  const { path, fields } = browser.filled({ name: 'revoke', value: own ?? '' });
  const withoutToken = await browser.post(path, { revoke: own ?? '' });
  assert.equal(withoutToken.status, 403);
  for (const [name, value] of [
    ['revoke', foreign],
    ['list', listOf('ben')],
  ] as const) {
    const other = new URLSearchParams({ ...Object.fromEntries(fields), [name]: value ?? '' });
    if (name !== 'revoke') other.delete('revoke');
    await browser.post(path, other);
  }
  assert.equal((await ben('/me')).status, 200);
  const others = await rowsOf(databaseUrl, "SELECT id FROM lists WHERE visibility = 'secret'");
  assert.equal(others.length, 2);
  assert.equal((await ada('/me')).status, 200);
  await browser.open(connections);
  const hint = (page: Page) => /Every change by a program that can mark is in/.test(page.text);
  assert.equal(hint(browser.page()), true);
  assert.equal(hint(await browser.submit({ name: 'revoke', value: own ?? '' })), false, 'no other token can mark');
  assertRefusal(await ada('/me'), 40101);
  for (const name of Object.keys(addresses)) {
    await browser.open(connections);
    const button = name === 'list' ? { name: 'list', value: listOf('ada') } : { name: 'end', value: name };
    const after = await browser.submit(button);
    assert.match(textOf(after, '[role=status]'), name === 'inbox' ? /inbox is off/ : /Address revoked/);
    assert.equal(await statusOf(name), 404, name);
    assert.equal(after.document.querySelectorAll(`[data-address="${name}"]`).length, 0);
  }
  assert.equal((await rowsOf(databaseUrl, 'SELECT user_id FROM inboxes')).length, 1);
  assert.equal((await rowsOf(databaseUrl, 'SELECT kind FROM shared_addresses')).length, 3);
});

test('a token of a program has the scopes and days that were chosen, and is shown once', async (t) => {
  const { databaseUrl, server, browser } = await connected(t);
  for (const [values, scopes, days] of [
    [{}, 'practice:mark', 90],
    [{ access: 'read', expires: '365d' }, 'practice:read', 365],
    [{ code: true, expires: '7d' }, 'practice:mark practice:code', 7],
  ] as const) {
    await browser.open(connections);
    const made = await browser.submit({ name: 'name' }, { name: 'editor', ...values });
    const secret = textOf(made, '[data-secret]');
    assert.match(secret, /^pgw_\w{36}$/);
    const texts = textsOf(made, '.mcp pre');
    const [byAddress, byCommand] = texts.map((text) => JSON.parse(text).mcpServers['practice-garden']);
    const baseUrl = server.url.replace('127.0.0.1', 'localhost');
    assert.equal(byAddress.url, `${baseUrl}/practice/mcp`);
    assert.equal(byAddress.headers.Authorization, `Bearer ${secret}`);
    const env = { GARDEN_URL: baseUrl, GARDEN_TOKEN: secret };
    assert.deepEqual(byCommand, { command: 'garden-client', args: ['mcp'], env });
    const { token } = (await program(server.url, secret)('/me')).json;
    assert.deepEqual(token.scopes.join(' '), scopes);
    const daysLeft = (Date.parse(token.expires_at) - Date.now()) / 86_400_000;
    assert.ok(daysLeft > days - 0.1 && daysLeft <= days, `${daysLeft}`);
    assert.deepEqual(hrefsOf(made, '.mcp a'), ['/docs/programs/#mcp', '/docs/command/']);
    assert.ok(!(await browser.open(connections)).text.includes(secret), 'it is shown once');
  }
  const before = await rowsOf(databaseUrl, 'SELECT id FROM tokens');
  const { path, fields } = browser.filled({ name: 'name' }, { name: 'editor' });
  for (const [name, value, fault] of [
    ['name', ' ', /Enter a name/],
    ['expires', '366d', /Choose one/],
    ['access', 'staff', /at least one/],
  ] as const) {
    const refused = await browser.post(path, new URLSearchParams({ ...Object.fromEntries(fields), [name]: value }));
    assert.equal(refused.status, 422, name);
    assert.match(textOf(refused, '.fault'), fault);
  }
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM tokens'), before);
});

test('a token leads to what its program changed, and to nothing else', async (t) => {
  const { databaseUrl, browser, ada, ben } = await connected(t);
  await ada('/marks/7', { method: 'PATCH', body: { status: 'solved' } });
  await ben('/marks/8', { method: 'PATCH', body: { status: 'solved' } });
  await browser.open('/problem_list/problem/9/');
  await browser.submit({ name: 'bookmark', value: 'true' });
  const problemsOf = async (path: string) => textsOf(await browser.open(path), '.event a');
  assert.deepEqual((await problemsOf('/dashboard/history/')).toSorted(), ['P7', 'P9']);
  await tamper(databaseUrl, `UPDATE tokens SET last_used_at = '${new Date(Date.now() - 3_600_000).toISOString()}'`);
  const page = await browser.open(connections);
  const links = hrefsOf(page, '[data-token] a');
  assert.equal(links.length, 1, 'only what can mark has changes');
  assert.match(rowsIn(page)[3] ?? '', /Read and mark, your own code used 60 min ago · Changes by test/);
  assert.deepEqual(await problemsOf(links[0] ?? ''), ['P7']);
  const [other] = await rowsOf(databaseUrl, "SELECT max(id) AS id FROM tokens WHERE scopes = 'practice:mark'");
  assert.deepEqual(await problemsOf(`/dashboard/history/?token=${other?.['id']}`), []);
});

test('the use of an address is written at most once an hour, and not for a preview on the website', async (t) => {
  const { databaseUrl, server, addresses, statusOf } = await connected(t);
  const query = "SELECT used_at FROM shared_addresses WHERE kind = 'garden' ORDER BY user_id";
  const usedAt = async () => (await rowsOf(databaseUrl, query)).map(({ used_at }) => used_at);
  await send(server.url, addresses['garden'] ?? '', { headers: { 'Sec-Fetch-Site': 'same-origin' } });
  assert.deepEqual(await usedAt(), [null, null]);
  for (const [minutesAgo, isWritten] of [
    [59, false],
    [61, true],
  ] as const) {
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    await tamper(databaseUrl, `UPDATE shared_addresses SET used_at = '${at}'`);
    await statusOf('garden');
    const [own, others] = await usedAt();
    assert.equal(own !== at, isWritten);
    assert.equal(others, at);
  }
});

test('with PROGRAMS=off and for a new member the page says what can be connected', async (t) => {
  const { databaseUrl, server } = await programGarden(t);
  const off = await serveHere(t, { databaseUrl, env: { PROGRAMS: 'off' } });
  const member = await browserOf(off.url, 'ada');
  const page = await member.open(connections);
  assert.equal(rowsIn(page).length, 4, 'tokens can be revoked all the same');
  assert.doesNotMatch(page.text, /MCP|Connect a program|name="access"/);
  const sent = await member.post(connections, { _csrf: csrfOf(page), name: 'x', access: 'mark', expires: '90d' });
  assert.deepEqual([sent.hops[0]?.status, sent.path], [303, connections]);
  assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM tokens')).length, 5);
  await withStore(databaseUrl, (store) => store.runChange((db) => db.deleteFrom('tokens').execute()));
  const empty = await (await browserOf(server.url, 'ada')).open(connections);
  assert.match(textOf(empty, '.empty'), /Nothing connected yet.*A token lets.*A secret address lets/s);
  assert.deepEqual(rowsIn(empty), []);
});

test('a program is connected and revoked by keys alone in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { server } = await programGarden(t);
  const { cookies } = await browserOf(server.url, 'ada');
  const { page, complaints, look } = await openPage(browser, server.url, { cookies });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(server.url + connections);
  await page.focus('.page-head .button');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#connect$/);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Laptop');
  await page.keyboard.press('Enter');
  const secret = await page.locator('[data-secret]').innerText();
  await look('connections-made');
  assert.equal((await program(server.url, secret)('/me')).json.token.name, 'Laptop');
  await page.focus('[data-token] .danger');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=revoked/);
  assertRefusal(await program(server.url, secret)('/me'), 40101);
  assert.deepEqual(complaints, []);
});
