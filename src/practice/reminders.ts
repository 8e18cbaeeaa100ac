/**
 * Reminders: when a webhook gets a message, and which. Mornings are those of the group or the member. An occasion is
 * stored as a text, so that there is only one message about it.
 */
import { minuteMs } from '../durations.ts';
import { type DueSpan, listDueInGroup, listMemberAssignments } from '../store/assignments.ts';
import { findSeason } from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { type Days, dateOf, dayOf, daysOf, weekOf } from './days.ts';
import { findGroupOf, listContestsOfGroup, messageToGroup, ruleOfGroup } from './group-messages.ts';
import { messageToMember } from './member-messages.ts';
import {
  type DueOccasion,
  type MessageContext,
  morning,
  type Occasion,
  type PlannedOccasion,
  type WebhookMessage,
} from './messages.ts';
import { readDayRule } from './preferences.ts';

/** After a server was down, it still reports a week for so many days. */
const lateDaysAtMost = 3;
const duesAtMost = 20;
const quarterMs = 15 * minuteMs;

function textOf(occasion: PlannedOccasion): string {
  if (occasion.kind === 'contests') return `contests ${dateOf(occasion.day)}`;
  if (occasion.kind !== 'due') return `${occasion.kind} ${dateOf(occasion.first)}`;
  return `due ${occasion.groupId} ${occasion.listId} ${occasion.dueAt}`;
}

/** Any other text is a test, and each test has a text of its own. */
export function readOccasion(text: string): Occasion {
  const [kind, first = '', second = '', dueAt = ''] = text.split(' ');
  const firstDay = dayOf(first);
  if ((kind === 'week' || kind === 'season') && firstDay !== undefined) return { kind, first: firstDay };
  if (kind === 'contests' && firstDay !== undefined) return { kind, day: firstDay };
  if (kind === 'due') return { kind, groupId: BigInt(first), listId: BigInt(second), dueAt };
  return { kind: 'test' };
}

export async function occasionsAt(db: Db, hook: WebhooksTable, now: number): Promise<string[]> {
  const rule =
    hook.user_id === null ? ruleOfGroup(await findGroupOf(db, hook)) : await readDayRule(db, hook.user_id);
  const mornings = daysOf({ zone: rule.zone, startHour: morning });
  const occasions: PlannedOccasion[] = [];
  if (hook.sends_weeks === 1n) {
    const weeks = weeksAt(mornings, daysOf(rule), hook, now);
    occasions.push(...weeks, ...(await seasonsIn(db, hook, weeks)));
  }
  if (hook.sends_dues === 1n) {
    const midnights = daysOf({ zone: rule.zone, startHour: 0 });
    const today = midnights.at(now);
    // Between midnight and the morning, the last morning was yesterday's.
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

async function seasonsIn(
  db: Db,
  { group_id }: WebhooksTable,
  weeks: readonly Week[],
): Promise<PlannedOccasion[]> {
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
  // A day that begins late ends after that morning.
  if (own.at(now) < week) return [];
  // A webhook that was made since then begins with the next week.
  return Date.parse(made_at) > mornings.start(week) ? [] : [{ kind: 'week', first: week - 7 }];
}

async function duesOf(
  db: Db,
  { group_id, user_id }: WebhooksTable,
  span: DueSpan,
): Promise<PlannedOccasion[]> {
  if (group_id !== null) {
    const due = await listDueInGroup(db, group_id, span, duesAtMost);
    return due.map(({ list_id, due_at }) => dueOf(group_id, list_id, due_at));
  }
  const due = user_id === null ? [] : await listMemberAssignments(db, user_id, span);
  return due
    .filter(({ problems, solved }) => solved < problems)
    .slice(0, duesAtMost)
    .map(({ group_id: groupId, list_id, due_at }) => dueOf(groupId, list_id, due_at ?? ''));
}

const dueOf = (groupId: bigint, listId: bigint, dueAt: string): DueOccasion => ({
  kind: 'due',
  groupId,
  listId,
  dueAt,
});

/** No zone is off by less than a quarter of an hour. */
export function nextLook(now: number): bigint {
  return BigInt((Math.floor(now / quarterMs) + 1) * quarterMs);
}

/** Discord takes 2,000 characters. */
const longestText = 1900;

export async function messageFor(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: MessageContext,
): Promise<WebhookMessage | undefined> {
  if (!isSwitchedOn(hook, occasion)) return undefined;
  const draft =
    hook.user_id === null
      ? await messageToGroup(db, hook, occasion, place)
      : await messageToMember(db, hook.user_id, occasion, place);
  if (!draft) return undefined;
  const text = draft.text.filter((part) => part !== '').join(' ');
  return { ...draft, text: text.slice(0, longestText) };
}

function isSwitchedOn(
  { sends_weeks, sends_dues, sends_contests }: WebhooksTable,
  { kind }: Occasion,
): boolean {
  if (kind === 'test') return true;
  if (kind === 'contests') return sends_contests === 1n;
  return (kind === 'due' ? sends_dues : sends_weeks) === 1n;
}
