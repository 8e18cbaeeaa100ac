/** A member's own data as one archive or as single files, both without rounds and groups, and their uploads. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Format, mediaTypes } from '../../../contract/rows.ts';
import { localizedError } from '../../../errors.ts';
import { byteOrderMark } from '../../../files/csv.ts';
import { writeArchive } from '../../../importing/archive.ts';
import { writeCards, writeNotes } from '../../../importing/notes-writer.ts';
import { exportRows, memberKinds, rowKinds } from '../../../importing/row-kinds.ts';
import { type Belongings, countBelongings } from '../../../store/members.ts';
import { listDigests } from '../../../store/solutions.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { fileForm } from '../../kit/uploads/form.ts';
import type { UploadSection } from '../../kit/uploads/section.ts';
import { type Html, html } from '../../markup.ts';
import { accountPath, uploadPath } from '../../paths.ts';
import type { Download } from '../../request/responses.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage } from './frame.ts';

type FileKind = (typeof memberKinds)[number];

function fileName(kind: FileKind | undefined, format: Format | 'zip'): string {
  return `practice-garden${kind === undefined ? '' : `-${kind}`}.${format}`;
}

/**
 * Writes a file to the disk before sending it, because a slow browser could otherwise keep the snapshot of the database
 * open for hours. Throws fileUnwritable.
 */
async function writeZip(
  { store, member, signal }: MemberVisit,
  write: typeof writeArchive,
  name: string,
): Promise<Download> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-')).catch(refuseUnwritable);
  try {
    const path = join(folder, 'archive.zip');
    const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await store.snapshot((db) => pipeline(write(db, member.user_id), output, { signal }));
    const { size } = await stat(path);
    const file = await open(path);
    return {
      file: file.createReadStream({ start: 0 }),
      name,
      type: 'application/zip',
      size,
    };
  } catch (error) {
    return refuseUnwritable(error);
  } finally {
    // The file can still be read, because it is open.
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseUnwritable(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EDQUOT') throw error;
  throw localizedError('fileUnwritable.archive', { code }, error);
}

const dataPath = `${accountPath}data/`;

const fileTexts: Readonly<Record<FileKind, readonly [name: MessageKey, text: MessageKey]>> = {
  records: ['data.record', 'data.recordText'],
  handles: ['data.handles', 'data.handlesText'],
  submissions: ['data.submissions', 'data.submissionsText'],
  ratings: ['data.ratings', 'data.ratingsText'],
  statuses: ['member.statuses', 'data.statusesText'],
  bookmarks: ['member.bookmarks', 'data.bookmarksText'],
  plants: ['staff.plants', 'data.plantsText'],
  changes: ['frame.history', 'data.historyText'],
  reviews: ['data.reviews', 'data.reviewsText'],
  timers: ['data.timers', 'data.timersText'],
  lists: ['data.lists', 'data.listsText'],
  preferences: ['data.preferences', 'data.preferencesText'],
};

export async function showData(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const base = site.basePath + dataPath;
  const downloadLink = (kind: FileKind, format: Format) =>
    html`
      <a class="button small" href="${base}${kind}/?format=${format}" download="${fileName(kind, format)}">
        ${richWords('data.fileOf', { format: format.toUpperCase(), what: words(fileTexts[kind][0]) })}
      </a>`;
  const item = (part: string, [name, text]: (typeof fileTexts)[FileKind], count: bigint | number, links: Html | '') =>
    html`
      <li class="file" data-part="${part}">
        <div>
          <h3>
            ${words(name)}${' '}
            <span class="faint num">${thousands.format(count)}</span>
          </h3>
          <p class="soft small">${words(text)}</p>
        </div>
        ${links}
      </li>`;
  const fileItem = (kind: FileKind) => {
    const links = html`<div class="actions">${downloadLink(kind, 'ndjson')}${downloadLink(kind, 'csv')}</div>`;
    return item(kind, fileTexts[kind], countOf(kind, belongings), links);
  };
  const code = (await listDigests(store.reader, member.user_id)).length;
  const codeItem = item('solutions', ['code.title', 'data.codeText'], code, '');
  const collapsible = (name: string, content: Html) =>
    html`<details class="more-fields"><summary>${icon('down')}<span>${name}</span></summary>${content}</details>`;
  return accountPage(
    visit,
    { section: 'data/', subtitle: words('data.sub') },
    html`
        ${panel(
          { id: 'out', heading: words('data.takeOut') },
          html`
            <p class="soft">${words('data.archiveText')}</p>
            <div class="actions">
              <a class="button primary" href="${base}archive/" download="${fileName(undefined, 'zip')}">
                ${icon('download')}
                <span>${words('data.archive')}</span>
              </a>
            </div>
            ${collapsible(words('data.single'), html`<ul class="files">${memberKinds.map(fileItem)}${codeItem}</ul>`)}`,
        )}
        ${panel(
          { id: 'notes', heading: words('note.yours') },
          html`
            <p class="soft">${words('data.notesText')}</p>
            <div class="actions">
              <a class="button" href="${base}notes/" download="notes.zip">${words('data.notesZip')}</a>
              <a class="button" href="${base}notes-anki/" download="notes.tsv">${words('data.notesAnki')}</a>
            </div>`,
        )}
        ${panel(
          { id: 'in', heading: words('data.bringIn') },
          html`
            <p class="soft">${richWords('data.bringInText', { a: linkTo(site.basePath + uploadPath) })}</p>
            ${fileForm(visit, uploadPath)}
            ${collapsible(
              words('data.readIn'),
              html`
                <p class="soft">${words('data.readInText')}</p>
                <pre tabindex="0" aria-label="${words('data.commands')}"><code>garden import archive ${fileName(
                  undefined,
                  'zip',
                )}</code></pre>`,
            )}`,
        )}
        ${deletionPanel(site.basePath)}`,
  );
}

function countOf(kind: FileKind, belongings: Belongings): bigint {
  if (kind === 'records') return 1n;
  return kind === 'preferences' ? belongings.member_settings : belongings[kind];
}

function deletionPanel(basePath: string): Html {
  return panel(
    { id: 'leave', heading: words('deletion.title') },
    html`
      <p class="soft">${words('data.leaveText')}</p>
      <p class="actions">
        ${linkButton(`${basePath}${accountPath}delete/`, words('data.leave'), { kind: 'danger' })}
      </p>`,
  );
}

export async function downloadData(visit: MemberVisit): Promise<PageResult> {
  const { store, member, params, query, path } = visit;
  if (params['what'] === 'archive') return writeZip(visit, writeArchive, fileName(undefined, 'zip'));
  if (params['what'] === 'notes') return writeZip(visit, writeNotes, 'notes.zip');
  if (params['what'] === 'notes-anki') {
    const file = writeCards(store.reader, member.user_id);
    return { file, name: 'notes.tsv', type: 'text/tab-separated-values; charset=utf-8' };
  }
  const kind = memberKinds.find((name) => name === params['what']);
  const format = query.get('format') ?? 'ndjson';
  if (!kind || (format !== 'ndjson' && format !== 'csv')) throw pageNotFound(path);
  // Rows are read as the browser receives them, without a snapshot, which a slow browser could keep open for hours.
  const options = { memberId: member.user_id, isPortable: true };
  const file = exportRows(store.reader, rowKinds[kind], format, options);
  return {
    file: format === 'csv' ? withByteOrderMark(file) : file,
    name: fileName(kind, format),
    type: mediaTypes[format],
  };
}

async function* withByteOrderMark(file: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* file;
}

export const ownUploads: UploadSection = {
  scope: 'member',
  path: uploadPath,
  frame: (visit, content, title = words('uploads.ownTitle')) =>
    accountPage(visit, { section: 'data/', title, subtitle: words('uploads.ownSub') }, content).html,
};
