/**
 * The problems of a list as a table with the member's own marks: on the page of the list, as an assignment, and on
 * Today.
 */

import { readPreferences } from '../../practice/preferences.ts';
import type { ListedProblem } from '../../store/list-content.ts';
import { listTries } from '../../store/problem-solves.ts';
import { findSolvedCounts } from '../../store/solved-counts.ts';
import { type Html, html } from '../markup.ts';
import type { MemberVisit } from '../road/visits.ts';
import { type Forms, shownState } from './marks.ts';
import { marksOf, plainHead, problemRow, type RowExtra } from './problem-table.ts';

/** The rows of these problems; `from` is the page to which their forms go back. */
export async function listedProblems(
  { store, member, site, antiForgery }: MemberVisit,
  listed: readonly ListedProblem[],
  from: string,
) {
  const { reader } = store;
  const { user_id } = member;
  const ids = listed.map(({ id }) => id);
  const marks = await marksOf(reader, user_id, ids);
  const tries = new Map((await listTries(reader, user_id, ids)).map((one) => [one.problem_id, one]));
  const solvedBy = await findSolvedCounts(reader, ids);
  const preferences = await readPreferences(reader, user_id);
  const forms: Forms = { basePath: site.basePath, antiForgery, from };
  const row = (one: ListedProblem, extra: RowExtra) => {
    const { id, memo } = one;
    const own = { ...marks(id), tries: tries.get(id), solvedBy: solvedBy.get(id), memo, ...extra };
    return problemRow(forms, one, own, preferences);
  };
  return {
    forms,
    isSolved: ({ id }: ListedProblem) => shownState(marks(id)) === 'complete',
    table: (some: readonly ListedProblem[], caption: string, extra?: (one: ListedProblem) => RowExtra): Html =>
      html`
        <table class="rows problems" role="table">
          <caption class="sr">${caption}</caption>
          ${plainHead()}
          <tbody role="rowgroup">${some.map((one) => row(one, extra?.(one) ?? {}))}</tbody>
        </table>`,
  };
}
