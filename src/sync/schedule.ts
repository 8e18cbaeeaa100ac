/** Syncs what is due, again and again: in one process of all that share a database, one request at a time for each judge. */

import { judgeOf } from '../judges/addresses.ts';
import { faultKindOf } from '../judges/faults.ts';
import { judgePlaces } from '../practice/judge-places.ts';
import { listSourcesOfHandles } from '../store/handles.ts';
import type { Store } from '../store/store.ts';
import { findSync, listDueHandles, listWantedSources } from '../store/syncs.ts';
import { type AskOptions, askerOf } from './asking.ts';
import { type LeadOptions, whileLeading } from './leading.ts';
import { syncAge, syncCatalogue, syncHandle, syncRenames } from './runs.ts';

export interface ScheduleOptions extends LeadOptions {
  judgeUrls?: ReadonlyMap<string, string> | undefined;
  /** Shorter ones are for tests. */
  pace?: AskOptions['pace'];
}

/** What the process that syncs holds. */
export const syncLease = 'sync';
const handlesAtOnce = 50;
/** How long a judge is left alone after it was down, busy or refused us, doubled by each further failure. */
const firstPauseMs = 5 * 60_000;
const longestPauseMs = 6 * 3_600_000;

/** Goes on until the signal. */
export async function keepSyncing(store: Store, options: ScheduleOptions): Promise<void> {
  const pauses = new Map<string, Pause>();
  await whileLeading(store, { name: syncLease, work: 'syncing' }, options, (signal) =>
    syncDue(store, { ...options, signal }, pauses),
  );
}

/** A judge that is left alone. */
interface Pause {
  until: number;
  ms: number;
}

/** Syncs all that is due now. */
async function syncDue(store: Store, options: ScheduleOptions, pauses: Map<string, Pause>): Promise<void> {
  // A judge at which nobody has a handle is never asked.
  const sources = await listSourcesOfHandles(store.reader);
  const wanted = await listWantedSources(store.reader);
  const asked = sources.filter(
    (source) => wanted.has(source) || (pauses.get(source)?.until ?? 0) <= Date.now(),
  );
  await Promise.all(asked.map((source) => syncJudge(store, source, options, pauses)));
}

async function syncJudge(
  store: Store,
  source: string,
  options: ScheduleOptions,
  pauses: Map<string, Pause>,
): Promise<void> {
  const judge = judgeOf(source);
  if (!judge?.api) return;
  const { judgeUrls, signal, pace, log } = options;
  const place = (await judgePlaces(store.reader, judgeUrls)).get(source);
  const ask = askerOf(store, judge, { place, signal, ...(pace && { pace }) });
  try {
    for (const task of ['problems', 'contests', 'renames', 'age'] as const) {
      if (!judge.api[task] || !(await isDue(store, source, task))) continue;
      if (task === 'renames') await syncRenames(store, source, ask);
      else if (task === 'age') await syncAge(store, source, ask);
      else await syncCatalogue(store, source, task, ask);
    }
    const due = judge.api.submissions
      ? await listDueHandles(store.reader, [source], Date.now(), handlesAtOnce)
      : [];
    for (const handle of due) {
      signal.throwIfAborted();
      await syncHandle(store, handle, ask).catch((error) => {
        // A handle that is unknown, or was unlinked meanwhile, keeps nobody else from being asked for.
        const isOfHandle = faultKindOf(error) === 'unknown handle' || error?.code === 'unknownItem';
        if (!isOfHandle) throw error;
      });
    }
    pauses.delete(source);
  } catch (error) {
    signal.throwIfAborted();
    const ms = Math.min((pauses.get(source)?.ms ?? firstPauseMs / 2) * 2, longestPauseMs);
    pauses.set(source, { until: Date.now() + ms, ms });
    log('warn', `${(error as Error).message} (again in ${Math.round(ms / 60_000)} min)`);
  }
}

async function isDue(store: Store, source: string, task: 'problems' | 'contests' | 'renames' | 'age') {
  const row = await findSync(store.reader, { source, task, handle_id: null });
  return row === undefined || row.due_at <= BigInt(Date.now());
}
