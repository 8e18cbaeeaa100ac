/** Syncs with judges and sends reminders in a thread of its own, so that no request waits while answers are imported. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { listSourcesOfHandles } from '../store/handles.ts';
import { openStoreToRead, usingStore } from '../store/open.ts';
import { hasWebhooks } from '../store/webhooks.ts';
import type { SyncThreadData, SyncThreadLine } from './sync-thread.ts';

const lookMs = 15_000;
const restartMs = 60_000;
const lockTimeoutMs = 1_000;
/** How long a run that is under way may take to end. */
const settleMs = 2_000;

/** Starts the thread once somebody has a handle or a webhook. The returned function stops it. */
export function startSyncing(config: Config, log: Logger): () => Promise<void> {
  const { databaseUrl, judgeUrls, baseUrl, sync: asksJudges, privatePlaces = new Set<string>() } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  let thread: Worker | undefined;

  const isNeeded = () =>
    usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs }), async ({ reader }) => {
      if (asksJudges && (await listSourcesOfHandles(reader)).length > 0) return true;
      return hasWebhooks(reader);
    }).catch(() => false);

  async function runThread(): Promise<void> {
    const place = { databaseUrl, judgeUrls, asksJudges, baseUrl, privatePlaces };
    const workerData: SyncThreadData = { ...place, holder: randomUUID() };
    thread = new Worker(new URL('./sync-thread.ts', import.meta.url), { workerData });
    thread.on('message', ({ level, sentence }: SyncThreadLine) => log[level](sentence));
    thread.on('error', (error) => log.error({ err: error }, 'syncing stopped, and begins again in a minute'));
    await once(thread, 'exit');
    thread = undefined;
  }

  async function keepOn(): Promise<void> {
    while (!signal.aborted) {
      if (await isNeeded()) {
        if (signal.aborted) return;
        await runThread();
        await sleep(restartMs, undefined, { signal, ref: false });
      } else await sleep(lookMs, undefined, { signal, ref: false });
    }
  }

  const over = keepOn().catch(() => {});
  return async () => {
    stopping.abort();
    thread?.postMessage('stop');
    const timer = setTimeout(() => thread?.terminate(), settleMs);
    await over;
    clearTimeout(timer);
  };
}
