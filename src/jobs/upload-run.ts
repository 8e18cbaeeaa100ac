/**
 * Imports uploads one at a time in the process of jobs, so that a file that takes all memory ends only that. A result
 * is stored in the upload's row; that of an import in the transaction of its rows.
 */
import { createReadStream, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../durations.ts';
import { AppError, type ErrorKey, localizedError, refusalOf, serializeLocalizedText } from '../errors.ts';
import { applyFile, checkFile, type ImportReport, type ImportResult } from '../importing/import.ts';
import { importerOf, needsMember } from '../importing/resources.ts';
import { type AddLimits, noLimits } from '../practice/added-problems.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { findMembersByIds } from '../store/members.ts';
import { insertStaffAction } from '../store/staff-log.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  listRunningUploads,
  listUploadsInStates,
  type UploadState,
  type UploadsTable,
  updateUploadInState,
  waitingStates,
} from '../store/uploads.ts';
import type { UploadCrash, WorkerMessage } from './job-protocol.ts';
import { tryUnderLease } from './lease.ts';
import {
  deleteUploadFile,
  parseUploadRequest,
  pathOfUpload,
  retentionMs,
  saveProgress,
  type UploadReport,
  uploadLease,
} from './uploads.ts';

export interface UploadRunContext {
  store: Store;
  holder: string;
  signal: AbortSignal;
  folder: string;
  judgeUrls: ReadonlyMap<string, string> | undefined;
  addLimits: AddLimits;
  crash: UploadCrash | undefined;
  log(level: 'error', sentence: string): void;
  report(message: WorkerMessage): Promise<void>;
}

const leaseRetryMs = 200;
const staffTimeoutMs = 10 * minuteMs;
const memberTimeoutMs = 3 * minuteMs;
const badRowsAtMost = 1_000;
const memberRowsAtMost = 1_000_000;
const progressEveryMs = 250;
/** The part of the time of a run in which the file is read and checked. */
const readShare = 0.2;

export async function runUploads(context: UploadRunContext): Promise<void> {
  const { store, holder, signal } = context;
  while (!signal.aborted) {
    const hasWork = (await listRunningUploads(store.reader)).length > 0 || (await findNext(context));
    if (!hasWork) return;
    const hadLease = await tryUnderLease(store, uploadLease, holder, () => runNext(context).then(() => true));
    if (!hadLease) await sleep(leaseRetryMs);
  }
}

/** Under the lease nothing else is running, so a running state was left by a process that died. */
async function runNext(context: UploadRunContext): Promise<void> {
  const { store, folder, crash, report } = context;
  for (const abandoned of await listRunningUploads(store.reader)) {
    const isCrash = crash?.uploadId === String(abandoned.id);
    await fail(
      context,
      abandoned,
      isCrash ? (crash.isTimeout ? 'badFile.tooLong' : 'badFile.interrupted') : 'badFile.stopped',
    );
  }
  const next = await findNext(context);
  if (!next) return;
  const { id, room } = next;
  const state: UploadState = next.state === 'to-check' ? 'checking' : 'importing';
  const values = { state, started_at: new Date().toISOString() };
  const upload = { ...next, ...values };
  const name = `the import of upload ${id}`;
  const timeoutMs = room === 'staff' ? staffTimeoutMs : memberTimeoutMs;
  // The server must know the job before its row changes, in case this process dies.
  await report({ running: { name, uploadId: String(id), timeoutMs } });
  try {
    saveProgress(folder, id, 0);
    if (!(await store.writeConcurrently((tx) => updateUploadInState(tx, id, next.state, values)))) return;
    if (await run(context, upload)) await deleteUploadFile(folder, id);
  } catch (error) {
    if (!context.signal.aborted)
      context.log('error', `${name} broke off: ${(error as Error).stack ?? error}`);
    await fail(context, upload, context.signal.aborted ? 'badFile.stopped' : 'badFile.interrupted');
  } finally {
    await report({ running: undefined });
  }
}

/** Staff come first, then whoever has waited longest. A member has only one waiting upload. */
async function findNext({ store, folder }: UploadRunContext): Promise<UploadsTable | undefined> {
  const rankOf = ({ room, started_at, created_at }: UploadsTable) =>
    `${room === 'staff' ? 0 : 1} ${started_at ?? created_at}`;
  const [first] = (await listUploadsInStates(store.reader, waitingStates))
    .filter(({ id }) => existsSync(pathOfUpload(folder, id)))
    .toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)) || Number(one.id - other.id));
  return first;
}

function faultReport(error: AppError): string {
  // The public message hides what the reader may not see.
  const fault = serializeLocalizedText({
    localized: error.localized,
    message: refusalOf(error).body.message,
  });
  return JSON.stringify({ fault } satisfies UploadReport);
}

async function fail(
  { store, folder }: UploadRunContext,
  { id, state }: UploadsTable,
  key: ErrorKey,
): Promise<void> {
  const report = faultReport(localizedError(key));
  if (
    await store.writeConcurrently((tx) =>
      updateUploadInState(tx, id, state, { state: 'broken', bytes: 0n, report }),
    )
  )
    await deleteUploadFile(folder, id);
}

async function run(context: UploadRunContext, upload: UploadsTable): Promise<boolean> {
  const { store } = context;
  const { id, state } = upload;
  const isDryRun = state === 'checking';
  const expires_at = () => new Date(Date.now() + retentionMs).toISOString();
  const start = performance.now();
  const finish = (tx: Db, result: ImportResult) => {
    const { report: figures, hasWritten } = result;
    const [notes, badRows] = [
      result.notes.map(serializeLocalizedText),
      result.badRows.map(serializeLocalizedText),
    ];
    const seconds = (performance.now() - start) / 1000;
    const report: UploadReport = { figures, notes, badRows, hasWritten, seconds };
    const bytes = isDryRun ? upload.bytes : 0n;
    const values = { bytes, report: JSON.stringify(report), expires_at: expires_at() };
    return updateUploadInState(tx, id, state, { ...values, state: isDryRun ? 'checked' : 'imported' });
  };
  try {
    const result = await apply(context, upload, async (tx, importResult) => {
      await assertAllowed(tx, upload, importResult.report);
      // Another process may have given this run up and reported a failure to its owner.
      if (!isDryRun && !(await finish(tx, importResult)))
        throw new Error('the upload was given up meanwhile');
    });
    if (isDryRun) await store.writeConcurrently((tx) => finish(tx, result));
    return !isDryRun;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const report = faultReport(error);
    const values = { bytes: 0n, report, expires_at: expires_at() };
    await store.writeConcurrently((tx) =>
      updateUploadInState(tx, id, state, { ...values, state: 'refused' }),
    );
    return true;
  }
}

/** How much of a run is done, from 0 to 1. It never falls, although a large file is read again while its rows are applied. */
export function runMeter(bytes: number) {
  let share = 0;
  const raiseTo = (reached: number) => {
    share = Math.max(share, reached);
    return share;
  };
  return {
    read: (done: number) => raiseTo((readShare * done) / bytes),
    applied: (part: number) => raiseTo(readShare + (1 - readShare) * part),
  };
}

async function apply(
  { store, folder, judgeUrls, addLimits, signal }: UploadRunContext,
  upload: UploadsTable,
  beforeCommit: (tx: Db, result: ImportResult) => Promise<void>,
): Promise<ImportResult> {
  const {
    what,
    format,
    member: memberId,
    handle,
    trustsIds = false,
    skipsBad = false,
    takesOtherName = false,
  } = parseUploadRequest(upload);
  const isDryRun = upload.state === 'checking';
  const judgeAddresses = await listJudgeAddresses(store.reader, judgeUrls);
  const site = judgeAddresses.get(what.split('-', 1)[0] ?? '')?.url;
  const importer = importerOf(what, format, site);
  const meter = runMeter(Number(upload.bytes));
  let reportedAt = 0;
  const reportProgress = (share: number) => {
    signal.throwIfAborted();
    if (performance.now() - reportedAt < progressEveryMs) return;
    reportedAt = performance.now();
    saveProgress(folder, upload.id, share);
  };
  const open = async () =>
    (async function* () {
      let done = 0;
      for await (const chunk of createReadStream(pathOfUpload(folder, upload.id), {
        highWaterMark: 256 * 1024,
      })) {
        yield chunk as Uint8Array;
        done += (chunk as Uint8Array).length;
        reportProgress(meter.read(done));
      }
    })();
  const rows = upload.room === 'staff' ? Number.POSITIVE_INFINITY : memberRowsAtMost;
  const sizeLimits = { rows, badRows: badRowsAtMost };
  const checked = await checkFile(importer, {
    open,
    skipsBadRows: skipsBad || isDryRun,
    trustsIds,
    sizeLimits,
  });
  const [member] = memberId === undefined ? [] : await findMembersByIds(store.reader, [BigInt(memberId)]);
  if (memberId !== undefined && !member) throw localizedError('unknownMember.ofSubmissions');
  return applyFile(store, checked, {
    member,
    handle,
    isDryRun,
    beforeCommit,
    importedBy: upload.user_id,
    owner: upload.room === 'member' ? upload.user_id : undefined,
    takesOtherName: takesOtherName || isDryRun,
    adding: {
      limits: upload.room === 'member' ? addLimits : noLimits,
      judgeAddresses,
      addsLinkedProblems: false,
    },
    onRead: (done) => reportProgress(meter.applied(done / checked.rowCount)),
  });
}

/** Throws if the person lost the right since the upload; an import by staff is logged. */
async function assertAllowed(
  tx: Db,
  { user_id, room, state, asked }: UploadsTable,
  { new: added, changed, kept }: ImportReport,
): Promise<void> {
  const [person] = await findMembersByIds(tx, [user_id]);
  if (person?.is_disabled !== 0n || (room === 'staff' && person.role !== 'staff'))
    throw localizedError('unknownMember.noRight');
  if (room !== 'staff' || state !== 'importing') return;
  const { what, member } = parseUploadRequest({ asked });
  const member_id = member !== undefined && needsMember(what) ? BigInt(member) : null;
  const act = member_id === null ? 'file-imported' : 'submissions-imported';
  const deed = `${act} ${what} ${added} ${changed} ${kept}` as const;
  await insertStaffAction(tx, { what: deed, actor_id: user_id, member_id });
}
