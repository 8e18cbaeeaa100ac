/** Judges whose program runs at another address, by the operator's setting or by staff. */
import { localizedError } from '../errors.ts';
import { deleteLiveFeed } from '../store/live-feeds.ts';
import { deleteSetting, getSetting, listSettings, setSetting } from '../store/settings.ts';
import { deleteSyncsAt } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

export interface JudgeAddress {
  url: string;
  /** Only the operator may name a private network. */
  mayBePrivate: boolean;
}
export type JudgeAddresses = ReadonlyMap<string, JudgeAddress>;

const prefix = 'judge_url_';
const longestAddress = 200;

export async function listJudgeAddresses(
  db: Db,
  operatorUrls: ReadonlyMap<string, string> | undefined,
): Promise<JudgeAddresses> {
  const addresses = new Map<string, JudgeAddress>();
  for (const { name, value } of await listSettings(db, prefix))
    addresses.set(name.slice(prefix.length), { url: value, mayBePrivate: false });
  for (const [source, url] of operatorUrls ?? []) addresses.set(source, { url, mayBePrivate: true });
  return addresses;
}

/** A part of a judge, such as `atcoder-ratings`, can have its own address. */
export const addressOfJudge = (addresses: JudgeAddresses, name: string): JudgeAddress | undefined =>
  addresses.get(name) ?? addresses.get(name.replace(/-\w+$/, ''));

/** Throws invalidValue. */
export function parseJudgeAddress(text: string): string {
  const { protocol = '', origin, pathname, search, hash, username, password } = URL.parse(text) ?? {};
  const address = `${origin}${pathname}`;
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  if (!isPlain || !/^https?:$/.test(protocol) || address.length > longestAddress)
    throw localizedError('invalidValue.place', { most: longestAddress });
  return address.replace(/\/+$/, '');
}

/** The progress of syncs counts only for the former site. */
export async function saveJudgeAddress(tx: Db, source: string, url: string): Promise<void> {
  if ((await getSetting(tx, prefix + source)) === url) return;
  await setSetting(tx, prefix + source, url);
  await forgetProgress(tx, source);
}

export async function deleteJudgeAddress(tx: Db, source: string): Promise<void> {
  await deleteSetting(tx, prefix + source);
  await forgetProgress(tx, source);
}

async function forgetProgress(tx: Db, source: string): Promise<void> {
  await deleteSyncsAt(tx, source);
  await deleteLiveFeed(tx, source);
}
