/** How often the chances that were said of problems came true in contests: of the member, and of everybody together. */
import {
  type CalibrationLine,
  calibrationLines,
  countPredictions,
  isOff,
  type Prediction,
  predictionsOfLine,
  predictionsOfPage,
  readGardenCalibration,
  readPredictions,
} from '../../../practice/calibration.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { calibrationPicture } from '../../drawing/charts/calibration-picture.ts';
import { tableOfChart } from '../../drawing/charts/plot.ts';
import { modelsFor, phraseText } from '../../kit/chance.ts';
import { actions } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { chancePath, contestsPath, handlesPath, progressPath, ratingsPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { pageNotFound } from '../../request/visits.ts';
import { commaList, thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

export const chancePages: readonly PageRoute<MemberVisit>[] = [{ path: chancePath, get: show }];

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, path } = visit;
  const { basePath } = site;
  const preferences = await readPreferences(store.reader, member.user_id);
  if (preferences.hidesChances) throw pageNotFound(path);
  const models = modelsFor(preferences);
  const own: Prediction[] = [];
  for (const [source, model] of models)
    own.push(...(await readPredictions(store.reader, member.user_id, { source, model })));
  const everybody = await readGardenCalibration(store.reader, models, Date.now());
  const title = words('chance.right');
  const crumbs = [
    [basePath + progressPath, words('frame.progress')],
    [basePath + ratingsPath, words('ratings.title')],
  ] as const;
  const content = html`
    ${pageHead(title, { crumbs })}
    ${own.length > 0 && html`<p class="one-sentence">${summaryOf(own)}</p>`}
    <div class="two even-two">
      ${
        own.length < predictionsOfPage
          ? panel({ id: 'own', heading: words('chance.you') }, tooFew(own.length, basePath))
          : linesPanel('own', words('chance.you'), calibrationLines(own))
      }
      ${linesPanel('everybody', words('chance.rightAll'), everybody, words('chance.rightAllText'))}
    </div>
    <p class="legend">
      <span><i class="sw solved"></i> ${words('progress.solved')}</span>
      <span><i class="sw said"></i> ${words('chance.said')}</span>
      <span><i class="sw interval"></i> ${words('chance.interval')}</span>
    </p>
    <p class="faint small">
      ${words('chance.rightLeast', { least: predictionsOfLine })} ${words('chance.rightHow')}
    </p>`;
  const options = { title, current: progressPath, kind: 'p-chance', styles: ['pictures.css'] as const };
  return { html: frame(visit, options, content) };
}

function summaryOf(own: readonly Prediction[]): Html {
  const bold = (count: number) => html`<b>${thousands.format(Math.round(count))}</b>`;
  const { count, expected, solved } = countPredictions(own);
  return richWords('chance.rightSum', { count: bold(count), expected: bold(expected), solved: bold(solved) });
}

const tooFew = (count: number, basePath: string) => html`
  <p class="says">${words('chance.rightFew', { count, needed: predictionsOfPage })}</p>
  <progress class="bar" max="${predictionsOfPage}" value="${count}" aria-hidden="true"></progress>
  ${actions(
    linkButton(basePath + contestsPath, words('contests.title'), { kind: 'small' }),
    linkButton(basePath + handlesPath, words('today.link'), { kind: 'small quiet', symbol: 'sync' }),
  )}`;

const percent = (share: number) => Math.round(share * 100);

function linesPanel(id: string, heading: string, lines: readonly CalibrationLine[], note = ''): Html {
  const phrasesOff = lines.filter(isOff).map(({ phrase }) => phraseText(phrase));
  const off =
    lines.length === 0
      ? words('chance.noLine')
      : phrasesOff.length > 0 && words('chance.off', { phrases: commaList(phrasesOff) });
  const row = ({ phrase, count, solved, expected, interval: [low, high] }: CalibrationLine) => [
    phraseText(phrase),
    thousands.format(count),
    thousands.format(Math.round(expected)),
    html`<b>${thousands.format(solved)}</b>`,
    `${percent(low)}–${percent(high)} %`,
  ];
  const heads = [
    words('chance.said'),
    words('frame.problems'),
    words('chance.expected'),
    words('state.complete'),
    words('chance.interval'),
  ];
  return panel(
    { id, heading },
    html`
      ${(off || note) && html`<p class="says">${off} ${note}</p>`}
      ${
        lines.length > 0 &&
        html`
          ${calibrationPicture(lines)}
          ${tableOfChart(words('progress.asTable', { name: words('chance.right') }), heads, lines.map(row))}`
      }`,
  );
}
