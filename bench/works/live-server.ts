/**
 * npm run bench -- live-server: the server with its process of jobs and its file, beside a replayed Codeforces that refuses what the
 * judge refuses, in real time. A contest starts after five minutes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, minuteMs } from '../../src/durations.ts';
import { findLiveFeed } from '../../src/store/live-feeds.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { type CodeforcesRows, replayCodeforces } from '../../test/replay/codeforces.ts';
import { limited, limits } from '../../test/replay/limits.ts';
import { type Replay, startReplay } from '../../test/replay/replay.ts';
import { handleOf, seeded } from '../catalogue.ts';
import { checkouts, garden, serveGarden, writeRows } from '../programs.ts';
import { type EveningOptions, endRun, folderOfRun, progress, run } from '../run.ts';
import { contest, percentiles, rates, verdictMs } from './live.ts';

const contestId = 2000;
const contestAfterMs = 5 * minuteMs;
/** What the server does with its first answers is no news. */
const settledMs = minuteMs;
/** Own lists of thousands take so long after the end, and the slowest verdicts a quarter of an hour. */
const patienceMs = 40 * minuteMs;
/** So many are online when the contest of the simulated day starts, and so many of these take part. A small club has more. */
const onlineShare = 0.09;
const contestShare = 0.44;
const leastOnline = 24;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Sent {
  handle: string;
  /** In milliseconds of the evening. */
  at: number;
  verdictAt: number;
  contestId: number;
  isMember: boolean;
  seenAt?: number;
}

/** What members and strangers send, in its order. */
function evening(handles: readonly string[], lengthMs: number) {
  const random = seeded(handles.length);
  const chance = () => random(2 ** 30) / 2 ** 30;
  const all: Sent[] = [];
  const send = (handle: string, at: number, isContest: boolean, isMember: boolean) => {
    const verdictAt = at + verdictMs(at >= contestAfterMs, chance);
    all.push({ handle, at, verdictAt, contestId: isContest ? contestId : 1 + random(1000), isMember });
  };
  const busy = handles.slice(0, Math.max(leastOnline, Math.round(onlineShare * handles.length)));
  for (const handle of busy) {
    // What their own lists end with.
    send(handle, -dayMs, false, true);
    const isContest = chance() < contestShare;
    const from = (isContest ? contestAfterMs : 0) + 14 * minuteMs * chance();
    for (let at = from; at < lengthMs; at += (4 + 20 * chance()) * minuteMs) send(handle, at, isContest, true);
  }
  // The first answer finds an hour before this one.
  for (let at = -60 * minuteMs; at < 2 * lengthMs; ) {
    const rate = rates.find(([until]) => contest.from + at - contestAfterMs < until)?.[1] ?? 0;
    const usual = rates[0]?.[1] ?? 0;
    at += 1000 / rate;
    send(`stranger${random(4000)}`, at, chance() > usual / rate, false);
  }
  return { busy, all: all.toSorted((one, other) => one.at - other.at) };
}

const rowOf = ({ handle, at, contestId: contest }: Sent, id: number, startAt: number) => ({
  id,
  contestId: contest,
  creationTimeSeconds: Math.floor((startAt + at) / 1000),
  problem: { contestId: contest, index: 'A', name: `Pond ${contest}`, rating: 800, tags: ['math'] },
  author: {
    contestId: contest,
    members: [{ handle }],
    participantType: contest === contestId ? 'CONTESTANT' : 'PRACTICE',
    ghost: false,
  },
  programmingLanguage: 'C++20 (GCC 13-64)',
  verdict: 'TESTING',
  testset: 'TESTS',
  passedTestCount: 40,
  timeConsumedMillis: 46,
  memoryConsumedBytes: 102_400,
});

/** Shows the judge's rows as they come, each without a verdict at first. */
function play(rows: CodeforcesRows, all: readonly Sent[], startAt: number): () => void {
  let next = 0;
  let waiting: { row: { verdict: string }; verdictAt: number }[] = [];
  const advance = () => {
    const now = Date.now() - startAt;
    for (let one = all[next]; one && one.at <= now; one = all[++next]) {
      const row = rowOf(one, next + 1, startAt);
      rows.recent?.push(row);
      if (one.isMember) rows.status[one.handle]?.unshift(row);
      waiting.push({ row, verdictAt: one.verdictAt });
    }
    for (const { row, verdictAt } of waiting) if (verdictAt <= now) row.verdict = 'OK';
    waiting = waiting.filter(({ row }) => row.verdict !== 'OK');
  };
  advance();
  const timer = setInterval(advance, 100);
  return () => clearInterval(timer);
}

/** As in a garden in use: each own list was read, and those who are online sent something yesterday. */
async function seed(store: Store, busy: ReadonlySet<string>): Promise<void> {
  const handles = await store.reader.selectFrom('handles').select(['id', 'name']).execute();
  const now = Date.now();
  const moment = new Date(now - dayMs).toISOString();
  const source = 'codeforces';
  const done = { tried_at: moment, good_at: moment };
  const second = Math.floor(now / 1000);
  const cursor = JSON.stringify({ through: second, wholeAt: second, overlapAt: second });
  const later = (days: number, nth: number) => BigInt(Math.round(now + (dayMs * days * (nth + 1)) / handles.length));
  await store.write(async (tx) => {
    await tx.updateTable('handles').set({ created_at: '2026-01-01T00:00:00.000Z' }).execute();
    const renames = freshSync({ source, task: 'renames', handle_id: null });
    await saveSync(tx, { ...renames, ...done, due_at: BigInt(now + dayMs) });
    for (const [nth, { id, name }] of handles.entries()) {
      const isBusy = busy.has(name);
      const list = freshSync({ source, task: 'submissions', handle_id: id });
      await saveSync(tx, { ...list, ...done, cursor, due_at: later(isBusy ? 1 : 7, nth) });
      await saveSync(tx, { ...freshSync({ source, task: 'ratings', handle_id: id }), ...done, due_at: later(1, nth) });
      if (!isBusy) continue;
      const named = { handle_id: id, submission_id: '0', key: '1A', problem_id: null, contest: null };
      const judged = { submitted_at: moment, verdict_class: 'tried', verdict: null, origin: 'server' } as const;
      const rest = { participation: null, is_team: 0n, virtual_began_at: null, language: null };
      const row = { ...named, ...judged, ...rest };
      await tx.insertInto('solves').values(row).execute();
    }
  });
}

/** Stores when each row of a member was solved here for the first time, until all are here. */
async function watch(store: Store, all: readonly Sent[], startAt: number, lengthMs: number): Promise<void> {
  const expected = all.filter(({ isMember, at }) => isMember && at > 0).length;
  const mayEnd = (seen: number, ms: number) => ms > lengthMs + (seen === expected ? 0 : patienceMs);
  for (let seen = 0; !mayEnd(seen, Date.now() - startAt); await sleep(250)) {
    const solved = store.reader.selectFrom('solves').select('submission_id').where('verdict_class', '=', 'solved');
    for (const { submission_id } of await solved.execute()) {
      const one = all[Number(submission_id) - 1];
      if (!one || one.seenAt !== undefined) continue;
      one.seenAt = Date.now() - startAt;
      if (one.at > 0) seen++;
    }
    progress(`${Math.round((Date.now() - startAt) / 1000)} s: ${seen} solves`);
  }
}

async function measureEvening(options: EveningOptions, members: number): Promise<string> {
  const [checkout] = checkouts(options);
  if (!checkout) return '';
  const folder = await folderOfRun();
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const names = Array.from({ length: members }, (_, nth) => `bench${nth + 1}`);
  const handles = names.map((username) => ({ username, source: 'codeforces', name: handleOf(username) }));
  const files = { records: names.map((username) => ({ username })), handles };
  for (const [what, rows] of Object.entries(files))
    await garden(checkout, ['import', what, await writeRows(join(folder, `${what}.ndjson`), rows)], databaseUrl);
  const lengthMs = options.minutes * minuteMs;
  const { busy, all } = evening(
    handles.map(({ name }) => name),
    lengthMs,
  );
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 30_000 });
  run.after(() => store.close());
  await seed(store, new Set(busy));
  const startAt = Date.now() + 1000;
  const seconds = Math.floor((startAt + contestAfterMs) / 1000);
  const running = { id: contestId, name: 'Round', type: 'ICPC', phase: 'CODING', frozen: false };
  const rows: CodeforcesRows = {
    status: Object.fromEntries(handles.map(({ name }) => [name, []])),
    online: Object.fromEntries(busy.map((name) => [name, seconds + 86_400])),
    recent: [],
    contests: [{ ...running, durationSeconds: 8100, startTimeSeconds: seconds }],
  };
  run.after(play(rows, all, startAt));
  const judge = limited(replayCodeforces(rows), limits.codeforces);
  let refused = 0;
  const codeforces: typeof judge = (...request) => {
    const answer = judge(...request);
    if ((answer?.status ?? 200) !== 200) refused++;
    return answer;
  };
  const replay = await startReplay({ codeforces });
  run.after(() => replay.close());
  const judges = { JUDGE_URLS: `codeforces=${replay.url}/codeforces`, PRIVATE_PLACES: 'none' };
  // The replayed judge does not compress, which takes seven times as many bytes.
  const server = await serveGarden(checkout, databaseUrl, { ...judges, SYNC: 'on', LIVE_MB_PER_DAY: '1750' });
  await watch(store, all, startAt, lengthMs);
  await server.stop();
  const state = await findLiveFeed(store.reader, 'codeforces');
  const stored = await store.reader
    .selectFrom('solves')
    .select('submission_id')
    .where('submission_id', '!=', '0')
    .execute();
  const ids = stored.map(({ submission_id }) => submission_id);
  return [members, ...cellsOf(all, replay.log), refused, state?.gaps, ids.length - new Set(ids).size].join(' | ');
}

/** Delays of solves, requests a minute, and how many solves are missing. */
function cellsOf(all: readonly Sent[], log: Replay['log']): unknown[] {
  const tookMinutes = ((log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0)) / minuteMs;
  const concerned = all.filter(({ isMember, verdictAt }) => isMember && verdictAt >= settledMs);
  const requests = (pattern: RegExp) => (log.filter(({ path }) => pattern.test(path)).length / tookMinutes).toFixed(1);
  const delays = (rows: readonly Sent[]) =>
    `${rows.length}: ${percentiles(rows, 0.5, 0.95, 0.99, 1).map(Math.round).join(' / ')} s`;
  const isContest = (one: Sent) => one.contestId === contestId;
  const isBefore = (one: Sent) => one.at < contestAfterMs;
  return [
    delays(concerned),
    delays(concerned.filter(isBefore)),
    delays(concerned.filter(isContest)),
    delays(concerned.filter((one) => !isBefore(one) && !isContest(one))),
    requests(/recentStatus|contest\.status|user\.info/),
    requests(/user\.status/),
    requests(/./),
    concerned.filter(({ seenAt }) => seenAt === undefined).length,
  ];
}

export async function measureLiveServer(options: EveningOptions): Promise<void> {
  const delays = ['all solves: p50 / p95 / p99 / most', 'before the contest', 'in it', 'beside it'];
  const rates = ['feed requests/min', 'own lists/min', 'all requests/min'];
  const columns = ['members', ...delays, ...rates, 'missing', 'refused', 'gaps', 'double'];
  print(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`);
  for (const members of options.members) {
    const line = await measureEvening(options, members);
    progress('');
    print(`| ${line} |`);
    await endRun();
  }
}
