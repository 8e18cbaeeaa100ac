/** The messages to one member: an assignment on the morning before it is due, and the week, with their own figures. */

import { formatMessage } from '../errors.ts';
import { listMemberAssignments } from '../store/assignments.ts';
import { findMembersByIds } from '../store/members.ts';
import { countDueCards } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { translate } from '../words/catalogue.ts';
import { readActivity, readStreak } from './activity.ts';
import { daysOf } from './days.ts';
import { readGarden } from './garden.ts';
import {
  chatSafe,
  chosenLanguage,
  type DueOccasion,
  dayText,
  dueFacts,
  duesText,
  exactMoment,
  listsAtMost,
  type MessageContext,
  type MessageDraft,
  momentText,
  type Occasion,
  type Recipient,
  staleText,
  weekAhead,
  weekSpan,
} from './messages.ts';
import { planMessage, readPace, readPlantPlans } from './plan.ts';
import { readDayRule, readLanguage, readPreferences, readReviewsADay } from './preferences.ts';

export async function messageToMember(
  db: Db,
  id: bigint,
  occasion: Occasion,
  context: MessageContext,
): Promise<MessageDraft | undefined> {
  const [member] = await findMembersByIds(db, [id]);
  if (!member || member.is_disabled === 1n) return undefined;
  const language = chosenLanguage(await readLanguage(db, id), context);
  const recipient = { ...context, id, language, dayRule: await readDayRule(db, id) };
  if (occasion.kind === 'due') return draftDue(db, recipient, occasion);
  if (occasion.kind === 'week') return draftWeek(db, recipient, occasion.first);
  const text = [translate(language, 'reminder.test', { address: `${context.baseUrl}/` })];
  return { type: 'test', text, data: {} };
}

async function draftDue(
  db: Db,
  recipient: Recipient,
  occasion: DueOccasion,
): Promise<MessageDraft | undefined> {
  const { id: memberId, language, baseUrl, now } = recipient;
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listMemberAssignments(db, memberId, exactMoment(occasion.dueAt));
  const due = all.find((one) => one.list_id === occasion.listId && one.group_id === occasion.groupId);
  if (!due || due.solved >= due.problems) return undefined;
  const facts = dueFacts(baseUrl, due.group_id, due);
  const text = [
    translate(language, 'reminder.memberDue', {
      list: chatSafe(due.name),
      group: chatSafe(due.group),
      when: momentText(occasion.dueAt, recipient),
      solved: due.solved,
      problems: due.problems,
    }),
    facts.url,
  ];
  const group = { id: String(due.group_id), name: due.group };
  const [problems, solved] = [Number(due.problems), Number(due.solved)];
  return { type: 'member.due', text, data: { group, due: facts, problems, solved } };
}

async function plansText(db: Db, recipient: Recipient): Promise<string[]> {
  const { id, language, now } = recipient;
  const pace = await readPace(db, id, now);
  const plants = await readGarden(db, id, pace.days, new Date(now));
  const planById = await readPlantPlans(db, id, plants, pace, now);
  const plans = plants.flatMap((plant) => {
    const plan = planById.get(plant.id);
    if (!plan || plan.left === 0 || plan.dayCount === 0) return [];
    const message = planMessage(plan, (day) => dayText(day, recipient));
    return translate(language, 'reminder.plan', {
      name: chatSafe(plant.name),
      plan: formatMessage(language, message),
    });
  });
  return plans.slice(0, listsAtMost);
}

async function draftWeek(db: Db, recipient: Recipient, firstDay: number): Promise<MessageDraft | undefined> {
  const { id: memberId, dayRule: rule, language, baseUrl, now } = recipient;
  const days = daysOf(rule);
  const rows = await readActivity(db, memberId, days, [firstDay, firstDay + 6]);
  const sum = (name: 'first_solves' | 'reviews') => rows.reduce((total, row) => total + Number(row[name]), 0);
  const [firstSolves, reviews] = [sum('first_solves'), sum('reviews')];
  const { weekGoal: goal } = await readPreferences(db, memberId);
  const today = days.at(now);
  const streak = (await readStreak(db, memberId, days, today)).current?.length ?? 0;
  const reviewsDue =
    (await readReviewsADay(db, memberId)) === 0 ? 0 : await countDueCards(db, memberId, today);
  const due = (await listMemberAssignments(db, memberId, weekAhead(now)))
    .filter(({ problems, solved }) => solved < problems)
    .slice(0, listsAtMost);
  // Nobody gets a message that they did nothing.
  if (rows.length + due.length === 0) return undefined;
  const stale = (await recipient.listStale([memberId])).map(({ judge, since }) => ({ judge, since }));
  const week = { day: dayText(firstDay, recipient), solved: firstSolves, reviews, days: rows.length };
  const text = [
    rows.length === 0
      ? ''
      : goal > 0
        ? translate(language, 'reminder.ownWeekGoal', { ...week, goal })
        : translate(language, 'reminder.ownWeek', week),
    staleText(stale, recipient),
    streak > 1 ? translate(language, 'reminder.streak', { count: streak }) : '',
    reviewsDue > 0 ? translate(language, 'reminder.reviews', { count: reviewsDue }) : '',
    duesText(due, recipient),
    ...(await plansText(db, recipient)),
    `${baseUrl}/dashboard/`,
  ];
  return {
    type: 'member.week',
    text,
    data: {
      week: weekSpan(firstDay),
      days: rows.length,
      first_solves: firstSolves,
      goal,
      reviews,
      streak,
      reviews_due: reviewsDue,
      stale,
      due: due.map((one) => dueFacts(baseUrl, one.group_id, one)),
    },
  };
}
