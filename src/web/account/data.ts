/** Your data: everything that the garden has of a member, as one archive, or as files that the command line reads one by one. */
import { html } from 'hono/html';
import type { Format } from '../../contract/rows.ts';
import { type PartName, partNames } from '../../importing/archive-parts.ts';
import { type Belongings, countBelongings } from '../../store/members.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import { type Answer, type MemberVisit, nothingHere } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { archiveFile, fileName, singleFile } from './own-files.ts';
import { accountPage, accountPath, panel } from './rooms.ts';
import { uploadPath } from './upload.ts';

const dataPath = `${accountPath}data/`;

/** What each file has. */
const files: Readonly<Record<PartName, readonly [name: string, text: string]>> = {
  records: [words('data.record'), words('data.recordText')],
  handles: [words('data.handles'), words('data.handlesText')],
  submissions: [words('data.submissions'), words('data.submissionsText')],
  statuses: [words('member.statuses'), words('data.statusesText')],
  bookmarks: [words('member.bookmarks'), words('data.bookmarksText')],
  plants: [words('staff.plants'), words('data.plantsText')],
  changes: [words('frame.history'), words('data.historyText')],
  preferences: [words('data.preferences'), words('data.preferencesText')],
};

export async function showData(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const base = site.basePath + dataPath;
  const link = (what: PartName, format: Format) =>
    html`<a class="button small" href="${base}${what}/?format=${format}" download="${fileName(what, format)}">${richWords('data.fileOf', { format: format.toUpperCase(), what: files[what][0] })}</a>`;
  const content = (what: PartName) =>
    html`<li data-part="${what}"><b>${files[what][0]}</b> <span class="faint num">${thousands.format(countOf(what, belongings))}</span><br><span class="soft small">${files[what][1]}</span></li>`;
  const single = (what: PartName) =>
    html`<li class="file"><div><h3>${files[what][0]}</h3></div><div class="actions">${link(what, 'ndjson')}${link(what, 'csv')}</div></li>`;
  return {
    html: accountPage(
      visit,
      {
        room: 'data/',
        sub: words('data.sub'),
      },
      html`${panel('out', words('data.takeOut'), html`<p class="soft">${words('data.archiveText')}</p><ul class="archive-parts">${partNames.map(content)}</ul><div class="actions"><a class="button primary" href="${base}archive/" download="${fileName(undefined, 'zip')}">${icon('download')}<span>${words('data.archive')}</span></a></div><details class="single-files"><summary>${words('data.single')}</summary><ul class="files">${partNames.map(single)}</ul></details>`)}
${panel('upload', words('data.bringIn'), html`<p class="soft">${words('data.bringInText')}</p><p class="actions"><a class="button" href="${site.basePath}${uploadPath}">${icon('upload')}<span>${words('data.upload')}</span></a></p>`)}
${panel('in', words('data.readIn'), html`<p class="soft">${words('data.readInText')}</p><pre tabindex="0" aria-label="${words('data.commands')}"><code>garden import archive ${fileName(undefined, 'zip')}</code></pre>`)}
${leave(site.basePath)}`,
    ),
  };
}

function countOf(what: PartName, belongings: Belongings): bigint {
  if (what === 'records') return 1n;
  return what === 'preferences' ? belongings.member_settings : belongings[what];
}

function leave(basePath: string): Html {
  return panel(
    'leave',
    words('deletion.title'),
    html`<p class="soft">${words('data.leaveText')}</p><p class="actions"><a class="button danger" href="${basePath}${accountPath}delete/">${words('data.leave')}</a></p>`,
  );
}

export async function sendData({ store, member, params, query, path }: MemberVisit): Promise<Answer> {
  if (params['what'] === 'archive') return archiveFile(store, member.user_id);
  const what = partNames.find((name) => name === params['what']);
  const format = query.get('format') ?? 'ndjson';
  if (!what || (format !== 'ndjson' && format !== 'csv')) throw nothingHere(path);
  return singleFile(store.reader, member.user_id, what, format);
}
