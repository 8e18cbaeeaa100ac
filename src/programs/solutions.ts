/** listSolutions, readSolution and addSolution: own code with a problem, which nobody but its member reads. */

import { documentedError } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { addSolution as addCode, codeOf, textOfCode } from '../practice/solutions.ts';
import { findSolution, listSolutionsOf } from '../store/solutions.ts';
import { getProblem, type Reader, type Writer } from './context.ts';
import { readPage } from './pages.ts';
import { solutionOf } from './representations.ts';

export const listSolutions: Reader<'listSolutions'> = async (db, { actor, id, query }) => {
  const problem = await getProblem(db, id);
  const { items, next } = await readPage('listSolutions', actor, query, async ({ after, limit }) => {
    const all = await listSolutionsOf(db, { userId: actor.memberId, problemId: problem.id });
    return all.filter((one) => after === undefined || one.id > after).slice(0, limit);
  });
  return { body: { items: items.map(solutionOf), next } };
};

export const readSolution: Reader<'readSolution'> = async (db, { actor, id, subId }) => {
  const row = await findSolution(db, actor.memberId, subId);
  if (row?.problem_id !== id) throw documentedError('unknownItem', 'solution', subId);
  return { body: Object.assign(solutionOf(row), { code: textOfCode(codeOf(row)) }) };
};

export const addSolution: Writer<'addSolution'> = async (tx, { actor, id, body, conditions }, record) => {
  const problem = await getProblem(tx, id);
  assertConditions(conditions, undefined, false);
  const { file = '', code = '', about, submission } = body;
  const added = { problem: problem.id, file, code: Buffer.from(code), about, submission };
  const { solution, isNew } = await addCode(tx, actor.memberId, added);
  if (isNew) record({ kind: 'solution', part_id: solution.id, before: String(problem.id) });
  return {
    body: { solution: solutionOf(solution) },
    location: isNew ? `/solutions/${problem.id}/${solution.id}` : undefined,
  };
};
