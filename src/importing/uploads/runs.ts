/** Runs imports of uploads, one at a time in the whole garden, in a process of their own (`run-host.ts`). */
import { setTimeout as sleep } from 'node:timers/promises';
import { judgePlaces } from '../../practice/judge-places.ts';
import type { Store } from '../../store/store.ts';
import type { UploadState, UploadsTable } from '../../store/upload-tables.ts';
import {
  getUpload,
  listRunningUploads,
  listWaitingUploads,
  moveUpload,
  runningStates,
} from '../../store/uploads.ts';
import { dropFile, noteProgress, type Progress, pathOfUpload, readProgress } from './folder.ts';
import type { RunReport } from './report.ts';
import { longestMs, runHost, tookTooLong } from './run-host.ts';

export interface RunPlace {
  store: Store;
  databaseUrl: string;
  folder: string;
  /** Other addresses of judges, by the names of JUDGE_URLS. */
  judgeUrls: ReadonlyMap<string, string> | undefined;
  /** Gets what a run died of, for the log. */
  onFault(fault: string): void;
}

const beatMs = 1_000;
const turnMs = 200;
/** A note of progress that is older was left by a process that died. */
const deadMs = 15_000;
/** A run of a member, so that others need not wait for long. */
const longestOfMemberMs = 180_000;
/** How long a report is kept for its reader, and a checked file for the decision. */
export const keptMs = 3_600_000;

const next: Partial<Record<UploadState, UploadState>> = { 'to-check': 'checking', 'to-import': 'importing' };

/** Says of an upload on which nobody works any more that its run broke off; answers it as it is then. */
export async function settle({ store, folder }: Pick<RunPlace, 'store' | 'folder'>, upload: UploadsTable) {
  const isAtWork =
    upload.state in next || runningStates.includes(upload.state) || upload.state === 'arriving';
  if (!isAtWork) return upload;
  const noted = await readProgress(folder, upload.id);
  const since = Date.now() - Date.parse(upload.started_at ?? upload.created_at);
  // Without a note the work is on another machine, or its first note is still to come.
  // A note from before this work is that of the check, which may have waited for a decision since.
  const isDead = noted ? Math.min(noted.ageMs, since) > deadMs : since > longestMs + deadMs;
  if (!isDead) return upload;
  await giveUp(
    { store, folder },
    upload,
    'The server stopped during this import, so nothing was imported. Upload the file again.',
  );
  return (await getUpload(store.reader, upload.id)) ?? upload;
}

async function giveUp(
  { store, folder }: Pick<RunPlace, 'store' | 'folder'>,
  { id, state }: Pick<UploadsTable, 'id' | 'state'>,
  fault: string,
): Promise<void> {
  const report = JSON.stringify({ fault } satisfies RunReport);
  if (await store.writeBeside((tx) => moveUpload(tx, id, state, { state: 'broken', bytes: 0n, report })))
    await dropFile(folder, id);
}

export function uploadRuns(place: RunPlace) {
  const { store, folder, databaseUrl, judgeUrls, onFault } = place;
  /** The uploads that wait here or are at work, with how far they are. */
  const own = new Map<bigint, Progress>();
  const host = runHost();
  let isEnding = false;
  /** The last run of each upload. */
  const runs = new Map<bigint, Promise<void>>();
  /** The run that the process of runs does now, or did last. */
  let working: Promise<unknown> = Promise.resolve();

  const beating = setInterval(() => {
    for (const [id, progress] of own) noteProgress(folder, id, progress).catch(() => {});
  }, beatMs);
  beating.unref();

  /** Notes it at once: an upload that waits without a note would keep those behind it waiting. */
  function wait(id: bigint): void {
    const waiting: Progress = { doing: 'waiting', done: 0, total: 0 };
    own.set(id, waiting);
    noteProgress(folder, id, waiting).catch(() => {});
  }

  /**
   * Waits until nobody in the garden runs an import, and takes the turn; answers the upload as it is then. Staff come first, and then
   * who has waited longest: nobody has two files at work, so each file of a member waits behind those of all others.
   */
  async function takeTurn(id: bigint): Promise<UploadsTable | undefined> {
    while (!isEnding) {
      const upload = await getUpload(store.reader, id);
      const state = upload && next[upload.state];
      if (!upload || !state) return undefined;
      const running = await Promise.all(
        (await listRunningUploads(store.reader)).map((one) => settle(place, one)),
      );
      const isTaken = running.some((one) => runningStates.includes(one.state));
      if (!isTaken && (await isNext(upload)) && (await claim(upload, state))) return { ...upload, state };
      await sleep(turnMs);
    }
    return undefined;
  }

  async function isNext({ id }: UploadsTable): Promise<boolean> {
    const waiting = await Promise.all(
      (await listWaitingUploads(store.reader)).map((one) => settle(place, one)),
    );
    const [first] = waiting
      .filter(({ state }) => state in next)
      .map((one) => ({
        id: one.id,
        rank: `${one.room === 'staff' ? 0 : 1} ${one.started_at ?? one.created_at}`,
      }))
      .toSorted((one, other) =>
        one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : Number(one.id - other.id),
      );
    return first?.id === id;
  }

  async function claim({ id, state: before }: UploadsTable, state: UploadState): Promise<boolean> {
    const started_at = new Date().toISOString();
    return store
      .write(async (tx) => {
        if ((await listRunningUploads(tx)).length > 0) return false;
        return moveUpload(tx, id, before, { state, started_at });
      })
      .catch(() => false);
  }

  async function run(id: bigint): Promise<void> {
    const upload = await takeTurn(id);
    if (!upload) return;
    const done = working;
    const { promise, resolve } = Promise.withResolvers<void>();
    working = promise;
    await done;
    await runNow(upload).finally(resolve);
  }

  async function runNow({ id, state, room }: UploadsTable): Promise<void> {
    const places = await judgePlaces(store.reader, judgeUrls);
    const job = {
      databaseUrl,
      sites: Object.fromEntries([...places].map(([source, { url }]) => [source, url])),
      identity: store.identity,
      path: pathOfUpload(folder, id),
      id: String(id),
      keptMs,
    };
    // The garden may have begun to end while the turn was taken.
    const atMostMs = room === 'staff' ? longestMs : longestOfMemberMs;
    const fault = isEnding ? undefined : await host.work(job, atMostMs, (progress) => own.set(id, progress));
    const left = await getUpload(store.reader, id);
    if (left?.state === state) {
      if (!isEnding) onFault(`the import of upload ${id} broke off: ${fault}`);
      await giveUp(place, left, brokenWords(isEnding, fault));
    } else if (left?.state === 'imported' || left?.state === 'refused') await dropFile(folder, id);
  }

  return {
    /** Has an upload that waits for its turn be run. */
    start: (id: bigint): void => {
      wait(id);
      const running = Promise.resolve(runs.get(id))
        .then(() => {
          // Its check, if that has just ended, took it from the list.
          wait(id);
          return run(id);
        })
        .catch((error) => onFault(String(error)))
        .finally(() => {
          own.delete(id);
          if (runs.get(id) === running) runs.delete(id);
        });
      runs.set(id, running);
    },
    /** Notes that a file is still arriving here, until the work is done. */
    whileArriving: async <T>(id: bigint, work: () => Promise<T>): Promise<T> => {
      wait(id);
      try {
        return await work();
      } finally {
        own.delete(id);
      }
    },
    /** Ends what is at work. */
    end: async (): Promise<void> => {
      isEnding = true;
      clearInterval(beating);
      host.end();
      await Promise.all(runs.values());
    },
  };
}

function brokenWords(isEnding: boolean, fault: string | undefined): string {
  if (isEnding)
    return 'The server was stopped during this import, so nothing was imported. Upload the file again.';
  return fault === tookTooLong
    ? 'The import took too long, so nothing was imported. Upload the file in parts.'
    : 'The import was interrupted, so nothing was imported. The file may need too much memory: upload it in parts.';
}
