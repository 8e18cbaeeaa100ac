/** What staff entered of a judge's OpenID Connect: the garden's own client there. The secret is shown to nobody. */
import { badSetting } from '../errors.ts';
import { deleteSetting, getSetting, setSetting } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';

export interface JudgeClient {
  id: string;
  secret: string;
}

const settingOf = (source: string) => `openid_${source}`;

export async function findJudgeClient(db: Db, source: string): Promise<JudgeClient | undefined> {
  const kept = await getSetting(db, settingOf(source));
  return kept === undefined ? undefined : JSON.parse(kept);
}

/** Keeps a client. Throws badSetting for what no judge hands out. */
export async function saveJudgeClient(tx: Db, source: string, client: JudgeClient): Promise<void> {
  if (!Object.values(client).every((text) => /^[\x21-\x7e]{1,500}$/.test(text)))
    throw badSetting('Client id and secret are 1 to 500 letters, digits and signs without spaces.');
  await setSetting(tx, settingOf(source), JSON.stringify(client));
}

export async function forgetJudgeClient(tx: Db, source: string): Promise<void> {
  await deleteSetting(tx, settingOf(source));
}
