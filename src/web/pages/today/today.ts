/**
 * Today: what is due, how fresh everything is, suggestions, the streak and the week, the year, and what changed last.
 * It is the first page after signing in.
 */

import { findFirstActiveDay, readActivity } from '../../../practice/activity.ts';
import { dateOf } from '../../../practice/days.ts';
import { listNext } from '../../../practice/next.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { readStreak } from '../../../practice/streak.ts';
import { type Batch, listBatches } from '../../../store/changes.ts';
import { type CompletedProblem, listCompleted } from '../../../store/completions.ts';
import { findSolvedCounts } from '../../../store/solved-counts.ts';
import { countSample } from '../../../store/summary.ts';
import { handleHealth } from '../../../sync/health.ts';
import { readProgressQuery, yearLinks } from '../../drawing/charts/progress-view.ts';
import { readYearMode, type Year, yearPicture, yearUntil } from '../../drawing/charts/year.ts';
import { yearFacts } from '../../drawing/charts/year-facts.ts';
import { batchesByDay, changeBar } from '../../kit/changes.ts';
import { demoLine } from '../../kit/demo-line.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon, spot } from '../../kit/icons.ts';
import type { Forms } from '../../kit/marks.ts';
import { gardenStyles } from '../../kit/plant-links.ts';
import { isSyncing } from '../../kit/sync-health.ts';
import { type Html, html } from '../../markup.ts';
import {
  accountDaysPath as daysSettingsPath,
  groupsPath,
  handlesPath,
  historyPath,
  importsPath,
  invitationsPath,
  listPath,
  staffPath,
} from '../../paths.ts';
import { zoneWords } from '../../road/clock.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { utcFormat } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { dueForReview } from './due.ts';
import { gardenPanel } from './garden-strip.ts';
import { givenPanel } from './given-lists.ts';
import { nextPanels, nextToCome } from './next.ts';
import { strip } from './strip.ts';
import { syncLine } from './sync-line.ts';

const dashboardPath = '/dashboard/';
const changesShown = 6;

export const dashboardPages: readonly PageRoute<MemberVisit>[] = [{ path: dashboardPath, show }];

/** A panel below the year, or nothing where it has nothing to show. */
type Panel = (visit: MemberVisit) => Promise<Html | undefined>;
/** The wide column and the narrow one; one of them alone takes the whole width. */
const columns: readonly (readonly Panel[])[] = [
  [(visit) => gardenPanel(visit, new Date(), completed(visit))],
  [latestPanel],
];

const dayFormat = utcFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

const knownCompleted = new WeakMap<MemberVisit, Promise<readonly CompletedProblem[]>>();

/** What the member has completed, from which suggestions and plants follow. */
function completed(visit: MemberVisit): Promise<readonly CompletedProblem[]> {
  const all = knownCompleted.get(visit) ?? listCompleted(visit.store.reader, visit.member.user_id);
  knownCompleted.set(visit, all);
  return all;
}

/** The sync line; undefined for a member without handles. */
async function freshness(visit: MemberVisit): Promise<Html | undefined> {
  const { store, member, site } = visit;
  const healths = await handleHealth(store.reader, new Date(), member.user_id);
  if (healths.length === 0) return undefined;
  return syncLine(healths, await isSyncing(visit), site.basePath);
}

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, query, days } = visit;
  const { reader } = store;
  const memberId = member.user_id;
  const today = days.at(Date.now());
  const { weekStart } = days.rule;
  const range = yearUntil(today, weekStart);
  const preferences = await readPreferences(reader, memberId);
  const [sync, { next, missing }, rows, firstDay, streak, due] = await Promise.all([
    freshness(visit),
    listNext(reader, memberId, days, today, completed(visit)),
    readActivity(reader, memberId, days, range),
    findFirstActiveDay(reader, memberId, days, today),
    readStreak(reader, memberId, days, today),
    dueForReview(visit, preferences.reviewsADay),
  ]);
  const forms = formsOf(visit);
  const problemIds = next.flatMap(({ suggestions }) => suggestions.map(({ problem }) => problem.id));
  const solvedCounts = await findSolvedCounts(reader, problemIds);
  const given = await givenPanel(visit);
  const below = await columnsOf(visit);
  const hasBegun = streak.longest !== undefined || rows.length > 0;
  const isNew =
    sync === undefined && next.length === 0 && !hasBegun && given === undefined && (await isWithoutChanges(visit));
  const year: Year = {
    ...{ range, weekStart, today, rows, mode: readYearMode(query) },
    ...{ basePath: site.basePath, path: dashboardPath },
    years: yearLinks(site.basePath, readProgressQuery(new URLSearchParams()), firstDay, today),
  };
  const suggested =
    next.length === 0 ? nextToCome(missing, site.basePath) : nextPanels(next, { forms, preferences, solvedCounts });
  const content = isNew
    ? html`${emptyPanel(site.basePath)}${member.role === 'staff' ? await staffPanel(visit) : ''}`
    : html`
      ${given ?? ''}
      ${sync === undefined ? linkPanel(site.basePath) : ''}
      ${suggested}
      ${
        hasBegun
          ? strip({ streak, today, weekStart, rows, goal: preferences.weekGoal, due, basePath: site.basePath })
          : ''
      }
      ${
        hasBegun
          ? html`<section class="panel year" aria-labelledby="year">${yearPicture(year)}${yearFacts(year)}</section>`
          : ''
      }
      ${below}`;
  return {
    html: frame(
      visit,
      {
        title: words('today.title'),
        current: dashboardPath,
        kind: 'p-today',
        styles: ['pictures.css', 'groups.css', ...gardenStyles],
        bar: await changeBar(visit, dashboardPath),
      },
      html`
        ${demoLine(visit)}
        ${pageHead(dayFormat.format(Date.parse(dateOf(today))), { sub: dayEnd(visit), ...(sync && { actions: sync }) })}
        ${content}`,
    ),
  };
}

/** When the member's day ends, and the way to change that. */
function dayEnd({ days, site }: MemberVisit): Html {
  return richWords('today.dayEnds', {
    hour: `${String(days.rule.startHour).padStart(2, '0')}:00`,
    zone: zoneWords(),
    link: linkTo(site.basePath + daysSettingsPath),
  });
}

const formsOf = ({ site, antiForgery }: MemberVisit): Forms => ({
  ...{ basePath: site.basePath, antiForgery, from: dashboardPath },
});

async function isWithoutChanges({ store, member }: MemberVisit): Promise<boolean> {
  return (await listBatches(store.reader, member.user_id, 1)).length === 0;
}

async function columnsOf(visit: MemberVisit): Promise<Html> {
  const shown: Html[] = [];
  for (const panels of columns) {
    const some = (await Promise.all(panels.map((panel) => panel(visit)))).filter((one) => one !== undefined);
    if (some.length > 0) shown.push(html`<div class="stack">${some}</div>`);
  }
  return shown.length > 1 ? html`<div class="two">${shown}</div>` : html`${shown}`;
}

function emptyPanel(basePath: string): Html {
  return html`
    <section class="panel empty">
      ${spot('seedlings')}
      <h2>${words('today.nothing')}</h2>
      <p class="soft">${words('today.nothingText')}</p>
      <div class="actions">
        <a class="button primary" href="${basePath}${handlesPath}">
          ${icon('sync')}
          <span>${words('today.link')}</span>
        </a>
        <a class="button" href="${basePath}${listPath}">${words('today.find')}</a>
      </div>
    </section>`;
}

/** What staff do first for others. */
async function staffPanel({ store, site }: MemberVisit): Promise<Html> {
  const { basePath } = site;
  const { members } = await countSample(store.reader);
  const link = linkTo(`${basePath}${staffPath}settings/#sample`);
  const sample = members > 0n ? html`<p class="soft">${richWords('today.demoData', { link })}</p>` : '';
  return html`
    <section class="panel" aria-labelledby="for-others">
      <div class="panel-head"><h2 id="for-others">${words('today.forOthers')}</h2></div>
      <p class="soft">${words('today.forOthersText')}</p>
      ${sample}
      <p class="actions">
        <a class="button" href="${basePath}${importsPath}">
          ${icon('upload')}
          <span>${words('problems.toImports')}</span>
        </a>
        <a class="button" href="${basePath}${groupsPath}">${icon('plus')}<span>${words('groups.make')}</span></a>
        <a class="button" href="${basePath}${invitationsPath}">
          ${icon('people')}
          <span>${words('today.invite')}</span>
        </a>
      </p>
    </section>`;
}

function linkPanel(basePath: string): Html {
  return html`
    <section class="panel" aria-labelledby="link">
      <div class="panel-head"><h2 id="link">${words('today.noHandle')}</h2></div>
      <p class="soft">${words('today.noHandleText')}</p>
      <p class="actions">
        <a class="button primary" href="${basePath}${handlesPath}">
          ${icon('sync')}
          <span>${words('today.link')}</span>
        </a>
      </p>
    </section>`;
}

async function latestPanel(visit: MemberVisit): Promise<Html> {
  const { store, member, site } = visit;
  const latest: Batch[] = await listBatches(store.reader, member.user_id, changesShown);
  const content =
    latest.length === 0
      ? html`<p class="soft">${words('today.latestNothing')}</p>`
      : batchesByDay(latest, formsOf(visit), (text) => html`<h3>${text}</h3>`);
  return html`
    <section class="panel" aria-labelledby="latest">
      <div class="panel-head">
        <h2 id="latest">${words('today.latest')}</h2>
        <a href="${site.basePath}${historyPath}">${words('history.title')}</a>
      </div>
      ${content}
    </section>`;
}
