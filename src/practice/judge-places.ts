/**
 * The sites of judges that are not asked at their own address: the operator's setting says so, or staff, where other sites
 * run the program of the judge.
 */
import { localizedError } from '../errors.ts';
import { deleteSetting, getSetting, listSettings, setSetting } from '../store/settings.ts';
import { deleteSyncsAt } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

export interface JudgePlace {
  /** Without a slash at the end. */
  url: string;
  /** Whether it may be in a private network: the operator says so, and nobody else. */
  mayBePrivate: boolean;
}
export type JudgePlaces = ReadonlyMap<string, JudgePlace>;

const prefix = 'judge_url_';
const longestAddress = 200;

/** All other places by the judge. `operators` are those of the setting JUDGE_URLS, which counts more. */
export async function judgePlaces(
  db: Db,
  operators: ReadonlyMap<string, string> | undefined,
): Promise<JudgePlaces> {
  const places = new Map<string, JudgePlace>();
  for (const { name, value } of await listSettings(db, prefix))
    places.set(name.slice(prefix.length), { url: value, mayBePrivate: false });
  for (const [source, url] of operators ?? []) places.set(source, { url, mayBePrivate: true });
  return places;
}

/** The place of part of a judge, such as `atcoder-ratings`: its own where the operator named one, or else that of the judge. */
export const placeOf = (places: JudgePlaces, name: string): JudgePlace | undefined =>
  places.get(name) ?? places.get(name.replace(/-\w+$/, ''));

/** The address that staff entered, without a slash at the end. Throws badSetting for what cannot be one. */
export function readPlace(text: string): string {
  const { protocol = '', origin, pathname, search, hash, username, password } = URL.parse(text) ?? {};
  // A lone `?` or `#` is neither a search nor a hash, and is left out.
  const address = `${origin}${pathname}`;
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  if (!isPlain || !/^https?:$/.test(protocol) || address.length > longestAddress)
    throw localizedError('badSetting.place', { most: longestAddress });
  return address.replace(/\/+$/, '');
}

/** Keeps an address that `readPlace` has read. How far syncs have come counts for the former site alone. */
export async function savePlace(tx: Db, source: string, url: string): Promise<void> {
  if ((await getSetting(tx, prefix + source)) === url) return;
  await setSetting(tx, prefix + source, url);
  await deleteSyncsAt(tx, source);
}

export async function forgetPlace(tx: Db, source: string): Promise<void> {
  await deleteSetting(tx, prefix + source);
  await deleteSyncsAt(tx, source);
}
