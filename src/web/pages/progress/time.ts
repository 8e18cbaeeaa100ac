/** How long problems take: the median minutes by rating, and the list of all timed problems. */

import { judgeName } from '../../../judges/judges.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import {
  countsForUsual,
  minutesOf,
  outcomeOf,
  timeBandOf,
  timersAtLeast,
  usualMinutes,
} from '../../../practice/timer-rules.ts';
import { listEndedTimers, type TitledTimer } from '../../../store/timers.ts';
import { moment } from '../../kit/dates.ts';
import { shownDifficulty } from '../../kit/difficulty.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { illustration } from '../../kit/icons.ts';
import { countLink, filterChips, findProblemLink } from '../../kit/links.ts';
import { judgeKey, problemLink, shownState } from '../../kit/marks.ts';
import { offsetPage } from '../../kit/pager.ts';
import { emptyPanel, panel } from '../../kit/panel.ts';
import { filterNotice, readProblemFilter } from '../../kit/problem-query.ts';
import { findMarks } from '../../kit/problem-table.ts';
import { plainTable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { progressPath, timesPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

export const timePages: readonly PageRoute<MemberVisit>[] = [{ path: timesPath, get: show }];

/** The minutes of the timers that count, in one range of a judge's ratings. */
interface RatingBand {
  source: string;
  from: number;
  to: number;
  minutes: number[];
}

function bandsOf(measures: readonly TitledTimer[]): RatingBand[] {
  const bands = new Map<string, RatingBand>();
  for (const timer of measures) {
    if (timer.rating === null) continue;
    const { source } = timer;
    const band = { source, ...timeBandOf(Number(timer.rating)) };
    const name = `${source} ${band.from}`;
    const own = bands.get(name) ?? { ...band, minutes: [] };
    own.minutes.push(minutesOf(timer, 0));
    bands.set(name, own);
  }
  return [...bands.values()].sort((a, b) => (a.source === b.source ? a.from - b.from : a.source < b.source ? -1 : 1));
}

const bandText = ({ from, to }: Pick<RatingBand, 'from' | 'to'>) => `${from}–${to}`;

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query } = visit;
  const { basePath } = site;
  const ended = await listEndedTimers(store.reader, { userId: member.user_id });
  const title = words('frame.progress');
  const head = html`${pageHead(title)}${progressTabs(basePath, timesPath)}`;
  const options = {
    title: words('progress.time'),
    current: progressPath,
    kind: 'p-time',
    styles: ['ratings.css'] as const,
  };
  if (ended.length === 0) return { html: frame(visit, options, html`${head}${nothingYet(basePath)}`) };
  const { text, number, leftOut } = readProblemFilter(query);
  const [source, rating] = [text('source'), number('rating', -10_000, 10_000)];
  const band = rating === undefined ? undefined : timeBandOf(rating);
  const isMatch = (timer: TitledTimer) =>
    (source === '' || timer.source === source) &&
    (band === undefined ||
      (countsForUsual(timer) && timer.rating !== null && timeBandOf(Number(timer.rating)).from === band.from));
  const matching = ended.filter(isMatch);
  const shown = [source !== '' && judgeName(source), band && bandText(band)];
  const content = html`
    ${head}
    ${filterNotice(leftOut, [])}
    <div class="stack">
      ${mediansPanel(basePath, bandsOf(ended.filter(countsForUsual)))}
      ${await listPanel(visit, matching, commaList(shown))}
    </div>`;
  return { html: frame(visit, options, content) };
}

function mediansPanel(basePath: string, bands: readonly RatingBand[]): Html {
  const medians = bands.map((band) => ({ band, median: usualMinutes(band.minutes) }));
  const longest = Math.max(1, ...medians.map(({ median }) => median ?? 0));
  const judges = new Set(bands.map(({ source }) => source));
  const row = ({ band, median }: (typeof medians)[number]) => {
    const { source, from, minutes } = band;
    const name = judges.size > 1 ? `${judgeName(source)} ${bandText(band)}` : bandText(band);
    const link = `${basePath}${timesPath}?${new URLSearchParams({ source, rating: String(from) })}`;
    const bar = html`<progress class="bar" max="${longest}" value="${median ?? 0}" aria-hidden="true"></progress>`;
    return html`
      <tr>
        <th scope="row">${name}</th>
        <td class="num">
          ${
            median === undefined
              ? html`<span class="faint">–</span>`
              : html`<b>${words('timer.minutesOnly', { count: median })}</b>`
          }
        </td>
        <td class="bar-cell">${median !== undefined && bar}</td>
        <td class="num">${countLink(minutes.length, link)}</td>
      </tr>`;
  };
  const heads = [words('filters.rating'), words('time.median'), '', words('time.timed')];
  return panel(
    { id: 'medians', heading: words('time.medians') },
    html`
      <p class="soft">${words('time.mediansText', { least: timersAtLeast })}</p>
      ${bands.length > 0 && plainTable({ heads, rows: medians.map(row), className: 'medians' })}`,
  );
}

async function listPanel(visit: MemberVisit, timers: readonly TitledTimer[], filter: string): Promise<Html> {
  const { site, store, member } = visit;
  const { basePath } = site;
  const { shown, more } = offsetPage(visit, timesPath, timers, Object.fromEntries(visit.query));
  const { hidesRatings } = await readPreferences(store.reader, member.user_id);
  const ids = [...new Set(shown.map(({ problem_id }) => problem_id))];
  const marks = await findMarks(store.reader, member.user_id, ids);
  const hidesRating = (id: bigint) => hidesRatings && shownState(marks(id)) !== 'complete';
  const outcomeWord = (timer: TitledTimer) =>
    html`<span>${words(`time.outcome.${outcomeOf(timer) ?? 'unsolved'}`)}</span>`;
  const row = (timer: TitledTimer) => html`
    <tr>
      <th scope="row">
        ${problemLink(basePath, { id: timer.problem_id, title: timer.title })}
        <span class="facts">
          ${judgeKey(timer)} ${shownDifficulty(timer, hidesRating(timer.problem_id))} ${moment(timer.started_at)}
          ${outcomeWord(timer)}
        </span>
      </th>
      <td class="num">${words('timer.minutesOnly', { count: minutesOf(timer, 0) })}</td>
    </tr>`;
  const heads = [words('time.head.problem'), words('time.head.minutes')];
  return panel(
    { id: 'timed', heading: words('time.list'), total: timers.length },
    html`
      ${filter !== '' && filterChips([[basePath + timesPath, filter]])}
      ${plainTable({ heads, rows: shown.map(row), className: 'timed' })}
      ${more}`,
  );
}

function nothingYet(basePath: string): Html {
  return emptyPanel({
    picture: illustration('seedlings'),
    heading: words('time.empty'),
    text: words('time.emptyText'),
    actions: findProblemLink(basePath),
  });
}
