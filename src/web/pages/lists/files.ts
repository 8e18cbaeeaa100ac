/**
 * Lists as JSON and Markdown files: downloads for members and, at the secret address of a list until it is revoked,
 * files for everybody and for scripts of other sites.
 */

import type { FastifyInstance } from 'fastify';
import { parseInt64 } from '../../../contract/common.ts';
import { type ListFileFormat, renderListFile } from '../../../importing/list-file.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { findSharedList } from '../../../practice/lists.ts';
import { findVisibleList } from '../../../store/lists.ts';
import { listsPath, sharedListsPath } from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { sendUnlistedText } from '../../request/responses.ts';
import type { Website } from '../../request/site.ts';
import { serveGetAndHead } from '../../request/static-routes.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';

const listFileTypes: Readonly<Record<ListFileFormat, string>> = {
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

const formats = Object.keys(listFileTypes) as ListFileFormat[];

export const listFilePages: readonly PageRoute<MemberVisit>[] = formats.map((format) => ({
  path: `${listsPath}:id/${format}/`,
  get: (visit) => download(visit, format),
}));

async function download(visit: MemberVisit, format: ListFileFormat): Promise<PageResult> {
  const { store, member, params, path, website } = visit;
  const list = await findVisibleList(store.reader, idIn(params['id'], parseInt64), member.user_id);
  if (!list) throw pageNotFound(path);
  const judgeAddresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const bytes = Buffer.from(await renderListFile(store.reader, list, format, judgeAddresses));
  return { file: [bytes], name: `${list.name}.${format}`, type: listFileTypes[format], size: bytes.length };
}

export function serveSharedLists(
  app: FastifyInstance,
  { store: { reader }, site, judgeUrls }: Pick<Website, 'store' | 'site' | 'judgeUrls'>,
): void {
  for (const format of formats)
    serveGetAndHead(app, `${site.basePath}${sharedListsPath}:secret.${format}`, async (request, reply) => {
      const { secret = '' } = request.params as { secret?: string };
      const list = await findSharedList(reader, secret, undefined);
      if (!list) throw pageNotFound(`${sharedListsPath}${secret}.${format}`);
      const text = await renderListFile(reader, list, format, await listJudgeAddresses(reader, judgeUrls));
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        // No shared cache may store it, so that it is gone when the address is revoked.
        'Cache-Control': 'private, no-cache',
        Vary: 'Accept-Encoding',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Referrer-Policy': 'no-referrer',
      });
      return sendUnlistedText(request, reply, text, listFileTypes[format]);
    });
}
