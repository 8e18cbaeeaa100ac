/** Titles, names and notes with markup, bidi overrides or 10 kB in a real Chromium: they run nothing, break no policy and no layout. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeToken } from '../../src/auth/tokens.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setNote, setStatus } from '../../src/practice/marks.ts';
import { saveView } from '../../src/practice/preferences.ts';
import { shareNote } from '../../src/practice/shared-notes.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, signIn } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { hasAllLooks, overflow } from '../support/looks.ts';

const markup = `"'><img src=x onerror="alert(1)"><script>alert(2)</script></textarea><style>*{display:none}</style>`;
const bidi = '\u202etxet desrever\u2067';
const texts = [markup, bidi, 'x'.repeat(10_000), 'two words '.repeat(1_000), '🌱'.repeat(2_500), '\u0301'.repeat(500)];

const longKey = '-a-binary-tree-from-its-preorder-and-its-inorder-'.repeat(2);

test('hostile texts on the pages', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const memberId = await memberWithPassword(databaseUrl, 'ada', { role: 'staff' });
  await importRows(
    databaseUrl,
    'problems',
    texts.map((text, n) => ({
      id: n + 1,
      source: 'codeforces',
      source_key: `${n + 1}${longKey}`,
      title: `${text}END`,
      tags: [text.slice(0, 200)],
      url: `https://codeforces.com/problemset/problem/${n + 1}/A`,
    })),
  );
  await importRows(
    databaseUrl,
    'records',
    texts.map((text, n) => ({
      username: n === 0 ? 'ada' : `m${n}`,
      first_name: text,
      last_name: text,
      city: text,
    })),
  );
  await importRows(
    databaseUrl,
    'plants',
    texts.map((text, n) => ({ id: n + 1, username: 'ada', name: text, target: 1 })),
  );
  await withStore(databaseUrl, async (store) => {
    // Another member says the same in a group of them both.
    const { id: otherId = 0n } = (await findMemberByName(store.reader, 'm1')) ?? {};
    const group = await makeGroup(store, memberId, { name: `${bidi}${'W'.repeat(60)}`, zone: 'UTC' });
    const inGroup = { group_id: group, user_id: otherId, role: 'member', on_board: 0n } as const;
    await store.write((tx) => insertGroupMember(tx, { ...inGroup, joined_at: new Date().toISOString() }));
    for (const [n, text] of texts.entries()) {
      const name = text.slice(0, 100);
      await makeToken(store, { userId: memberId, name, scopes: ['status:read'], lifetimeMs: undefined });
      await store.write(async (tx) => {
        for (const writer of [memberId, otherId]) {
          await setStatus(tx, { memberId: writer, problemIds: [BigInt(n + 1)], status: 'complete' });
          await setNote(tx, writer, BigInt(n + 1), text);
          await shareNote(tx, writer, BigInt(n + 1), () => true);
        }
        await saveView(tx, memberId, { name: text.slice(0, 40), query: `?rating_min=${1000 + n}` });
      });
    }
    const items = texts.map((text, n) => ({ problem: BigInt(n + 1), memo: text.slice(0, 200) }));
    const content = [{ name: bidi, items }];
    await store.write((tx) => makeList(tx, { ownerId: memberId, name: bidi, content }));
  });
  const { url } = await serveHere(t, { databaseUrl });
  const own = await signIn(url, 'ada');
  const { page, strays, complaints } = await openPage(browser, url, { cookies: own.cookies });
  const dialogs: string[] = [];
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  const base = '/authentication';
  const paths = [
    `/problem_list/?tag=${'x'.repeat(200)}&q=${encodeURIComponent(bidi)}`,
    ...['', 'views/', 'bulk/', 'lists/add/?problem=1', 'lists/1/', 'lists/1/edit/'].map(
      (rest) => `/problem_list/${rest}`,
    ),
    ...['', 'history/', 'review/', 'days/'].map((rest) => `/dashboard/${rest}`),
    ...texts.map((_, n) => `/problem_list/problem/${n + 1}/`),
    ...['', 'connections/', 'tokens/', 'sessions/', 'data/'].map((room) => `${base}/account/${room}`),
    ...['members/', `members/${memberId}/`, 'log/'].map((room) => `${base}/staff/${room}`),
  ];
  for (const path of paths) {
    await t.test(path.slice(0, 40), async () => {
      assert.equal((await page.goto(url + path))?.status(), 200);
      await page.evaluate(
        "for (const one of document.querySelectorAll('#your-note details, #group-notes details')) one.open = true",
      );
      for (const width of hasAllLooks ? [1440, 320] : [320]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflow(page), 0, `${path} at ${width}`);
      }
      const planted = await page.locator('img, main script, main style').count();
      assert.equal(planted, 0, 'no element came from a text');
      const covering = await page.evaluate(
        "[...document.querySelectorAll('td:has(> .key), li:has(> .key)')].filter((one) => one.scrollWidth > one.clientWidth).length",
      );
      assert.equal(covering, 0, 'no key lies over what is beside it');
      const loose = (await page.evaluate(`(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
          const { data, parentElement } = walker.currentNode;
          if (!/[\\u202e\\u2067]/.test(data) || !parentElement.checkVisibility()) continue;
          const isolates = (one) =>
            ['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(one).unicodeBidi) ||
            ['block', 'grid', 'flex', 'inline-block', 'inline-flex', 'table-cell', 'list-item'].includes(getComputedStyle(one).display);
          let one = parentElement;
          while (!isolates(one)) one = one.parentElement;
          // A text directly in a flexible box is a box of its own (CSS Flexbox §4).
          if (one === parentElement && /flex|grid/.test(getComputedStyle(one).display)) continue;
          // Text beside it in the same line would be turned round with it.
          const beside = one.textContent.replace(data, '').trim();
          if (beside !== '') found.push(parentElement.outerHTML.slice(0, 200) + ' in ' + one.outerHTML.slice(0, 100));
        }
        return found;
      })()`)) as string[];
      assert.deepEqual(loose, [], path);
    });
  }
  assert.deepEqual([dialogs, strays, complaints], [[], [], []]);
});
