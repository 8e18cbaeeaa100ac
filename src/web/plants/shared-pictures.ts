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
import { daysOf } from '../../practice/days.ts';
import { readGarden } from '../../practice/garden.ts';
import { readDayRule } from '../../practice/preferences.ts';
import { countByTopic } from '../../store/completions.ts';
import type { RevisionScope } from '../../store/revisions.ts';
import { findSharedPicture, type SharedPicture } from '../../store/shared-pictures.ts';
import type { Store } from '../../store/store.ts';
import { sharePicture, shareStyle } from '../garden/share-picture.ts';
import { programDigest } from '../page-versions.ts';
import { nothingHere } from '../visits.ts';
import type { Website } from '../website.ts';

export const picturePath = '/plants/picture/';

interface PictureKind {
  /** The revisions of all that the picture shows. */
  shows(memberId: bigint): readonly RevisionScope[];
  make(store: Store, picture: SharedPicture, year: number): Promise<string>;
}

/** The pictures that can be shared. */
const pictures: Partial<Record<SharedPicture['kind'], PictureKind>> = {
  garden: {
    shows: (id) => ['problems', `statuses:${id}`, `plants:${id}`, `records:${id}`, `pages:${id}`],
    make: async ({ reader }, { user_id, first_name, username }, year) => {
      const plants = await readGarden(reader, user_id, new Date());
      const solved = Number((await countByTopic(reader, user_id, [''])).get('') ?? 0n);
      return sharePicture({ owner: first_name ?? username, year, plants, solved });
    },
  },
};

export type PictureKindName = 'garden';
export const pictureKinds = Object.keys(pictures) as PictureKindName[];

/** Somebody else's cache may show a revoked picture for so long. */
const maxAgeSeconds = 60;
/** Of 100 kB each, before they are compressed. */
const keptAtMost = 100;

/** The picture paints itself by a style of its own, and by nothing else; other sites may show it as an image. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', shareStyle, 'base64')}'; base-uri 'none'; form-action 'none'; sandbox`;

interface Made {
  version: string;
  text: string;
  tag: string;
  bytes: Map<Coding, Promise<Uint8Array | string>>;
}

export function serveSharedPictures(
  app: FastifyInstance,
  { store, site }: Pick<Website, 'store' | 'site'>,
): void {
  const kept = new LRUCache<string, Promise<Made>>({ max: keptAtMost });

  async function make(
    picture: SharedPicture,
    kind: PictureKind,
    version: string,
    year: number,
  ): Promise<Made> {
    const text = await kind.make(store, picture, year);
    return { version, text, tag: hash('sha256', text, 'base64url').slice(0, 27), bytes: new Map() };
  }

  /** The picture of its present version, made once however many ask at once. */
  async function pictureOf(secret: string): Promise<Made | undefined> {
    const picture = await findSharedPicture(store.reader, secret);
    const kind = picture && pictures[picture.kind];
    if (!kind) {
      kept.delete(secret);
      return undefined;
    }
    const year = await yearOf(store, picture.user_id);
    const revisions = await store.revisions(kind.shows(picture.user_id));
    const version = [await programDigest(), year, ...revisions].join();
    const known = await kept.get(secret)?.catch(() => undefined);
    if (known?.version === version) return known;
    const making = make(picture, kind, version, year);
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
      'Content-Security-Policy': policy,
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

async function yearOf({ reader }: Store, memberId: bigint): Promise<number> {
  const now = Date.now();
  const days = daysOf(await readDayRule(reader, memberId));
  return new Date(days.at(now) * 86_400_000).getUTCFullYear();
}
