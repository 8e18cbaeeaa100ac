/**
 * The thread that syncs and sends reminders: it has a connection of its own to the database, and gives way to the threads that
 * answer requests.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore, usingStore } from '../store/open.ts';
import { keepReminding } from '../sync/reminders.ts';
import { keepSyncing } from '../sync/schedule.ts';

export interface SyncThreadData {
  databaseUrl: string;
  judgeUrls: ReadonlyMap<string, string> | undefined;
  asksJudges: boolean;
  baseUrl: string;
  privatePlaces: ReadonlySet<string>;
  /** A name that no other process has. */
  holder: string;
}

export interface SyncThreadLine {
  level: 'info' | 'warn';
  sentence: string;
}

const lockTimeoutMs = 10_000;

const { databaseUrl, judgeUrls, asksJudges, baseUrl, privatePlaces, holder } = workerData as SyncThreadData;
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
try {
  // On Linux this is the priority of the calling thread alone (setpriority(2)).
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
} catch {}
const log = (level: SyncThreadLine['level'], sentence: string) =>
  parentPort?.postMessage({ level, sentence } satisfies SyncThreadLine);
await usingStore(openStore(databaseUrl, { create: false, lockTimeoutMs, poolSize: 2 }), async (store) => {
  const leading = { holder, signal: stopping.signal, log };
  await Promise.all([
    asksJudges && keepSyncing(store, { ...leading, judgeUrls }),
    keepReminding(store, { ...leading, baseUrl, inside: privatePlaces }),
  ]);
});
parentPort?.close();
