/** The contests of a season: a coach ticks those that are here and rounds of the group, or gives a link. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { contestAt } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { spanOf } from '../../../practice/season-table.ts';
import { addSeasonContests, removeSeasonContest } from '../../../practice/seasons.ts';
import { findContestsByKeys } from '../../../store/contests.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import {
  listChoosableContests,
  listGroupRounds,
  listSeasonContests,
  listSeasonRounds,
  type SeasonContestsTable,
  type SeasonsTable,
} from '../../../store/seasons.ts';
import { askedContest } from '../../kit/contest-problems.ts';
import { contestSearch } from '../../kit/contest-search.ts';
import { type Faults, form, formActions, textField } from '../../kit/form.ts';
import { judgeMark, roundMark } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { askedBy } from '../../kit/problem-query.ts';
import { attr, type Html, html } from '../../markup.ts';
import { seasonPath } from '../../paths.ts';
import { faultOf, field, idIn } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { richWords, sentenceOf, words } from '../../words/words.ts';
import { coachedBy, coachedGroupOf, groupDone, groupFrame, ownSession } from './frame.ts';
import { dayIn, daysOfGroup, daysText, knownSeasonAt, seasonStyles } from './season-parts.ts';

const choicesShown = 50;
const longestLink = 2000;

const addPath = (groupId: bigint) => `${seasonPath(groupId)}add/`;

export async function showContests(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  return { html: await contestsPage(visit, group, await knownSeasonAt(visit, group)) };
}

export async function takeContests(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const season = await knownSeasonAt(visit, group);
  const { store, form, website } = visit;
  const coached = coachedBy(visit, group);
  const again = async (faults: Faults, status = 422) => ({
    html: await contestsPage(visit, group, season, faults),
    status,
  });
  if (form.has('remove')) {
    await removeSeasonContest(store, coached, itemOf(field(form, 'remove', 30)));
    return { to: groupDone(addPath(group.id), 'contestOut') };
  }
  const link = field(form, 'link', longestLink).trim();
  const ticked = form.getAll('contest').slice(0, 2 * choicesShown);
  if (link === '' && ticked.length === 0) return again({ link: words('season.chooseContest') });
  try {
    const items = ticked.map(itemOf);
    const linked = link === '' ? undefined : await linkedContest(visit, group, link);
    const isHere = linked !== undefined && 'id' in linked;
    if (isHere) items.push({ kind: 'contest', item_id: linked.id });
    await addSeasonContests(store, coached, items, isHere ? undefined : linked, website.addLimits);
    return { to: groupDone(seasonPath(group.id), 'contests') };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) return again({ link: faultOf(error) });
    return again({ link: sentenceOf(error) }, error.status);
  }
}

/** The contest or round that a tick or a button names: by its id, which has an r before it for a round. */
function itemOf(text: string): Pick<SeasonContestsTable, 'kind' | 'item_id'> {
  const isRound = text.startsWith('r');
  return { kind: isRound ? 'round' : 'contest', item_id: idIn(isRound ? text.slice(1) : text, parseInt64) };
}

/** The contest of a link. Its judge is asked only where the contest is not here. */
async function linkedContest(visit: MemberVisit, group: GroupWithLists, link: string) {
  const { reader } = visit.store;
  const wanted = contestAt(link);
  const [known] = wanted ? await findContestsByKeys(reader, wanted.source, [wanted.contest]) : [];
  if (known) return known;
  const asked = await askedContest(visit, link, await readGymKey(reader, coachedBy(visit, group), ownSession(visit)));
  return { ...asked, isGym: asked.problems.some((one) => one.isGym) };
}

/** A contest or a round, as it stands in lists of this page. */
interface Choice {
  value: string;
  mark: Html;
  title: string;
  at: string | null;
}

/** The contests and rounds of a season. */
async function heldIn({ store: { reader } }: MemberVisit, { id }: SeasonsTable) {
  const contests = (await listSeasonContests(reader, id)).map((one) => ({
    ...{ value: String(one.id), mark: judgeMark(one.source), title: one.title, at: one.starts_at ?? one.added_at },
  }));
  const rounds = (await listSeasonRounds(reader, id)).map((round) => ({
    ...{ value: `r${round.id}`, mark: roundMark(), title: round.name, at: round.starts_at },
  }));
  return [...contests, ...rounds];
}

async function contestsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  faults: Faults = {},
): Promise<Html> {
  const held = (await heldIn(visit, season)).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const choice = await contestChoice(visit, group, season, { faults });
  return groupFrame(
    visit,
    group,
    { tab: 'season/', title: season.name, sub: words('season.add'), styles: seasonStyles },
    html`
      ${panel({ id: 'add', heading: words('season.add') }, choice)}
      ${
        held.length > 0 &&
        panel({ id: 'held', heading: words('season.contests'), total: held.length }, heldList(visit, group, held))
      }`,
  );
}

/** The form that adds contests: the link of one, and those that are here to tick. */
export async function contestChoice(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  { faults }: { faults: Faults },
): Promise<Html> {
  const { store, site, form: sent } = visit;
  const text = askedBy(visit.query).text('q');
  const { days, from, until } = spanOf(season, group.zone);
  const contests = await listChoosableContests(store.reader, { text, from, until }, choicesShown);
  const rounds = text === '' ? await listGroupRounds(store.reader, group.id, { from, until }, choicesShown) : [];
  const found: Choice[] = [
    ...rounds.map((round) => ({ value: `r${round.id}`, mark: roundMark(), title: round.name, at: round.starts_at })),
    ...contests.map((one) => ({
      ...{ value: String(one.id), mark: judgeMark(one.source), title: one.title, at: one.starts_at },
    })),
  ];
  const inSeason = new Set((await heldIn(visit, season)).map(({ value }) => value));
  const to = addPath(group.id);
  const search = html`
    <form class="search-line" action="${site.basePath}${to}" role="search">
      ${contestSearch(text)}
      <button class="button">${words('season.find')}</button>
    </form>`;
  const ticked = new Set(sent.getAll('contest'));
  const row = ({ value, mark, title, at }: Choice) =>
    html`
      <li>
        <label class="tick">
          <input
            type="checkbox" name="contest" value="${value}" autocomplete="off"${attr('checked', ticked.has(value))}
          >
          <span><bdi>${title}</bdi></span>
        </label>
        ${mark}
        <span class="soft num">${at === null ? '' : dayIn(days, at, true)}</span>
      </li>`;
  const free = found.filter(({ value }) => !inSeason.has(value));
  const nothing = found.length > 0 ? 'season.allIn' : text === '' ? 'season.noneInSpan' : 'season.noneFound';
  const list =
    free.length === 0
      ? html`<p class="soft">${words(nothing)}</p>`
      : html`<ul class="ticks" data-total="${free.length}">${free.map(row)}</ul>`;
  return html`
    <p class="soft">${words('season.chooseHint', { days: daysText(season) })}</p>
    ${search}
    ${form(
      visit,
      { to: text === '' ? to : `${to}?${new URLSearchParams({ q: text })}`, className: 'form wide-form' },
      html`
        ${list}
        ${textField(words('season.link'), 'link', faults, {
          ...{ type: 'url', value: sent.get('link')?.slice(0, longestLink) ?? '', longest: longestLink },
          ...{ isOptional: true, hint: words('season.linkHint') },
        })}
        ${formActions(words('season.addButton'))}`,
    )}`;
}

function heldList(visit: MemberVisit, group: GroupWithLists, held: readonly Choice[]): Html {
  const days = daysOfGroup(group);
  const row = ({ value, mark, title, at }: Choice) =>
    html`
      <li>
        <span><bdi>${title}</bdi></span>
        ${mark}
        <span class="soft num">${at === null ? '' : dayIn(days, at, true)}</span>
        <button class="button small quiet" name="remove" value="${value}">
          ${richWords('groups.remove', { name: html`<bdi>${title}</bdi>` })}
        </button>
      </li>`;
  return form(visit, { to: addPath(group.id) }, html`<ul class="ticks">${held.map(row)}</ul>`);
}
