/** The parts that pages of a season share: the season of an address, days by the clocks of the group, and points. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName, shortTitle } from '../../../judges/judges.ts';
import { type Days, dayMs, dayOf, daysOf } from '../../../practice/days.ts';
import type { SeasonColumn } from '../../../practice/season-table.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import { findSeason, type SeasonsTable } from '../../../store/seasons.ts';
import { judgeMark, roundMark } from '../../kit/marks.ts';
import { type Html, html } from '../../markup.ts';
import { type MemberVisit, nothingHere } from '../../road/visits.ts';
import { thousands, utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

export const seasonStyles = ['seasons.css'] as const;

/** The season of the address, or the present one where it names none; undefined where there is no season yet. */
export async function seasonAt({ store, params, path }: MemberVisit, group: GroupWithLists) {
  const named = params['season'];
  const id = named === undefined ? undefined : parseInt64(named);
  if (named !== undefined && id === undefined) throw nothingHere(path);
  const season = await findSeason(store.reader, group.id, id);
  if (named !== undefined && !season) throw nothingHere(path);
  return season;
}

/** The season of the address, where there must be one. */
export async function knownSeasonAt(visit: MemberVisit, group: GroupWithLists): Promise<SeasonsTable> {
  const season = await seasonAt(visit, group);
  if (!season) throw nothingHere(visit.path);
  return season;
}

/** The days of a group, which begin at midnight. */
export const daysOfGroup = ({ zone }: Pick<GroupWithLists, 'zone'>): Days => daysOf({ zone, startHour: 0 });

const shortDay = utcFormat({ day: 'numeric', month: 'short' });
const wholeDay = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** A day of the group, such as 5 Sep, with the year where `isWhole`. */
export function dayIn(days: Days, at: string, isWhole = false): Html {
  const text = (isWhole ? wholeDay : shortDay).format(days.at(Date.parse(at)) * dayMs);
  return html`<time datetime="${at}">${text}</time>`;
}

/** The days of a season, such as 1 Sep – 15 Dec 2026. */
export function daysText({ first_day, last_day }: SeasonsTable): string {
  const [first, last] = [dayOf(first_day) ?? 0, dayOf(last_day) ?? 0];
  return wholeDay.formatRange(first * dayMs, last * dayMs);
}

/** The sign of what is held: a judge's contest, or a round of the group. */
export const columnMark = ({ kind, contest }: Pick<SeasonColumn, 'kind' | 'contest'>): Html =>
  kind === 'round' ? roundMark() : judgeMark(contest.source);

/** The place of a contest or a round on the page of a person. */
export const columnAnchor = ({ kind, contest: { id } }: Pick<SeasonColumn, 'kind' | 'contest'>) =>
  `${kind === 'round' ? 'r' : 'c'}${id}`;

/** The full name of what is held. */
export const columnName = ({ kind, contest }: SeasonColumn): string =>
  kind === 'round'
    ? `${words('season.round')}: ${contest.title}`
    : `${judgeName(contest.source)}: ${shortTitle(contest)}`;

/** Points, which are counted in halves, such as 4½. */
export function pointsText(halves: number): string {
  const whole = Math.floor(Math.abs(halves) / 2);
  const figure = `${whole > 0 || halves % 2 === 0 ? thousands.format(whole) : ''}${halves % 2 === 0 ? '' : '½'}`;
  return halves < 0 ? `−${figure}` : figure;
}

/** Points by hand, with their sign. */
export const handText = (halves: number) => (halves > 0 ? `+${pointsText(halves)}` : pointsText(halves));

/** The rule of points in a sentence or two. */
export function ruleText({ points, upsolve_days, best }: SeasonsTable): string {
  const days = Number(upsolve_days);
  const rule = words(`season.rule.${points}`, { days });
  return best === null ? rule : `${rule} ${words('season.bestRule', { best })}`;
}
