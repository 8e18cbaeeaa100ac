/** Today: how fresh everything is, what to solve next, and what changed last. It is the first page after signing in. */
import { html } from 'hono/html';
import { listNext } from '../../practice/next.ts';
import { readPreferences } from '../../practice/preferences.ts';
import { type Batch, listBatches } from '../../store/changes.ts';
import { findSolvedCounts } from '../../store/solved-counts.ts';
import { handleHealth } from '../../sync/health.ts';
import { handlesPath } from '../account/handles.ts';
import { batchesByDay, changeBar } from '../changes.ts';
import { frame, pageHead } from '../frame.ts';
import { givenPanel } from '../groups/given.ts';
import { icon, spot } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { Forms } from '../parts.ts';
import { listPath } from '../problem-query.ts';
import { isSyncing } from '../sync-health.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { words } from '../words.ts';
import { nextPanels } from './next.ts';
import { syncLine } from './sync-line.ts';

const dashboardPath = '/dashboard/';
const changesShown = 6;

export const dashboardPages: readonly PageRoute<MemberVisit>[] = [{ path: dashboardPath, show }];

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { reader } = store;
  const memberId = member.user_id;
  const now = new Date();
  const [healths, next, latest, preferences, isOn] = await Promise.all([
    handleHealth(reader, now, memberId),
    listNext(reader, memberId, now),
    listBatches(reader, memberId, undefined, changesShown),
    readPreferences(reader, memberId),
    isSyncing(visit),
  ]);
  const forms: Forms = { basePath: site.basePath, antiForgery, from: dashboardPath };
  const problemIds = next.flatMap(({ suggestions }) => suggestions.map(({ problem }) => problem.id));
  const solvedCounts = await findSolvedCounts(reader, problemIds);
  const given = await givenPanel(visit);
  const isNew = healths.length === 0 && latest.length === 0 && next.length === 0 && given === '';
  const content = isNew
    ? emptyPanel(site.basePath)
    : html`${healths.length === 0 ? linkPanel(site.basePath) : ''}${given}${nextPanels(next, { forms, preferences, solvedCounts })}${latestPanel(latest, forms)}`;
  const sync = healths.length > 0 ? { actions: syncLine(healths, isOn, site.basePath) } : {};
  return {
    html: frame(
      visit,
      {
        title: words('today.title'),
        current: dashboardPath,
        kind: 'p-today',
        styles: ['groups.css'],
        bar: await changeBar(visit, dashboardPath),
      },
      html`${pageHead(html`${dayFormat.format(now)}`, { sub: words('today.sub'), ...sync })}
${content}`,
    ),
  };
}

function emptyPanel(basePath: string): Html {
  return html`<section class="panel empty">${spot('seedlings')}<h2>${words('today.nothing')}</h2><p class="soft">${words('today.nothingText')}</p><div class="actions"><a class="button primary" href="${basePath}${handlesPath}">${icon('sync')}<span>${words('today.link')}</span></a><a class="button" href="${basePath}${listPath}">${words('today.find')}</a></div></section>`;
}

function linkPanel(basePath: string): Html {
  return html`<section class="panel" aria-labelledby="link"><div class="panel-head"><h2 id="link">${words('today.noHandle')}</h2></div><p class="soft">${words('today.noHandleText')}</p><p class="actions"><a class="button primary" href="${basePath}${handlesPath}">${icon('sync')}<span>${words('today.link')}</span></a></p></section>`;
}

function latestPanel(latest: readonly Batch[], forms: Forms): Html {
  const content =
    latest.length === 0
      ? html`<p class="soft">${words('today.latestNothing')}</p>`
      : batchesByDay(latest, forms, (text) => html`<h3>${text}</h3>`);
  return html`<section class="panel" aria-labelledby="latest"><div class="panel-head"><h2 id="latest">${words('today.latest')}</h2><a href="${forms.basePath}/dashboard/history/">${words('frame.history')}</a></div>${content}</section>`;
}
