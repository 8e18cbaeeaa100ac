/** listNext: suggestions by level, whose chances and strengths stay on the website. */
import { daysOfMember } from '../practice/activity.ts';
import { dateOf } from '../practice/days.ts';
import { listLevelSuggestions } from '../practice/suggestions.ts';
import type { Reader } from './context.ts';
import { briefProblemOf, readMarks } from './representations.ts';

export const listNext: Reader<'listNext'> = async (db, { actor: { memberId } }) => {
  const days = await daysOfMember(db, memberId);
  const today = days.at(Date.now());
  const { items: drawn, missing } = await listLevelSuggestions(db, memberId, { days, today });
  const marked = await readMarks(
    db,
    memberId,
    drawn.map(({ problem }) => problem),
  );
  const items = drawn.flatMap(({ kind, range, problem: { source } }, index) => {
    const problem = marked[index];
    return problem ? [{ judge: source, kind, range, problem: briefProblemOf(problem) }] : [];
  });
  return { body: { day: dateOf(today), missing, items } };
};
