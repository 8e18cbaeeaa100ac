/** Follows every figure and every mark of a page, and compares it with the number of rows of the page behind it. */
import assert from 'node:assert/strict';
import type { Browser } from './forms.ts';

export interface Walked {
  figures: number;
  /** The pages behind them, each of which was opened once. */
  pages: number;
}

/** Walks the figures of pages for one visitor; several pages share what is behind them. */
export function figureWalker(visitor: Pick<Browser, 'ask' | 'open'>) {
  const totals = new Map<string, string>();
  return async (path: string): Promise<Walked> => {
    const { status, document } = await visitor.open(path);
    assert.equal(status, 200, path);
    const links = document.querySelectorAll('a[data-count]');
    const behind = new Set<string>();
    for (const link of links) {
      const count = link.getAttribute('data-count') ?? '';
      const href = (link.getAttribute('href') ?? '').replaceAll('&amp;', '&');
      const text = link.textContent;
      assert.match(count, /^\d+$/, `${path}: ${text} has a number`);
      const said = text.match(/\d[\d,]*/g)?.map((one) => one.replaceAll(',', '')) ?? [];
      assert.ok(said.includes(count), `${path}: "${text}" says ${count}`);
      behind.add(href);
      if (!totals.has(href)) totals.set(href, await totalOf(visitor, href));
      assert.equal(totals.get(href), count, `${path}: "${text}" leads to ${href}`);
    }
    return { figures: links.length, pages: behind.size };
  };
}

/** What a page says its number of rows is. Where all rows fit on it, it has as many. */
async function totalOf(visitor: Pick<Browser, 'ask'>, href: string): Promise<string> {
  // As text: to parse hundreds of pages would take most of the time.
  const { status, text } = await visitor.ask(href);
  assert.equal(status, 200, href);
  const [total = '', ...more] = [...text.matchAll(/ data-total="(\d+)"/g)].map(([, found = '']) => found);
  assert.match(total, /^\d+$/, `${href} says how many rows it has`);
  assert.equal(more.length, 0, `${href} says it once`);
  const rows = text.match(/<(?:tr|li)[^>]* data-(?:problem|submission|day)="/g)?.length ?? 0;
  if (Number(total) <= 25) assert.equal(String(rows), total, `${href} shows its rows`);
  else assert.ok(rows >= 25, `${href} shows a page of its rows`);
  return total;
}
