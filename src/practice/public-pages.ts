/** Pages and addresses by which a member shows something to others. A member has none before they say so. */
import { randomBytes } from 'node:crypto';
import { insertSharedAddress, revokeAddress, type SharedAddressesTable } from '../store/plants.ts';
import { listMemberSettings, type PageLevel, pageSetting, setMemberSetting } from '../store/settings.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

/** The audiences of a page, the smallest first. */
export const pageAudiences = ['nobody', 'members', 'everyone'] as const satisfies ('nobody' | PageLevel)[];
type PageAudience = (typeof pageAudiences)[number];

/** The parts of a page, each by the name of the setting that shows it or not. */
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
  /** Whether each part is shown: before the member says so, all but ratings are, which pages had not from the beginning. */
  shows: Readonly<Record<PagePart, boolean>>;
}

export async function readPublicPage(db: Db, memberId: bigint): Promise<PublicPage> {
  const settings = await listMemberSettings(db, memberId);
  const isShown = (part: PagePart) =>
    (settings.get(partSettings[part]) ?? String(part !== 'ratings')) === 'true';
  return {
    audience: pageAudiences.find((one) => one === settings.get(pageSetting)) ?? 'nobody',
    shows: Object.fromEntries(pageParts.map((part) => [part, isShown(part)])) as Record<PagePart, boolean>,
  };
}

export const showPageTo = inTransaction(async (tx: Db, memberId: bigint, audience: PageAudience) => {
  await setMemberSetting(tx, memberId, pageSetting, audience);
});

export const showPagePart = inTransaction(
  async (tx: Db, memberId: bigint, part: PagePart, isShown: boolean): Promise<void> => {
    await setMemberSetting(tx, memberId, partSettings[part], String(isShown));
  },
);

/** Whether a member could have set this of their page; undefined for what is no setting of it. */
export function isOfPage(name: string, value: string): boolean | undefined {
  if (name === pageSetting) return pageAudiences.some((one) => one === value);
  if (Object.values(partSettings).some((one) => one === name)) return value === 'true' || value === 'false';
  return undefined;
}

/** Makes the secret address of a picture or of the calendar of a member; one that is there already stays. */
export const makeSharedAddress = inTransaction(
  (tx: Db, user_id: bigint, kind: SharedAddressesTable['kind']) => {
    const secret = randomBytes(24).toString('base64url');
    return insertSharedAddress(tx, { secret, user_id, kind, made_at: new Date().toISOString() });
  },
);

export const endSharedAddress = inTransaction(revokeAddress);
