/**
 * When there is something to say to a webhook: on the first morning of a week about the week before, and on the morning before an
 * assignment is due. All by the clocks of the group or the member. Each occasion has a text, by which it gets one message.
 */
import { type DueSpan, listDueInGroup, listGivenTo } from '../store/group-lists.ts';
import { findGroup } from '../store/groups.ts';
import type { Db } from '../store/tables.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { type DayRule, type Days, dateOf, dayOf, daysOf, weekOf } from './days.ts';
import { dayRuleOf, readDayRule } from './preferences.ts';

/** The hour at which messages are sent. */
const morning = 9;
/** A server that was down on that morning speaks of the week for so many days. */
const lateDaysAtMost = 3;
/** The occasions of one day, for one webhook. */
const duesAtMost = 20;
const quarterMs = 15 * 60_000;

export type Occasion =
  /** The week that began on this day. */
  | { kind: 'week'; first: number }
  | { kind: 'due'; groupId: bigint; listId: bigint; dueAt: string }
  | { kind: 'test' };

export type DueOccasion = Extract<Occasion, { kind: 'due' }>;

/** One that comes by itself. */
type Planned = Exclude<Occasion, { kind: 'test' }>;

function textOf(occasion: Planned): string {
  if (occasion.kind === 'week') return `week ${dateOf(occasion.first)}`;
  return `due ${occasion.groupId} ${occasion.listId} ${occasion.dueAt}`;
}

/** A text of another kind is a test, each of which is an occasion of its own. */
export function readOccasion(text: string): Occasion {
  const [kind, first = '', second = '', dueAt = ''] = text.split(' ');
  const firstDay = dayOf(first);
  if (kind === 'week' && firstDay !== undefined) return { kind, first: firstDay };
  if (kind === 'due') return { kind, groupId: BigInt(first), listId: BigInt(second), dueAt };
  return { kind: 'test' };
}

/** The rule of the days of a group, or of the member. */
export async function dayRuleOfWebhook(db: Db, hook: WebhooksTable): Promise<DayRule> {
  if (hook.user_id !== null) return readDayRule(db, hook.user_id);
  const group = hook.group_id === null ? undefined : await findGroup(db, hook.group_id);
  return dayRuleOf(group?.zone, '0');
}

/** The occasions for a message now. */
export async function occasionsAt(db: Db, hook: WebhooksTable, now: number): Promise<string[]> {
  const rule = await dayRuleOfWebhook(db, hook);
  const mornings = daysOf({ zone: rule.zone, startHour: morning });
  const occasions: Planned[] = [];
  if (hook.sends_weeks === 1n) occasions.push(...weeksAt(mornings, daysOf(rule), hook, now));
  if (hook.sends_dues === 1n) {
    const midnights = daysOf({ zone: rule.zone, startHour: 0 });
    const today = midnights.at(now);
    // Before the morning the last one was yesterday's.
    if (mornings.at(now) === today) {
      const at = (day: number) => new Date(midnights.start(day)).toISOString();
      occasions.push(...(await duesOf(db, hook, { from: at(today + 1), until: at(today + 2) })));
    }
  }
  return occasions.map(textOf);
}

function weeksAt(mornings: Days, own: Days, { made_at }: WebhooksTable, now: number): Planned[] {
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

/** When to look again: at the next quarter of an hour, because no zone is off by less. */
export function nextLook(now: number): bigint {
  return BigInt((Math.floor(now / quarterMs) + 1) * quarterMs);
}
