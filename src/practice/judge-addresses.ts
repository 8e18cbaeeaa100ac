/**
 * The sites of judges that are not asked at their own address: the operator's setting says so, or staff, where other sites
 * run the program of the judge.
 */
import { localizedError } from '../errors.ts';
import { deleteSetting, getSetting, listSettings, setSetting } from '../store/settings.ts';
import { deleteSyncsAt } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

export interface JudgeAddress {
  /** Without a slash at the end. */
  url: string;
  /** Whether it may be in a private network: the operator says so, and nobody else. */
  mayBePrivate: boolean;
}
export type JudgeAddresses = ReadonlyMap<string, JudgeAddress>;

const prefix = 'judge_url_';
const longestAddress = 200;

/** All other places by the judge. `operators` are those of the setting JUDGE_URLS, which counts more. */
export async function listJudgeAddresses(
  db: Db,
  operators: ReadonlyMap<string, string> | undefined,
): Promise<JudgeAddresses> {
  const places = new Map<string, JudgeAddress>();
  for (const { name, value } of await listSettings(db, prefix))
    places.set(name.slice(prefix.length), { url: value, mayBePrivate: false });
  for (const [source, url] of operators ?? []) places.set(source, { url, mayBePrivate: true });
  return places;
}

/** The place of part of a judge, such as `atcoder-ratings`: its own where the operator named one, or else that of the judge. */
export const addressOfJudge = (places: JudgeAddresses, name: string): JudgeAddress | undefined =>
  places.get(name) ?? places.get(name.replace(/-\w+$/, ''));

/** The address that staff entered, without a slash at the end. Throws badSetting for what cannot be one. */
export function readJudgeAddress(text: string): string {
  const { protocol = '', origin, pathname, search, hash, username, password } = URL.parse(text) ?? {};
  // A lone `?` or `#` is neither a search nor a hash, and is left out.
  const address = `${origin}${pathname}`;
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  if (!isPlain || !/^https?:$/.test(protocol) || address.length > longestAddress)
    throw localizedError('badSetting.place', { most: longestAddress });
  return address.replace(/\/+$/, '');
}

/** Keeps an address that `readJudgeAddress` has read. How far syncs have come counts for the former site alone. */
export async function saveJudgeAddress(tx: Db, source: string, url: string): Promise<void> {
  if ((await getSetting(tx, prefix + source)) === url) return;
  await setSetting(tx, prefix + source, url);
  await deleteSyncsAt(tx, source);
}

export async function deleteJudgeAddress(tx: Db, source: string): Promise<void> {
  await deleteSetting(tx, prefix + source);
  await deleteSyncsAt(tx, source);
}
