/** npm run bench -- live: a simulated day at Codeforces by the rules of live feeds, for clubs of all sizes (docs/operations.md#live). */
import { dayMs, hourMs, minuteMs } from '../../src/durations.ts';
import {
  hasGap,
  isAsleep,
  isMissed,
  pauseOf,
  pendingPauseMs,
  rowCount,
  sweepMs,
  withAnswer,
  workMs,
} from '../../src/jobs/live-rules.ts';
import { usualPauseMs } from '../../src/jobs/sync-intervals.ts';
import { codeforces } from '../../src/judges/codeforces.ts';
import { contestRowsAtMost, type SubmissionFeed } from '../../src/judges/judge.ts';
import { freshFeed, type LiveFeed } from '../../src/store/live-feeds.ts';

const feed = codeforces.api.feed as SubmissionFeed;
const { intervalMs } = codeforces.api;
const gzippedRowBytes = 78;
/** From one request to the next, with the time of an answer. */
const gateMs = 2_200;
export const contest = { from: 17.5 * hourMs, until: 19.75 * hourMs };
/** Submissions a second: as ids grew in 2026, in a Div. 3, and what its first ten minutes may have. */
export const rates: [until: number, perSecond: number][] = [
  [contest.from, 1.5],
  [contest.from + 10 * minuteMs, 45],
  [contest.from + 28 * minuteMs, 15.8],
  [contest.until, 6],
  [dayMs, 1.5],
];
const firstIds = [2000];
for (const [n, [until, rate]] of rates.entries())
  firstIds.push((firstIds[n] ?? 0) + ((until - (rates[n - 1]?.[0] ?? 0)) / 1000) * rate);

function idAt(ms: number): number {
  const n = rates.findIndex(([until]) => ms < until);
  const [, rate] = rates[n] ?? [0, 0];
  return Math.floor((firstIds[n] ?? 0) + ((ms - (rates[n - 1]?.[0] ?? 0)) / 1000) * rate);
}

function momentOf(id: number): number {
  const n = Math.max(
    0,
    firstIds.findLastIndex((first) => id >= first),
  );
  return (rates[n - 1]?.[0] ?? 0) + ((id - (firstIds[n] ?? 0)) * 1000) / (rates[n]?.[1] ?? 1);
}

interface Sent {
  id: number;
  handle: number;
  isContest: boolean;
  at: number;
  verdictAt: number;
  /** When its own list was last asked for. */
  requestedAt?: number;
  seenAt?: number;
}

/** How long the judge takes for a verdict, beside a contest or not. */
export function verdictMs(isBusy: boolean, chance: () => number): number {
  const waitMs = isBusy ? 15_000 + 75_000 * chance() : 2_000 + 10_000 * chance();
  return chance() < 0.03 ? 10 * waitMs : waitMs;
}

/**
 * A fifth of the members practises, an hour or two and mostly in the evening; a fifth of these takes part in the contest. With as
 * many, own lists alone take as many requests a minute as gardens of these sizes do.
 */
function day(members: number) {
  let seed = members;
  const chance = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const online = new Map<number, [from: number, until: number][]>();
  const sent: Sent[] = [];
  for (let handle = 0; handle < members; handle++) {
    if (chance() > 0.2) continue;
    const takesPart = chance() < 0.2;
    const usual = (10 + 8 * Math.sqrt(chance())) * hourMs;
    const [from, until] = takesPart ? [contest.from, contest.until] : [usual, usual + (1 + chance()) * hourMs];
    online.set(handle, [[from - 3 * minuteMs, until]]);
    for (let at = from + (2 + 15 * chance()) * minuteMs; at < until; at += (4 + 20 * chance()) * minuteMs) {
      const isBusy = at >= contest.from && at < contest.until;
      sent.push({ id: idAt(at), handle, isContest: takesPart, at, verdictAt: at + verdictMs(isBusy, chance) });
    }
  }
  return { online, sent: sent.toSorted((a, b) => a.id - b.id) };
}

function withFeed(members: number) {
  const { online, sent } = day(members);
  let state: LiveFeed = { ...freshFeed, newestId: 2000, completeAt: 0, triedAt: 0 };
  let [now, requests, bytes, gaps] = [0, 0, 0, 0];
  const request = (rows: number) => {
    requests++;
    bytes += rows * gzippedRowBytes;
    state = { ...state, bytes, answers: state.answers + 1 };
  };
  const open = new Set<Sent>();
  let next = 0;
  while (now < dayMs) {
    const isRoundNear = Math.abs(now - contest.from - 7 * minuteMs) < 8 * minuteMs;
    const isRoundRunning = now > contest.from && now < contest.until;
    const limits = { bytes: 250e6, isRoundNear, isRoundRunning };
    now = Math.max(now + intervalMs, state.triedAt + pauseOf(feed, state, limits, now).pauseMs);
    const wasAsleep = isAsleep(state, now);
    const isOnline = [...online.values()].flat().some(([from, until]) => from <= now && now - 15 * minuteMs < until);
    if (wasAsleep) request(Math.min(members, 300));
    if (isOnline) state = { ...state, onlineAt: now };
    if (isAsleep(state, now)) {
      state = { ...state, triedAt: now, goodAt: now, completeAt: now };
      continue;
    }
    const answer = (count: number) => {
      request(count);
      const newest = idAt(now);
      const ids = Array.from({ length: count }, (_, n) => newest - n);
      return ids.map((id) => ({ id, at: momentOf(id), handles: [], value: null }));
    };
    const before = requests;
    const count = wasAsleep ? feed.rowsAtMost : rowCount(state, feed.rowsAtMost, now);
    let rows = answer(count);
    if (hasGap(state, rows, wasAsleep) && count < feed.rowsAtMost) rows = answer(feed.rowsAtMost);
    const isIncomplete = hasGap(state, rows, wasAsleep);
    const { goodAt } = state;
    state = { ...withAnswer(state, rows, isIncomplete, now), gapFrom: null };
    if (isIncomplete) gaps++;
    for (; (sent[next]?.at ?? dayMs) <= now; next++) open.add(sent[next] as Sent);
    const oldest = rows.at(-1)?.id ?? 0;
    const isContest = now >= contest.from && now < contest.until;
    const oldestOpen = Math.min(...[...open].map(({ id }) => id));
    let oldestOfContest = oldest;
    if (isContest && oldestOpen < oldest) {
      const contestRows = Math.min(contestRowsAtMost, state.newestId - oldestOpen + 50);
      request(contestRows);
      oldestOfContest = state.newestId - contestRows;
    }
    let free = (now - goodAt) / gateMs - (requests - before);
    for (const one of open) {
      // Behind all answers the own list tells, as often as the gate allows.
      if (one.id < (one.isContest ? oldestOfContest : oldest)) {
        const isSoon = now - Math.max(one.at, one.requestedAt ?? 0) < pendingPauseMs(now - one.at);
        if (isSoon || free < 1) continue;
        request(50);
        free--;
        one.requestedAt = now;
      }
      if (one.verdictAt > now) continue;
      one.seenAt = now + 2_000;
      open.delete(one);
    }
    state = { ...state, pending: [...open].map(({ id }) => ({ id, handleId: 1, contest: null, requestedAt: 0 })) };
  }
  const active = new Set(sent.map(({ handle }) => handle)).size;
  const reconciled = active + (members - active) / 7 + active / 5;
  return {
    sent,
    gaps,
    requests: (requests + reconciled) / 1440,
    megabytes: (bytes + reconciled * 50 * gzippedRowBytes) / 1e6,
  };
}

/** Every handle by its own list, as before: who is due is asked in turn. */
function withoutFeed(members: number) {
  const { sent } = day(members);
  const byHandle = Map.groupBy(sent, ({ handle }) => handle);
  const due = Array.from({ length: members }, (_, handle) => ({ handle, at: (handle * dayMs) / members - dayMs }));
  let [now, requests] = [-dayMs, 0];
  for (let first = due.shift(); first; first = due.shift()) {
    now = Math.max(now + gateMs, first.at);
    if (now > 1.5 * dayMs) break;
    if (now >= 0 && now < dayMs) requests++;
    const own = byHandle.get(first.handle) ?? [];
    for (const one of own) if (one.seenAt === undefined && one.verdictAt <= now) one.seenAt = now;
    // Who practises today did so yesterday too.
    const last = own.findLast(({ at }) => at <= now)?.at ?? (own.at(-1)?.at ?? -14 * dayMs) - dayMs;
    const at = now + 0.9 * usualPauseMs(Math.max(0, now - last));
    const place = due.findIndex((one) => one.at > at);
    due.splice(place < 0 ? due.length : place, 0, { handle: first.handle, at });
  }
  return { sent, requests: requests / 1440 };
}

/** Delays from the verdict, in seconds. */
export function percentiles(sent: readonly Pick<Sent, 'seenAt' | 'verdictAt'>[], ...shares: number[]): number[] {
  const delays = sent
    .map(({ seenAt, verdictAt }) => ((seenAt ?? 2 * dayMs) - verdictAt) / 1000)
    .toSorted((a, b) => a - b);
  return shares.map((share) => delays[Math.ceil(share * delays.length) - 1] ?? 0);
}

/**
 * An hour without the feed in the evening: every five minutes who is online, whose own lists are read in turn. The list of the
 * contest, if the judge still shows it, brings who takes part.
 */
function outage(members: number, from: number, hasContest: boolean) {
  const until = from + hourMs;
  const { online, sent } = day(members);
  const byHandle = Map.groupBy(sent, ({ handle }) => handle);
  const triedAt = new Map<number, number>();
  const handles = [...byHandle.keys()];
  let queue: number[] = [];
  let [sweptAt, contestAt] = [0, 0];
  const lastAt = new Map<number, number>();
  const see = (one: Sent, now: number) => {
    if (one.verdictAt > now) return;
    one.seenAt ??= now;
    lastAt.set(one.handle, one.at);
  };
  const readAt = (handle: number) => Math.max(triedAt.get(handle) ?? 0, (lastAt.get(handle) ?? -workMs) + workMs);
  const isInContest = (handle: number) =>
    byHandle.get(handle)?.some((one) => one.isContest && one.seenAt !== undefined);
  // It is known after the third failure, and over when nobody is missed any more.
  for (let now = from + 2 * intervalMs; now < until + sweepMs || queue.length > 0; now += gateMs) {
    if (now - sweptAt >= sweepMs) {
      sweptAt = now;
      const gapUntil = now < until ? null : until;
      queue = handles.filter((handle) => {
        const onlineAt = Math.max(
          ...(online.get(handle) ?? []).map(([since, end]) => (since <= now ? Math.min(now, end) : 0)),
        );
        if (hasContest && gapUntil === null && isInContest(handle)) return false;
        const one = { triedAt: triedAt.get(handle) ?? 0, onlineAt, dueAt: 0 };
        return isMissed({ ...freshFeed, gapFrom: from, gapUntil }, one, now);
      });
      queue.sort((a, b) => readAt(a) - readAt(b));
      now += gateMs * Math.min(20, Math.ceil(handles.length / 300));
    }
    if (hasContest && now < until && now - contestAt >= feed.intervalMs) {
      contestAt = now;
      for (const one of sent) if (one.isContest) see(one, now);
      continue;
    }
    const handle = queue.shift();
    if (handle === undefined) continue;
    triedAt.set(handle, now);
    for (const one of byHandle.get(handle) ?? []) see(one, now);
  }
  const concerned = sent.filter(({ verdictAt }) => verdictAt >= from && verdictAt < until);
  // A verdict that came after the last read of the own list is asked for like all that are pending.
  for (const one of concerned)
    if (one.at <= (triedAt.get(one.handle) ?? 0)) one.seenAt ??= one.verdictAt + pendingPauseMs(0);
  const busy = new Set(concerned.map(({ handle }) => handle)).size;
  // What was pending before is asked for once the feed answers.
  for (const one of concerned) if (one.at < from) one.seenAt ??= until + pendingPauseMs(0);
  return { sent: concerned, busy, lost: concerned.filter(({ seenAt }) => seenAt === undefined).length };
}

const minutes = (seconds: number) =>
  seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
const print = (line: string) => process.stdout.write(`${line}\n`);
export async function simulateLive(): Promise<void> {
  print(
    '| members | without a feed p50 / p95 | feed p50 / p95 / p99 | requests/min without → with | MB/day gzip | gaps |',
  );
  print('|---|---|---|---|---|---|');
  for (const members of [30, 300, 1_000, 10_000]) {
    const [before, after] = [withoutFeed(members), withFeed(members)];
    const [old, live] = [percentiles(before.sent, 0.5, 0.95), percentiles(after.sent, 0.5, 0.95, 0.99)];
    const requests = `${before.requests.toFixed(1)} → ${after.requests.toFixed(1)}`;
    const delays = `${old.map(minutes).join(' / ')} | ${live.map(Math.round).join(' / ')} s`;
    print(`| ${members} | ${delays} | ${requests} | ${after.megabytes.toFixed(0)} | ${after.gaps} |`);
  }
  print(
    '| members | an hour without the feed: p50 / p95 | nor the contest | people who submitted | lost |\n|---|---|---|---|---|',
  );
  for (const members of [30, 300, 1_000, 10_000]) {
    const [{ sent, busy, lost }, alone] = [outage(members, 18 * hourMs, true), outage(members, 18 * hourMs, false)];
    const delays = [sent, alone.sent].map((rows) => percentiles(rows, 0.5, 0.95).map(minutes).join(' / '));
    print(`| ${members} | ${delays.join(' | ')} | ${busy} | ${lost + alone.lost} |`);
  }
}
