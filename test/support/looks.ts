/** How pages look to a browser: what axe finds in them, and whether they scroll sideways. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The faults that axe finds, a line each; `except` are rules that are known to be broken there. */
export async function violations(page: Page, except: readonly string[] = []): Promise<string[]> {
  // By the protocol and not by a script element, which the page's policy would refuse.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeSource);
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

/** The elements that stick out beyond the page's width and are no part of something that scrolls by itself. */
export function widest(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const scrolls = (element) => element !== document.documentElement && element !== document.body && (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || (element.parentElement && scrolls(element.parentElement)));
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth && !scrolls(element))
      .map((element) => element.outerHTML.slice(0, 120)).slice(-3).join(' | ');
  })()`) as Promise<string>;
}

interface Shape {
  width: number;
  colorScheme: 'light' | 'dark';
  /** Whether axe looks at it as well. */
  isRead: boolean;
}

const allShapes: readonly Shape[] = [
  { width: 320, colorScheme: 'dark', isRead: true },
  { width: 768, colorScheme: 'light', isRead: true },
  { width: 1440, colorScheme: 'light', isRead: true },
  { width: 1440, colorScheme: 'dark', isRead: true },
];

/** Whether this is `npm run test:looks`, which takes all shapes; `npm test` takes the narrowest, and axe the widest. */
export const hasAllLooks = process.env['GARDEN_LOOKS'] === 'all';

const shapes: readonly Shape[] = hasAllLooks
  ? allShapes
  : [
      { width: 320, colorScheme: 'light', isRead: false },
      { width: 1440, colorScheme: 'light', isRead: true },
    ];

/** The faults of the page that is open, in each of the shapes; a line each. */
export async function faultsOfLook(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.waitForLoadState();
  for (const { width, colorScheme, isRead } of shapes) {
    const shape = `${width} ${colorScheme}`;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const sideways = await overflow(page);
    if (sideways > 0) faults.push(`${shape}: scrolls sideways by ${sideways} px: ${await widest(page)}`);
    if (isRead) faults.push(...(await violations(page)).map((fault) => `${shape}: ${fault}`));
  }
  return faults;
}
