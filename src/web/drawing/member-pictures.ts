/** Pictures of members for others: the garden and the year. */
import { hash } from 'node:crypto';
import { daysOfMember, readActivity } from '../../practice/activity.ts';
import { readGarden } from '../../practice/garden.ts';
import { countCompleted } from '../../store/activity.ts';
import type { SharedAddress } from '../../store/plants.ts';
import type { Db } from '../../store/tables.ts';
import type { SentPicture } from '../road/sending.ts';
import { sharedYear, sharedYearRange, sharedYearSize, sharedYearStyle, yearCounts } from './charts/shared-year.ts';
import { gardenCounts, sharePicture, shareSize, shareStyle } from './plants/share-picture.ts';

export interface MemberPicture {
  /** The figures in it, as words. */
  counts: string;
  draw(): SentPicture;
}

interface PictureKind {
  size: readonly [width: number, height: number];
  /** Reads what it shows at a moment. It goes by UTC, so that it does not tell when the days of its member begin. */
  read(db: Db, userId: bigint, owner: string | undefined, now: number): Promise<MemberPicture>;
}

export type PictureKindName = Exclude<SharedAddress['kind'], 'calendar'>;

/** The pictures that can be shared. */
const pictures: Readonly<Record<PictureKindName, PictureKind>> = {
  garden: {
    size: shareSize,
    read: async (db, userId, owner, now) => {
      const plants = await readGarden(db, userId, await daysOfMember(db, userId), new Date(now));
      const solved = Number(await countCompleted(db, userId));
      const garden = { owner, year: new Date(now).getUTCFullYear(), plants, solved };
      const draw = () => ({ text: sharePicture(garden), policy: policyOf(shareStyle) });
      return { counts: gardenCounts(garden), draw };
    },
  },
  year: {
    size: sharedYearSize,
    read: async (db, userId, owner, now) => {
      const range = sharedYearRange(now);
      const rows = await readActivity(db, userId, await daysOfMember(db, userId), range);
      const year = { owner, range, rows };
      const draw = () => ({ text: sharedYear(year), policy: policyOf(sharedYearStyle) });
      return { counts: yearCounts(year), draw };
    },
  },
};

export const pictureKinds = Object.keys(pictures) as PictureKindName[];

export function sizeOfPicture(kind: PictureKindName): readonly [width: number, height: number] {
  return pictures[kind].size;
}

/** A picture paints itself by its style, and by nothing else. Other sites may show it as an image. */
const policyOf = (style: string) =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action ` +
  `'none'; sandbox`;

/** Reads what a picture shows now; an undefined `owner` names nobody. */
export function readPicture(
  db: Db,
  kind: PictureKindName,
  userId: bigint,
  owner: string | undefined,
): Promise<MemberPicture> {
  return pictures[kind].read(db, userId, owner, Date.now());
}
