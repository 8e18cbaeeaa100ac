/** Making a season, and its settings: its name and days, the rule of points, and its end. */

import { dateOf } from '../../../practice/days.ts';
import {
  bestAtMost,
  changeSeason,
  daysFault,
  longestSeasonName,
  makeSeason,
  removeSeason,
  type SeasonWishes,
  upsolveDaysAtMost,
  usualUpsolveDays,
  versionOfSeason,
} from '../../../practice/seasons.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import type { SeasonsTable } from '../../../store/seasons.ts';
import { actions, button, type Faults, form, formActions, hasFaults, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { seasonPath } from '../../paths.ts';
import { chosenIn, faultOf, field, lineFault } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { coachedBy, coachedGroupOf, groupDone, groupFrame } from './frame.ts';
import { daysOfGroup, knownSeasonAt } from './season-parts.ts';

/** The fields as they are typed. */
type Typed = Pick<SeasonsTable, 'name' | 'first_day' | 'last_day' | 'points'> & Record<'upsolve_days' | 'best', string>;

const pointsChoices = () =>
  [
    ['problem', words('season.points.problem')],
    ['band', words('season.points.band')],
  ] as const;

/** Half a year. */
const usualDays = 182;

function typedOf(season: SeasonsTable): Typed {
  const { name, first_day, last_day, upsolve_days, points, best } = season;
  return { name, first_day, last_day, upsolve_days: String(upsolve_days), points, best: String(best ?? '') };
}

function readSeason(form: URLSearchParams): { typed: Typed; wishes: SeasonWishes; faults: Record<string, string> } {
  const text = (name: string) => field(form, name, 1000).trim();
  const typed: Typed = {
    name: text('name'),
    first_day: text('first_day'),
    last_day: text('last_day'),
    points: chosenIn(form, 'points', pointsChoices()),
    upsolve_days: text('upsolve_days'),
    best: text('best'),
  };
  const whole = (digits: string, most: number) =>
    /^\d{1,3}$/.test(digits) && Number(digits) <= most ? BigInt(digits) : undefined;
  const [days, best] = [whole(typed.upsolve_days, upsolveDaysAtMost), whole(typed.best, bestAtMost)];
  const wishes: SeasonWishes = { ...typed, upsolve_days: days ?? 0n, best: best ?? null };
  const faults = { ...lineFault(typed.name, 'name', longestSeasonName, 'season.nameIt') };
  const fault = daysFault(wishes);
  if (fault) faults[fault === 'noDay' ? 'first_day' : 'last_day'] = words(`season.days.${fault}`);
  if (days === undefined) faults['upsolve_days'] = words('season.badUpsolve', { most: upsolveDaysAtMost });
  if (typed.best !== '' && (best === undefined || best === 0n))
    faults['best'] = words('season.badBest', { most: bestAtMost });
  return { typed, wishes, faults };
}

function seasonFields(typed: Typed, faults: Faults): Html {
  const { name, first_day, last_day, upsolve_days, points, best } = typed;
  const isNumber = (most: number, least: number) => ({ type: 'number', more: { min: least, max: most } }) as const;
  return html`
    ${textField(words('season.name'), 'name', faults, {
      value: name,
      longest: longestSeasonName,
      hint: words('season.nameHint'),
    })}
    <div class="field-pair even">
      ${textField(words('season.from'), 'first_day', faults, { type: 'date', value: first_day })}
      ${textField(words('season.to'), 'last_day', faults, { type: 'date', value: last_day })}
    </div>
    ${selectField(words('season.pointsFor'), 'points', pointsChoices(), points)}
    ${textField(words('season.upsolveDays'), 'upsolve_days', faults, {
      ...isNumber(upsolveDaysAtMost, 0),
      value: upsolve_days,
      hint: words('season.upsolveHint'),
    })}
    ${textField(words('season.best'), 'best', faults, {
      ...isNumber(bestAtMost, 1),
      value: best,
      isOptional: true,
      hint: words('season.bestHint'),
    })}`;
}

/* A new season, which is the present one from then on. */

export async function showNewSeason(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const today = daysOfGroup(group).at(Date.now());
  const typed: Typed = {
    ...{ name: '', first_day: dateOf(today), last_day: dateOf(today + usualDays - 1) },
    ...{ points: 'problem', upsolve_days: String(usualUpsolveDays), best: '' },
  };
  return { html: newPage(visit, group, typed, {}) };
}

export async function takeNewSeason(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const { typed, wishes, faults } = readSeason(visit.form);
  if (!hasFaults(faults)) {
    try {
      await makeSeason(visit.store, coachedBy(visit, group), wishes);
      return { to: seasonPath(group.id) };
    } catch (error) {
      faults['name'] = faultOf(error);
    }
  }
  return { html: newPage(visit, group, typed, faults), status: 422 };
}

function newPage(visit: MemberVisit, group: GroupWithLists, typed: Typed, faults: Faults): Html {
  const hint = group.has_season === 1n ? words('season.newKeeps') : words('season.newAsks');
  const content = form(
    visit,
    { to: `${seasonPath(group.id)}new/`, className: 'form' },
    html`
      ${seasonFields(typed, faults)}
      <p class="faint">${hint}</p>
      ${formActions(words('season.make'))}`,
  );
  const title = words('season.new');
  return groupFrame(visit, group, { tab: 'season/', title }, panel({ id: 'new-season', heading: title }, content));
}

/* The settings of the present season. */

export async function showSeasonSettings(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const season = await knownSeasonAt(visit, group);
  return { html: settingsPage(visit, group, season, {}) };
}

export async function takeSeasonSettings(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const season = await knownSeasonAt(visit, group);
  const { store, form } = visit;
  if (form.has('confirm')) {
    if (form.get('season') !== String(season.id)) throw nothingHere(visit.path);
    if (field(form, 'confirm', 1000).trim() !== season.name.trim()) {
      const faults = { confirm: words('season.wrongName') };
      return { html: settingsPage(visit, group, season, { faults }), status: 422 };
    }
    await removeSeason(store, coachedBy(visit, group));
    return { to: groupDone(seasonPath(group.id), 'noSeason') };
  }
  const { typed, wishes, faults } = readSeason(form);
  if (hasFaults(faults)) return { html: settingsPage(visit, group, season, { typed, faults }), status: 422 };
  const seen = field(form, 'version', 2000);
  const now = await changeSeason(store, coachedBy(visit, group), wishes, seen);
  if (now === undefined) return { to: groupDone(seasonPath(group.id), 'season') };
  const fault = words('season.overtaken');
  return { html: settingsPage(visit, group, now, { typed, fault }), status: 422 };
}

interface Given {
  typed?: Typed;
  faults?: Faults;
  fault?: string;
}

function settingsPage(
  visit: MemberVisit,
  group: GroupWithLists,
  season: SeasonsTable,
  { typed = typedOf(season), faults = {}, fault }: Given,
): Html {
  const path = seasonPath(group.id);
  const to = `${path}settings/`;
  const rule = form(
    visit,
    { to, className: 'form', hidden: { version: versionOfSeason(season) } },
    html`
      ${seasonFields(typed, faults)}
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
