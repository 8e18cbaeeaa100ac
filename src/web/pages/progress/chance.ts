/** How often the chances that were said of problems came true in contests: of the member, and of everybody together. */
import {
  type CalibrationLine,
  calibrationLines,
  countPredictions,
  type Prediction,
  predictionsOfPage,
  readGardenCalibration,
  readPredictions,
} from '../../../practice/calibration.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { modelsFor, phraseText } from '../../kit/chance.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { emptyPanel, panel } from '../../kit/panel.ts';
import { plainTable, scrollable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { chancePath, progressPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { pageNotFound } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

export const chancePages: readonly PageRoute<MemberVisit>[] = [{ path: chancePath, get: show }];

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, path } = visit;
  const preferences = await readPreferences(store.reader, member.user_id);
  if (preferences.hidesChances) throw pageNotFound(path);
  const models = modelsFor(preferences);
  const own: Prediction[] = [];
  for (const [source, model] of models)
    own.push(...(await readPredictions(store.reader, member.user_id, { source, model })));
  const everybody = await readGardenCalibration(store.reader, models, Date.now());
  const title = words('chance.right');
  const { count, expected, solved } = countPredictions(own);
  const ownText = words('chance.rightSum', { count, expected: Math.round(expected), solved });
  const content = html`
    ${pageHead(words('frame.progress'))}
    ${progressTabs(site.basePath, chancePath)}
    <div class="stack">
      ${
        own.length < predictionsOfPage
          ? emptyPanel({
              heading: title,
              text: words('chance.rightFew', { count: own.length, needed: predictionsOfPage }),
            })
          : linesPanel('own', title, ownText, calibrationLines(own))
      }
      ${
        everybody.length > 0 &&
        linesPanel('everybody', words('chance.rightAll'), words('chance.rightAllText'), everybody)
      }
      <p class="faint small">${words('chance.rightHow')}</p>
    </div>`;
  return { html: frame(visit, { title, current: progressPath, kind: 'p-chance' }, content) };
}

const percent = (share: number) => Math.round(share * 100);

function linesPanel(id: string, heading: string, text: string, lines: readonly CalibrationLine[]): Html {
  const row = ({ phrase, count, solved, expected, interval: [low, high] }: CalibrationLine) => html`
    <tr>
      <th scope="row">${phraseText(phrase)}</th>
      <td class="num">${count}</td>
      <td class="num">${Math.round(expected)}</td>
      <td class="num"><b>${solved}</b></td>
      <td class="num">${percent(low)}–${percent(high)} %</td>
    </tr>`;
  const heads = [
    words('chance.said'),
    words('frame.problems'),
    words('chance.expected'),
    words('progress.solved'),
    words('chance.interval'),
  ];
  return panel(
    { id, heading },
    html`
      <p>${text}</p>
      ${scrollable(heading, plainTable({ heads, rows: lines.map(row) }))}`,
  );
}
