/** The contests of a season: a coach ticks those that are here, or gives the link of one. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { contestAt } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { spanOf } from '../../../practice/season-table.ts';
import { addSeasonContest, addSeasonContests, addToldContest, removeSeasonContest } from '../../../practice/seasons.ts';
import { findContestsByKeys } from '../../../store/contests.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import {
  type ChoosableContest,
  listChoosableContests,
  listSeasonContests,
  type SeasonContest,
  type SeasonsTable,
} from '../../../store/seasons.ts';
import { askedContest } from '../../kit/contest-problems.ts';
import { type Faults, form, formActions, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { judgeMark } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { askedBy } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
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
  const { store, form } = visit;
  const coached = coachedBy(visit, group);
  const idOf = (text: string) => idIn(text, parseInt64);
  const again = async (faults: Faults, status = 422) => ({
    html: await contestsPage(visit, group, season, faults),
    status,
  });
  if (form.has('remove')) {
    await removeSeasonContest(store, coached, { kind: 'contest', item_id: idOf(field(form, 'remove', 30)) });
    return { to: groupDone(addPath(group.id), 'contestOut') };
  }
  const link = field(form, 'link', longestLink).trim();
  const ticked = form.getAll('contest').slice(0, choicesShown);
  if (link === '' && ticked.length === 0) return again({ link: words('season.chooseContest') });
  try {
    const ids = ticked.map(idOf);
    if (link !== '') await addLinked(visit, group, link);
    await addSeasonContests(
      store,
      coached,
      ids.map((item_id) => ({ kind: 'contest', item_id })),
    );
    return { to: groupDone(seasonPath(group.id), 'contests') };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) return again({ link: faultOf(error) });
    return again({ link: sentenceOf(error) }, error.status);
  }
}

/** Adds the contest of a link. Its judge is asked only where the contest is not here. */
async function addLinked(visit: MemberVisit, group: GroupWithLists, link: string): Promise<void> {
  const { store, website } = visit;
  const coached = coachedBy(visit, group);
  const wanted = contestAt(link);
  const [known] = wanted ? await findContestsByKeys(store.reader, wanted.source, [wanted.contest]) : [];
  if (known) return addSeasonContest(store, coached, { kind: 'contest', item_id: known.id });
  const asked = await askedContest(visit, link, await readGymKey(store.reader, coached, ownSession(visit)));
  const isPrivate = asked.problems.some((one) => one.isGym);
  await addToldContest(store, coached, { ...asked, isGym: isPrivate }, website.addLimits);
}

async function contestsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  faults: Faults = {},
): Promise<Html> {
  const held = await listSeasonContests(visit.store.reader, season.id);
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
  const found = await listChoosableContests(store.reader, { text, from, until }, choicesShown);
  const inSeason = new Set((await listSeasonContests(store.reader, season.id)).map(({ id }) => id));
  const to = addPath(group.id);
  const search = html`
    <form class="search-line" action="${site.basePath}${to}" role="search">
      <label class="field-search">
        <span class="sr">${words('contests.find')}</span>
        ${icon('search')}
        <input
          type="search" name="q" value="${text}" placeholder="${words('contests.find')}" autocomplete="off"
          maxlength="200"
        >
      </label>
      <button class="button">${words('season.find')}</button>
    </form>`;
  const row = ({ id, source, title, starts_at }: ChoosableContest) =>
    html`
      <li>
        <label class="tick">
          <input type="checkbox" name="contest" value="${id}" autocomplete="off">
          <span><bdi>${title}</bdi></span>
        </label>
        ${judgeMark(source)}
        <span class="soft num">${starts_at === null ? '' : dayIn(days, starts_at, true)}</span>
      </li>`;
  const free = found.filter(({ id }) => !inSeason.has(id));
  const list =
    free.length === 0
      ? html`<p class="soft">${words(found.length > 0 ? 'season.allIn' : text === '' ? 'season.noneInSpan' : 'season.noneFound')}</p>`
      : html`<ul class="ticks" data-total="${free.length}">${free.map(row)}</ul>`;
  return html`
    <p class="soft">${words('season.chooseHint', { days: daysText(season) })}</p>
    ${search}
    ${form(
      visit,
      { to, className: 'form wide-form' },
      html`
        ${list}
        ${textField(words('season.link'), 'link', faults, {
          ...{ type: 'url', value: sent.get('link')?.slice(0, longestLink) ?? '', longest: longestLink },
          ...{ isOptional: true, hint: words('season.linkHint') },
        })}
        ${formActions(words('season.addButton'))}`,
    )}`;
}

function heldList(visit: MemberVisit, group: GroupWithLists, held: readonly SeasonContest[]): Html {
  const days = daysOfGroup(group);
  const row = ({ id, source, title, starts_at, added_at }: SeasonContest) =>
    html`
      <li>
        <span><bdi>${title}</bdi></span>
        ${judgeMark(source)}
        <span class="soft num">${dayIn(days, starts_at ?? added_at, true)}</span>
        <button class="button small quiet" name="remove" value="${id}">
          ${richWords('groups.remove', { name: html`<bdi>${title}</bdi>` })}
        </button>
      </li>`;
  return form(visit, { to: addPath(group.id) }, html`<ul class="ticks">${held.map(row)}</ul>`);
}
