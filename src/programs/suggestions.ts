/** listNext: suggestions by level, whose chances and strengths stay on the website. */
import { daysOfMember } from '../practice/activity.ts';
import { dateOf } from '../practice/days.ts';
import { listSuggestions } from '../practice/suggestions.ts';
import type { Reader } from './context.ts';
import { briefProblemOf, readMarks } from './representations.ts';

export const listNext: Reader<'listNext'> = async (db, { actor }) => {
  const days = await daysOfMember(db, actor.memberId);
  const today = days.at(Date.now());
  const { judges, missing } = await listSuggestions(db, actor.memberId, { days, today, models: new Map() });
  const all = judges.flatMap(({ source, suggestions }) => suggestions.map((one) => ({ source, one })));
  const marked = await readMarks(
    db,
    actor.memberId,
    all.map(({ one }) => one.problem),
  );
  const items = all.flatMap(({ source, one: { kind, range } }, index) => {
    const problem = marked[index];
    return problem ? [{ judge: source, kind, range, problem: briefProblemOf(problem) }] : [];
  });
  return { body: { day: dateOf(today), missing, items } };
};
