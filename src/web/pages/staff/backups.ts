/** The page of backups: lists, makes and downloads them, and says how one is restored. */

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, hourMs } from '../../../durations.ts';
import type { BackupFailure, BackupFile } from '../../../jobs/backups.ts';
import { asStaff } from '../../../practice/staff.ts';
import { actions, button, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { faultNotice, panel } from '../../kit/panel.ts';
import { roundDuration } from '../../kit/round-parts.ts';
import { stackedTable, type TableRow } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import { fieldText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, staffPage, staffTime } from './frame.ts';

const backupsPath = `${staffPath}backups/`;

export const backupsPage: PageRoute<MemberVisit> = { path: backupsPath, isUncached: true, get: show, post: submit };

const failureText = (why: BackupFailure['why']) => words(`backups.fault.${why}`);

async function show(visit: MemberVisit, fault?: Html | string, status = 200): Promise<PageResult> {
  const { site, website } = visit;
  const files = await website.backups.list().catch(() => undefined);
  const hasFolder = await website.backups.hasFolder();
  const underWaySince = await website.backups.underWay();
  const failure = await website.backups.lastFailure();
  const isFailed = failure && failure.at > (files?.[0]?.startedAt ?? '') && fault === undefined && !underWaySince;
  const failureReason = isFailed ? failureText(failure.why) : undefined;
  const reason = hasFolder ? (fault ?? failureReason) : failureText('unwritable');
  const row = ({ name, startedAt, bytes, isScheduled }: BackupFile): TableRow => ({
    about: html` data-backup="${name}"`,
    cells: [
      staffTime(startedAt),
      html`<span class="num">${sizeInWords(bytes)}</span>`,
      words(isScheduled ? 'backups.bySchedule' : 'backups.byHand'),
      html`<code>${name}</code>`,
      form(
        visit,
        { to: backupsPath },
        html`
          <button class="button small" name="download" value="${name}">
            ${icon('download')}
            <span>${richWords('backups.download', { name })}</span>
          </button>`,
      ),
    ],
  });
  const list =
    files === undefined
      ? hasFolder && html`<p class="soft">${richWords('backups.unreadable')}</p>`
      : files.length === 0
        ? html`<p class="soft">${richWords('backups.none')}</p>`
        : stackedTable(
            words('backups.title'),
            [words('backups.begun'), words('backups.size'), words('backups.made'), words('backups.file'), ''],
            files.map(row),
          );
  const state = underWaySince
    ? html`
      <p role="status" data-state="under-way">
        ${icon('sync')} ${richWords('backups.underWay', { when: staffTime(underWaySince) })}${' '}
        <a href="${site.basePath}${backupsPath}">${words('backups.look')}</a>
      </p>`
    : form(visit, { to: backupsPath }, actions(button(words('backups.make'), 'primary', ['make', 'now'])));
  const schedule = await website.backups.schedule();
  const automatic =
    schedule &&
    html`
      <p class="soft" data-schedule>
        ${richWords('backups.schedule', {
          every: everyText(schedule.everyMs),
          keep: schedule.keep,
          when: staffTime(schedule.nextAt),
        })}
      </p>`;
  const restore = html`
    <p class="soft">${words('backups.restoreText')}</p>
    <pre tabindex="0" aria-label="${words('data.commands')}"><code>garden restore --verify FILE.db.gz
garden restore FILE.db.gz</code></pre>`;
  const page = staffPage(
    visit,
    { section: 'backups/', sub: words('backups.sub') },
    html`
      ${faultNotice(reason)}
      ${panel(
        { id: 'make', heading: words('backups.makeOne') },
        html`<p class="soft">${words('backups.makeText')}</p>${automatic}${state}`,
      )}
      ${panel(
        { id: 'kept', heading: words('backups.kept') },
        html`<p class="soft">${words('backups.keptText')}</p>${list}`,
      )}
      ${panel({ id: 'restore', heading: words('backups.restore') }, restore)}`,
  );
  return { ...page, status };
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { form, website } = visit;
  if (form.has('download')) return download(visit, fieldText(form, 'download', 100));
  if (fieldText(form, 'make', 10) !== 'now') return show(visit, undefined, 422);
  if (await website.backups.underWay()) return show(visit, failureText('busy'), 409);
  const outcome = await website.backups.begin(() => asStaff(visit, async () => {}, 'backup-begun'));
  if (outcome === 'made') return { to: donePath(backupsPath, 'backup-made') };
  if (outcome === 'under-way') return { to: backupsPath };
  return show(visit, failureText(outcome.why), outcome.why === 'busy' ? 409 : 503);
}

/** Only names of the list are opened, so that no text of a form becomes part of a path. */
async function download(visit: MemberVisit, fileName: string): Promise<PageResult> {
  const { folder, list } = visit.website.backups;
  const files = await list().catch(() => undefined);
  if (files && !files.some(({ name }) => name === fileName)) throw pageNotFound(visit.path);
  const file = files && (await open(join(folder, fileName)).catch(() => undefined));
  if (!file) return show(visit, richWords('backups.unreadable'), 503);
  try {
    await asStaff(visit, async () => {}, 'backup-downloaded');
    const { size } = await file.stat();
    return { file: file.createReadStream({ start: 0 }), name: fileName, type: 'application/gzip', size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function everyText(ms: number): string {
  if (ms % dayMs === 0) return words('time.days', { count: ms / dayMs });
  return ms % hourMs === 0 ? words('time.hours', { count: ms / hourMs }) : roundDuration(ms);
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

function sizeInWords(bytes: number): Html {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const figure = Number((bytes / 1000 ** step).toFixed(1));
  return html`<data value="${bytes}">${thousands.format(figure)} ${units[step]}</data>`;
}
