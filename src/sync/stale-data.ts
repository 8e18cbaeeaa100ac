/** Imported submissions that are so old that later ones are probably missing: figures made of them say so. */
import { judgeName } from '../judges/judges.ts';
import type { StaleJudge } from '../practice/message-words.ts';
import { listNamedHandles } from '../store/handles.ts';
import type { SyncsTable } from '../store/judged-tables.ts';
import { listHandleSyncs, listJudgeSyncs } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

const hourMs = 3_600_000;
/** Every sync is due at least daily. */
export const lateMs = 36 * hourMs;
/** AtCoder Problems is usually minutes behind its judge. */
const behindMs = 3 * hourMs;

/** The moment at which the judge's own data ended when it was last asked; null where that was close enough. */
export function endOfJudge(ofJudges: readonly SyncsTable[], source: string): string | null {
  const age = ofJudges.find((row) => row.source === source && row.task === 'age');
  if (!age?.judge_at || !age.good_at) return null;
  return Date.parse(age.good_at) - Date.parse(age.judge_at) > behindMs ? age.judge_at : null;
}

export async function listStaleJudges(
  db: Db,
  userIds: readonly bigint[],
  now: number,
): Promise<StaleJudge[]> {
  const [handles, syncs, ofJudges] = await Promise.all([
    listNamedHandles(db),
    listHandleSyncs(db),
    listJudgeSyncs(db),
  ]);
  const goodAt = new Map(syncs.map(({ handle_id, good_at }) => [handle_id, good_at]));
  const old = handles.flatMap(({ id, user_id, source, brought_at }) => {
    const good = goodAt.get(id);
    // A handle that was never synced has what its member brings by hand.
    if (!good || !userIds.includes(user_id)) return [];
    const came = brought_at !== null && brought_at > good ? brought_at : good;
    const [since] = [now - Date.parse(came) > lateMs ? came : null, endOfJudge(ofJudges, source)]
      .filter((at) => at !== null)
      .toSorted();
    return since === undefined ? [] : [{ source, user_id, since }];
  });
  return [...Map.groupBy(old, ({ source }) => source)].toSorted().map(([source, some]) => ({
    judge: judgeName(source),
    since: some.map(({ since }) => since).toSorted()[0] ?? '',
    people: new Set(some.map(({ user_id }) => user_id)).size,
  }));
}
