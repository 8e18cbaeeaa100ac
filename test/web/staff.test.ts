/** The pages of staff, by forms over plain HTTP: what each act does, that it is logged with the act, and that nobody else gets in. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { loadSample } from '../../src/importing/sample.ts';
import { makeList } from '../../src/practice/lists.ts';
import { openGarden } from '../importing/support.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf, attributesOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import {
  type Browser,
  browser,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
  usualPassword,
} from '../support/forms.ts';
import { importPlants, memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';
import { assertRefusal, likeness, send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const base = '/authentication/staff/';
const rooms = [
  '',
  'members/',
  'invitations/',
  'settings/',
  'imports/',
  'judges/',
  'webhooks/',
  'backups/',
  'health/',
  'log/',
];
const newPassword = 'a heron under the bridge';
const passwords = { password: newPassword, password_again: newPassword };

interface World {
  url: string;
  databaseUrl: string;
  staff: Browser;
  ids: Record<'root' | 'ada' | 'grace', bigint>;
  log(): Promise<string[]>;
}

async function worldOf(t: TestContext, basePath = ''): Promise<World> {
  const databaseUrl = await temporaryDatabase(t);
  const ids = await withStore(databaseUrl, async () => ({
    root: await memberWithPassword(databaseUrl, 'root', { role: 'staff' }),
    ...(await membersNamed(databaseUrl, 'ada', 'grace')),
  }));
  const env = { BASE_URL: `http://localhost:8080${basePath}` };
  const { url } = await serveHere(t, { databaseUrl, env });
  const log = async () =>
    (await rowsOf(databaseUrl, 'SELECT what FROM staff_log ORDER BY id')).map(({ what }) => String(what));
  return { url, databaseUrl, staff: await browserOf(url, 'root'), ids, log };
}

function deedIn(page: Page, deed: string): string {
  const row = page.document.querySelector(`[data-deed=${deed}]`);
  return row ? textsOf({ document: row }, 'td').slice(1).join(' ') : '';
}

const secretIn = (page: Page) => new URL(textOf(page, '[data-secret]'));

const press = (one: Browser, path: string, act: string, filling = {}) =>
  one.submitAt(path, { name: 'act', value: act }, filling);

test('a member finds nothing where the pages of staff are, by any method, as where nothing is', async (t) => {
  const { url, ids, log } = await worldOf(t);
  const ada = await browserOf(url, 'ada');
  await ada.open('/problem_list/');
  const { fields } = ada.filled({ within: 'form[action$="sign-out/"]' });
  const paths = [...rooms, `members/${ids.grace}/`, 'members/999/', 'members'].map((room) => base + room);
  for (const path of paths) {
    const other = path.replace('/staff/', '/stuff/');
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY']) {
      const ask = (target: string) =>
        ada.ask(target, {
          method,
          headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
          ...(method === 'POST' && { body: String(fields) }),
        });
      const [hidden, none] = [await ask(path), await ask(other)];
      if (method !== 'HEAD') assertRefusal(hidden, 40400);
      assert.equal(hidden.status, 404);
      const same = { ...none, text: none.text.replaceAll('/stuff/', '/staff/') };
      assert.deepEqual(likeness(hidden), likeness(same), `${method} ${path}`);
    }
  }
  assert.deepEqual(await log(), []);
  const stranger = await browser(url).open(`${base}members/`);
  assert.match(stranger.path, /^\/authentication\/sign-in\/\?then=/);
});

test('every page of staff answers, keeps no copy, and leads to the others', async (t) => {
  const { staff } = await worldOf(t, '/practice');
  for (const room of rooms) {
    const page = await staff.open(`/practice${base}${room}`);
    assert.equal(page.status, 200, room);
    assert.equal(page.headers['cache-control'], 'no-store');
    for (const href of attributesOf(page, '.rooms a', 'href'))
      assert.match(href, /^\/practice\/authentication\/staff\//);
  }
});

describe('members', () => {
  test('are made with an address at which they choose a password, shown once', async (t) => {
    const { staff, url, databaseUrl, log } = await worldOf(t);
    const taken = await staff.submitAt(`${base}members/`, { name: 'role' }, { username: 'ADA', role: 'staff' });
    assert.equal(taken.status, 422);
    assert.match(textOf(taken, '.fault'), /The username ADA is taken/);
    assert.deepEqual(await log(), []);
    const made = await staff.submit({ name: 'role' }, { username: 'barbara', role: 'staff' });
    assert.deepEqual([made.status, made.headers['cache-control']], [200, 'no-store']);
    const { href, pathname } = secretIn(made);
    assert.match(href, /^http:\/\/localhost:\d+\/authentication\/reset\/[\w-]{43}\/$/);
    const again = await staff.open(`${base}members/`);
    assert.doesNotMatch(again.text, /authentication\/reset/);
    const barbara = browser(url);
    await barbara.submitAt(pathname, { name: 'password' }, passwords);
    assert.equal((await barbara.open(base)).status, 200);
    assert.deepEqual(await log(), ['member-made']);
    assert.equal((await browser(url).open(pathname)).status, 404);
    const [row] = await rowsOf(databaseUrl, "SELECT role FROM members WHERE username = 'barbara'");
    assert.equal(row?.['role'], 'staff');
  });

  test('are found by name, in any case, and counted', async (t) => {
    const { staff, databaseUrl } = await worldOf(t);
    const garden = await openGarden(t, databaseUrl);
    const rows = Array.from({ length: 60 }, (_, at) => ({ username: `kid${at}`, email: `k${at}@example.org` }));
    await garden.import('records', rows);
    const all = await staff.open(`${base}members/`);
    assert.equal(totalIn(all), 63);
    assert.equal(all.document.querySelectorAll('[data-member]').length, 50);
    const next = await staff.open(attributeOf(all, 'nav[aria-label="Pages"] a', 'href') ?? '');
    assert.equal(next.document.querySelectorAll('[data-member]').length, 13);
    const found = await staff.submitAt(`${base}members/`, { within: 'form.inline-form' }, { q: 'KID1' });
    assert.equal(found.document.querySelectorAll('[data-member]').length, 11);
    const none = await staff.open(`${base}members/?q=%3Cscript%3E&page=99999999`);
    assert.match(textOf(none, '.empty'), /No username, name or email contains “<script>”/);
    assert.doesNotMatch(none.text, /<script>/);
  });

  test('are shown with how many plants they have', async (t) => {
    const { staff, databaseUrl, ids } = await worldOf(t);
    await importPlants(databaseUrl, 3);
    const page = await staff.open(`${base}members/`);
    assert.match(textOf(page, `[data-member="${ids.ada}"] dl`), /Plants ?3$/);
    assert.match(textOf(page, `[data-member="${ids.grace}"] dl`), /Plants ?0$/);
  });

  test('are renamed, and a name that cannot be is refused beside its field', async (t) => {
    const { staff, ids, log } = await worldOf(t);
    const path = `${base}members/${ids.ada}/`;
    for (const username of ['grace', 'a b', 'x'.repeat(65), '']) {
      const refused = await press(staff, path, 'rename', { username });
      assert.equal(refused.status, 422, username);
      assert.notEqual(textOf(refused, '#username-fault'), '');
    }
    const done = await press(staff, path, 'rename', { username: 'lovelace' });
    assert.equal(textOf(done, 'h1'), 'lovelace');
    assert.equal(textOf(done, '[role=status]'), 'Member renamed.');
    assert.deepEqual(await log(), ['member-renamed']);
  });

  test('are disabled and enabled: browser and token stop at once', async (t) => {
    const { staff, url, databaseUrl, ids, log } = await worldOf(t);
    const ada = await browserOf(url, 'ada');
    const { token } = await memberWithToken(databaseUrl, 'ada');
    const path = `${base}members/${ids.ada}/`;
    const reach = async () => [
      (await ada.ask('/problem_list/')).status,
      (await send(url, '/problem_list/api/problems/', { token })).status,
    ];
    assert.deepEqual(await reach(), [200, 200]);
    await press(staff, path, 'disable');
    assert.deepEqual(await reach(), [303, 401]);
    await press(staff, path, 'enable');
    assert.deepEqual(await reach(), [200, 200]);
    assert.deepEqual(await log(), ['member-disabled', 'member-enabled']);
  });

  test('become staff and stop to be, at once', async (t) => {
    const { staff, url, ids, log } = await worldOf(t);
    const ada = await browserOf(url, 'ada');
    const path = `${base}members/${ids.ada}/`;
    await press(staff, path, 'role', { role: 'staff' });
    assert.equal((await ada.open(base)).status, 200);
    await press(staff, path, 'role', { role: 'member' });
    assert.equal((await ada.open(base)).status, 404);
    assert.deepEqual(await log(), ['staff-made', 'staff-ended']);
  });

  test('are deleted after their name is typed, with all that is theirs', async (t) => {
    const { staff, url, ids, databaseUrl, log } = await worldOf(t);
    const ada = await browserOf(url, 'ada');
    const path = `${base}members/${ids.ada}/`;
    for (const confirm of ['', 'Ada', 'grace']) {
      const refused = await press(staff, path, 'delete', { confirm });
      assert.equal(refused.status, 422);
      assert.match(textOf(refused, '#confirm-fault'), /type the username ada exactly/);
    }
    const done = await press(staff, path, 'delete', { confirm: 'ada' });
    assert.equal(done.path, `${base}members/?done=deleted`);
    assert.equal((await staff.open(path)).status, 404);
    assert.equal((await ada.ask('/problem_list/')).status, 303);
    assert.deepEqual(await log(), ['member-deleted']);
    const deed = deedIn(await staff.open(`${base}log/`), 'member-deleted');
    assert.equal(deed, `root deleted member ${ids.ada}`);
    assert.doesNotMatch((await staff.open(base)).text, /\bada\b/);
    assert.equal((await rowsOf(databaseUrl, "SELECT id FROM members WHERE username = 'ada'")).length, 0);
  });

  test('get a reset address; the one before stops working, and their browsers are signed out by it', async (t) => {
    const { staff, url, ids, log } = await worldOf(t);
    const ada = await browserOf(url, 'ada');
    const path = `${base}members/${ids.ada}/`;
    const shown = await press(staff, path, 'reset');
    const next = await press(staff, path, 'reset');
    for (const one of [shown, next]) assert.equal(one.headers['cache-control'], 'no-store');
    const { pathname } = secretIn(next);
    assert.equal((await browser(url).open(secretIn(shown).pathname)).status, 404);
    const other = browser(url);
    await other.submitAt(pathname, { name: 'password' }, passwords);
    assert.equal((await ada.ask('/problem_list/')).status, 303);
    assert.equal((await other.ask('/problem_list/')).status, 200);
    assert.deepEqual(await log(), ['reset-made', 'reset-made']);
  });

  test('the only staff cannot disable, demote or delete themselves; nothing is changed or logged', async (t) => {
    const { staff, ids, url, log } = await worldOf(t);
    const path = `${base}members/${ids.root}/`;
    const reason = /this is the only administrator who can sign in\. First make another member an administrator/;
    const acts = { disable: {}, role: { role: 'member' }, delete: { confirm: 'root' } };
    for (const [act, filling] of Object.entries(acts)) {
      const refused = await press(staff, path, act, filling);
      assert.equal(refused.status, 422, act);
      assert.match(textOf(refused, 'main'), reason);
    }
    assert.deepEqual(await log(), []);
    await press(staff, `${base}members/${ids.ada}/`, 'role', { role: 'staff' });
    const done = await press(staff, path, 'role', { role: 'member' });
    assert.equal(done.hops[0]?.headers.location, '/');
    assert.equal((await staff.open(base)).status, 404);
    assert.equal((await (await signIn(url, 'ada')).open(base)).status, 200);
  });

  test('who lost the rights of staff changes nothing more, even by a form that was open', async (t) => {
    const { staff, url, ids, databaseUrl } = await worldOf(t);
    await press(staff, `${base}members/${ids.ada}/`, 'role', { role: 'staff' });
    const ada = await browserOf(url, 'ada');
    await ada.open(`${base}members/${ids.grace}/`);
    await tamper(databaseUrl, `UPDATE members SET role = 'member' WHERE id = ${ids.ada}`);
    const late = await ada.submit({ name: 'act', value: 'disable' });
    assert.equal(late.status, 404);
    const [row] = await rowsOf(databaseUrl, `SELECT is_disabled FROM members WHERE id = ${ids.grace}`);
    assert.equal(Number(row?.['is_disabled']), 0);
  });
});

test('an invitation is shown once, lets as many join as it says, and is taken back', async (t) => {
  const { staff, url, log } = await worldOf(t);
  await staff.open(`${base}invitations/`);
  for (const uses of ['0', '-1', '1000', 'many', '1.5']) {
    const refused = await staff.submit({ name: 'role' }, { uses });
    assert.equal(refused.status, 422, uses);
    assert.match(textOf(refused, '#uses-fault'), /from 1 to 999/);
  }
  const made = await staff.submit({ name: 'role' }, { uses: '999', role: 'member', expires: '1d' });
  const { pathname } = secretIn(made);
  assert.match(pathname, /^\/authentication\/invitation\/[\w-]{43}\/$/);
  const list = await staff.open(`${base}invitations/`);
  assert.doesNotMatch(list.text, new RegExp(pathname));
  assert.match(textOf(list, '[data-invitation]'), /Role: member.* by root.*999/);
  const joins = async (username: string) => {
    const visitor = browser(url);
    const page = await visitor.open(pathname);
    if (page.status !== 200) return page.status;
    const filling = { username, password: newPassword };
    return (await visitor.submit({ name: 'password' }, filling)).hops[0]?.status;
  };
  assert.equal(await joins('first'), 303);
  const gone = await staff.submitAt(`${base}invitations/`, { name: 'take_back' });
  assert.match(textOf(gone, '[role=status]'), /revoked/);
  assert.equal(await joins('second'), 404);
  assert.equal(gone.document.querySelectorAll('[data-invitation]').length, 0);
  assert.deepEqual(await log(), ['invitation-made', 'invitation-ended']);
});

test('open reset links are shown on both pages and can be revoked there', async (t) => {
  const { staff, url, ids, databaseUrl, log } = await worldOf(t);
  const member = `${base}members/${ids.ada}/`;
  const revokes: [where: string, revoke: () => Promise<Page>][] = [
    [`${base}invitations/`, () => staff.submit({ name: 'take_back' })],
    [member, () => staff.submit({ name: 'act', value: 'unreset' })],
  ];
  for (const [path, revoke] of revokes) {
    const shown = await press(staff, member, 'reset');
    const { pathname } = secretIn(shown);
    const page = await staff.open(path);
    assert.match(textOf(page, '[data-reset]'), /Created .* by root/);
    assert.doesNotMatch(page.text, new RegExp(pathname));
    assert.equal((await browser(url).open(pathname)).status, 200);
    assert.match(textOf(await revoke(), '[role=status]'), /revoked/);
    assert.equal((await staff.open(path)).document.querySelector('[data-reset]'), null);
    assert.equal((await browser(url).open(pathname)).status, 404);
  }
  const own = `${base}members/${ids.root}/`;
  await press(staff, own, 'reset');
  const after = await press(staff, own, 'unreset');
  assert.equal(after.path, `${own}?done=reset-ended`, 'an administrator stays on their own page');
  const one = ['reset-made', 'reset-ended'];
  assert.deepEqual(await log(), [...one, ...one, ...one]);
  assert.equal(deedIn(await staff.open(`${base}log/`), 'reset-ended'), 'root revoked a reset link for root');
  await staff.open(`${base}settings/`);
  const { fields } = staff.filled({ name: 'sign_up' });
  const demo = { kind: 'demo', userId: ids.ada, role: 'member', uses: 9, lifetimeMs: 60_000 } as const;
  await withStore(databaseUrl, (store) => store.write((tx) => makeEntryLink(tx, demo)));
  const [row] = await rowsOf(databaseUrl, "SELECT id FROM entry_links WHERE kind = 'demo'");
  fields.set('take_back', String(row?.['id']));
  assert.equal((await staff.post(`${base}invitations/`, fields)).status, 404);
});

const losses: [name: string, lose: (world: World) => Promise<unknown>][] = [
  ['demoted', ({ staff, ids }) => press(staff, `${base}members/${ids.ada}/`, 'role', { role: 'member' })],
  ['disabled', ({ staff, ids }) => press(staff, `${base}members/${ids.ada}/`, 'disable')],
  ['deleted', ({ staff, ids }) => press(staff, `${base}members/${ids.ada}/`, 'delete', { confirm: 'ada' })],
  [
    'deleted on the command line',
    ({ databaseUrl }) => gardenHere(['member', 'delete', 'ada', '--yes'], { databaseUrl }),
  ],
];
describe('links of a former administrator are as unknown as one that never existed', () => {
  for (const [name, lose] of losses)
    test(name, async (t) => {
      const world = await worldOf(t);
      const { staff, url, ids, databaseUrl } = world;
      await press(staff, `${base}members/${ids.ada}/`, 'role', { role: 'staff' });
      const ada = await browserOf(url, 'ada');
      const reset = secretIn(await press(ada, `${base}members/${ids.root}/`, 'reset'));
      const invited = await ada.submitAt(
        `${base}invitations/`,
        { name: 'role' },
        { uses: '9', role: 'staff', expires: '30d' },
      );
      const invitation = secretIn(invited);
      const links = [reset.pathname, invitation.pathname];
      const open = await Promise.all(
        links.map(async (path) => {
          const one = browser(url);
          assert.equal((await one.open(path)).status, 200);
          return one;
        }),
      );
      const { stdout } = await gardenHere(['member', 'invite'], { databaseUrl });
      await lose(world);
      const before = await rowsOf(databaseUrl, 'SELECT username, password_hash FROM members ORDER BY id');
      for (const [at, path] of links.entries()) {
        const never = await browser(url).open(path.replace(/[^/]{43}/, 'A'.repeat(43)));
        const gone = await browser(url).open(path);
        assert.deepEqual([gone.status, textOf(gone, 'main')], [404, textOf(never, 'main')], path);
        const filling = at === 1 ? { username: 'mallory', password: newPassword } : passwords;
        const sent = await open[at]?.submit({ name: 'password' }, filling);
        assert.equal(sent?.status, 404, `${path} by a form that was open`);
      }
      assert.deepEqual(await rowsOf(databaseUrl, 'SELECT username, password_hash FROM members ORDER BY id'), before);
      const page = await staff.open(`${base}invitations/`);
      assert.match(textOf(page, '[data-invitation]'), /on the command line/);
      assert.equal(page.document.querySelectorAll('[data-invitation], [data-reset]').length, 1);
      assert.equal((await browser(url).open(new URL(stdout.trim()).pathname)).status, 200);
    });
});

test('sign-up is closed until staff open it, and closed again it makes nobody', async (t) => {
  const { staff, url, log, databaseUrl } = await worldOf(t);
  const join = '/authentication/join/';
  const filling = (username: string) => ({ username, password: newPassword });
  assert.equal((await browser(url).open(join)).status, 404);
  const closed = await browser(url).open('/authentication/sign-in/');
  assert.match(textOf(closed, 'main'), /Ask an administrator for an invitation/);
  const opened = await staff.submitAt(`${base}settings/`, { name: 'sign_up' });
  assert.match(textOf(opened, '[data-sign-up=open]'), /Anyone who can reach this server/);
  const visitor = browser(url);
  const door = await visitor.open('/authentication/sign-in/');
  assert.ok(door.document.querySelector(`a[href="${join}"]`));
  await visitor.open(join);
  const late = browser(url);
  await late.open(join);
  const inside = await visitor.submit({ name: 'password' }, filling('newcomer'));
  assert.equal(inside.hops[0]?.status, 303);
  assert.equal((await visitor.open(base)).status, 404);
  await staff.submit({ name: 'sign_up' });
  assert.equal((await late.submit({ name: 'password' }, filling('late'))).status, 404);
  const rows = await rowsOf(databaseUrl, 'SELECT username FROM members ORDER BY id');
  assert.equal(rows.map(({ username }) => username).join(), 'root,ada,grace,newcomer');
  assert.deepEqual(await log(), ['sign-up-opened', 'sign-up-closed']);
});

test('Health and doctor make the same checks, with the same results, and a server without tokens is well', async (t) => {
  const { staff, url, databaseUrl } = await worldOf(t);
  const page = await staff.open(`${base}health/`);
  const shown = page.document
    .querySelectorAll('[data-check]')
    .map((one) => `${one.getAttribute('data-check')} ${one.getAttribute('data-result')}`);
  const run = await gardenHere(['doctor', '--json', '--port', new URL(url).port], { databaseUrl });
  const findings = JSON.parse(run.stdout) as { check: string; result: string; detail: string }[];
  const found = findings.map(({ check, result }) => `${check} ${result}`);
  assert.deepEqual(shown, found);
  assert.equal(run.code, 0);
  assert.ok(shown.includes('database good') && shown.includes('port good'), shown.join());
  const detail = findings.find(({ check }) => check === 'database')?.detail ?? '';
  assert.match(detail, /3 members, 0 problems, 0 working tokens$/);
  assert.match(textOf(page, '[data-check=database]'), /3 members, 0 problems, 0 working tokens/);
  assert.match(textOf(await staff.open(base), '.health'), /No problems found/);
  const elsewhere = await staff.ask(base, { headers: { Host: 'school.example' } });
  assert.match(elsewhere.text, /opened this page at school\.example, but BASE_URL is http:\/\/localhost:8080, /);
  assert.match(
    textOf(await staff.submitAt(`${base}invitations/`, { name: 'role' }), 'main'),
    /lead to http:\/\/localhost:8080 and open only/,
  );
  assert.match(
    textOf(await staff.open(base), '.health'),
    /^address\. Invitations or slips lead to http:\/\/localhost:8080, /,
  );
});

test('the log is paged, the newest first', async (t) => {
  const { staff, databaseUrl, ids } = await worldOf(t);
  const values = Array.from(
    { length: 120 },
    (_, at) => `(${at + 1}, '2026-01-01T00:00:00.000Z', ${ids.root}, 'member-made', ${ids.ada})`,
  );
  await tamper(
    databaseUrl,
    `INSERT INTO staff_log (id, made_at, actor_id, what, member_id) VALUES ${values.join(', ')}`,
  );
  const sizes: number[] = [];
  let page = await staff.open(`${base}log/`);
  for (;;) {
    sizes.push(page.document.querySelectorAll('[data-deed]').length);
    const older = attributeOf(page, 'a[href*="before="]', 'href');
    if (older === undefined) break;
    page = await staff.open(older);
  }
  assert.deepEqual(sizes, [50, 50, 20]);
  const beyond = await staff.open(`${base}log/?before=1`);
  assert.equal(beyond.path, `${base}log/`, 'what is before the first is no empty log');
});

test('removing the demo data asks first, leaves what others use, and can be undone for a day', async (t) => {
  const { databaseUrl, staff, ids } = await worldOf(t);
  const { store } = await openGarden(t, databaseUrl);
  await loadSample(store);
  const counts = () => rowsOf(databaseUrl, 'SELECT username FROM members WHERE is_sample = 1 ORDER BY id');
  const before = await counts();
  const [listed] = await rowsOf(databaseUrl, 'SELECT id FROM problems WHERE is_sample = 1 ORDER BY id LIMIT 1');
  const own = BigInt(String(listed?.['id']));
  const content = [{ name: '', items: [{ problem: own, memo: null }] }];
  await store.write((tx) => makeList(tx, { ownerId: ids.ada, name: 'Own', content }));
  const settings = `${base}settings/`;
  const asked = await staff.open(settings);
  assert.equal(asked.document.querySelector('[name="sample"]'), null, 'the first page removes nothing');
  const link = attributeOf(asked, 'a[href*="ask=sample"]', 'href')?.split('#')[0] ?? '';
  assert.match(
    textOf(await staff.open(link), '[aria-labelledby="sample"]'),
    /Remove the demo data\?.*14 demo members/s,
  );
  const removed = await staff.submit({ name: 'sample', value: 'remove' });
  assert.match(textOf(removed, '[role="status"]'), /^Demo data removed\. You can restore it for a day/);
  assert.deepEqual(await counts(), []);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT problem_id FROM list_items'), [
    listed && { problem_id: listed['id'] },
  ]);
  await staff.submit({ name: 'sample', value: 'restore' });
  assert.deepEqual(await counts(), before);
  const { fields } = staff.filled({ within: 'form[action$="/sign-out/"]' });
  fields.set('sample', 'restore');
  const late = await staff.ask(settings, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': 'ru' },
    body: String(fields),
  });
  assert.equal(late.status, 404);
  assert.match(late.text, /Демоданные можно восстановить/);
  assert.equal(deedIn(await staff.open(`${base}log/`), 'sample-restored'), 'root restored the demo data');
});

test('a class list is checked first, bad rows are corrected there, and good ones need not wait', async (t) => {
  const { staff, databaseUrl, log } = await worldOf(t);
  const members = async () => (await gardenJson<{ username: string }[]>(['member', 'list'], { databaseUrl })).length;
  await staff.open(`${base}members/`);
  const before = await members();
  const pasted =
    'username;first_name;last_name;class\nhedy;Hedy;Lamarr;10\nADA;Ada;;10\nlise;Lise;Meitner;10\na b;Abe;;10\n';
  const checked = await staff.submit({ name: 'people' }, { people: pasted });
  assert.equal(checked.status, 200);
  assert.match(textOf(checked, '.notice'), /^Ignored columns: class\.$/);
  const faults = /^The username ADA is taken; choose another, such as ADA2\.\|"a b" cannot be a username;/;
  assert.match(textsOf(checked, '.correction .fault').join('|'), faults);
  assert.equal(await members(), before, 'nobody is added before the button is pressed');
  const { path, fields } = staff.filled({ name: 'add' });
  fields.set('add', 'true');
  assert.deepEqual(fields.getAll('line'), ['3', '5']);
  fields.delete('username');
  for (const name of ['ada.b', 'a b']) fields.append('username', name);
  const made = await staff.post(path, fields);
  assert.match(textOf(made, '[role="status"]'), /^3 members added/);
  const slips = made.document.querySelectorAll('.slip');
  assert.deepEqual(
    slips.map((one) => one.querySelector('b')?.textContent),
    ['hedy', 'ada.b', 'lise'],
  );
  assert.equal(new Set(attributesOf(made, '.slip .qr path', 'd')).size, 3);
  const links = textsOf(made, '[data-secret]');
  assert.equal(new Set(links).size, 3);
  const file = attributeOf(made, 'a[download]', 'href') ?? '';
  const [head, first] = decodeURIComponent(file.split(',', 2)[1] ?? '').split('\r\n');
  assert.deepEqual([head, first], ['\ufeffusername,name,address', `hedy,Hedy Lamarr,${links[0]}`]);
  assert.equal(attributeOf(made, '.correction [name="username"]', 'value'), 'a b');
  const last = await staff.submit({ name: 'line' }, { username: 'abe' });
  assert.match(textOf(last, '#ready'), /^1 person ready/);
  assert.match(textOf(await staff.submit({ name: 'add' }, {}), '[role="status"]'), /^1 member added/);
  const bytes = Buffer.from('\ufeffLogin\r\nemmy\r\n', 'utf16le');
  const sent = await staff.submitAt(`${base}members/`, { name: 'file' }, { file: { name: 'class.txt', bytes } });
  assert.match(textOf(sent, '#ready'), /^1 person ready/);
  assert.equal((await log()).filter((what) => what === 'member-made').length, 4);
  await staff.open(`${base}members/`);
  const people = 'username;first_name;last_name\nhedy;Hedy;Lamarr\nHedy;Hedy;Lamarr\nlise;Lise;Berg\nmae;Mae;Jemison\n';
  const some = await staff.submit({ name: 'people' }, { people });
  assert.match(textOf(some, 'main'), /Nothing to do for 1 row.*hedy\s+Already a member\./s);
  assert.deepEqual(
    some.document.querySelectorAll('.correction .fault').map((one) => one.textContent.trim().split('such as ')[1]),
    ['Hedy2.', 'lise2.'],
    'a second row, and another name, are no member',
  );
  const odd = { people: 'name,email\nIda Rhodes,ida(at)x\n' };
  const misspelt = await staff.submitAt(`${base}members/`, { name: 'people' }, odd);
  assert.equal(attributeOf(misspelt, '.correction [aria-invalid]', 'name'), 'email');
});

test('the slips of a class lead from the first password to the group; a row can be left out', async (t) => {
  const { url, staff, databaseUrl } = await worldOf(t);
  await staff.submitAt('/dashboard/groups/', { name: 'name' }, { name: 'Class 10b', zone: 'Europe/Berlin' });
  const groupSettings = '/dashboard/groups/1/settings/';
  await staff.open(`${base}members/`);
  const people = 'Name;Matrikel\nØrjan Groß;7\nMax Kraus;8\n';
  const total = await staff.submit({ name: 'people' }, { people: `${people}Sum 2;\nTom Berg;8\n` });
  assert.match(textOf(total, '.correction .fault'), /^The name is missing\.$/);
  const made = await staff.submit({ name: 'add' }, { leave_out: '4' });
  const slips = made.document.querySelectorAll('.slip');
  assert.deepEqual(
    slips.map((one) => one.querySelector('b')?.textContent),
    ['orjan.gross', 'max.kraus'],
  );
  const fault = /^Same student number as line 3, Max Kraus/;
  assert.match(textOf(made, '.correction .fault'), fault, 'the total is left out');
  const { pathname, search } = new URL(slips[0]?.querySelector('[data-secret]')?.textContent ?? '');
  const pupil = browser(url);
  await staff.submitAt(groupSettings, { name: 'archived', value: 'true' });
  const closed = await pupil.open(pathname + search);
  assert.match(textOf(closed, 'main'), /This group is archived.*Password/s, 'said before the choice');
  await staff.submitAt(groupSettings, { name: 'archived', value: 'false' });
  const door = await pupil.open(pathname + search);
  assert.match(textOf(door, 'main'), /^Choose your password(?!.*(someone else knew|archived))/s);
  assert.equal(attributeOf(door, '[autocomplete="username"]', 'value'), 'orjan.gross');
  assert.equal((await pupil.submit({ name: 'password' }, { ...passwords, time_zone: 'Berlin' })).status, 422);
  const entered = await pupil.submit({ name: 'password' }, { ...passwords, time_zone: 'Asia/Tokyo' });
  assert.match(textOf(entered, 'h1'), /^Join Class 10b/);
  const [link] = await rowsOf(databaseUrl, 'SELECT expires_at AS at FROM entry_links');
  assert.equal(Math.round((Date.parse(String(link?.['at'])) - Date.now()) / 86_400_000), 180);
  const again = await browser(url).open(pathname + search);
  assert.match(textOf(again, 'main'), /^.*Join Class 10b.*Username\s*Password/s, 'whoever did not join signs in');
  const ada = await browserOf(url, 'ada');
  const isRefused = (page: Page, username: string, status = 200) => {
    assert.equal(page.status, status);
    const shown = new RegExp(`works only for the account ${username}.*Sign in as ${username}$`, 's');
    assert.match(textOf(page, 'main').trim(), shown);
    assert.equal(page.document.querySelectorAll('main button').length, 1);
  };
  isRefused(await ada.open(entered.path), 'orjan.gross');
  assert.match(textOf(pupil.page(), 'main'), /Join as orjan\.gross\s*Not you\? Sign in with another account$/);
  assert.match((await pupil.submit({ within: 'main form' })).path, /groups\/1\/\?done=joined/);
  const list = '/dashboard/groups/1/people/';
  assert.match(textOf(await staff.open(list), 'main'), /1 of 2 joined.*Ørjan Groß\s*7\s*orjan\.gross/s);
  const known = await staff.submitAt(`${list}expected/`, { name: 'people' }, { people });
  assert.match(textOf(known, 'main'), /All 2 people are on the list/);
  assert.equal(known.document.querySelector('.checked-list button'), null, 'there is nothing to do');
  assert.match(textOf(await pupil.open('/dashboard/'), '.page-head'), /Tokyo time/);
  const renew = async () => {
    const renewed = await staff.submitAt(list, { name: 'renew', value: 'all' });
    assert.match(textOf(renewed, '.slip'), /Max Kraus.*Username: max\.kraus/s);
    return secretIn(renewed);
  };
  const first = await renew();
  const bound = `/authentication/join/${first.searchParams.get('group')}/`;
  assert.equal((await browser(url).open(bound.replace(/-\d+\/$/, '/'))).status, 404);
  await ada.open(bound);
  const { fields } = ada.filled({ within: 'form[action$="/sign-out/"]' });
  isRefused(await ada.post(bound, fields), 'max.kraus', 422);
  const asMax = await ada.submit({ within: 'main form' });
  assert.deepEqual([asMax.path, valueIn(asMax, 'username')], [bound, 'max.kraus']);
  for (const how of ['new', 'account', 'sign-in']) {
    const fresh = { username: how === 'new' ? 'zed' : 'ada', password: usualPassword, time_zone: 'UTC' };
    const visitor = browser(url);
    await visitor.open(`${bound}?how=${how}`);
    const { fields: asked } = visitor.filled({ name: 'password' });
    for (const [name, value] of Object.entries({ ...fresh, how })) asked.set(name, value);
    const reply = await visitor.post(bound, asked);
    if (how === 'new') assert.match(textOf(reply, '[role=alert]'), /username or password/i, 'no new account');
    else isRefused(reply, 'max.kraus');
  }
  const max = browser(url);
  assert.match(textOf(await max.open(first.pathname + first.search), 'main'), /^Choose your password/);
  const led = await max.submitAt(`${first.pathname}?group=//evil.example/`, { name: 'password' }, passwords);
  assert.equal(led.path, '/dashboard/');
  const { pathname: joinPath, search: how } = await renew();
  const signIn = await browser(url).open(joinPath + how);
  assert.match(textOf(signIn, 'main'), /Join Class 10b.*Password/s);
  assert.equal(signIn.document.querySelector('main [href*="how="]'), null, 'no second account for who has one');
  const [row] = await rowsOf(databaseUrl, "SELECT id FROM members WHERE username = 'max.kraus'");
  const reset = secretIn(await press(staff, `${base}members/${row?.['id']}/`, 'reset'));
  const asked = await max.submitAt(reset.pathname + reset.search, { name: 'password' }, passwords);
  assert.match(textOf(asked, 'main'), /Join Class 10b.*This link is for Max Kraus/s, 'a new password, and the group');
  const chosen = async () => {
    const { document } = await staff.submitAt(`${base}members/`, { name: 'people' }, { people: 'Zed' });
    const field = document.querySelector('select[name=group]');
    return [field?.hasAttribute('required'), field?.querySelector('[selected]')?.getAttribute('value')];
  };
  assert.deepEqual(await chosen(), [false, '1']);
  await staff.submitAt('/dashboard/groups/', { name: 'name' }, { name: 'Class 10c', zone: 'Europe/Berlin' });
  assert.deepEqual(await chosen(), [true, ''], 'of two groups, one is asked for');
});

test('phone and address are asked for where an administrator wants them, and shown to who gave one', async (t) => {
  const { url, staff, databaseUrl, ids } = await worldOf(t);
  const ada = await browserOf(url, 'ada');
  const fields = ['phone', 'address', 'city', 'state', 'zipcode'];
  const shown = async () => {
    const { document } = await ada.open('/authentication/account/');
    return fields.filter((name) => document.querySelector(`[name="${name}"]`));
  };
  assert.deepEqual(await shown(), []);
  const { path, fields: sent } = ada.filled({ name: 'first_name' });
  for (const name of fields) sent.set(name, '1');
  await ada.post(path, sent);
  assert.deepEqual(await shown(), [], 'nothing is saved that is not asked for');
  await staff.submitAt(`${base}settings/`, { name: 'profile_address', value: 'on' });
  assert.deepEqual(await shown(), fields);
  await ada.submit({ name: 'city' }, { city: 'Pune' });
  await staff.submit({ name: 'profile_address', value: 'off' });
  assert.deepEqual(await shown(), ['city']);
  await ada.submit({ name: 'city' }, { city: '' });
  assert.deepEqual(await shown(), []);
  await staff.submit({ name: 'account_makers' }, { account_makers: 'coaches' });
  await staff.submit({ name: 'add_limit_member_perDay' }, { add_limit_member_perDay: '5', add_limit_staff_total: '0' });
  for (const name of ['account_makers', 'add_limit_member_perDay']) {
    await staff.submitAt(`${base}settings/`, { name });
  }
  const log = await staff.open(`${base}log/`);
  assert.match(textOf(log, '[data-deed=group-accounts-set]'), /which group links create accounts: all coaches$/);
  assert.deepEqual(textsOf(log, '[data-deed] .faint'), [
    'Members, in 24 hours: 5, Administrators, in total: 0',
    'all coaches',
    'Stop asking',
    'Ask for them',
  ]);
  const [row] = await rowsOf(databaseUrl, `SELECT city FROM members WHERE id = ${ids.ada}`);
  assert.equal(row?.['city'], null);
});
