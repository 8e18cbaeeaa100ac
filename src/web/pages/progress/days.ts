/**
 * The two lists to which the numbers of the progress page link: all submissions of a member by day, and their active
 * days.
 */

import { type ActivityRow, listActiveDays, readActivity, timeRangeOfDays } from '../../../practice/activity.ts';
import { dateOf, dayOf } from '../../../practice/days.ts';
import { countSubmissions, type ListedSolve, listSubmissions, type SubmissionCursor } from '../../../store/solves.ts';
import { hardestIn } from '../../drawing/charts/year.ts';
import { dayList, solveEvent } from '../../kit/changes.ts';
import {
  type DayRange,
  dayRangeText,
  dayWithWeekday,
  firstSolvesLink,
  solvedLink,
  submissionsLink,
} from '../../kit/day-links.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { countLink, filterChips, findProblemLink, linkButton, segmentedLinks } from '../../kit/links.ts';
import { problemLink } from '../../kit/marks.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { filterNotice, type IgnoredParameter, readProblemFilter } from '../../kit/problem-query.ts';
import { plainTable, scrollable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { daysPath, handlesPath, progressPath, submissionsPath } from '../../paths.ts';
import { zoneLabel } from '../../request/clock.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

const submissionsPerPage = 50;
const daysPerPage = 100;

export const daysPages: readonly PageRoute<MemberVisit>[] = [
  { path: submissionsPath, get: showSubmissions },
  { path: daysPath, get: showDays },
];

async function showSubmissions(visit: MemberVisit): Promise<PageResult> {
  const { store, member, query, site, days } = visit;
  const { date, leftOut } = readProblemFilter(query);
  const [from, to] = [date('from'), date('to')];
  const between = timeRangeOfDays(days, dayOf(from), dayOf(to));
  const after = parseCursor(query.get('after') ?? '');
  const total = await countSubmissions(store.longReader, member.user_id, between);
  const rows = await listSubmissions(store.longReader, member.user_id, between, after, submissionsPerPage + 1);
  const shown = rows.slice(0, submissionsPerPage);
  const last = shown.at(-1);
  const older =
    rows.length > shown.length && last && olderButton(visit, { after: `${last.submitted_at}~${last.submission_id}` });
  const events = dayList(
    shown,
    ({ submitted_at }) => submitted_at,
    (one) => solveEvent(one, undefined, titleLink(one, site.basePath)),
    (day) => html`<h2 class="day">${day}</h2>`,
  );
  return renderPage(visit, {
    path: submissionsPath,
    title: words('submissions.title'),
    sub: words('submissions.sub', { zone: zoneLabel() }),
    total,
    countText: words('submissions.found', { count: total }),
    filter: dayRangeText(from, to),
    notice: daysNotice(leftOut, from, to),
    content:
      shown.length === 0
        ? emptyDays(visit, from + to + (query.get('after') ?? '') !== '' ? submissionsPath : undefined, {
            heading: words('submissions.nothing'),
            text: words('submissions.nothingText'),
            actions: html`
              ${linkButton(site.basePath + handlesPath, words('today.link'))}
              ${findProblemLink(site.basePath)}`,
          })
        : html`${unheadedPanel({ label: words('submissions.title') }, html`${events}`)}${older}`,
  });
}

function parseCursor(text: string): SubmissionCursor | undefined {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)~([^\0]{1,100})$/.exec(text.toWellFormed()) ?? [];
  return at === undefined || id === undefined ? undefined : { at, id };
}

const titleLink = ({ problem_id: id, title }: ListedSolve, basePath: string) =>
  id !== null && problemLink(basePath, { id, title: title ?? '' });

async function showDays(visit: MemberVisit): Promise<PageResult> {
  const { store, member, query, site, days } = visit;
  const { date, oneOf, leftOut } = readProblemFilter(query);
  const [from, to] = [date('from'), date('to')];
  const isStreakOnly = oneOf('active', ['streak']) === 'streak';
  const before = dayOf(date('before'));
  const filter = { from: dayOf(from), to: dayOf(to), isStreakOnly };
  const all = await listActiveDays(store.reader, member.user_id, days, filter);
  const matching = all.filter((day) => before === undefined || day < before);
  const pageDays = new Set(matching.slice(-daysPerPage));
  const [first, last] = [Math.min(...pageDays), Math.max(...pageDays)];
  const shown =
    pageDays.size === 0
      ? []
      : (await readActivity(store.reader, member.user_id, days, [first, last]))
          .filter(({ day }) => pageDays.has(Number(day)))
          .toReversed();
  const older = matching.length > pageDays.size && olderButton(visit, { before: dateOf(first) });
  return renderPage(visit, {
    path: daysPath,
    title: words('dayList.title'),
    sub: words('dayList.sub'),
    total: all.length,
    countText: words(isStreakOnly ? 'dayList.foundOfStreaks' : 'dayList.found', { count: all.length }),
    filter: dayRangeText(from, to),
    notice: daysNotice(leftOut, from, to),
    content:
      shown.length === 0
        ? emptyDays(visit, from + to !== '' || before !== undefined ? daysPath : undefined, {
            heading: words('dayList.nothing'),
            text: words('dayList.nothingText'),
            actions: findProblemLink(site.basePath),
          })
        : html`${dayTable(shown, site.basePath)}${older}`,
  });
}

/** `allPath` is the list without a filter. It is undefined if none is set, and `firstSteps` is shown instead. */
function emptyDays(
  { site }: MemberVisit,
  allPath: string | undefined,
  firstSteps: Parameters<typeof emptyPanel>[0],
): Html {
  if (allPath === undefined) return emptyPanel(firstSteps);
  const actions = linkButton(site.basePath + allPath, words('progress.allTime'));
  return emptyPanel({ text: words('progress.nothing'), actions });
}

function dayTable(rows: readonly ActivityRow[], basePath: string): Html {
  const hasReviews = rows.some(({ reviews }) => reviews > 0n);
  const names = (['day', 'all', 'solved', 'first', 'reviews', 'hardest'] as const).filter(
    (name) => name !== 'reviews' || hasReviews,
  );
  const line = (row: ActivityRow) => {
    const day = Number(row.day);
    const range: DayRange = [day, day];
    const cells = [
      countLink(row.submissions, basePath + submissionsLink(range)),
      countLink(row.solved, basePath + solvedLink(range)),
      countLink(row.first_solves, basePath + firstSolvesLink(range)),
      ...(hasReviews ? [thousands.format(row.reviews)] : []),
      hardestIn(row.hardest)?.text ?? '–',
    ];
    return html`
      <tr data-day="${dateOf(day)}">
        <th scope="row">${dayWithWeekday(day)}</th>
        ${cells.map((one) => html`<td>${one}</td>`)}
      </tr>`;
  };
  const heads = names.map((name) => words(`dayList.head.${name}`));
  const table = plainTable({ heads, rows: rows.map(line), className: 'day-list' });
  return unheadedPanel({}, scrollable(words('dayList.title'), table));
}

function olderButton({ site, path, query }: MemberVisit, changes: Readonly<Record<string, string>>): Html {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return html`<p>${linkButton(`${site.basePath}${path}?${next}`, words('log.older'))}</p>`;
}

function daysNotice(leftOut: readonly IgnoredParameter[], from: string, to: string): Html | undefined {
  const isReversed = from !== '' && to !== '' && from > to;
  const first = dayRangeText(from, from);
  return filterNotice(leftOut, isReversed ? [words('asked.daysWrong', { from: first, to: dayRangeText(to, to) })] : []);
}

interface DaysPage {
  path: string;
  title: string;
  sub: string;
  total: number;
  countText: string;
  /** The range of days in words; empty for all days. */
  filter: string;
  notice: Html | undefined;
  content: Html;
}

function renderPage(
  visit: MemberVisit,
  { path, title, sub, total, countText, filter, notice, content }: DaysPage,
): PageResult {
  const { basePath } = visit.site;
  const kinds = [
    [submissionsPath, words('submissions.title')],
    [daysPath, words('dayList.title')],
  ] as const;
  const actions = segmentedLinks(
    words('progress.activity'),
    kinds.map(([to, text]) => [basePath + to, text, to === path] as const),
  );
  return {
    html: frame(
      visit,
      { title, current: progressPath, kind: 'p-history', styles: ['pictures.css'] },
      html`
        ${pageHead(title, { sub, actions })}
        ${progressTabs(basePath, submissionsPath)}
        ${notice}
        <div class="results-head">
          <p class="found" data-total="${total}">${countText}</p>
          ${filter !== '' && filterChips([[basePath + path, filter]])}
        </div>
        <div class="stack">${content}</div>`,
    ),
  };
}
