/** Problems as a model gets them: what other people wrote stands below `from_others`, short and without unseen signs. */
import { plainLine } from '../../practice/added-problems.ts';
import { findProblemsByIds } from '../../store/problems.ts';
import type { Db } from '../../store/tables.ts';
import { getProblem } from '../context.ts';
import { type MarkedProblem, problemOf, readMarks } from '../representations.ts';

const longest = 200;

/** The tag characters of Unicode repeat ASCII unseen. */
const plain = (text: string) => plainLine(text.replaceAll(/[\u{e0000}-\u{e0fff}]/gu, ''), longest);

function fromOthers({ title, topics, key, url }: Others) {
  const isWhole = url !== null && url.length <= longest;
  return {
    title: plain(title),
    topics: topics.map(plain),
    key: plain(key),
    // A part of an address would lead elsewhere.
    url: isWhole ? plain(url) : null,
  };
}

interface Others {
  title: string;
  topics: readonly string[];
  key: string;
  url: string | null;
}

function forModel(marked: MarkedProblem) {
  const problem = problemOf(marked);
  const { id, judge, rating } = problem;
  const { status, how, origin, starred, note, updated_at, version } = problem.mark;
  const mark = { status, how, origin, starred, note, updated_at, version };
  return { id, judge: plain(judge), rating, mark, from_others: fromOthers(problem) };
}

export type ProblemForModel = ReturnType<typeof forModel>;

/** In the order of the ids; those that are gone meanwhile are left out. */
export async function problemsForModel(
  db: Db,
  memberId: bigint,
  ids: readonly string[],
): Promise<Map<string, ProblemForModel>> {
  const rows = ids.length === 0 ? [] : await findProblemsByIds(db, ids.map(BigInt));
  const marked = await readMarks(db, memberId, rows);
  return new Map(marked.map((one) => [String(one.problem.id), forModel(one)]));
}

/** Throws unknownItem. */
export async function problemForModel(db: Db, memberId: bigint, id: bigint): Promise<ProblemForModel> {
  const [marked] = await readMarks(db, memberId, [await getProblem(db, id)]);
  if (!marked) throw new Error('a problem without a row of marks');
  return forModel(marked);
}
