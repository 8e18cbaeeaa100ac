/** The health of syncs by handle and judge: one state that pages, metrics and garden doctor describe. */
import { hourMs } from '../durations.ts';
import { type LocalizedText, parseLocalizedText } from '../errors.ts';
import type { Judge } from '../judges/judge.ts';
import { isSynced, judgeName, judgeOf, siteOf } from '../judges/judges.ts';
import type { StaleJudge } from '../practice/messages.ts';
import { listHandlesWithoutCounts } from '../store/handles.ts';
import { listLiveFeeds } from '../store/live-feeds.ts';
import { countText } from '../store/overview.ts';
import {
  type HandleTask,
  isDue,
  listJudgeSyncs,
  listSyncs,
  type SyncFault,
  type SyncsTable,
} from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

/**
 * `new`: never run. `late`: no run for much longer than usual. `behind`: the judge's own data is old. `failing`: see
 * `fault`. `by hand`: the judge has no API. `demo`: a handle of the sample.
 */
export type HealthState = 'fine' | 'new' | 'late' | 'behind' | 'failing' | 'by hand' | 'demo';

export interface Health {
  source: string;
  site: string;
  state: HealthState;
  goodAt: string | null;
  nextAt: Date | null;
  /** How many rows the last run added or changed. */
  news: number;
  skipped: readonly LocalizedText[];
  fault: SyncFault | null;
  faultText: LocalizedText | null;
  faultSince: string | null;
  /** The time of the newest submission at the judge's site. */
  judgeDataAt: string | null;
  /** Since when all submissions are here, at a judge that shows only recent ones. */
  allSince: string | null;
}

export interface HandleHealth extends Health {
  ratings: Health | undefined;
  handleId: bigint;
  userId: bigint;
  username: string;
  handle: string;
}

export interface JudgeHealth extends Health {
  handles: number;
  failing: number;
}

export async function handleHealth(db: Db, now: Date, userId?: bigint): Promise<HandleHealth[]> {
  const [handles, own] = await Promise.all([listHandlesWithoutCounts(db, userId), listSyncs(db, userId)]);
  const syncs = await withFeeds(db, own, now.getTime());
  const judgeSyncs = syncs.filter(({ handle_id }) => handle_id === null);
  const rows = byHandle(syncs, 'submissions');
  const ratingSyncs = byHandle(syncs, 'ratings');
  return handles.map(({ id, user_id, username, name, source, is_sample }) => {
    const site = siteOf(source, name);
    const pause = judgeSyncs.find((row) => row.source === site.name && row.task === 'submissions');
    const health = healthOf(source, withPauseOf(pause, rows.get(id), now), judgeSyncs, now);
    return {
      ...health,
      site: site.branch?.site ?? health.site,
      ...(is_sample === 1n && { state: 'demo' as const }),
      ratings: judgeOf(source)?.api?.ratings && healthOf(source, ratingSyncs.get(id), judgeSyncs, now),
      handleId: id,
      userId: user_id,
      username,
      handle: name,
    };
  });
}

const byHandle = (syncs: readonly SyncsTable[], task: HandleTask) =>
  new Map(syncs.flatMap((row) => (row.task === task ? [[row.handle_id, row]] : [])));

/** An own list that is late is not, as far as a live feed brought what it would. */
async function withFeeds(db: Db, syncs: readonly SyncsTable[], now: number): Promise<readonly SyncsTable[]> {
  const isLate = ({ task, handle_id, good_at }: SyncsTable) =>
    task === 'submissions' && handle_id !== null && good_at !== null && now - Date.parse(good_at) > lateMs;
  if (!syncs.some(isLate)) return syncs;
  const feeds = await listLiveFeeds(db);
  return syncs.map((row) => {
    const complete = new Date(feeds.get(row.source)?.completeAt ?? 0).toISOString();
    return isLate(row) && complete > (row.good_at ?? '') ? { ...row, good_at: complete } : row;
  });
}

/** While a judge is paused, a due handle shows its fault. */
function withPauseOf(
  pause: SyncsTable | undefined,
  row: SyncsTable | undefined,
  now: Date,
): SyncsTable | undefined {
  const isPaused = pause && !isDue(pause, now.getTime()) && row?.due_at !== 0n;
  if (!isPaused || (row && row.due_at > pause.due_at)) return row;
  const { due_at, fault, fault_text, fault_since } = pause;
  return {
    ...(row ?? pause),
    due_at,
    ...((row?.fault ?? null) === null && { fault, fault_text, fault_since }),
  };
}

export async function judgeHealth(db: Db, now: Date): Promise<JudgeHealth[]> {
  const [all, syncs] = await Promise.all([handleHealth(db, now), listJudgeSyncs(db)]);
  const byHandle = all.filter(({ state }) => state !== 'demo');
  const listSyncs = syncs.filter(({ task }) => task !== 'submissions');
  const sources = new Set([...byHandle, ...listSyncs].map(({ source }) => source));
  return [...sources].toSorted().map((source) => {
    const handles = byHandle.filter((one) => one.source === source);
    const failing = handles.filter(({ state }) => state === 'failing');
    const syncsOfSource = listSyncs.filter((row) => row.source === source);
    const catalogue = syncsOfSource.find(({ task }) => task === 'problems');
    const ratings = handles.flatMap((one) => (one.ratings?.state === 'failing' ? [one.ratings] : []));
    const faults = [...failing, ...ratings, ...syncsOfSource.map((row) => healthOf(source, row, syncs, now))];
    // The oldest fault tells how long the judge has been failing.
    const [worst] = faults
      .filter(({ state, fault }) => state === 'failing' && fault !== 'unknown handle')
      .toSorted((a, b) => ((a.faultSince ?? '') < (b.faultSince ?? '') ? -1 : 1));
    const ofCatalogue = healthOf(source, catalogue, syncs, now);
    // With `garden sync` in a timer the catalogue may never be synced.
    const [newest] = handles
      .filter(({ fault }) => fault !== 'unknown handle')
      .toSorted((a, b) => ((a.goodAt ?? '') > (b.goodAt ?? '') ? -1 : 1));
    const isFresh = newest?.goodAt && ['new', 'late'].includes(ofCatalogue.state);
    const { goodAt, news, skipped, ...health } = isFresh ? newest : ofCatalogue;
    const ofContests = syncsOfSource.filter(({ task }) => task === 'contests');
    const skippedContests = ofContests.flatMap((row) => healthOf(source, row, syncs, now).skipped);
    const counts = { handles: handles.length, failing: failing.length };
    const allSkipped = [...skipped, ...skippedContests];
    return { ...health, ...worst, source, goodAt, news, skipped: allSkipped, ...counts, allSince: null };
  });
}

function healthOf(
  source: string,
  row: SyncsTable | undefined,
  judgeSyncs: readonly SyncsTable[],
  now: Date,
): Health {
  const judge = judgeOf(source);
  const age = judgeSyncs.find((one) => one.source === source && one.task === 'age');
  const judgeDataAt = age?.judge_at ?? null;
  const isAutomatic = row?.task === 'upcoming' || (judge !== undefined && isSynced(judge));
  return {
    source,
    site: judge?.site ?? source,
    state: isAutomatic ? stateOf(row, staleDataEnd(judgeSyncs, source), now.getTime()) : 'by hand',
    goodAt: row?.good_at ?? null,
    nextAt: row ? new Date(Number(row.due_at)) : null,
    news: Number(row?.news ?? 0n),
    skipped: (JSON.parse(row?.skipped ?? '[]') as string[]).map(parseLocalizedText),
    fault: row?.fault ?? null,
    faultText: typeof row?.fault_text === 'string' ? parseLocalizedText(row.fault_text) : null,
    faultSince: row?.fault_since ?? null,
    judgeDataAt,
    allSince: row?.task === 'submissions' && row.handle_id !== null ? completeSinceOf(row, judge) : null,
  };
}

export async function feedHealth(db: Db, now: Date): Promise<ReadonlyMap<string, Health>> {
  const syncs = await listJudgeSyncs(db);
  const feeds = syncs.filter(({ task }) => task === 'upcoming');
  return new Map(feeds.map((row) => [row.source, healthOf(row.source, row, [], now)]));
}

/** The next run reports a cursor that cannot be read; pages only leave the date out. */
function completeSinceOf({ cursor }: SyncsTable, judge: Judge | undefined): string | null {
  const newest = judge?.api?.recentLimit;
  if (!newest || cursor === null) return null;
  try {
    return newest.completeSince(JSON.parse(cursor));
  } catch {
    return null;
  }
}

function stateOf(row: SyncsTable | undefined, staleEnd: string | null, now: number): HealthState {
  if (!row || (row.good_at === null && row.fault === null)) return 'new';
  if (row.fault !== null) return 'failing';
  if (row.good_at !== null && now - Date.parse(row.good_at) > lateMs) return 'late';
  return staleEnd === null ? 'fine' : 'behind';
}

export async function describeSync(
  db: Db,
  now: Date,
  isOn: boolean,
): Promise<readonly ['good' | 'warning', string | undefined]> {
  const health = await judgeHealth(db, now);
  const handles = health.reduce((sum, one) => sum + one.handles, 0);
  const bad = health.filter(
    ({ state, failing }) => failing > 0 || !['fine', 'new', 'by hand'].includes(state),
  );
  if (bad.length === 0 && handles === 0) return ['good', undefined];
  if (bad.length === 0 && !isOn) return ['good', 'SYNC is off: only garden sync asks the judges'];
  if (bad.length === 0) return ['good', `${countText(handles, 'handle')}, and no sync that failed`];
  const sentences = bad.map(({ source, state, failing, faultText, faultSince, judgeDataAt }) => {
    if (faultText !== null)
      return `${source}${failing > 0 ? ` (${countText(failing, 'handle')})` : ''}, since ${faultSince?.slice(0, 10)}: ${faultText.message}`;
    if (state === 'behind') return `${source}: its own data ends at ${judgeDataAt}.`;
    if (state === 'late')
      return `${source}: no sync finished for more than a day; ${isOn ? 'is the server running?' : 'SYNC is off.'}`;
    return `${source}: ${countText(failing, 'handle is', 'handles are')} unknown or private there; members see which under Judge handles.`;
  });
  return ['warning', sentences.join(' ')];
}

/** Every sync runs at least daily. */
const lateMs = 36 * hourMs;
/** AtCoder Problems is usually minutes behind AtCoder. */
const behindMs = 3 * hourMs;

function staleDataEnd(judgeSyncs: readonly SyncsTable[], source: string): string | null {
  const age = judgeSyncs.find((row) => row.source === source && row.task === 'age');
  if (!age?.judge_at || !age.good_at) return null;
  return Date.parse(age.good_at) - Date.parse(age.judge_at) > behindMs ? age.judge_at : null;
}

export async function listStaleJudges(
  db: Db,
  userIds: readonly bigint[],
  now: number,
): Promise<StaleJudge[]> {
  const [handles, own] = await Promise.all([listHandlesWithoutCounts(db), listSyncs(db)]);
  const syncs = await withFeeds(db, own, now);
  const judgeSyncs = syncs.filter(({ handle_id }) => handle_id === null);
  const rows = byHandle(syncs, 'submissions');
  const stale = handles.flatMap(({ id, user_id, source, imported_at }) => {
    const good = rows.get(id)?.good_at;
    if (!good || !userIds.includes(user_id)) return [];
    const latestAt = imported_at !== null && imported_at > good ? imported_at : good;
    const [since] = [now - Date.parse(latestAt) > lateMs ? latestAt : null, staleDataEnd(judgeSyncs, source)]
      .filter((at) => at !== null)
      .toSorted();
    return since === undefined ? [] : [{ source, user_id, since }];
  });
  return [...Map.groupBy(stale, ({ source }) => source)].toSorted().map(([source, some]) => ({
    judge: judgeName(source),
    since: some.map(({ since }) => since).toSorted()[0] ?? '',
    people: new Set(some.map(({ user_id }) => user_id)).size,
  }));
}
