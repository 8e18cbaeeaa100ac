/** One-time addresses: set-up, invitations, new passwords and the demo. Each is good for what it says, as often as it says, and no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEntryLink, type NewLink } from '../../src/auth/entry.ts';
import { setSignUpOpen } from '../../src/practice/joining.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import { gardenHere } from '../support/commands.ts';
import { rowsOf } from '../support/databases.ts';
import { attributesOf } from '../support/elements.ts';
import { type Browser, browser, memberWithPassword, signIn, textOf, usualPassword } from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const minute = 60_000;
const other = 'another lantern, and no well';

test('one-time addresses', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { LOG_LEVEL: 'debug' } });
  const keys: string[] = [];
  const make = async (link: Partial<NewLink> & Pick<NewLink, 'kind'>) => {
    const whole = { role: 'member', uses: 1, lifetimeMs: minute, ...link } as const;
    const key = await withStore(databaseUrl, (store) => store.write((tx) => makeEntryLink(tx, whole)));
    keys.push(key);
    return key;
  };
  const pathOf = {
    invitation: (key: string) => `/authentication/invitation/${key}/`,
    reset: (key: string) => `/authentication/reset/${key}/`,
    setup: (key: string) => `/authentication/setup/?key=${key}`,
    demo: (key: string) => `/authentication/demo/?key=${key}`,
  };
  const fill = (username: string, password = usualPassword) => ({ username, password });
  const rolesOf = () => rowsOf(databaseUrl, 'SELECT username, role FROM members ORDER BY id');
  const nameIn = async (one: Browser) => textOf(await one.open('/problem_list/'), '.menu-title b');
  const assertSpent = (page: { status: number; text: string }) => {
    assert.equal(page.status, 404);
    assert.match(page.text, /has been used, has expired or was revoked/);
  };

  await t.test('the set-up address makes the first member, who is staff, and then nothing', async () => {
    const [key, second] = [await make({ kind: 'setup', role: 'staff' }), await make({ kind: 'setup', role: 'staff' })];
    const [one, late] = [browser(url), browser(url)];
    await late.open(pathOf.setup(second));
    const page = await one.open(pathOf.setup(key));
    assert.equal(page.headers['cache-control'], 'no-store');
    const done = await one.submit({ name: 'password' }, fill('grace'));
    assert.equal(done.hops[0]?.status, 303);
    assert.equal(await nameIn(one), 'grace');
    const spent = await browser(url).open(pathOf.setup(key));
    assertSpent(spent);
    assert.match(spent.text, /restart the server to get a new one; otherwise ask an administrator for an invitation/);
    assertSpent(await browser(url).open(pathOf.setup(second)));
    assertSpent(await late.submit({ name: 'password' }, fill('mallory')));
    assert.deepEqual(await rolesOf(), [{ username: 'grace', role: 'staff' }]);
  });

  await t.test('faults stand beside their fields, and use nothing up', async () => {
    const key = await make({ kind: 'invitation' });
    const one = browser(url);
    await one.open(pathOf.invitation(key));
    const cases: [Record<string, string>, string, RegExp][] = [
      [fill('grace'), 'username', /grace/],
      [fill('ada‮'), 'username', /1 to 64 visible/],
      [fill('gr\u0430ce'), 'username', /of one alphabet/],
      [fill('<script>alert(1)</script>'), 'username', /1 to 64 visible/],
      [fill('x'.repeat(10_000)), 'username', /1 to 64 visible/],
      [fill('ada', 'short'), 'password', /at least 10/],
      [fill('adalovelace', 'I am AdaLovelace'), 'password', /username/],
    ];
    for (const [fields, name, advice] of cases) {
      const page = await one.submit({ name: 'password' }, fields);
      const what = JSON.stringify(fields).slice(0, 80);
      assert.equal(page.status, 422, what);
      assert.match(textOf(page, `#${name}-fault`), advice, what);
      assert.equal(page.document.querySelector('main script'), null);
      assert.ok(page.bytes.length < 30_000, what);
      assert.doesNotMatch(textOf(page, '.fault'), /\p{Bidi_Control}/u);
      for (const value of attributesOf(page, 'input[type="password"]', 'value'))
        assert.equal(value, '', 'no password comes back');
    }
    await one.submit({ name: 'password' }, fill('ada'));
    assert.equal(await nameIn(one), 'ada');
    assertSpent(await one.open(pathOf.invitation(key)));
  });

  await t.test('an invitation gives the role that it says, whatever the form says', async () => {
    const one = browser(url);
    await one.open(pathOf.invitation(await make({ kind: 'invitation' })));
    const { path, fields } = one.filled({ name: 'password' }, fill('eve'));
    await one.post(
      path,
      new URLSearchParams([...fields, ['role', 'staff'], ['id', '1'], ['is_disabled', '0'], ['kind', 'setup']]),
    );
    assert.equal(await nameIn(one), 'eve');
    assert.deepEqual((await rolesOf()).at(-1), { username: 'eve', role: 'member' });
  });

  await t.test('of many at once exactly as many win as the address allows', async () => {
    for (const uses of [1, 3]) {
      const key = await make({ kind: 'invitation', uses });
      const crowd = await Promise.all(
        Array.from({ length: 8 }, async (_, place) => {
          const one = browser(url);
          await one.open(pathOf.invitation(key));
          return { one, name: `crowd-${uses}-${place}` };
        }),
      );
      const pages = await Promise.all(crowd.map(({ one, name }) => one.submit({ name: 'password' }, fill(name))));
      const won = pages.filter(({ hops }) => hops[0]?.status === 303);
      assert.equal(won.length, uses);
      for (const page of pages) if (!won.includes(page)) assertSpent(page);
      const members = await rolesOf();
      assert.equal(members.filter(({ username }) => `${username}`.startsWith(`crowd-${uses}-`)).length, uses);
    }
  });

  await t.test('two who want one name at once: one has it, and the other’s address is still good', async () => {
    const both = await Promise.all(
      [await make({ kind: 'invitation' }), await make({ kind: 'invitation' })].map(async (key) => {
        const one = browser(url);
        await one.open(pathOf.invitation(key));
        return { one, key };
      }),
    );
    const pages = await Promise.all(both.map(({ one }) => one.submit({ name: 'password' }, fill('wanted'))));
    assert.deepEqual(pages.map(({ hops, status }) => hops[0]?.status ?? status).toSorted(), [303, 422]);
    const loser = both[pages.findIndex(({ hops }) => hops.length === 0)];
    await loser?.one.submit({ name: 'password' }, fill('unwanted'));
    assert.equal(loser && (await nameIn(loser.one)), 'unwanted');
  });

  await t.test('an address of another kind, expired, mistyped or taken back is none', async () => {
    const invitation = await make({ kind: 'invitation' });
    const userId = await memberWithPassword(databaseUrl, 'bob');
    const reset = await make({ kind: 'reset', userId });
    const late = await make({ kind: 'invitation', lifetimeMs: -1 });
    const demo = await make({ kind: 'demo', userId });
    const wrong = [
      pathOf.reset(invitation),
      pathOf.setup(invitation),
      pathOf.demo(invitation),
      pathOf.invitation(reset),
      pathOf.setup(reset),
      pathOf.demo(reset),
      pathOf.invitation(demo),
      pathOf.reset(demo),
      pathOf.invitation(late),
      pathOf.invitation(invitation.slice(0, -1)),
      pathOf.invitation(`${invitation}x`),
      pathOf.invitation(invitation.toLowerCase()),
      pathOf.invitation('x'),
      pathOf.invitation('%00'),
      pathOf.invitation("'%20OR%201=1--"),
      pathOf.invitation('x'.repeat(5_000)),
      pathOf.setup(''),
      '/authentication/setup/',
      '/authentication/demo/',
    ];
    const texts = new Map<string, string>();
    for (const path of wrong) {
      const page = await browser(url).open(path);
      assertSpent(page);
      const [, , kind = ''] = path.split('/');
      const text = page.text.replace(/<code>[^<]*<\/code>/, '');
      assert.equal(texts.get(kind) ?? text, text, 'all of a kind look alike');
      texts.set(kind, text);
    }
    const one = browser(url);
    await one.open(pathOf.invitation(invitation));
    const { fields } = one.filled({ name: 'password' }, fill('mallory'));
    fields.set('key', reset);
    assertSpent(await one.post(pathOf.reset(invitation), fields));
  });

  await t.test('a reset gives a new password, ends every session, and every other reset address', async () => {
    const userId = await memberWithPassword(databaseUrl, 'rosa');
    const before = await signIn(url, 'rosa');
    const [first, second] = [await make({ kind: 'reset', userId }), await make({ kind: 'reset', userId })];
    const one = browser(url);
    const page = await one.open(pathOf.reset(first));
    assert.equal(page.document.querySelector('input[name="username"]'), null);
    const differs = await one.submit({ name: 'password' }, { password: other, password_again: usualPassword });
    assert.equal(differs.status, 422);
    assert.match(textOf(differs, '#password_again-fault'), /don’t match/);
    await one.submit({ name: 'password' }, { password: other, password_again: other });
    assert.equal(await nameIn(one), 'rosa');
    assert.match((await before.open('/problem_list/')).path, /sign-in/);
    assertSpent(await browser(url).open(pathOf.reset(first)));
    assertSpent(await browser(url).open(pathOf.reset(second)));
    await assert.rejects(signIn(url, 'rosa'));
    await signIn(url, 'rosa', other);
    const third = await make({ kind: 'reset', userId });
    const { code } = await gardenHere(['member', 'password', 'rosa'], {
      databaseUrl,
      input: `${usualPassword}\n`,
    });
    assert.equal(code, 0);
    assertSpent(await browser(url).open(pathOf.reset(third)));
    assert.match((await one.open('/problem_list/')).path, /sign-in/);
  });

  await t.test('a new password is not the name of its member', async () => {
    const userId = await memberWithPassword(databaseUrl, 'adalovelace');
    const one = browser(url);
    await one.open(pathOf.reset(await make({ kind: 'reset', userId })));
    const password = 'I am AdaLovelace';
    const page = await one.submit({ name: 'password' }, { password, password_again: password });
    assert.equal(page.status, 422);
    assert.match(textOf(page, '#password-fault'), /username/);
  });

  await t.test('an address that does not work leads to the open sign-up, and to signing in', async () => {
    const path = pathOf.invitation('x'.repeat(43));
    const ways = async () => attributesOf(await browser(url).open(path), 'main .actions a', 'href');
    assert.deepEqual(await ways(), ['/authentication/sign-in/']);
    await withStore(databaseUrl, (store) => store.write((tx) => setSignUpOpen(tx, true)));
    assert.deepEqual(await ways(), ['/authentication/join/', '/authentication/sign-in/']);
    await withStore(databaseUrl, (store) => store.write((tx) => setSignUpOpen(tx, false)));
  });

  await t.test('a reset lets no disabled member in', async () => {
    const userId = await memberWithPassword(databaseUrl, 'ghost');
    const key = await make({ kind: 'reset', userId });
    await withStore(databaseUrl, (store) => store.write((tx) => disableMember(tx, 'ghost', true)));
    const one = browser(url);
    const page = await one.open(pathOf.reset(key));
    if (page.status === 200) await one.submit({ name: 'password' }, { password: other, password_again: other });
    assert.match((await one.open('/problem_list/')).path, /sign-in/);
  });

  await t.test('HEAD uses no demo address up, and proxies and strangers may not', async () => {
    const { id: userId } = await withStore(databaseUrl, (store) =>
      store.write((tx) => createMember(tx, { username: 'look' })),
    );
    const key = await make({ kind: 'demo', userId });
    assert.equal((await browser(url).ask(pathOf.demo(key), { method: 'HEAD' })).status, 405);
    // A proxy that adds no header keeps the name that was asked for; a page of another site may lead its name here.
    for (const headers of [{ 'X-Forwarded-For': '1.2.3.4' }, { Host: 'garden.example' }, { Host: 'localhost' }])
      assert.equal((await browser(url, headers).open(pathOf.demo(key))).status, 404, JSON.stringify(headers));
    const one = browser(url);
    await one.open(pathOf.demo(key));
    assert.equal(await nameIn(one), 'look');
    const spent = await browser(url).open(pathOf.demo(key));
    assertSpent(spent);
    assert.match(spent.text, /Restart the server to get a new one\./);
  });

  await t.test('the command line prints an invitation that works', async () => {
    const { stdout, code } = await gardenHere(['member', 'invite', '--role', 'staff', '--expires', '1h'], {
      databaseUrl,
      env: { BASE_URL: url },
    });
    assert.equal(code, 0);
    const address = stdout.trim();
    assert.ok(address.startsWith(`${url}/authentication/invitation/`), address);
    keys.push(address.split('/').at(-2) ?? '');
    const one = browser(url);
    await one.open(new URL(address).pathname);
    await one.submit({ name: 'password' }, fill('invited'));
    assert.equal(await nameIn(one), 'invited');
  });

  await t.test('the log has no key, no name and no password', () => {
    const log = stderr();
    assert.match(log, /\/authentication\/invitation\/…\//);
    assert.ok(keys.length > 15);
    for (const word of [...keys, 'mallory', 'lantern', 'unwanted']) assert.ok(!log.includes(word), word);
    assert.doesNotMatch(log, /"level":(?:50|60)/);
  });
});
