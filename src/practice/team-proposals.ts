/** Every three of some people, by topics that at least one of them solved in contests, and by contest ratings. */
import { setImmediate } from 'node:timers/promises';
import { ascending } from 'd3-array';

export const proposalLimits = { people: 60, shown: 50 } as const;

export interface Candidate {
  name: string;
  rating: number;
  topics: ReadonlySet<string>;
}

export interface Proposal<One extends Candidate> {
  people: readonly [One, One, One];
  topics: number;
  sum: number;
}

/** Of the people with the highest ratings. Most topics come first, then the highest sum, then the highest single ratings. */
export async function proposeTeams<One extends Candidate>(
  candidates: readonly One[],
): Promise<Proposal<One>[]> {
  const people = candidates
    .toSorted((a, b) => b.rating - a.rating || ascending(a.name, b.name))
    .slice(0, proposalLimits.people);
  const topics = [...new Set(people.flatMap((one) => [...one.topics]))];
  const rows = people.map((one) => Uint8Array.from(topics, (topic) => Number(one.topics.has(topic))));
  const best: Proposal<One>[] = [];
  const insert = (proposal: Proposal<One>) => {
    const isBehind = (one: Proposal<One>) => (one.topics - proposal.topics || one.sum - proposal.sum) < 0;
    const last = best[proposalLimits.shown - 1];
    if (last && !isBehind(last)) return;
    const found = best.findIndex(isBehind);
    best.splice(found === -1 ? best.length : found, 0, proposal);
    best.length = Math.min(best.length, proposalLimits.shown);
  };
  for (const [i, first] of people.entries()) {
    // 34,220 teams of sixty people must not hold up other requests.
    await setImmediate();
    for (const [j, second] of people.entries()) {
      if (j <= i) continue;
      const pair = rows[i]?.map((has, at) => has | (rows[j]?.[at] ?? 0));
      for (const [k, third] of people.entries()) {
        if (k <= j) continue;
        const count = pair?.reduce((sum, has, at) => sum + (has | (rows[k]?.[at] ?? 0)), 0) ?? 0;
        insert({
          people: [first, second, third],
          topics: count,
          sum: first.rating + second.rating + third.rating,
        });
      }
    }
  }
  return best;
}
