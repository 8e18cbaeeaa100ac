/** The pages of groups in a browser: narrow and wide, light and dark, without script, and the table on paper. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignList } from '../../src/practice/assignments.ts';
import { makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { inviteToRound, makeRound } from '../../src/practice/rounds.ts';
import { insertGroupMember, setBoard } from '../../src/store/groups.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, signIn } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { overflow } from '../support/looks.ts';
import { joinGroup } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { showGarden } from '../support/shown.ts';

const longName = 'A-name-of-exactly-sixty-four-characters-that-breaks-nowhere-here';

test('on a phone, Pick’s judge and the answers after a mark are not cut off, the counts of a person end alike, and no head covers the focus', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, sessions, pages } = await showGarden(t);
  const cookies = new Map([['session', sessions.demo]]);
  const { page } = await openPage(browser, url, { cookies, viewport: { width: 320, height: 640 } });
  await page.goto(`${url}/dashboard/groups/1/pick/`);
  const [wanted, given] = (await page.evaluate(`(() => {
    const select = document.querySelector('[name=source]');
    const given = select.offsetWidth;
    select.style.width = 'max-content';
    return [select.offsetWidth, given];
  })()`)) as [number, number];
  assert.ok(wanted <= given, `the judge needs ${wanted} px of ${given}`);
  await page.setViewportSize({ width: 375, height: 640 });
  await page.goto(`${url}/problem_list/?status=not_started`);
  await page.locator('.rows .status-mark').first().click();
  await page.locator('.undo-how').waitFor();
  const heights = await page.evaluate(
    `[...document.querySelectorAll('.undo-how button')].map((one) => [one.offsetHeight, one.scrollWidth <= one.clientWidth])`,
  );
  assert.deepEqual(heights, Array(3).fill([44, true]));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${url}/dashboard/groups/1/people/4/`);
  const ends = await page.evaluate(
    `[...document.querySelectorAll('.his .num')].map((one) => one.getBoundingClientRect().right)`,
  );
  assert.equal(new Set(ends as number[]).size, 1);
  await page.goto(url + pages.find(({ name }) => name === 'course-group')?.path);
  const lines = await page.evaluate(`(() => {
    const name = document.querySelector('.mt bdi');
    name.textContent = 'Programmierung';
    return name.getClientRects().length;
  })()`);
  assert.equal(lines, 1, 'a word of a module stays on a line');
  await page.setViewportSize({ width: 768, height: 300 });
  await page.goto(`${url}/dashboard/groups/1/people/`);
  const onTop = await page.evaluate(`(() => {
    const [frame, link] = [document.querySelector('.table-wrap'), document.querySelector('.roster tbody a')];
    frame.scrollTop = link.getBoundingClientRect().top - frame.getBoundingClientRect().top - 4;
    link.focus();
    const { left, top, height } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint(left + 2, top + height / 2));
  })()`);
  assert.ok(onTop, 'a link of the roster that gets the focus comes out from under the head');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(url + pages.find(({ name }) => name === 'course')?.path);
  const swatches = await page.evaluate(
    `[...document.querySelectorAll('.course-legend i')].map((one) => getComputedStyle(one).backgroundColor)`,
  );
  assert.equal(new Set(swatches as string[]).size, 4, 'done, shaky, now and next in forced colours');
});

test('long words of Russian and Japanese fit a season, a table and the ratings', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, sessions } = await showGarden(t);
  const faults: string[] = [];
  for (const locale of ['ru', 'ja']) {
    const { page } = await openPage(browser, url, { cookies: new Map([['session', sessions.demo]]), locale });
    for (const path of ['groups/1/season/', 'groups/1/assignments/1/', 'progress/ratings/']) {
      await page.goto(`${url}/dashboard/${path}`);
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 640 });
        const { language, count, found } = (await page.evaluate(`(() => {
          const heads = [...document.querySelectorAll('.season th, .rated-contests th')];
          const marks = [...document.querySelectorAll('.late-mark, .rated-contests .tag')];
          const cut = heads.filter((one) => one.scrollWidth > one.clientWidth);
          const broken = marks.filter((one) => {
            const text = document.createRange();
            text.selectNodeContents(one);
            return one.checkVisibility() && text.getClientRects().length > 1;
          });
          const found = [...cut, ...broken].map((one) => one.innerText);
          return { language: document.documentElement.lang, count: heads.length + marks.length, found };
        })()`)) as { language: string; count: number; found: string[] };
        assert.deepEqual([language, count > 0], [locale, true], path);
        faults.push(...found.map((text) => `${locale}, ${width}, ${path}: ${text}`));
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('the pages of groups as they look', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const count = 40;
  await importRows(
    databaseUrl,
    'problems',
    ponds(count, (n) => ({ rating: 800 + 50 * n, ...(n === 3 && { title: longName }) })),
  );
  const { group, lists, secret } = await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const group = await makeGroup(tx, ada, { name: `${longName} club`.slice(0, 80), zone: 'Asia/Kolkata' });
      await setBoard(tx, group, true);
      const lists: bigint[] = [];
      for (const size of [14, count]) {
        const items = Array.from({ length: size }, (_, n) => ({ problem: BigInt(n + 1) }));
        const list = await makeList(tx, { ownerId: ada, name: `${size} ponds`, content: [{ name: '', items }] });
        const due = new Date(Date.now() + (size - 20) * 86_400_000).toISOString();
        await assignList(tx, { groupId: group, coachId: ada, listId: list }, due);
        lists.push(list);
      }
      const { id: maker } = await createMember(tx, { username: 'gil' });
      await insertGroupMember(tx, { group_id: group, user_id: maker, role: 'coach', on_board: 0n, joined_at: '2026' });
      const startsAt = new Date(Date.now() + 86_400_000).toISOString();
      const plan = { name: 'Two days', rule: 'training', startsAt, minutes: 2880, freezeMinutes: 0 } as const;
      const limits = { perDay: 0, total: 0 };
      const id = await makeRound(tx, maker, { ...plan, points: [] }, { groupId: group, problems: [1n], limits });
      await inviteToRound(tx, maker, id);
      const states = ['complete', 'practicing', 'reading', 'skipped', 'ignored'] as const;
      for (const [n, username] of [longName, 'bob', 'cy', 'dan', 'eve', 'fay'].entries()) {
        const { id } = await createMember(tx, { username });
        await joinGroup(tx, group, id, { on_board: n === 1 ? 0n : 1n });
        for (const [at, status] of states.entries()) {
          const problemIds = [BigInt(1 + ((at * 3 + n) % count)), BigInt(1 + ((at * 7 + n) % count))];
          await setStatus(tx, { memberId: id, problemIds, status, ...(status === 'complete' && { how: 'hint' }) });
        }
      }
      const coach = { groupId: group, coachId: ada };
      return { group, lists, secret: await makeGroupLink(tx, coach, { uses: 3, lifetimeMs: 1e9, madeBy: ada }) };
    }),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const own = await signIn(url, 'ada');
  const { page, strays, complaints, look } = await openPage(browser, url);
  const base = `/dashboard/groups/${group}/`;
  const rooms = ['', 'board/', 'board/?by=streak', 'seen/', 'settings/', 'give/', 'pick/'];
  const paths = [...rooms, ...lists.map((list) => `assignments/${list}/`)].map((end) => base + end);
  await page.goto(`${url}/authentication/join/${secret}/`);
  await page.click('summary');
  await look('join');
  await page.context().addCookies([{ name: 'session', value: own.cookies.get('session') ?? '', url }]);
  for (const path of ['/dashboard/groups/', '/dashboard/', ...paths]) {
    await page.goto(url + path);
    await look(path);
  }
  await t.test('the name of a line and the head stay where the table is scrolled', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${url}${base}assignments/${lists[1]}/`);
    const places = () =>
      page.evaluate(`['thead .sum', 'tbody .who'].map((one) => {
        const { left, top } = document.querySelector('.members ' + one).getBoundingClientRect();
        const frame = document.querySelector('.table-wrap').getBoundingClientRect();
        return one === 'tbody .who' ? left - frame.left : top - frame.top;
      })`) as Promise<number[]>;
    const before = await places();
    await page.evaluate(`document.querySelector('.table-wrap').scrollTo(600, 100)`);
    assert.equal((await places())[1], before[1]);
    const scrolled = (await page.evaluate(`document.querySelector('.table-wrap').scrollLeft`)) as number;
    assert.ok(scrolled > 100);
  });
  await t.test('its menu prints it', async () => {
    await page.evaluate(`window.print = () => { document.body.dataset.printed = 'yes' }`);
    await page.click('.table-tools .menu summary');
    await page.click('[data-print]');
    assert.equal(await page.getAttribute('body', 'data-printed'), 'yes');
  });
  await t.test('on paper it fits on sheets of A4 across', async () => {
    await page.setViewportSize({ width: 1046, height: 718 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const [at, sheets] of [
      [0, 1],
      [1, 2],
    ] as const) {
      await page.goto(`${url}${base}assignments/${lists[at]}/`);
      assert.ok((await overflow(page)) <= 0, `${at} is too wide`);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      assert.match(pdf, /\/MediaBox\s*\[0 0 841\.\d+ 59\d/);
      assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length <= sheets, `${at} takes more than ${sheets}`);
    }
  });
  assert.deepEqual([strays, complaints], [[], []]);
});
