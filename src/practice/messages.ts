/**
 * Parts of the messages to webhooks, for those to a group and those to one member alike. The text of a message is made anew for
 * each try, so that it names nobody who has left the board meanwhile. Nobody knows who reads it, so no message has a note in it.
 */
import { dayMs } from '../durations.ts';
import type { GroupsTable } from '../store/groups.ts';
import { english, type Language, languageOf, translate } from '../words/catalogue.ts';
import { commaOf } from '../words/languages.ts';
import { type DayRule, dateOf, daysOf } from './days.ts';
import type { PointsOf } from './season-table.ts';

export type Occasion =
  /** The week that began on this day. */
  | { kind: 'week'; first: number }
  /** The season of a group in the week that began on this day. */
  | { kind: 'season'; first: number }
  | { kind: 'due'; groupId: bigint; listId: bigint; dueAt: string }
  /** The contests from this morning to the next one. */
  | { kind: 'contests'; day: number }
  | { kind: 'test' };

export type DueOccasion = Extract<Occasion, { kind: 'due' }>;

/** One that comes by itself. */
export type PlannedOccasion = Exclude<Occasion, { kind: 'test' }>;

/** The hour at which messages are sent. */
export const morning = 9;

export interface WebhookMessage {
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

export interface MessageContext {
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
export type Recipient = MessageContext & { id: bigint; rule: DayRule; language: Language };
export type GroupRecipient = Recipient & { group: GroupsTable };

/** A message before its sentences are joined. That of a group gets the group as a fact. */
export type MessageDraft = Pick<WebhookMessage, 'type' | 'data'> & { text: readonly string[] };

const longestName = 60;

export function dueFacts(
  baseUrl: string,
  groupId: bigint,
  { list_id, name, due_at }: { list_id: bigint; name: string; due_at: string | null },
) {
  const url = `${baseUrl}/dashboard/groups/${groupId}/assignments/${list_id}/`;
  return { list: String(list_id), name, due_at, url };
}

export function momentText(at: string, { rule: { zone }, language }: Recipient): string {
  const format = new Intl.DateTimeFormat(language.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  return format.format(Date.parse(at));
}

/** A date is told without its year for so many days. */
const daysWithoutYear = 300;

/** A day as the language writes it, such as 16 November. */
export function dayText(day: number, { rule, language, now }: Recipient): string {
  const isLongAgo = daysOf(rule).at(now) - day > daysWithoutYear;
  const format = new Intl.DateTimeFormat(language.locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(isLongAgo && { year: 'numeric' }),
  });
  return format.format(day * dayMs);
}

export function staleText(stale: readonly StaleJudge[], owner: Recipient): string {
  const { rule, language } = owner;
  const days = daysOf(rule);
  return stale
    .map(({ judge, since, people: count }) => {
      const facts = { judge, day: dayText(days.at(Date.parse(since)), owner) };
      if (count === undefined) return translate(language, 'reminder.stale', facts);
      return translate(language, 'reminder.staleOf', { ...facts, count });
    })
    .join(' ');
}

export const joinWithCommas = ({ language }: Recipient, parts: readonly string[]) =>
  parts.join(commaOf(language.locale));

/**
 * A name that somebody typed, for a chat: on one line, not too long, and without what chats read as a mention of everybody, or as
 * a link. Marks that turn the direction of the text would turn what stands around the name as well.
 */
export function chatSafe(name: string): string {
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

/* Spans of time, the assignments that are due in one, and the language of a message. */

/** The lists that are due at that very moment. */
export const exactMoment = (at: string) => ({ from: at, until: `${at}~` });

const weekMs = 7 * dayMs;
export const listsAtMost = 10;

export function weekAhead(now: number): { from: string; until: string } {
  return { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
}

export const weekSpan = (first: number) => ({ from: dateOf(first), to: dateOf(first + 6) });

export function duesText(due: readonly { name: string; due_at: string | null }[], owner: Recipient): string {
  if (due.length === 0) return '';
  const each = due.map(({ name, due_at }) =>
    translate(owner.language, 'reminder.at', { what: chatSafe(name), when: momentText(due_at ?? '', owner) }),
  );
  return translate(owner.language, 'reminder.dues', { lists: joinWithCommas(owner, each) });
}

export const chosenLanguage = (chosen: string | null | undefined, { usualLanguage }: MessageContext) =>
  languageOf([chosen || usualLanguage]) ?? english;
