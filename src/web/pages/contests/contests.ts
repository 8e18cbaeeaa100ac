/** The page of one judge's contests, and what its marks change. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/addresses.ts';
import { Overtaken, setStatus } from '../../../practice/marks.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import {
  contestYears,
  countContests,
  countGridContests,
  listGridContests,
  listGridPlaces,
  listGridSolves,
  listTaken,
} from '../../../store/contest-grid.ts';
import { findProblem } from '../../../store/problems.ts';
import { findStatusPairs } from '../../../store/statuses.ts';
import { filterNotice } from '../../kit/asked.ts';
import { backTo, changeBar } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon, spot } from '../../kit/icons.ts';
import { stateIcon, states, stateWords } from '../../kit/marks.ts';
import { pager } from '../../kit/pager.ts';
import { switchForm } from '../../kit/problem-switches.ts';
import { type Html, html } from '../../markup.ts';
import { contestsPath, importsPath, listPath, problemPath } from '../../paths.ts';
import { ownPath } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { contestList, markForm } from './grid.ts';
import {
  type ContestQuery,
  contestAddress,
  gridFilterOf,
  gridSizes,
  kindsOf,
  readContestQuery,
  shows,
} from './query.ts';

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
    const marked = await store.write((tx) =>
      setStatus(tx, { memberId: member.user_id, problemIds: [id], status, seen: new Map([[id, version]]) }),
    );
    const row = parseInt64(contest);
    return { to: backTo(from, marked.batch, row === undefined ? '' : `#c${row}-${id}`, id) };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    const [row] = await findStatusPairs(store.reader, member.user_id, [id]);
    const now = stateWords[row?.self_status ?? row?.judge_status ?? 'not_started'];
    const link = html`<a href="${site.basePath}${problemPath(id)}">${problem.title}</a>`;
    const sentence = richWords('contests.overtaken', { problem: link, now, wanted: stateWords[status] });
    return showContests({ ...visit, query: new URLSearchParams(from.split('?')[1] ?? '') }, sentence);
  }
}
