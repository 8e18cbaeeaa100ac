/** Made-up rows in the shape of our own files, the same in every run: problems of three judges, and what members did with them. */

/** Random numbers from 0 to `below` − 1, the same in every run (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface ProblemRow {
  id: number;
  title: string;
  source: string;
  source_key: string;
  url: string | null;
  rating: number | null;
  tags: string[];
  aliases: string[];
  editorial_url: null;
  video_url: null;
  created_at: string;
  updated_at: string;
}

export interface StatusRow {
  username: string;
  source: string;
  source_key: string;
  status: string;
  updated_at: string;
}

const topics =
  'math greedy dp implementation data-structures constructive brute-force graphs sortings binary-search dfs trees strings number-theory combinatorics geometry bitmasks two-pointers dsu shortest-paths probabilities divide-and-conquer hashing games flows interactive matrices string-suffixes fft graph-matchings ternary-search expression-parsing meet-in-the-middle 2-sat schedules'.split(
    ' ',
  );
const words =
  'amber birch cedar delta ember fern grove hazel iris juniper kelp larch moss nettle oak path queue river stone tower'.split(
    ' ',
  );
const made = '2026-01-01T00:00:00.000Z';
export const dayMs = 86_400_000;

/** The key of a problem by its id: odd ids are of Codeforces, six to a contest; one even id in 25 is of CSES. */
export function keyOf(id: number): { source: string; source_key: string } {
  const place = id - 1;
  if (place % 2 === 0)
    return {
      source: 'codeforces',
      source_key: `${1 + Math.floor(place / 12)}${'ABCDEF'[(place / 2) % 6]}`,
    };
  if (place % 50 === 1) return { source: 'cses', source_key: String(1000 + place) };
  return { source: 'atcoder', source_key: `abc${place}_d` };
}

/** A catalogue of so many problems, with the ids 1, 2, 3 and so on. */
export function* problemRows(size: number): Generator<ProblemRow> {
  const random = seeded(size);
  const word = () => words[random(words.length)];
  // The first topics are the most frequent ones.
  const topic = () => topics[Math.min(random(topics.length), random(topics.length))] ?? '';
  for (let id = 1; id <= size; id++) {
    const { source, source_key } = keyOf(id);
    const isCodeforces = source === 'codeforces';
    const address = `https://codeforces.com/problemset/problem/${source_key.slice(0, -1)}/${source_key.slice(-1)}`;
    yield {
      id,
      title: `${word()} ${word()} and ${word()} ${random(1000)}`,
      source,
      source_key,
      url: isCodeforces ? address : null,
      rating: source === 'cses' || random(10) === 0 ? null : 800 + 100 * random(28),
      tags: isCodeforces ? [...new Set(Array.from({ length: random(6) }, topic))] : [],
      aliases: [],
      editorial_url: null,
      video_url: null,
      created_at: made,
      updated_at: made,
    };
  }
}

/** So many statuses of one member, on problems all over a catalogue of this size; the first problem is number `first`. */
export function* statusRows(
  username: string,
  count: number,
  size: number,
  { first = 0, states = ['complete', 'practicing', 'complete', 'practicing', 'reading'] } = {},
): Generator<StatusRow> {
  const step = Math.floor(size / count);
  for (let nth = 0; nth < count; nth++)
    yield {
      username,
      ...keyOf(1 + ((nth * step + first) % size)),
      status: states[nth % states.length] ?? '',
      updated_at: new Date(Date.parse(made) + nth * 60_000).toISOString(),
    };
}

export function* plantRows(username: string, count: number): Generator<object> {
  for (let nth = 0; nth < count; nth++)
    yield {
      id: nth + 1,
      username,
      name: `Goal ${nth + 1}`,
      target: 20 + 37 * (nth % 11),
      tag: nth % 10 === 9 ? null : topics[nth % 20],
      planted_at: made,
    };
}

/** The handle under which a member's submissions are kept. */
export const handleOf = (username: string) => `${username}_cf`;

/** A submission of a member to a problem of Codeforces, which is one with an odd id. */
export interface Sent {
  problem: number;
  isSolved: boolean;
  at: number;
}

export function* submissionRows(username: string, count: number, sent: (nth: number) => Sent): Generator<object> {
  for (let nth = 0; nth < count; nth++) {
    const { problem, isSolved, at } = sent(nth);
    yield {
      username,
      source: 'codeforces',
      handle: handleOf(username),
      submission_id: String(nth + 1),
      key: keyOf(problem).source_key,
      verdict_class: isSolved ? 'solved' : 'tried',
      verdict: isSolved ? 'OK' : 'WRONG_ANSWER',
      contest: null,
      participation: 'practice',
      submitted_at: new Date(at).toISOString(),
      language: 'C++20',
      origin: 'server',
    };
  }
}
