/**
 * Parts of the messages to webhooks. A text is made anew for each try, so that it names nobody who has left the board.
 * Nobody knows who reads it, so that no message contains a note.
 */
import { dayMs } from '../durations.ts';
import type { GroupsTable } from '../store/groups.ts';
import { english, type Language, languageOf, translate } from '../words/catalogue.ts';
import { listSeparator } from '../words/languages.ts';
import { type DayRule, dateOf, daysOf } from './days.ts';
import type { PointsOf } from './season-table.ts';

export type Occasion =
  /** `first` is the first day of the week. */
  | { kind: 'week'; first: number }
  | { kind: 'season'; first: number }
  | { kind: 'due'; groupId: bigint; listId: bigint; dueAt: string }
  | { kind: 'contests'; day: number }
  | { kind: 'test' };

export type DueOccasion = Extract<Occasion, { kind: 'due' }>;

export type PlannedOccasion = Exclude<Occasion, { kind: 'test' }>;

export const morningHour = 9;

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

/** The garden has the submissions to a judge only until `since`. */
export interface StaleJudge {
  judge: string;
  since: string;
  people?: number;
}

export interface MessageContext {
  baseUrl: string;
  now: number;
  judgeName(source: string): string;
  listStale(userIds: readonly bigint[]): Promise<StaleJudge[]>;
  pointsOf: PointsOf;
  defaultLanguage: string;
}

export type Recipient = MessageContext & { id: bigint; dayRule: DayRule; language: Language };
export type GroupRecipient = Recipient & { group: GroupsTable };

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

export function momentText(at: string, { dayRule: { zone }, language }: Recipient): string {
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

const daysWithoutYear = 300;

export function dayText(day: number, { dayRule: rule, language, now }: Recipient): string {
  const isLongAgo = daysOf(rule).at(now) - day > daysWithoutYear;
  const format = new Intl.DateTimeFormat(language.locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(isLongAgo && { year: 'numeric' }),
  });
  return format.format(day * dayMs);
}

export function staleText(stale: readonly StaleJudge[], recipient: Recipient): string {
  const { dayRule: rule, language } = recipient;
  const days = daysOf(rule);
  return stale
    .map(({ judge, since, people: count }) => {
      const facts = { judge, day: dayText(days.at(Date.parse(since)), recipient) };
      if (count === undefined) return translate(language, 'reminder.stale', facts);
      return translate(language, 'reminder.staleOf', { ...facts, count });
    })
    .join(' ');
}

export const joinWithCommas = ({ language }: Recipient, parts: readonly string[]) =>
  parts.join(listSeparator(language.locale));

/** Removes what chats read as a mention or a link, and marks that turn the direction of the text around it. */
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

/** `~` sorts behind all digits, so that the span contains one moment. */
export const exactMoment = (at: string) => ({ from: at, until: `${at}~` });

const weekMs = 7 * dayMs;
export const listsAtMost = 10;

export function weekAhead(now: number): { from: string; until: string } {
  return { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
}

export const weekSpan = (first: number) => ({ from: dateOf(first), to: dateOf(first + 6) });

export function duesText(
  due: readonly { name: string; due_at: string | null }[],
  recipient: Recipient,
): string {
  if (due.length === 0) return '';
  const each = due.map(({ name, due_at }) =>
    translate(recipient.language, 'reminder.at', {
      what: chatSafe(name),
      when: momentText(due_at ?? '', recipient),
    }),
  );
  return translate(recipient.language, 'reminder.dues', { lists: joinWithCommas(recipient, each) });
}

export const chosenLanguage = (tag: string | null | undefined, { defaultLanguage }: MessageContext) =>
  languageOf([tag || defaultLanguage]) ?? english;
