/**
 * Pictures that a member shares by a secret address, for everybody who has it: without a session, made once per change, and gone
 * at once in every process when the address is revoked.
 */
import type { FastifyInstance } from 'fastify';
import { readPreferences } from '../../practice/preferences.ts';
import { findSharedAddress } from '../../store/shared-addresses.ts';
import { serveReads } from '../page-addresses.ts';
import { sendPicture } from '../sending.ts';
import { nothingHere } from '../visits.ts';
import type { Website } from '../website.ts';
import type { MemberPicture } from './member-pictures.ts';

export const picturePath = '/plants/picture/';

/** Somebody else's cache may show a revoked picture for so long. */
const maxAgeSeconds = 60;

export function serveSharedPictures(
  app: FastifyInstance,
  { store, site, pictures }: Pick<Website, 'store' | 'site' | 'pictures'>,
): void {
  async function pictureOf(secret: string): Promise<MemberPicture | undefined> {
    const picture = await findSharedAddress(store.reader, secret);
    if (!picture || picture.kind === 'calendar') {
      pictures.forget(secret);
      return undefined;
    }
    const { user_id, kind, first_name, username } = picture;
    return pictures.read(secret, kind, user_id, async () => {
      const { hidesName } = await readPreferences(store.reader, user_id);
      return hidesName ? undefined : (first_name ?? username);
    });
  }

  serveReads(app, `${site.basePath}${picturePath}:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const secret = /^([A-Za-z0-9_-]{20,100})\.svg$/.exec(file)?.[1];
    const picture = secret === undefined ? undefined : await pictureOf(secret);
    if (!picture) throw nothingHere(`${picturePath}${file}`);
    reply.headers({
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
    });
    return sendPicture(request, reply, picture);
  });
}
