/** The report of a run in words: the figures that the command line prints, and the rows that are not valid. */
import { html } from 'hono/html';
import { uploadKinds } from '../../importing/uploads/kinds.ts';
import { askedOf, inPageWords, type RunReport, reportOf } from '../../importing/uploads/report.ts';
import type { UploadsTable } from '../../store/upload-tables.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';

type Figures = Extract<RunReport, { figures: object }>;

/** The figures in the order in which they are read, as words for what was done and for what would be. */
const figureWords = [
  ['read', 'In the file'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['kept', 'The same'],
  ['unmatched', 'Not known here'],
  ['bad', 'Not valid'],
] as const;

export function titleOfUpload(upload: Pick<UploadsTable, 'asked'>): string {
  const { what } = askedOf(upload);
  return uploadKinds.find((kind) => kind.what === what)?.title ?? 'A file';
}

/** What the report of an upload says; `upload` is one whose run is over. */
export function reportShown(upload: UploadsTable): Html {
  const report = reportOf(upload);
  if (!report || 'fault' in report) {
    const fault = report ? inPageWords(report.fault) : 'Nothing is known of this file any more.';
    return sentence('bad', html`<b>Nothing was changed.</b> ${fault}`);
  }
  return html`${sentence(...summaryOf(upload, report))}
<dl class="facts-line" data-report>${figureWords.map(([name, words]) => html`<div data-figure="${name}"><dt>${words}</dt><dd>${thousands.format(report.figures[name])}</dd></div>`)}</dl>
${report.notes.map((note) => html`<p class="soft">${note}.</p>`)}${badRows(report, upload.state === 'imported')}
<p class="faint">It took ${report.seconds.toFixed(1)} seconds.</p>`;
}

function summaryOf(
  { state }: UploadsTable,
  { figures, hasWritten }: Figures,
): [kind: string, text: Html | string] {
  if (state === 'imported')
    return hasWritten
      ? ['good', html`<b>Imported.</b> It stands in the garden now.`]
      : ['good', 'Imported. Nothing changed: all of it was here already.'];
  if (figures.read === 0) return ['warn', 'The file has no rows. Nothing would change.'];
  if (figures.bad === figures.read) return ['bad', 'No row of this file is valid. Nothing was changed.'];
  if (!hasWritten) return ['good', 'Nothing would change: all of it is here already.'];
  return ['warn', html`<b>Nothing is changed yet.</b> This is what the import would do.`];
}

function sentence(kind: string, text: Html | string): Html {
  return html`<div class="notice" data-kind="${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${icon(kind === 'good' ? 'check' : kind === 'bad' ? 'warn' : 'info')}<div><p>${text}</p></div></div>`;
}

function badRows({ figures, badRows: shown }: Figures, isOver: boolean): Html | '' {
  if (figures.bad === 0) return '';
  const more = figures.bad - shown.length;
  return html`<h3>${isOver ? 'Rows that were left out' : 'Rows that are not valid'}</h3><ul class="plain bad-rows">${shown.map((row) => html`<li>${inPageWords(row).replace(/^l/, 'L')}</li>`)}</ul>${more > 0 ? html`<p class="soft">and ${thousands.format(more)} more</p>` : ''}`;
}
