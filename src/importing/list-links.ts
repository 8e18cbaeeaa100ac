/** Finds the problems that the links of a text name, and says of each other link why there is none. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { judgeName, problemAt } from '../judges/addresses.ts';
import type { JudgePlaces } from '../practice/judge-places.ts';
import { limits } from '../practice/lists.ts';
import { findProblemsByKeys, type ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { FoundLink, FoundSection } from './list-text.ts';

/** A link that became no problem, and why: nobody knows the address, or the garden has no such problem. */
export interface LostLink extends Pick<FoundLink, 'line' | 'address'> {
  /** The problem that it names; undefined where it names none of a judge. */
  wanted: { judge: string; key: string } | undefined;
}

export interface ReadList {
  sections: { name: string; problems: ProblemRow[] }[];
  lost: LostLink[];
  /** How many links name a problem that stands further up already. */
  repeated: number;
  /** How many problems were left out because a list holds no more. */
  beyond: number;
}

/** Sites whose problems a garden may have although it knows no judge there. */
const leetcode = /^https?:\/\/(?:www\.)?leetcode\.(?:com|cn)\/problems\/([a-z\d-]{1,100})(?:\/|$|[?#])/i;

function namedBy({ address, named }: FoundLink, places: JudgePlaces) {
  if (named) return named;
  const [, slug] = leetcode.exec(address) ?? [];
  return slug ? { source: 'leetcode', key: slug.toLowerCase() } : problemAt(address, places);
}

/** Links and keys that take a few milliseconds, after which others have their turn. */
const portion = 500;

export async function resolveLinks(
  db: Db,
  sections: readonly FoundSection[],
  places: JudgePlaces,
): Promise<ReadList> {
  const named = new Map<FoundLink, ReturnType<typeof namedBy>>();
  for (const { links } of sections)
    for (const one of links) {
      named.set(one, namedBy(one, places));
      if (named.size % portion === 0) await nextTurn();
    }
  const known = new Map<string, ProblemRow>();
  const bySource = Map.groupBy(
    [...named.values()].filter((one) => one !== undefined),
    ({ source }) => source,
  );
  for (const [source, some] of bySource) {
    const keys = [...new Set(some.map(({ key }) => key))];
    for (let at = 0; at < keys.length; at += portion) {
      const some = await findProblemsByKeys(db, source, keys.slice(at, at + portion));
      for (const { key, is_sample: _, ...problem } of some) known.set(`${source} ${key}`, problem);
      await nextTurn();
    }
  }
  const read: ReadList = { sections: [], lost: [], repeated: 0, beyond: 0 };
  const held = new Set<bigint>();
  /** The line where a problem stood last: one link often has its address as its text. */
  const lines = new Map<bigint, number>();
  const lostBefore = new Set<string>();
  for (const { name, links } of sections) {
    const problems: ProblemRow[] = [];
    for (const link of links) {
      const { line, address } = link;
      const at = named.get(link);
      // Without http:// it may be any words with a stroke between them.
      if (!at && !/^https?:/i.test(address)) continue;
      const problem = at && known.get(`${at.source} ${at.key}`);
      if (problem) {
        if (!held.has(problem.id)) {
          held.add(problem.id);
          if (held.size > limits.problems) read.beyond++;
          else problems.push(problem);
        } else if (lines.get(problem.id) !== line) read.repeated++;
        lines.set(problem.id, line);
      } else if (!lostBefore.has(address)) {
        lostBefore.add(address);
        const wanted = at && { judge: judgeName(at.source), key: at.key };
        read.lost.push({ line, address, wanted });
      }
    }
    if (problems.length > 0) read.sections.push({ name, problems });
  }
  return gathered(read);
}

/** Puts what stands below too many headings into the last section that a list may have. */
function gathered(read: ReadList): ReadList {
  const { sections } = read;
  const rest = sections.splice(limits.sections);
  sections.at(-1)?.problems.push(...rest.flatMap(({ problems }) => problems));
  return read;
}
