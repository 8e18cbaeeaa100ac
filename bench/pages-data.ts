/**
 * The data of the work `pages`: a garden as a club of some years has it, with problems of three judges, and one member with
 * statuses, submissions, bookmarks, a history, saved views, plants and a list, who is signed in.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '../src/auth/sessions.ts';
import { giveList } from '../src/practice/group-lists.ts';
import { makeGroup } from '../src/practice/groups.ts';
import { makeList } from '../src/practice/lists.ts';
import { setBookmarks, setNote, setStatus } from '../src/practice/marks.ts';
import { createMember } from '../src/practice/members.ts';
import { plant } from '../src/practice/planting.ts';
import { saveView } from '../src/practice/preferences.ts';
import { showPageTo } from '../src/practice/public-pages.ts';
import { insertGroupMember, setBoard } from '../src/store/groups.ts';
import { findMemberByName } from '../src/store/members.ts';
import { openStore } from '../src/store/open.ts';
import type { Store } from '../src/store/store.ts';
import { seeded } from './catalogue.ts';
import { codeforcesSubmission } from './codeforces-submission.ts';
import { writeRows } from './data.ts';
import { garden, importCatalogue } from './garden.ts';

export const username = 'bench';
const statuses = 5_000;
const submissions = 5_000;
const bookmarks = 300;
const plants = 60;
const contests = 3_000;
const views = [
  { name: 'DP ladder', query: '?source=codeforces&tag=dp&rating_min=1400&rating_max=1900&status=unsolved' },
  { name: 'Quick ones', query: '?rating_max=1200&status=unsolved' },
  { name: 'Trees', query: '?tag=trees&without_tag=geometry' },
];

const topics =
  'math greedy dp implementation data-structures constructive brute-force graphs sortings binary-search dfs trees strings number-theory combinatorics geometry bitmasks two-pointers dsu shortest-paths probabilities divide-and-conquer hashing games flows interactive matrices string-suffixes fft graph-matchings ternary-search expression-parsing meet-in-the-middle 2-sat schedules'.split(
    ' ',
  );
const words =
  'amber birch cedar delta ember fern grove hazel iris juniper kelp larch moss nettle oak path queue river stone tower'.split(
    ' ',
  );

/** Fills an empty database; answers the value of the member's session cookie. */
export async function preparePages(folder: string, databaseUrl: string, size: number): Promise<string> {
  const problemsFile = join(folder, `pages-${size}.ndjson`);
  const rows = problemRows(size);
  await writeRows(problemsFile, size, (place) => rows[place] ?? {});
  await importCatalogue(problemsFile, databaseUrl);
  await garden(['member', 'create', username], databaseUrl);
  const contestsFile = join(folder, 'contests.json');
  await writeFile(contestsFile, contestsText());
  await garden(['import', 'codeforces-contests', contestsFile], databaseUrl);
  const submissionsFile = join(folder, `submissions-${size}.json`);
  await writeFile(submissionsFile, submissionsText(size));
  await garden(
    ['import', 'codeforces-submissions', submissionsFile, '--member', username, '--handle', username],
    databaseUrl,
  );
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  try {
    return await markAndSignIn(store, size);
  } finally {
    await store.close();
  }
}

/** Half of Codeforces with ratings and topics, the rest of AtCoder and CSES, mixed as several imports leave them. */
function problemRows(size: number): object[] {
  const random = seeded(size);
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  // The first topics are the most frequent ones.
  const topic = () => topics[Math.min(random(topics.length), random(topics.length))] ?? '';
  return Array.from({ length: size }, (_, place) => {
    const title = `${pick(words)} ${pick(words)} and ${pick(words)} ${random(1000)}`;
    if (place % 2 === 0) {
      const source_key = codeforcesKey(place);
      return {
        source: 'codeforces',
        source_key,
        title,
        url: `https://codeforces.com/problemset/problem/${source_key.slice(0, -1)}/${source_key.slice(-1)}`,
        ...(random(10) > 0 && { rating: 800 + 100 * random(28) }),
        tags: [...new Set(Array.from({ length: random(6) }, topic))],
      };
    }
    const source = place % 50 === 1 ? 'cses' : 'atcoder';
    const source_key = source === 'cses' ? String(1000 + place) : `abc${place}_d`;
    return { source, source_key, title, ...(source === 'atcoder' && { rating: 20 + random(3800) }) };
  });
}

const codeforcesKey = (place: number) => `${1 + Math.floor(place / 12)}${'ABCDEF'[(place / 2) % 6]}`;

/** An answer of `user.status`: two submissions to a problem, the later one accepted half of the time. */
function submissionsText(size: number): string {
  const step = Math.max(1, Math.floor(size / submissions));
  const result = Array.from({ length: submissions }, (_, nth) => {
    const key = codeforcesKey((2 * Math.floor(nth / 2) * step) % size);
    const at = 1_700_000_000 + nth * 3600;
    return codeforcesSubmission({ id: nth + 1, at, key, handle: username, isSolved: nth % 4 === 1 });
  });
  return JSON.stringify({ status: 'OK', result });
}

/** An answer of `contest.list`; each has six problems where there are as many. */
function contestsText(): string {
  const result = Array.from({ length: contests }, (_, nth) => ({
    id: nth + 1,
    name: `Codeforces Round ${nth + 1} (Div. ${1 + (nth % 4)})`,
    type: 'CF',
    phase: 'FINISHED',
    frozen: false,
    durationSeconds: 7200,
    startTimeSeconds: 1_300_000_000 + nth * 86_400,
  }));
  return JSON.stringify({ status: 'OK', result });
}

async function markAndSignIn(store: Store, size: number): Promise<string> {
  const member = await findMemberByName(store.reader, username);
  if (!member) throw new Error(`there is no ${username}`);
  const memberId = member.id;
  const state = [
    'complete',
    'complete',
    'practicing',
    'reading',
    'skipped',
    'ignored',
    'not_started',
  ] as const;
  const count = Math.min(statuses, size);
  const ids = Array.from({ length: count }, (_, place) => BigInt(1 + Math.floor((place * size) / count)));
  for (const [place, status] of state.entries()) {
    const problemIds = ids.filter((_, nth) => nth % state.length === place);
    await store.write((tx) => setStatus(tx, { memberId, problemIds, status }));
  }
  const starred = ids.filter((_, nth) => nth % Math.ceil(count / bookmarks) === 0);
  await store.write((tx) => setBookmarks(tx, memberId, starred, true));
  await store.write((tx) => setNote(tx, memberId, 1n, 'Sort first, then two pointers.'));
  for (const view of views) await store.write((tx) => saveView(tx, memberId, view));
  // In mixed stages, and some with their target far behind.
  for (let nth = 0; nth < plants; nth++) {
    const tag = nth % 10 === 9 ? null : (topics[nth % 20] ?? null);
    const target = BigInt(20 + 37 * (nth % 11));
    await store.write((tx) =>
      plant(tx, memberId, { name: `Goal ${nth} of ${tag}`, tag, target }, new Date()),
    );
  }
  const items = (part: number) =>
    ids.slice(part * 25, part * 25 + 25).map((problemId) => ({ problemId, memo: 'Try it first.' }));
  const content = [0, 1, 2, 3].map((part) => ({ name: `Part ${part}`, items: items(part) }));
  await store.write((tx) => makeList(tx, { ownerId: memberId, name: 'Winter camp', content }));
  await makeBenchGroup(store, memberId, ids);
  const opening = { browser: 'bench', network: '127.0.0.1', device: undefined };
  const { session } = await store.write((tx) => openSession(tx, memberId, opening));
  return session;
}

const peopleInGroup = 60;
const problemsInList = 40;

/** A group that the member coaches, full of people who have something on most problems of its list. */
async function makeBenchGroup(store: Store, coachId: bigint, ids: readonly bigint[]): Promise<void> {
  const problemIds = ids.slice(0, problemsInList);
  await store.write(async (tx) => {
    const groupId = await makeGroup(tx, coachId, { name: 'Bench', zone: 'UTC' });
    const content = [{ name: '', items: problemIds.map((problemId) => ({ problemId })) }];
    const listId = await makeList(tx, { ownerId: coachId, name: 'Forty', content });
    await giveList(tx, { groupId, coachId, listId }, null);
    await setBoard(tx, groupId, true);
    await showPageTo(tx, coachId, 'everyone');
    for (let nth = 1; nth < peopleInGroup; nth++) {
      const { id } = await createMember(tx, { username: `bench-${nth}` });
      const row = { group_id: groupId, user_id: id, role: 'member', on_board: 1n } as const;
      await insertGroupMember(tx, { ...row, joined_at: new Date().toISOString() });
      for (const [place, status] of (['complete', 'practicing', 'reading'] as const).entries()) {
        const some = problemIds.filter((_, at) => (at * 3 + nth) % 4 === place);
        await setStatus(tx, { memberId: id, problemIds: some, status });
      }
    }
  });
}
