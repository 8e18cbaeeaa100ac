/** listLists, readList, createList, replaceList and addToList: the member's own lists. */
import { AppError, documentedError, invalidValue, localizedError } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { listFileOf } from '../importing/list-file.ts';
import { readListFile } from '../importing/list-text.ts';
import { isLinkedProblem, resolveLinks, toNewSections } from '../importing/lists.ts';
import { addProblems } from '../practice/added-problems.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { digestOfList, replaceList as replaceContent } from '../practice/list-versions.ts';
import { changeContent, idsIn, limitsOf, makeList, withProblemIn } from '../practice/lists.ts';
import {
  findOwnList,
  findVisibleList,
  type ListsTable,
  listListsById,
  readContent,
  type ShownList,
} from '../store/lists.ts';
import type { Db } from '../store/tables.ts';
import { getProblem, type Input, type Reader, type Writer } from './context.ts';
import { readPage } from './pages.ts';
import { addressedProblem } from './problems.ts';
import type { RecordPart } from './writes.ts';

export const listLists: Reader<'listLists'> = async (db, { actor, query }) => {
  const { items, next } = await readPage('listLists', actor, query, (slice) =>
    listListsById(db, actor.memberId, slice),
  );
  return { body: { items: items.map(listOf), next } };
};

export const listOf = ({ id, name, visibility, problems, solved, updated_at, version }: ShownList) => ({
  id: String(id),
  name,
  visibility,
  problems: Number(problems),
  solved: Number(solved),
  updated_at,
  version: String(version),
});

export const readList: Reader<'readList'> = async (db, { programs, actor, id }) => {
  const list = await findVisibleList(db, id, actor.memberId);
  if (list?.owner_id !== actor.memberId) throw documentedError('unknownItem', 'list', id);
  const file = await listFileOf(db, list, await listJudgeAddresses(db, programs.judgeUrls));
  return { body: file, version: String(list.version) };
};

export const createList: Writer<'createList'> = async (tx, input, record) => {
  const { actor, conditions } = input;
  assertConditions(conditions, undefined, false);
  const { added, ...whole } = await readWholeList(tx, input, record);
  const id = await makeList(tx, { ownerId: actor.memberId, ...whole });
  const list = await getOwnList(tx, id, actor.memberId);
  record({ kind: 'list', part_id: id, after: await digestOfList(tx, list) });
  const version = String(list.version);
  return { body: { id: String(id), version, added }, version, location: `/lists/${id}` };
};

export const replaceList: Writer<'replaceList'> = async (tx, input, record) => {
  const { actor, id, conditions } = input;
  const list = await getOwnList(tx, id, actor.memberId);
  if (conditions.ifMatch === undefined)
    throw new AppError('versionRequired', 'Read the list, and send its ETag as If-Match.');
  assertConditions(conditions, String(list.version));
  const { added, ...whole } = await readWholeList(tx, input, record);
  const texts = await replaceContent(tx, list, whole);
  if (texts) record(Object.assign({ kind: 'content' as const, part_id: id }, texts));
  const version = String((await getOwnList(tx, id, actor.memberId)).version);
  return { body: { id: String(id), version, added }, version };
};

/** Throws unknownItem. */
async function getOwnList(db: Db, id: bigint, memberId: bigint): Promise<ListsTable> {
  const list = await findOwnList(db, id, memberId);
  if (!list) throw documentedError('unknownItem', 'list', id);
  return list;
}

type ListBody = Pick<Input<'createList'>, 'programs' | 'actor' | 'body'>;

/** Adds what is not here. Throws invalidValue, because nothing that a program sends is left out or guessed. */
async function readWholeList(tx: Db, { programs, actor, body }: ListBody, record: RecordPart) {
  const { sections = [] } = body;
  const { title, extras, sections: found } = readListFile(body);
  assertSizes(sections, limitsOf(found));
  const judgeAddresses = await listJudgeAddresses(tx, programs.judgeUrls);
  const resolved = await resolveLinks(tx, found, judgeAddresses);
  const linked = resolved.sections
    .flatMap(({ items }) => items.map(({ problem }) => problem))
    .filter(isLinkedProblem);
  const wrong = resolved.unmatched[0]?.address ?? linked.find(({ isDoubtful }) => isDoubtful)?.url;
  if (wrong !== undefined)
    throw invalidValue(
      `${JSON.stringify(wrong.slice(0, 200))} is no address of a problem; nothing was changed.`,
    );
  const added = await addProblems(tx, actor.memberId, linked, programs.addLimits);
  const newIds = new Set(added.filter(({ isNew }) => isNew).map(({ id }) => id));
  for (const id of newIds) record({ kind: 'problem', part_id: id });
  const ids = added.values();
  const content = toNewSections(resolved).map(({ items, ...section }) => ({
    ...section,
    items: items.map(({ problem, ...item }) => {
      return { ...item, problem: typeof problem === 'bigint' ? problem : (ids.next().value?.id ?? 0n) };
    }),
  }));
  return { name: title, extras, content, added: newIds.size };
}

/** Throws invalidValue. */
function assertSizes(
  sections: NonNullable<ListBody['body']['sections']>,
  most: ReturnType<typeof limitsOf>,
): void {
  const all = sections.flatMap(({ problems = [] }) => problems);
  if (sections.length > most.sections)
    throw localizedError('invalidValue.listSections', { most: most.sections, count: sections.length });
  if (all.length > most.problems)
    throw localizedError('invalidValue.listProblems', { most: most.problems, count: all.length });
  const at = all.findIndex(({ url, source, key }) => !/^https?:\/\//i.test(url ?? '') && !(source && key));
  if (at >= 0)
    throw invalidValue(`Problem ${at + 1} of the list needs an http address, or "source" and "key".`);
}

export const addToList: Writer<'addToList'> = async (tx, input, record) => {
  const { actor, id, body, conditions } = input;
  const list = await getOwnList(tx, id, actor.memberId);
  assertConditions(conditions, String(list.version));
  const problem = await findOrAdd(tx, input);
  if (problem.isNew) record({ kind: 'problem', part_id: problem.id });
  if (!idsIn(await readContent(tx, id)).has(problem.id)) {
    await changeContent(tx, list, (content) => withProblemIn(content, problem.id, body));
    record({ kind: 'item', part_id: id, before: String(problem.id) });
  }
  const version = String((await getOwnList(tx, id, actor.memberId)).version);
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
