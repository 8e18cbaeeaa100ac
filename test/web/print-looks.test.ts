/** On paper and in forced colours (Windows' contrast themes): nothing is cut off, nothing to press is printed, every state shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMemberByName } from '../../src/store/members.ts';
import { rosterPath, roundPath, seasonPath } from '../../src/web/paths.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { hasAllLooks, overflow, violations, withFewRows } from '../support/looks.ts';
import { clubRound } from '../support/rounds.ts';
import { fillSeason } from '../support/seasons.ts';
import { showGarden } from '../support/shown.ts';

const few = ['progress', 'problem', 'staff-members', 'guide'];
const names = hasAllLooks ? [...few, 'problems', 'account', 'tokens', 'history', 'staff-log'] : few;
const sheet = { width: 703, height: 1032 };

test('on paper and in forced colours', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, store, pages, sessions } = await showGarden(t);
  const { page } = await openPage(browser, url);
  const open = async (name: string) => {
    const shown = pages.find((one) => one.name === name);
    assert.ok(shown, name);
    await page.context().clearCookies();
    if (shown.as) await page.context().addCookies([{ name: 'session', value: sessions[shown.as], url }]);
    assert.equal((await page.goto(url + shown.path))?.status(), 200, name);
  };
  const misplaced = () =>
    page.evaluate(`(() => {
      const shown = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility());
      const boxes = shown.filter((one) => !one.closest('svg, .sr, .skip'));
      const cut = boxes.filter((one) => one.getBoundingClientRect().left < -1 && !one.closest('.sub'));
      const pressed = boxes.filter((one) => one.matches('button.button, nav, .undo, .demo-line'));
      return [...cut, ...pressed].map((one) => one.outerHTML.slice(0, 120));
    })()`) as Promise<string[]>;
  const colorsOf = (...selectors: string[]) =>
    page.evaluate(
      `${JSON.stringify(selectors)}.map((one) => getComputedStyle(document.querySelector(one)))
        .map((style) => [style.backgroundColor, style.color])`,
    ) as Promise<[background: string, ink: string][]>;

  for (const name of names) {
    await t.test(name, async () => {
      for (const colorScheme of hasAllLooks ? (['light', 'dark'] as const) : (['dark'] as const)) {
        await page.setViewportSize(sheet);
        await page.emulateMedia({ media: 'print', forcedColors: 'none', colorScheme });
        await open(name);
        assert.deepEqual(await misplaced(), [], `${colorScheme}, printed`);
        assert.equal(await overflow(page), 0, `${colorScheme}, printed`);
        const [[paper] = [''], [, ink] = ['', '']] = await colorsOf('html', 'h1');
        assert.ok(lightness(paper) > 0.9 && lightness(ink) < 0.3, `${colorScheme}: ${paper}, ${ink}`);
        // Paper has no structure; what looks.test.ts cannot know of it are its colours.
        const contrast = await withFewRows(page, 1, () => violations(page, { runOnly: ['color-contrast'] }));
        assert.deepEqual(contrast, [], `${colorScheme}, printed`);
        for (const width of [320, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ media: 'screen', forcedColors: 'active', colorScheme });
          assert.equal(await overflow(page), 0, `${colorScheme} ${width}, forced`);
        }
      }
    });
  }

  await t.test('the links of a class are slips to cut, from the first page on', async () => {
    await page.emulateMedia({ media: null, forcedColors: 'none', colorScheme: 'dark' });
    await open('staff-members');
    const people = Array.from({ length: 20 }, (_, at) => `pupil${at};Given${at};Family${at};10b`);
    await page.fill('[name="people"]', ['login;given name;surname;class', ...people, 'a b;;;', 'ADA;;;'].join('\n'));
    await page.click('form:has([name="people"]) button');
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await overflow(page), 0, `${width}`);
    }
    assert.deepEqual(await withFewRows(page, 1, () => violations(page)), []);
    await page.click('[name="add"]');
    await page.locator('.slip').last().waitFor();
    await page.waitForLoadState();
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    assert.equal(sheets?.length, 2);
    await page.setViewportSize(sheet);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await misplaced(), []);
    const top = await page.locator('.slip').first().boundingBox();
    assert.ok((top?.y ?? Infinity) < 40, 'nothing is above the first slip');
  });

  await t.test('a sheet of an assignment has whole titles and names', async () => {
    await page.setViewportSize(sheet);
    await page.emulateMedia({ media: 'print', forcedColors: 'none', colorScheme: 'light' });
    await open('group-table');
    const cut = await page.evaluate(`[...document.querySelectorAll('.key-list *, .members .who')]
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
      .filter((one) => getComputedStyle(one).overflowX !== 'visible').map((one) => one.textContent)`);
    assert.deepEqual(cut, []);
  });

  await t.test('a round, a season and its roster print on one sheet each', async () => {
    const demo = await findMemberByName(store.reader, 'demo');
    const { group } = await fillSeason(store, demo?.id ?? 0n, { people: 14, contests: 12 });
    const rounds = [
      await clubRound(store, { minutesIn: 4000 }),
      await clubRound(store, { minutesIn: 70 }),
      await clubRound(store, { minutesIn: -70 }),
    ];
    await page.emulateMedia({ media: null, forcedColors: 'none', colorScheme: 'light' });
    await page.context().addCookies([{ name: 'session', value: sessions.demo, url }]);
    for (const path of [seasonPath(group), rosterPath(group), ...rounds.map((id) => roundPath(id))]) {
      assert.equal((await page.goto(url + path))?.status(), 200, path);
      // An upright sheet with usual margins is as narrow as the screen of a phone.
      for (const margin of ['0', '10mm']) {
        const margins = { top: margin, right: margin, bottom: margin, left: margin };
        const sheets = (await page.pdf({ preferCSSPageSize: true, margin: margins })).toString('latin1');
        assert.match(sheets, /\/MediaBox \[0 0 841\.9\d* 59\d\.\d*\]/, path);
        assert.equal(sheets.match(/\/Type \/Page\b/g)?.length, 1, `${path}, ${margin}`);
      }
    }
  });

  await t.test('a switch shows in forced colours whether it is on', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ media: 'screen', forcedColors: 'active', colorScheme: 'light' });
    await open('problems');
    const [off, on] = await colorsOf('[aria-checked="false"] > .track', '[aria-checked="true"] > .track');
    assert.notEqual(off?.[0], on?.[0]);
  });
});

function lightness(color: string): number {
  const [red = 0, green = 0, blue = 0, opacity = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return opacity === 0 ? 1 : (red + green + blue) / 3 / (color.startsWith('rgb') ? 255 : 1);
}
