/**
 * Your data: everything that the garden has of a member, as one archive, or as files that the command line reads one by
 * one.
 */

import type { Format } from '../../../contract/rows.ts';
import { type PartName, partNames } from '../../../importing/archive-parts.ts';
import { type Belongings, countBelongings } from '../../../store/members.ts';
import { icon } from '../../kit/icons.ts';
import { panel } from '../../kit/panel.ts';
import { fileForm } from '../../kit/uploads/form.ts';
import { type Html, html } from '../../markup.ts';
import { accountPath, uploadPath } from '../../paths.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { accountPage } from './frame.ts';
import { archiveFile, fileName, singleFile } from './own-files.ts';

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
  reviews: [words('data.reviews'), words('data.reviewsText')],
  lists: [words('data.lists'), words('data.listsText')],
  preferences: [words('data.preferences'), words('data.preferencesText')],
};

export async function showData(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const base = site.basePath + dataPath;
  const link = (what: PartName, format: Format) =>
    html`
      <a class="button small" href="${base}${what}/?format=${format}" download="${fileName(what, format)}">
        ${richWords('data.fileOf', { format: format.toUpperCase(), what: files[what][0] })}
      </a>`;
  const part = (what: PartName) =>
    html`
      <li class="file" data-part="${what}">
        <div>
          <h3>${files[what][0]} <span class="faint num">${thousands.format(countOf(what, belongings))}</span></h3>
          <p class="soft small">${files[what][1]}</p>
        </div>
        <div class="actions">${link(what, 'ndjson')}${link(what, 'csv')}</div>
      </li>`;
  const folded = (name: string, content: Html) =>
    html`<details class="more-fields"><summary>${icon('down')}<span>${name}</span></summary>${content}</details>`;
  return {
    html: accountPage(
      visit,
      {
        room: 'data/',
        sub: words('data.sub'),
      },
      html`
        ${panel(
          'out',
          words('data.takeOut'),
          html`
            <p class="soft">${words('data.archiveText')}</p>
            <div class="actions">
              <a class="button primary" href="${base}archive/" download="${fileName(undefined, 'zip')}">
                ${icon('download')}
                <span>${words('data.archive')}</span>
              </a>
            </div>
            ${folded(words('data.single'), html`<ul class="files">${partNames.map(part)}</ul>`)}`,
        )}
        ${panel(
          'in',
          words('data.bringIn'),
          html`
            <p class="soft">${richWords('data.bringInText', { a: linkTo(site.basePath + uploadPath) })}</p>
            ${fileForm(visit, uploadPath)}
            ${folded(
              words('data.readIn'),
              html`
                <p class="soft">${words('data.readInText')}</p>
                <pre tabindex="0" aria-label="${words('data.commands')}"><code>garden import archive ${fileName(
                  undefined,
                  'zip',
                )}</code></pre>`,
            )}`,
        )}
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
    html`
      <p class="soft">${words('data.leaveText')}</p>
      <p class="actions">
        <a class="button danger" href="${basePath}${accountPath}delete/">${words('data.leave')}</a>
      </p>`,
  );
}

export async function sendData({ store, member, params, query, path }: MemberVisit): Promise<Answer> {
  if (params['what'] === 'archive') return archiveFile(store, member.user_id);
  const what = partNames.find((name) => name === params['what']);
  const format = query.get('format') ?? 'ndjson';
  if (!what || (format !== 'ndjson' && format !== 'csv')) throw nothingHere(path);
  return singleFile(store.reader, member.user_id, what, format);
}
