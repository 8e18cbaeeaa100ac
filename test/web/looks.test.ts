/**
 * Every page in a real Chromium: axe finds nothing, nothing scrolls sideways (support/looks.ts has the widths and themes), and
 * names, targets, focus and stillness are as docs/accessibility.md says.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { listDocuments } from '../../src/web/pages/docs/documents.ts';
import { accessibilityLooks } from '../support/accessibility.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { axeInitScript, faultsOfLook, hasAllLooks } from '../support/looks.ts';
import { showGarden } from '../support/shown.ts';

test('looks', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, pages, sessions } = await showGarden(t);
  const { page, strays, complaints, look } = await openPage(browser, url);
  const more = accessibilityLooks(await page.context().newCDPSession(page));
  await page.addInitScript(axeInitScript);
  const isAccessible = async () => assert.deepEqual(await faultsOfLook(page, more), []);
  for (const { name, path, url: at = url, status = 200 } of pages.filter(({ as }) => as === undefined)) {
    await t.test(name, async () => {
      const answer = await page.goto(at + path);
      assert.equal(answer?.status(), status);
      await isAccessible();
    });
  }

  await t.test('no document scrolls sideways', async () => {
    const paths = listDocuments(url).map(({ pagePath }) => pagePath);
    // The policy of the garden lets no script ask for a page.
    const { page: frame } = await openPage(browser, url, { bypassCSP: true });
    await frame.goto(url + paths[0]);
    for (const width of hasAllLooks ? [320, 768, 1440] : [320]) {
      await frame.setViewportSize({ width, height: 900 });
      const shown = (await frame.evaluate(widthsOfDocuments(paths))) as {
        path: string;
        title: string;
        width: number;
      }[];
      assert.ok(new Set(shown.map(({ title }) => title)).size > 50);
      assert.deepEqual(
        shown.filter((one) => one.width !== width),
        [],
      );
    }
  });

  await t.test('a form from elsewhere is refused with both addresses and the setting', async () => {
    // Chromium sends the origin of the page, which is not the one that the garden is set to.
    const other = url.replace('127.0.0.1', 'localhost');
    await page.goto(`${url}/authentication/sign-in/`);
    await page.context().clearCookies();
    await page.fill('[name=username]', 'ada');
    await page.fill('[name=password]', 'a long password');
    await page.click('button.primary');
    await page.waitForSelector('h1:text("This form was not accepted")');
    const text = await page.locator('main').innerText();
    for (const part of [url, other, `BASE_URL=${url}`]) assert.ok(text.includes(part), text);
    await look();
  });

  for (const { name, path, as } of pages) {
    if (as === undefined) continue;
    await t.test(name, async () => {
      await page.context().addCookies([{ name: 'session', value: sessions[as], url }]);
      const answer = await page.goto(url + path);
      assert.equal(answer?.status(), 200);
      await isAccessible();
    });
  }

  await t.test('on a phone titles and figures have room beside what stands in their row', async () => {
    await page.setViewportSize({ width: 320, height: 900 });
    const widths = async (path: string, selector: string) => {
      await page.goto(url + path);
      return (await page.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => [one.clientWidth, one.scrollWidth])`,
      )) as [own: number, inside: number][];
    };
    const figures = await widths('/plants/', '.plant-table td.num');
    assert.ok(figures.length > 5);
    assert.deepEqual(
      figures.filter(([own, inside]) => inside > own),
      [],
    );
    const titles = await widths('/dashboard/groups/1/assignments/1/', '.key-list [data-problem]');
    assert.ok(titles.length > 5);
    const links = (await page.evaluate(
      `[...document.querySelectorAll('.key-list .t a')].map((one) => one.getBoundingClientRect().width)`,
    )) as number[];
    assert.deepEqual(
      links.filter((width) => width < 40),
      [],
    );
    assert.deepEqual(
      titles.filter(([own, inside]) => inside > own),
      [],
    );
  });

  // axe leaves out what cannot be pressed, which is to be read all the same.
  await t.test('a button that cannot be pressed can be read', async () => {
    await page.goto(`${url}/problem_list/lists/add/?q=nothing+of+the+kind`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const contrast = (await page.evaluate(`(() => {
        const light = (text) => {
          const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
          const [r, g, b] = parts.map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const { color, backgroundColor } = getComputedStyle(document.querySelector('.button[disabled]'));
        const [high, low] = [light(color), light(backgroundColor)].sort((a, b) => b - a);
        return high / low;
      })()`)) as number;
      assert.ok(contrast >= 4.5, `${colorScheme}: ${contrast}`);
    }
  });

  await t.test('a password can be filled in by a manager, and shortcuts can be turned off', async () => {
    await page.context().clearCookies();
    await page.goto(`${url}/authentication/sign-in/`);
    const purposes =
      '[...document.querySelectorAll("main [name=username], main [name=password]")].map((one) => one.autocomplete)';
    assert.deepEqual(await page.evaluate(purposes), ['username', 'current-password']);
    await page.context().addCookies([{ name: 'session', value: sessions.demo, url }]);
    await page.goto(`${url}/problem_list/`);
    const searches = async () => {
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('/');
      return page.evaluate('document.activeElement.type === "search"');
    };
    assert.equal(await searches(), true);
    await page.evaluate('document.querySelector("#keys").showPopover()');
    await page.check('#keys-off');
    await page.reload();
    assert.equal(await searches(), false);
    await page.evaluate('document.querySelector("#keys").showPopover()');
    await page.uncheck('#keys-off');
    assert.equal(await searches(), true);
  });

  await t.test('nothing left the origin, broke the policy or failed', () => {
    const unasked = complaints.filter((text) => !/status of 40[034]/.test(text));
    const origins = new Set([url, ...pages.map((shown) => shown.url)]);
    const far = strays.filter((address) => !origins.has(new URL(address).origin));
    assert.deepEqual([far, unasked], [[], []]);
  });
});

/** Shows the bodies of these documents in one page after another, which takes a fraction of loading each of them. */
const widthsOfDocuments = (paths: readonly string[]) => `(async () => {
  const stylesIn = (one) => [...one.querySelectorAll('[rel=stylesheet]')].map(({ href }) => href).join();
  const widths = [];
  for (const path of ${JSON.stringify(paths)}) {
    const request = new XMLHttpRequest();
    request.open('GET', path);
    request.responseType = 'document';
    const one = await new Promise((resolve) => {
      request.onloadend = () => resolve(request.response);
      request.send();
    });
    if (stylesIn(one) !== stylesIn(document)) throw new Error(path + ' has other styles');
    document.body.replaceWith(one.body);
    widths.push({ path, title: document.querySelector('h1').textContent, width: document.documentElement.scrollWidth });
  }
  return widths;
})()`;
