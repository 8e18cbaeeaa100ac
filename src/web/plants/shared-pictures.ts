/**
 * Pictures that a member shares by a secret address, for everybody who has it: without a session, made once per change, and gone
 * at once in every process when the address is revoked.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { encode } from '../../http/codings.ts';
import { type Coding, chooseCoding } from '../../http/negotiation.ts';
import { isNotModified } from '../../http/preconditions.ts';
import { readGarden } from '../../practice/garden.ts';
import { readPreferences } from '../../practice/preferences.ts';
import { listActivity } from '../../store/activity.ts';
import { countByTopic } from '../../store/completions.ts';
import type { RevisionScope } from '../../store/revisions.ts';
import { findSharedPicture, type SharedPicture } from '../../store/shared-pictures.ts';
import type { Store } from '../../store/store.ts';
import { sharePicture, shareSize, shareStyle } from '../garden/share-picture.ts';
import { programDigest } from '../page-versions.ts';
import { sharedYear, sharedYearRange, sharedYearSize, sharedYearStyle } from '../pictures/shared-year.ts';
import { nothingHere } from '../visits.ts';
import type { Website } from '../website.ts';

export const picturePath = '/plants/picture/';

interface PictureKind {
  size: readonly [width: number, height: number];
  /** The picture paints itself by this style, and by nothing else. */
  style: string;
  /** The revisions of all that the picture shows. */
  shows(memberId: bigint): readonly RevisionScope[];
  /** What the picture shows of the time. It goes by UTC, so that it does not tell when the days of its member begin. */
  at(now: number): readonly number[];
  make(store: Store, shown: { userId: bigint; owner: string | undefined; now: number }): Promise<string>;
}

/** The pictures that can be shared. */
const pictures: Readonly<Record<SharedPicture['kind'], PictureKind>> = {
  garden: {
    size: shareSize,
    style: shareStyle,
    shows: (id) => ['problems', `statuses:${id}`, `plants:${id}`, `records:${id}`, `pages:${id}`, 'lists'],
    at: (now) => [yearAt(now)],
    make: async ({ reader }, { userId, owner, now }) => {
      const plants = await readGarden(reader, userId, new Date(now));
      const solved = Number((await countByTopic(reader, userId, [''])).get('') ?? 0n);
      return sharePicture({ owner, year: yearAt(now), plants, solved });
    },
  },
  year: {
    size: sharedYearSize,
    style: sharedYearStyle,
    shows: (id) => ['problems', `statuses:${id}`, `records:${id}`, `pages:${id}`],
    at: sharedYearRange,
    make: async ({ reader }, { userId, owner, now }) => {
      const range = sharedYearRange(now);
      return sharedYear({ owner, range, rows: await listActivity(reader, userId, ...range) });
    },
  },
};

const yearAt = (now: number) => new Date(now).getUTCFullYear();

export type PictureKindName = SharedPicture['kind'];
export const pictureKinds = Object.keys(pictures) as PictureKindName[];

export function sizeOfPicture(kind: PictureKindName): readonly [width: number, height: number] {
  return pictures[kind].size;
}

/** Somebody else's cache may show a revoked picture for so long. */
const maxAgeSeconds = 60;
/** Of 100 kB each, before they are compressed. */
const keptAtMost = 100;

/** Other sites may show the picture as an image. */
const policyOf = (style: string) =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; sandbox`;

interface Made {
  version: string;
  text: string;
  policy: string;
  tag: string;
  bytes: Map<Coding, Promise<Uint8Array | string>>;
}

export function serveSharedPictures(
  app: FastifyInstance,
  { store, site }: Pick<Website, 'store' | 'site'>,
): void {
  const kept = new LRUCache<string, Promise<Made>>({ max: keptAtMost });

  async function make(picture: SharedPicture, version: string, now: number): Promise<Made> {
    const { user_id: userId, first_name, username } = picture;
    const { hidesName } = await readPreferences(store.reader, userId);
    const owner = hidesName ? undefined : (first_name ?? username);
    const { style, make: draw } = pictures[picture.kind];
    const text = await draw(store, { userId, owner, now });
    const tag = hash('sha256', text, 'base64url').slice(0, 27);
    return { version, text, policy: policyOf(style), tag, bytes: new Map() };
  }

  /** The picture of its present version, made once however many ask at once. */
  async function pictureOf(secret: string): Promise<Made | undefined> {
    const picture = await findSharedPicture(store.reader, secret);
    if (!picture) {
      kept.delete(secret);
      return undefined;
    }
    const { shows, at } = pictures[picture.kind];
    const now = Date.now();
    const revisions = await store.revisions(shows(picture.user_id));
    const version = [await programDigest(), ...at(now), ...revisions].join();
    const known = await kept.get(secret)?.catch(() => undefined);
    if (known?.version === version) return known;
    const making = make(picture, version, now);
    kept.set(secret, making);
    making.catch(() => kept.delete(secret));
    return making;
  }

  app.get(`${site.basePath}${picturePath}:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const secret = /^([A-Za-z0-9_-]{20,100})\.svg$/.exec(file)?.[1];
    const made = secret === undefined ? undefined : await pictureOf(secret);
    if (!made) throw nothingHere(`${picturePath}${file}`);
    const coding = chooseCoding(request.headers['accept-encoding']);
    const tag = `"${made.tag}-${coding}"`;
    reply.headers({
      ETag: tag,
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': made.policy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
    const bytes = made.bytes.get(coding) ?? Promise.resolve(encode(made.text, coding));
    made.bytes.set(coding, bytes);
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    return reply.header('Content-Type', 'image/svg+xml; charset=utf-8').send(await bytes);
  });
}
