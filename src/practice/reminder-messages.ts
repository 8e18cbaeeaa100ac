/**
 * What a message to a webhook says. It is made anew for each try, so that nobody is named who has left the board meanwhile. Who
 * reads it is not known: of a group it names people on its board alone, and counts the others. No note is read here.
 */
import { listActivity } from '../store/activity.ts';
import { listDueInGroup, listGivenTo } from '../store/group-lists.ts';
import { countDone, listWeekOfGroup } from '../store/group-weeks.ts';
import { findGroup } from '../store/groups.ts';
import { findMembersByIds } from '../store/members.ts';
import { countDueCards } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import type { WebhooksTable } from '../store/webhook-tables.ts';
import { dateOf, daysOf } from './days.ts';
import { dayRuleOfWebhook, type Occasion } from './occasions.ts';
import { readReviewsADay, readWeekGoal } from './preferences.ts';
import { readStreak } from './streak.ts';

const weekMs = 7 * 86_400_000;
const namedAtMost = 10;
const listsAtMost = 10;
const longestName = 60;
/** Discord takes 2,000 characters. */
const longestText = 1900;

export interface Message {
  type: 'group.week' | 'group.due' | 'member.week' | 'member.due' | 'test';
  /** For people. */
  text: string;
  /** For programs. */
  data: Record<string, unknown>;
}

interface Place {
  /** Of the garden, for links. */
  baseUrl: string;
  now: number;
}

/** Undefined where there is nothing to say: a quiet week without assignments, a list that was taken back, a member who is shut out. */
export async function messageFor(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: Place,
): Promise<Message | undefined> {
  if (hook.user_id !== null) {
    const [member] = await findMembersByIds(db, [hook.user_id]);
    if (!member || member.is_disabled === 1n) return undefined;
  }
  const message = await make(db, hook, occasion, place);
  return message && { ...message, text: message.text.slice(0, longestText) };
}

async function make(db: Db, hook: WebhooksTable, occasion: Occasion, place: Place) {
  if (occasion.kind === 'test') return test(db, hook, place);
  if (occasion.kind === 'due') {
    return hook.group_id === null
      ? memberDue(db, hook.user_id ?? 0n, occasion, await zoneOf(db, hook), place)
      : groupDue(db, hook.group_id, occasion, await zoneOf(db, hook), place);
  }
  return hook.group_id === null
    ? memberWeek(db, hook, occasion.monday, place)
    : groupWeek(db, hook.group_id, occasion.monday, place);
}

const zoneOf = async (db: Db, hook: WebhooksTable) => (await dayRuleOfWebhook(db, hook)).zone;

async function test(db: Db, { group_id }: WebhooksTable, { baseUrl }: Place): Promise<Message | undefined> {
  if (group_id === null) {
    const text = `This is a test of your reminders from Practice Garden, ${baseUrl}/`;
    return { type: 'test', text, data: {} };
  }
  const group = await findGroup(db, group_id);
  if (!group) return undefined;
  const text = `This is a test of the reminders of ${plain(group.name)} from Practice Garden, ${baseUrl}/`;
  return { type: 'test', text, data: { group: { id: String(group.id), name: group.name } } };
}

async function groupWeek(
  db: Db,
  groupId: bigint,
  monday: number,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const group = await findGroup(db, groupId);
  if (!group) return undefined;
  const people = await listWeekOfGroup(db, groupId, monday, monday + 6);
  const onBoard = people
    .flatMap(({ username, solved_first }) =>
      username === null ? [] : [{ username, first_solves: Number(solved_first ?? 0n) }],
    )
    .toSorted((a, b) => b.first_solves - a.first_solves || (a.username < b.username ? -1 : 1));
  const span = { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
  const due = await listDueInGroup(db, groupId, span, listsAtMost);
  if (people.length + due.length === 0) return undefined;
  const board = onBoard
    .slice(0, namedAtMost)
    .map(({ username, first_solves }) => `${plain(username)} ${first_solves}`);
  const text = [
    `${plain(group.name)}, week of ${dateOf(monday)}${people.length > 0 ? `: ${counted(people.length, 'person', 'people')} practised` : ''}.`,
    board.length > 0 ? `Solved for the first time, of those on the board: ${board.join(', ')}.` : '',
    duesText(due, group.zone),
    `${baseUrl}/dashboard/groups/${groupId}/`,
  ];
  return {
    type: 'group.week',
    text: sentences(text),
    data: {
      group: { id: String(groupId), name: group.name },
      week: weekOf(monday),
      practised: people.length,
      board: onBoard,
      due: due.map((one) => dueFacts(baseUrl, groupId, one)),
    },
  };
}

async function memberWeek(
  db: Db,
  hook: WebhooksTable,
  monday: number,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const memberId = hook.user_id ?? 0n;
  const days = daysOf(await dayRuleOfWebhook(db, hook));
  const rows = await listActivity(db, memberId, monday, monday + 6);
  const sum = (name: 'first_solves' | 'reviews') => rows.reduce((total, row) => total + Number(row[name]), 0);
  const [firstSolves, reviews] = [sum('first_solves'), sum('reviews')];
  const goal = await readWeekGoal(db, memberId);
  const today = days.at(now);
  const streak = (await readStreak(db, memberId, days, today)).current?.length ?? 0;
  const reviewsDue =
    (await readReviewsADay(db, memberId)) === 0 ? 0 : await countDueCards(db, memberId, today);
  const span = { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
  const due = (await listGivenTo(db, memberId, span))
    .filter(({ problems, solved }) => solved < problems)
    .slice(0, listsAtMost);
  // Nobody is told that they did nothing.
  if (rows.length + due.length === 0) return undefined;
  const solves = counted(firstSolves, 'problem', 'problems');
  const text = [
    rows.length === 0
      ? ''
      : `Your week of ${dateOf(monday)}: ${solves} solved for the first time${goal > 0 ? ` of ${goal} wanted` : ''}, ${counted(reviews, 'review', 'reviews')}, on ${counted(rows.length, 'day', 'days')}.`,
    streak > 1 ? `You are at ${streak} days in a row.` : '',
    reviewsDue > 0 ? `Due for review: ${reviewsDue}.` : '',
    duesText(due, days.rule.zone),
    `${baseUrl}/dashboard/`,
  ];
  return {
    type: 'member.week',
    text: sentences(text),
    data: {
      week: weekOf(monday),
      ...{ days: rows.length, first_solves: firstSolves, goal, reviews, streak, reviews_due: reviewsDue },
      due: due.map((one) => dueFacts(baseUrl, one.group_id, one)),
    },
  };
}

type DueOccasion = Extract<Occasion, { kind: 'due' }>;

/** Only while it is due at that moment and still to come. */
const spanOf = ({ dueAt }: DueOccasion) => ({ from: dueAt, until: `${dueAt}~` });

async function groupDue(
  db: Db,
  groupId: bigint,
  occasion: DueOccasion,
  zone: string,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const group = await findGroup(db, groupId);
  if (!group || Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listDueInGroup(db, groupId, spanOf(occasion), 100);
  const due = all.find(({ list_id }) => list_id === occasion.listId);
  if (!due) return undefined;
  const { people, done } = await countDone(db, groupId, due.list_id);
  const facts = dueFacts(baseUrl, groupId, due);
  const text = [
    `${plain(group.name)}: ${plain(due.name)} is due ${moment(due.due_at, zone)}.`,
    people > 0 ? `${done} of ${counted(people, 'member has', 'members have')} solved all of it.` : '',
    facts.url,
  ];
  return {
    type: 'group.due',
    text: sentences(text),
    data: { group: { id: String(groupId), name: group.name }, due: facts, members: people, done },
  };
}

async function memberDue(
  db: Db,
  memberId: bigint,
  occasion: DueOccasion,
  zone: string,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listGivenTo(db, memberId, spanOf(occasion));
  const due = all.find((one) => one.list_id === occasion.listId && one.group_id === occasion.groupId);
  if (!due || due.solved >= due.problems) return undefined;
  const facts = dueFacts(baseUrl, due.group_id, due);
  const text = [
    `${plain(due.name)} (${plain(due.group)}) is due ${moment(occasion.dueAt, zone)}: you have solved ${due.solved} of ${due.problems}.`,
    facts.url,
  ];
  return {
    type: 'member.due',
    text: sentences(text),
    data: {
      group: { id: String(due.group_id), name: due.group },
      due: facts,
      ...{ problems: Number(due.problems), solved: Number(due.solved) },
    },
  };
}

const weekOf = (monday: number) => ({ from: dateOf(monday), to: dateOf(monday + 6) });

function dueFacts(
  baseUrl: string,
  groupId: bigint,
  { list_id, name, due_at }: { list_id: bigint; name: string; due_at: string | null },
) {
  const url = `${baseUrl}/dashboard/groups/${groupId}/lists/${list_id}/`;
  return { list: String(list_id), name, due_at, url };
}

function duesText(due: readonly { name: string; due_at: string | null }[], zone: string): string {
  if (due.length === 0) return '';
  const each = due.map(({ name, due_at }) => `${plain(name)} (${moment(due_at ?? '', zone)})`);
  return `Due in the next seven days: ${each.join(', ')}.`;
}

function moment(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    timeZone: zone,
  });
  return format.format(Date.parse(at));
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const sentences = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');

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
