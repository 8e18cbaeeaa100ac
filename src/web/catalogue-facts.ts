/** Figures that every problem list shows. They are counted again only after something changed that they count. */
import { LRUCache } from 'lru-cache';
import {
  type CatalogueFacts,
  countProblems,
  countStatuses,
  readCatalogueFacts,
} from '../store/problem-pages.ts';
import type { Store } from '../store/store.ts';
import { addressOf, filterOf, type ProblemQuery } from './problem-query.ts';

interface Known {
  revision: bigint | undefined;
  facts: CatalogueFacts | undefined;
  /** By the revisions, the member and the filters. */
  counts: LRUCache<string, number>;
}

/** A count takes less than a kilobyte. */
const countsAtMost = 5_000;
const known = new WeakMap<Store, Known>();

function knownOf(store: Store): Known {
  const kept = known.get(store) ?? {
    revision: undefined,
    facts: undefined,
    counts: new LRUCache<string, number>({ max: countsAtMost }),
  };
  known.set(store, kept);
  return kept;
}

/** The judges and topics of all problems. */
export async function catalogueFacts(store: Store): Promise<CatalogueFacts> {
  const kept = knownOf(store);
  // Read before the figures, so that the remembered revision is never too new.
  const [revision] = await store.revisions(['problems']);
  if (kept.facts && kept.revision === revision) return kept.facts;
  const facts = await readCatalogueFacts(store.reader);
  known.set(store, { ...kept, revision, facts });
  return facts;
}

/** How many problems these filters find for a member. */
export function countFound(store: Store, memberId: bigint, query: ProblemQuery): Promise<number> {
  const address = addressOf({ ...query, order: '', perPage: 25 });
  const count = () => countProblems(store.reader, filterOf(query, memberId));
  // No revision tells that contests changed.
  return query.contest === '' ? counted(store, memberId, address, count) : count().then(Number);
}

/** How many problems a member has solved. */
export function countSolved(store: Store, memberId: bigint): Promise<number> {
  return counted(store, memberId, 'solved', () => countStatuses(store.reader, memberId, 'complete'));
}

async function counted(
  store: Store,
  memberId: bigint,
  what: string,
  count: () => Promise<bigint>,
): Promise<number> {
  const { counts } = knownOf(store);
  const scopes = ['problems', `statuses:${memberId}`, `bookmarks:${memberId}`] as const;
  const key = `${await store.revisions(scopes)} ${memberId} ${what}`;
  const found = counts.get(key) ?? Number(await count());
  counts.set(key, found);
  return found;
}
