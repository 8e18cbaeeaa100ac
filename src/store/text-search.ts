/** Searches of a text, or of an address, among all problems. What they find is kept until a problem changes. */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { fold } from './case-folding.ts';
import { countRows } from './keyset.ts';
import { byFilters, type ProblemFilter, problemsMatching } from './problem-lists.ts';
import type { Store } from './store.ts';

/** A text among all problems or those of a judge, or an address. No index finds either. */
type Search = Pick<ProblemFilter, 'q' | 'source' | 'url'>;

/** What is known of a search so far. */
interface Found {
  /** The revision of the problems, read before their rows: these may be newer, but never older. */
  revision: bigint;
  /** A JSON list; null where more than a few problems are found, and undefined where nobody has asked for the ids. */
  idsJson?: string | null;
  count?: bigint;
}

const fewAtMost = 500;
const keptAtMost = 200;
const kept = new WeakMap<Store, LRUCache<string, Found>>();

/** Replaces what a filter searches for by the ids that are found, if these are few: then no statement looks at all problems again. */
export async function narrowed(store: Store, filter: ProblemFilter): Promise<ProblemFilter> {
  const { q, url, source, ...others } = filter;
  if (q === undefined && url === undefined) return filter;
  const search = { q, url, source };
  const found = await foundBy(store, search);
  if (found.idsJson === undefined) found.idsJson = await findFew(store, search);
  return found.idsJson === null ? filter : { ...others, source, idsJson: found.idsJson };
}

/** How many problems a search finds. */
export async function countMatches(store: Store, search: Search): Promise<bigint> {
  const found = await foundBy(store, search);
  found.count ??= await countRows(matching(store, search));
  return found.count;
}

async function foundBy(store: Store, { q, url, source }: Search): Promise<Found> {
  const [revision = 0n] = await store.revisions(['problems']);
  const searches = kept.get(store) ?? new LRUCache({ max: keptAtMost });
  kept.set(store, searches);
  const name = JSON.stringify([q === undefined ? null : fold(q), url, source]);
  const known = searches.get(name);
  if (known?.revision === revision) return known;
  const found: Found = { revision };
  searches.set(name, found);
  return found;
}

/** Texts are read along the index that has them. */
function matching(store: Store, search: Search) {
  const problems = problemsMatching(store.reader, { ...search, memberId: 0n });
  return search.q === undefined ? problems : problems.where(byFilters);
}

async function findFew(store: Store, search: Search): Promise<string | null> {
  const some = matching(store, search)
    .select('problems.id')
    .limit(fewAtMost + 1);
  // One row with all ids takes half of the time of a row for each.
  const { count, idsJson } = await store.reader
    .selectFrom(some.as('some'))
    .select([
      sql<bigint>`count(*)`.as('count'),
      sql<string>`concat('[', string_agg(cast(id AS text), ','), ']')`.as('idsJson'),
    ])
    .executeTakeFirstOrThrow();
  return count > fewAtMost ? null : idsJson;
}
