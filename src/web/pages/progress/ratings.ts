/** Ratings at judges: a chart for each judge, and what the member practised in the six weeks before a contest. */

import { type HandleHealth, handleHealth } from '../../../jobs/sync-health.ts';
import type { Rank } from '../../../judges/judge.ts';
import { contestPageOf, judgeName, judgeOf } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { type ContestTaken, performancesOf, readContestsTaken } from '../../../practice/performances.ts';
import { readPreferences } from '../../../practice/preferences.ts';
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
import { type RatingEntry, rankName, rankOf, ratingPicture, signed } from '../../drawing/charts/rating-picture.ts';
import { modelsFor, performanceHint, performanceText } from '../../kit/chance.ts';
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
import {
  contestsPath,
  handlesPath,
  problemsPath,
  progressPath,
  ratingsPath,
  roundPath,
  upcomingPath,
} from '../../paths.ts';
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
  const taken = await readTakenEntries(visit);
  const latest = new Map<string, string>();
  for (const { source, at } of [...rows.map((row) => ({ source: row.source, at: row.rated_at })), ...taken])
    if (at > (latest.get(source) ?? '')) latest.set(source, at);
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
  const performances = taken.filter((one) => one.source === source);
  const judgeHealths = healths.filter((one) => one.source === source);
  const content = html`
    ${pageHead(title, { actions: filterLinks(basePath, request, sources) })}
    ${tabs}
    ${filterNotice(leftOut)}
    <div class="stack">
      ${await healthLines(visit, judgeHealths)}
      ${
        rated.length + performances.length === 0
          ? await notRated(visit, source)
          : await judgePanels(visit, request, rated, performances)
      }
    </div>`;
  return { html: frame(visit, { ...options, styles }, content) };
}

async function readTakenEntries({ store, member, site, days }: MemberVisit): Promise<TakenEntry[]> {
  const models = modelsFor(await readPreferences(store.reader, member.user_id));
  const taken = await readContestsTaken(store.reader, member.user_id, [...models.keys()], Date.now());
  return taken.flatMap(({ id, at, title, kind, key, rows }) =>
    performancesOf(models, rows).map((own) => ({
      source: own.source,
      at,
      day: days.at(Date.parse(at)),
      title,
      href: site.basePath + (kind === 'round' ? roundPath(id) : contestHref(own.source, key)),
      kind,
      key,
      performance: { strength: own.strength, text: performanceText([own]) },
    })),
  );
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

async function judgePanels(
  visit: MemberVisit,
  request: RatingsRequest,
  all: readonly RatingChange[],
  performances: readonly TakenEntry[],
): Promise<Html> {
  const { store, site, days } = visit;
  const { basePath } = site;
  const { source } = request;
  const today = days.at(Date.now());
  const ranks: readonly Rank[] = judgeOf(source)?.ranks ?? [];
  const practice = await readPractice(store.reader, visit, source);
  const spanLength = lengthOfSpan[request.span];
  const last = all.at(-1);
  const first = Math.min(today, ...[...all, ...performances].map(({ day }) => day));
  const earliest = Math.min(first, practice.solved[0]?.day ?? today);
  const from = spanLength === undefined ? Math.max(earliest, first - spanDays) : today + 1 - spanLength;
  const range = { from, to: today };
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
  const entries = entriesOf(all, performances, hrefOf);
  const shownEntries = entries.filter(({ day }) => day >= range.from);
  const weekCounts = solvedByWeek(range, weeksBefore ?? spanBefore(today), practice);
  const picture = { ranks, lines, entries: shownEntries, range, selected, weeksBefore, solvedHref, weekCounts };
  const weeks = { source, changes: sameHandle, practice, today, solvedHref };
  const isEarlier = shownEntries.length === 0;
  const listed = { entries: isEarlier ? entries : shownEntries, isEarlier, selected, handles };
  return html`
    ${panel(
      { id: 'ratings', heading: judgeName(source), more: { 'data-judge': source } },
      html`
        ${last && currentRating(all, last, ranks, shown.length, handles)}
        ${
          shownEntries.length > 0
            ? html`
              ${ratingPicture(picture)}
              ${legend(lines, performances.length > 0)}
              ${tableOf(source, shownEntries, lines.length > 1)}`
            : html`<p class="says">${words('progress.nothing')}</p>`
        }`,
    )}
    <div class="two even-two">
      ${selected && weeksBefore && (await weeksPanel(visit, { ...weeks, selected, weeks: weeksBefore }))}
      ${contestsPanel(basePath, request, listed, performances.length > 0)}
    </div>`;
}

type TakenEntry = RatingEntry & Pick<ContestTaken, 'key'> & { source: string };

const contestHref = (source: string, contest: string) => `${problemsPath}?${new URLSearchParams({ source, contest })}`;

/** The oldest comes first. */
function entriesOf(
  all: readonly RatingChange[],
  performances: readonly TakenEntry[],
  hrefOf: (one: RatingChange) => string,
): RatingEntry[] {
  const byKey = new Map(performances.map((one) => [one.key, one]));
  const rated = all.map((one): RatingEntry => {
    const { at, day, title, contest } = one;
    return { at, day, title, href: hrefOf(one), rated: one, performance: byKey.get(contest)?.performance };
  });
  const ratedKeys = new Set(all.map(({ contest }) => contest));
  const others = performances.filter(({ key }) => !ratedKeys.has(key));
  return [...rated, ...others].toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function tableOf(source: string, shown: readonly RatingEntry[], hasHandles: boolean): Html {
  const hasPerformances = shown.some(({ performance }) => performance);
  return tableOfChart(
    words('progress.asTable', { name: words('ratings.of', { judge: judgeName(source) }) }),
    [
      words('ratings.contest'),
      words('ratings.day'),
      words('ratings.rank'),
      words('ratings.rating'),
      words('ratings.change'),
      ...(hasPerformances ? [words('performance.title')] : []),
    ],
    shown.toReversed().map(({ href, title, at, rated, performance }) => [
      html`
        <a href="${href}">${title}</a>
        ${hasHandles && rated && html` <bdi class="faint">${rated.handle}</bdi>`}`,
      dateElement(at),
      rankText(rated),
      rated ? String(rated.rating) : '–',
      rated?.change === undefined ? '–' : signed(rated.change),
      ...(hasPerformances ? [performance?.text ?? '–'] : []),
    ]),
  );
}

const rankText = (rated: RatingChange | undefined) =>
  rated?.place === undefined ? '–' : thousands.format(rated.place);

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

function legend(lines: readonly (readonly RatingChange[])[], hasPerformances: boolean): Html {
  return html`
    <p class="legend rating-legend">
      ${
        lines.length > 1 &&
        lines.map(
          ([first], index) =>
            html`<span data-line="${index === 0 ? 'first' : 'other'}"><bdi>${first?.handle}</bdi></span>`,
        )
      }
      ${hasPerformances && html`<span data-line="worth">${words('performance.title')}</span>`}
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

interface ListedContests {
  entries: readonly RatingEntry[];
  /** None of them is in the chosen days. */
  isEarlier: boolean;
  selected: RatingChange | undefined;
  handles: number;
}

/** Each rated contest links to the weeks before it. */
function contestsPanel(
  basePath: string,
  request: RatingsRequest,
  { entries, isEarlier, selected, handles }: ListedContests,
  hasPerformances: boolean,
): Html {
  const newest = entries.toReversed();
  const selectedIndex = Math.max(
    0,
    newest.findIndex(({ rated }) => rated && rated === selected),
  );
  const start = Math.max(0, Math.min(selectedIndex - 1, newest.length - contestsShown));
  const visible = request.showsAll ? newest : newest.slice(start, start + contestsShown);
  const row = ({ at, title, href, kind = 'live', rated, performance }: RatingEntry) => html`
    <tr${attr('aria-current', rated && rated === selected && 'true')}>
      <th scope="row">
        <a href="${href}">${title}</a>
        <span class="soft">
          ${kind !== 'live' && html`<span class="tag">${words(kindWords[kind])}</span> `}
          ${dateElement(at)}${handles > 1 && rated && html` <bdi>${rated.handle}</bdi>`}
        </span>
      </th>
      <td class="num">${rankText(rated)}</td>
      <td class="num">
        ${rated ? html`<b>${rated.rating}</b> ${rated.change !== undefined && delta(rated.change)}` : '–'}
      </td>
      ${hasPerformances && html`<td class="num">${performance?.text ?? '–'}</td>`}
    </tr>`;
  const beside =
    newest.length > visible.length &&
    html`
      <a href="${basePath}${addressWith(request, { showsAll: true })}">
        ${words('ratings.showAll', { count: newest.length })}
      </a>`;
  const heads = [words('ratings.contest'), words('ratings.rank'), words('ratings.rating')];
  if (hasPerformances) heads.push(words('performance.title'));
  return panel(
    { id: 'contests', heading: words(isEarlier ? 'ratings.earlier' : 'contests.title'), beside },
    html`
      ${plainTable({ heads, rows: visible.map(row), className: 'rated-contests' })}
      ${hasPerformances && performanceHint(basePath)}`,
  );
}

const kindWords = { virtual: 'contests.taken.virtual', gym: 'filters.gym', round: 'upcoming.round' } as const;

function noHandle(basePath: string): Html {
  return emptyPanel({
    picture: illustration('seedlings'),
    heading: words('ratings.noHandle'),
    text: words('ratings.noHandleText'),
    actions: linkButton(basePath + handlesPath, words('today.link'), { symbol: 'sync', kind: 'primary' }),
  });
}
