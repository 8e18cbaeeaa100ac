/** listDue and gradeReview: what is due today, and how it went. */
import { AppError } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { dateOf } from '../practice/days.ts';
import { answerReview, type DueProblem, dueForReview, findDueProblem } from '../practice/reviews.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { findCards } from '../store/reviews.ts';
import { getProblem, type Reader, type Writer } from './context.ts';
import { briefProblemOf, readMarks } from './representations.ts';

export const listDue: Reader<'listDue'> = async (db, { actor }) => {
  const { reviewsADay, today, done, problems, waitingCount } = await dueForReview(
    db,
    actor.memberId,
    new Date(),
  );
  const ids = problems.map(({ problem_id }) => problem_id);
  const rows = ids.length === 0 ? [] : await findProblemsByIds(db, ids);
  const marked = new Map((await readMarks(db, actor.memberId, rows)).map((one) => [one.problem.id, one]));
  const items = problems.flatMap((due) => {
    const problem = marked.get(due.problem_id);
    return problem ? [Object.assign({ problem: briefProblemOf(problem) }, dueOf(due))] : [];
  });
  return { body: { day: dateOf(today), per_day: reviewsADay, done, waiting: waitingCount, items } };
};

function dueOf({ version, nextDays, suggestion, lastAnswer }: DueProblem) {
  const { again, hard, good, easy } = nextDays;
  return {
    version,
    next: { again: dateOf(again), hard: dateOf(hard), good: dateOf(good), easy: dateOf(easy) },
    suggested: suggestion?.grade ?? null,
    last: lastAnswer ? { grade: lastAnswer.grade, day: dateOf(lastAnswer.day) } : null,
  };
}

export const gradeReview: Writer<'gradeReview'> = async (tx, { actor, id, body, conditions }, record) => {
  const { memberId } = actor;
  const now = new Date();
  const found = await findDueProblem(tx, memberId, await getProblem(tx, id), now);
  assertConditions(conditions, found?.due.version);
  if (!found) throw new AppError('notDue', 'This problem is not due for review; read what is due.');
  const { grade: answer = 'later' } = body;
  const review = await answerReview(tx, memberId, { problemId: id, answer, version: found.due.version }, now);
  record({ kind: 'review', part_id: review.id });
  const [card] = await findCards(tx, memberId, [id]);
  const next_day = card?.due_day == null ? null : dateOf(Number(card.due_day));
  return { body: { review: { problem: String(id), grade: answer, at: review.made_at, next_day } } };
};
