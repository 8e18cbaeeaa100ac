/** The pages by which a coach changes a season: its contests, its name and days, the rule of points, and its end. */

import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { type ContestRequest, requestContest } from '../../../jobs/sync-on-request.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { type ItemIdentity, itemKey, spanOf } from '../../../practice/season-table.ts';
import {
  type Added,
  addSeasonContests,
  bestAtMost,
  changeSeason,
  daysFault,
  longestSeasonName,
  makeSeason,
  removeSeason,
  removeSeasonContest,
  type SeasonWishes,
  upsolveDaysAtMost,
  usualUpsolveDays,
  versionOfSeason,
} from '../../../practice/seasons.ts';
import { isCancelled, phaseAt } from '../../../practice/taking-part.ts';
import { listContestsAhead } from '../../../practice/upcoming.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { fold } from '../../../store/case-folding.ts';
import { findContestsByKeys, listGridPlaces } from '../../../store/contests.ts';
import { listOpenRounds } from '../../../store/rounds.ts';
import { listChoosableContests, listHeld, type SeasonItem, type SeasonsTable } from '../../../store/seasons.ts';
import type { Db } from '../../../store/tables.ts';
import { readContestLink } from '../../kit/contest-link.ts';
import { contestSearch } from '../../kit/contest-search.ts';
import { actions, button, type Faults, form, formActions, hasFaults, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { readProblemFilter } from '../../kit/problem-query.ts';
import { attr, type Html, html } from '../../markup.ts';
import { seasonPath } from '../../paths.ts';
import { chosenIn, faultOf, field, idIn, lineFault } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { coachedBy, coachedGroupOf, groupDone, groupFrame, ownSession } from './frame.ts';
import { dayIn, daysOfGroup, itemMark, seasonAt, seasonDaysText, seasonStyles } from './season-parts.ts';

/* The contests: a coach ticks those that are here and rounds of the group, or gives a link. */

const choicesShown = 50;
const roundsRead = 300;

const addPath = (groupId: bigint) => `${seasonPath(groupId)}add/`;

export async function showContests(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  return { html: await contestsPage(visit, group, await seasonAt(visit, group)) };
}

export async function takeContests(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const season = await seasonAt(visit, group);
  const { store, member, form: sent, website } = visit;
  const coached = coachedBy(visit, group);
  const again = async (link: string, status = 422) => ({
    html: await contestsPage(visit, group, season, { link }),
    status,
  });
  if (sent.has('remove')) {
    const { kind, item_id } = itemOf(field(sent, 'remove', 30));
    await removeSeasonContest(store, coached, { kind: kind === 'round' ? kind : 'contest', item_id });
    return { to: groupDone(addPath(group.id), 'contestOut') };
  }
  const link = field(sent, 'link', longestAddress).trim();
  const ticked = sent.getAll('contest').slice(0, 2 * choicesShown);
  if (link === '' && ticked.length === 0) return again(words('season.chooseContest'));
  try {
    const items = ticked.map(itemOf);
    const linked = await readContestLink(visit, link);
    if (!linked && link !== '') throw localizedError('badSetting.contestLink');
    const known = linked && (await findWholeContest(store.reader, linked));
    if (known) items.push({ kind: 'contest', item_id: known.id });
    else if (linked && !judgeOf(linked.source)?.api?.contest)
      throw localizedError('badSetting.contestElsewhere', { judge: judgeName(linked.source) });
    const readKey = () => readGymKey(store.reader, coached, ownSession(visit));
    const fetched =
      linked && !known
        ? await requestContest(store, member.user_id, { ...linked, apiKey: await readKey() })
        : undefined;
    await addSeasonContests(store, coached, items, fetched && { contest: fetched, limits: website.addLimits });
    return { to: groupDone(seasonPath(group.id), 'contests') };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) return again(faultOf(error));
    return again(localizeText(error), error.status);
  }
}

/** The contest as it is here; undefined where its judge is to be asked, as for one that is over without problems. */
async function findWholeContest(db: Db, { source, key }: ContestRequest) {
  const [known] = await findContestsByKeys(db, source, [key]);
  if (!known || !judgeOf(source)?.api?.contest || phaseAt(known, Date.now()) !== 'over') return known;
  return (await listGridPlaces(db, [known.id])).length > 0 ? known : undefined;
}

const letters = { contest: '', round: 'r', coming: 'u' } as const;

/** The contest or round whose id a tick or a button has, after a letter for a round or a contest of Upcoming. */
function itemOf(text: string): Added {
  const kind = text.startsWith(letters.round) ? 'round' : text.startsWith(letters.coming) ? 'coming' : 'contest';
  return { kind, item_id: idIn(text.slice(letters[kind].length), parseInt64) };
}

const tickOf = ({ kind, id }: Pick<Choice, 'kind' | 'id'>) => `${letters[kind]}${id}`;

/** A contest or a round of the group, as it stands in lists of this page. */
type Choice = Pick<SeasonItem, 'id' | 'title' | 'starts_at'> & ItemIdentity;

async function contestsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  faults: Faults = {},
): Promise<Html> {
  const held = await listHeld(visit.store.reader, [season.id]);
  const row = (one: SeasonItem) => html`
    <li>
      <span>
        <bdi>${one.title}</bdi>
        ${one.kind === 'contest' && isCancelled(one) && html` <span class="tag">${words('upcoming.cancelled')}</span>`}
      </span>
      ${markAndDay(group, one, one.starts_at ?? one.added_at)}
      <button class="button small quiet" name="remove" value="${tickOf(one)}">
        ${richWords('groups.remove', { name: html`<bdi>${one.title}</bdi>` })}
      </button>
    </li>`;
  const list = form(visit, { to: addPath(group.id) }, html`<ul class="ticks">${held.map(row)}</ul>`);
  return groupFrame(
    visit,
    group,
    { tab: 'season/', title: season.name, sub: words('season.add'), styles: seasonStyles },
    html`
      ${panel({ id: 'add', heading: words('season.add') }, await contestChoice(visit, group, season, held, faults))}
      ${held.length > 0 && panel({ id: 'held', heading: words('season.contests'), total: held.length }, list)}`,
  );
}

const markAndDay = (group: GroupWithLists, item: Choice, at: string | null) => html`
  ${itemMark(item)}
  <span class="soft num">${at === null ? '' : dayIn(daysOfGroup(group), at, true)}</span>`;

/** The form that adds contests: the link of one, and those that are here to tick. */
export async function contestChoice(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  held: readonly SeasonItem[] = [],
  faults: Faults = {},
): Promise<Html> {
  const { site, form: sent } = visit;
  const text = readProblemFilter(visit.query).text('q');
  const found = await choices(visit, group, season, text);
  const to = addPath(group.id);
  const ticked = new Set(sent.getAll('contest'));
  const row = (one: Choice) => html`
    <li>
      <label class="tick">
        <input
          type="checkbox" name="contest" value="${tickOf(one)}"
          autocomplete="off"${attr('checked', ticked.has(tickOf(one)))}
        >
        <span><bdi>${one.title}</bdi></span>
      </label>
      ${markAndDay(group, one, one.starts_at)}
    </li>`;
  const inSeason = new Set(held.map(itemKey));
  const free = found.filter((one) => !inSeason.has(itemKey(one)));
  const nothing = found.length > 0 ? 'season.allIn' : text === '' ? 'season.noneInSpan' : 'season.noneFound';
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
          free.length === 0
            ? html`<p class="soft">${words(nothing)}</p>`
            : html`<ul class="ticks" data-total="${free.length}">${free.map(row)}</ul>`
        }
        ${textField(words('season.link'), 'link', faults, {
          type: 'url',
          value: sent.get('link')?.slice(0, longestAddress) ?? '',
          longest: longestAddress,
          isOptional: true,
          hint: words('season.linkHint'),
        })}
        ${formActions(words('season.addButton'))}`,
    )}`;
}

const comingMs = 14 * dayMs;

/** Contests and rounds that a coach can add: those of these words, or those that begin while the season lasts. */
async function choices({ store, member }: MemberVisit, group: GroupWithLists, season: SeasonsTable, text: string) {
  const { from, until } = spanOf(season, group.zone);
  const contests: Choice[] = (await listChoosableContests(store.reader, { text, from, until }, choicesShown)).map(
    (one) => ({ ...one, kind: 'contest' }),
  );
  const known = new Set(contests.map(itemKey));
  const isMeant = ({ title, starts_at }: { title: string; starts_at: string }) =>
    text === '' ? starts_at >= from && starts_at < until : fold(title).includes(fold(text));
  const now = Date.now();
  const span = { from: now, until: now + comingMs, isSample: member.is_sample === 1n };
  // A contest whose judge never tells its problems would stay without them.
  const coming = (await listContestsAhead(store.reader, span))
    .filter((one) => one.cancelled_at === null && judgeOf(one.source)?.contestPage && isMeant(one))
    .map((one): Choice => ({ ...one, kind: 'coming' }))
    .filter((one) => !known.has(itemKey(one)));
  const rounds = await listOpenRounds(store.reader, member.user_id, { groupId: group.id, limit: roundsRead });
  return rounds
    .map(({ id, name: title, starts_at }) => ({ id, title, starts_at }))
    .filter(isMeant)
    .slice(0, choicesShown)
    .map((round): Choice => ({ ...round, kind: 'round' }))
    .concat(coming.toReversed(), contests);
}

/* A new season, which is the present one from then on, and the settings of the present one. */

/** Half a year. */
const usualDays = 182;

const pointsChoices = () =>
  [
    ['problem', words('season.points.problem')],
    ['band', words('season.points.band')],
  ] as const;

function readSeason(sent: URLSearchParams): { wishes: SeasonWishes; faults: Record<string, string> } {
  const text = (name: string) => field(sent, name, 1000).trim();
  const whole = (name: string, most: number) =>
    /^\d{1,3}$/.test(text(name)) && Number(text(name)) <= most ? BigInt(text(name)) : undefined;
  const [days, best] = [whole('upsolve_days', upsolveDaysAtMost), whole('best', bestAtMost)];
  const wishes: SeasonWishes = {
    name: text('name'),
    first_day: text('first_day'),
    last_day: text('last_day'),
    points: chosenIn(sent, 'points', pointsChoices()),
    upsolve_days: days ?? 0n,
    best: best ?? null,
  };
  const faults = { ...lineFault(wishes.name, 'name', longestSeasonName, 'season.nameIt') };
  const fault = daysFault(wishes);
  if (fault) faults[fault === 'noDay' ? 'first_day' : 'last_day'] = words(`season.days.${fault}`);
  if (days === undefined) faults['upsolve_days'] = words('season.badUpsolve', { most: upsolveDaysAtMost });
  if (text('best') !== '' && (best === undefined || best === 0n))
    faults['best'] = words('season.badBest', { most: bestAtMost });
  return { wishes, faults };
}

/** The fields as they were sent, or as the season has them. */
function seasonFields({ form: sent }: MemberVisit, season: SeasonWishes, faults: Faults): Html {
  const value = (name: keyof SeasonWishes) => sent.get(name)?.trim() ?? String(season[name] ?? '');
  const line = (label: string, name: keyof SeasonWishes, more: Parameters<typeof textField>[3]) =>
    textField(label, name, faults, { value: value(name), ...more });
  const number = (min: number, max: number) => ({ type: 'number', more: { min, max } }) as const;
  return html`
    ${line(words('season.name'), 'name', { longest: longestSeasonName, hint: words('season.nameHint') })}
    <div class="field-pair even">
      ${line(words('season.from'), 'first_day', { type: 'date' })}
      ${line(words('season.to'), 'last_day', { type: 'date' })}
    </div>
    ${selectField(words('season.pointsFor'), 'points', pointsChoices(), value('points'))}
    ${line(words('season.upsolveDays'), 'upsolve_days', {
      ...number(0, upsolveDaysAtMost),
      hint: words('season.upsolveHint'),
    })}
    ${line(words('season.best'), 'best', {
      ...number(1, bestAtMost),
      isOptional: true,
      hint: words('season.bestHint'),
    })}`;
}

export async function showNewSeason(visit: MemberVisit): Promise<Answer> {
  return { html: newPage(visit, await coachedGroupOf(visit)) };
}

export async function takeNewSeason(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const { wishes, faults } = readSeason(visit.form);
  if (!hasFaults(faults)) {
    try {
      await makeSeason(visit.store, coachedBy(visit, group), wishes);
      return { to: seasonPath(group.id) };
    } catch (error) {
      faults['name'] = faultOf(error);
    }
  }
  return { html: newPage(visit, group, faults), status: 422 };
}

function newPage(visit: MemberVisit, group: GroupWithLists, faults: Faults = {}): Html {
  const today = daysOfGroup(group).at(Date.now());
  const usual: SeasonWishes = {
    name: '',
    first_day: dateOf(today),
    last_day: dateOf(today + usualDays - 1),
    points: 'problem',
    upsolve_days: BigInt(usualUpsolveDays),
    best: null,
  };
  const content = form(
    visit,
    { to: `${seasonPath(group.id)}new/`, className: 'form' },
    html`
      ${seasonFields(visit, usual, faults)}
      <p class="faint">${words(group.has_season === 1n ? 'season.newKeeps' : 'season.newAsks')}</p>
      ${formActions(words('season.make'))}`,
  );
  const title = words('season.new');
  return groupFrame(visit, group, { tab: 'season/', title }, panel({ id: 'new-season', heading: title }, content));
}

export async function showSeasonSettings(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  return { html: settingsPage(visit, group, await seasonAt(visit, group)) };
}

export async function takeSeasonSettings(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const season = await seasonAt(visit, group);
  const { store, form: sent } = visit;
  if (sent.has('confirm')) {
    if (sent.get('season') !== String(season.id)) throw nothingHere(visit.path);
    if (field(sent, 'confirm', 1000).trim() !== season.name.trim())
      return { html: settingsPage(visit, group, season, { confirm: words('season.wrongName') }), status: 422 };
    await removeSeason(store, coachedBy(visit, group));
    return { to: groupDone(seasonPath(group.id), 'noSeason') };
  }
  const { wishes, faults } = readSeason(sent);
  if (hasFaults(faults)) return { html: settingsPage(visit, group, season, faults), status: 422 };
  const now = await changeSeason(store, coachedBy(visit, group), wishes, field(sent, 'version', 2000));
  if (now === undefined) return { to: groupDone(seasonPath(group.id), 'season') };
  return { html: settingsPage(visit, group, now, {}, words('season.overtaken')), status: 422 };
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
  const rule = form(
    visit,
    { to, className: 'form', hidden: { version: versionOfSeason(season) } },
    html`
      ${seasonFields(visit, season, faults)}
      <p class="faint">${words('season.recomputes')}</p>
      ${formActions(words('groups.save'))}`,
  );
  const next = html`
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
    { tab: 'season/', title: season.name, sub: words('season.settings'), fault },
    html`
      ${panel({ id: 'rule', heading: words('season.settings') }, rule)}
      ${panel({ id: 'next', heading: words('season.new') }, next)}
      ${panel({ id: 'delete', heading: words('season.deleteTitle') }, deletion)}`,
  );
}
