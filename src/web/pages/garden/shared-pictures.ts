/** Pictures that members share at secret addresses: without a session, and gone at once when revoked. */

import type { FastifyInstance } from 'fastify';
import { readPreferences } from '../../../practice/preferences.ts';
import { recordAddressUse } from '../../../practice/public-pages.ts';
import { findSharedAddress } from '../../../store/plants.ts';
import { readPicture } from '../../drawing/member-pictures.ts';
import { picturePath } from '../../paths.ts';
import { type PictureResponse, sendPicture } from '../../request/responses.ts';
import type { Website } from '../../request/site.ts';
import { serveGetAndHead } from '../../request/static-routes.ts';
import { pageNotFound } from '../../request/visits.ts';

export function serveSharedPictures(app: FastifyInstance, { store, site }: Pick<Website, 'store' | 'site'>): void {
  const { reader } = store;
  async function pictureOf(secret: string, isPreview: boolean): Promise<PictureResponse | undefined> {
    const shared = await findSharedAddress(reader, secret);
    if (!shared || shared.kind === 'calendar') return undefined;
    if (!isPreview) await recordAddressUse(store, shared);
    const { user_id, kind, first_name, username } = shared;
    const { hidesName } = await readPreferences(reader, user_id);
    const owner = hidesName ? undefined : (first_name ?? username);
    return (await readPicture(reader, kind, user_id, owner)).draw();
  }

  serveGetAndHead(app, `${site.basePath}${picturePath}:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const secret = /^([A-Za-z0-9_-]{20,100})\.svg$/.exec(file)?.[1];
    const isPreview = request.headers['sec-fetch-site'] === 'same-origin';
    const picture = secret === undefined ? undefined : await pictureOf(secret, isPreview);
    if (!picture) throw pageNotFound(`${picturePath}${file}`);
    reply.headers({
      // A cache that asks before each use shows no picture after it was revoked.
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
    });
    return sendPicture(request, reply, picture);
  });
}
