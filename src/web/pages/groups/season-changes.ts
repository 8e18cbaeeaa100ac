/** The pages by which a coach changes a season: its contests, its name and days, the rule of points, and its end. */

import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { type ContestRequest, requestContest } from '../../../jobs/sync-on-request.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { judgeOf } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { type ItemIdentity, itemKey, spanOf } from '../../../practice/season-table.ts';
import {
  addSeasonContests,
  bestAtMost,
  changeSeason,
  daysFault,
  defaultUpsolveDays,
  longestSeasonName,
  makeSeason,
  type NewSeasonItem,
  removeSeason,
  removeSeasonContest,
  type SeasonSettings,
  upsolveDaysAtMost,
  versionOfSeason,
} from '../../../practice/seasons.ts';
import { isCancelled, phaseAt } from '../../../practice/solve-settings.ts';
import { listContestsAhead } from '../../../practice/upcoming.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { fold } from '../../../store/case-folding.ts';
import { findContestsByKeys } from '../../../store/contests.ts';
import { listVisibleRounds } from '../../../store/rounds.ts';
import { listChoosableContests, listSeasonItems, type SeasonItem, type SeasonsTable } from '../../../store/seasons.ts';
import type { Db } from '../../../store/tables.ts';
import { readContestLink } from '../../kit/contest-link.ts';
import { contestSearch } from '../../kit/contest-search.ts';
import { actions, button, type Faults, form, formActions, hasFaults, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { readProblemFilter } from '../../kit/problem-query.ts';
import { attr, type Html, html } from '../../markup.ts';
import { seasonPath } from '../../paths.ts';
import { choiceIn, fieldText, idIn, lineTextFault, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachedGroupOf, coachOfGroup, groupFrame, sessionOf } from './frame.ts';
import { daysOfGroup, fullDayIn, getSeason, itemMark, seasonDaysText, seasonStyles } from './season-parts.ts';

/* Contests: a coach selects known contests and rounds of the group, or enters the link of a contest. */

const choicesShown = 50;
const roundsAtMost = 300;

const addPath = (groupId: bigint) => `${seasonPath(groupId)}add/`;

export async function showContests(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  return { html: await contestsPage(visit, group, await getSeason(visit, group)) };
}

export async function submitContests(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const season = await getSeason(visit, group);
  const { store, member, form: input, website } = visit;
  const coach = coachOfGroup(visit, group);
  const withFault = async (link: string, status = 422) => ({
    html: await contestsPage(visit, group, season, { link }),
    status,
  });
  if (input.has('remove')) {
    const { kind, item_id } = parseItem(fieldText(input, 'remove', 30));
    await removeSeasonContest(store, coach, { kind: kind === 'round' ? kind : 'contest', item_id });
    return { to: addressWithNotice(addPath(group.id), 'contestOut') };
  }
  const link = fieldText(input, 'link', longestAddress).trim();
  const checkedIds = input.getAll('contest').slice(0, 2 * choicesShown);
  if (link === '' && checkedIds.length === 0) return withFault(words('season.chooseContest'));
  try {
    const items = checkedIds.map(parseItem);
    const request = await readContestLink(visit, link);
    if (!request && link !== '') throw localizedError('invalidValue.contestLink');
    const existing = request && (await findListedContest(store.reader, request));
    if (existing) items.push({ kind: 'contest', item_id: existing.id });
    const readKey = () => readGymKey(store.reader, coach, sessionOf(visit));
    const contest =
      request && !existing
        ? await requestContest(store, member.user_id, { ...request, apiKey: await readKey() })
        : undefined;
    await addSeasonContests(store, coach, items, contest && { contest, limits: website.addLimits });
    return { to: addressWithNotice(seasonPath(group.id), 'contests') };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) return withFault(refusalText(error));
    return withFault(localizeText(error), error.status);
  }
}

/** A contest whose problems are shown later, or are all that can be known. */
async function findListedContest(db: Db, { source, key }: ContestRequest) {
  const [contest] = await findContestsByKeys(db, source, [key]);
  const isAwaited = contest && phaseAt(contest, Date.now()) !== 'over';
  return isAwaited || !judgeOf(source)?.api?.contest ? contest : undefined;
}

const kindPrefixes = { contest: '', round: 'r', coming: 'u' } as const;

/** Reads the value of a checkbox or button: an id with the prefix of its kind. */
function parseItem(text: string): NewSeasonItem {
  const kind = text.startsWith(kindPrefixes.round)
    ? 'round'
    : text.startsWith(kindPrefixes.coming)
      ? 'coming'
      : 'contest';
  return { kind, item_id: idIn(text.slice(kindPrefixes[kind].length), parseInt64) };
}

const checkboxValue = ({ kind, id }: Pick<SeasonChoice, 'kind' | 'id'>) => `${kindPrefixes[kind]}${id}`;

type SeasonChoice = Pick<SeasonItem, 'id' | 'title' | 'starts_at'> & ItemIdentity;

async function contestsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  faults: Faults = {},
): Promise<Html> {
  const items = await listSeasonItems(visit.store.reader, [season.id]);
  const row = (one: SeasonItem) => html`
    <li>
      <span>
        <bdi>${one.title}</bdi>
        ${one.kind === 'contest' && isCancelled(one) && html` <span class="tag">${words('upcoming.cancelled')}</span>`}
      </span>
      ${markAndDay(group, one, one.starts_at ?? one.added_at)}
      <button class="button small quiet" name="remove" value="${checkboxValue(one)}">
        ${richWords('groups.remove', { name: html`<bdi>${one.title}</bdi>` })}
      </button>
    </li>`;
  const list = form(visit, { to: addPath(group.id) }, html`<ul class="ticks">${items.map(row)}</ul>`);
  return groupFrame(
    visit,
    group,
    { tab: 'season/', title: season.name, subtitle: words('season.add'), styles: seasonStyles },
    html`
      ${panel({ id: 'add', heading: words('season.add') }, await contestChoice(visit, group, season, items, faults))}
      ${items.length > 0 && panel({ id: 'held', heading: words('season.contests'), total: items.length }, list)}`,
  );
}

const markAndDay = (group: GroupWithLists, item: SeasonChoice, at: string | null) => html`
  ${itemMark(item)}
  <span class="soft num">${at === null ? '' : fullDayIn(daysOfGroup(group), at)}</span>`;

export async function contestChoice(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  items: readonly SeasonItem[] = [],
  faults: Faults = {},
): Promise<Html> {
  const { site, form: input } = visit;
  const text = readProblemFilter(visit.query).text('q');
  const matches = await listChoices(visit, group, season, text);
  const to = addPath(group.id);
  const checked = new Set(input.getAll('contest'));
  const row = (one: SeasonChoice) => html`
    <li>
      <label class="tick">
        <input
          type="checkbox" name="contest" value="${checkboxValue(one)}"
          autocomplete="off"${attr('checked', checked.has(checkboxValue(one)))}
        >
        <span><bdi>${one.title}</bdi></span>
      </label>
      ${markAndDay(group, one, one.starts_at)}
    </li>`;
  const inSeason = new Set(items.map(itemKey));
  const available = matches.filter((one) => !inSeason.has(itemKey(one)));
  const emptyText = matches.length > 0 ? 'season.allIn' : text === '' ? 'season.noneInSpan' : 'season.noneFound';
  return html`
    <p class="soft">${words('season.chooseHint', { days: seasonDaysText(season) })}</p>
    <form class="search-line" action="${site.basePath}${to}" role="search">
      ${contestSearch(text)}
      <button class="button">${words('season.find')}</button>
    </form>
    ${form(
      visit,
      { to: text === '' ? to : `${to}?${new URLSearchParams({ q: text })}`, className: 'form wide-form' },
      html`
        ${
          available.length === 0
            ? html`<p class="soft">${words(emptyText)}</p>`
            : html`<ul class="ticks" data-total="${available.length}">${available.map(row)}</ul>`
        }
        ${textField(words('season.link'), 'link', faults, {
          type: 'url',
          value: input.get('link')?.slice(0, longestAddress) ?? '',
          longest: longestAddress,
          isOptional: true,
          hint: words('season.linkHint'),
        })}
        ${formActions(words('season.addButton'))}`,
    )}`;
}

const upcomingMs = 14 * dayMs;

/** Without search words, the contests and rounds that begin within the season. */
async function listChoices({ store, member }: MemberVisit, group: GroupWithLists, season: SeasonsTable, text: string) {
  const { from, until } = spanOf(season, group.zone);
  const contests: SeasonChoice[] = (await listChoosableContests(store.reader, { text, from, until }, choicesShown)).map(
    (one) => ({ ...one, kind: 'contest' }),
  );
  const listedKeys = new Set(contests.map(itemKey));
  const matchesSearch = ({ title, starts_at }: { title: string; starts_at: string }) =>
    text === '' ? starts_at >= from && starts_at < until : fold(title).includes(fold(text));
  const now = Date.now();
  const span = { from: now, until: now + upcomingMs, isSample: member.is_sample === 1n };
  // Without a contest page, this server would never learn the problems of the contest.
  const upcoming = (await listContestsAhead(store.reader, span))
    .filter((one) => one.cancelled_at === null && judgeOf(one.source)?.contestPage && matchesSearch(one))
    .map((one): SeasonChoice => ({ ...one, kind: 'coming' }))
    .filter((one) => !listedKeys.has(itemKey(one)));
  const rounds = await listVisibleRounds(store.reader, member.user_id, { groupId: group.id, limit: roundsAtMost });
  return rounds
    .map(({ id, name: title, starts_at }) => ({ id, title, starts_at }))
    .filter(matchesSearch)
    .slice(0, choicesShown)
    .map((round): SeasonChoice => ({ ...round, kind: 'round' }))
    .concat(upcoming.toReversed(), contests);
}

/* A new season, which becomes the current one, and the settings of the current season. */

/** Half a year. */
const usualSeasonDays = 182;

const pointsChoices = () =>
  [
    ['problem', words('season.points.problem')],
    ['band', words('season.points.band')],
  ] as const;

function readSeason(input: URLSearchParams): { settings: SeasonSettings; faults: Record<string, string> } {
  const text = (name: string) => fieldText(input, name, 1000).trim();
  const wholeNumber = (name: string, most: number) =>
    /^\d{1,3}$/.test(text(name)) && Number(text(name)) <= most ? BigInt(text(name)) : undefined;
  const [days, best] = [wholeNumber('upsolve_days', upsolveDaysAtMost), wholeNumber('best', bestAtMost)];
  const settings: SeasonSettings = {
    name: text('name'),
    first_day: text('first_day'),
    last_day: text('last_day'),
    points: choiceIn(input, 'points', pointsChoices()),
    upsolve_days: days ?? 0n,
    best: best ?? null,
  };
  const faults = { ...lineTextFault(settings.name, 'name', longestSeasonName, 'season.nameIt') };
  const fault = daysFault(settings);
  if (fault) faults[fault === 'noDay' ? 'first_day' : 'last_day'] = words(`season.days.${fault}`);
  if (days === undefined) faults['upsolve_days'] = words('season.badUpsolve', { most: upsolveDaysAtMost });
  if (text('best') !== '' && (best === undefined || best === 0n))
    faults['best'] = words('season.badBest', { most: bestAtMost });
  return { settings, faults };
}

function seasonFields({ form: input }: MemberVisit, season: SeasonSettings, faults: Faults): Html {
  const value = (name: keyof SeasonSettings) => input.get(name)?.trim() ?? String(season[name] ?? '');
  const seasonField = (label: string, name: keyof SeasonSettings, more: Parameters<typeof textField>[3]) =>
    textField(label, name, faults, { value: value(name), ...more });
  const number = (min: number, max: number) => ({ type: 'number', more: { min, max } }) as const;
  return html`
    ${seasonField(words('season.name'), 'name', { longest: longestSeasonName, hint: words('season.nameHint') })}
    <div class="field-pair even">
      ${seasonField(words('season.from'), 'first_day', { type: 'date' })}
      ${seasonField(words('season.to'), 'last_day', { type: 'date' })}
    </div>
    ${selectField(words('season.pointsFor'), 'points', pointsChoices(), value('points'))}
    ${seasonField(words('season.upsolveDays'), 'upsolve_days', {
      ...number(0, upsolveDaysAtMost),
      hint: words('season.upsolveHint'),
    })}
    ${seasonField(words('season.best'), 'best', {
      ...number(1, bestAtMost),
      isOptional: true,
      hint: words('season.bestHint'),
    })}`;
}

export async function showNewSeason(visit: MemberVisit): Promise<PageResult> {
  return { html: newPage(visit, await coachedGroupOf(visit)) };
}

export async function submitNewSeason(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { settings, faults } = readSeason(visit.form);
  if (!hasFaults(faults)) {
    try {
      await makeSeason(visit.store, coachOfGroup(visit, group), settings);
      return { to: seasonPath(group.id) };
    } catch (error) {
      faults['name'] = refusalText(error);
    }
  }
  return { html: newPage(visit, group, faults), status: 422 };
}

function newPage(visit: MemberVisit, group: GroupWithLists, faults: Faults = {}): Html {
  const today = daysOfGroup(group).at(Date.now());
  const defaults: SeasonSettings = {
    name: '',
    first_day: dateOf(today),
    last_day: dateOf(today + usualSeasonDays - 1),
    points: 'problem',
    upsolve_days: BigInt(defaultUpsolveDays),
    best: null,
  };
  const content = form(
    visit,
    { to: `${seasonPath(group.id)}new/`, className: 'form' },
    html`
      ${seasonFields(visit, defaults, faults)}
      <p class="faint">${words(group.has_season === 1n ? 'season.newKeeps' : 'season.newAsks')}</p>
      ${formActions(words('season.make'))}`,
  );
  const title = words('season.new');
  return groupFrame(visit, group, { tab: 'season/', title }, panel({ id: 'new-season', heading: title }, content));
}

export async function showSeasonSettings(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  return { html: settingsPage(visit, group, await getSeason(visit, group)) };
}

export async function submitSeasonSettings(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const season = await getSeason(visit, group);
  const { store, form: input } = visit;
  if (input.has('confirm')) {
    if (input.get('season') !== String(season.id)) throw pageNotFound(visit.path);
    if (fieldText(input, 'confirm', 1000).trim() !== season.name.trim())
      return { html: settingsPage(visit, group, season, { confirm: words('season.wrongName') }), status: 422 };
    await removeSeason(store, coachOfGroup(visit, group));
    return { to: addressWithNotice(seasonPath(group.id), 'noSeason') };
  }
  const { settings, faults } = readSeason(input);
  if (hasFaults(faults)) return { html: settingsPage(visit, group, season, faults), status: 422 };
  const newerSeason = await changeSeason(
    store,
    coachOfGroup(visit, group),
    settings,
    fieldText(input, 'version', 2000),
  );
  if (newerSeason === undefined) return { to: addressWithNotice(seasonPath(group.id), 'season') };
  return { html: settingsPage(visit, group, newerSeason, {}, words('season.conflict')), status: 422 };
}

function settingsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  faults: Faults = {},
  fault?: string,
): Html {
  const path = seasonPath(group.id);
  const to = `${path}settings/`;
  const rulesForm = form(
    visit,
    { to, className: 'form', hidden: { version: versionOfSeason(season) } },
    html`
      ${seasonFields(visit, season, faults)}
      <p class="faint">${words('season.recomputes')}</p>
      ${formActions(words('groups.save'))}`,
  );
  const newSeasonPart = html`
    <p class="soft">${words('season.newKeeps')}</p>
    ${actions(linkButton(`${visit.site.basePath}${path}new/`, words('season.new'), { symbol: 'plus' }))}`;
  const deletion = html`
    <p class="soft">${words('season.deleteText')}</p>
    ${form(
      visit,
      { to, className: 'form', hidden: { season: season.id } },
      html`
        ${textField(words('season.confirm'), 'confirm', faults, {
          hint: richWords('groups.typeName', { name: html`<bdi>${season.name}</bdi>` }),
        })}
        ${actions(button(words('season.delete'), 'danger'))}`,
    )}`;
  return groupFrame(
    visit,
    group,
    { tab: 'season/', title: season.name, subtitle: words('season.settings'), fault },
    html`
      ${panel({ id: 'rule', heading: words('season.settings') }, rulesForm)}
      ${panel({ id: 'next', heading: words('season.new') }, newSeasonPart)}
      ${panel({ id: 'delete', heading: words('season.deleteTitle') }, deletion)}`,
  );
}
