/** How pages look to a browser: what axe finds in them, and whether they scroll sideways. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, a line each; `except` are rules that are known to be broken there. */
export async function violations(page: Page, except: readonly string[] = []): Promise<string[]> {
  // By the protocol and not by a script element, which the page's policy would refuse.
  await page.evaluate(axeSource);
  const found = await page.evaluate(async (off) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({
      rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
      resultTypes: ['violations'],
    });
  }, except);
  assert.ok(found.passes.length > 5, 'axe looked at something');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** How far the page can be scrolled sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  ) as Promise<number>;
}

/** What is wrong with the page that is open, at each width, light and dark; a line each. */
export async function faultsOfLook(
  page: Page,
  { widths = [320, 768, 1440], except = [] }: { widths?: readonly number[]; except?: readonly string[] } = {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const sideways = await overflow(page);
    if (sideways > 0) faults.push(`${width}: scrolls sideways by ${sideways} px`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      faults.push(...(await violations(page, except)).map((fault) => `${width} ${colorScheme}: ${fault}`));
    }
  }
  return faults;
}
