/**
 * The sample member's practice: what the demo gardener did, marked and planted in the 90 days before the sample
 * is loaded. The problems themselves are in problems.ndjson; putting both into a database is not done here.
 */

type Status = 'reading' | 'practicing' | 'complete' | 'skipped' | 'ignored';
type Origin = 'self' | 'judge';

/** A status set `daysAgo` days before loading, on the problem that `source` lists under `key`. */
interface SampleStatus {
  source: string;
  key: string;
  status: Status;
  origin: Origin;
  daysAgo: number;
}

interface SampleBookmark {
  source: string;
  key: string;
  note: string | null;
  daysAgo: number;
}

interface SamplePlant {
  name: string;
  tag: string;
  target: number;
  daysAgo: number;
}

export const sampleMember = {
  username: 'demo',
  firstName: 'Demo',
  lastName: 'Gardener',
  role: 'member',
} as const;

/** Oldest first. Only judges that publish submissions have the origin `judge`. */
const statusRows: [source: string, key: string, status: Status, origin: Origin, daysAgo: number][] = [
  ['codeforces', '4A', 'complete', 'judge', 88.4], // Watermelon
  ['codeforces', '339A', 'complete', 'judge', 87.3], // Helpful Maths
  ['codeforces', '381A', 'complete', 'judge', 86.2], // Sereja and Dima
  ['codeforces', '318A', 'ignored', 'self', 86.1], // Even Odds
  ['codeforces', '266B', 'complete', 'judge', 84.6], // Queue at the School
  ['codeforces', '996A', 'complete', 'judge', 83.5], // Hit the Lottery
  ['cses', '1621', 'complete', 'self', 82.4], // Distinct Numbers
  ['cses', '1084', 'complete', 'self', 81.3], // Apartments
  ['codeforces', '580A', 'complete', 'judge', 79.2], // Kefa and First Steps
  ['cses', '1090', 'complete', 'self', 78.4], // Ferris Wheel
  ['codeforces', '1744C', 'complete', 'judge', 76.3], // Traffic Light
  ['cses', '1640', 'complete', 'self', 74.5], // Sum of Two Values
  ['codeforces', '706B', 'complete', 'judge', 71.2], // Interesting drink
  ['codeforces', '1669F', 'complete', 'judge', 68.4], // Eating Candies
  ['codeforces', '368B', 'complete', 'judge', 66.3], // Sereja and Suffixes
  ['codeforces', '433B', 'complete', 'judge', 61.6], // Kuriyama Mirai's Stones
  ['cses', '1629', 'complete', 'self', 59.4], // Movie Festival
  ['codeforces', '1343C', 'complete', 'judge', 57.2], // Alternating Subsequence
  ['cses', '1633', 'complete', 'self', 54.5], // Dice Combinations
  ['codeforces', '862B', 'complete', 'judge', 52.3], // Mahmoud and Ehab and the bipartiteness
  ['codeforces', '893C', 'complete', 'judge', 49.4], // Rumor
  ['leetcode', '3sum', 'complete', 'self', 47.2],
  ['codeforces', '189A', 'complete', 'judge', 45.3], // Cut Ribbon
  ['leetcode', 'invert-binary-tree', 'complete', 'self', 43.5],
  ['leetcode', 'maximum-depth-of-binary-tree', 'complete', 'self', 43.4],
  ['codeforces', '279B', 'complete', 'judge', 41.2], // Books
  ['codeforces', '2109C3', 'skipped', 'self', 40.1], // Hacking Numbers (Hard Version)
  ['codeforces', '1167C', 'complete', 'judge', 36.4], // News Distribution
  ['leetcode', 'number-of-islands', 'complete', 'self', 35.3],
  ['codeforces', '489C', 'complete', 'judge', 33.2], // Given Length and Sum of Digits...
  ['codeforces', '455A', 'complete', 'judge', 29.5], // Boredom
  ['codeforces', '1552C', 'skipped', 'self', 28.3], // Maximize the Intersections
  ['codeforces', '580C', 'complete', 'judge', 24.4], // Kefa and Park
  ['atcoder', 'abc175_c', 'complete', 'judge', 21.2], // Walking Takahashi
  ['codeforces', '545C', 'complete', 'judge', 20.3], // Woodcutters
  ['codeforces', '977E', 'complete', 'judge', 16.5], // Cyclic Components
  ['codeforces', '1479A', 'practicing', 'judge', 15.2], // Searching Local Minimum
  ['leetcode', 'binary-tree-maximum-path-sum', 'reading', 'self', 12.4],
  ['codeforces', '431C', 'complete', 'judge', 11.3], // k-Tree
  ['cses', '1635', 'practicing', 'self', 9.2], // Coin Combinations I
  ['codeforces', '600E', 'reading', 'self', 8.4], // Lomsat gelral
  ['codeforces', '1833E', 'complete', 'judge', 7.3], // Round Dance
  ['codeforces', '1336A', 'practicing', 'judge', 5.5], // Linova and Kingdom
  ['atcoder', 'abc159_f', 'practicing', 'judge', 4.2], // Knapsack for All Segments
  ['codeforces', '466C', 'complete', 'judge', 3.4], // Number of Ways
  ['cses', '1131', 'reading', 'self', 3.2], // Tree Diameter
  ['codeforces', '126B', 'complete', 'judge', 1.6], // Password
  ['codeforces', '1324F', 'practicing', 'judge', 1.3], // Maximum White Subtree
];

const bookmarkRows: [source: string, key: string, note: string | null, daysAgo: number][] = [
  ['codeforces', '455A', 'Write it once top-down and once bottom-up.', 29.4],
  ['codeforces', '20C', 'Dijkstra that also prints the path: come back to it by heart.', 26.2],
  ['codeforces', '1479A', 'Interactive: flush after every question.', 15.1],
  ['leetcode', 'binary-tree-maximum-path-sum', 'Return one arm, record both.', 12.3],
  ['cses', '1635', 'Which loop is outside decides whether order counts.', 9.1],
  ['codeforces', '600E', 'Small to large; then try an Euler tour.', 8.3],
  ['codeforces', '321E', null, 6.2],
  ['codeforces', '1336A', 'Depth minus subtree size: prove the greedy.', 5.4],
  ['atcoder', 'abc159_f', 'Stuck on counting the segments: read the editorial.', 4.1],
  ['cses', '1131', 'Two breadth-first searches.', 3.1],
  ['codeforces', '126B', 'Hashing passed; now with the prefix function.', 1.5],
  ['codeforces', '1324F', 'Rerooting: keep the two passes apart.', 1.2],
];

export const sampleStatuses: readonly SampleStatus[] = statusRows.map(
  ([source, key, status, origin, daysAgo]) => ({ source, key, status, origin, daysAgo }),
);

export const sampleBookmarks: readonly SampleBookmark[] = bookmarkRows.map(
  ([source, key, note, daysAgo]) => ({ source, key, note, daysAgo }),
);

/** One is grown, one has just been planted, the rest are on their way. */
export const samplePlants: readonly SamplePlant[] = [
  { name: 'Two hands on the array', tag: 'two pointers', target: 7, daysAgo: 87.5 },
  { name: 'CSES, first bed', tag: 'sorting and searching', target: 6, daysAgo: 85.2 },
  { name: 'A table a week', tag: 'dp', target: 15, daysAgo: 80.4 },
  { name: 'Trees from the root up', tag: 'trees', target: 8, daysAgo: 55.3 },
  { name: 'Graph walks', tag: 'graphs', target: 12, daysAgo: 53.1 },
  { name: 'Strings at last', tag: 'strings', target: 5, daysAgo: 6.3 },
];
