/**
 * Imports submissions through the member's own browser: a script requests one answer of the judge after another and
 * sends each here as a file. Only this page may connect to that judge, and to no other.
 */

import { AppError, localizedError } from '../../../errors.ts';
import { importBrowserAnswer } from '../../../jobs/sync-runs.ts';
import type { BrowserSync } from '../../../judges/judge.ts';
import { judgeOf } from '../../../judges/judges.ts';
import type { HandlesTable } from '../../../store/handles.ts';
import { assetPaths } from '../../kit/assets.ts';
import { icon } from '../../kit/icons.ts';
import { notice, panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { handlesPath, uploadPath } from '../../paths.ts';
import { textOfFile, type UploadedFile } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { linkTo, localizeText, richWords, words } from '../../words/words.ts';
import { getOwnHandle, handlePage } from './frame.ts';

/** Several times the size of the largest answer of a judge. */
const answerBytesAtMost = 512 * 1024;
const rowsAtMost = 1_000_000;

export const browserSyncPage: PageRoute<MemberVisit> = {
  path: `${handlesPath}:id/browser/`,
  isUncached: true,
  takesFile: true,
  get: async (visit) => renderPage(visit, await contextOf(visit)),
  post: receiveAnswer,
};

interface HandleContext {
  handle: HandlesTable;
  browserSync: BrowserSync;
}

async function contextOf(visit: MemberVisit): Promise<HandleContext> {
  const handle = await getOwnHandle(visit);
  const browserSync = judgeOf(handle.source)?.browserSync;
  if (!browserSync) throw pageNotFound(visit.path);
  return { handle, browserSync };
}

/** Imports one answer. The redirect has the first row of the next answer, and the counts of rows so far. */
async function receiveAnswer(visit: MemberVisit, file: UploadedFile | undefined): Promise<PageResult> {
  const context = await contextOf(visit);
  const { handle, browserSync } = context;
  if (!file) return renderPage(visit, context, words('browserSync.noFile'));
  const from = numberIn(visit.form, 'from') || 1;
  try {
    const text = await textOfFile(file, answerBytesAtMost);
    if (text === undefined) throw localizedError('bodyTooLarge.answer', { KiB: answerBytesAtMost / 1024 });
    const { report, next } = await importBrowserAnswer(visit.store, handle, browserSync, text, from);
    const imported = numberIn(visit.form, 'brought') + report.new;
    const progress = new URLSearchParams({ brought: String(imported), rows: String(from - 1 + report.read) });
    if (next !== undefined) progress.set('from', String(next));
    return { to: `${handlesPath}${handle.id}/browser/?${progress}` };
  } catch (error) {
    if (!(error instanceof AppError) || !['badFile', 'badRow', 'bodyTooLarge'].includes(error.code)) throw error;
    return renderPage(visit, context, localizeText(error));
  }
}

function numberIn(params: URLSearchParams, name: string): number {
  const text = params.get(name) ?? '';
  return /^\d{1,7}$/.test(text) ? Math.min(Number(text), rowsAtMost) : 0;
}

function renderPage(visit: MemberVisit, { handle, browserSync }: HandleContext, fault?: string): PageResult {
  const { site, query, website } = visit;
  const { site: judge = handle.source, files = {} } = judgeOf(handle.source) ?? {};
  const base = website.judgeUrls?.get(handle.source) ?? browserSync.baseUrl;
  const fileUrl = files[browserSync.file]?.sourceUrl?.replace('HANDLE', encodeURIComponent(handle.name));
  const upload = `${site.basePath}${uploadPath}?what=${handle.source}-${browserSync.file}`;
  const isFinished = query.has('rows') && !query.has('from') && fault === undefined;
  const [rows, imported] = [numberIn(query, 'rows'), numberIn(query, 'brought')];
  const address = base.replace(/\/+$/, '') + browserSync.pathOf(handle.name);
  const link = html`<a href="${fileUrl ?? base}" rel="noreferrer">${fileUrl}</a>`;
  const savingSteps = html`
    <p class="soft">${words('browserSync.saveText')}</p>
    <ol class="steps">
      <li>${richWords('browserSync.open', { address: link })}</li>
      <li>${words('browserSync.keep')}</li>
      <li>${richWords('browserSync.upload', { a: linkTo(upload) })}</li>
    </ol>`;
  const syncContent = syncForm(visit, handle, browserSync, judge, address);
  const content = html`
    ${isFinished && notice('good', words('browserSync.done', { rows, brought: imported }))}
    ${fault !== undefined && notice('bad', richWords('browserSync.fault', { fault }))}
    ${panel({ id: 'ask', heading: words('browserSync.ask', { judge }) }, syncContent)}
    ${panel({ id: 'save', heading: words('browserSync.save') }, savingSteps)}
    <script type="module" src="${site.basePath}${assetPaths['browser-sync.js']}"></script>`;
  return {
    ...handlePage(visit, words('browserSync.title'), handle, content, judge),
    ...(fault !== undefined && { status: 422 }),
    connectsTo: new URL(base).origin,
  };
}

/** Written without kit/form, because a script reads the judge's address from this form and shows messages in it. */
function syncForm(
  { site, antiForgery }: MemberVisit,
  handle: HandlesTable,
  { intervalMs }: BrowserSync,
  judge: string,
  address: string,
): Html {
  const errorNotice = (state: string, text: Html) =>
    notice('bad', text, { more: { 'data-says': state, hidden: true } });
  return html`
    <p class="soft">${words('browserSync.askText', { judge })}</p>
    <form
      method="post" enctype="multipart/form-data" action="${site.basePath}${handlesPath}${handle.id}/browser/"
      data-asks="${address}" data-interval="${intervalMs}" hidden
    >
      ${antiForgery}
      <input type="hidden" name="from" value="1">
      <input type="hidden" name="brought" value="0">
      <input type="file" name="file" hidden>
      <p class="actions">
        <button class="button primary" type="button">${icon('sync')}<span>${words('browserSync.start')}</span></button>
      </p>
      <div class="browser-state" role="status">
        <p data-says="asking" hidden>${richWords('browserSync.asking', { rows: html`<b data-rows>0</b>`, judge })}</p>
        <p data-says="again" hidden>${words('browserSync.again', { judge })}</p>
      </div>
      ${errorNotice('unreachable', richWords('browserSync.unreachable', { judge }))}
      ${errorNotice('stopped', richWords('browserSync.stopped'))}
    </form>
    <noscript><p>${words('browserSync.noScript')}</p></noscript>`;
}
