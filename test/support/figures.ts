/** Follows every figure and every mark of a page, and compares it with the number of rows of the page behind it. */
import assert from 'node:assert/strict';
import type { Browser, Page } from './forms.ts';

type Element = ReturnType<Page['document']['querySelectorAll']>[number];

export interface Walked {
  figures: number;
  pages: number;
}

/** `isSampled` opens only the first, the middle and the last figure of each kind, for pages with thousands. */
export function figureWalker(visitor: Pick<Browser, 'ask' | 'open'>, { isSampled = false } = {}) {
  const totals = new Map<string, string>();
  return async (path: string): Promise<Walked> => {
    const { status, document } = await visitor.open(path);
    assert.equal(status, 200, path);
    const links = document.querySelectorAll('a[data-count]');
    const behind = new Set<string>();
    for (const link of links) {
      const count = link.getAttribute('data-count') ?? '';
      const text = link.textContent;
      assert.match(count, /^\d+$/, `${path}: ${text} has a number`);
      if (link.closest('th[scope="row"]') || / %$/.test(text)) continue;
      const said = text.match(/\d[\d,]*/g)?.map((one) => one.replaceAll(',', '')) ?? [];
      assert.ok(said.includes(count), `${path}: "${text}" says ${count}`);
    }
    for (const link of isSampled ? someOfEachKind(links) : links) {
      const count = link.getAttribute('data-count') ?? '';
      const href = addressOf(link);
      behind.add(href);
      if (!totals.has(href)) totals.set(href, await totalOf(visitor, href));
      assert.equal(totals.get(href), count, `${path}: "${link.textContent}" leads to ${href}`);
    }
    return { figures: links.length, pages: behind.size };
  };
}

const addressOf = (link: Element) => link.getAttribute('href') ?? '';

function someOfEachKind(links: readonly Element[]): Element[] {
  const kindOf = (link: Element) => {
    const { pathname, searchParams } = new URL(addressOf(link), 'http://garden');
    const mark = link.querySelector('rect, circle, path, use')?.getAttribute('class') ?? '';
    return [pathname.replaceAll(/\d+/g, '0'), ...searchParams.keys(), link.getAttribute('class'), mark].join();
  };
  return [...Map.groupBy(links, kindOf).values()].flatMap((some) => [
    ...new Set([some[0], some[some.length >> 1], some.at(-1)].filter((one) => one !== undefined)),
  ]);
}

export async function totalOf(visitor: Pick<Browser, 'ask'>, href: string): Promise<string> {
  // By a pattern, because parsing hundreds of pages takes most of the time.
  const { status, text } = await visitor.ask(href);
  assert.equal(status, 200, href);
  const [total = '', ...more] = [...text.matchAll(/ data-total="(\d+)"/g)].map(([, found = '']) => found);
  assert.match(total, /^\d+$/, `${href} says how many rows it has`);
  assert.equal(more.length, 0, `${href} says it once`);
  const rows = text.match(/<(?:tr|li)[^>]* data-(?:problem|submission|day|plant)="/g)?.length ?? 0;
  if (Number(total) <= 25) assert.equal(String(rows), total, `${href} shows its rows`);
  else assert.ok(rows >= 25, `${href} shows a page of its rows`);
  return total;
}
