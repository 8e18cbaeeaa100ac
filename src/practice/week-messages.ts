/**
 * The message of a webhook about a week. That of a group names people on its board alone, and counts the others; that of a member says
 * their own figures, and no note.
 */

import { counted } from '../store/examination.ts';
import { listDueInGroup, listGivenTo } from '../store/group-lists.ts';
import { findGroup, listBoardPeople, listGroupPeople } from '../store/groups.ts';
import { countDueCards } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { readActivity, readStreak } from './activity.ts';
import { dateOf, daysOf } from './days.ts';
import { mayBeTold } from './groups.ts';
import { dueFacts, type Message, moment, type Owner, plain, sentences, staleText } from './message-words.ts';
import { dayRuleOf, readPreferences, readReviewsADay } from './preferences.ts';

const weekMs = 7 * 86_400_000;
const listsAtMost = 10;
const namedAtMost = 10;

export async function groupWeek(db: Db, owner: Owner, first: number): Promise<Message | undefined> {
  const { id: groupId, rule, baseUrl, now } = owner;
  const group = await findGroup(db, groupId);
  if (!group) return undefined;
  const people = await listPractised(db, groupId, first);
  const onBoard = people
    .flatMap(({ person: { username, on_board }, first_solves }) =>
      on_board === 1n ? { username, first_solves } : [],
    )
    .toSorted((a, b) => b.first_solves - a.first_solves || (a.username < b.username ? -1 : 1));
  const due = await listDueInGroup(db, groupId, weekAhead(now), listsAtMost);
  const everybody = await listGroupPeople(db, groupId);
  const unnamed = everybody.filter(({ on_board }) => on_board === 0n);
  // The coach who asked and the people who are named do not count here: without them, the figures of the rest follow by subtraction.
  const asker = unnamed.some(({ role }) => role === 'coach') ? 1 : 0;
  const practised = unnamed.length === 0 || mayBeTold(unnamed.length - asker) ? people.length : null;
  if ((practised ?? onBoard.length) + due.length === 0) return undefined;
  const named = new Set(onBoard.map(({ username }) => username));
  const told = everybody.filter(({ username }) => practised !== null || named.has(username));
  const stale = (await owner.listStale(told.map(({ user_id }) => user_id))).map(({ people, ...one }) =>
    people !== undefined && mayBeTold(people - 1) ? { ...one, people } : one,
  );
  const board = onBoard
    .slice(0, namedAtMost)
    .map(({ username, first_solves }) => `${plain(username)} ${first_solves}`);
  const text = [
    `${plain(group.name)}, week of ${dateOf(first)}${practised ? `: ${counted(practised, 'person', 'people')} practised` : ''}.`,
    board.length > 0 ? `New problems solved, by people on the leaderboard: ${board.join(', ')}.` : '',
    staleText(stale, rule),
    duesText(due, rule.zone),
    `${baseUrl}/dashboard/groups/${groupId}/`,
  ];
  return {
    type: 'group.week',
    text: sentences(text),
    data: {
      group: { id: String(groupId), name: group.name },
      week: spanOf(first),
      practised,
      board: onBoard,
      stale,
      due: due.map((one) => dueFacts(baseUrl, groupId, one)),
    },
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

export async function memberWeek(db: Db, owner: Owner, first: number): Promise<Message | undefined> {
  const { id: memberId, rule, baseUrl, now } = owner;
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
  const solves = counted(firstSolves, 'new problem');
  const text = [
    rows.length === 0
      ? ''
      : `Your week of ${dateOf(first)}: ${solves} solved${goal > 0 ? ` (goal: ${goal})` : ''}, ${counted(reviews, 'review')}, on ${counted(rows.length, 'day', 'days')}.`,
    staleText(stale, rule),
    streak > 1 ? `Streak: ${streak} days.` : '',
    reviewsDue > 0 ? `Due for review: ${reviewsDue}.` : '',
    duesText(due, rule.zone),
    `${baseUrl}/dashboard/`,
  ];
  return {
    type: 'member.week',
    text: sentences(text),
    data: {
      week: spanOf(first),
      ...{ days: rows.length, first_solves: firstSolves, goal, reviews, streak, reviews_due: reviewsDue },
      stale,
      due: due.map((one) => dueFacts(baseUrl, one.group_id, one)),
    },
  };
}

/** The lists that are due in the week to come. */
function weekAhead(now: number): { from: string; until: string } {
  return { from: new Date(now).toISOString(), until: new Date(now + weekMs).toISOString() };
}

const spanOf = (first: number) => ({ from: dateOf(first), to: dateOf(first + 6) });

function duesText(due: readonly { name: string; due_at: string | null }[], zone: string): string {
  if (due.length === 0) return '';
  const each = due.map(({ name, due_at }) => `${plain(name)} (${moment(due_at ?? '', zone)})`);
  return `Due in the next 7 days: ${each.join(', ')}.`;
}
