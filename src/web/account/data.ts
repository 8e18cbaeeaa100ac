/** Your data: everything that the garden has of a member, as files that the command line reads again. */
import { html } from 'hono/html';
import type { Format } from '../../contract/rows.ts';
import { countChanges } from '../../store/changes.ts';
import { countBelongings } from '../../store/members.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import { type Answer, type MemberVisit, nothingHere } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { fileName, type OwnFile, ownFile, ownResources, typeOf } from './own-files.ts';
import { accountPage, accountPath, panel } from './rooms.ts';
import { uploadPath } from './upload.ts';

const dataPath = `${accountPath}data/`;

/** What each file has, and the noun of its rows. */
const files: Readonly<Record<OwnFile, readonly [name: string, text: string]>> = {
  records: [words('data.record'), words('data.recordText')],
  statuses: [words('member.statuses'), words('data.statusesText')],
  bookmarks: [words('member.bookmarks'), words('data.bookmarksText')],
  plants: [words('staff.plants'), words('data.plantsText')],
  history: [words('frame.history'), words('data.historyText')],
};

export async function showData(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const { reader } = store;
  const { statuses, bookmarks, plants } = await countBelongings(reader, member.user_id);
  const history = await countChanges(reader, member.user_id);
  const counts: Record<OwnFile, bigint> = { records: 1n, statuses, bookmarks, plants, history };
  const link = (what: OwnFile, format: Format) =>
    html`<a class="button small" href="${site.basePath}${dataPath}${what}/?format=${format}" download="${fileName(what, format)}">${icon('download')}<span>${richWords('data.fileOf', { format: format.toUpperCase(), what: files[what][0] })}</span></a>`;
  const line = (what: OwnFile) =>
    html`<li class="file"><div><h3>${files[what][0]} <span class="faint num">${thousands.format(counts[what])}</span></h3><p class="soft small">${files[what][1]}</p></div><div class="actions">${link(what, 'ndjson')}${what === 'history' ? '' : link(what, 'csv')}</div></li>`;
  const commands = ownResources.map((what) => `garden import ${what} ${fileName(what, 'ndjson')}`);
  return {
    html: accountPage(
      visit,
      {
        room: 'data/',
        sub: words('data.sub'),
      },
      html`${panel('out', words('data.takeOut'), html`<ul class="files">${[...ownResources, 'history' as const].map(line)}</ul>`)}
${panel('upload', words('data.bringIn'), html`<p class="soft">${words('data.bringInText')}</p><p class="actions"><a class="button" href="${site.basePath}${uploadPath}">${icon('upload')}<span>${words('data.upload')}</span></a></p>`)}
${panel('in', words('data.readIn'), html`<p class="soft">${words('data.readInText')}</p><pre tabindex="0" aria-label="${words('data.commands')}"><code>${commands.join('\n')}</code></pre>`)}
${leave(site.basePath)}`,
    ),
  };
}

function leave(basePath: string): Html {
  return panel(
    'leave',
    words('deletion.title'),
    html`<p class="soft">${words('data.leaveText')}</p><p class="actions"><a class="button danger" href="${basePath}${accountPath}delete/">${words('data.leave')}</a></p>`,
  );
}

export async function sendData({ store, member, params, query, path }: MemberVisit): Promise<Answer> {
  const what = Object.keys(files).find((name) => name === params['what']) as OwnFile | undefined;
  const format = query.get('format') ?? 'ndjson';
  if (!what || (format !== 'ndjson' && format !== 'csv') || (what === 'history' && format === 'csv'))
    throw nothingHere(path);
  return {
    file: ownFile(store.reader, member.user_id, what, format),
    name: fileName(what, format),
    type: typeOf(format),
  };
}
