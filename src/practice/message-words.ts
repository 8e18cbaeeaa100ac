/** The words and facts that messages to webhooks share: what a message is, what is due, and names of others in a chat. */
import { counted } from '../store/examination.ts';
import { type DayRule, dateOf, daysOf } from './days.ts';

export interface Message {
  type: 'group.week' | 'group.due' | 'member.week' | 'member.due' | 'test';
  /** For people. */
  text: string;
  /** For programs. */
  data: Record<string, unknown>;
}

/** Submissions of a judge that are here up to a moment only, of so many people. */
export interface StaleJudge {
  judge: string;
  since: string;
  /** Only of a group. */
  people?: number;
}

export interface Place {
  /** The address of the garden, for links. */
  baseUrl: string;
  now: number;
  /** The judges whose submissions of these members are old. */
  listStale(userIds: readonly bigint[]): Promise<StaleJudge[]>;
}

/** The group or the member whose webhook it is, with the rule of its days, and where and when it is told. */
export type Owner = Place & { id: bigint; rule: DayRule };

const longestName = 60;

export function dueFacts(
  baseUrl: string,
  groupId: bigint,
  { list_id, name, due_at }: { list_id: bigint; name: string; due_at: string | null },
) {
  const url = `${baseUrl}/dashboard/groups/${groupId}/lists/${list_id}/`;
  return { list: String(list_id), name, due_at, url };
}

export function moment(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    timeZone: zone,
  });
  return format.format(Date.parse(at));
}

/** A sentence for each judge. */
export function staleText(stale: readonly StaleJudge[], rule: DayRule): string {
  const days = daysOf(rule);
  return stale
    .map(({ judge, since, people }) => {
      const whose = people === undefined ? '' : ` (${counted(people, 'person', 'people')})`;
      return `Submissions from ${judge} may be missing since ${dateOf(days.at(Date.parse(since)))}${whose}.`;
    })
    .join(' ');
}

export const sentences = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');

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
