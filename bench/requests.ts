/** What the works ask for: paths of items, pages and collections, and the mix of them. */

import { seeded } from './catalogue.ts';
import type { Ask } from './client.ts';

export const problemsPath = '/problem_list/api/problems/';
const statusesPath = '/problem_list/api/status/';
export const plantsPath = '/plants/';

export const problems = 10_000;
/** How many problems the member has a status on. */
export const statuses = 2_000;
const differentItems = 500;

export const oneItem: Ask = { path: `${problemsPath}1/` };
export const collection: Ask = { path: problemsPath };
export const statusCollection: Ask = { path: statusesPath };
/** All over the catalogue, so that no target profits from one hot row. */
export const items: readonly Ask[] = Array.from({ length: differentItems }, (_, place) => ({
  path: `${problemsPath}${1 + place * (problems / differentItems)}/`,
}));
export const pages: readonly Ask[] = [1200, 1300, 1400, 1500].flatMap((rating) =>
  ['complete', 'practicing'].map((state) => ({
    path: `${problemsPath}?limit=100&rating_min=${rating}&status=${state}`,
  })),
);

/** 90 % items, 9 % pages, 1 % collections, in an order that is mixed but the same for everyone. */
export const mix: readonly Ask[] = mixed();

function mixed(): Ask[] {
  const asks = Array.from({ length: 1000 }, (_, place): Ask => {
    if (place % 100 === 0) return collection;
    const many = place % 100 < 10 ? pages : items;
    return many[place % many.length] ?? oneItem;
  });
  const random = seeded(asks.length);
  for (let last = asks.length - 1; last > 0; last--) {
    const other = random(last + 1);
    const [one, two] = [asks[last], asks[other]];
    if (one && two) [asks[last], asks[other]] = [two, one];
  }
  return asks;
}
