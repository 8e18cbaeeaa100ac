/** The page of one judge's contests, and what its marks change. */

import { parseInt64 } from '../../../contract/common.ts';
import type { ContestKind } from '../../../judges/judge.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { Overtaken, setStatus, versionOf } from '../../../practice/marks.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { phaseAt, tookOf, triesOf } from '../../../practice/taking-part.ts';
import {
  contestYears,
  countContests,
  countGridContests,
  type GridContest,
  type GridFilter,
  type GridPlace,
  type GridSolve,
  listGridContests,
  listGridPlaces,
  listGridSolves,
  listTaken,
} from '../../../store/contests.ts';
import { findProblem } from '../../../store/problems.ts';
import type { StatusesTable } from '../../../store/statuses.ts';
import { findStatusPairs } from '../../../store/statuses.ts';
import { backTo, changeBar } from '../../kit/changes.ts';
import { moment } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon, spot } from '../../kit/icons.ts';
import { shownState, stateIcon, states, stateWord, webLink } from '../../kit/marks.ts';
import { pager } from '../../kit/pager.ts';
import { askedBy, filterNotice, type LeftOut } from '../../kit/problem-query.ts';
import { switchForm } from '../../kit/problem-tabs.ts';
import { type Html, html } from '../../markup.ts';
import { contestsPath, importsPath, listPath, problemPath } from '../../paths.ts';
import { ownPath } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { perLanguage } from '../../words/reader.ts';
import { richWords, words } from '../../words/words.ts';

/* The contests of a page, each with its problems in cells. Every mark is a button of one form below the grid. */

const markForm = 'mark';
/** What is beyond waits behind a line: a page of them would be one contest long. */
const cellsAtMost = 26;

export interface Grid {
  basePath: string;
  places: ReadonlyMap<bigint, readonly GridPlace[]>;
  /** How the member took part in each contest in which they did. */
  taken: ReadonlyMap<bigint, 'live' | 'virtual'>;
  statusOf(id: bigint): StatusesTable | undefined;
  solvesOf(id: bigint): readonly GridSolve[];
  hidesRatings: boolean;
  now: number;
}

const order = perLanguage(({ locale }) => new Intl.Collator(locale, { numeric: true }));

function contestList(contests: readonly GridContest[], grid: Grid): Html {
  return html`<ol class="contest-list">${contests.map((one) => contestItem(one, grid))}</ol>`;
}

function contestItem(contest: GridContest, grid: Grid): Html {
  const { id, source, key, title, starts_at } = contest;
  const places = (grid.places.get(id) ?? []).toSorted((a, b) => order().compare(a.position, b.position));
  const problems = new Set(places.flatMap((place) => place.id ?? []));
  const solved = [...problems].filter((one) => stateOf(one, grid) === 'complete').length;
  const isDone = problems.size > 0 && solved === problems.size;
  const list = `${grid.basePath}${listPath}?${new URLSearchParams({ source, contest: key })}`;
  const phase = phaseAt(contest, grid.now);
  const taken = grid.taken.get(id);
  const facts = [
    starts_at === null ? words('contests.noStart') : moment(starts_at, 'date'),
    ...(phase === 'over' ? [] : [html`<b class="phase">${words(`contests.phase.${phase}`)}</b>`]),
    ...(taken ? [words(`contests.taken.${taken}`)] : []),
  ];
  const page = judgeOf(source)?.contestPage?.(key) ?? null;
  const out = webLink(
    page,
    html`${icon('out')}<span class="sr">${words('contests.openOn', { title, judge: judgeName(source) })}</span>`,
    'out',
  );
  const count =
    problems.size === 0
      ? html`<span class="faint">${words('contests.notYet')}</span>`
      : html`
        <a data-count="${solved}" href="${list}&amp;status=complete">
          <b>${solved}</b>
          <span class="sr"> ${words('contests.solvedIn', { title })}</span>
        </a> ${words('contests.of')} <a data-count="${problems.size}" href="${list}">
          ${problems.size}
          <span class="sr"> ${words('contests.problemsIn', { title })}</span>
        </a>
        ${isDone ? icon('check', 'done') : ''}`;
  const cell = (place: GridPlace) => placeCell(contest, place, grid);
  const first = places.slice(0, cellsAtMost);
  const rest = places.slice(cellsAtMost);
  return html`
    <li class="contest" id="c${id}" data-contest="${key}">
      <div class="contest-head">
        <h2><a href="${list}" title="${title}">${shortTitle(contest)}</a> ${out}</h2>
        <p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
        <p class="num count">${count}</p>
      </div>
      ${first.length === 0 ? '' : html`<ol class="cells">${first.map(cell)}</ol>`}
      ${
        rest.length === 0
          ? ''
          : html`
            <details class="rest">
              <summary>${words('contests.more', { count: rest.length })}</summary>
              <ol class="cells">${rest.map(cell)}</ol>
            </details>`
      }
    </li>`;
}

/** The judge's name before a title says nothing among contests of that judge. */
function shortTitle({ source, title }: GridContest): string {
  const name = `${judgeOf(source)?.name} `;
  return title.startsWith(name) && title.length > name.length ? title.slice(name.length) : title;
}

const stateOf = (id: bigint, grid: Grid) => shownState({ status: grid.statusOf(id), bookmark: undefined });

function placeCell(contest: GridContest, place: GridPlace, grid: Grid): Html {
  const { position } = place;
  if (place.id === null)
    return html`
      <li class="cell gone">
        <span class="letter">${position}</span>
        <span class="title faint">${words('contests.notHere', { key: place.key })}</span>
      </li>`;
  const { id, title } = place;
  const status = grid.statusOf(id);
  const state = stateOf(id, grid);
  const isSolved = state === 'complete';
  const sent = grid.solvesOf(id);
  const took = isSolved ? tookOf(contest, sent) : undefined;
  const tries = isSolved ? 0 : triesOf(sent);
  const word = took
    ? words(`contests.took.${took}`)
    : tries > 0
      ? words('contests.tries', { count: tries })
      : state === 'complete' || state === 'not_started'
        ? ''
        : stateWord(state);
  const isOwnWord = (status?.self_status ?? null) !== null && status?.judge_status !== 'complete';
  const said = words('contests.stateOf', { title, state: stateWord(state) });
  const action = words(isSolved ? 'marks.takeBackOf' : 'marks.markSolvedOf', { title });
  const next = isSolved ? 'not_started' : 'complete';
  return html`
    <li
      class="cell" id="c${contest.id}-${id}" data-problem="${id}"
      data-status="${state}"${took ? html` data-took="${took}"` : ''}
    >
      <a href="${grid.basePath}${problemPath(id)}" title="${title}">
        <span class="letter">${position}</span> <span class="title">${title}</span>
      </a>
      <p class="meta">${grid.hidesRatings && !isSolved ? '' : difficulty(place)}<span class="took">${word}</span></p>
      <button
        class="status-mark" form="${markForm}" name="${markForm}"
        value="${id}:${next}:${versionOf(status)}:${contest.id}"
        title="${words(isSolved ? 'marks.takeBack' : 'marks.markSolved')}"
      >
        ${stateIcon(state, isOwnWord)}
        <span class="sr">${said}. ${action}</span>
      </button>
    </li>`;
}

/* The address of the contest grid: its judge, filters and page. */

const gridSizes = [25, 50, 100] as const;
export const shows = ['taken', 'begun', 'done'] as const;

export interface ContestQuery {
  source: string;
  q: string;
  kind: string;
  year: number | undefined;
  show: (typeof shows)[number] | '';
  hidesDone: boolean;
  page: number;
  perPage: number;
  /** What of the address is not understood. */
  leftOut: readonly LeftOut[];
}

/** `usual` is the judge where the address names none. */
function readContestQuery(query: URLSearchParams, usual: string): ContestQuery {
  const { leftOut, text, oneOf, isTrue, number } = askedBy(query);
  const source = text('source') || usual;
  const kinds = kindsOf(source).map(({ name }) => name);
  return {
    source,
    q: text('q'),
    kind: oneOf('kind', kinds) ?? '',
    year: number('year', 1900, 2099),
    show: oneOf('show', shows) ?? '',
    hidesDone: isTrue('hide_done'),
    page: number('page', 1, 999_999) ?? 1,
    perPage: Number(oneOf('per_page', gridSizes.map(String)) ?? 25),
    leftOut,
  };
}

function kindsOf(source: string): readonly ContestKind[] {
  return judgeOf(source)?.contestKinds ?? [];
}

/** The query of an address; what is usual is left out. Changes go in at once, back to the first page. */
function contestAddress(query: ContestQuery, changes: Partial<ContestQuery> = {}): string {
  const next = { ...query, page: 1, ...changes };
  const pairs = Object.entries({
    source: next.source,
    q: next.q,
    kind: next.kind,
    year: next.year ?? '',
    show: next.show,
    hide_done: next.hidesDone ? 'true' : '',
    page: next.page > 1 ? next.page : '',
    per_page: next.perPage === 25 ? '' : next.perPage,
  }).filter(([, value]) => value !== '');
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function gridFilterOf(query: ContestQuery, memberId: bigint): GridFilter {
  const { source, q, year, show, hidesDone } = query;
  return {
    ...{ memberId, source, year, hidesDone },
    text: q || undefined,
    kind: kindsOf(source).find(({ name }) => name === query.kind),
    show: show || undefined,
  };
}

export const contestPages: readonly PageRoute<MemberVisit>[] = [
  {
    path: contestsPath,
    show: (visit) => showContests(visit),
    isAsked: true,
    change: takeMark,
  },
];

const styles = ['contests.css'] as const;

async function showContests(visit: MemberVisit, refused?: Html): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { basePath } = site;
  const { reader } = store;
  const memberId = member.user_id;
  const judges = (await countContests(reader)).toSorted((a, b) => Number(b.count - a.count));
  const asked = readContestQuery(visit.query, judges[0]?.source ?? '');
  const options = { title: words('contests.title'), current: contestsPath, kind: 'p-contests', styles };
  if (!judges.some(({ source }) => source === asked.source))
    return {
      html: frame(visit, options, html`${pageHead(words('contests.title'))}${noContests(visit, judges.length > 0)}`),
    };
  const filter = gridFilterOf(asked, memberId);
  const total = await countGridContests(reader, filter);
  const pages = Math.max(1, Math.ceil(total / asked.perPage));
  const query = { ...asked, page: Math.min(asked.page, pages) };
  const offset = (query.page - 1) * query.perPage;
  const contests = await listGridContests(reader, filter, { offset, limit: query.perPage });
  const contestIds = contests.map(({ id }) => id);
  const places = Map.groupBy(await listGridPlaces(reader, contestIds), ({ contest_id }) => contest_id);
  const ids = [...new Set([...places.values()].flat().flatMap(({ id }) => id ?? []))];
  const statuses = new Map((await findStatusPairs(reader, memberId, ids)).map((row) => [row.problem_id, row]));
  const sentTo = [...statuses.keys()];
  const solves = Map.groupBy(await listGridSolves(reader, memberId, sentTo), ({ problem_id }) => problem_id);
  const { hidesRatings } = await readPreferences(reader, memberId);
  const years = await contestYears(reader, query.source);
  const from = contestsPath + contestAddress(query, { page: query.page });
  const grid = {
    ...{ basePath, places, hidesRatings, now: Date.now() },
    taken: await listTaken(reader, memberId, query.source, contestIds),
    statusOf: (id: bigint) => statuses.get(id),
    solvesOf: (id: bigint) => solves.get(id) ?? [],
  };
  const tabs = judges.map(
    ({ source, count }) =>
      html`
        <li>
          <a
            href="${basePath}${contestsPath}?source=${encodeURIComponent(source)}"${
              source === query.source ? html` aria-current="page"` : ''
            }
          >
            ${judgeName(source)}
            <span class="n">${thousands.format(count)}</span>
          </a>
        </li>`,
  );
  const found = html`<p class="found" data-total="${total}">${richWords('contests.found', { count: total })}</p>`;
  const content = html`
    ${pageHead(words('contests.title'), { sub: words('contests.sub') })}
    <nav class="tabs" aria-label="${words('contests.judges')}" tabindex="0"><ul>${tabs}</ul></nav>
    ${
      refused
        ? html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div><p>${refused}</p></div></div>`
        : ''
    }
    ${filterForm(query, years, basePath)}
    ${filterNotice(query.leftOut, asked.page > pages ? [words('asked.pastEnd', { page: asked.page })] : [])}
    <div class="results-head">
      ${found}
      ${legend()}
      ${switchForm(visit, from, [['hidesRatings', words('problems.hideRatings'), hidesRatings]])}
    </div>
    ${
      contests.length === 0
        ? html`
          <div class="panel empty">
            <h2>${words('contests.noMatch')}</h2>
            <p class="soft">${words('contests.noMatchText')}</p>
            <div class="actions">
              <a class="button" href="${basePath}${contestsPath}?source=${encodeURIComponent(query.source)}">
                ${words('filters.clearAll')}
              </a>
            </div>
          </div>`
        : html`
          ${contestList(contests, grid)}
          <form id="${markForm}" method="post" action="${basePath}${contestsPath}">
            ${antiForgery}
            <input type="hidden" name="from" value="${from}">
          </form>
          ${pageLinks(query, pages, { offset, shown: contests.length, total }, basePath)}`
    }`;
  const bar = refused ? undefined : await changeBar(visit, from);
  return { html: frame(visit, { ...options, bar }, content), ...(refused && { status: 409 }) };
}

/** No contest at all, or none of the judge that the address names. */
function noContests({ site: { basePath }, member }: MemberVisit, hasOthers: boolean): Html {
  const step = hasOthers
    ? html`<a class="button" href="${basePath}${contestsPath}">${words('contests.all')}</a>`
    : member.role === 'staff'
      ? html`
        <a class="button primary" href="${basePath}${importsPath}">
          ${icon('upload')}
          <span>${words('contests.toImports')}</span>
        </a>`
      : html`<a class="button" href="${basePath}${listPath}">${words('frame.allProblems')}</a>`;
  return html`
    <div class="panel empty" data-total="0">
      ${spot('bed')}
      <h2>${words('contests.none')}</h2>
      <p class="soft">${words('contests.noneText')}</p>
      <div class="actions">${step}</div>
    </div>`;
}

/** The shapes of the marks, in words. */
function legend(): Html {
  const mark = (state: 'complete' | 'practicing') =>
    html`<span>${stateIcon(state)} ${words(`contests.legend.${state}`)}</span>`;
  return html`<p class="legend" aria-hidden="true">${mark('complete')}${mark('practicing')}</p>`;
}

function filterForm(query: ContestQuery, years: [number, number] | undefined, basePath: string): Html {
  const { source, q, kind, year, show, hidesDone, perPage } = query;
  const kinds = kindsOf(source);
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`;
  const all = years ? Array.from({ length: years[1] - years[0] + 1 }, (_, n) => String(years[1] - n)) : [];
  const segment = (value: string, text: string) =>
    html`
      <label>
        <input type="radio" name="show" value="${value}"${value === show ? html` checked` : ''}>
        <span>${text}</span>
      </label>`;
  return html`
    <form class="filters" action="${basePath}${contestsPath}" role="search" aria-label="${words('contests.filter')}">
      <input type="hidden" name="source" value="${source}">
      <label class="field-search">
        <span class="sr">${words('contests.find')}</span>
        ${icon('search')}
        <input
          type="search" name="q" value="${q}" placeholder="${words('contests.find')}" autocomplete="off" maxlength="200"
        >
      </label>
      <fieldset class="segments">
        <legend class="sr">${words('contests.which')}</legend>
        ${segment('', words('contests.show.all'))}
        ${shows.map((one) => segment(one, words(`contests.show.${one}`)))}
      </fieldset>
      ${
        kinds.length === 0
          ? ''
          : html`
            <select name="kind" aria-label="${words('contests.kind')}" autocomplete="off">
              ${option('', words('contests.anyKind'), kind)}
              ${kinds.map(({ name, title }) => option(name, title, kind))}
            </select>`
      }
      ${
        all.length < 2
          ? ''
          : html`
            <select name="year" aria-label="${words('contests.year')}" autocomplete="off">
              ${option('', words('contests.anyYear'), String(year ?? ''))}
              ${all.map((one) => option(one, one, String(year ?? '')))}
            </select>`
      }
      <label class="switch">
        <input
          type="checkbox" role="switch" name="hide_done" value="true"${hidesDone ? html` checked` : ''}
          autocomplete="off"
        >
        <span class="track" aria-hidden="true"></span>
        <span>${words('contests.hideDone')}</span>
      </label>
      ${perPage === 25 ? '' : html`<input type="hidden" name="per_page" value="${perPage}">`}
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
  const root = basePath + contestsPath;
  return pager({
    label: words('contests.pages'),
    page,
    pages,
    href: (to) => root + contestAddress(query, { page: to }),
    facts: words('contests.rows', { first: offset + 1, last: offset + shown, total }),
    perPage: {
      label: words('contests.perPage'),
      chosen: perPage,
      sizes: gridSizes,
      action: root,
      query: contestAddress({ ...query, perPage: 25 }),
    },
  });
}

/**
 * One mark was pressed: its value has the problem, the new status, what the page showed, and the contest to go back to.
 */
async function takeMark(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, site, path } = visit;
  const from = form.has('from') ? ownPath(site, form.get('from')) : contestsPath;
  const [digits = '', wanted = '', version = '', contest = ''] = (form.get(markForm) ?? '').slice(0, 200).split(':');
  const id = parseInt64(digits);
  const status = states.find((state) => state === wanted);
  if (id === undefined || status === undefined) return { to: from };
  const problem = await findProblem(store.reader, id);
  if (!problem) throw nothingHere(path);
  try {
    const marked = await setStatus(store, {
      memberId: member.user_id,
      problemIds: [id],
      status,
      seen: new Map([[id, version]]),
    });
    const row = parseInt64(contest);
    return { to: backTo(from, marked.batch, row === undefined ? '' : `#c${row}-${id}`, id) };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    const [row] = await findStatusPairs(store.reader, member.user_id, [id]);
    const now = stateWord(row?.self_status ?? row?.judge_status ?? 'not_started');
    const link = html`<a href="${site.basePath}${problemPath(id)}">${problem.title}</a>`;
    const sentence = richWords('contests.overtaken', { problem: link, now, wanted: stateWord(status) });
    return showContests({ ...visit, query: new URLSearchParams(from.split('?')[1] ?? '') }, sentence);
  }
}
