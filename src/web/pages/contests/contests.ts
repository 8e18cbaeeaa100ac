/** The grid of one judge's contests, in which members mark problems. */

import { parseInt64 } from '../../../contract/common.ts';
import type { ContestKind } from '../../../judges/judge.ts';
import { contestPageOf, hiddenContestWords, judgeName, judgeOf, shortTitle } from '../../../judges/judges.ts';
import { type JudgeAddresses, listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { setStatus, VersionConflict, versionOf } from '../../../practice/marks.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { bestSolveIn, endOf, isCancelled, phaseAt, triesOf } from '../../../practice/solve-settings.ts';
import {
  countContests,
  countGridContests,
  findContestYears,
  type GridContest,
  type GridFilter,
  type GridProblem,
  type GridSolve,
  listGridContests,
  listGridProblems,
  listGridSolves,
  listParticipations,
  type ParticipationSummary,
} from '../../../store/contests.ts';
import { findProblem } from '../../../store/problems.ts';
import type { State, StatusesTable } from '../../../store/statuses.ts';
import { findStatuses } from '../../../store/statuses.ts';
import { changeBar, returnAddress } from '../../kit/changes.ts';
import { contestSearch } from '../../kit/contest-search.ts';
import { moment } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { form, optionsOf } from '../../kit/form.ts';
import { contestTabs, frame, pageHead } from '../../kit/frame.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { countLink, linkButton, segmentedLinks } from '../../kit/links.ts';
import {
  memberStateIcon,
  problemLink,
  shownState,
  stateIcon,
  stateLabel,
  statusOrder,
  webLink,
} from '../../kit/marks.ts';
import { pager } from '../../kit/pager.ts';
import { emptyPanel, notice } from '../../kit/panel.ts';
import {
  addressFrom,
  defaultPageSize,
  filterNotice,
  type IgnoredParameter,
  readProblemFilter,
} from '../../kit/problem-query.ts';
import { switchForm } from '../../kit/problem-tabs.ts';
import { attr, type Html, html } from '../../markup.ts';
import { contestsPath, importsPath, problemPath, problemsPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { compareNames, sentence } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

/* The contests of a page, each with its problems in cells, whose buttons belong to one form below the grid. */

const markFormId = 'mark';
/** Further problems of a contest are collapsed, so that it does not fill the page. */
const cellsAtMost = 26;

interface Grid {
  basePath: string;
  /** Addresses of judges that differ from the built-in ones. */
  judgeAddresses: JudgeAddresses;
  places: ReadonlyMap<bigint, readonly GridProblem[]>;
  /** How the member took part, by contest. */
  participation: ReadonlyMap<bigint, ParticipationSummary>;
  statusOf(id: bigint): StatusesTable | undefined;
  solvesOf(id: bigint): readonly GridSolve[];
  hidesRatings: boolean;
  now: number;
}

function contestItem(contest: GridContest, grid: Grid): Html {
  const { id, source, key, title, starts_at } = contest;
  const places = (grid.places.get(id) ?? []).toSorted((a, b) => compareNames(a.position, b.position));
  const problems = new Set(places.flatMap((place) => place.id ?? []));
  const solved = [...problems].filter((one) => shownState(marksOf(one, grid)) === 'complete').length;
  const isDone = problems.size > 0 && solved === problems.size;
  const listUrl = `${grid.basePath}${problemsPath}?${new URLSearchParams({ source, contest: key })}`;
  const phase = phaseAt(contest, grid.now);
  const participation = grid.participation.get(id);
  const facts = [
    starts_at === null ? words('contests.noStart') : moment(starts_at, 'date'),
    isCancelled(contest) && words('upcoming.cancelled'),
    phase !== 'over' && html`<b class="phase">${words(`contests.phase.${phase}`)}</b>`,
    participation && words(`contests.taken.${participation.how}`),
    participation?.isTeam && words('participation.team'),
  ].filter(Boolean);
  const openText = words('contests.openOn', { title, judge: judgeName(source) });
  const judgePage = contestPageOf(contest, grid.judgeAddresses);
  const problemCount = problems.size;
  const countOf = (figure: Html, n: number, href: string, text: string) =>
    countLink(n, href, html`${figure}<span class="sr"> ${text}</span>`);
  const solvedCount = countOf(
    html`<b>${solved}</b>`,
    solved,
    `${listUrl}&status=complete`,
    words('contests.solvedIn', { title, count: solved }),
  );
  const allCount = countOf(html`${problemCount}`, problemCount, listUrl, words('contests.problemsIn', { title }));
  const counts = html`${solvedCount} ${words('contests.of')} ${allCount}${isDone && icon('check', 'done')}`;
  const cellList = (part: readonly GridProblem[]) =>
    part.length > 0 && html`<ol class="cells">${part.map((place) => placeCell(contest, place, grid))}</ol>`;
  const rest = places.slice(cellsAtMost);
  return html`
    <li class="contest" id="c${id}" data-contest="${key}">
      <div class="contest-head">
        <h2>
          <a href="${listUrl}" title="${title}">${shortTitle(contest)}</a> ${webLink(
            judgePage,
            html`${icon('out')}<span class="sr">${openText}</span>`,
            'out',
          )}
        </h2>
        <p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
        <p class="num count">
          ${problemCount === 0 ? html`<span class="faint">${words('contests.notYet')}</span>` : counts}
        </p>
      </div>
      ${cellList(places.slice(0, cellsAtMost))}
      ${
        rest.length > 0 &&
        html`
          <details class="rest">
            <summary>${words('contests.more', { count: rest.length })}</summary>
            ${cellList(rest)}
          </details>`
      }
    </li>`;
}

const marksOf = (id: bigint, grid: Grid) => ({ status: grid.statusOf(id), bookmark: undefined });

function outcomeOf(contest: GridContest, state: State, submissions: readonly GridSolve[]) {
  const solve = state === 'complete' ? bestSolveIn(contest, submissions) : undefined;
  const took = solve?.setting;
  if (took) {
    const how = words(`contests.took.${took}`);
    return { took, word: solve.isTeam ? words('contests.byTeam', { how }) : how };
  }
  if (state === 'complete') return { took, word: '' };
  const tries = triesOf(submissions);
  if (tries > 0) return { took, word: words('contests.tries', { count: tries }) };
  return { took, word: state === 'not_started' ? '' : stateLabel(state) };
}

function placeCell(contest: GridContest, place: GridProblem, grid: Grid): Html {
  const { position } = place;
  if (place.id === null)
    return html`
      <li class="cell gone">
        <span class="letter">${position}</span>
        <span class="title faint">${words('contests.notHere', { key: place.key })}</span>
      </li>`;
  const { id, title } = place;
  const marks = marksOf(id, grid);
  const state = shownState(marks);
  const isSolved = state === 'complete';
  const { took, word: text } = outcomeOf(contest, state, grid.solvesOf(id));
  const stateText = words('contests.stateOf', { title, state: stateLabel(state) });
  const action = words(isSolved ? 'marks.takeBackOf' : 'marks.markSolvedOf', { title });
  const next = isSolved ? 'not_started' : 'complete';
  return html`
    <li
      class="cell" id="c${contest.id}-${id}" data-problem="${id}" data-status="${state}"${attr('data-took', took)}
    >
      <a href="${grid.basePath}${problemPath(id)}" title="${title}">
        <span class="letter">${position}</span> <span class="title">${title}</span>
      </a>
      <p class="meta">
        ${place.rating !== null && (!grid.hidesRatings || isSolved) && difficulty(place)}
        <span class="took"${attr('title', text !== '' && text)}>${text}</span>
      </p>
      <button
        class="status-mark" form="${markFormId}" name="${markFormId}"
        value="${id}:${next}:${versionOf(marks.status)}:${contest.id}"
        title="${words(isSolved ? 'marks.takeBack' : 'marks.markSolved')}"
      >
        ${memberStateIcon(marks)}
        <span class="sr">${sentence(stateText)} ${action}</span>
      </button>
    </li>`;
}

/* The address of the contest grid: its judge, filters and page. */

const gridSizes = [defaultPageSize, 50, 100] as const;
const showOptions = ['taken', 'begun', 'done'] as const;

interface ContestQuery {
  source: string;
  /** Private training in place of the judge's own contests. */
  isGym: boolean;
  q: string;
  kind: string;
  year: number | undefined;
  show: (typeof showOptions)[number] | '';
  hidesDone: boolean;
  page: number;
  perPage: number;
  /** Invalid parameters of the address. */
  ignored: readonly IgnoredParameter[];
}

function readContestQuery(query: URLSearchParams, defaultSource: string): ContestQuery {
  const { leftOut, text, oneOf, isTrue, number } = readProblemFilter(query);
  const source = text('source') || defaultSource;
  const isGym = isTrue('gym');
  const kinds = kindsOf(source).map(({ name }) => name);
  return {
    source,
    isGym,
    q: text('q'),
    kind: oneOf('kind', kinds) ?? '',
    year: number('year', 1900, 2099),
    show: oneOf('show', showOptions) ?? '',
    hidesDone: isTrue('hide_done'),
    page: number('page', 1, 999_999) ?? 1,
    perPage: Number(oneOf('per_page', gridSizes.map(String)) ?? defaultPageSize),
    ignored: leftOut,
  };
}

function kindsOf(source: string): readonly ContestKind[] {
  return judgeOf(source)?.contestKinds ?? [];
}

const parameterNames = {
  source: 'source',
  isGym: 'gym',
  q: 'q',
  kind: 'kind',
  year: 'year',
  show: 'show',
  hidesDone: 'hide_done',
  page: 'page',
  perPage: 'per_page',
} as const;
const defaultQuery = readContestQuery(new URLSearchParams(), '');

/** Default values are left out. Changes lead back to the first page. */
const contestAddress = (query: ContestQuery, changes: Partial<ContestQuery> = {}) =>
  addressFrom(parameterNames, defaultQuery, { ...query, page: 1, ...changes });

function gridFilterOf(query: ContestQuery, memberId: bigint): GridFilter {
  const { source, isGym, q, year, show, hidesDone } = query;
  return {
    memberId,
    source,
    isGym,
    year,
    hidesDone,
    text: q || undefined,
    kind: kindsOf(source).find(({ name }) => name === query.kind),
    hiddenWords: query.kind || q || show ? [] : hiddenContestWords,
    show: show || undefined,
  };
}

export const contestPages: readonly PageRoute<MemberVisit>[] = [
  { path: contestsPath, get: (visit) => showContests(visit), dropsEmptyFields: true, post: submitMark },
];

const styles = ['contests.css'] as const;

type Tab = Pick<ContestQuery, 'source' | 'isGym'>;

const isSameTab = (one: Tab, other: Tab) => one.source === other.source && one.isGym === other.isGym;

async function showContests(visit: MemberVisit, conflict?: Html): Promise<PageResult> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const { reader, longReader } = store;
  const judges = (await countContests(reader, hiddenContestWords))
    .map(({ is_gym, ...one }) => ({ ...one, isGym: is_gym === 1n }))
    .toSorted((a, b) => Number(a.isGym) - Number(b.isGym) || Number(b.count - a.count));
  const requested = readContestQuery(visit.query, judges[0]?.source ?? '');
  const title = words('contests.title');
  const options = { title, current: contestsPath, kind: 'p-contests', styles };
  if (!judges.some((one) => isSameTab(one, requested)))
    return {
      html: frame(
        visit,
        options,
        html`
          ${pageHead(title)}
          ${contestTabs(visit.site.basePath, contestsPath)}
          ${noContests(visit, judges.length > 0)}`,
      ),
    };
  const filter = gridFilterOf(requested, member.user_id);
  const total = await countGridContests(longReader, filter);
  const pages = Math.max(1, Math.ceil(total / requested.perPage));
  const query = { ...requested, page: Math.min(requested.page, pages) };
  const offset = (query.page - 1) * query.perPage;
  const contests = await listGridContests(longReader, filter, { offset, limit: query.perPage });
  const grid = await gridOf(visit, query, contests);
  const years = await findContestYears(reader, query.source, query.isGym);
  const returnPath = contestsPath + contestAddress(query, { page: query.page });
  const pageUrl = basePath + contestsPath;
  const tabAddress = ({ source, isGym }: Tab) => pageUrl + contestAddress({ ...defaultQuery, source, isGym });
  const judgeChoice = (one: Tab) => {
    const name = judgeName(one.source);
    return [tabAddress(one), one.isGym ? words('contests.gym', { judge: name }) : name, isSameTab(one, query)] as const;
  };
  const judgeChoices = segmentedLinks(words('contests.judges'), judges.map(judgeChoice));
  const clear = linkButton(tabAddress(query), words('filters.clearAll'));
  const content = html`
    ${pageHead(title, { sub: words('contests.sub'), ...(judges.length > 1 && { actions: judgeChoices }) })}
    ${contestTabs(visit.site.basePath, contestsPath)}
    ${conflict && notice('warn', conflict)}
    ${filterForm(query, years, basePath)}
    ${filterNotice(query.ignored, requested.page > pages ? [words('asked.pastEnd', { page: requested.page })] : [])}
    <div class="results-head">
      <p class="found" data-total="${total}">${richWords('contests.found', { count: total })}</p>
      ${legend()}
      ${switchForm(visit, returnPath, [['hidesRatings', words('problems.hideRatings'), grid.hidesRatings]])}
    </div>
    ${
      contests.length === 0
        ? emptyPanel({ heading: words('contests.noMatch'), text: words('contests.noMatchText'), actions: clear })
        : html`
          <ol class="contest-list">${contests.map((one) => contestItem(one, grid))}</ol>
          ${form(visit, { to: contestsPath, id: markFormId, hidden: { from: returnPath } }, html``)}
          ${pageLinks(query, pages, { offset, shown: contests.length, total }, basePath)}`
    }`;
  const bar = conflict ? undefined : await changeBar(visit, returnPath);
  return { html: frame(visit, { ...options, bar }, content), ...(conflict && { status: 409 }) };
}

async function gridOf(
  { store: { reader, longReader }, member: { user_id }, site: { basePath }, website: { judgeUrls } }: MemberVisit,
  { source }: ContestQuery,
  contests: readonly GridContest[],
): Promise<Grid> {
  const contestIds = contests.map(({ id }) => id);
  const places = Map.groupBy(await listGridProblems(reader, contestIds), ({ contest_id }) => contest_id);
  const ids = [...new Set([...places.values()].flat().flatMap(({ id }) => id ?? []))];
  const statuses = new Map((await findStatuses(reader, user_id, ids)).map((row) => [row.problem_id, row]));
  const problemIds = [...statuses.keys()];
  const solves = Map.groupBy(
    await listGridSolves(longReader, problemIds, { memberId: user_id, moments: momentsOf(contests) }),
    ({ problem_id }) => problem_id,
  );
  const { hidesRatings } = await readPreferences(reader, user_id);
  return {
    basePath,
    places,
    hidesRatings,
    now: Date.now(),
    judgeAddresses: await listJudgeAddresses(reader, judgeUrls),
    participation: await listParticipations(longReader, { memberId: user_id, source }),
    statusOf: (id) => statuses.get(id),
    solvesOf: (id) => solves.get(id) ?? [],
  };
}

/** How a problem was solved in a contest depends on its start and end alone. */
const momentsOf = (contests: readonly GridContest[]) =>
  contests.flatMap((one) => [one.starts_at ?? '', new Date(endOf(one) ?? 0).toISOString()]);

function noContests({ site: { basePath }, member }: MemberVisit, hasOthers: boolean): Html {
  const toImports = { symbol: 'upload', kind: 'primary' } as const;
  return emptyPanel({
    picture: illustration('bed'),
    total: 0,
    heading: words('contests.none'),
    text: words('contests.noneText'),
    actions: hasOthers
      ? linkButton(basePath + contestsPath, words('contests.all'))
      : member.role === 'staff'
        ? linkButton(basePath + importsPath, words('contests.toImports'), toImports)
        : linkButton(basePath + problemsPath, words('frame.allProblems')),
  });
}

function legend(): Html {
  const mark = (state: 'complete' | 'practicing') =>
    html`<span>${stateIcon(state)} ${words(`contests.legend.${state}`)}</span>`;
  return html`<p class="legend" aria-hidden="true">${mark('complete')}${mark('practicing')}</p>`;
}

function filterForm(query: ContestQuery, years: [number, number] | undefined, basePath: string): Html {
  const { source, isGym, q, kind, year, show, hidesDone, perPage } = query;
  const yearOptions = years ? Array.from({ length: years[1] - years[0] + 1 }, (_, n) => String(years[1] - n)) : [];
  const select = (name: 'kind' | 'year', anyText: string, choices: [value: string, text: string][], selected: string) =>
    html`
      <select
        name="${name}" aria-label="${words(name === 'kind' ? 'contests.kind' : 'contests.year')}" autocomplete="off"
      >
        ${optionsOf([['', anyText], ...choices], selected)}
      </select>`;
  const kinds = isGym ? [] : kindsOf(source).map(({ name, title }): [string, string] => [name, title]);
  const segment = (value: string, text: string) =>
    html`
      <label>
        <input type="radio" name="show" value="${value}"${attr('checked', value === show)}>
        <span>${text}</span>
      </label>`;
  return html`
    <form class="filters" action="${basePath}${contestsPath}" role="search" aria-label="${words('contests.filter')}">
      <input type="hidden" name="source" value="${source}">
      ${isGym && html`<input type="hidden" name="gym" value="true">`}
      ${contestSearch(q)}
      <fieldset class="segments">
        <legend class="sr">${words('contests.which')}</legend>
        ${segment('', words('contests.show.all'))}
        ${showOptions.map((one) => segment(one, words(`contests.show.${one}`)))}
      </fieldset>
      ${kinds.length > 0 && select('kind', words('contests.anyKind'), kinds, kind)}
      ${
        yearOptions.length > 1 &&
        select(
          'year',
          words('contests.anyYear'),
          yearOptions.map((one) => [one, one]),
          String(year ?? ''),
        )
      }
      <label class="switch">
        <input
          type="checkbox" role="switch" name="hide_done" value="true"${attr('checked', hidesDone)} autocomplete="off"
        >
        <span class="track" aria-hidden="true"></span>
        <span>${words('contests.hideDone')}</span>
      </label>
      ${perPage !== defaultPageSize && html`<input type="hidden" name="per_page" value="${perPage}">`}
      <button class="button no-script">${words('problems.apply')}</button>
    </form>`;
}

function pageLinks(
  query: ContestQuery,
  pages: number,
  { offset, shown, total }: { offset: number; shown: number; total: number },
  basePath: string,
): Html {
  const { page, perPage } = query;
  const pageUrl = basePath + contestsPath;
  return pager({
    label: words('contests.pages'),
    page,
    pages,
    href: (to) => pageUrl + contestAddress(query, { page: to }),
    summary: words('contests.rows', { first: offset + 1, last: offset + shown, total }),
    perPage: {
      label: words('contests.perPage'),
      size: perPage,
      sizes: gridSizes,
      action: pageUrl,
      query: contestAddress({ ...query, perPage: defaultPageSize }),
    },
  });
}

/** The value of the button has the problem, the new status, the version on the page and the contest to go back to. */
async function submitMark(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: input, site, path } = visit;
  const returnPath = input.has('from') ? localPath(site, input.get('from')) : contestsPath;
  const [idText = '', stateText = '', version = '', contest = ''] = (input.get(markFormId) ?? '')
    .slice(0, 200)
    .split(':');
  const id = parseInt64(idText);
  const status = statusOrder.find((state) => state === stateText);
  if (id === undefined || status === undefined) return { to: returnPath };
  const problem = await findProblem(store.reader, id);
  if (!problem) throw pageNotFound(path);
  try {
    const versions = new Map([[id, version]]);
    const change = await setStatus(store, { memberId: member.user_id, problemIds: [id], status, versions });
    const contestId = parseInt64(contest);
    return { to: returnAddress(returnPath, change.batch, contestId === undefined ? '' : `#c${contestId}-${id}`, id) };
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const [row] = await findStatuses(store.reader, member.user_id, [id]);
    const conflict = richWords('contests.conflict', {
      problem: problemLink(site.basePath, problem),
      now: stateLabel(shownState({ status: row, bookmark: undefined })),
      wanted: stateLabel(status),
    });
    return showContests({ ...visit, query: new URLSearchParams(returnPath.split('?')[1] ?? '') }, conflict);
  }
}
