/** Searches of a text among all problems, or those of one judge. What they find is kept until a problem changes. */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { fold } from './case-folding.ts';
import { countRows } from './keyset.ts';
import { byFilters, type ProblemFilter, problemsMatching } from './problem-lists.ts';
import type { Store } from './store.ts';

interface Search {
  q: string;
  source: string | undefined;
}

/** What is known of a search so far. */
interface Found {
  /** The revision of the problems, read before their rows: these may be newer, but never older. */
  revision: bigint;
  /** A JSON list; null where the text finds more than a few problems, and undefined where nobody has asked for the ids. */
  idsJson?: string | null;
  count?: bigint;
}

const fewAtMost = 500;
const keptAtMost = 200;
const kept = new WeakMap<Store, LRUCache<string, Found>>();

/** Replaces the text of a filter by the ids that it finds, if these are few: then no statement reads all texts again. */
export async function narrowed(store: Store, filter: ProblemFilter): Promise<ProblemFilter> {
  const { q, source, ...others } = filter;
  if (q === undefined) return filter;
  const found = await foundBy(store, { q, source });
  if (found.idsJson === undefined) found.idsJson = await findFew(store, { q, source });
  return found.idsJson === null ? filter : { ...others, source, idsJson: found.idsJson };
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
  const name = JSON.stringify([fold(q), source]);
  const known = searches.get(name);
  if (known?.revision === revision) return known;
  const found: Found = { revision };
  searches.set(name, found);
  return found;
}

/** The problems that have the text, read along the index of texts. */
const matching = (store: Store, search: Search) =>
  problemsMatching(store.reader, { ...search, memberId: 0n }).where(byFilters);

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
