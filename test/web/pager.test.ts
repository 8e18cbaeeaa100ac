/** The steps between pages: they keep the rest of the query, and say how many there are where somebody counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysetPage, pageOf, pageSteps } from '../../src/web/kit/pager.ts';

const linksOf = (markup: unknown) => [...String(markup).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

test('one page has no steps; others lead to the pages before and after with the rest of the query', () => {
  assert.equal(pageSteps({ path: '/members/', page: 1, pages: 1 }), '');
  assert.equal(pageSteps({ path: '/members/', page: 1, pages: 'last' }), '');
  const middle = pageSteps({ path: '/members/', page: 2, pages: 3, restOfQuery: { q: 'a b' } });
  assert.deepEqual(linksOf(middle), ['/members/?q=a+b&amp;page=1', '/members/?q=a+b&amp;page=3']);
  assert.match(String(middle), /Page 2 of 3/);
  const uncounted = pageSteps({ path: '/lists/', page: 1, pages: 'more' });
  assert.deepEqual(linksOf(uncounted), ['/lists/?page=2']);
  assert.doesNotMatch(String(uncounted), /Page \d/);
});

test('a page that is not there is the last one, and one that is no number the first', () => {
  const asked = (page: string) => pageOf(new URLSearchParams({ page }), 101n, 50);
  assert.deepEqual(
    [asked('9'), asked('2'), asked('0'), asked('x')].map(({ page }) => page),
    [3, 2, 1, 1],
  );
  assert.equal(pageOf(new URLSearchParams(), 0n, 50).pages, 1);
});

test('rows by key: the one that was read beyond the page is not shown, and the link names the last that is', () => {
  const visit = { site: { basePath: '/garden' }, path: '/log/' } as Parameters<typeof keysetPage>[0];
  const cursor = ['before', (id: bigint) => id] as const;
  const cut = keysetPage(visit, [9n, 7n, 5n], { limit: 2, cursor, linkText: 'Older' });
  assert.deepEqual([cut.shown, linksOf(cut.more)], [[9n, 7n], ['/garden/log/?before=7']]);
  assert.equal(keysetPage(visit, [9n, 7n], { limit: 2, cursor, linkText: 'Older' }).more, false);
});
