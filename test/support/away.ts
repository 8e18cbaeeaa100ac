/** The way over a provider at which people sign in, and back. */
import assert from 'node:assert/strict';
import { attributeOf } from './elements.ts';
import { type Page, textOf } from './forms.ts';

/** Goes to where this page leads, and says at which path of the garden its visitor comes back. */
export async function backFrom(page: Page): Promise<string> {
  const away = attributeOf(page, '[data-away]', 'href');
  assert.ok(away, textOf(page, 'main'));
  const { headers } = await fetch(away, { redirect: 'manual' });
  const { pathname, search } = new URL(headers.get('location') ?? '');
  return pathname + search;
}
