/** A member's pictures for other people: the garden and the year. */
import { hash } from 'node:crypto';
import { daysOfMember, readActivity } from '../../practice/activity.ts';
import { readGarden } from '../../practice/garden.ts';
import { countCompleted } from '../../store/activity.ts';
import type { SharedAddress } from '../../store/plants.ts';
import type { Db } from '../../store/tables.ts';
import type { PictureResponse } from '../request/responses.ts';
import { sharedYear, sharedYearRange, sharedYearSize, sharedYearStyle, yearCounts } from './charts/shared-year.ts';
import { gardenCounts, sharePicture, shareSize, shareStyle } from './plants/share-picture.ts';

export type PictureKindName = Exclude<SharedAddress['kind'], 'calendar'>;

export const sizeOfPicture: Readonly<Record<PictureKindName, readonly [width: number, height: number]>> = {
  garden: shareSize,
  year: sharedYearSize,
};

export const pictureKinds = Object.keys(sizeOfPicture) as PictureKindName[];

/** A picture loads nothing but its own style. Other sites may show it as an image. */
const policyOf = (style: string) =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action ` +
  `'none'; sandbox`;

const pictureOf = (counts: string, style: string, draw: () => string) => ({
  counts,
  draw: (): PictureResponse => ({ text: draw(), policy: policyOf(style) }),
});

/** An undefined `owner` names nobody. UTC keeps the member's time zone secret. */
export async function readPicture(db: Db, kind: PictureKindName, userId: bigint, owner: string | undefined) {
  const now = new Date();
  const days = await daysOfMember(db, userId);
  if (kind === 'year') {
    const range = sharedYearRange(now.getTime());
    const year = { owner, range, rows: await readActivity(db, userId, days, range) };
    return pictureOf(yearCounts(year), sharedYearStyle, () => sharedYear(year));
  }
  const plants = await readGarden(db, userId, days, now);
  const solved = Number(await countCompleted(db, userId));
  const garden = { owner, year: now.getUTCFullYear(), plants, solved };
  return pictureOf(gardenCounts(garden), shareStyle, () => sharePicture(garden));
}
