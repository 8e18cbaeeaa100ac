/** The pages behind the figures of days: all submissions of a member by day, and their days one by one. */

import { type ActivityRow, betweenDays, listActiveDays, readActivity } from '../../../practice/activity.ts';
import { dateOf, dayOf } from '../../../practice/days.ts';
import { countSubmissions, type ListedSolve, listSubmissions, type SubmissionPlace } from '../../../store/solves.ts';
import { hardestIn } from '../../drawing/charts/year.ts';
import { solveEvent } from '../../kit/changes.ts';
import { dayHeading } from '../../kit/dates.ts';
import {
  type DayRange,
  daysText,
  figureLink,
  firstSolvesLink,
  namedDay,
  solvedLink,
  submissionsLink,
} from '../../kit/day-links.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { askedBy, filterNotice, type LeftOut } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
import { daysPath, problemPath, progressPath, submissionsPath } from '../../paths.ts';
import { dayAt, zoneWords } from '../../road/clock.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

const submissionsPerPage = 50;
const daysPerPage = 100;

export const daysPages: readonly PageRoute<MemberVisit>[] = [
  { path: submissionsPath, show: showSubmissions },
  { path: daysPath, show: showDays },
];

async function showSubmissions(visit: MemberVisit): Promise<Answer> {
  const { store, member, query, site, days } = visit;
  const { date, leftOut } = askedBy(query);
  const [from, to] = [date('from'), date('to')];
  const between = betweenDays(days, dayOf(from), dayOf(to));
  const after = placeIn(query.get('after') ?? '');
  const total = await countSubmissions(store.reader, member.user_id, between);
  const found = await listSubmissions(store.reader, member.user_id, between, after, submissionsPerPage + 1);
  const shown = found.slice(0, submissionsPerPage);
  const last = shown.at(-1);
  const byDay = Map.groupBy(shown, ({ submitted_at }) => dayAt(submitted_at));
  const older =
    found.length > shown.length && last
      ? olderLink(visit, { after: `${last.submitted_at}~${last.submission_id}` })
      : '';
  const list = html`
    <section class="panel" aria-label="${words('submissions.title')}">
      <ol class="days">
        ${[...byDay].map(
          ([date, some]) =>
            html`
              <li>
                <h2 class="day">${dayHeading(date)}</h2>
                <ol class="events">${some.map((one) => solveEvent(one, undefined, nameOf(one, site.basePath)))}</ol>
              </li>`,
        )}
      </ol>
    </section>
    ${older}`;
  const content = html`${
    shown.length === 0 ? nothing(words('submissions.nothing'), words('submissions.nothingText')) : list
  }`;
  return pageOf(visit, {
    path: submissionsPath,
    title: words('submissions.title'),
    sub: words('submissions.sub', { zone: zoneWords() }),
    total,
    found: words('submissions.found', { count: total }),
    filter: daysText(from, to),
    notice: daysNotice(leftOut, from, to),
    content,
  });
}

function placeIn(text: string): SubmissionPlace | undefined {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)~([^\0]{1,100})$/.exec(text.toWellFormed()) ?? [];
  return at === undefined || id === undefined ? undefined : { at, id };
}

function nameOf({ problem_id, title }: ListedSolve, basePath: string): Html | '' {
  return problem_id === null ? '' : html`<a href="${basePath}${problemPath(problem_id)}">${title}</a>`;
}

async function showDays(visit: MemberVisit): Promise<Answer> {
  const { store, member, query, site, days } = visit;
  const { date, oneOf, leftOut } = askedBy(query);
  const [from, to] = [date('from'), date('to')];
  const isStreak = oneOf('active', ['streak']) === 'streak';
  const before = dayOf(date('before'));
  const filter = { from: dayOf(from), to: dayOf(to), isStreak };
  const all = await listActiveDays(store.reader, member.user_id, days, filter);
  const found = all.filter((day) => before === undefined || day < before);
  const listed = new Set(found.slice(-daysPerPage));
  const [first, last] = [Math.min(...listed), Math.max(...listed)];
  const shown =
    listed.size === 0
      ? []
      : (await readActivity(store.reader, member.user_id, days, [first, last]))
          .filter(({ day }) => listed.has(Number(day)))
          .toReversed();
  const older = found.length > listed.size ? olderLink(visit, { before: dateOf(first) }) : '';
  const content =
    shown.length === 0
      ? nothing(words('dayList.nothing'), words('dayList.nothingText'))
      : html`${dayTable(shown, site.basePath)}${older}`;
  return pageOf(visit, {
    path: daysPath,
    title: words('dayList.title'),
    sub: words('dayList.sub'),
    total: all.length,
    found: isStreak
      ? words('dayList.foundOfStreaks', { count: all.length })
      : words('dayList.found', { count: all.length }),
    filter: daysText(from, to),
    notice: daysNotice(leftOut, from, to),
    content,
  });
}

function dayTable(rows: readonly ActivityRow[], basePath: string): Html {
  const hasReviews = rows.some(({ reviews }) => reviews > 0n);
  const heads = (['day', 'all', 'solved', 'first', 'reviews', 'hardest'] as const).filter(
    (name) => name !== 'reviews' || hasReviews,
  );
  const line = (row: ActivityRow) => {
    const day = Number(row.day);
    const range: DayRange = [day, day];
    const cells = [
      figureLink(row.submissions, basePath + submissionsLink(range)),
      figureLink(row.solved, basePath + solvedLink(range)),
      figureLink(row.first_solves, basePath + firstSolvesLink(range)),
      ...(hasReviews ? [thousands.format(row.reviews)] : []),
      hardestIn(row.hardest)?.text ?? '–',
    ];
    return html`
      <tr data-day="${dateOf(day)}">
        <th scope="row">${namedDay(day)}</th>
        ${cells.map((one) => html`<td>${one}</td>`)}
      </tr>`;
  };
  return html`
    <div class="panel">
      <div class="scroll" role="region" aria-label="${words('dayList.title')}" tabindex="0">
        <table class="day-list">
          <thead><tr>${heads.map((name) => html`<th scope="col">${words(`dayList.head.${name}`)}</th>`)}</tr></thead>
          <tbody>${rows.map(line)}</tbody>
        </table>
      </div>
    </div>`;
}

function nothing(title: string, text: string): Html {
  return html`<div class="panel empty"><h2>${title}</h2><p class="soft">${text}</p></div>`;
}

function olderLink({ site, path, query }: MemberVisit, changes: Readonly<Record<string, string>>): Html {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return html`<p><a class="button" href="${site.basePath}${path}?${next}">${words('log.older')}</a></p>`;
}

function daysNotice(leftOut: readonly LeftOut[], from: string, to: string): Html | '' {
  const isWrong = from !== '' && to !== '' && from > to;
  const first = daysText(from, from);
  return filterNotice(leftOut, isWrong ? [words('asked.daysWrong', { from: first, to: daysText(to, to) })] : []);
}

interface Listed {
  path: string;
  title: string;
  sub: string;
  total: number;
  found: string;
  /** The days in words; empty for all. */
  filter: string;
  notice: Html | '';
  content: Html;
}

function pageOf(visit: MemberVisit, { path, title, sub, total, found, filter, notice, content }: Listed): Answer {
  const { basePath } = visit.site;
  const chip =
    filter === ''
      ? ''
      : html`
        <ul class="chosen" aria-label="${words('filters.inForce')}">
          <li>
            <a class="chip on" href="${basePath}${path}">
              ${filter}
              <span class="sr">${words('filters.remove')}</span>
              ${icon('close')}
            </a>
          </li>
        </ul>`;
  return {
    html: frame(
      visit,
      { title, current: progressPath, kind: 'p-history', styles: ['pictures.css'] },
      html`
        ${pageHead(title, { sub, actions: activityKinds(basePath, path) })}
        ${progressTabs(basePath, submissionsPath)}
        ${notice}
        <div class="results-head"><p class="found" data-total="${total}">${found}</p>${chip}</div>
        <div class="stack">${content}</div>`,
    ),
  };
}

/** The two readings of what the member did: what they sent, and their days. */
function activityKinds(basePath: string, current: string): Html {
  const kinds = [
    [submissionsPath, words('submissions.title')],
    [daysPath, words('dayList.title')],
  ] as const;
  return html`
    <nav class="choices-line" aria-label="${words('progress.activity')}">
      ${kinds.map(
        ([path, text]) =>
          html`<a href="${basePath}${path}"${path === current ? html` aria-current="true"` : ''}>${text}</a>`,
      )}
    </nav>`;
}
