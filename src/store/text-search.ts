/** Searches of a text among all problems, or those of one judge. What they find is kept until a problem changes. */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { countRows } from './keyset.ts';
import { byFilters, type ProblemFilter, problemsMatching } from './problem-lists.ts';
import type { Store } from './store.ts';

interface Search {
  q: string;
  source: string | undefined;
}

/** What is known of a search so far. */
interface Found {
  /** That of the problems, before they were looked at. */
  revision: bigint;
  /** As a JSON list; null where there are too many to go on by them. */
  ids?: string | null;
  count?: bigint;
}

const fewAtMost = 500;
const keptAtMost = 200;
const kept = new WeakMap<Store, LRUCache<string, Found>>();

/** The same filter by the ids of what its text finds, if these are few: all texts are read once, and not for the number and the page each. */
export async function byMatches(store: Store, filter: ProblemFilter): Promise<ProblemFilter> {
  const { q, source, ...others } = filter;
  if (q === undefined) return filter;
  const found = await foundBy(store, { q, source });
  if (found.ids === undefined) found.ids = await findFew(store, { q, source });
  return found.ids === null ? filter : { ...others, source, ids: found.ids };
}

/** How many problems have the text. */
export async function countMatches(store: Store, search: Search): Promise<bigint> {
  const found = await foundBy(store, search);
  found.count ??= await countRows(matching(store, search));
  return found.count;
}

async function foundBy(store: Store, { q, source }: Search): Promise<Found> {
  const [revision = 0n] = await store.revisions(['problems']);
  const searches = kept.get(store) ?? new LRUCache({ max: keptAtMost });
  kept.set(store, searches);
  const name = JSON.stringify([q, source]);
  const known = searches.get(name);
  if (known?.revision === revision) return known;
  const found: Found = { revision };
  searches.set(name, found);
  return found;
}

/** Along the index that has the texts. */
const matching = (store: Store, search: Search) =>
  problemsMatching(store.reader, { ...search, memberId: 0n }).where(byFilters);

async function findFew(store: Store, search: Search): Promise<string | null> {
  const some = matching(store, search)
    .select('problems.id')
    .limit(fewAtMost + 1);
  // One text takes half of the time of as many rows.
  const { count, ids } = await store.reader
    .selectFrom(some.as('some'))
    .select([
      sql<bigint>`count(*)`.as('count'),
      sql<string>`concat('[', string_agg(cast(id AS text), ','), ']')`.as('ids'),
    ])
    .executeTakeFirstOrThrow();
  return count > fewAtMost ? null : ids;
}
