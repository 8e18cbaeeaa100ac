/** Your data: everything that the garden has of a member, as one archive, or as files that the command line reads one by one. */
import { html } from 'hono/html';
import type { Format } from '../../contract/rows.ts';
import { type PartName, partNames } from '../../importing/archive-parts.ts';
import { type Belongings, countBelongings } from '../../store/members.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import { type Answer, type MemberVisit, nothingHere } from '../visits.ts';
import { archiveFile, fileName, singleFile } from './own-files.ts';
import { accountPage, accountPath, panel } from './rooms.ts';

const dataPath = `${accountPath}data/`;

/** What each file has. */
const files: Readonly<Record<PartName, readonly [name: string, text: string]>> = {
  records: ['Record', 'Your name, address and role'],
  handles: ['Handles', 'Your names at judges'],
  submissions: ['Submissions', 'What you sent to judges, with their rulings'],
  statuses: ['Statuses', 'How far you are with each problem: your word and the judge’s'],
  bookmarks: ['Bookmarks', 'What you starred, with your notes'],
  plants: ['Plants', 'Your goals'],
  changes: ['History', 'Every change that you made on these pages, also those you took back'],
  preferences: ['Preferences', 'What the problem list hides, and your saved views'],
};

export async function showData(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const base = site.basePath + dataPath;
  const link = (what: PartName, format: Format) =>
    html`<a class="button small" href="${base}${what}/?format=${format}" download="${fileName(what, format)}">${format.toUpperCase()}<span class="sr"> of ${files[what][0]}</span></a>`;
  const content = (what: PartName) =>
    html`<li data-part="${what}"><b>${files[what][0]}</b> <span class="faint num">${thousands.format(countOf(what, belongings))}</span><br><span class="soft small">${files[what][1]}</span></li>`;
  const single = (what: PartName) =>
    html`<li class="file"><div><h3>${files[what][0]}</h3></div><div class="actions">${link(what, 'ndjson')}${link(what, 'csv')}</div></li>`;
  return {
    html: accountPage(
      visit,
      {
        room: 'data/',
        sub: 'All that this garden has of yours. Passwords, sessions and tokens are in no file: only their fingerprints are kept here.',
      },
      html`${panel('out', 'Take everything with you', html`<p class="soft">One archive with a file for each of these, and a text that says what they are.</p><ul class="archive-parts">${partNames.map(content)}</ul><div class="actions"><a class="button primary" href="${base}archive/" download="${fileName(undefined, 'zip')}">${icon('download')}<span>Download the archive</span></a></div><details class="single-files"><summary>Or one file of it</summary><ul class="files">${partNames.map(single)}</ul></details>`)}
${panel('in', 'Read it into another garden', html`<p class="soft">On the machine of that garden, after its problems. Nothing is doubled if you do it twice; what you took back stays taken back.</p><pre tabindex="0" aria-label="Command"><code>garden import archive ${fileName(undefined, 'zip')}</code></pre>`)}
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
    'Delete your account',
    html`<p class="soft">Everything of yours goes at once and for good. Take your archive first.</p><p class="actions"><a class="button danger" href="${basePath}${accountPath}delete/">Delete account…</a></p>`,
  );
}

export async function sendData({ store, member, params, query, path }: MemberVisit): Promise<Answer> {
  if (params['what'] === 'archive') return archiveFile(store, member.user_id);
  const what = partNames.find((name) => name === params['what']);
  const format = query.get('format') ?? 'ndjson';
  if (!what || (format !== 'ndjson' && format !== 'csv')) throw nothingHere(path);
  return singleFile(store.reader, member.user_id, what, format);
}
