/** Pages and addresses by which a member shows something to others; a member has none at first. */
import { randomBytes } from 'node:crypto';
import { hourMs } from '../durations.ts';
import { AppError } from '../errors.ts';
import {
  insertSharedAddress,
  revokeAddress,
  type SharedAddress,
  type SharedAddressesTable,
  setAddressUsed,
} from '../store/plants.ts';
import { listMemberSettings, type PageLevel, pageLevelSetting, setMemberSetting } from '../store/settings.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

export const pageAudiences = ['nobody', 'members', 'everyone'] as const satisfies ('nobody' | PageLevel)[];
type PageAudience = (typeof pageAudiences)[number];

const partSettings = {
  garden: 'page_garden',
  year: 'page_year',
  lists: 'page_lists',
  ratings: 'page_ratings',
} as const;
type PagePart = keyof typeof partSettings;
export const pageParts = Object.keys(partSettings) as PagePart[];

export interface PublicPage {
  audience: PageAudience;
  /** Ratings came later than the other parts, and are hidden until the member shows them. */
  shows: Readonly<Record<PagePart, boolean>>;
}

export async function readPublicPage(db: Db, memberId: bigint): Promise<PublicPage> {
  const settings = await listMemberSettings(db, memberId);
  const isShown = (part: PagePart) =>
    (settings.get(partSettings[part]) ?? String(part !== 'ratings')) === 'true';
  return {
    audience: pageAudiences.find((one) => one === settings.get(pageLevelSetting)) ?? 'nobody',
    shows: Object.fromEntries(pageParts.map((part) => [part, isShown(part)])) as Record<PagePart, boolean>,
  };
}

export const showPageTo = inTransaction(async (tx: Db, memberId: bigint, audience: PageAudience) => {
  await setMemberSetting(tx, memberId, pageLevelSetting, audience);
});

export const showPagePart = inTransaction(
  async (tx: Db, memberId: bigint, part: PagePart, isShown: boolean): Promise<void> => {
    await setMemberSetting(tx, memberId, partSettings[part], String(isShown));
  },
);

export function checkPageSetting(name: string, value: string): boolean | undefined {
  if (name === pageLevelSetting) return pageAudiences.some((one) => one === value);
  if (Object.values(partSettings).some((one) => one === name)) return value === 'true' || value === 'false';
  return undefined;
}

/** An address that exists already stays. */
export const makeSharedAddress = inTransaction(
  (tx: Db, user_id: bigint, kind: SharedAddressesTable['kind']) => {
    const secret = randomBytes(24).toString('base64url');
    return insertSharedAddress(tx, {
      secret,
      user_id,
      kind,
      made_at: new Date().toISOString(),
      used_at: null,
    });
  },
);

/** Writes at most once an hour, and nothing while the database takes no writes: the address can be read all the same. */
export async function recordAddressUse(store: Store, { secret, used_at }: SharedAddress): Promise<void> {
  const now = Date.now();
  if (used_at !== null && now - Date.parse(used_at) < hourMs) return;
  try {
    await store.writeConcurrently((tx) => setAddressUsed(tx, secret, new Date(now).toISOString()));
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 503) throw error;
  }
}

export const revokeSharedAddress = inTransaction(revokeAddress);
