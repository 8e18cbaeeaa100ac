/** The list of problems: what stands on the page, the random pick, and what stays hidden there. */
import { html } from 'hono/html';
import { readPreferences, type Switch, setSwitch } from '../practice/preferences.ts';
import { findProblemAt, listProblemPage } from '../store/problem-pages.ts';
import { catalogueFacts, countFound, countSolved } from './catalogue-facts.ts';
import { changeBar } from './changes.ts';
import { ownPath } from './fields.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import { keysButton, keysOverlay } from './keys.ts';
import type { Html } from './layout.ts';
import { type Forms, problemPath } from './parts.ts';
import { chosenFilters, filterForm } from './problem-filters.ts';
import { addressOf, filterOf, keysOf, listPath, readProblemQuery } from './problem-query.ts';
import { bulkBar, marksOf, pageLinks, problemTable } from './problem-table.ts';
import { viewTabs } from './problem-views.ts';
import type { Answer, MemberVisit, PageRoute } from './visits.ts';
import { richWords, words } from './words.ts';

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
  const total = await countFound(store, user_id, asked);
  const pages = Math.max(1, Math.ceil(total / asked.perPage));
  const page = Math.min(asked.page, pages);
  const query = { ...asked, page };
  const place = { offset: (page - 1) * query.perPage, limit: query.perPage };
  const rows = await listProblemPage(store.reader, filterOf(query, user_id), keysOf(query), place);
  const ids = rows.map(({ id }) => id);
  const marks = await marksOf(store.reader, user_id, ids);
  const preferences = await readPreferences(store.reader, user_id);
  const from = listPath + addressOf(query, { page });
  const forms: Forms = { basePath, antiForgery, from };
  const solved = await countSolved(store, user_id);
  const content = html`${pageHead(words('frame.problems'), {
    sub: words('problems.sub', { total: facts.total, judges: facts.sources.length, solved }),
    actions: html`<a class="button" href="${basePath}${listPath}random/${addressOf(query)}">${icon('random')}<span>${words('problems.random')}</span></a>${keysButton()}`,
  })}
${await viewTabs(visit, query, preferences.views)}
${filterForm(query, facts, basePath)}
<div class="results-head"><p class="found" data-total="${total}">${richWords('problems.found', { count: total, num: (text) => html`<b class="num">${text}</b>` })}</p>
${chosenFilters(query, basePath)}
<form class="show" method="post" action="${basePath}${showPath}">${antiForgery}<input type="hidden" name="from" value="${from}">${switchButton('hidesTopics', words('problems.hideTopics'), preferences.hidesTopics)}${switchButton('hidesRatings', words('problems.hideRatings'), preferences.hidesRatings)}</form></div>
${
  total === 0
    ? nothingFound(basePath)
    : html`${problemTable(forms, query, rows, marks, preferences)}
${bulkBar(forms, query, total)}
${pageLinks(query, { total, pages, shown: rows.length }, basePath)}`
}
${keysOverlay()}`;
  const bar = await changeBar(visit, from);
  return {
    html: frame(
      visit,
      { title: words('frame.problems'), current: listPath, kind: 'p-problems', bar },
      content,
    ),
  };
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

function nothingFound(basePath: string): Html {
  return html`<div class="panel empty"><h2>${words('problems.noMatch')}</h2><p class="soft">${words('problems.noMatchText')}</p><div class="actions"><a class="button" href="${basePath}${listPath}">${words('filters.clearAll')}</a></div></div>`;
}

function emptyGarden(visit: MemberVisit): Answer {
  const isStaff = visit.member.role === 'staff';
  const step = richWords('problems.emptyStaff', {
    command: html`<code>garden import codeforces-problems FILE</code>`,
  });
  const content = html`${pageHead(words('frame.problems'))}
<div class="panel empty" data-total="0"><h2>${words('problems.empty')}</h2><p class="soft">${isStaff ? step : words('problems.emptyText')}</p></div>`;
  return {
    html: frame(visit, { title: words('frame.problems'), current: listPath, kind: 'p-problems' }, content),
  };
}
