/** Turns the address of a problem at a known judge into the judge and the key under which the problem is stored. */
import type { Judge } from './judge.ts';
import { judges } from './judges.ts';

/**
 * The problem that an address names; undefined unless it is the http address of a problem at a known judge. `places` are the
 * other addresses of judges.
 */
export function problemAt(
  address: string,
  places: ReadonlyMap<string, { url: string }>,
): { source: string; key: string } | undefined {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.keyAt(url, places.get(source)?.url);
    if (key !== undefined) return { source, key };
  }
  return undefined;
}

/** The judge of problems with this source; undefined for one that is not known here. */
export function judgeOf(source: string): Judge | undefined {
  return Object.hasOwn(judges, source) ? judges[source as keyof typeof judges] : undefined;
}

/** Lists name its problems, though no judge here speaks with it. */
const leetcode = { name: 'LeetCode', short: 'LC' };

/** The names of the judge of problems with this source, as pages show it; the source where there is none. */
function namesOf(source: string): Pick<Judge, 'name' | 'short'> {
  return judgeOf(source) ?? (source === 'leetcode' ? leetcode : { name: source, short: source });
}

export const judgeName = (source: string): string => namesOf(source).name;

/** A few letters. */
export const judgeShort = (source: string): string => namesOf(source).short;
