/**
 * Lists as JSON and Markdown files: downloads for members and, at the secret address of a list until it is revoked,
 * files for everybody and for scripts of other sites.
 */

import type { FastifyInstance } from 'fastify';
import { parseInt64 } from '../../../contract/common.ts';
import { listFormat, markdownSignature } from '../../../importing/list-text.ts';
import { problemAt } from '../../../judges/addresses.ts';
import { type JudgeAddresses, listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { findSharedList } from '../../../practice/lists.ts';
import {
  findListExtras,
  findVisibleList,
  listSections,
  type ProblemInList,
  type ShownList,
} from '../../../store/lists.ts';
import { listFromJson } from '../../../store/problems.ts';
import type { Db } from '../../../store/tables.ts';
import { listsPath, sharedListsPath } from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { sendUnlistedText } from '../../request/responses.ts';
import type { Website } from '../../request/site.ts';
import { serveGetAndHead } from '../../request/static-routes.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';

const listFileTypes = {
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
} as const;

type ListFileFormat = keyof typeof listFileTypes;

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

/** Writes the format `practice-list/1`, which importing/list-text.ts reads. */
async function renderListFile(
  db: Db,
  list: Pick<ShownList, 'id' | 'name' | 'owner' | 'updated_at'>,
  format: ListFileFormat,
  judgeAddresses: JudgeAddresses,
): Promise<string> {
  const sections = (await listSections(db, list.id)).map(({ name, problems, extras }) => ({
    name,
    ...parseExtras(extras),
    problems: problems.map((one) => fileProblem(one, judgeAddresses)),
  }));
  const content = {
    format: listFormat,
    ...parseExtras(await findListExtras(db, list.id)),
    title: list.name,
    by: list.owner,
    updated: list.updated_at.slice(0, 10),
    sections: sections.filter(({ problems }) => problems.length > 0),
  };
  return format === 'json' ? `${JSON.stringify(content, null, 1)}\n` : markdownOf(content);
}

/** Parses members of an imported list that this server does not know. None has the name of a known one. */
const parseExtras = (extras: string | null): object => (extras === null ? {} : JSON.parse(extras));

type FileProblem = ReturnType<typeof fileProblem>;

interface FileList {
  title: string;
  by: string;
  /** A date such as 2026-12-31. */
  updated: string;
  sections: { name: string; problems: FileProblem[] }[];
}

function fileProblem(
  { source, source_key, url, title, memo, rating, tags, extras }: ProblemInList,
  judgeAddresses: JudgeAddresses,
) {
  const linkedProblem = url === null ? undefined : problemAt(url, judgeAddresses);
  const isFound = linkedProblem?.source === source && linkedProblem.key === source_key;
  return {
    url: url !== null && /^https?:\/\//i.test(url) ? url : undefined,
    title,
    memo: memo ?? undefined,
    rating: rating === null ? undefined : Number(rating),
    tags: tags === '[]' ? undefined : listFromJson(tags),
    // Written only if the address does not lead to this problem.
    source: isFound ? undefined : source,
    key: isFound ? undefined : source_key,
    ...parseExtras(extras),
  };
}

const escapeText = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#&~|]/g, (sign) => `\\${sign}`);

const escapeAddress = (url: string) =>
  url.replaceAll(/[\s<>()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

function markdownOf({ title, by, updated, sections }: FileList): string {
  const line = ({ url, title, memo, source = '', key = '' }: FileProblem) => {
    const name = escapeText(title);
    const parts = [
      url === undefined ? name : `[${name}](${escapeAddress(url)})`,
      key !== '' && `\`${encodeURIComponent(source)}/${encodeURIComponent(key)}\``,
      memo !== undefined && `— ${escapeText(memo)}`,
    ];
    return `- ${parts.filter(Boolean).join(' ')}\n`;
  };
  const parts = sections.map(({ name, problems }, at) => {
    const heading = name === '' && at === 0 ? '' : `## ${escapeText(name)}`.trimEnd();
    return `${heading && `${heading}\n\n`}${problems.map(line).join('')}`;
  });
  return [markdownSignature, `# ${escapeText(title)}`, `${escapeText(by)}, ${updated}`, ...parts].join('\n\n');
}
