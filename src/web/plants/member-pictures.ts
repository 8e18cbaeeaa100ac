/** Pictures of members for others, the garden and the year: each made once per change, and kept in memory as it is sent. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { daysOfMember } from '../../practice/activity.ts';
import { readGarden } from '../../practice/garden.ts';
import { listActivity } from '../../store/activity.ts';
import { countByTopic } from '../../store/completions.ts';
import type { SharedAddress } from '../../store/shared-addresses.ts';
import type { Store } from '../../store/store.ts';
import { gardenCounts, sharePicture, shareSize, shareStyle } from '../garden/share-picture.ts';
import { programDigest, type Shows, versionOfRows } from '../page-versions.ts';
import {
  sharedYear,
  sharedYearRange,
  sharedYearSize,
  sharedYearStyle,
  yearCounts,
} from '../pictures/shared-year.ts';
import type { SentPicture } from '../sending.ts';

interface Shown {
  userId: bigint;
  /** Undefined for a picture that names nobody. */
  owner: string | undefined;
  now: number;
}

interface PictureKind {
  size: readonly [width: number, height: number];
  /** The picture paints itself by this style, and by nothing else. */
  style: string;
  /** The revisions of all that the picture shows. */
  shows: Shows;
  /** What the picture shows of the time. It goes by UTC, so that it does not tell when the days of its member begin. */
  at(now: number): readonly number[];
  make(store: Store, shown: Shown): Promise<{ text: string; counts: string }>;
}

export type PictureKindName = Exclude<SharedAddress['kind'], 'calendar'>;

/** The pictures that can be shared. */
const pictures: Readonly<Record<PictureKindName, PictureKind>> = {
  garden: {
    size: shareSize,
    style: shareStyle,
    shows: (id) => ['problems', `statuses:${id}`, `plants:${id}`, `records:${id}`, `pages:${id}`, 'lists'],
    at: (now) => [yearAt(now)],
    make: async ({ reader }, { userId, owner, now }) => {
      const plants = await readGarden(reader, userId, await daysOfMember(reader, userId), new Date(now));
      const solved = Number((await countByTopic(reader, userId, [''])).get('') ?? 0n);
      const garden = { owner, year: yearAt(now), plants, solved };
      return { text: sharePicture(garden), counts: gardenCounts(garden) };
    },
  },
  year: {
    size: sharedYearSize,
    style: sharedYearStyle,
    shows: (id) => ['problems', `statuses:${id}`, `records:${id}`, `pages:${id}`],
    at: sharedYearRange,
    make: async ({ reader }, { userId, owner, now }) => {
      const range = sharedYearRange(now);
      const year = { owner, range, rows: await listActivity(reader, userId, ...range) };
      return { text: sharedYear(year), counts: yearCounts(year) };
    },
  },
};

const yearAt = (now: number) => new Date(now).getUTCFullYear();

export const pictureKinds = Object.keys(pictures) as PictureKindName[];

export function sizeOfPicture(kind: PictureKindName): readonly [width: number, height: number] {
  return pictures[kind].size;
}

/** Of 100 kB each, before they are compressed. */
const keptAtMost = 100;

/** Other sites may show the picture as an image. */
const policyOf = (style: string) =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; sandbox`;

export interface MemberPicture extends SentPicture {
  version: string;
  /** The figures in it, as words. */
  counts: string;
}

export interface MemberPictures {
  /** The picture of its present version, made once however many ask at once; `owner` is called only to make it. */
  read(
    key: string,
    kind: PictureKindName,
    userId: bigint,
    owner: () => Promise<string | undefined>,
  ): Promise<MemberPicture>;
  /** Forgets what nobody may see any more. */
  forget(key: string): void;
}

export function memberPictures(store: Store): MemberPictures {
  const kept = new LRUCache<string, Promise<MemberPicture>>({ max: keptAtMost });
  return {
    read: async (key, kind, userId, owner) => {
      const { shows, at, make, style } = pictures[kind];
      const now = Date.now();
      const rows = await versionOfRows(store, shows, userId);
      const version = [await programDigest(), ...at(now), ...rows].join();
      const known = await kept.get(key)?.catch(() => undefined);
      if (known?.version === version) return known;
      const making = (async () => {
        const { text, counts } = await make(store, { userId, owner: await owner(), now });
        const tag = hash('sha256', text, 'base64url').slice(0, 27);
        return { version, text, counts, policy: policyOf(style), tag, bytes: new Map() };
      })();
      kept.set(key, making);
      making.catch(() => kept.delete(key));
      return making;
    },
    forget: (key) => {
      kept.delete(key);
    },
  };
}
