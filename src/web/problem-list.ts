/** The list of problems: what stands on the page, the random pick, and what stays hidden there. */
import { html } from 'hono/html';
import { judgeNames, judgeOf, problemAt } from '../judges/addresses.ts';
import { readPreferences, type Switch, setSwitch } from '../practice/preferences.ts';
import { listMatchingContests } from '../store/contests.ts';
import { findProblemAt, listProblemPage } from '../store/problem-pages.ts';
import { findProblemsByKeys } from '../store/problems.ts';
import { findSolvedCounts } from '../store/solved-counts.ts';
import { listTries } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import { catalogueFacts, countFound, countSolved } from './catalogue-facts.ts';
import { changeBar } from './changes.ts';
import { ownPath } from './fields.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import { keysButton, keysOverlay } from './keys.ts';
import type { Html } from './layout.ts';
import { type Forms, problemPath, thousands } from './parts.ts';
import { chosenFilters, filterForm } from './problem-filters.ts';
import {
  addressOf,
  filterOf,
  keysOf,
  listPath,
  type ProblemQuery,
  readProblemQuery,
} from './problem-query.ts';
import { bulkBar, marksOf, pageLinks, problemTable } from './problem-table.ts';
import { viewTabs } from './problem-views.ts';
import type { Answer, MemberVisit, PageRoute } from './visits.ts';

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const contestsAtMost = 20;
const showPath = `${listPath}show/`;

export const problemListPages: readonly PageRoute<MemberVisit>[] = [
  { path: listPath, show: showList },
  { path: `${listPath}random/`, show: showRandom },
  { path: showPath, change: takeSwitch },
];

async function showList(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { basePath } = site;
  const { user_id } = member;
  const asked = readProblemQuery(visit.query);
  const facts = await catalogueFacts(store);
  if (facts.total === 0n) return emptyGarden(visit);
  const { contest: text } = asked;
  const { source } = filterOf(asked, user_id);
  const contests =
    text === '' ? [] : await listMatchingContests(store.reader, { source, text }, contestsAtMost);
  const total = await countFound(store, user_id, asked);
  const pages = Math.max(1, Math.ceil(total / asked.perPage));
  const page = Math.min(asked.page, pages);
  const query = { ...asked, page };
  const place = { offset: (page - 1) * query.perPage, limit: query.perPage };
  const rows = await listProblemPage(store.reader, filterOf(query, user_id), keysOf(query), place);
  const ids = rows.map(({ id }) => id);
  const marks = await marksOf(store.reader, user_id, ids);
  const tries = new Map((await listTries(store.reader, user_id, ids)).map((one) => [one.problem_id, one]));
  const solvedBy = await findSolvedCounts(store.reader, ids);
  const preferences = await readPreferences(store.reader, user_id);
  const from = listPath + addressOf(query, { page });
  const forms: Forms = { basePath, antiForgery, from };
  const solved = await countSolved(store, user_id);
  const judges = facts.sources.length;
  const content = html`${pageHead('Problems', {
    sub: `${thousands.format(facts.total)} from ${numbers[judges] ?? judges} ${judges === 1 ? 'judge' : 'judges'}. You have solved ${thousands.format(solved)}.`,
    actions: html`<a class="button" href="${basePath}${listPath}random/${addressOf(query)}">${icon('random')}<span>Random</span></a>${keysButton()}`,
  })}
${await viewTabs(visit, query, preferences.views)}
${filterForm(query, facts, contests, basePath)}
<div class="results-head"><p class="found" data-total="${total}"><b class="num">${thousands.format(total)}</b> ${total === 1 ? 'problem' : 'problems'}</p>
${chosenFilters(query, contests, basePath)}
<form class="show" method="post" action="${basePath}${showPath}">${antiForgery}<input type="hidden" name="from" value="${from}">${switchButton('hidesTopics', 'Hide topics', preferences.hidesTopics)}${switchButton('hidesRatings', 'Hide ratings', preferences.hidesRatings)}</form></div>
${
  total === 0
    ? await nothingFound(visit, query)
    : html`${problemTable(forms, query, rows, (id) => ({ ...marks(id), tries: tries.get(id), solvedBy: solvedBy.get(id) }), preferences)}
${bulkBar(forms, query, total)}
${pageLinks(query, { total, pages, shown: rows.length }, basePath)}`
}
${keysOverlay()}`;
  const bar = await changeBar(visit, from);
  return { html: frame(visit, { title: 'Problems', current: listPath, kind: 'p-problems', bar }, content) };
}

function switchButton(name: Switch, label: string, isOn: boolean): Html {
  return html`<button class="switch" role="switch" aria-checked="${String(isOn)}" name="${name}" value="${String(!isOn)}"><span class="track" aria-hidden="true"></span><span>${label}</span></button>`;
}

async function takeSwitch({ store, member, form, site }: MemberVisit): Promise<Answer> {
  for (const name of ['hidesTopics', 'hidesRatings'] as const) {
    const value = form.get(name);
    if (value !== 'true' && value !== 'false') continue;
    await store.write((tx) => setSwitch(tx, member.user_id, name, value === 'true'));
  }
  return { to: form.has('from') ? ownPath(site, form.get('from')) : listPath };
}

async function showRandom({ store, member, query: asked }: MemberVisit): Promise<Answer> {
  const query = readProblemQuery(asked);
  const total = await countFound(store, member.user_id, query);
  const place = Math.floor(Math.random() * total);
  const id = await findProblemAt(store.reader, filterOf(query, member.user_id), place);
  return { to: id === undefined ? listPath + addressOf(query) : problemPath(id) };
}

async function nothingFound({ store, site: { basePath } }: MemberVisit, { q }: ProblemQuery): Promise<Html> {
  return html`<div class="panel empty"><h2>No problem matches</h2><p class="soft">${(await aboutLink(store, q, basePath)) ?? 'Take a filter away, or look for another word. A pasted link finds its problem if this garden has it.'}</p><div class="actions"><a class="button" href="${basePath}${listPath}">Clear all filters</a></div></div>`;
}

/** What is known of a pasted address whose problem is not in the list; undefined for other texts. */
async function aboutLink({ reader }: Store, q: string, basePath: string): Promise<Html | undefined> {
  const linked = problemAt(q);
  if (!linked) {
    if (!/^https?:\/\//i.test(q)) return undefined;
    return html`This is no address of a problem at ${judgeNames()}, the judges whose addresses this garden reads. Look for the title instead.`;
  }
  const { source, key } = linked;
  const judge = judgeOf(source)?.name ?? source;
  const [known] = await findProblemsByKeys(reader, source, [key]);
  if (!known)
    return html`This garden does not know ${key} of ${judge}. Staff can import the newest list of ${judge}’s problems.`;
  return html`<a href="${basePath}${problemPath(known.id)}">${known.title}</a> is here, but another filter leaves it out.`;
}

function emptyGarden(visit: MemberVisit): Answer {
  const isStaff = visit.member.role === 'staff';
  const step = html`A garden begins with a catalogue. From the command line: <code>garden import codeforces-problems FILE</code>`;
  const content = html`${pageHead('Problems')}
<div class="panel empty" data-total="0"><h2>No problems here yet</h2><p class="soft">${isStaff ? step : 'Staff will import them. Then you find, filter and mark them here.'}</p></div>`;
  return { html: frame(visit, { title: 'Problems', current: listPath, kind: 'p-problems' }, content) };
}
