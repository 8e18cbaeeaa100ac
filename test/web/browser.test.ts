/**
 * The pages in a real Chromium: nothing leaves the origin, no policy is broken, the reference sends requests that work and
 * passes axe. Under a base path, because that is the harder case.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'node-html-parser';
import { type OperationId, operationIds, operations } from '../../src/contract/operations.ts';
import { programOperationIds } from '../../src/contract/programs/operations.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { importRows, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { overflow, violations } from '../support/looks.ts';
import { freePort } from '../support/ports.ts';

const exactId = '9007199254740993';

/** The forms that have an answer; test/web/looks.test.ts looks at the rest of the page. */
const tried = `[...document.querySelectorAll('.try:has(.answer > pre)')]`;

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
  const program = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:mark'] });
  await importRows(databaseUrl, 'problems', [
    { id: BigInt(exactId), title: 'Pond', source: 'here', source_key: '1', tags: ['dp'], rating: 900 },
  ]);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/practice`;
  await serve(t, { databaseUrl, args: ['--port', String(port)], env: { BASE_URL: base } });

  await t.test('each operation of the reference has a form that sends what works', async () => {
    const { page, strays, complaints } = await openPage(browser, origin);
    await page.goto(`${base}/docs/`);
    assert.equal(page.url(), `${base}/docs/reference/`);
    await page.locator('.try').last().waitFor();
    const headings = await page.evaluate(`[...document.querySelectorAll('.try')].map((form) => {
      let at = form;
      while (at.tagName !== 'H2') at = at.previousElementSibling;
      return at.textContent;
    })`);
    assert.deepEqual(
      headings,
      operationIds.map((id) => operations[id].summary),
    );
    const valuesOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value));
    const answerOf = async (id: OperationId, fields: Readonly<Record<string, string>> = {}) => {
      const part = page.locator('.try').nth(operationIds.indexOf(id));
      if (!(await part.locator('form').isVisible())) await part.locator('summary').first().click();
      for (const [name, value] of Object.entries(fields)) await part.locator(`[name="${name}"]`).fill(value);
      await part.locator('button').click();
      const status = part.locator('[role="status"]', { hasText: ' ms' });
      await status.waitFor();
      const headers = (await part.locator('.answer details pre').textContent()) ?? '';
      const body = (await part.locator('.answer > pre').textContent()) ?? '';
      return { status: (await status.textContent()) ?? '', headers, body };
    };

    const whole = await answerOf('listProblems', { token });
    assert.match(whole.status, /^GET \/problem_list\/api\/problems\/: 200 OK, \d+ ms$/);
    assert.equal(JSON.parse(whole.body).length, 1, 'no optional parameter was sent');
    assert.match(whole.headers, /^api-version: 1\.0\.0$/m);
    assert.deepEqual([...new Set(await valuesOf('.try [name="token"]'))], [token], 'one token for all');
    const some = await answerOf('listProblems', { tag: 'dp, trees', rating_min: '800' });
    assert.match(some.status, /\/problems\/\?tag=dp&tag=trees&rating_min=800: 200 /);
    assert.deepEqual(JSON.parse(some.body), []);
    await page
      .locator('.try')
      .nth(operationIds.indexOf('listProblems'))
      .locator('[name="accept"]')
      .selectOption('text/csv');
    assert.match((await answerOf('listProblems', { tag: '' })).body, new RegExp(`^id,title,.*\\r?\\n${exactId},Pond,`));
    const one = await answerOf('getProblem', { id: exactId });
    assert.match(one.status, /: 200 OK/);
    assert.match(one.body, new RegExp(`^\\{\n  "id": ${exactId},\n`));
    const refused = await answerOf('getRecord', { id: '404' });
    assert.match(refused.status, /: 404 /);
    assert.equal(JSON.parse(refused.body).error, 40401);
    assert.deepEqual(await valuesOf('.try [name="id"]'), ['', '404', '7', exactId, '7'], 'no example is deleted');
    assert.match((await answerOf('deletePlant', { id: exactId })).status, /^DELETE \/plants\/\d+: 404 /);

    assert.deepEqual(await violations(page, {}, tried), []);
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await overflow(page), 0);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    assert.equal(kept, '[{},{},""]');
    const unasked = complaints.filter((text) => !text.includes('status of 404'));
    assert.deepEqual([strays, unasked], [[], []]);
    await page.context().setOffline(true);
    await page.locator('.try button').first().click();
    await page.locator('.try [role="status"]', { hasText: 'did not answer' }).waitFor();
    await page.context().close();
  });

  await t.test(
    'each operation of programs has a form too, which sends the body and the headers of a write',
    async () => {
      const { page, complaints } = await openPage(browser, origin);
      await page.goto(`${base}/docs/reference/`);
      await page.getByRole('link', { name: 'Programs', exact: true }).click();
      await page.locator('.try').last().waitFor();
      assert.equal(await page.locator('.try').count(), programOperationIds.length);
      const part = page.locator('.try').nth(programOperationIds.indexOf('changeMark'));
      await part.locator('summary').first().click();
      const fields = { token: program.token, problem: exactId, body: '{"starred":true}', 'Idempotency-Key': '"k1"' };
      for (const [name, value] of Object.entries(fields)) await part.locator(`[name="${name}"]`).fill(value);
      for (const headers of [/^etag: "/m, /^idempotency-replayed: true$/m]) {
        await part.locator('button').click();
        await part.locator('.answer details pre', { hasText: headers }).waitFor({ state: 'attached' });
      }
      const status = (await part.locator('[role="status"]').textContent()) ?? '';
      assert.match(status, new RegExp(`^PATCH /practice/v1/marks/${exactId}: 200 `));
      assert.equal(JSON.parse((await part.locator('.answer > pre').textContent()) ?? '').mark.starred, true);
      assert.deepEqual(await violations(page, {}, tried), []);
      await page.setViewportSize({ width: 320, height: 700 });
      assert.equal(await overflow(page), 0);
      assert.deepEqual(complaints, []);
      await page.context().close();
    },
  );

  await t.test('without JavaScript it says everything, and has no form', async () => {
    const { page, strays } = await openPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${base}/docs/reference/`);
    for (const id of operationIds) {
      assert.ok(await page.getByRole('heading', { name: operations[id].summary, exact: true }).isVisible(), id);
    }
    for (const label of ['JavaScript', 'Python'])
      assert.equal(await page.locator('.prose summary', { hasText: label }).count(), operationIds.length);
    assert.equal(await page.locator('.try').count(), 0);
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
    for (const name of ['API', 'List problems', 'JavaScript', 'Try it']) assert.ok(seen.has(name), name);
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
