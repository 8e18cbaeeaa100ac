/** The backups of the garden: which there are, making one now, taking one away, and how one is restored. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from 'hono/html';
import { type BackupFile, listBackupFiles } from '../../store/backup-folder.ts';
import { field } from '../fields.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../visits.ts';
import { act } from './acts.ts';
import type { BackupFailure } from './backup-desk.ts';
import { donePath, faultNotice, panel, staffFrame, staffPath, table, time } from './parts.ts';

const path = `${staffPath}backups/`;

export const backupsPage: PageRoute<MemberVisit> = { path, isSecret: true, show, change: take };

/** Why a backup was not made, and the way on. */
const faults: Readonly<Record<BackupFailure['why'], string>> = {
  busy: 'No backup was begun, because one is being made already. Wait until it has ended.',
  full: 'The backup was not made, because its disk is full; nothing else changed. Make room there, or set BACKUP_DIR to another folder and start the server again.',
  unwritable:
    'The backup was not made, because its folder cannot be written; nothing else changed. Let the server write there, or set BACKUP_DIR to another folder and start it again.',
  unknown:
    'The backup was not made; nothing else changed. The log of the server says why, and garden backup on the server shows it too.',
};

async function show(visit: MemberVisit, fault?: string, status = 200): Promise<Answer> {
  const { site, antiForgery, website } = visit;
  const action = site.basePath + path;
  const begin = html`<form method="post" action="${action}">${antiForgery}`;
  const files = await listBackupFiles(website.backups.folder).catch(() => undefined);
  const since = await website.backups.underWay();
  const failure = await website.backups.lastFailure();
  const isFailed = failure && failure.at > (files?.[0]?.startedAt ?? '') && fault === undefined && !since;
  const row = ({ name, startedAt, bytes, isScheduled }: BackupFile) =>
    html`<tr data-backup="${name}"><td>${time(startedAt)}</td><td class="num">${sizeInWords(bytes)}</td><td>${isScheduled ? 'By schedule' : 'By hand'}</td><td><code>${name}</code></td><td>${begin}<button class="button small" name="download" value="${name}">${icon('download')}<span>Download<span class="sr"> ${name}</span></span></button></form></td></tr>`;
  const list =
    files === undefined
      ? html`<p class="soft">The folder of backups cannot be read. Let the server read it, or set <code>BACKUP_DIR</code> to another folder.</p>`
      : files.length === 0
        ? html`<p class="soft">None yet. With <code>BACKUP_EVERY=24h</code> the server makes them by itself.</p>`
        : table('Backups', ['Begun', 'Size', 'Made', 'File', ''], files.map(row));
  const state = since
    ? html`<p role="status" data-state="under-way">${icon('sync')} A backup is being made since ${time(since)}. It goes on when you leave this page. <a href="${action}">Look again</a></p>`
    : html`${begin}<div class="actions"><button class="button primary" name="make" value="now">Make a backup now</button></div></form>`;
  const restore = html`<p class="soft">A restore takes a terminal on the server, because the server has to be stopped for it. First see that the file is sound, then put it in the place of the database; what was there is kept beside it.</p><pre tabindex="0" aria-label="Commands"><code>garden restore --verify FILE.db.gz
garden restore FILE.db.gz</code></pre>`;
  const page = staffFrame(
    visit,
    {
      title: 'Backups',
      room: 'backups/',
      sub: 'Each is the whole garden at one moment, with every member’s data.',
    },
    html`${faultNotice(fault ?? (isFailed ? faults[failure.why] : undefined))}
${panel('make', 'Make one', html`<p class="soft">One at a time. Members can go on meanwhile.</p>${state}`)}
${panel('kept', 'Kept on the server', html`<p class="soft">To download one is to take the data of every member with you: names, addresses, notes. It is written down in the log.</p>${list}`)}
${panel('restore', 'Put one back', restore)}`,
  );
  return { html: page, status };
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { form, website } = visit;
  if (form.has('download')) return download(visit, field(form, 'download', 100));
  if (field(form, 'make', 10) !== 'now') return show(visit, undefined, 422);
  if (await website.backups.underWay()) return show(visit, faults.busy, 409);
  await act(visit, async () => ({ what: 'backup-begun', result: undefined }));
  const outcome = await website.backups.begin();
  if (outcome === 'made') return { to: donePath(path, 'backup-made') };
  if (outcome === 'under-way') return { to: path };
  return show(visit, faults[outcome.why], outcome.why === 'busy' ? 409 : 503);
}

/** Only a name of the list is a file: no other text becomes a part of a path. */
async function download(visit: MemberVisit, asked: string): Promise<Answer> {
  const { folder } = visit.website.backups;
  const files = await listBackupFiles(folder).catch(() => []);
  const name = files.find((one) => one.name === asked)?.name;
  if (name === undefined) throw nothingHere(visit.path);
  const file = await open(join(folder, name)).catch(() => undefined);
  if (!file) throw nothingHere(visit.path);
  try {
    await act(visit, async () => ({ what: 'backup-downloaded', result: undefined }));
    const { size } = await file.stat();
    return { file: file.createReadStream({ start: 0 }), name, type: 'application/gzip', size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

function sizeInWords(bytes: number): Html {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const shown = (bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1);
  return html`<data value="${bytes}">${shown} ${units[step]}</data>`;
}
