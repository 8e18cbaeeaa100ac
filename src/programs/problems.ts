/** findProblems, readProblem and addProblem: the catalogue with the marks of the member. */
import { AppError } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { parseProblemAddress } from '../judges/addresses.ts';
import { findStoredProblems, parseTopics, plainTitle } from '../practice/added-problems.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { problemListing } from '../store/problem-lists.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { Input, Programs, Reader, Writer } from './context.ts';
import { addByProgram } from './marking.ts';
import { byId, readPage } from './pages.ts';
import { briefProblemOf, problemOf, readMarkedProblem, readMarks, stateOfWord } from './representations.ts';

export const findProblems: Reader<'findProblems'> = async (db, input) => {
  const { actor, query } = input;
  const { items, next } =
    query.url === undefined ? await listMatching(input) : await findAt(db, input, query.url);
  return { body: { items: (await readMarks(db, actor.memberId, items)).map(briefProblemOf), next } };
};

interface ProblemRows {
  items: readonly ProblemRow[];
  next: string | null;
}

/** Throws malformedCursor. */
async function listMatching({ programs, actor, query, signal }: Input<'findProblems'>): Promise<ProblemRows> {
  const listing = problemListing({
    source: query.judge,
    tags: query.topic === undefined ? undefined : [query.topic],
    ratingMin: query.rating_min,
    ratingMax: query.rating_max,
    q: query.q,
    memberId: actor.memberId,
    status: stateOfWord(query.status),
    isBookmarked: query.starred,
  });
  const { reader, longReader } = programs.store;
  const db = listing.hasNoFilter ? reader : longReader;
  return readPage('findProblems', actor, query, ({ after, limit }) =>
    listing.list(db, {
      keys: byId,
      after: after === undefined ? undefined : [after],
      limit,
      signal: signal?.(),
    }),
  );
}

/** Throws invalidValue for an address of no problem, and malformedParameter. */
async function findAt(db: Db, { programs, query }: Input<'findProblems'>, url: string): Promise<ProblemRows> {
  const others = Object.keys(query).filter((name) => name !== 'url' && name !== 'limit');
  if (others.length > 0)
    throw new AppError(
      'malformedParameter',
      `The parameter "url" names one problem; send it without "${others[0]}".`,
    );
  const address = await addressedProblem(db, programs, url);
  return { items: [...(await findStoredProblems(db, [address])).values()], next: null };
}

export async function addressedProblem(
  db: Db,
  { judgeUrls }: Pick<Programs, 'judgeUrls'>,
  url: string,
  title?: string,
) {
  return parseProblemAddress(url, await listJudgeAddresses(db, judgeUrls), title);
}

export const readProblem: Reader<'readProblem'> = async (db, { actor, id }) => {
  const body = problemOf(await readMarkedProblem(db, actor.memberId, id));
  return { body, version: body.mark.version };
};

export const addProblem: Writer<'addProblem'> = async (tx, { programs, actor, body, conditions }, record) => {
  const { url = '', title, topics = [], list, status, how, add_note } = body;
  assertConditions(conditions, undefined, false);
  const address = await addressedProblem(tx, programs, url, title);
  const problem = Object.assign(address, {
    title: title === undefined ? undefined : plainTitle(title),
    topics: parseTopics(topics.map((topic) => topic.replaceAll(',', ' ')).join(',')),
  });
  const added = { problem, list, status: stateOfWord(status), how, addedNote: add_note };
  const { id, isNew } = await addByProgram(tx, actor.memberId, added, programs.addLimits, record);
  const stored = problemOf(await readMarkedProblem(tx, actor.memberId, id));
  return {
    body: { added: isNew, problem: stored },
    version: stored.mark.version,
    location: isNew ? `/problems/${id}` : undefined,
  };
};
