/** How a member wants the garden: what the problem list hides, saved views, days, and the goal of a week. */

import { localizedError } from '../errors.ts';
import { dayRuleNames, languageSetting, listMemberSettings, setMemberSetting } from '../store/settings.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { isLanguage } from '../words/languages.ts';
import {
  type DayRule,
  isZone,
  usualDayRule,
  type WeekStart,
  weekStartOfLanguage,
  weekStarts,
  zoneNamed,
} from './days.ts';
import { isOfPage } from './public-pages.ts';

export interface SavedView {
  name: string;
  /** With its question mark; empty for all problems. */
  query: string;
}

export interface Preferences {
  hidesTopics: boolean;
  hidesRatings: boolean;
  /** On pictures that are shared by an address. */
  hidesName: boolean;
  showsReviews: boolean;
  showsContests: boolean;
  /** In minutes before a contest; 0 for never. */
  contestAlarm: number;
  hiddenContests: readonly string[];
  views: readonly SavedView[];
  /** First solves a week; 0 for no goal. */
  weekGoal: number;
  /** 0 switches reviewing off. */
  reviewsADay: number;
}

export const savedViewsAtMost = 20;
export const usualWeekGoal = 10;
export const largestWeekGoal = 500;
export const longestViewName = 40;
const longestQuery = 8 * 1024;
const viewsName = 'problem_views';
const weekGoalName = 'week_goal';
const { zone: zoneName, startHour: dayStartName, weekStart: weekStartName } = dayRuleNames;
const reviewsName = 'reviews_a_day';
const usualReviews = 3;
export const reviewsAtMost = 20;
const alarmName = 'contest_alarm';
export const contestAlarms = [0, 10, 30, 60, 1440] as const;
const hiddenName = 'hidden_contests';
const hiddenAtMost = 100;
const longestSource = 200;
const switches = {
  hidesTopics: 'hide_topics',
  hidesRatings: 'hide_ratings',
  hidesName: 'hide_name',
  showsReviews: 'calendar_reviews',
  showsContests: 'calendar_contests',
} as const;
export type Switch = keyof typeof switches;

/** Topics are hidden at first, because they can spoil a problem. */
export async function readPreferences(db: Db, memberId: bigint): Promise<Preferences> {
  const settings = await listMemberSettings(db, memberId);
  return {
    hidesTopics: settings.get(switches.hidesTopics) !== 'false',
    hidesRatings: settings.get(switches.hidesRatings) === 'true',
    hidesName: settings.get(switches.hidesName) === 'true',
    showsReviews: settings.get(switches.showsReviews) === 'true',
    showsContests: settings.get(switches.showsContests) === 'true',
    contestAlarm: Number(settings.get(alarmName) ?? 0),
    hiddenContests: JSON.parse(settings.get(hiddenName) ?? '[]'),
    views: JSON.parse(settings.get(viewsName) ?? '[]'),
    weekGoal: Number(settings.get(weekGoalName) ?? usualWeekGoal),
    reviewsADay: Number(settings.get(reviewsName) ?? usualReviews),
  };
}

export const setSwitch = inTransaction(async (tx: Db, memberId: bigint, name: Switch, isOn: boolean) => {
  await setMemberSetting(tx, memberId, switches[name], String(isOn));
});

export const setCalendar = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    values: Pick<Preferences, 'showsReviews' | 'showsContests' | 'contestAlarm'>,
  ) => {
    await setSwitch(tx, memberId, 'showsReviews', values.showsReviews);
    await setSwitch(tx, memberId, 'showsContests', values.showsContests);
    await setMemberSetting(tx, memberId, alarmName, String(values.contestAlarm));
  },
);

export const showContestsOf = inTransaction(
  async (tx: Db, memberId: bigint, source: string, isShown: boolean) => {
    const { hiddenContests } = await readPreferences(tx, memberId);
    const others = hiddenContests.filter((one) => one !== source);
    const hidden = isShown ? others : [...others, source.slice(0, longestSource)].slice(-hiddenAtMost);
    await setMemberSetting(tx, memberId, hiddenName, JSON.stringify(hidden));
  },
);

export async function readDayRule(db: Db, memberId: bigint): Promise<DayRule> {
  const settings = await listMemberSettings(db, memberId);
  return dayRuleOf(
    settings.get(zoneName),
    settings.get(dayStartName),
    settings.get(weekStartName),
    settings.get(languageSetting),
  );
}

export async function readLanguage(db: Db, memberId: bigint): Promise<string | undefined> {
  return (await listMemberSettings(db, memberId)).get(languageSetting);
}

/** Throws invalidValue. */
export const setLanguage = inTransaction(async (tx: Db, memberId: bigint, tag: string): Promise<void> => {
  if (!isLanguage(tag)) throw localizedError('invalidValue.language');
  await setMemberSetting(tx, memberId, languageSetting, tag);
});

/**
 * A zone that this computer does not know, as after a copy to another one, is UTC. Weeks that nobody set begin as is
 * usual for the language.
 */
export function dayRuleOf(
  zone: string | null | undefined,
  startHour: string | null | undefined,
  weekStart?: string | null,
  language?: string | null,
): DayRule {
  const usual = isLanguage(language) ? weekStartOfLanguage(language) : undefined;
  const week = isWeekStart(weekStart) ? weekStart : usual;
  return {
    ...(week && { weekStart: week }),
    zone: zoneNamed(zone ?? '') ?? usualDayRule.zone,
    startHour: startHour ? Number(startHour) : usualDayRule.startHour,
  };
}

export async function readReviewsADay(db: Db, memberId: bigint): Promise<number> {
  return (await readPreferences(db, memberId)).reviewsADay;
}

export const setReviewsADay = inTransaction(async (tx: Db, memberId: bigint, count: number) => {
  await setMemberSetting(tx, memberId, reviewsName, String(count));
});

export async function setWeekGoal(tx: Db, memberId: bigint, goal: number): Promise<void> {
  await setMemberSetting(tx, memberId, weekGoalName, String(goal));
}

/** Cards depend on the rule too: see `setDayRule` of activity.ts. */
export async function writeDayRule(tx: Db, memberId: bigint, rule: DayRule): Promise<void> {
  const { zone, startHour, weekStart } = rule;
  await setMemberSetting(tx, memberId, zoneName, zoneNamed(zone) ?? zone);
  await setMemberSetting(tx, memberId, dayStartName, String(startHour));
  if (weekStart !== undefined) await setWeekStart(tx, memberId, weekStart);
}

export async function setWeekStart(tx: Db, memberId: bigint, weekStart: WeekStart): Promise<void> {
  await setMemberSetting(tx, memberId, weekStartName, weekStart);
}

export const isWeekStart = (text: string | null | undefined): text is WeekStart =>
  weekStarts.some((one) => one === text);

export function isOfDays(name: string): boolean {
  return name === zoneName || name === dayStartName;
}

/** A view of the same name is replaced. Returns false if there are too many. */
export const saveView = inTransaction(async (tx: Db, memberId: bigint, view: SavedView): Promise<boolean> => {
  const { views } = await readPreferences(tx, memberId);
  const isKnown = views.some(({ name }) => name === view.name);
  const next = isKnown ? views.map((one) => (one.name === view.name ? view : one)) : [...views, view];
  if (next.length > savedViewsAtMost) return false;
  await setMemberSetting(tx, memberId, viewsName, JSON.stringify(next));
  return true;
});

export function isPreference(name: string, value: string): boolean {
  return Object.hasOwn(checks, name) ? (checks[name]?.(value) ?? false) : (isOfPage(name, value) ?? false);
}

const isSwitch = (value: string) => value === 'true' || value === 'false';

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  ...Object.fromEntries(Object.values(switches).map((name) => [name, isSwitch])),
  [zoneName]: isZone,
  [languageSetting]: isLanguage,
  [weekStartName]: isWeekStart,
  [alarmName]: (value) => contestAlarms.some((minutes) => String(minutes) === value),
  [hiddenName]: areSources,
  [reviewsName]: (value) => /^(1?[0-9]|20)$/.test(value),
  [dayStartName]: (value) => /^([0-9]|1[0-9]|2[0-3])$/.test(value),
  [weekGoalName]: (value) => /^(0|[1-9]\d{0,2})$/.test(value) && Number(value) <= largestWeekGoal,
  [viewsName]: areViews,
};

function areSources(json: string): boolean {
  const sources = listIn(json);
  const isSource = (one: unknown) => typeof one === 'string' && one !== '' && one.length <= longestSource;
  return sources !== undefined && sources.length <= hiddenAtMost && sources.every(isSource);
}

function listIn(json: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function areViews(json: string): boolean {
  const views = listIn(json);
  const isView = (view: unknown) => {
    const { name, query, ...rest } = Object(view) as Record<string, unknown>;
    const isText = (text: unknown, longest: number) => typeof text === 'string' && text.length <= longest;
    const isQuery = isText(query, longestQuery) && /^(\?[^\s#]*)?$/.test(query as string);
    return isText(name, longestViewName) && name !== '' && isQuery && Object.keys(rest).length === 0;
  };
  if (!views || views.length > savedViewsAtMost || !views.every(isView)) return false;
  return new Set((views as SavedView[]).map(({ name }) => name)).size === views.length;
}

export const deleteView = inTransaction(async (tx: Db, memberId: bigint, name: string): Promise<void> => {
  const { views } = await readPreferences(tx, memberId);
  await setMemberSetting(tx, memberId, viewsName, JSON.stringify(views.filter((one) => one.name !== name)));
});
