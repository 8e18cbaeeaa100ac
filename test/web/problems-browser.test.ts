/** The problem list in a real Chromium: by keyboard alone, and with its script. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { browserPatienceMs, enter, openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { overflow } from '../support/looks.ts';

const problems = Array.from({ length: 40 }, (_, place) => ({
  id: place + 1,
  title: `A rather long name of a problem, number ${place + 1}`,
  source: place % 2 === 0 ? 'codeforces' : 'atcoder',
  source_key: place % 2 === 0 ? `${1400 + place}B` : `abc${100 + place}_d`,
  rating: 800 + place * 50,
  tags: ['dp', 'data structures', 'trees'].slice(place % 3),
  url: `https://example.org/${place}`,
}));

const keysRestMs = 2100;

async function pressAndLoad(page: Page, key: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.keyboard.press(key);
  await loaded;
}

test('the problem list in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const { page, strays, complaints } = await openPage(browser, url, { viewport: { width: 1440, height: 900 } });
  await enter(page, url, 'ada', '/problem_list/');
  const status = (id: number) => page.getAttribute(`#p${id}`, 'data-status');
  const focused = () =>
    page.evaluate('document.activeElement.closest("tr")?.id ?? document.activeElement.id') as Promise<string>;

  await t.test('is worked through by keys alone', async () => {
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    assert.equal(await focused(), 'p2');
    await pressAndLoad(page, '3');
    assert.equal(await status(2), 'complete');
    assert.equal(await focused(), 'p2', 'the row keeps the focus');
    await pressAndLoad(page, 's');
    assert.equal(await page.getAttribute('#p2 .star', 'aria-pressed'), 'true');
    await pressAndLoad(page, 'u');
    assert.equal(await page.getAttribute('#p2 .star', 'aria-pressed'), 'false');
    await pressAndLoad(page, 'u');
    assert.equal(await page.getAttribute('#p2 .star', 'aria-pressed'), 'true', 'redo');
    await pressAndLoad(page, 'u');
    await pressAndLoad(page, '5');
    assert.equal(await status(2), 'ignored', 'a status behind More is one key away too');
    await pressAndLoad(page, 'u');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    assert.equal(await page.isChecked('#p3 [name="pick"]'), true);
    await page.keyboard.press('t');
    assert.equal(await page.isVisible('#p3 .c-topics .chip'), true);
    await page.keyboard.press('?');
    assert.equal(await page.isVisible('#keys'), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('#keys'), false);
    await page.keyboard.press('/');
    await page.keyboard.type('3 number 12');
    assert.equal(await page.inputValue('.filters [name="q"]'), '3 number 12', 'keys do nothing in a field');
    await page.fill('.filters [name="q"]', 'number 12');
    await pressAndLoad(page, 'Enter');
    assert.equal(page.url(), `${url}/problem_list/?q=number+12`);
    await page.keyboard.press('j');
    await pressAndLoad(page, 'o');
    assert.equal(page.url(), `${url}/problem_list/problem/12/`);
    await page.waitForTimeout(keysRestMs);
    await pressAndLoad(page, '1');
    assert.equal(await page.getAttribute('[data-problem]', 'data-status'), 'reading');
    await page.keyboard.press('n');
    await page.keyboard.type('draw it');
    await pressAndLoad(page, 'Control+Enter');
    assert.equal(await page.inputValue('#note-text'), 'draw it');
    await page.click('.note ~ details summary');
    await page.fill('#note-text', `$${'a+'.repeat(140)}b$`);
    await pressAndLoad(page, 'Control+Enter');
    await page.setViewportSize({ width: 320, height: 900 });
    assert.equal(await page.locator('.note math').count(), 1);
    assert.equal(await overflow(page), 0, 'a long formula scrolls inside its note');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await t.test('a mark that takes its row out of a filtered list leaves the keys to the next row', async () => {
    await page.goto(`${url}/problem_list/?status=not_started&q=number+3&order=id`);
    for (const key of ['j', 'j', 'j']) await page.keyboard.press(key);
    const [row = ''] = [await focused()];
    const id = Number(row.slice(1));
    await pressAndLoad(page, '4');
    assert.equal(await page.locator(`#p${id}`).count(), 0, 'the row left the list');
    assert.equal(await focused(), `p${id + 1}`);
    await pressAndLoad(page, '4');
    assert.equal(await focused(), `p${id + 2}`);
    await pressAndLoad(page, 'u');
    assert.equal(await focused(), `p${id + 1}`, 'the row that came back has the focus');
    await pressAndLoad(page, 'u');
    assert.equal(await page.locator(`#p${id + 1}`).count(), 0, 'the same key makes the change again');
    await pressAndLoad(page, 'u');
    await page.goto(`${url}/problem_list/?q=number+40&status=not_started`);
    await page.keyboard.press('j');
    await pressAndLoad(page, '4');
    await pressAndLoad(page, 'u');
    assert.equal(await focused(), 'p40');
    await Promise.all([page.waitForURL('**/problem/40/*'), page.keyboard.press('n')]);
    await page.goto(`${url}/problem_list/`);
  });

  await t.test('after a key that leads elsewhere keys rest, and n leads into the note', async () => {
    await page.goto(`${url}/problem_list/?q=number+14`);
    await page.keyboard.press('j');
    await Promise.all([page.waitForURL('**/problem/14/*'), page.keyboard.press('n')]);
    await page.keyboard.type('so 3');
    assert.equal(await focused(), 'note-text');
    assert.equal(await page.inputValue('#note-text'), 'so 3');
    await page.waitForTimeout(600);
    // On a busy machine the keys come late, so the clock of this page goes ten times slower.
    const late = await page.context().newPage();
    await late.addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() / 10;
    });
    await late.goto(`${url}/problem_list/?q=number+14`);
    await late.keyboard.press('j');
    await pressAndLoad(late, 'o');
    await late.keyboard.type('so3*1');
    await late.waitForTimeout(300);
    assert.equal(late.url(), `${url}/problem_list/problem/14/`);
    assert.equal(await late.getAttribute('[data-problem]', 'data-status'), 'not_started');
    assert.equal(await late.getAttribute('.star', 'aria-pressed'), 'false');
    await late.close();
  });

  await t.test('an address that is shown once is copied by its button, also without https', async () => {
    await page.goto(`${url}/authentication/account/inbox/`);
    await Promise.all([page.waitForEvent('load'), page.click('[name="address"]')]);
    const address = await page.textContent('[data-secret]');
    await page.click('.new-token [data-copy]');
    assert.equal(await page.textContent('.new-token [data-copy]'), 'Copied');
    await page.goto(`${url}/problem_list/`);
    await page.focus('.filters [name="q"]');
    await page.keyboard.press('Control+V');
    assert.equal(await page.inputValue('.filters [name="q"]'), address);
  });

  await t.test('a key that leaves the garden opens a new tab', async () => {
    await page.context().route('https://example.org/**', (route) => route.fulfill({ body: '' }));
    await page.goto(`${url}/problem_list/problem/14/`);
    await page.waitForTimeout(keysRestMs);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')]);
    assert.equal(page.url(), `${url}/problem_list/problem/14/`);
    assert.equal(await opened.evaluate('String(window.opener)'), 'null');
    await opened.close();
  });

  await t.test('sends filters that are chosen, and ticks a whole page', async () => {
    await page.goto(`${url}/problem_list/`);
    await page.click('.filters summary:has-text("Judge")');
    await Promise.all([page.waitForURL('**/?source=atcoder'), page.click('label:has([value="atcoder"])')]);
    await page.click('.filters summary:has-text("Topics")');
    const tick = (tag: string) => page.click(`label:has([name="tag"][value="${tag}"])`);
    await Promise.all([page.waitForURL('**/?source=atcoder&tag=dp'), tick('dp')]);
    assert.equal(await page.isVisible('[name="tag"][value="trees"]'), true, 'the menu is open again');
    assert.equal(await page.evaluate('document.activeElement.value'), 'dp');
    await Promise.all([page.waitForURL('**/?source=atcoder&tag=trees&tag=dp'), tick('trees')]);
    await page.keyboard.press('Escape');
    await page.fill('[name="rating_min"]', '1');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.name'), 'rating_max');
    await page.keyboard.type('9000');
    await Promise.all([
      page.waitForURL('**&rating_min=1&rating_max=9000&tag=trees&tag=dp'),
      page.keyboard.press('Tab'),
    ]);
    assert.equal(await page.isVisible('.filters button:has-text("Apply")'), false);
    await Promise.all([page.waitForURL('**&per_page=100'), page.selectOption('[name="per_page"]', '100')]);
    const rows = await page.locator('tr[data-problem]').count();
    assert.equal(await page.isVisible('#bulk'), false);
    await page.click('.pick:has([data-pick-all])');
    assert.equal(await page.locator('[name="pick"]:checked').count(), rows);
    assert.equal(await page.isVisible('#bulk'), true);
    await page.selectOption('#bulk [name="to"]', 'skipped');
    await Promise.all([page.waitForEvent('load'), page.click('#bulk [value="mark"]')]);
    assert.equal(await page.locator('tr[data-status="skipped"]').count(), rows);
    assert.match((await page.textContent('.undo p')) ?? '', new RegExp(`^${rows} problems: now skipped`));
  });

  await t.test('without script one button applies all choices, and is on the screen with any menu open', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1366, height: 768 },
      storageState: await page.context().storageState(),
    });
    context.setDefaultTimeout(browserPatienceMs);
    const bare = await context.newPage();
    await bare.goto(`${url}/problem_list/`);
    assert.equal(await bare.locator('.filters button').count(), 1);
    const menus = await bare.locator('.filters details').all();
    for (const menu of menus) {
      await menu.locator('summary').click();
      await bare.locator('.filters button').click({ trial: true });
      const box = await bare.locator('.filters button').boundingBox();
      assert.ok(box && box.y + box.height <= 768);
    }
    await bare.click('.filters summary:has-text("Judge")');
    await bare.click('label:has([value="atcoder"])');
    await bare.fill('[name="rating_min"]', '1');
    await bare.click('.filters summary:has-text("Topics")');
    await bare.click('label:has([name="tag"][value="dp"])');
    await Promise.all([bare.waitForURL('**/?source=atcoder&rating_min=1&tag=dp'), bare.click('.filters button')]);
    await context.close();
  });
  assert.deepEqual([strays, complaints], [[], []]);
});
