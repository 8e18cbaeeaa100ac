/**
 * The pages in a real Chromium: nothing leaves the origin, no policy is broken, the interactive reference sends requests
 * that work and pass axe. Under a base path, because that is the harder case.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'node-html-parser';
import { operationIds, operations } from '../../src/contract/operations.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { importRows, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { overflow, violations } from '../support/looks.ts';
import { freePort } from '../support/ports.ts';

const exactId = '9007199254740993';

interface Box {
  scrollWidth: number;
  clientWidth: number;
  getClientRects(): { length: number };
}

test('pages in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', [
    { id: BigInt(exactId), title: 'Pond', source: 'here', source_key: '1', tags: ['dp'], rating: 900 },
  ]);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/practice`;
  await serve(t, { databaseUrl, args: ['--port', String(port)], env: { BASE_URL: base } });

  await t.test('the interactive reference lists the nine operations and sends what works', async () => {
    const { page, strays, complaints } = await openPage(browser, origin);
    await page.goto(`${base}/docs/`);
    await page.waitForSelector('.opblock');
    const listed = await page
      .locator('.opblock-summary-path')
      .evaluateAll((found) => found.map((one) => (one as { textContent: string }).textContent));
    const paths = listed.map((path) => path.replaceAll('\u200b', ''));
    assert.deepEqual(paths.toSorted(), operationIds.map((id) => operations[id].path).toSorted());

    await page.click('.btn.authorize');
    await page.fill('.auth-container input', token);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.auth-btn-wrapper .btn-done');
    const answerOf = async (id: string, fill: () => Promise<void> = async () => {}) => {
      const block = page.locator(`[id$="-${id}"].opblock`);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.execute').waitFor();
      await fill();
      await block.locator('.execute').click();
      const live = block.locator('.live-responses-table tbody');
      await live.waitFor();
      const [status = ''] = await live.locator('.response-col_status').allInnerTexts();
      const body = await live.locator('.highlight-code pre').first().innerText();
      return { status: status.trim(), body };
    };

    const whole = await answerOf('listProblems');
    assert.equal(whole.status, '200', whole.body);
    assert.equal(JSON.parse(whole.body).length, 1, 'no optional parameter was sent');
    const one = await answerOf('getProblem', () =>
      page.locator('[id$="-getProblem"].opblock .parameters input').first().fill(exactId),
    );
    assert.equal(one.status, '200', one.body);
    assert.match(one.body, new RegExp(`^\\{\n  "id": ${exactId},\n`));
    const refused = await answerOf('getRecord', () =>
      page.locator('[id$="-getRecord"].opblock .parameters input').first().fill('404'),
    );
    assert.equal(refused.status, '404');
    assert.equal(JSON.parse(refused.body).error, 40401);

    assert.deepEqual(await violations(page, ['nested-interactive']), []);
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await overflow(page), 0);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    assert.equal(kept, '[{},{},""]');
    const unasked = complaints.filter((text) => !text.includes('status of 404'));
    assert.deepEqual([strays, unasked], [[], []]);
    await page.context().close();
  });

  await t.test('without JavaScript it points at the plain reference, which works', async () => {
    const { page, strays } = await openPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${base}/docs/`);
    await page.locator('noscript a').click();
    assert.equal(page.url(), `${base}/docs/reference/`);
    for (const id of operationIds) {
      assert.ok(await page.getByRole('heading', { name: operations[id].summary, exact: true }).isVisible(), id);
    }
    await page.locator('main a', { hasText: 'try it' }).click();
    assert.equal(page.url(), `${base}/docs/`);
    assert.deepEqual(strays, []);
    await page.context().close();
  });

  await t.test('no table hides a column on a narrow screen, and no flag breaks on a wide one', async () => {
    const { page } = await openPage(browser, origin);
    for (const path of ['/docs/config/', '/docs/cli/', '/docs/errors/']) {
      await page.goto(base + path);
      for (const width of [320, 375, 768, 1152, 1440]) {
        await page.setViewportSize({ width, height: 700 });
        const hidden = await page
          .locator('.scroll')
          .evaluateAll((boxes) => (boxes as Box[]).filter((box) => box.scrollWidth > box.clientWidth).length);
        assert.equal(hidden, 0, `${path} at ${width}`);
      }
    }
    await page.goto(`${base}/docs/config/`);
    for (const width of [768, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      const lines = await page
        .locator('td:nth-child(-n + 2) > code')
        .evaluateAll((codes) => (codes as Box[]).map((code) => code.getClientRects().length));
      assert.ok(lines.length > 20 && lines.every((count) => count === 1), `${width}: ${lines}`);
    }
    await page.context().close();
  });

  await t.test('the keyboard reaches everything, and one sees where it is', async () => {
    const { page } = await openPage(browser, origin, { colorScheme: 'dark' });
    await page.goto(`${base}/docs/reference/`);
    const seen = new Set<string>();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      const focused = (await page.evaluate(`(() => {
        const { activeElement: at } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        const { left, width, height } = at.getBoundingClientRect();
        return { name: at.textContent, outline: outlineStyle + ' ' + outlineWidth, inView: left >= 0 && width * height > 0 };
      })()`)) as { name: string; outline: string; inView: boolean };
      assert.deepEqual([focused.outline, focused.inView], ['solid 2px', true], focused.name);
      seen.add(focused.name);
      if (step === 0) assert.equal(focused.name, 'Skip to content');
    }
    for (const name of ['Reference', 'List problems', 'JavaScript']) assert.ok(seen.has(name), name);
    await page.context().close();
  });

  await t.test('every link between the pages leads somewhere', async () => {
    const known = new Map<string, Set<string>>();
    const links: string[] = [];
    const open = async (url: string) => {
      const [address = ''] = url.split('#');
      if (known.has(address)) return;
      known.set(address, new Set());
      const reply = await fetch(address);
      assert.equal(reply.status, 200, address);
      if (!reply.headers.get('content-type')?.startsWith('text/html')) return;
      const document = parse(await reply.text());
      known.set(address, new Set(document.querySelectorAll('[id]').map(({ id }) => id)));
      const found = document.querySelectorAll('a[href], link[href]');
      for (const { href } of found.map((one) => new URL(one.getAttribute('href') ?? '', address))) {
        if (!href.startsWith(base)) continue;
        links.push(href);
        await open(href);
      }
    };
    await open(`${base}/`);
    assert.ok(known.size > 15, `${known.size} pages`);
    for (const link of links) {
      const [address = '', anchor] = link.split('#');
      if (anchor === undefined) continue;
      assert.ok(known.get(address)?.has(decodeURIComponent(anchor)), link);
    }
  });
});
