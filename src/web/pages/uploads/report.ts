/** The report of an import: the figures that the command line prints, and the rows that are not valid. */

import { parseLocalizedText } from '../../../errors.ts';
import { reportOf, type UploadReport } from '../../../jobs/uploads.ts';
import type { UploadsTable } from '../../../store/uploads.ts';
import { notice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { sentence, thousands } from '../../words/formats.ts';
import { localizeText, richWords, words } from '../../words/words.ts';

type Figures = Extract<UploadReport, { figures: object }>;

/** The labels fit both an import and the check before it. */
const figureLabels = [
  ['read', 'uploads.read'],
  ['new', 'uploads.new'],
  ['changed', 'uploads.changed'],
  ['kept', 'uploads.same'],
  ['unmatched', 'uploads.unmatched'],
  ['bad', 'uploads.bad'],
] as const;

/** The upload has been checked or imported. */
export function renderReport(upload: UploadsTable): Html {
  const report = reportOf(upload);
  if (!report || 'fault' in report) {
    const fault = report ? localize(report.fault) : words('uploads.forgotten');
    return notice('bad', richWords('uploads.fault', { fault }));
  }
  return html`
    ${notice(...summaryOf(upload, report))}
    <dl class="facts-line" data-report>
      ${figureLabels.map(
        ([name, label]) =>
          html`
            <div data-figure="${name}">
              <dt>${words(label)}</dt>
              <dd>${thousands.format(report.figures[name])}</dd>
            </div>`,
      )}
    </dl>
    ${notes(report)}
    ${badRows(report, upload.state === 'imported')}
    <p class="faint">${words('uploads.took', { seconds: Number(report.seconds.toFixed(1)) })}</p>`;
}

/** A warning that reports no fault. */
const infoStyle = { symbol: 'info', role: 'status' } as const;

function summaryOf({ state }: UploadsTable, { figures, hasWritten }: Figures): Parameters<typeof notice> {
  const isSomeLeft = !hasWritten && figures.unmatched + figures.bad > 0;
  if (state === 'imported') {
    if (isSomeLeft) return ['warn', words('uploads.someNot'), infoStyle];
    return ['good', hasWritten ? richWords('uploads.done') : words('uploads.doneSame')];
  }
  if (figures.read === 0) return ['warn', words('uploads.noRows'), infoStyle];
  if (figures.bad === figures.read) return ['bad', words('uploads.allBad')];
  if (isSomeLeft) return ['warn', words('uploads.someNot'), infoStyle];
  if (!hasWritten) return ['good', words('uploads.wouldNot')];
  return ['warn', richWords('uploads.would'), infoStyle];
}

const localize = (text: string) => localizeText(parseLocalizedText(text));

function notes({ notes }: Figures): Html | '' {
  const items = notes.map(localize).map((text) => html`<li>${/[.。]$/.test(text) ? text : sentence(text)}</li>`);
  return items.length > 0 ? html`<ul class="plain soft">${items}</ul>` : '';
}

function badRows({ figures, badRows: rows }: Figures, isOver: boolean): Html | '' {
  if (figures.bad === 0) return '';
  const more = figures.bad - rows.length;
  return html`
    <h3>${isOver ? words('uploads.leftOut') : words('uploads.badRows')}</h3>
    <ul class="plain bad-rows">${rows.map((row) => html`<li>${localize(row).replace(/^l/, 'L')}</li>`)}</ul>
    ${more > 0 && html`<p class="soft">${words('uploads.more', { count: more })}</p>`}`;
}
