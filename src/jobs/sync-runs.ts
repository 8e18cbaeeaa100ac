/**
 * One run of a sync fetches what is new at a judge and imports each answer like a file. An answer and its cursor are
 * stored in one transaction, so a run can stop anywhere. A failed run stores its fault and throws judgeFailed.
 */
import { hash } from 'node:crypto';
import { AppError, type LocalizedText, localizedError, message, serializeLocalizedText } from '../errors.ts';
import type { Entry } from '../files/entries.ts';
import {
  applyFile,
  checkFile,
  emptyReport,
  type Figure,
  type ImportReport,
  withRollback,
} from '../importing/import.ts';
import { type ImportName, importerOf } from '../importing/resources.ts';
import { problemAt } from '../judges/addresses.ts';
import type { ContestFeed } from '../judges/contest-feeds.ts';
import { faultKindOf, isUnavailable, oddAnswer } from '../judges/faults.ts';
import type {
  BrowserSync,
  ContestListing,
  FetchedFile,
  JudgeApi,
  JudgeClient,
  ReadRows,
  SolvedLink,
  Submission,
  SyncState,
} from '../judges/judge.ts';
import { isSampleContest, judgeName, judgeOf, siteOf } from '../judges/judges.ts';
import { renameHandle } from '../practice/handles.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { saveRatingHistory } from '../practice/ratings.ts';
import { completeContest, listContestsWithoutProblemsOf } from '../practice/seasons.ts';
import { saveSolvedList } from '../practice/solved-lists.ts';
import { type FeedSetting, saveListing, syncOfFeed } from '../practice/upcoming.ts';
import { fold } from '../store/case-folding.ts';
import { findLastParticipation } from '../store/contests.ts';
import { findHandle, findHandleByName, type HandlesTable, listHandleNamesAtJudge } from '../store/handles.ts';
import { findMembersByIds, type MemberRow } from '../store/members.ts';
import { hasGymProblems } from '../store/problems.ts';
import { listRatingsOfHandle } from '../store/ratings.ts';
import { countSolvesUntil } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import {
  deleteSync,
  findSync,
  freshSync,
  isDue,
  noFault,
  pauseSubject,
  type SyncSubject,
  type SyncsTable,
  saveSync,
} from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { fetchContest } from './fetched-contest.ts';
import type { EnqueueJob, JobRequest } from './job-protocol.ts';
import { consecutiveFaults, judgeClient } from './judge-client.ts';
import { leaseStartedAt, newHolder, renewLeaseDuring, takeLeaseIn } from './lease.ts';
import { afterContestMs, nextDueAt } from './sync-intervals.ts';

export interface SyncOptions {
  isDryRun?: boolean;
  onAnswer?(report: ImportReport): void;
}

export interface SyncReport {
  report: ImportReport;
  notes: LocalizedText[];
}

/** `figures` has the figure of each row of a file, which may be in several answers. */
type Total = SyncReport & { figures: Map<string, Figure> };

export async function syncHandle(
  store: Store,
  handle: HandlesTable,
  ask: JudgeClient,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const judge = judgeOf(handle.source);
  const { submissions, solved } = judge?.api ?? {};
  if (solved) return syncSolved(store, handle, options, () => solved(ask, handle.name));
  if (!submissions) {
    throw localizedError('judgeFailed.confirmFirst', { judge: judgeName(handle.source) });
  }
  const runUnder = (one: HandlesTable) =>
    runHandle(store, one, ask, options, (state) => submissions(ask, one.name, state));
  try {
    return await runUnder(handle);
  } catch (error) {
    const renamed = await renamedHandle(store, handle, ask, options, error);
    if (!renamed) throw error;
    return runUnder(renamed);
  }
}

/** The handle under its name at the judge now, where an unknown name has a new one. */
async function renamedHandle(
  store: Store,
  handle: HandlesTable,
  ask: JudgeClient,
  { isDryRun }: SyncOptions,
  error: unknown,
): Promise<HandlesTable | undefined> {
  const { user_id, source, name: before } = handle;
  const renames = judgeOf(source)?.api?.renames;
  if (!renames || faultKindOf(error) !== 'unknown handle') return undefined;
  const name = (await renames(ask, [before]).catch(() => undefined))?.get(before);
  if (name === undefined) return undefined;
  if (isDryRun) return { ...handle, name };
  await renameHandle(store, source, before, name);
  return findHandleByName(store.reader, user_id, source, name);
}

export async function syncRatings(
  store: Store,
  { id, source, name }: HandlesTable,
  ask: JudgeClient,
): Promise<number> {
  const ratings = judgeOf(source)?.api?.ratings;
  return recordRun(store, { source, task: 'ratings', handle_id: id }, async () => {
    const stored = await listRatingsOfHandle(store.reader, id);
    const byContest = new Map(stored.map((row) => [row.contest, row]));
    const { values: contests = [], skipped = [] } = (await ratings?.history(ask, name, byContest)) ?? {};
    // A judge returns an empty list for a handle that it no longer finds, so this is a fault.
    if (contests.length + skipped.length === 0 && stored.length > 0)
      throw oddAnswer(judgeName(source), message('odd.ratingsGone', { count: stored.length }));
    const news = await saveRatingHistory(store, id, contests, { isComplete: skipped.length === 0 });
    return [news, { news: BigInt(news), skipped: skippedJson(skipped) }];
  });
}

const skippedAtMost = 20;

const skippedJson = (notes: readonly LocalizedText[]): string | null =>
  notes.length > 0 ? JSON.stringify(notes.slice(0, skippedAtMost).map(serializeLocalizedText)) : null;

export async function areRatingsDue(
  db: Db,
  { id, source }: Pick<HandlesTable, 'id' | 'source'>,
): Promise<boolean> {
  const row = await findSync(db, { source, task: 'ratings', handle_id: id });
  return row === undefined || isDue(row, Date.now());
}

/** Some judges list solved problems without times. */
async function syncSolved(
  store: Store,
  handle: HandlesTable,
  { isDryRun = false, onAnswer }: SyncOptions,
  ask: () => Promise<ReadRows<SolvedLink>>,
): Promise<SyncReport> {
  const { source, id } = handle;
  const work = async (): Promise<SyncReport> => {
    const { values: links, skipped } = await ask();
    const judgeAddresses = await listJudgeAddresses(store.reader, undefined);
    const solved = links.flatMap(({ address, title }) => {
      const problem = problemAt(address, judgeAddresses);
      return problem && problem.matchedBy !== 'host' ? [{ ...problem, title }] : [];
    });
    const save = (tx: Db) => saveSolvedList(tx, handle, solved);
    const { newlySolved, added } = await (isDryRun ? withRollback(store, save) : store.write(save));
    const unmatched = links.length - solved.length;
    const report = {
      read: links.length + skipped.length,
      new: newlySolved,
      changed: added,
      kept: solved.length - newlySolved,
      unmatched,
      bad: skipped.length,
    };
    onAnswer?.(report);
    return { report, notes: [...skipped] };
  };
  if (isDryRun) return work();
  return recordRun(store, { source, task: 'submissions', handle_id: id }, async () => {
    const result = await work();
    return [result, { news: BigInt(result.report.new), skipped: skippedJson(result.notes) }];
  });
}

/** Some judges show submissions to a member's token, which stays in memory. */
export async function syncWithToken(
  store: Store,
  handle: HandlesTable,
  ask: JudgeClient,
  token: string,
): Promise<SyncReport> {
  const judge = judgeOf(handle.source);
  const confirmed = judge?.api?.memberToken;
  if (!confirmed) throw new AppError('judgeFailed', `${judgeName(handle.source)} gives members no tokens.`);
  return runHandle(store, handle, ask, {}, (state) => confirmed.submissions(ask, token, handle.name, state));
}

const confirmedLease = (handleId: bigint | string) => `confirmed ${handleId}`;

export async function isTokenSyncRunning(db: Db, handleId: bigint): Promise<boolean> {
  return (await leaseStartedAt(db, confirmedLease(handleId))) !== undefined;
}

/** The run goes on in the background, since it may need hundreds of requests. */
export async function beginTokenSync(
  store: Store,
  enqueueJob: EnqueueJob,
  { id, source }: HandlesTable,
  token: string,
): Promise<void> {
  const holder = newHolder();
  const subject: SyncSubject = { source, task: 'submissions', handle_id: id };
  const hasLease = await store.writeConcurrently(async (tx) => {
    if (!(await takeLeaseIn(tx, confirmedLease(id), holder))) return false;
    const row = (await findSync(tx, subject)) ?? freshSync(subject);
    await saveSync(tx, { ...row, ...noFault, tried_at: new Date().toISOString() });
    return true;
  });
  if (hasLease) enqueueJob({ job: 'confirmed sync', handleId: String(id), token, holder });
}

/** Whether the last run ended without success or fault. Only meaningful while none is under way. */
export const wasInterrupted = ({ fault, tried_at, good_at }: SyncsTable): boolean =>
  fault === null && (good_at === null || (tried_at !== null && tried_at > good_at));

export async function runTokenSync(
  { store, signal, log, judgeUrls }: ConfirmedContext,
  { handleId, token, holder }: Extract<JobRequest, { job: 'confirmed sync' }>,
): Promise<void> {
  await renewLeaseDuring(store, confirmedLease(handleId), holder, async (leaseLost) => {
    const handle = await findHandle(store.reader, BigInt(handleId));
    const judge = handle && judgeOf(handle.source);
    if (!judge) return;
    const address = (await listJudgeAddresses(store.reader, judgeUrls)).get(handle.source);
    const stopSignal = AbortSignal.any([signal, leaseLost]);
    try {
      await syncWithToken(store, handle, judgeClient(store, judge, { address, signal: stopSignal }), token);
    } catch (error) {
      // Judge faults are in the row of the sync, and the handle may be unlinked meanwhile.
      if (!stopSignal.aborted && !(error instanceof AppError))
        log('error', (error as Error).stack ?? String(error));
    }
  });
}

interface ConfirmedContext {
  store: Store;
  signal: AbortSignal;
  log(level: 'error', sentence: string): void;
  judgeUrls: ReadonlyMap<string, string> | undefined;
}

async function runHandle(
  store: Store,
  { source, id, name, user_id }: HandlesTable,
  { site }: JudgeClient,
  options: SyncOptions,
  answers: (state: SyncState) => AsyncGenerator<FetchedFile>,
): Promise<SyncReport> {
  const subject: SyncSubject = { source, task: 'submissions', handle_id: id };
  const [member] = await findMembersByIds(store.reader, [user_id]);
  async function* fetched() {
    yield* answers({
      cursor: cursorOf(await findSync(store.reader, subject)),
      countStoredUntil: (moment) => countSolvesUntil(store.reader, id, moment.toISOString()),
      now: new Date(),
    });
  }
  return run(store, subject, fetched(), { ...options, site, member, handle: name });
}

const catalogueTasks = ['problems', 'contests', 'gyms'] as const;
type CatalogueTask = (typeof catalogueTasks)[number];

/** Gyms are synced while a problem of one is stored, and single contests while seasons wait for them. */
export async function listCatalogueTasks(db: Db, source: string): Promise<CatalogueTask[]> {
  const api = judgeOf(source)?.api;
  const isOffered: Record<CatalogueTask, boolean> = {
    problems: api?.problems !== undefined,
    contests: api?.contests !== undefined || (await listContestsToComplete(db, source)).length > 0,
    gyms: api?.gyms !== undefined && (await hasGymProblems(db, source)),
  };
  return catalogueTasks.filter((task) => isOffered[task]);
}

async function listContestsToComplete(db: Db, source: string) {
  const api = judgeOf(source)?.api;
  if (!api?.contest || api.contests) return [];
  return (await listContestsWithoutProblemsOf(db, source, Date.now())).filter(
    ({ key }) => !isSampleContest(key),
  );
}

/** A failing contest delays no other; a judge that does not answer is left alone. */
async function syncContestsToComplete(
  store: Store,
  { source, contest }: { source: string; contest: NonNullable<JudgeApi['contest']> },
  ask: JudgeClient,
  { isDryRun = false }: SyncOptions,
): Promise<SyncReport> {
  const report = emptyReport();
  const notes: LocalizedText[] = [];
  const givesUp = consecutiveFaults();
  let fault: AppError | undefined;
  const fetchOne = async ({ id, key }: { id: bigint; key: string }) => {
    const found = await fetchContest(ask, contest, { source, key });
    if (!found) {
      report.unmatched++;
      notes.push(localizedError('judgeFailed.hiddenContest', { judge: judgeName(source), contest: key }));
      return;
    }
    if (!isDryRun) await completeContest(store, id, found);
    report[found.problems.length > 0 ? 'changed' : 'kept']++;
  };
  const work = async (): Promise<SyncReport> => {
    for (const one of await listContestsToComplete(store.reader, source)) {
      report.read++;
      try {
        await fetchOne(one);
        givesUp(undefined);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const kind = faultKindOf(error);
        report.bad++;
        if (isUnavailable(kind)) fault = error;
        else notes.push(error);
        if (givesUp(error) || kind === 'refused') break;
      }
    }
    if (fault) throw fault;
    return { report, notes };
  };
  if (isDryRun) return work();
  return recordRun(store, { source, task: 'contests', handle_id: null }, async () => {
    const result = await work();
    return [result, { news: BigInt(report.changed), skipped: skippedJson(notes) }];
  });
}

export async function syncCatalogue(
  store: Store,
  source: string,
  task: CatalogueTask,
  ask: JudgeClient,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const api = judgeOf(source)?.api;
  if (task === 'contests' && !api?.contests && api?.contest)
    return syncContestsToComplete(store, { source, contest: api.contest }, ask, options);
  const answers = api?.[task]?.(ask);
  if (!answers) throw new AppError('judgeFailed', `${source} does not offer ${task} to programs.`);
  const upcomingIn = task === 'contests' && !options.isDryRun ? api?.parseUpcoming : undefined;
  const subject = { source, task, handle_id: null };
  if (!upcomingIn) return run(store, subject, answers, { ...options, site: ask.site });
  let listing: ContestListing | undefined;
  async function* savingUpcoming(
    files: AsyncGenerator<FetchedFile>,
    upcoming: NonNullable<typeof upcomingIn>,
  ) {
    for await (const answer of files) {
      listing = upcoming(answer.text);
      yield answer;
    }
  }
  const report = await run(store, subject, savingUpcoming(answers, upcomingIn), {
    ...options,
    site: ask.site,
  });
  if (listing)
    await store.writeConcurrently((tx) => saveListing(tx, source, listing as ContestListing, Date.now()));
  return report;
}

export async function syncFeed(
  store: Store,
  { name, key }: FeedSetting,
  feed: ContestFeed,
  ask: JudgeClient,
): Promise<void> {
  await recordRun(store, syncOfFeed(name), async () => {
    const now = new Date();
    const listing = await feed.listContests(ask, { key, now });
    const news = await store.writeConcurrently((tx) => saveListing(tx, name, listing, now.getTime()));
    return [undefined, { news: BigInt(news), skipped: skippedJson(listing.skipped) }];
  });
}

type ApplyOptions = SyncOptions & {
  site: string;
  member?: MemberRow | undefined;
  handle?: string | undefined;
};

export async function syncRenames(
  store: Store,
  source: string,
  ask: JudgeClient,
): Promise<ReadonlyMap<string, string>> {
  const api = judgeOf(source)?.api;
  const subject: SyncSubject = { source, task: 'renames', handle_id: null };
  return recordRun(store, subject, async () => {
    const names = await listHandleNamesAtJudge(store.reader, source);
    const renamed = (await api?.renames?.(ask, names)) ?? new Map<string, string>();
    for (const [before, name] of renamed) {
      await renameHandle(store, source, before, name);
    }
    return [renamed, { news: BigInt(renamed.size) }];
  });
}

export async function syncAge(store: Store, source: string, ask: JudgeClient): Promise<Date | undefined> {
  const api = judgeOf(source)?.api;
  return recordRun(store, { source, task: 'age', handle_id: null }, async () => {
    const newest = await api?.age?.(ask, new Date());
    return [newest, { judge_at: newest?.toISOString() ?? null }];
  });
}

async function run(
  store: Store,
  subject: SyncSubject,
  answers: AsyncGenerator<FetchedFile>,
  options: ApplyOptions,
): Promise<SyncReport> {
  const report = emptyReport();
  const total: Total = { report, notes: [], figures: new Map() };
  const newAnswers = answersWithNews(subject.source, answers, options);
  if (options.isDryRun) {
    const readAnswers: ReadAnswer[] = [];
    for await (const answer of newAnswers) readAnswers.push(answer);
    // Later answers depend on earlier ones, so a dry run applies all together.
    for (const [, filesOfKind] of Map.groupBy(readAnswers, ({ file }) => file)) {
      await apply(store, subject, filesOfKind, options, total);
    }
    return total;
  }
  return recordRun(store, subject, async () => {
    for await (const answer of newAnswers) {
      await apply(store, subject, [answer], options, total);
      options.onAnswer?.(report);
    }
    const news = [...total.figures].flatMap(([row, figure]) =>
      figure === 'new' || figure === 'changed' ? row.slice(row.indexOf(' ')) : [],
    );
    return [total, { news: BigInt(new Set(news).size), skipped: skippedJson(total.notes) }];
  });
}

interface ReadAnswer extends Omit<FetchedFile, 'text'> {
  entries: Entry<unknown>[];
}

const answersPerRun = 200;

/** A judge or a cache that ignores which page is requested answers the same again. One such answer may be an overlap. */
const repeatedAnswersAtMost = 2;

/** Pages overlap, so rows that an earlier answer of the run had are left out. */
async function* answersWithNews(
  source: string,
  answers: AsyncGenerator<FetchedFile>,
  { site, handle = '' }: ApplyOptions,
): AsyncGenerator<ReadAnswer> {
  const seen = new Set<string>();
  let [count, repeated] = [0, 0];
  for await (const { file, text, ...answer } of answers) {
    const read = await readAnswer(`${source}-${file}`, text, site).catch((error) => {
      if (!(error instanceof AppError) || error.code !== 'badFile') throw error;
      const { branch } = siteOf(source, handle);
      throw oddAnswer(
        branch?.site ?? judgeOf(source)?.site ?? source,
        error.localized ?? error.message.replace(/\.$/, ''),
      );
    });
    const entries = read.filter((entry) => !seen.has(digestOf(file, entry)));
    for (const entry of entries) seen.add(digestOf(file, entry));
    yield { ...answer, file, entries };
    repeated = read.length > 0 && entries.length === 0 ? repeated + 1 : 0;
    if (repeated >= repeatedAnswersAtMost || ++count >= answersPerRun) return;
  }
}

const digestOf = (file: string, entry: Entry<unknown>): string => {
  const row = [file, 'bad' in entry ? entry.raw : entry.value];
  return hash(
    'sha1',
    JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
  );
};

async function readAnswer(file: string, text: string, site?: string): Promise<Entry<unknown>[]> {
  const entries: Entry<unknown>[] = [];
  for await (const batch of importerOf(file as ImportName, 'json', site).read(bytesOf(text)))
    for (const entry of batch) entries.push(entry);
  return entries;
}

/** A row counts once, by the last of its figures here. */
const figuresByRank: readonly Figure[] = ['kept', 'unmatched', 'changed', 'new'];

async function apply(
  store: Store,
  subject: SyncSubject,
  answers: readonly ReadAnswer[],
  { site, member, handle, isDryRun = false }: ApplyOptions,
  total: Total,
): Promise<void> {
  const { source } = subject;
  const file = `${source}-${answers[0]?.file}`;
  const checked = await checkEntries(
    file,
    answers.map(({ entries }) => entries),
    site,
  );
  const { report, badRows, notes } = await applyFile(store, checked, {
    member,
    handle,
    isDryRun,
    origin: 'server',
    onDetail: (line) => {
      const [figure, source, key] = line.split(' ', 3) as [Figure, string, string];
      const row = `${file} ${source} ${key}`;
      const before = total.figures.get(row) ?? 'kept';
      total.figures.set(row, figuresByRank.indexOf(figure) > figuresByRank.indexOf(before) ? figure : before);
    },
    beforeCommit: async (tx) => {
      if (subject.handle_id !== null && !isDryRun) await assertLinked(tx, subject.handle_id, handle);
      const row = (await findSync(tx, subject)) ?? freshSync(subject);
      await saveSync(tx, { ...row, cursor: JSON.stringify(answers.at(-1)?.cursor ?? null) });
    },
  });
  for (const [figure, value] of Object.entries(report)) total.report[figure as keyof ImportReport] += value;
  if (subject.handle_id !== null)
    for (const figure of figuresByRank)
      total.report[figure] = [...total.figures.values()].filter((one) => one === figure).length;
  total.notes.push(...badRows, ...(report.unmatched > 0 ? notes : []));
}

function checkEntries(file: string, batches: Entry<unknown>[][], site?: string) {
  const importer = importerOf(file as ImportName, 'json', site);
  async function* read() {
    yield* batches;
  }
  return checkFile(
    { ...importer, read },
    { open: async () => bytesOf(''), skipsBadRows: true, trustsIds: false },
  );
}

/** The next run of a handle that was renamed meanwhile begins anew, so nothing of this one is stored. */
async function assertLinked(tx: Db, handleId: bigint, name: string | undefined): Promise<void> {
  const handle = await findHandle(tx, handleId);
  if (handle?.name_key !== fold(name ?? '')) throw localizedError('unknownItem.handleGone');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export const cursorOf = (row: Pick<SyncsTable, 'cursor'> | undefined): unknown =>
  JSON.parse(row?.cursor ?? 'null') ?? undefined;

export interface BrowserAnswerResult {
  report: ImportReport;
  badRows: readonly LocalizedText[];
  next: number | undefined;
}

/**
 * `from` is the number of the first row. Throws badFile with the judge's own words for anything but a list of
 * submissions.
 */
export async function importBrowserAnswer(
  store: Store,
  handle: HandlesTable,
  { file, pageSize, overlapRows }: BrowserSync,
  text: string,
  from: number,
): Promise<BrowserAnswerResult> {
  const name = `${handle.source}-${file}`;
  const checked = await checkEntries(name, [await readAnswer(name, text)]);
  const { report, badRows } = await importForHandle(store, handle, checked, {
    owner: handle.user_id,
    origin: 'browser',
  });
  const { read, bad } = report;
  const why = badRows[0]?.localized?.values['why'];
  // The judge may answer for a former name with the submissions of the new one.
  if (bad === read && typeof why === 'object' && why.key === 'badRow.otherHandle')
    throw localizedError('badRow.otherHandle', {
      handles: why.values['handles'] ?? '',
      given: why.values['given'] ?? '',
    });
  const shared = read < pageSize ? 0 : overlapRows;
  return { report, badRows, next: read === 0 ? undefined : from + read - shared };
}

/**
 * Imports submissions that were requested for several people at once. Returns how many statuses are new or changed.
 * Those of a feed (`addsOnly`) never change a final verdict.
 */
export async function importResults(
  store: Store,
  handle: HandlesTable,
  submissions: readonly Submission[],
  { addsOnly = false } = {},
): Promise<number> {
  const own = submissions.filter(({ handles }) => handles.some((name) => fold(name) === handle.name_key));
  if (own.length === 0) return 0;
  // The earliest of several solves of a problem is the last to be written.
  const inOrder = own.toSorted((one, other) => (one.submittedAt > other.submittedAt ? -1 : 1));
  const place = () => ({ line: 1, column: 1 });
  const checked = await checkEntries(`${handle.source}-submissions`, [
    inOrder.map((value) => ({ place, value })),
  ]);
  const { report } = await importForHandle(store, handle, checked, { origin: 'server', addsOnly });
  return report.new + report.changed;
}

async function importForHandle(
  store: Store,
  { id, user_id, name }: HandlesTable,
  checked: Awaited<ReturnType<typeof checkEntries>>,
  source: { origin: 'browser' | 'server'; owner?: bigint; addsOnly?: boolean },
) {
  const [member] = await findMembersByIds(store.reader, [user_id]);
  const beforeCommit = (tx: Db) => assertLinked(tx, id, name);
  return applyFile(store, checked, { ...source, member, handle: name, isDryRun: false, beforeCommit });
}

export async function recordRun<T>(
  store: Store,
  subject: SyncSubject,
  work: () => Promise<readonly [result: T, news: Partial<SyncsTable>]>,
): Promise<T> {
  const tried_at = new Date().toISOString();
  try {
    const [result, news] = await work();
    await updateSyncRow(store, subject, (row) => ({
      ...row,
      ...news,
      ...noFault,
      tried_at,
      good_at: tried_at,
    }));
    return result;
  } catch (error) {
    // A run that was stopped did not fail, nor did one whose handle was unlinked or renamed.
    if ((error as Error).name !== 'AbortError' && (error as AppError).code !== 'unknownItem')
      await updateSyncRow(store, subject, withFault(tried_at, error));
    throw error;
  }
}

const withFault =
  (tried_at: string, error: unknown) =>
  (row: SyncsTable): SyncsTable => ({
    ...row,
    tried_at,
    fault: faultKindOf(error) ?? ('own' as const),
    fault_text: textOf(error as Error),
    fault_since: row.fault === null ? tried_at : row.fault_since,
    failures: row.failures + 1n,
  });

const textOf = (error: Error) =>
  serializeLocalizedText(
    error instanceof AppError ? error : localizedError('judgeFailed.own', { why: error.message }),
  );

/** Pauses a judge or its branch: failures of one handle after another are no fault of the handles. */
export async function pauseJudge(store: Store, site: string, error: Error): Promise<void> {
  await updateSyncRow(store, pauseSubject(site), withFault(new Date().toISOString(), error));
}

async function updateSyncRow(
  store: Store,
  subject: SyncSubject,
  change: (row: SyncsTable) => SyncsTable,
): Promise<void> {
  await store.writeConcurrently(async (tx) => {
    const handle = subject.handle_id === null ? undefined : await findHandle(tx, subject.handle_id);
    if (subject.handle_id !== null && !handle) return;
    const row = change((await findSync(tx, subject)) ?? freshSync(subject));
    await saveSync(tx, { ...row, due_at: await nextDueAt(tx, row) });
    if (subject.task !== 'submissions' || !handle || row.fault !== null) return;
    await deleteSync(tx, pauseSubject(siteOf(subject.source, handle.name).name));
    await advanceRatings(tx, subject.source, handle.id);
  });
}

async function advanceRatings(tx: Db, source: string, handleId: bigint): Promise<void> {
  const row = await findSync(tx, { source, task: 'ratings', handle_id: handleId });
  if (!row?.good_at || !judgeOf(source)?.api?.ratings) return;
  const lastContest = await findLastParticipation(tx, handleId, source);
  const latestDueAt = BigInt(Date.now() + afterContestMs);
  if ((lastContest ?? '') > row.good_at && row.due_at > latestDueAt)
    await saveSync(tx, { ...row, due_at: latestDueAt });
}
