/**
 * Reminders: when a webhook gets a message, and which. Mornings are those of the group or the member. An occasion is
 * stored as a text, so that there is only one message about it.
 */
import { minuteMs } from '../durations.ts';
import { type DueSpan, listDueInGroup, listMemberAssignments } from '../store/assignments.ts';
import { findSeason } from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { type Days, dateOf, dayOf, daysOf, startOfWeek } from './days.ts';
import { dayRuleOfGroup, findGroupOfWebhook, listContestsOfGroup, messageToGroup } from './group-messages.ts';
import { messageToMember } from './member-messages.ts';
import {
  type DueOccasion,
  type MessageContext,
  morningHour,
  type Occasion,
  type PlannedOccasion,
  type WebhookMessage,
} from './messages.ts';
import { readDayRule } from './preferences.ts';

/** After a server was down, it still reports a week for so many days. */
const weekReportDaysAtMost = 3;
const duesAtMost = 20;
const quarterMs = 15 * minuteMs;

function occasionText(occasion: PlannedOccasion): string {
  if (occasion.kind === 'contests') return `contests ${dateOf(occasion.day)}`;
  if (occasion.kind !== 'due') return `${occasion.kind} ${dateOf(occasion.first)}`;
  return `due ${occasion.groupId} ${occasion.listId} ${occasion.dueAt}`;
}

/** Any other text is a test, and each test has a text of its own. */
export function parseOccasion(text: string): Occasion {
  const [kind, first = '', second = '', dueAt = ''] = text.split(' ');
  const firstDay = dayOf(first);
  if ((kind === 'week' || kind === 'season') && firstDay !== undefined) return { kind, first: firstDay };
  if (kind === 'contests' && firstDay !== undefined) return { kind, day: firstDay };
  if (kind === 'due') return { kind, groupId: BigInt(first), listId: BigInt(second), dueAt };
  return { kind: 'test' };
}

export async function occasionsAt(db: Db, webhook: WebhooksTable, now: number): Promise<string[]> {
  const rule =
    webhook.user_id === null
      ? dayRuleOfGroup(await findGroupOfWebhook(db, webhook))
      : await readDayRule(db, webhook.user_id);
  const morningDays = daysOf({ zone: rule.zone, startHour: morningHour });
  const occasions: PlannedOccasion[] = [];
  if (webhook.sends_weeks === 1n) {
    const weeks = weeksAt(morningDays, daysOf(rule), webhook, now);
    occasions.push(...weeks, ...(await seasonsIn(db, webhook, weeks)));
  }
  if (webhook.sends_dues === 1n) {
    const midnightDays = daysOf({ zone: rule.zone, startHour: 0 });
    const today = midnightDays.at(now);
    // Between midnight and the morning, the last morning was yesterday's.
    if (morningDays.at(now) === today) {
      const at = (day: number) => new Date(midnightDays.start(day)).toISOString();
      occasions.push(...(await duesOf(db, webhook, { from: at(today + 1), until: at(today + 2) })));
    }
  }
  if (webhook.sends_contests === 1n && webhook.group_id !== null) {
    const day = morningDays.at(now);
    const contests = await listContestsOfGroup(db, webhook.group_id, {
      from: now,
      until: morningDays.start(day + 1),
    });
    if (contests.length > 0) occasions.push({ kind: 'contests', day });
  }
  return occasions.map(occasionText);
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

function weeksAt(morningDays: Days, memberDays: Days, { made_at }: WebhooksTable, now: number): Week[] {
  const today = morningDays.at(now);
  const week = startOfWeek(today, memberDays.rule.weekStart);
  if (today - week >= weekReportDaysAtMost) return [];
  // A day that begins late ends after that morning.
  if (memberDays.at(now) < week) return [];
  // No week is sent that was over when the webhook was made.
  return Date.parse(made_at) >= memberDays.start(week) ? [] : [{ kind: 'week', first: week - 7 }];
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

/** The offsets of all zones are multiples of a quarter of an hour. */
export function nextQuarterHour(now: number): bigint {
  return BigInt((Math.floor(now / quarterMs) + 1) * quarterMs);
}

/** Discord takes 2,000 characters. */
const longestText = 1900;

export async function messageFor(
  db: Db,
  webhook: WebhooksTable,
  occasion: Occasion,
  context: MessageContext,
): Promise<WebhookMessage | undefined> {
  if (!isSwitchedOn(webhook, occasion)) return undefined;
  const draft =
    webhook.user_id === null
      ? await messageToGroup(db, webhook, occasion, context)
      : await messageToMember(db, webhook.user_id, occasion, context);
  if (!draft) return undefined;
  // Chinese and Japanese have no space after a full stop.
  const text = draft.text
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/(?<=。) (?!http)/g, '');
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
