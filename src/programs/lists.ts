/** listLists and addToList: the member's own lists. */
import { documentedError, invalidValue } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { addProblems } from '../practice/added-problems.ts';
import { changeContent, idsIn, withProblemIn } from '../practice/lists.ts';
import { findOwnList, listListsById, readContent, type ShownList } from '../store/lists.ts';
import type { Db } from '../store/tables.ts';
import { getProblem, type Input, type Reader, type Writer } from './context.ts';
import { readPage } from './pages.ts';
import { addressedProblem } from './problems.ts';

export const listLists: Reader<'listLists'> = async (db, { actor, query }) => {
  const { items, next } = await readPage('listLists', query, (slice) =>
    listListsById(db, actor.memberId, slice),
  );
  return { body: { items: items.map(listSummaryOf), next } };
};

export function listSummaryOf({ id, name, visibility, problems, solved, updated_at, version }: ShownList) {
  return {
    id: String(id),
    name,
    visibility,
    problems: Number(problems),
    solved: Number(solved),
    updated_at,
    version: String(version),
  };
}

export const addToList: Writer<'addToList'> = async (tx, input, record) => {
  const { actor, id, body, conditions } = input;
  const list = await findOwnList(tx, id, actor.memberId);
  if (!list) throw documentedError('unknownItem', 'list', id);
  assertConditions(conditions, String(list.version));
  const problem = await findOrAdd(tx, input);
  if (problem.isNew) record({ kind: 'problem', part_id: problem.id });
  if (!idsIn(await readContent(tx, id)).has(problem.id)) {
    await changeContent(tx, list, (content) => withProblemIn(content, problem.id, body));
    record({ kind: 'item', part_id: id, before: String(problem.id) });
  }
  const version = String((await findOwnList(tx, id, actor.memberId))?.version ?? list.version);
  return { body: { id: String(id), version, problem: String(problem.id), added: problem.isNew }, version };
};

/** Throws invalidValue, also beyond the limits of the member, and unknownItem. */
async function findOrAdd(tx: Db, { programs, actor, body: { problem, url } }: Input<'addToList'>) {
  if (problem !== undefined && url === undefined)
    return { id: (await getProblem(tx, BigInt(problem))).id, isNew: false };
  if (url === undefined || problem !== undefined) throw invalidValue('Send either "problem" or "url".');
  const [added] = await addProblems(
    tx,
    actor.memberId,
    [await addressedProblem(tx, programs, url)],
    programs.addLimits,
  );
  return added ?? { id: 0n, isNew: false };
}
