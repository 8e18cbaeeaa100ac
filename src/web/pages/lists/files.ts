/**
 * A list as a file: for members to keep, and at the secret address of a list with .json or .md behind it for everybody
 * who has that, other sites too, and gone at once when it is revoked.
 */

import type { FastifyInstance } from 'fastify';
import { parseInt64 } from '../../../contract/common.ts';
import { type ListFileForm, listFile, listFileTypes } from '../../../importing/list-file.ts';
import { judgePlaces } from '../../../practice/judge-places.ts';
import { findShared } from '../../../practice/lists.ts';
import { findVisibleList } from '../../../store/lists.ts';
import { listsPath, sharedListsPath } from '../../paths.ts';
import { idIn } from '../../road/fields.ts';
import { serveReads } from '../../road/publish.ts';
import { sendHiddenText } from '../../road/sending.ts';
import type { Website } from '../../road/site.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';

const forms = Object.keys(listFileTypes) as ListFileForm[];

export const listFilePages: readonly PageRoute<MemberVisit>[] = forms.map((form) => ({
  path: `${listsPath}:id/${form}/`,
  show: (visit) => download(visit, form),
}));

async function download(visit: MemberVisit, form: ListFileForm): Promise<Answer> {
  const { store, member, params, path, website } = visit;
  const list = await findVisibleList(store.reader, idIn(params['id'], parseInt64), member.user_id);
  if (!list) throw nothingHere(path);
  const places = await judgePlaces(store.reader, website.judgeUrls);
  const bytes = Buffer.from(await listFile(store.reader, list, form, places));
  return { file: [bytes], name: `${list.name}.${form}`, type: listFileTypes[form], size: bytes.length };
}

export function serveSharedLists(
  app: FastifyInstance,
  { store: { reader }, site, judgeUrls }: Pick<Website, 'store' | 'site' | 'judgeUrls'>,
): void {
  for (const form of forms)
    serveReads(app, `${site.basePath}${sharedListsPath}:secret.${form}`, async (request, reply) => {
      const { secret = '' } = request.params as { secret?: string };
      const list = await findShared(reader, secret, undefined);
      if (!list) throw nothingHere(`${sharedListsPath}${secret}.${form}`);
      const text = await listFile(reader, list, form, await judgePlaces(reader, judgeUrls));
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        // No cache on the way keeps it, so that it is gone when it is revoked.
        'Cache-Control': 'private, no-cache',
        Vary: 'Accept-Encoding',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Referrer-Policy': 'no-referrer',
      });
      return sendHiddenText(request, reply, text, listFileTypes[form]);
    });
}
