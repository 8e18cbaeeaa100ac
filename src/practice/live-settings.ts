/** The judges whose live feed staff have switched off. */
import { deleteSetting, listSettings, setSetting } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';

const prefix = 'live_off_';

export async function listJudgesWithoutLive(db: Db): Promise<ReadonlySet<string>> {
  return new Set((await listSettings(db, prefix)).map(({ name }) => name.slice(prefix.length)));
}

export async function switchLive(tx: Db, source: string): Promise<void> {
  if ((await listJudgesWithoutLive(tx)).has(source)) await deleteSetting(tx, prefix + source);
  else await setSetting(tx, prefix + source, '1');
}
