/** Ratings at judges: a chart for each judge, and what the member practised in the six weeks before a contest. */

import { type HandleHealth, handleHealth } from '../../../jobs/sync-health.ts';
import type { Rank } from '../../../judges/judge.ts';
import { contestPageOf, judgeName, judgeOf } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { isDated, listOutcomes } from '../../../practice/progress.ts';
import {
  type DaySpan,
  figuresOfSpan,
  type PracticeHistory,
  type RatingChange,
  ratingChanges,
  ratingOn,
  type SpanFigures,
  solvedByWeek,
  spanBefore,
  spanDays,
  topicsSolved,
  upsolvedOf,
  usualFigures,
} from '../../../practice/rating-history.ts';
import { findContestsByKeys, listAttendedContests, listGridProblems } from '../../../store/contests.ts';
import { listRatings } from '../../../store/ratings.ts';
import type { Db } from '../../../store/tables.ts';
import { tableOfChart } from '../../drawing/charts/plot.ts';
import { rankName, rankOf, ratingPicture, signed } from '../../drawing/charts/rating-picture.ts';
import { dateElement, moment } from '../../kit/dates.ts';
import { shortDay } from '../../kit/day-links.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { illustration } from '../../kit/icons.ts';
import { countLink, linkButton, segmentedLinks } from '../../kit/links.ts';
import { problemLink, webLink } from '../../kit/marks.ts';
import { nextContest } from '../../kit/next-contest.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { filterNotice, type ProblemQuery, queryFor, queryString, readProblemFilter } from '../../kit/problem-query.ts';
import { healthLine, healthText, isSyncing } from '../../kit/sync-health.ts';
import { plainTable } from '../../kit/table.ts';
import { attr, type Html, html } from '../../markup.ts';
import { contestsPath, handlesPath, problemsPath, progressPath, ratingsPath, upcomingPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

export const ratingPages: readonly PageRoute<MemberVisit>[] = [{ path: ratingsPath, get: show }];

const lengthOfSpan = { all: undefined, year: 365, '90': 90 } as const;
type SpanName = keyof typeof lengthOfSpan;
const spanNames = ['all', 'year', '90'] as const satisfies SpanName[];

interface RatingsRequest {
  source: string;
  span: SpanName;
  contest: string;
  /** Tells apart two handles of the member that were rated in the same contest. */
  handle: string;
  showsAll: boolean;
}

/** The address of the page after these changes, without default values. */
function addressWith(request: RatingsRequest, changes: Partial<RatingsRequest>): string {
  const { source, span, contest, handle, showsAll } = { ...request, ...changes };
  const pairs: [string, string][] = [['source', source]];
  if (span !== 'year') pairs.push(['span', span]);
  if (contest) pairs.push(['contest', contest]);
  if (contest && handle) pairs.push(['handle', handle]);
  if (showsAll) pairs.push(['rows', 'all']);
  return `${ratingsPath}?${new URLSearchParams(pairs)}`;
}

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query, days } = visit;
  const { basePath } = site;
  const { user_id } = member;
  const rows = await listRatings(store.reader, { userId: user_id });
  const healths = (await handleHealth(store.reader, new Date(), user_id)).filter(
    ({ ratings }) => ratings !== undefined,
  );
  const latest = new Map(rows.map(({ source, rated_at }) => [source, rated_at]));
  const byLatest = [...latest].sort(([, a], [, b]) => (a < b ? 1 : -1)).map(([source]) => source);
  const sources = [...new Set([...byLatest, ...healths.map(({ source }) => source)])];
  const { text, oneOf, leftOut } = readProblemFilter(query);
  const title = words('frame.progress');
  const [first] = sources;
  const options = { title: words('ratings.title'), current: progressPath, kind: 'p-ratings' };
  const styles = ['pictures.css', 'ratings.css'] as const;
  const tabs = progressTabs(basePath, ratingsPath);
  if (first === undefined)
    return { html: frame(visit, { ...options, styles }, html`${pageHead(title)}${tabs}${noHandle(basePath)}`) };
  const requestedSource = text('source');
  const request: RatingsRequest = {
    source: sources.find((one) => one === requestedSource) ?? first,
    span: oneOf('span', spanNames) ?? 'year',
    contest: text('contest'),
    handle: text('handle'),
    showsAll: oneOf('rows', ['all']) === 'all',
  };
  const { source } = request;
  const rated = ratingChanges(
    rows.filter((row) => row.source === source),
    days,
  );
  const judgeHealths = healths.filter((one) => one.source === source);
  const content = html`
    ${pageHead(title, { actions: filterLinks(basePath, request, sources) })}
    ${tabs}
    ${filterNotice(leftOut)}
    <div class="stack">
      ${await healthLines(visit, judgeHealths)}
      ${rated.length === 0 ? await notRated(visit, source) : await judgePanels(visit, request, rated)}
    </div>`;
  return { html: frame(visit, { ...options, styles }, content) };
}

async function notRated(visit: MemberVisit, source: string): Promise<Html> {
  const next = await nextContest(visit, new Set([source]));
  return emptyPanel({
    heading: words('ratings.none'),
    text: words('ratings.noneText', { judge: judgeName(source) }),
    picture: illustration('seedlings'),
    actions: next ?? linkButton(visit.site.basePath + upcomingPath, words('feeds.see'), { symbol: 'today' }),
  });
}

function filterLinks(basePath: string, request: RatingsRequest, sources: readonly string[]): Html {
  const names = { all: words('progress.allTime'), year: words('progress.aYear'), '90': words('progress.ninetyDays') };
  const addressAt = (changes: Partial<RatingsRequest>) => basePath + addressWith(request, changes);
  const judges = sources.map(
    (source) => [addressAt({ source, contest: '' }), judgeName(source), source === request.source] as const,
  );
  return html`
    ${sources.length > 1 && segmentedLinks(words('filters.judge'), judges)}
    ${segmentedLinks(
      words('progress.days'),
      spanNames.map((span) => [addressAt({ span }), names[span], span === request.span] as const),
    )}`;
}

/** The handles whose ratings cannot be synced now. */
async function healthLines(visit: MemberVisit, handleHealths: readonly HandleHealth[]): Promise<Html> {
  const isOn = await isSyncing(visit);
  const line = ({ ratings, handle, state }: HandleHealth) =>
    ratings?.state === 'failing' &&
    state !== 'demo' &&
    unheadedPanel(
      { more: { 'data-fault': '' } },
      html`
        <p><b><bdi>${handle}</bdi></b></p>
        ${healthLine(healthText(ratings, isOn))}`,
    );
  return html`${handleHealths.map(line)}`;
}

async function readPractice(db: Db, { member, days }: MemberVisit, source: string): Promise<PracticeHistory> {
  const outcomes = await listOutcomes(db, member.user_id, days);
  const solved = outcomes.filter((one) => one.isSolved && isDated(one));
  const contests = await listAttendedContests(db, member.user_id, source);
  const places = await listGridProblems(
    db,
    contests.map(({ id }) => id),
  );
  const virtual = contests
    .filter(({ live }) => live === 0n)
    .map((contest) => ({ contest, day: days.at(Date.parse(contest.first_at)) }));
  return { solved, virtual, upsolved: upsolvedOf(solved, contests, places) };
}

async function judgePanels(visit: MemberVisit, request: RatingsRequest, all: readonly RatingChange[]): Promise<Html> {
  const { store, site, days } = visit;
  const { basePath } = site;
  const { source } = request;
  const today = days.at(Date.now());
  const ranks: readonly Rank[] = judgeOf(source)?.ranks ?? [];
  const practice = await readPractice(store.reader, visit, source);
  const spanLength = lengthOfSpan[request.span];
  const last = all.at(-1);
  const earliest = Math.min(all[0]?.day ?? today, practice.solved[0]?.day ?? today);
  const range = {
    from: spanLength === undefined ? Math.max(earliest, (all[0]?.day ?? today) - spanDays) : today + 1 - spanLength,
    to: today,
  };
  const shown = all.filter(({ day }) => day >= range.from);
  const inContest = all.filter(({ contest }) => contest === request.contest);
  const selected =
    inContest.find(({ handle }) => handle === request.handle) ?? inContest.at(-1) ?? shown.at(-1) ?? last;
  const weeksBefore = selected && spanBefore(selected.day);
  const sameHandle = all.filter(({ handleId }) => handleId === selected?.handleId);
  const handles = new Set(all.map(({ handleId }) => handleId)).size;
  const hrefOf = ({ contest, handle }: RatingChange) =>
    basePath + addressWith(request, { contest, handle: handles > 1 ? handle : '' });
  const solvedHref = (span: DaySpan, changes: Partial<ProblemQuery> = {}) =>
    basePath +
    problemsPath +
    queryString(
      queryFor({
        status: 'complete',
        isFirstSolve: true,
        solvedFrom: dateOf(span.from),
        solvedTo: dateOf(span.to),
        ...changes,
      }),
    );
  const lines = [...Map.groupBy(shown, ({ handleId }) => handleId).values()].sort((a, b) =>
    (a.at(-1)?.at ?? '') < (b.at(-1)?.at ?? '') ? 1 : -1,
  );
  const picture =
    shown.length > 0 &&
    ratingPicture({
      ranks,
      lines,
      range,
      selected,
      weeksBefore,
      hrefOf,
      solvedHref,
      weekCounts: solvedByWeek(range, weeksBefore ?? spanBefore(today), practice),
    });
  const table = tableOf(source, shown, hrefOf, lines.length > 1);
  return html`
    ${panel(
      { id: 'ratings', heading: judgeName(source), more: { 'data-judge': source } },
      html`
        ${last && currentRating(all, last, ranks, shown.length, handles)}
        ${picture || html`<p class="says">${words('progress.nothing')}</p>`}
        ${lines.length > 1 && legend(lines)}
        ${shown.length > 0 && table}`,
    )}
    <div class="two even-two">
      ${
        selected &&
        weeksBefore &&
        (await weeksPanel(visit, {
          source,
          selected,
          weeks: weeksBefore,
          changes: sameHandle,
          practice,
          today,
          solvedHref,
        }))
      }
      ${contestsPanel(basePath, request, { shown: shown.length > 0 ? shown : all, selected, handles }, hrefOf)}
    </div>`;
}

function tableOf(
  source: string,
  shown: readonly RatingChange[],
  hrefOf: (one: RatingChange) => string,
  hasHandles: boolean,
): Html {
  return tableOfChart(
    words('progress.asTable', { name: words('ratings.of', { judge: judgeName(source) }) }),
    [
      words('ratings.contest'),
      words('ratings.day'),
      words('ratings.rank'),
      words('ratings.rating'),
      words('ratings.change'),
    ],
    shown.toReversed().map((one) => [
      html`
        <a href="${hrefOf(one)}">${one.title}</a>
        ${hasHandles && html` <bdi class="faint">${one.handle}</bdi>`}`,
      dateElement(one.at),
      one.place === undefined ? '–' : thousands.format(one.place),
      String(one.rating),
      one.change === undefined ? '–' : signed(one.change),
    ]),
  );
}

/** The present and the best rating of the handle that was rated last. */
function currentRating(
  all: readonly RatingChange[],
  last: RatingChange,
  ranks: readonly Rank[],
  count: number,
  handles: number,
): Html {
  const sameHandle = all.filter(({ handleId }) => handleId === last.handleId);
  const best = sameHandle.reduce((one, other) => (other.rating > one.rating ? other : one));
  const rank = rankOf(ranks, last.rating);
  const when = moment(best.at, 'date');
  const isBest = best.rating === last.rating;
  return html`
    <p class="rating-now">
      <span><b>${last.rating}</b> ${rank && rankName(rank)}</span>
      ${handles > 1 && html`<bdi>${last.handle}</bdi>`}
      <span>
        ${isBest ? richWords('ratings.isBest', { when }) : richWords('ratings.best', { rating: best.rating, when })}
      </span>
      <span>${words('ratings.count', { count })}</span>
    </p>`;
}

function legend(lines: readonly (readonly RatingChange[])[]): Html {
  return html`
    <p class="legend rating-legend">
      ${lines.map(
        ([first], index) =>
          html`<span data-line="${index === 0 ? 'first' : 'other'}"><bdi>${first?.handle}</bdi></span>`,
      )}
    </p>`;
}

interface PracticeWeeks {
  source: string;
  selected: RatingChange;
  weeks: DaySpan;
  /** The rated contests of the selected contest's handle. */
  changes: readonly RatingChange[];
  practice: PracticeHistory;
  today: number;
  solvedHref(days: DaySpan, changes?: Partial<ProblemQuery>): string;
}

const topicsShown = 4;

function weekFacts({ source, weeks, changes, practice, solvedHref }: PracticeWeeks, usual: Partial<SpanFigures>): Html {
  const figures = figuresOfSpan(weeks, source, changes, practice);
  const rating = ratingOn(changes, weeks.from);
  const links: Record<keyof SpanFigures, string> = {
    solved: solvedHref(weeks),
    above: solvedHref(weeks, { source, ratingMin: (rating ?? 0) + 1 }),
    virtual: '#virtual',
    upsolved: '#upsolved',
  };
  const fact = (name: keyof SpanFigures) => {
    const count = figures[name];
    if (count === undefined) return '';
    const href = links[name];
    // No other page lists these, so the link leads to the list below.
    const isBelow = href.startsWith('#');
    const shown = html`<b class="big">${count}</b>`;
    const figure = count === 0 ? shown : isBelow ? html`<a href="${href}">${shown}</a>` : countLink(count, href, shown);
    const beside =
      usual[name] !== undefined && html` <span class="soft">${words('ratings.usually', { count: usual[name] })}</span>`;
    const what = words(`ratings.figure.${name}`);
    return html`<div data-figure="${name}"><dt>${what}</dt><dd>${figure}${beside}</dd></div>`;
  };
  return html`<dl class="plain six-facts">${(['solved', 'above', 'virtual', 'upsolved'] as const).map(fact)}</dl>`;
}

function weekTopics({ weeks, practice, solvedHref }: PracticeWeeks): Html | '' {
  const topics = topicsSolved(weeks, practice, topicsShown);
  const most = topics[0]?.count ?? 1;
  if (topics.length === 0) return '';
  return html`
    <div>
      <h3>${words('ratings.topics')}</h3>
      <ul class="topic-bars">
        ${topics.map(
          ({ tag, count }) => html`
            <li>
              <span>${tag}</span>
              <progress class="bar" max="${most}" value="${count}" aria-hidden="true"></progress>
              ${countLink(count, solvedHref(weeks, { tags: [tag] }))}
            </li>`,
        )}
      </ul>
    </div>`;
}

function weekRows({ source, weeks, practice, today }: PracticeWeeks, basePath: string): Html {
  const isIn = ({ day }: { day: number }) => day >= weeks.from && day <= weeks.to;
  const rowsOf = (id: string, name: string, lines: readonly Html[]) =>
    lines.length > 0 &&
    html`
      <details class="as-table">
        <summary>${name}</summary>
        <ul class="plain" id="${id}">${lines.map((line) => html`<li>${line}</li>`)}</ul>
      </details>`;
  return html`
    ${rowsOf(
      'virtual',
      words('ratings.figure.virtual'),
      practice.virtual.filter(isIn).map(
        ({ contest, day }) => html`
          <a href="${basePath}${contestsPath}?${new URLSearchParams({ source, q: contest.key })}">${contest.title}</a>
          <span class="faint">${shortDay(day, today)}</span>`,
      ),
    )}
    ${rowsOf(
      'upsolved',
      words('ratings.figure.upsolved'),
      practice.upsolved.filter(isIn).map(
        ({ problem, day }) => html`
          ${problemLink(basePath, problem)} <span class="faint">${shortDay(day, today)}</span>`,
      ),
    )}`;
}

async function weeksPanel(visit: MemberVisit, span: PracticeWeeks): Promise<Html> {
  const { source, selected, weeks, changes, practice, today } = span;
  const { basePath } = visit.site;
  const usual = usualFigures(weeks, today, source, changes, practice);
  const [contest] = await findContestsByKeys(visit.store.reader, source, [selected.contest]);
  const grid = `${basePath}${contestsPath}?${new URLSearchParams({ source, q: selected.contest })}`;
  const addresses = await listJudgeAddresses(visit.store.reader, visit.website.judgeUrls);
  const address = contestPageOf({ source, key: selected.contest }, addresses);
  const page = webLink(address, words('ratings.onJudge', { judge: judgeName(source) }));
  return panel(
    { id: 'weeks', heading: richWords('ratings.sixWeeks', { day: shortDay(selected.day, today) }) },
    html`
      <p class="soft">
        <span>${selected.title}${selected.change !== undefined && html` ${delta(selected.change)}`}</span>
        ${contest && html` · <a href="${grid}">${words('ratings.inGrid')}</a>`}${page && html` · ${page}`}
      </p>
      <div class="six-grid">
        ${weekFacts(span, usual)}
        ${weekTopics(span)}
      </div>
      ${weekRows(span, basePath)}
      <p class="faint hint">
        ${Object.keys(usual).length > 0 && `${words('ratings.usuallyText')} `}${words('ratings.notWhy')}
      </p>`,
  );
}

const delta = (change: number) => html`<span class="delta ${change < 0 ? 'down' : 'up'}">${signed(change)}</span>`;

const contestsShown = 6;

/** Each contest links to the weeks before it. */
function contestsPanel(
  basePath: string,
  request: RatingsRequest,
  { shown, selected, handles }: { shown: readonly RatingChange[]; selected: RatingChange | undefined; handles: number },
  hrefOf: (rated: RatingChange) => string,
): Html {
  const newest = shown.toReversed();
  const selectedIndex = selected ? Math.max(0, newest.indexOf(selected)) : 0;
  const start = Math.max(0, Math.min(selectedIndex - 1, newest.length - contestsShown));
  const visible = request.showsAll ? newest : newest.slice(start, start + contestsShown);
  const row = (one: RatingChange) => html`
    <tr${attr('aria-current', one === selected && 'true')}>
      <th scope="row">
        <a href="${hrefOf(one)}">${one.title}</a>
        <span class="soft">${dateElement(one.at)}${handles > 1 && html` <bdi>${one.handle}</bdi>`}</span>
      </th>
      <td class="num">${one.place === undefined ? '–' : thousands.format(one.place)}</td>
      <td class="num"><b>${one.rating}</b> ${one.change !== undefined && delta(one.change)}</td>
    </tr>`;
  const beside =
    newest.length > visible.length &&
    html`
      <a href="${basePath}${addressWith(request, { showsAll: true })}">
        ${words('ratings.showAll', { count: newest.length })}
      </a>`;
  const heads = [words('ratings.contest'), words('ratings.rank'), words('ratings.rating')];
  return panel(
    { id: 'contests', heading: words('contests.title'), beside },
    plainTable({ heads, rows: visible.map(row), className: 'rated-contests' }),
  );
}

function noHandle(basePath: string): Html {
  return emptyPanel({
    picture: illustration('seedlings'),
    heading: words('ratings.noHandle'),
    text: words('ratings.noHandleText'),
    actions: linkButton(basePath + handlesPath, words('today.link'), { symbol: 'sync', kind: 'primary' }),
  });
}
