/** The page of progress: all charts but the year come from one list of what the member solved and tried. */

import { judgeName } from '../../../judges/judges.ts';
import { findFirstActiveDay, readActivity } from '../../../practice/activity.ts';
import { readPredictions, type TopicLine, topicLines } from '../../../practice/calibration.ts';
import { countLabels } from '../../../practice/labels.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { isDated, isWithin, listOutcomes } from '../../../practice/progress.ts';
import { countCell } from '../../drawing/charts/plot.ts';
import {
  type ProgressQuery,
  type ProgressView,
  progressAddress,
  readProgressQuery,
  spanNames,
  viewOf,
  yearLinks,
} from '../../drawing/charts/progress-view.ts';
import { readYearMode, type Year, yearFacts, yearPicture, yearUntil, yearWithin } from '../../drawing/charts/year.ts';
import { modelsFor } from '../../kit/chance.ts';
import { dayRangeText } from '../../kit/day-links.ts';
import { button } from '../../kit/form.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { countLink, findProblemLink, linkButton, segmentedLinks } from '../../kit/links.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { filterNotice, queryFor, queryString } from '../../kit/problem-query.ts';
import { plainTable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { handlesPath, problemsPath, progressPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { panelOf, sectionsOf } from './sections.ts';

export const progressPages: readonly PageRoute<MemberVisit>[] = [
  { path: progressPath, get: show, dropsEmptyFields: true },
];

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, days } = visit;
  const { basePath } = site;
  const { user_id } = member;
  const now = new Date();
  const outcomes = await listOutcomes(store.reader, user_id, days);
  const bySource = Map.groupBy(outcomes, ({ source }) => source);
  const all = new Map([...bySource].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1)));
  const [first] = all.keys();
  const title = words('frame.progress');
  const options = { title, current: progressPath, kind: 'p-progress' };
  const tabs = progressTabs(basePath, progressPath);
  if (first === undefined)
    return { html: frame(visit, options, html`${pageHead(title)}${tabs}${nothingYet(basePath)}`) };
  const requestQuery = readProgressQuery(visit.query);
  const query = { ...requestQuery, source: all.has(requestQuery.source) ? requestQuery.source : first };
  const today = days.at(now.getTime());
  const viewAt = (source: string) => viewOf(basePath, { ...query, source }, today);
  const view = viewAt(query.source);
  const totals = Array.from(all, ([source, outcomes]) => {
    const solved = outcomes.filter(({ isSolved, day }) => isSolved && isWithin(view.span, day));
    const count = countCell(solved.length, viewAt(source).solved());
    return html`<span><span>${richWords('progress.solvedAt', { count, judge: judgeName(source) })}</span></span>`;
  });
  const undated = (all.get(query.source) ?? []).filter((one) => !isDated(one)).length;
  const { weekStart } = days.rule;
  const range = query.span === 'all' ? yearUntil(today, weekStart) : yearWithin(view.span, today, weekStart);
  const year: Year = {
    range,
    weekStart,
    today,
    basePath,
    mode: readYearMode(visit.query),
    path: progressPath + progressAddress(query),
    rows: await readActivity(store.reader, user_id, days, range),
    years: yearLinks(basePath, query, await findFirstActiveDay(store.reader, user_id, days, today), today),
  };
  const contestTopics = await readContestTopics(visit, view);
  const sections = sectionsOf({ view, bySource: all, viewOfJudge: viewAt, contestTopics });
  const content = html`
    ${pageHead(title, { sub: html`${totals}`, actions: filterLinks(view, [...all.keys()]) })}
    ${tabs}
    ${progressNotice(requestQuery, all)}
    ${
      undated > 0 &&
      html`
        <p class="soft">
          ${words('progress.undated', { count: undated, n: undated, judge: judgeName(query.source) })}
        </p>`
    }
    <nav class="segments on-page" aria-label="${words('progress.onThisPage')}">
      <a href="#year">${words('year.title')}</a>
      ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
    </nav>
    <div class="pictures">
      ${unheadedPanel({ labelledBy: 'year', className: 'wide year' }, html`${yearPicture(year)}${yearFacts(year)}`)}
      ${sections.map(panelOf)}
      ${labelsPanel(basePath, await countLabels(store.reader, user_id))}
    </div>`;
  return { html: frame(visit, { ...options, styles: ['pictures.css'] }, content) };
}

const labelsShown = 50;

function labelsPanel(basePath: string, labels: Awaited<ReturnType<typeof countLabels>>): Html | '' {
  if (labels.length === 0) return '';
  const row = ({ label, count }: (typeof labels)[number]) => {
    const href = `${basePath}${problemsPath}${queryString(queryFor({ label }))}`;
    return html`<tr><th scope="row"><bdi>${label}</bdi></th><td>${countLink(count, href)}</td></tr>`;
  };
  const table = plainTable({
    heads: [words('labels.name'), words('frame.problems')],
    rows: labels.slice(0, labelsShown).map(row),
  });
  const more = labels.length - labelsShown;
  return panel(
    { id: 'labels', heading: words('labels.title') },
    html`${table}${more > 0 && html`<p>${words('bulk.more', { count: more })}</p>`}`,
  );
}

/** None at a judge without chances, or for a member who hides them. */
async function readContestTopics(
  { store: { reader }, member: { user_id }, days }: MemberVisit,
  { source, span }: ProgressView,
): Promise<TopicLine[] | undefined> {
  const model = modelsFor(await readPreferences(reader, user_id)).get(source);
  if (!model) return undefined;
  const predictions = await readPredictions(reader, user_id, { source, model });
  return topicLines(predictions.filter(({ at }) => isWithin(span, days.at(at))));
}

function progressNotice({ source, from, to, leftOut }: ProgressQuery, all: ReadonlyMap<string, unknown>) {
  const remarks: string[] = [];
  if (source !== '' && !all.has(source)) remarks.push(words('progress.nothingAt', { judge: judgeName(source) }));
  if (from !== '' && to !== '' && from > to)
    remarks.push(words('asked.daysWrong', { from: dayRangeText(from, from), to: dayRangeText(to, to) }));
  return filterNotice(leftOut, remarks);
}

/** Links that choose the judge and the days. */
function filterLinks({ basePath, query }: ProgressView, judges: readonly string[]): Html {
  const link = (text: string, changes: Partial<ProgressQuery>, isCurrent: boolean) =>
    [basePath + progressPath + progressAddress(query, changes), text, isCurrent] as const;
  const spans = {
    all: words('progress.allTime'),
    year: words('progress.aYear'),
    '90': words('progress.ninetyDays'),
  };
  const field = (name: 'from' | 'to', label: string) =>
    html`<label class="field">${label}<input type="date" name="${name}" value="${query[name]}"></label>`;
  const hasOwnDays = query.span === 'own';
  const sources = judges.map((source) => link(judgeName(source), { source }, source === query.source));
  return html`
    ${judges.length > 1 && segmentedLinks(words('filters.judge'), sources)}
    ${segmentedLinks(
      words('progress.days'),
      spanNames.map((span) => link(spans[span], { span, from: '', to: '' }, span === query.span)),
    )}
    <details class="menu end" name="menu">
      <summary class="button${hasOwnDays && ' on'}">
        ${icon('today')}
        <span>${hasOwnDays ? dayRangeText(query.from, query.to) : words('progress.ownDays')}</span>
      </summary>
      <div class="menu-panel">
        <form class="own-days" action="${basePath}${progressPath}">
          <input type="hidden" name="source" value="${query.source}">
          ${field('from', words('filters.solvedFrom'))}
          ${field('to', words('filters.solvedTo'))}
          ${button(words('progress.showDays'), 'primary small')}
        </form>
      </div>
    </details>`;
}

function nothingYet(basePath: string): Html {
  const link = { symbol: 'sync', kind: 'primary' } as const;
  return emptyPanel({
    picture: illustration('seedlings'),
    heading: words('progress.empty'),
    text: words('progress.emptyText'),
    actions: html`
      ${linkButton(basePath + handlesPath, words('today.link'), link)}
      ${findProblemLink(basePath)}`,
  });
}
