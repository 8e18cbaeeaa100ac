/**
 * Reminders, the messages to webhooks: when there is something to say, and its text. A text is made anew for each try, so that
 * nobody is named who has left the board meanwhile. Who reads it is not known, so no note is read here.
 */
import { dayMs, minuteMs } from '../durations.ts';
import { type DueSpan, listDueInGroup, listGivenTo } from '../store/group-lists.ts';
import {
  type BoardPerson,
  countDone,
  findGroup,
  type GroupsTable,
  listBoardPeople,
} from '../store/groups.ts';
import { listSourcesOfGroup } from '../store/handles.ts';
import { findMembersByIds } from '../store/members.ts';
import { countDueCards } from '../store/reviews.ts';
import { findSeason } from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import type { UpcomingContestsTable } from '../store/upcoming.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { english, type Language, languageOf, say } from '../words/catalogue.ts';
import { commaOf } from '../words/languages.ts';
import { readActivity, readStreak } from './activity.ts';
import { type DayRule, type Days, dateOf, dayOf, daysOf, weekOf } from './days.ts';
import { mayBeTold } from './groups.ts';
import { dayRuleOf, readDayRule, readLanguage, readPreferences, readReviewsADay } from './preferences.ts';
import { type PointsOf, readSeasonTable, type SeasonColumn } from './season-table.ts';
import { listContestsAhead } from './upcoming.ts';

export interface Message {
  type:
    | 'group.week'
    | 'group.season'
    | 'group.due'
    | 'group.contests'
    | 'member.week'
    | 'member.due'
    | 'test';
  text: string;
  data: Record<string, unknown>;
}

/** Submissions of a judge that are here up to a moment only, of so many people. */
export interface StaleJudge {
  judge: string;
  since: string;
  /** Only of a group. */
  people?: number;
}

interface Place {
  /** The address of the garden, for links. */
  baseUrl: string;
  now: number;
  /** The name of a judge or a site, as pages show it. */
  judgeName(source: string): string;
  /** The judges whose submissions of these members are old. */
  listStale(userIds: readonly bigint[]): Promise<StaleJudge[]>;
  /** The points of a problem in a season that goes by difficulty. */
  pointsOf: PointsOf;
  /** The tag of the language for groups and members that chose none. */
  usualLanguage: string;
}

/** The group or the member whose webhook it is, with the rule of its days and its language, and where and when it is told. */
type Owner = Place & { id: bigint; rule: DayRule; language: Language };
type GroupOwner = Owner & { group: GroupsTable };

/** A message before its sentences are joined. That of a group gets the group as a fact. */
type Made = Pick<Message, 'type' | 'data'> & { text: readonly string[] };

const longestName = 60;

function dueFacts(
  baseUrl: string,
  groupId: bigint,
  { list_id, name, due_at }: { list_id: bigint; name: string; due_at: string | null },
) {
  const url = `${baseUrl}/dashboard/groups/${groupId}/lists/${list_id}/`;
  return { list: String(list_id), name, due_at, url };
}

function moment(at: string, { rule: { zone }, language }: Owner): string {
  const format = new Intl.DateTimeFormat(language.locale, {
    ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    timeZone: zone,
  });
  return format.format(Date.parse(at));
}

/** A date is told without its year for so many days. */
const daysWithoutYear = 300;

/** A day as the language writes it, such as 16 November. */
function dayText(day: number, { rule, language, now }: Owner): string {
  const isLongAgo = daysOf(rule).at(now) - day > daysWithoutYear;
  const format = new Intl.DateTimeFormat(language.locale, {
    ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
    ...(isLongAgo && { year: 'numeric' }),
  });
  return format.format(day * dayMs);
}

function staleText(stale: readonly StaleJudge[], owner: Owner): string {
  const { rule, language } = owner;
  const days = daysOf(rule);
  return stale
    .map(({ judge, since, people: count }) => {
      const facts = { judge, day: dayText(days.at(Date.parse(since)), owner) };
      if (count === undefined) return say(language, 'reminder.stale', facts);
      return say(language, 'reminder.staleOf', { ...facts, count });
    })
    .join(' ');
}

const listed = ({ language }: Owner, parts: readonly string[]) => parts.join(commaOf(language.locale));

/**
 * A name that somebody typed, for a chat: on one line, not too long, and without what chats read as a mention of everybody, or as
 * a link. Marks that turn the direction of the text would turn what stands around the name as well.
 */
export function plain(name: string): string {
  const shown = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[<>`]/g, ' ')
    .replaceAll('@', '@\u200b')
    .replaceAll(/:\/\//g, ':/\u200b/')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  const letters = [...shown];
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join('')}…` : shown;
}

/*
 * When there is something to say to a webhook: on the first morning of a week about the week before, on the morning before an
 * assignment is due, and to a group on the morning of contests. All by the clocks of the group or the member. Each occasion has a text, by which it gets one message.
 */

/** The hour at which messages are sent. */
const morning = 9;
/** A server that was down on that morning speaks of the week for so many days. */
const lateDaysAtMost = 3;
/** The occasions of one day, for one webhook. */
const duesAtMost = 20;
const contestsAtMost = 10;
const quarterMs = 15 * minuteMs;

type Occasion =
  /** The week that began on this day. */
  | { kind: 'week'; first: number }
  /** The season of a group in the week that began on this day. */
  | { kind: 'season'; first: number }
  | { kind: 'due'; groupId: bigint; listId: bigint; dueAt: string }
  /** The contests from this morning to the next one. */
  | { kind: 'contests'; day: number }
  | { kind: 'test' };

type DueOccasion = Extract<Occasion, { kind: 'due' }>;

/** One that comes by itself. */
type Planned = Exclude<Occasion, { kind: 'test' }>;

function textOf(occasion: Planned): string {
  if (occasion.kind === 'contests') return `contests ${dateOf(occasion.day)}`;
  if (occasion.kind !== 'due') return `${occasion.kind} ${dateOf(occasion.first)}`;
  return `due ${occasion.groupId} ${occasion.listId} ${occasion.dueAt}`;
}

/** A text of another kind is a test, each of which is an occasion of its own. */
export function readOccasion(text: string): Occasion {
  const [kind, first = '', second = '', dueAt = ''] = text.split(' ');
  const firstDay = dayOf(first);
  if ((kind === 'week' || kind === 'season') && firstDay !== undefined) return { kind, first: firstDay };
  if (kind === 'contests' && firstDay !== undefined) return { kind, day: firstDay };
  if (kind === 'due') return { kind, groupId: BigInt(first), listId: BigInt(second), dueAt };
  return { kind: 'test' };
}

const findGroupOf = async (db: Db, { group_id }: WebhooksTable) =>
  group_id === null ? undefined : findGroup(db, group_id);
const ruleOfGroup = (group: GroupsTable | undefined) => dayRuleOf(group?.zone, '0');

export async function occasionsAt(db: Db, hook: WebhooksTable, now: number): Promise<string[]> {
  const rule =
    hook.user_id === null ? ruleOfGroup(await findGroupOf(db, hook)) : await readDayRule(db, hook.user_id);
  const mornings = daysOf({ zone: rule.zone, startHour: morning });
  const occasions: Planned[] = [];
  if (hook.sends_weeks === 1n) {
    const weeks = weeksAt(mornings, daysOf(rule), hook, now);
    occasions.push(...weeks, ...(await seasonsIn(db, hook, weeks)));
  }
  if (hook.sends_dues === 1n) {
    const midnights = daysOf({ zone: rule.zone, startHour: 0 });
    const today = midnights.at(now);
    // Before the morning the last one was yesterday's.
    if (mornings.at(now) === today) {
      const at = (day: number) => new Date(midnights.start(day)).toISOString();
      occasions.push(...(await duesOf(db, hook, { from: at(today + 1), until: at(today + 2) })));
    }
  }
  if (hook.sends_contests === 1n && hook.group_id !== null) {
    const day = mornings.at(now);
    const contests = await listContestsOfGroup(db, hook.group_id, {
      from: now,
      until: mornings.start(day + 1),
    });
    if (contests.length > 0) occasions.push({ kind: 'contests', day });
  }
  return occasions.map(textOf);
}

type Week = { kind: 'week'; first: number };

/** Those of these weeks in which the group had a season, or has one in the week to come. */
async function seasonsIn(db: Db, { group_id }: WebhooksTable, weeks: readonly Week[]): Promise<Planned[]> {
  const season = group_id === null || weeks.length === 0 ? undefined : await findSeason(db, group_id);
  if (!season) return [];
  return weeks
    .filter(({ first }) => season.first_day <= dateOf(first + 13) && season.last_day >= dateOf(first))
    .map(({ first }) => ({ kind: 'season', first }));
}

function weeksAt(mornings: Days, own: Days, { made_at }: WebhooksTable, now: number): Week[] {
  const today = mornings.at(now);
  const week = weekOf(today, own.rule.weekStart);
  if (today - week >= lateDaysAtMost) return [];
  // The last day of a member whose days begin late ends after that morning.
  if (own.at(now) < week) return [];
  // A webhook that was made since then begins with the next week.
  return Date.parse(made_at) > mornings.start(week) ? [] : [{ kind: 'week', first: week - 7 }];
}

async function duesOf(db: Db, { group_id, user_id }: WebhooksTable, span: DueSpan): Promise<Planned[]> {
  if (group_id !== null) {
    const due = await listDueInGroup(db, group_id, span, duesAtMost);
    return due.map(({ list_id, due_at }) => dueOf(group_id, list_id, due_at));
  }
  const due = user_id === null ? [] : await listGivenTo(db, user_id, span);
  return due
    .filter(({ problems, solved }) => solved < problems)
    .slice(0, duesAtMost)
    .map(({ group_id: groupId, list_id, due_at }) => dueOf(groupId, list_id, due_at ?? ''));
}

const dueOf = (groupId: bigint, listId: bigint, dueAt: string): DueOccasion => ({
  ...{ kind: 'due', groupId, listId, dueAt },
});

/** The contests that begin in this time, of judges at which people of the group have handles. */
async function listContestsOfGroup(
  db: Db,
  groupId: bigint,
  span: { from: number; until: number },
): Promise<UpcomingContestsTable[]> {
  const sources = await listSourcesOfGroup(db, groupId);
  const all = await listContestsAhead(db, { ...span, isSample: false });
  const isTheirs = ({ source, starts_at, cancelled_at }: UpcomingContestsTable) =>
    cancelled_at === null && Date.parse(starts_at) > span.from && sources.includes(source);
  return all.filter(isTheirs).slice(0, contestsAtMost);
}

/** When to look again: at the next quarter of an hour, because no zone is off by less. */
export function nextLook(now: number): bigint {
  return BigInt((Math.floor(now / quarterMs) + 1) * quarterMs);
}

/* The message about an assignment on the morning before it is due, to a group or to one member. */

async function groupDue(db: Db, owner: GroupOwner, occasion: DueOccasion): Promise<Made | undefined> {
  const { id: groupId, group, language, baseUrl, now } = owner;
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listDueInGroup(db, groupId, momentOf(occasion.dueAt), 100);
  const due = all.find(({ list_id }) => list_id === occasion.listId);
  if (!due) return undefined;
  const { people, done: solvers } = await countDone(db, groupId, due.list_id);
  const done = mayBeTold(people) ? solvers : null;
  const facts = dueFacts(baseUrl, groupId, due);
  const text = [
    say(language, 'reminder.groupDue', {
      ...{ group: plain(group.name), list: plain(due.name), when: moment(due.due_at, owner) },
    }),
    done !== null ? say(language, 'reminder.groupDone', { done, count: people }) : '',
    facts.url,
  ];
  return { type: 'group.due', text, data: { due: facts, members: people, done } };
}

async function memberDue(db: Db, owner: Owner, occasion: DueOccasion): Promise<Made | undefined> {
  const { id: memberId, language, baseUrl, now } = owner;
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listGivenTo(db, memberId, momentOf(occasion.dueAt));
  const due = all.find((one) => one.list_id === occasion.listId && one.group_id === occasion.groupId);
  if (!due || due.solved >= due.problems) return undefined;
  const facts = dueFacts(baseUrl, due.group_id, due);
  const text = [
    say(language, 'reminder.memberDue', {
      ...{ list: plain(due.name), group: plain(due.group), when: moment(occasion.dueAt, owner) },
      ...{ solved: due.solved, problems: due.problems },
    }),
    facts.url,
  ];
  const group = { id: String(due.group_id), name: due.group };
  const [problems, solved] = [Number(due.problems), Number(due.solved)];
  return { type: 'member.due', text, data: { group, due: facts, problems, solved } };
}

/* The message to a group on the morning of contests. */

async function groupContests(db: Db, owner: GroupOwner, day: number): Promise<Made | undefined> {
  const { id: groupId, group, rule, language, baseUrl, now, judgeName } = owner;
  const until = daysOf({ zone: rule.zone, startHour: morning }).start(day + 1);
  const contests = now < until ? await listContestsOfGroup(db, groupId, { from: now, until }) : [];
  if (contests.length === 0) return undefined;
  const each = contests.map(({ title, source, starts_at }) =>
    say(language, 'reminder.contest', {
      ...{ title: plain(title), judge: plain(judgeName(source)), when: moment(starts_at, owner) },
    }),
  );
  const text = [
    say(language, 'reminder.contests', { group: plain(group.name), count: contests.length }),
    `${each.join('; ')}.`,
    `${baseUrl}/problem_list/contests/upcoming/`,
  ];
  const data = contests.map(({ source: judge, title, url, starts_at, duration_s }) => ({
    ...{ judge, title, url, starts_at, duration_s: Number(duration_s) },
  }));
  return { type: 'group.contests', text, data: { contests: data } };
}

/** The lists that are due at that very moment. */
const momentOf = (at: string) => ({ from: at, until: `${at}~` });

/*
 * The message about a week. That of a group names people on its board alone, and counts the others; that of a member says their own
 * figures, and no note.
 */

const weekMs = 7 * dayMs;
const listsAtMost = 10;
const namedAtMost = 10;
const leadersNamed = 3;

/** Whether a figure of these people may be told beside the names of those on the board, without whom that of the rest follows. */
function mayTellOf(people: readonly Pick<BoardPerson, 'on_board' | 'role'>[]): boolean {
  const unnamed = people.filter(({ on_board }) => on_board === 0n);
  // The coach who asked does not count.
  const asker = unnamed.some(({ role }) => role === 'coach') ? 1 : 0;
  return unnamed.length === 0 || mayBeTold(unnamed.length - asker);
}

async function groupWeek(db: Db, owner: GroupOwner, first: number): Promise<Made | undefined> {
  const { id: groupId, group, language, baseUrl, now } = owner;
  const people = await listPractised(db, groupId, first);
  const onBoard = people
    .flatMap(({ person: { username, on_board }, first_solves }) =>
      on_board === 1n ? { username, first_solves } : [],
    )
    .toSorted((a, b) => b.first_solves - a.first_solves || (a.username < b.username ? -1 : 1));
  const due = await listDueInGroup(db, groupId, weekAhead(now), listsAtMost);
  const everybody = await listBoardPeople(db, groupId);
  const practised = mayTellOf(everybody) ? people.length : null;
  if ((practised ?? onBoard.length) + due.length === 0) return undefined;
  const named = new Set(onBoard.map(({ username }) => username));
  const told = everybody.filter(({ username }) => practised !== null || named.has(username));
  const stale = (await owner.listStale(told.map(({ user_id }) => user_id))).map(({ people, ...one }) =>
    people !== undefined && mayBeTold(people - 1) ? { ...one, people } : one,
  );
  const board = onBoard
    .slice(0, namedAtMost)
    .map(({ username, first_solves }) => `${plain(username)} ${first_solves}`);
  const week = { group: plain(group.name), day: dayText(first, owner) };
  const text = [
    practised
      ? say(language, 'reminder.weekPractised', { ...week, count: practised })
      : say(language, 'reminder.week', week),
    board.length > 0 ? say(language, 'reminder.board', { people: listed(owner, board) }) : '',
    staleText(stale, owner),
    duesText(due, owner),
    `${baseUrl}/dashboard/groups/${groupId}/`,
  ];
  const dues = due.map((one) => dueFacts(baseUrl, groupId, one));
  const data = { week: spanOf(first), practised, board: onBoard, stale, due: dues };
  return { type: 'group.week', text, data };
}

/**
 * The season of a group: its contests of the week before and of the week to come, and the first of those who are on the
 * board and agreed to be shown. Undefined where there is no such contest.
 */
async function groupSeason(db: Db, owner: GroupOwner, first: number): Promise<Made | undefined> {
  const { id: groupId, group, rule, language, baseUrl, now, pointsOf } = owner;
  const season = await findSeason(db, groupId);
  if (!season) return undefined;
  const table = await readSeasonTable(db, group, season, { now, isShown: () => true, pointsOf });
  const days = daysOf(rule);
  const [from, middle, until] = [first, first + 7, first + 14].map((day) =>
    new Date(days.start(day)).toISOString(),
  );
  const between = (start = '', end = '') =>
    table.columns.filter(
      ({ startsAt, phase }) => (phase === 'held' || phase === 'ahead') && startsAt >= start && startsAt < end,
    );
  const [held, coming] = [between(from, middle), between(middle, until)];
  if (held.length + coming.length === 0) return undefined;
  const isTold = mayTellOf(table.lines.map(({ person }) => person));
  const liveIn = (column: SeasonColumn) => {
    const at = table.columns.indexOf(column);
    return isTold ? table.lines.filter(({ cells }) => cells[at]?.part === 'live').length : null;
  };
  const contests = held.map((column) => ({
    name: column.contest.title,
    at: column.startsAt,
    live: liveIn(column),
  }));
  const next = coming.map(({ contest, startsAt }) => ({ name: contest.title, at: startsAt }));
  const leaders = table.lines
    .filter(({ person, total }) => person.on_board === 1n && total > 0)
    .slice(0, leadersNamed)
    .map(({ person, total }) => ({ username: person.username, points: total / 2 }));
  const url = `${baseUrl}/dashboard/groups/${groupId}/season/`;
  const heldText = ({ name, live }: (typeof contests)[number]) =>
    live === null ? plain(name) : say(language, 'reminder.live', { contest: plain(name), count: live });
  const nextText = ({ name, at }: (typeof next)[number]) =>
    say(language, 'reminder.at', { what: plain(name), when: moment(at, owner) });
  const names = { group: plain(group.name), season: plain(season.name) };
  const text = [
    say(language, 'reminder.season', { ...names, held: table.held, count: table.all }),
    contests.length > 0
      ? say(language, 'reminder.lastWeek', { contests: listed(owner, contests.map(heldText)) })
      : '',
    next.length > 0
      ? say(language, 'reminder.thisWeek', { contests: listed(owner, next.map(nextText)) })
      : '',
    leaders.length > 0
      ? say(language, 'reminder.leaders', {
          people: listed(
            owner,
            leaders.map(({ username, points }) => `${plain(username)} ${points}`),
          ),
        })
      : '',
    url,
  ];
  const about = { id: String(season.id), name: season.name, url };
  return {
    type: 'group.season',
    text,
    data: { season: about, week: spanOf(first), contests, next, leaders },
  };
}

/** The people of a group who did anything in the week that begins on this day, by their own days, with their first solves. */
async function listPractised(db: Db, groupId: bigint, first: number) {
  const practised = [];
  for (const person of await listBoardPeople(db, groupId)) {
    const days = daysOf(dayRuleOf(person.time_zone, person.day_start));
    const rows = await readActivity(db, person.user_id, days, [first, first + 6]);
    const first_solves = rows.reduce((sum, row) => sum + Number(row.first_solves), 0);
    if (rows.length > 0) practised.push({ person, first_solves });
  }
  return practised;
}

async function memberWeek(db: Db, owner: Owner, first: number): Promise<Made | undefined> {
  const { id: memberId, rule, language, baseUrl, now } = owner;
  const days = daysOf(rule);
  const rows = await readActivity(db, memberId, days, [first, first + 6]);
  const sum = (name: 'first_solves' | 'reviews') => rows.reduce((total, row) => total + Number(row[name]), 0);
  const [firstSolves, reviews] = [sum('first_solves'), sum('reviews')];
  const { weekGoal: goal } = await readPreferences(db, memberId);
  const today = days.at(now);
  const streak = (await readStreak(db, memberId, days, today)).current?.length ?? 0;
  const reviewsDue =
    (await readReviewsADay(db, memberId)) === 0 ? 0 : await countDueCards(db, memberId, today);
  const due = (await listGivenTo(db, memberId, weekAhead(now)))
    .filter(({ problems, solved }) => solved < problems)
    .slice(0, listsAtMost);
  // Nobody is told that they did nothing.
  if (rows.length + due.length === 0) return undefined;
  const stale = (await owner.listStale([memberId])).map(({ judge, since }) => ({ judge, since }));
  const week = { day: dayText(first, owner), solved: firstSolves, reviews, days: rows.length };
  const text = [
    rows.length === 0
      ? ''
      : goal > 0
        ? say(language, 'reminder.ownWeekGoal', { ...week, goal })
        : say(language, 'reminder.ownWeek', week),
    staleText(stale, owner),
    streak > 1 ? say(language, 'reminder.streak', { count: streak }) : '',
    reviewsDue > 0 ? say(language, 'reminder.reviews', { count: reviewsDue }) : '',
    duesText(due, owner),
    `${baseUrl}/dashboard/`,
  ];
  return {
    type: 'member.week',
    text,
    data: {
      week: spanOf(first),
      ...{ days: rows.length, first_solves: firstSolves, goal, reviews, streak, reviews_due: reviewsDue },
      stale,
      due: due.map((one) => dueFacts(baseUrl, one.group_id, one)),
    },
  };
}

function weekAhead(now: number): { from: string; until: string } {
  return { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
}

const spanOf = (first: number) => ({ from: dateOf(first), to: dateOf(first + 6) });

function duesText(due: readonly { name: string; due_at: string | null }[], owner: Owner): string {
  if (due.length === 0) return '';
  const each = due.map(({ name, due_at }) =>
    say(owner.language, 'reminder.at', { what: plain(name), when: moment(due_at ?? '', owner) }),
  );
  return say(owner.language, 'reminder.dues', { lists: listed(owner, each) });
}

/** Discord takes 2,000 characters. */
const longestText = 1900;

/**
 * Undefined where there is nothing to say: a quiet week without assignments, a list that was taken back, a member who is shut out,
 * a kind of message that is not wanted any more.
 */
export async function messageFor(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: Place,
): Promise<Message | undefined> {
  if (!isWanted(hook, occasion)) return undefined;
  const made =
    hook.user_id === null
      ? await messageToGroup(db, hook, occasion, place)
      : await messageToMember(db, hook.user_id, occasion, place);
  if (!made) return undefined;
  const text = made.text.filter((part) => part !== '').join(' ');
  return { ...made, text: text.slice(0, longestText) };
}

function isWanted({ sends_weeks, sends_dues, sends_contests }: WebhooksTable, { kind }: Occasion): boolean {
  if (kind === 'test') return true;
  if (kind === 'contests') return sends_contests === 1n;
  return (kind === 'due' ? sends_dues : sends_weeks) === 1n;
}

const chosenLanguage = (chosen: string | null | undefined, { usualLanguage }: Place) =>
  languageOf([chosen || usualLanguage]) ?? english;

async function messageToGroup(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: Place,
): Promise<Made | undefined> {
  const group = await findGroupOf(db, hook);
  if (!group) return undefined;
  const language = chosenLanguage(group.language, place);
  const owner = { ...place, id: group.id, group, rule: ruleOfGroup(group), language };
  const made = await makeForGroup(db, owner, occasion);
  return made && { ...made, data: { group: { id: String(group.id), name: group.name }, ...made.data } };
}

async function makeForGroup(db: Db, owner: GroupOwner, occasion: Occasion): Promise<Made | undefined> {
  const { language, baseUrl, group } = owner;
  if (occasion.kind === 'contests') return groupContests(db, owner, occasion.day);
  if (occasion.kind === 'due') return groupDue(db, owner, occasion);
  if (occasion.kind === 'season') return groupSeason(db, owner, occasion.first);
  if (occasion.kind === 'week') return groupWeek(db, owner, occasion.first);
  const facts = { group: plain(group.name), address: `${baseUrl}/` };
  return { type: 'test', text: [say(language, 'reminder.testOf', facts)], data: {} };
}

async function messageToMember(
  db: Db,
  id: bigint,
  occasion: Occasion,
  place: Place,
): Promise<Made | undefined> {
  const [member] = await findMembersByIds(db, [id]);
  if (!member || member.is_disabled === 1n) return undefined;
  const language = chosenLanguage(await readLanguage(db, id), place);
  const owner = { ...place, id, language, rule: await readDayRule(db, id) };
  if (occasion.kind === 'due') return memberDue(db, owner, occasion);
  if (occasion.kind === 'week') return memberWeek(db, owner, occasion.first);
  const text = [say(language, 'reminder.test', { address: `${place.baseUrl}/` })];
  return { type: 'test', text, data: {} };
}
