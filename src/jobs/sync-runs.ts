/**
 * One run of a sync: asks a judge for what is new, and has each answer imported as a file of that judge would be. An answer and
 * where the next one begins are kept in one transaction, so that a run can stop anywhere and go on later. A run that fails notes
 * its fault, and throws judgeFailed.
 */
import { AppError, type LocalizedText, localizedError, message, serializeLocalizedText } from '../errors.ts';
import { applyFile, checkFile, emptyReport, type ImportReport, undone } from '../importing/import.ts';
import { type ImportName, importerOf } from '../importing/resources.ts';
import { problemAt } from '../judges/addresses.ts';
import type { ContestFeed } from '../judges/contest-feeds.ts';
import { faultKindOf, isNoAnswer, oddAnswer } from '../judges/faults.ts';
import type {
  BrowserSync,
  ContestListing,
  FetchedFile,
  JudgeApi,
  JudgeClient,
  SolvedLink,
  SyncState,
} from '../judges/judge.ts';
import { isMadeUp, judgeName, judgeOf, siteOf } from '../judges/judges.ts';
import { renameHandle } from '../practice/handles.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { saveRatingHistory } from '../practice/ratings.ts';
import { completeContest, listAwaitedContests } from '../practice/seasons.ts';
import { saveSolvedList } from '../practice/solved-lists.ts';
import { type FeedSetting, saveListing, syncOfFeed } from '../practice/upcoming.ts';
import { findLastTaken } from '../store/contests.ts';
import { findHandle, type HandlesTable, listNamesAt } from '../store/handles.ts';
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
  judgeAsWhole,
  noFault,
  type SyncSubject,
  type SyncsTable,
  saveSync,
} from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { fetchContest } from './fetched-contest.ts';
import type { EnqueueJob, JobRequest } from './job-protocol.ts';
import { consecutiveFaults, judgeClient } from './judge-client.ts';
import { heldSince, newHolder, takeLeaseIn, whileHeld } from './lease.ts';
import { afterContestMs, dueAfter } from './sync-intervals.ts';

export interface SyncOptions {
  isDryRun?: boolean;
  /** Gets the figures after each answer. */
  onAnswer?(report: ImportReport): void;
}

export interface SyncReport {
  report: ImportReport;
  notes: LocalizedText[];
}

/** With what was new or changed, by judge and key. */
type Total = SyncReport & { changed: Set<string> };

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
  return runHandle(store, handle, ask, options, (known) => submissions(ask, handle.name, known));
}

export async function syncRatings(
  store: Store,
  { id, source, name }: HandlesTable,
  ask: JudgeClient,
): Promise<number> {
  const ratings = judgeOf(source)?.api?.ratings;
  return recordRun(store, { source, task: 'ratings', handle_id: id }, async () => {
    const known = await listRatingsOfHandle(store.reader, id);
    const byContest = new Map(known.map((row) => [row.contest, row]));
    const history = (await ratings?.history(ask, name, byContest)) ?? [];
    // Judges list all contests. An empty list after a full one is what they say of a handle that they no longer find.
    if (history.length === 0 && known.length > 0)
      throw oddAnswer(judgeName(source), message('odd.ratingsGone', { count: known.length }));
    const news = await saveRatingHistory(store, id, history);
    return [news, { news: BigInt(news), skipped: null }];
  });
}

/** Whether the ratings of a handle are to be asked for by now. */
export async function areRatingsDue(
  db: Db,
  { id, source }: Pick<HandlesTable, 'id' | 'source'>,
): Promise<boolean> {
  const row = await findSync(db, { source, task: 'ratings', handle_id: id });
  return row === undefined || isDue(row, Date.now());
}

/** The same at a judge that lists what is solved without days: one request, and one transaction that keeps it. */
async function syncSolved(
  store: Store,
  handle: HandlesTable,
  { isDryRun = false, onAnswer }: SyncOptions,
  ask: () => Promise<readonly SolvedLink[]>,
): Promise<SyncReport> {
  const { source, id } = handle;
  const work = async (): Promise<SyncReport> => {
    const links = await ask();
    const places = await listJudgeAddresses(store.reader, undefined);
    const solved = links.flatMap(({ address, title }) => {
      const problem = problemAt(address, places);
      return problem && problem.by !== 'host' ? [{ ...problem, title }] : [];
    });
    const read = links.length;
    const save = (tx: Db) => saveSolvedList(tx, handle, solved);
    const { fresh, made } = await (isDryRun ? undone(store, save) : store.write(save));
    const unmatched = read - solved.length;
    const report = { read, new: fresh, changed: made, kept: solved.length - fresh, unmatched, bad: 0 };
    onAnswer?.(report);
    return { report, notes: [] };
  };
  if (isDryRun) return work();
  return recordRun(store, { source, task: 'submissions', handle_id: id }, async () => {
    const result = await work();
    return [result, { news: BigInt(result.report.new), skipped: null }];
  });
}

/** The same at a judge that shows submissions to a token that the member has confirmed. The token is kept nowhere. */
export async function syncConfirmed(
  store: Store,
  handle: HandlesTable,
  ask: JudgeClient,
  token: string,
): Promise<SyncReport> {
  const judge = judgeOf(handle.source);
  const confirmed = judge?.api?.confirmed;
  if (!confirmed) throw new AppError('judgeFailed', `${judgeName(handle.source)} gives members no tokens.`);
  return runHandle(store, handle, ask, {}, (known) => confirmed.submissions(ask, token, handle.name, known));
}

const confirmedLease = (handleId: bigint | string) => `confirmed ${handleId}`;

/** Whether a run with a confirmed token is under way for this handle, in whichever process. */
export async function isRunning(db: Db, handleId: bigint): Promise<boolean> {
  return (await heldSince(db, confirmedLease(handleId))) !== undefined;
}

/**
 * Begins a run with a confirmed token, unless one of this handle is under way. It goes on behind the page, since a judge may want
 * hundreds of requests; the token is nowhere but in memory, and gone with the run.
 */
export async function beginConfirmed(
  store: Store,
  enqueueJob: EnqueueJob,
  { id, source }: HandlesTable,
  token: string,
): Promise<void> {
  const holder = newHolder();
  const subject: SyncSubject = { source, task: 'submissions', handle_id: id };
  const hasLease = await store.writeBeside(async (tx) => {
    if (!(await takeLeaseIn(tx, confirmedLease(id), holder))) return false;
    const row = (await findSync(tx, subject)) ?? freshSync(subject);
    // This stands until the run ends, and stays where its process dies: see `wasInterrupted`.
    await saveSync(tx, { ...row, ...noFault, tried_at: new Date().toISOString() });
    return true;
  });
  if (hasLease) enqueueJob({ job: 'confirmed sync', handleId: String(id), token, holder });
}

/** Whether the last run with a confirmed token neither failed nor came to its end, though none is under way. */
export const wasInterrupted = ({ fault, tried_at, good_at }: SyncsTable): boolean =>
  fault === null && (good_at === null || (tried_at !== null && tried_at > good_at));

export async function syncAsConfirmed(
  { store, signal, log, judgeUrls }: ConfirmedContext,
  { handleId, token, holder }: Extract<JobRequest, { job: 'confirmed sync' }>,
): Promise<void> {
  await whileHeld(store, confirmedLease(handleId), holder, async (leaseLost) => {
    const handle = await findHandle(store.reader, BigInt(handleId));
    const judge = handle && judgeOf(handle.source);
    if (!judge) return;
    const place = (await listJudgeAddresses(store.reader, judgeUrls)).get(handle.source);
    const stopSignal = AbortSignal.any([signal, leaseLost]);
    try {
      await syncConfirmed(store, handle, judgeClient(store, judge, { place, signal: stopSignal }), token);
    } catch (error) {
      // A judge's fault stands in the row of the sync, and the handle may be unlinked meanwhile.
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
  answers: (known: SyncState) => AsyncGenerator<FetchedFile>,
): Promise<SyncReport> {
  const subject: SyncSubject = { source, task: 'submissions', handle_id: id };
  const [member] = await findMembersByIds(store.reader, [user_id]);
  async function* fetched() {
    yield* answers({
      cursor: cursorOf(await findSync(store.reader, subject)),
      countUntil: (moment) => countSolvesUntil(store.reader, id, moment.toISOString()),
      now: new Date(),
    });
  }
  return run(store, subject, fetched(), { ...options, site, member, handle: name });
}

const catalogueTasks = ['problems', 'contests', 'gyms'] as const;
type CatalogueTask = (typeof catalogueTasks)[number];

/**
 * The lists that a judge is asked for now: those that it publishes, of private training only while a problem of it is here, and
 * single contests in place of a list while a season waits for their problems.
 */
export async function listCatalogueTasks(db: Db, source: string): Promise<CatalogueTask[]> {
  const api = judgeOf(source)?.api;
  const isOffered: Record<CatalogueTask, boolean> = {
    problems: api?.problems !== undefined,
    contests: api?.contests !== undefined || (await listAwaited(db, source)).length > 0,
    gyms: api?.gyms !== undefined && (await hasGymProblems(db, source)),
  };
  return catalogueTasks.filter((task) => isOffered[task]);
}

/** The contests whose problems seasons wait for, at a judge that tells them one by one. */
async function listAwaited(db: Db, source: string) {
  const api = judgeOf(source)?.api;
  if (!api?.contest || api.contests) return [];
  return (await listAwaitedContests(db, source, Date.now())).filter(({ key }) => !isMadeUp(key));
}

/** Asks for the contests whose problems seasons wait for. One that fails keeps no other waiting; a judge that is silent is left alone. */
async function syncAwaited(
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
    for (const one of await listAwaited(store.reader, source)) {
      report.read++;
      try {
        await fetchOne(one);
        givesUp(undefined);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const kind = faultKindOf(error);
        report.bad++;
        if (isNoAnswer(kind)) fault = error;
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
    const skipped = notes.length > 0 ? JSON.stringify(notes.map(serializeLocalizedText)) : null;
    return [result, { news: BigInt(report.changed), skipped }];
  });
}

/** Asks for what a judge publishes. */
export async function syncCatalogue(
  store: Store,
  source: string,
  task: CatalogueTask,
  ask: JudgeClient,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const api = judgeOf(source)?.api;
  if (task === 'contests' && !api?.contests && api?.contest)
    return syncAwaited(store, { source, contest: api.contest }, ask, options);
  const answers = api?.[task]?.(ask);
  if (!answers) throw new AppError('judgeFailed', `${source} does not offer ${task} to programs.`);
  const upcomingIn = task === 'contests' && !options.isDryRun ? api?.upcomingIn : undefined;
  const subject = { source, task, handle_id: null };
  if (!upcomingIn) return run(store, subject, answers, { ...options, site: ask.site });
  let listing: ContestListing | undefined;
  async function* withUpcoming(of: AsyncGenerator<FetchedFile>, upcoming: NonNullable<typeof upcomingIn>) {
    for await (const answer of of) {
      listing = upcoming(answer.text);
      yield answer;
    }
  }
  const report = await run(store, subject, withUpcoming(answers, upcomingIn), { ...options, site: ask.site });
  if (listing)
    await store.writeBeside((tx) => saveListing(tx, source, listing as ContestListing, Date.now()));
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
    const listing = await feed.list(ask, { key, now });
    const news = await store.writeBeside((tx) => saveListing(tx, name, listing, now.getTime()));
    const skipped = listing.skipped.length > 0 ? JSON.stringify(listing.skipped) : null;
    return [undefined, { news: BigInt(news), skipped }];
  });
}

type ApplyOptions = SyncOptions & { site: string; member?: MemberRow | undefined; handle?: string };

/** Asks which handles have another name now, and joins what was sent under both. */
export async function syncRenames(
  store: Store,
  source: string,
  ask: JudgeClient,
): Promise<ReadonlyMap<string, string>> {
  const api = judgeOf(source)?.api;
  const subject: SyncSubject = { source, task: 'renames', handle_id: null };
  return recordRun(store, subject, async () => {
    const names = await listNamesAt(store.reader, source);
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
  const total: Total = { report, notes: [], changed: new Set() };
  if (options.isDryRun) {
    const fetchedFiles: FetchedFile[] = [];
    for await (const answer of firstAnswers(answers)) fetchedFiles.push(answer);
    // The changes of a dry run are known only when all its answers are applied together.
    for (const [, some] of Map.groupBy(fetchedFiles, ({ file }) => file)) {
      await apply(store, subject, some, options, total);
    }
    return total;
  }
  return recordRun(store, subject, async () => {
    for await (const answer of firstAnswers(answers)) {
      await apply(store, subject, [answer], options, total);
      options.onAnswer?.(report);
    }
    const skipped = total.notes.length > 0 ? JSON.stringify(total.notes.map(serializeLocalizedText)) : null;
    return [total, { news: BigInt(total.changed.size), skipped }];
  });
}

/** Imports answers of one kind, and keeps where the next run goes on. */
async function apply(
  store: Store,
  subject: SyncSubject,
  answers: readonly FetchedFile[],
  { site, member, handle, isDryRun = false }: ApplyOptions,
  total: Total,
): Promise<void> {
  const { source } = subject;
  const file = `${source}-${answers[0]?.file}`;
  const texts = answers.map(({ text }) => text);
  const checked = await checkAnswers(file, texts, site).catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'badFile') throw error;
    const { branch } = siteOf(source, handle ?? '');
    throw oddAnswer(
      branch?.site ?? judgeOf(source)?.site ?? source,
      error.localized ?? error.message.replace(/\.$/, ''),
    );
  });
  const { report, badRows, notes } = await applyFile(store, checked, {
    member,
    handle,
    isDryRun,
    way: 'server',
    onLine: (line) => {
      // An answer may change what the one before it made: what a line is about counts once.
      const [figure, source, key] = line.split(' ', 3);
      if (figure === 'new' || figure === 'changed') total.changed.add(`${source} ${key}`);
    },
    confirm: async (tx) => {
      if (subject.handle_id !== null) await assertLinked(tx, subject.handle_id);
      const row = (await findSync(tx, subject)) ?? freshSync(subject);
      await saveSync(tx, { ...row, cursor: JSON.stringify(answers.at(-1)?.cursor ?? null) });
    },
  });
  for (const [figure, value] of Object.entries(report)) total.report[figure as keyof ImportReport] += value;
  total.notes.push(...badRows, ...(report.unmatched > 0 ? notes : []));
}

function checkAnswers(file: string, texts: readonly string[], site?: string) {
  const importer = importerOf(file as ImportName, 'json', site);
  async function* read() {
    for (const text of texts) yield* importer.read(bytesOf(text));
  }
  return checkFile(
    { ...importer, read },
    { open: async () => bytesOf(''), skipsBad: true, trustsIds: false },
  );
}

async function assertLinked(tx: Db, handleId: bigint): Promise<void> {
  if (!(await findHandle(tx, handleId))) throw localizedError('unknownItem.handleGone');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function cursorOf(row: SyncsTable | undefined): unknown {
  return row?.cursor === null || row === undefined ? undefined : (JSON.parse(row.cursor) ?? undefined);
}

/** More answers than any list needs. */
const answersAtMost = 200;

/** The answers, as long as there are not too many. */
async function* firstAnswers(answers: AsyncGenerator<FetchedFile>): AsyncGenerator<FetchedFile> {
  let count = 0;
  for await (const answer of answers) {
    yield answer;
    if (++count >= answersAtMost) return;
  }
}

export interface BrowserAnswerResult {
  report: ImportReport;
  /** Sentences about rows that were left out. */
  badRows: readonly LocalizedText[];
  /** The number of the first row of the next answer; undefined after the last one. */
  next: number | undefined;
}

/** Keeps an answer that begins with this row. Throws badFile for one that is no list of submissions, with the judge's own words. */
export async function importBrowserAnswer(
  store: Store,
  handle: HandlesTable,
  { file, pageSize, sharedRows }: BrowserSync,
  text: string,
  from: number,
): Promise<BrowserAnswerResult> {
  const checked = await checkAnswers(`${handle.source}-${file}`, [text]);
  const [member] = await findMembersByIds(store.reader, [handle.user_id]);
  const { report, badRows } = await applyFile(store, checked, {
    member,
    handle: handle.name,
    owner: handle.user_id,
    way: 'browser',
    isDryRun: false,
    confirm: (tx) => assertLinked(tx, handle.id),
  });
  const { read } = report;
  const shared = read < pageSize ? 0 : sharedRows;
  return { report, badRows, next: read === 0 ? undefined : from + read - shared };
}

/** Does the work of a run and writes down how it ended, with what it says is new in the row of the sync. */
async function recordRun<T>(
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
    // A run that was stopped did not fail.
    if ((error as Error).name !== 'AbortError')
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

/** Leaves a judge or its branch alone for a while: what one handle after another fails at is no handle's fault. */
export async function pauseJudge(store: Store, site: string, error: Error): Promise<void> {
  await updateSyncRow(store, judgeAsWhole(site), withFault(new Date().toISOString(), error));
}

/** Writes down how a run ended, and when the next one is due. */
async function updateSyncRow(
  store: Store,
  subject: SyncSubject,
  change: (row: SyncsTable) => SyncsTable,
): Promise<void> {
  await store.writeBeside(async (tx) => {
    const handle = subject.handle_id === null ? undefined : await findHandle(tx, subject.handle_id);
    if (subject.handle_id !== null && !handle) return;
    const row = change((await findSync(tx, subject)) ?? freshSync(subject));
    await saveSync(tx, { ...row, due_at: await dueAfter(tx, row) });
    if (subject.task !== 'submissions' || !handle || row.fault !== null) return;
    await deleteSync(tx, judgeAsWhole(siteOf(subject.source, handle.name).name));
    await hurryRatings(tx, subject.source, handle.id);
  });
}

/** Has a handle's ratings asked for soon after a contest. */
async function hurryRatings(tx: Db, source: string, handleId: bigint): Promise<void> {
  const row = await findSync(tx, { source, task: 'ratings', handle_id: handleId });
  if (!row?.good_at || !judgeOf(source)?.api?.ratings) return;
  const lastContest = await findLastTaken(tx, handleId, source);
  const soon = BigInt(Date.now() + afterContestMs);
  if ((lastContest ?? '') > row.good_at && row.due_at > soon) await saveSync(tx, { ...row, due_at: soon });
}
