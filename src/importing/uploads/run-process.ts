/**
 * Runs of imports, one after another in a process of their own: the server answers others meanwhile, and a file that takes all
 * memory ends this process alone. What a run found or did is written to the upload's row; for an import, in the transaction of
 * the rows themselves.
 */
import { createReadStream } from 'node:fs';
import { AppError, refusalOf } from '../../errors.ts';
import { findMembersByIds } from '../../store/members.ts';
import { openStore, usingStore } from '../../store/open.ts';
import { insertStaffDeed } from '../../store/staff-log.ts';
import type { Store } from '../../store/store.ts';
import type { Db } from '../../store/tables.ts';
import type { UploadsTable } from '../../store/upload-tables.ts';
import { getUpload, moveUpload } from '../../store/uploads.ts';
import { applyFile, checkFile, type ImportResult } from '../import.ts';
import { importerOf, needsMember } from '../resources.ts';
import type { Progress } from './folder.ts';
import { askedOf, type RunReport } from './report.ts';

export interface Job {
  databaseUrl: string;
  identity: string | undefined;
  /** The addresses of the sites that files of judges come from, where they are not the judges' own. */
  sites: Readonly<Record<string, string>>;
  path: string;
  /** The id of the upload. */
  id: string;
  /** How long its report is kept. */
  keptMs: number;
}

/** The messages of the process: its progress, its end, or a fault. */
export type Said = { progress: Progress } | { isDone: true } | { fault: string };

const badRowsAtMost = 1_000;
/** As many submissions as an archive may have; staff have the time of a run alone. */
const rowsOfMember = 1_000_000;
const lockTimeoutMs = 30_000;
const noteEveryMs = 250;

// A server that ends takes its runs along; what they wrote is rolled back.
process.on('disconnect', () => process.exit(1));
process.on('message', async (job: Job) => {
  try {
    const { databaseUrl, identity } = job;
    const options = { create: false, identity, lockTimeoutMs, writesMuch: true };
    await usingStore(openStore(databaseUrl, options), (store) => work(store, job));
    await say({ isDone: true });
  } catch (error) {
    await say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(1);
  }
});

function say(what: Said): Promise<void> {
  return new Promise((resolve) => process.send?.(what, () => resolve()));
}

async function work(store: Store, job: Job): Promise<void> {
  const id = BigInt(job.id);
  const upload = await getUpload(store.reader, id);
  if (upload?.state !== 'checking' && upload?.state !== 'importing') return;
  const isDryRun = upload.state === 'checking';
  const expires_at = () => new Date(Date.now() + job.keptMs).toISOString();
  try {
    const start = performance.now();
    const finish = (tx: Db, result: ImportResult) => {
      const { report: figures, ...rest } = result;
      const report: RunReport = { figures, ...rest, seconds: (performance.now() - start) / 1000 };
      const state = isDryRun ? ('checked' as const) : ('imported' as const);
      // The file goes once its rows are in.
      const bytes = isDryRun ? upload.bytes : 0n;
      const values = { state, bytes, report: JSON.stringify(report), expires_at: expires_at() };
      return moveUpload(tx, id, upload.state, values);
    };
    const result = await apply(store, upload, job, async (tx, done) => {
      await assertMay(tx, upload);
      // Another process may have declared this one dead; then the owner was told that the upload failed.
      if (!isDryRun && !(await finish(tx, done))) throw new Error('the upload was given up meanwhile');
    });
    if (isDryRun) await store.writeBeside((tx) => finish(tx, result));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const report: RunReport = { fault: refusalOf(error).body.message };
    const values = {
      state: 'refused' as const,
      bytes: 0n,
      report: JSON.stringify(report),
      expires_at: expires_at(),
    };
    await store.writeBeside((tx) => moveUpload(tx, id, upload.state, values));
  }
}

async function apply(
  store: Store,
  upload: UploadsTable,
  { path, sites }: Job,
  confirm: (tx: Db, result: ImportResult) => Promise<void>,
): Promise<ImportResult> {
  const { what, format, member: memberId, handle, trustsIds = false, skipsBad = false } = askedOf(upload);
  const isDryRun = upload.state === 'checking';
  const importer = importerOf(what, format, sites[what.split('-', 1)[0] ?? '']);
  let notedAt = 0;
  const note = (progress: Progress) => {
    if (performance.now() - notedAt < noteEveryMs) return;
    notedAt = performance.now();
    process.send?.({ progress } satisfies Said);
  };
  const open = async () =>
    (async function* () {
      let done = 0;
      for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
        yield chunk as Uint8Array;
        done += (chunk as Uint8Array).length;
        note({ doing: 'reading', done, total: Number(upload.bytes) });
      }
    })();
  // A dry run shows all bad rows; whether they are left out is decided then.
  const rows = upload.room === 'staff' ? Number.POSITIVE_INFINITY : rowsOfMember;
  const atMost = { rows, badRows: badRowsAtMost };
  const checked = await checkFile(importer, { open, skipsBad: skipsBad || isDryRun, trustsIds, atMost });
  const [member] = memberId === undefined ? [] : await findMembersByIds(store.reader, [BigInt(memberId)]);
  if (needsMember(what) && !member)
    throw new AppError(
      'unknownMember',
      'The member whose submissions these are was deleted in the meantime.',
    );
  return applyFile(store, checked, {
    ...{ member, handle, isDryRun, confirm, by: upload.user_id },
    owner: upload.room === 'member' ? upload.user_id : undefined,
    onRead: (done) => note({ doing: 'writing', done, total: checked.rowCount }),
  });
}

/** Throws where the person who uploaded the file may not do this any more; an act of staff is logged. */
async function assertMay(tx: Db, { user_id, room, state, asked }: UploadsTable): Promise<void> {
  const [person] = await findMembersByIds(tx, [user_id]);
  if (person?.is_disabled !== 0n || (room === 'staff' && person.role !== 'staff'))
    throw new AppError('unknownMember', 'You no longer have the right to do this. Nothing was imported.');
  if (room !== 'staff' || state !== 'importing') return;
  const { member } = askedOf({ asked });
  const deed = member === undefined ? 'file-imported' : 'submissions-imported';
  const member_id = member === undefined ? null : BigInt(member);
  await insertStaffDeed(tx, { what: deed, actor_id: user_id, member_id });
}
