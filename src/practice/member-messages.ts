/** What a webhook of a member says: their own figures, and no note. */
import { listActivity } from '../store/activity.ts';
import { counted } from '../store/counted.ts';
import { listGivenTo } from '../store/group-lists.ts';
import { countDueCards } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { type DayRule, dateOf, daysOf } from './days.ts';
import {
  dueFacts,
  duesText,
  listsAtMost,
  type Message,
  moment,
  momentOf,
  type Place,
  plain,
  sentences,
  weekAhead,
  weekOf,
} from './message-words.ts';
import type { DueOccasion } from './occasions.ts';
import { readPreferences, readReviewsADay } from './preferences.ts';
import { readStreak } from './streak.ts';

export async function memberWeek(
  db: Db,
  memberId: bigint,
  rule: DayRule,
  monday: number,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const days = daysOf(rule);
  const rows = await listActivity(db, memberId, monday, monday + 6);
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
  const solves = counted(firstSolves, 'problem');
  const text = [
    rows.length === 0
      ? ''
      : `Your week of ${dateOf(monday)}: ${solves} solved for the first time${goal > 0 ? ` of ${goal} wanted` : ''}, ${counted(reviews, 'review')}, on ${counted(rows.length, 'day', 'days')}.`,
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

export async function memberDue(
  db: Db,
  memberId: bigint,
  occasion: DueOccasion,
  zone: string,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listGivenTo(db, memberId, momentOf(occasion.dueAt));
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
