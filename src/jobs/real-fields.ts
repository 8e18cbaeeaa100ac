/** Asks judges, once after a round, for the results of the contest that its problems are of. */
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { faultKindOf } from '../judges/faults.ts';
import type { ApiKey, Judge, JudgeClient } from '../judges/judge.ts';
import { judgeOf } from '../judges/judges.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import {
  type ContestOfRound,
  findContestOfRound,
  saveRealField,
  withColumns,
} from '../practice/real-fields.ts';
import { listDueRealFields, updateRealField } from '../store/real-fields.ts';
import type { Store } from '../store/store.ts';
import { interactiveLimits, type JudgeClientOptions, judgeClient } from './judge-client.ts';
import { type LeadOptions, newHolder, pollUntilAborted, tryUnderLease } from './lease.ts';

interface FieldOptions {
  judgeUrls?: ReadonlyMap<string, string> | undefined;
  log(level: 'warn', sentence: string): void;
  signal?: AbortSignal;
  pace?: JudgeClientOptions['pace'];
}

export const runRealFields = (store: Store, options: FieldOptions & LeadOptions): Promise<void> =>
  pollUntilAborted(
    store,
    { name: 'real fields', work: 'asking for results of contests' },
    { ...options, pollMs: minuteMs },
    (signal) => fetchRealFields(store, { ...options, signal }, Date.now()),
  );

const triesAtMost = 6;
const retryMs = 10 * minuteMs;

export async function fetchRealFields(store: Store, options: FieldOptions, now: number): Promise<void> {
  const { judgeUrls, signal, pace, log } = options;
  const due = await listDueRealFields(store.reader, now);
  const addresses = due.length > 0 ? await listJudgeAddresses(store.reader, judgeUrls) : new Map();
  for (const { round_id: id, failures } of due) {
    signal?.throwIfAborted();
    const save = (values: Parameters<typeof updateRealField>[2]) =>
      store.writeConcurrently((tx) => updateRealField(tx, id, values));
    const contest = await findContestOfRound(store.reader, id);
    const judge = judgeOf(contest?.source ?? '');
    try {
      if (!contest || !judge) await save({ due_at: null });
      else {
        const place = { address: addresses.get(contest.source), signal, pace: { retries: 0, ...pace } };
        await fetchRealField(store, id, contest, judgeClient(store, judge, place));
      }
    } catch (error) {
      signal?.throwIfAborted();
      log('warn', `results of ${contest?.source} ${contest?.contest}: ${(error as Error).message}`);
      const mayHelp = ['busy', 'down'].includes(faultKindOf(error) ?? '') && failures + 1n < triesAtMost;
      const pauseMs = Math.min(dayMs, retryMs * 2 ** Number(failures));
      await save({ failures: failures + 1n, due_at: mayHelp ? BigInt(now + pauseMs) : null });
    }
  }
}

async function fetchRealField(
  store: Store,
  roundId: bigint,
  { source, contest, title, positions }: ContestOfRound,
  ask: JudgeClient,
  key?: ApiKey,
): Promise<void> {
  const field = await judgeOf(source)?.api?.realField?.(ask, contest, key);
  if (!field) throw new Error(`${source} shows no whole results`);
  const columns = positions.map((position) => field.positions.indexOf(position));
  await saveRealField(store, roundId, withColumns(field, columns), title);
}

const answerMiB = 8;

/** With the key of a coach, while the page waits. Throws judgeFailed and invalidValue. */
export async function requestRealField(
  store: Store,
  { memberId, roundId }: { memberId: bigint; roundId: bigint },
  contest: ContestOfRound,
  { address, apiKey }: { address: JudgeClientOptions['address']; apiKey: ApiKey },
): Promise<void> {
  const pace = { ...interactiveLimits, answerMiB };
  const ask = judgeClient(store, judgeOf(contest.source) as Judge, { address, pace });
  const isDone = await tryUnderLease(store, `waiting ${memberId}`, newHolder(), async () => {
    await fetchRealField(store, roundId, contest, ask, apiKey);
    return true;
  });
  if (!isDone) throw localizedError('invalidValue.contestWaits');
}
