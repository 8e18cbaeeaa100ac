/**
 * The species of a plant follows from its topic when it is planted, and is stored. A species that is to look otherwise
 * gets a new name, so that no plant changes its looks.
 */

/** A meadow has all other topics. */
const topics = {
  fern: 'dp|dynamic programming|1-d dynamic programming|2-d dynamic programming|bitmasks|bit manipulation|memoization|knapsack',
  vine: 'graphs|graph algorithms|graph theory|shortest paths|dfs|bfs|dfs and similar|flows|graph matchings|2-sat|dsu|advanced graphs',
  tree: 'trees|tree algorithms|binary search|ternary search|divide and conquer|tries|meet-in-the-middle|binary search tree|recursion',
  runner:
    'greedy|greedy algorithms|two pointers|sliding window|sortings|sorting and searching|schedules|intervals',
  sunflower:
    'math|mathematics|simple math|intermediate math|advanced math|number theory|combinatorics|probabilities|matrices|fft|games|game theory|chinese remainder theorem|counting',
  bamboo: 'strings|string algorithms|hashing|string suffix structures|expression parsing|string',
  rosettes: 'geometry|math & geometry',
  cactus:
    'data structures|range queries|heap / priority queue|stack|queue|linked list|hash table|arrays & hashing',
  onion:
    'implementation|brute force|constructive algorithms|simulation|introductory problems|backtracking|array',
  meadow: '',
} as const;

export type Species = keyof typeof topics;
export const allSpecies = Object.keys(topics) as Species[];

const speciesByTopic = new Map(
  Object.entries(topics).flatMap(([species, names]) =>
    names.split('|').map((name) => [name, species as Species] as const),
  ),
);

export function speciesOf(topic: string | null): Species {
  const name = (topic ?? '').toLowerCase();
  return (name && (speciesByTopic.get(name) ?? speciesByTopic.get(name.replaceAll('-', ' ')))) || 'meadow';
}
