/** How a member wants the garden: what the problem list hides, saved views, days, and the goal of a week. */

import { localizedError } from '../errors.ts';
import { daySettingNames, languageSetting, listMemberSettings, setMemberSetting } from '../store/settings.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { isLanguage } from '../words/languages.ts';
import {
  canonicalZone,
  type DayRule,
  defaultDayRule,
  isZone,
  type WeekStart,
  weekStartOfLanguage,
  weekStarts,
} from './days.ts';
import { checkPageSetting } from './public-pages.ts';

export interface SavedView {
  name: string;
  /** With its question mark; empty for all problems. */
  query: string;
}

export interface Preferences {
  hidesTopics: boolean;
  hidesRatings: boolean;
  hidesChances: boolean;
  /** In lists of problems. */
  showsChances: boolean;
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
  /** Digits from 1 for Monday to 7 for Sunday; empty for the weekdays on which the member solves. */
  practiceDays: string;
  /** 0 switches reviewing off. */
  reviewsADay: number;
}

export const savedViewsAtMost = 20;
export const defaultWeekGoal = 10;
export const largestWeekGoal = 500;
export const longestViewName = 40;
const longestQuery = 8 * 1024;
const viewsSetting = 'problem_views';
const weekGoalSetting = 'week_goal';
const {
  zone: zoneSetting,
  startHour: dayStartSetting,
  weekStart: weekStartSetting,
  practiceDays: practiceDaysSetting,
} = daySettingNames;
const reviewsADaySetting = 'reviews_a_day';
const defaultReviewsADay = 3;
export const reviewsADayAtMost = 20;
const contestAlarmSetting = 'contest_alarm';
export const contestAlarms = [0, 10, 30, 60, 1440] as const;
const hiddenContestsSetting = 'hidden_contests';
const hiddenContestsAtMost = 100;
const longestSource = 200;
const switchSettings = {
  hidesTopics: 'hide_topics',
  hidesRatings: 'hide_ratings',
  hidesChances: 'hide_chances',
  showsChances: 'show_chances',
  hidesName: 'hide_name',
  showsReviews: 'calendar_reviews',
  showsContests: 'calendar_contests',
} as const;
export type Switch = keyof typeof switchSettings;

/** Topics are hidden at first, because they can spoil a problem. */
export async function readPreferences(db: Db, memberId: bigint): Promise<Preferences> {
  const settings = await listMemberSettings(db, memberId);
  return {
    hidesTopics: settings.get(switchSettings.hidesTopics) !== 'false',
    hidesRatings: settings.get(switchSettings.hidesRatings) === 'true',
    hidesChances: settings.get(switchSettings.hidesChances) === 'true',
    showsChances: settings.get(switchSettings.showsChances) === 'true',
    hidesName: settings.get(switchSettings.hidesName) === 'true',
    showsReviews: settings.get(switchSettings.showsReviews) === 'true',
    showsContests: settings.get(switchSettings.showsContests) === 'true',
    contestAlarm: Number(settings.get(contestAlarmSetting) ?? 0),
    hiddenContests: JSON.parse(settings.get(hiddenContestsSetting) ?? '[]'),
    views: JSON.parse(settings.get(viewsSetting) ?? '[]'),
    practiceDays: settings.get(practiceDaysSetting) ?? '',
    weekGoal: Number(settings.get(weekGoalSetting) ?? defaultWeekGoal),
    reviewsADay: Number(settings.get(reviewsADaySetting) ?? defaultReviewsADay),
  };
}

export const setSwitch = inTransaction(async (tx: Db, memberId: bigint, name: Switch, isOn: boolean) => {
  await setMemberSetting(tx, memberId, switchSettings[name], String(isOn));
});

export const setCalendar = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    values: Pick<Preferences, 'showsReviews' | 'showsContests' | 'contestAlarm'>,
  ) => {
    await setSwitch(tx, memberId, 'showsReviews', values.showsReviews);
    await setSwitch(tx, memberId, 'showsContests', values.showsContests);
    await setMemberSetting(tx, memberId, contestAlarmSetting, String(values.contestAlarm));
  },
);

export const showContestsOf = inTransaction(
  async (tx: Db, memberId: bigint, source: string, isShown: boolean) => {
    const { hiddenContests } = await readPreferences(tx, memberId);
    const others = hiddenContests.filter((one) => one !== source);
    const hidden = isShown
      ? others
      : [...others, source.slice(0, longestSource)].slice(-hiddenContestsAtMost);
    await setMemberSetting(tx, memberId, hiddenContestsSetting, JSON.stringify(hidden));
  },
);

export async function readDayRule(db: Db, memberId: bigint): Promise<DayRule> {
  const settings = await listMemberSettings(db, memberId);
  return dayRuleOf(
    settings.get(zoneSetting),
    settings.get(dayStartSetting),
    settings.get(weekStartSetting),
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
  const weekStartByLanguage = isLanguage(language) ? weekStartOfLanguage(language) : undefined;
  const chosenWeekStart = isWeekStart(weekStart) ? weekStart : weekStartByLanguage;
  return {
    ...(chosenWeekStart && { weekStart: chosenWeekStart }),
    zone: canonicalZone(zone ?? '') ?? defaultDayRule.zone,
    startHour: startHour ? Number(startHour) : defaultDayRule.startHour,
  };
}

export async function readReviewsADay(db: Db, memberId: bigint): Promise<number> {
  return (await readPreferences(db, memberId)).reviewsADay;
}

export const setReviewsADay = inTransaction(async (tx: Db, memberId: bigint, count: number) => {
  await setMemberSetting(tx, memberId, reviewsADaySetting, String(count));
});

export async function setWeekGoal(tx: Db, memberId: bigint, goal: number): Promise<void> {
  await setMemberSetting(tx, memberId, weekGoalSetting, String(goal));
}

export const setPracticeDays = (tx: Db, memberId: bigint, days: string) =>
  setMemberSetting(tx, memberId, practiceDaysSetting, days);

/** Cards depend on the rule too: see `setDayRule` of activity.ts. */
export async function writeDayRule(tx: Db, memberId: bigint, rule: DayRule): Promise<void> {
  const { zone, startHour, weekStart } = rule;
  await setMemberSetting(tx, memberId, zoneSetting, canonicalZone(zone) ?? zone);
  await setMemberSetting(tx, memberId, dayStartSetting, String(startHour));
  if (weekStart !== undefined) await setWeekStart(tx, memberId, weekStart);
}

export async function setWeekStart(tx: Db, memberId: bigint, weekStart: WeekStart): Promise<void> {
  await setMemberSetting(tx, memberId, weekStartSetting, weekStart);
}

export const isWeekStart = (text: string | null | undefined): text is WeekStart =>
  weekStarts.some((one) => one === text);

export function isDayRuleSetting(name: string): boolean {
  return name === zoneSetting || name === dayStartSetting;
}

/** A view of the same name is replaced. Returns false if there are too many. */
export const saveView = inTransaction(async (tx: Db, memberId: bigint, view: SavedView): Promise<boolean> => {
  const { views } = await readPreferences(tx, memberId);
  const isReplaced = views.some(({ name }) => name === view.name);
  const next = isReplaced ? views.map((one) => (one.name === view.name ? view : one)) : [...views, view];
  if (next.length > savedViewsAtMost) return false;
  await setMemberSetting(tx, memberId, viewsSetting, JSON.stringify(next));
  return true;
});

export function isPreference(name: string, value: string): boolean {
  return Object.hasOwn(checkBySetting, name)
    ? (checkBySetting[name]?.(value) ?? false)
    : (checkPageSetting(name, value) ?? false);
}

const isSwitch = (value: string) => value === 'true' || value === 'false';

const checkBySetting: Readonly<Record<string, (value: string) => boolean>> = {
  ...Object.fromEntries(Object.values(switchSettings).map((name) => [name, isSwitch])),
  [zoneSetting]: isZone,
  [languageSetting]: isLanguage,
  [weekStartSetting]: isWeekStart,
  [contestAlarmSetting]: (value) => contestAlarms.some((minutes) => String(minutes) === value),
  [hiddenContestsSetting]: areSources,
  [reviewsADaySetting]: (value) => /^(1?[0-9]|20)$/.test(value),
  [dayStartSetting]: (value) => /^([0-9]|1[0-9]|2[0-3])$/.test(value),
  [weekGoalSetting]: (value) => /^(0|[1-9]\d{0,2})$/.test(value) && Number(value) <= largestWeekGoal,
  [practiceDaysSetting]: (value) => /^1?2?3?4?5?6?7?$/.test(value),
  [viewsSetting]: areViews,
};

function areSources(json: string): boolean {
  const sources = parseArray(json);
  const isSource = (one: unknown) => typeof one === 'string' && one !== '' && one.length <= longestSource;
  return sources !== undefined && sources.length <= hiddenContestsAtMost && sources.every(isSource);
}

function parseArray(json: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function areViews(json: string): boolean {
  const views = parseArray(json);
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
  await setMemberSetting(
    tx,
    memberId,
    viewsSetting,
    JSON.stringify(views.filter((one) => one.name !== name)),
  );
});
