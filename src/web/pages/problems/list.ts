/** The list of problems, and the random pick from it. */

import { type AddressedProblem, parseProblemAddress } from '../../../judges/addresses.ts';
import { judgeName } from '../../../judges/judges.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { listMatchingContests } from '../../../store/contests.ts';
import { findVisibleList } from '../../../store/lists.ts';
import {
  exactFirst,
  listProblemPage,
  narrowSearch,
  type ProblemFilter,
  problemCounter,
} from '../../../store/problem-lists.ts';
import { type Catalogue, findIdsByKeys, type ProblemRow, readCatalogue } from '../../../store/problems.ts';
import { missingChances } from '../../kit/chance.ts';
import { changeBar } from '../../kit/changes.ts';
import { pageButtons } from '../../kit/contest-link.ts';
import { frame, pageHead, shortcutsButton } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { emptyPanel } from '../../kit/panel.ts';
import {
  completeLink,
  filterNotice,
  filterOf,
  filtersBySolves,
  type ProblemQuery,
  queryKeys,
  queryString,
  readProblemQuery,
} from '../../kit/problem-query.ts';
import { bulkBar, pageLinks, problemRowsOf, problemTable } from '../../kit/problem-table.ts';
import { problemTabs, switchForm } from '../../kit/problem-tabs.ts';
import { type Html, html } from '../../markup.ts';
import { historyImportPath, importsPath, newProblemPath, problemPath, problemsPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { activeFilters, filterForm, filterRemarks } from './filters.ts';
import { switchPages } from './switches.ts';

const contestsAtMost = 20;

export const problemListPages: readonly PageRoute<MemberVisit>[] = [
  { path: problemsPath, get: showList, dropsEmptyFields: true },
  { path: `${problemsPath}random/`, get: showRandom },
  ...switchPages,
];

async function showList(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const { user_id } = member;
  const requestQuery = readProblemQuery(visit.query);
  const catalogue = await readCatalogue(store.reader);
  if (catalogue.total === 0n && catalogue.gyms.size === 0) return emptyCatalogue(visit);
  const { contest: text } = requestQuery;
  const baseFilter = await filterOf(visit, requestQuery);
  const filter = await narrowSearch(store, baseFilter);
  const { source } = filter;
  const contests = text === '' ? [] : await listMatchingContests(store.reader, { source, text }, contestsAtMost);
  const list = filter.listId === undefined ? undefined : await findVisibleList(store.reader, filter.listId, user_id);
  const counter = problemCounter(store, user_id);
  const total = await counter.countFound(filter);
  const pages = Math.max(1, Math.ceil(total / requestQuery.perPage));
  const page = Math.min(requestQuery.page, pages);
  const query = { ...requestQuery, page };
  const pageRange = { offset: (page - 1) * query.perPage, limit: query.perPage, total };
  // An exact title comes first, unless there are too many matches to sort them all.
  const isRanked = requestQuery.order === '' && filter.idsJson !== undefined;
  const keys = [...(isRanked ? [exactFirst(store.reader, requestQuery.q)] : []), ...queryKeys(query)];
  const rows = await listProblemPage(store.reader, filter, keys, pageRange);
  const exactId = await findExactMatch(visit, requestQuery, baseFilter, { catalogue, total, rows });
  if (exactId !== undefined) return { to: problemPath(exactId) };
  const from = problemsPath + queryString(query, { page });
  const tableContext = await problemRowsOf(visit, rows, from);
  const { preferences, chances } = tableContext;
  const solved = await counter.countFound({ memberId: user_id, status: 'complete' });
  const remarks = filterRemarks(query, { catalogue, contests, isKnownList: list !== undefined }, basePath);
  if (requestQuery.page > page) remarks.push(words('asked.pastEnd', { page: requestQuery.page }));
  const content = html`
    ${pageHead(words('frame.problems'), {
      sub: words('problems.sub', { total: catalogue.total, judges: catalogue.bySource.size, solved }),
      actions: html`
        ${linkButton(basePath + newProblemPath, words('add.title'), { symbol: 'plus' })}
        ${linkButton(`${basePath}${problemsPath}random/${queryString(query)}`, words('problems.random'), {
          symbol: 'random',
        })}
        ${shortcutsButton()}`,
    })}
    ${await problemTabs(visit, problemsPath, { query, total, views: preferences.views, counter })}
    ${filterForm(query, catalogue, contests, basePath)}
    ${filterNotice(query.leftOut, remarks)}
    <div class="results-head">
      <p class="found" data-total="${total}">
        ${richWords('problems.found', { count: total, num: (text) => html`<b class="num">${text}</b>` })}
      </p>
      ${activeFilters(query, contests, basePath, list?.name)}
      ${switchForm(visit, from, [
        ['hidesTopics', words('problems.hideTopics'), preferences.hidesTopics],
        ['hidesRatings', words('problems.hideRatings'), preferences.hidesRatings],
        ...(preferences.hidesChances
          ? []
          : [['showsChances', words('chance.column'), preferences.showsChances] as const]),
      ])}
    </div>
    ${chances && missingChances(rows, chances)}
    ${
      total === 0
        ? await nothingFound(visit, query)
        : html`
          ${problemTable(tableContext, query, rows)}
          ${bulkBar(tableContext.forms, query, total)}
          ${pageLinks(query, { total, pages, shown: rows.length }, basePath)}`
    }`;
  return listFrame(visit, content, await changeBar(visit, from));
}

function listFrame(visit: MemberVisit, content: Html, bar?: Html): PageResult {
  return {
    html: frame(visit, { title: words('frame.problems'), current: problemsPath, kind: 'p-problems', bar }, content),
  };
}

/** The one listed problem that the search names by link or key. Plain digits or letters may be part of other titles. */
async function findExactMatch(
  visit: MemberVisit,
  query: ProblemQuery,
  { byKey: key, url }: ProblemFilter,
  { catalogue, total, rows }: { catalogue: Catalogue; total: number; rows: readonly ProblemRow[] },
): Promise<bigint | undefined> {
  const { q } = query;
  if (key || url) return total === 1 ? rows[0]?.id : undefined;
  if (!/^\S+$/.test(q) || (total > 1 && !(/\d/.test(q) && /\D/.test(q)))) return undefined;
  const sources = query.source === '' ? catalogue.sources.map(({ source }) => source) : [query.source];
  const keys = [...new Set([q, q.toUpperCase(), q.toLowerCase()])];
  const ids = await findIdsByKeys(visit.store.reader, sources, keys);
  return ids.length === 1 && rows.some(({ id }) => id === ids[0]) ? ids[0] : undefined;
}

/** Picks an unsolved problem, unless the query filters by status or solves. */
async function showRandom(visit: MemberVisit): Promise<PageResult> {
  const { store, member } = visit;
  const requestQuery = readProblemQuery(visit.query);
  // The list page names the filters that are not valid.
  if (requestQuery.leftOut.length > 0) return { to: `${problemsPath}?${visit.query}` };
  const query: ProblemQuery = filtersBySolves(requestQuery) ? requestQuery : { ...requestQuery, status: 'unsolved' };
  const filter = await narrowSearch(store, await filterOf(visit, query));
  const total = await problemCounter(store, member.user_id).countFound(filter);
  const pageRange = { offset: Math.floor(Math.random() * total), limit: 1, total };
  const [problem] = await listProblemPage(store.reader, filter, queryKeys({ ...query, order: '' }), pageRange);
  if (problem === undefined) return { to: problemsPath + queryString(query) };
  return { to: `${problemPath(problem.id)}?${new URLSearchParams({ random: String(visit.query) })}` };
}

async function nothingFound(visit: MemberVisit, query: ProblemQuery): Promise<Html> {
  const { basePath } = visit.site;
  const {
    text,
    canAdd = false,
    buttons,
  } = (await explainLink(visit, query)) ?? { text: words('problems.noMatchText') };
  const to = `${basePath}${newProblemPath}?${new URLSearchParams({ url: query.q })}`;
  return emptyPanel({
    heading: words('problems.noMatch'),
    text,
    actions: html`
      ${canAdd && linkButton(to, words('add.title'), { symbol: 'plus', kind: 'primary' })}
      ${buttons}
      ${
        query.q !== '' &&
        linkButton(basePath + problemsPath + queryString(query, { q: '', note: query.q }), words('filters.searchNotes'))
      }
      ${linkButton(basePath + problemsPath, words('filters.clearAll'))}`,
  });
}

/** Says why a pasted link finds nothing, and whether its problem can be added; undefined for other texts. */
async function explainLink(
  visit: MemberVisit,
  query: ProblemQuery,
): Promise<{ text: Html | string; canAdd?: boolean; buttons?: Html | false } | undefined> {
  const { store, site, website } = visit;
  const { memberId, byKey, url, q } = await filterOf(visit, query);
  const link = completeLink(query.q);
  if (!byKey && !url && link === query.q) return undefined;
  const withoutFilters = await narrowSearch(store, { memberId, byKey, url, q });
  const [match] = await listProblemPage(store.reader, withoutFilters, [], { offset: 0, limit: 1, total: 1 });
  if (match) {
    const link = linkTo(site.basePath + problemPath(match.id));
    return { text: richWords('problems.filteredOut', { title: match.title, link }) };
  }
  let address: AddressedProblem;
  try {
    address = parseProblemAddress(link, await listJudgeAddresses(store.reader, website.judgeUrls));
  } catch (error) {
    return { text: refusalText(error), buttons: await pageButtons(visit, link) };
  }
  const judge = judgeName(address.source);
  const text =
    address.matchedBy === 'host'
      ? words('problems.unknownHost', { host: judge })
      : words('problems.unknownLink', { key: address.key, judge });
  return { text, canAdd: true };
}

function emptyCatalogue(visit: MemberVisit): PageResult {
  const { basePath } = visit.site;
  const heading = words('problems.empty');
  const toImports = { symbol: 'upload', kind: 'primary' } as const;
  const command = html`<code>garden import codeforces-problems FILE</code>`;
  const content =
    visit.member.role === 'staff'
      ? emptyPanel({
          heading,
          total: 0,
          text: words('problems.emptyStaff'),
          actions: linkButton(basePath + importsPath, words('problems.toImports'), toImports),
          more: html`<p class="faint small">${richWords('problems.emptyCommand', { command })}</p>`,
        })
      : emptyPanel({
          heading,
          total: 0,
          text: words('problems.emptyText'),
          actions: html`
            ${linkButton(basePath + newProblemPath, words('add.title'), { symbol: 'plus', kind: 'primary' })}
            ${linkButton(basePath + historyImportPath, words('next.import'), { symbol: 'upload' })}`,
        });
  return listFrame(visit, html`${pageHead(words('frame.problems'))}${content}`);
}
