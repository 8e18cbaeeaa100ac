/**
 * Remakes the pictures in docs/pictures: every page of a garden with the sample, wide and light, narrow and dark. Names of
 * pages in SCREENSHOTS make these alone. The pictures want a system font such as Inter.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { root } from '../support/garden.ts';
import { showGarden } from '../support/shown.ts';

const folder = join(root, 'docs', 'pictures');
const wanted = (process.env['SCREENSHOTS'] ?? '').split(',').filter(Boolean);
const shapes = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'dark' },
] as const;
/** README shows Today with its suggestions. */
const heights: Readonly<Record<string, number>> = { 'today-1440': 1250 };

test('screenshots', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const garden = await showGarden(t);
  const { pages, sessions } = garden;
  await mkdir(folder, { recursive: true });
  for (const { width, height, colorScheme } of shapes) {
    for (const { name, path, as, url = garden.url, status = 200 } of pages) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const viewport = { width, height: heights[`${name}-${width}`] ?? height };
      const context = await browser.newContext({ viewport, colorScheme });
      if (as) await context.addCookies([{ name: 'session', value: sessions[as], url }]);
      const page = await context.newPage();
      const answer = await page.goto(url + path, { waitUntil: 'load' });
      assert.equal(answer?.status(), status, path);
      assert.ok(page.url().startsWith(url + path.split('?', 1)[0]), `${path} led to ${page.url()}`);
      // The paths of this machine are no one else's.
      const mask = [page.getByText(tmpdir())];
      const bytes = await page.screenshot({
        animations: 'disabled',
        caret: 'hide',
        mask,
        maskColor: '#7f8c7e',
      });
      await writeFile(join(folder, `${name}-${width}-${colorScheme}.png`), bytes);
      await context.close();
    }
  }
});
