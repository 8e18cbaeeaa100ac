/** Parts that the pages of seasons share: the season of an address, days in the group's time zone, and points. */

import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { bandPoints, judgeName, shortTitle } from '../../../judges/judges.ts';
import { type Days, dayOf, daysOf } from '../../../practice/days.ts';
import { type ItemIdentity, readSeasonTable, type SeasonTable } from '../../../practice/season-table.ts';
import { seasonShownTo } from '../../../practice/seasons.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { listSeasons, type SeasonItem, type SeasonsTable } from '../../../store/seasons.ts';
import { ownPerformance } from '../../kit/chance.ts';
import { judgeBadge, roundBadge } from '../../kit/marks.ts';
import { type Html, html } from '../../markup.ts';
import { type MemberVisit, pageNotFound } from '../../request/visits.ts';
import { thousands, utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

export const seasonStyles = ['seasons.css'] as const;

/** The season of the address, by default the current one. */
export async function getSeason(visit: MemberVisit, group: GroupWithLists): Promise<SeasonsTable> {
  return (await getSeasons(visit, group)).season;
}

async function getSeasons({ store, params, path }: MemberVisit, group: GroupWithLists) {
  const seasons = await listSeasons(store.reader, group.id);
  const seasonId = params['season'];
  const season = seasonId === undefined ? seasons[0] : seasons.find(({ id }) => id === parseInt64(seasonId));
  if (!season) throw pageNotFound(path);
  return { seasons, season };
}

export interface SeasonView {
  basePath: string;
  group: GroupWithLists;
  /** All seasons of the group, the current one first. */
  seasons: readonly SeasonsTable[];
  table: SeasonTable;
  ownId: bigint;
  isCoach: boolean;
  /** Only coaches can change a season, and only the current one. */
  canEdit: boolean;
}

/** With `personId`, the table has this person alone. */
export async function readSeasonView(
  visit: MemberVisit,
  group: GroupWithLists,
  personId?: bigint,
): Promise<SeasonView> {
  const { store, member, site } = visit;
  const { seasons, season } = await getSeasons(visit, group);
  const table = await readSeasonTable(store.longReader, group, season, {
    now: Date.now(),
    pointsOf: bandPoints,
    isShown: personId === undefined ? seasonShownTo(group, member.user_id) : ({ user_id }) => user_id === personId,
  });
  const isCoach = group.role === 'coach';
  const canEdit = isCoach && group.archived_at === null && season === seasons[0];
  return { basePath: site.basePath, group, seasons, table, ownId: member.user_id, isCoach, canEdit };
}

/** The member's own, of everything together that they took in the season; empty where they are not in the table. */
export async function seasonPerformance(visit: MemberVisit, { table, ownId }: SeasonView): Promise<Html | ''> {
  const own = table.rows.find(({ person }) => person.user_id === ownId);
  const taken = table.columns.flatMap(({ contest }, at) =>
    ['live', 'virtual'].includes(own?.cells[at]?.participation ?? '') ? contest : [],
  );
  if (taken.length === 0) return '';
  const sources = new Set(taken.flatMap((one) => (one.kind === 'round' ? [] : one.source)));
  return ownPerformance(visit, [...sources], ({ kind, id }) =>
    taken.some((one) => one.id === id && (one.kind === 'round') === (kind === 'round')),
  );
}

export const daysOfGroup = ({ zone }: Pick<GroupWithLists, 'zone'>): Days => daysOf({ zone, startHour: 0 });

const shortDay = utcFormat({ day: 'numeric', month: 'short' });
const fullDay = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** A day such as 5 Sep. */
export function dayIn(days: Days, at: string, format = shortDay): Html {
  return html`<time datetime="${at}">${format.format(days.at(Date.parse(at)) * dayMs)}</time>`;
}

/** A day such as 5 Sep 2026. */
export const fullDayIn = (days: Days, at: string) => dayIn(days, at, fullDay);

/** A range such as 1 Sep – 15 Dec 2026. */
export function seasonDaysText({ first_day, last_day }: SeasonsTable): string {
  const [first, last] = [dayOf(first_day) ?? 0, dayOf(last_day) ?? 0];
  return fullDay.formatRange(first * dayMs, last * dayMs);
}

export const itemMark = (item: ItemIdentity): Html => (item.kind === 'round' ? roundBadge() : judgeBadge(item.source));

export const itemAnchor = ({ kind, id }: SeasonItem) => `${kind === 'round' ? 'r' : 'c'}${id}`;

export const itemName = (item: SeasonItem): string =>
  words('contests.stateOf', {
    title: item.kind === 'round' ? words('season.round') : judgeName(item.source),
    state: item.kind === 'round' ? item.title : shortTitle(item),
  });

/** Formats half points, such as 9 as 4½. */
export function pointsText(halfPoints: number): string {
  const whole = Math.floor(Math.abs(halfPoints) / 2);
  const hasHalf = halfPoints % 2 !== 0;
  const figure = `${whole > 0 || !hasHalf ? thousands.format(whole) : ''}${hasHalf ? '½' : ''}`;
  return halfPoints < 0 ? `−${figure}` : figure;
}

export const signedPointsText = (halfPoints: number) =>
  halfPoints > 0 ? `+${pointsText(halfPoints)}` : pointsText(halfPoints);

export function ruleText({ season, columns }: SeasonTable): string {
  const { points, upsolve_days, best } = season;
  const days = Number(upsolve_days);
  const since = words('season.countsSince', { hasDays: String(days > 0) });
  const sentences = [words(`season.rule.${points}`, { days }), since];
  if (best !== null) sentences.push(words('season.bestRule', { best }));
  if (columns.some(({ lockoutPoints }) => lockoutPoints)) sentences.push(words('season.lockoutRule'));
  return sentences.join(' ');
}
