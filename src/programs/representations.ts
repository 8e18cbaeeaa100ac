/** Problems and marks as programs get them. */
import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import type { BriefMark, BriefProblem, Mark, Problem, ProgramStatus } from '../contract/programs/schemas.ts';
import { websiteStatus } from '../contract/statuses.ts';
import { documentedError } from '../errors.ts';
import { statesByProgress } from '../practice/derivation.ts';
import { languageOf } from '../practice/solutions.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import { findMark, findMarkedProblem, type Marked, type MarkedProblem } from '../store/marked-problems.ts';
import { listFromJson, type ProblemRow } from '../store/problems.ts';
import type { SolutionRow } from '../store/solutions.ts';
import { findStatuses, type State, shownStateOf } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';

export async function readMarks(
  db: Db,
  memberId: bigint,
  problems: readonly ProblemRow[],
): Promise<MarkedProblem[]> {
  const ids = problems.map(({ id }) => id);
  if (ids.length === 0) return [];
  const statuses = new Map((await findStatuses(db, memberId, ids)).map((row) => [row.problem_id, row]));
  const bookmarks = new Map((await findBookmarks(db, memberId, ids)).map((row) => [row.problem_id, row]));
  return problems.map((problem) => {
    return { problem, status: statuses.get(problem.id), bookmark: bookmarks.get(problem.id) };
  });
}

/** The returned function throws unknownItem. */
const orUnknown =
  <M>(find: (db: Db, memberId: bigint, problemId: bigint) => Promise<M | undefined>) =>
  async (db: Db, memberId: bigint, problemId: bigint): Promise<M> => {
    const marked = await find(db, memberId, problemId);
    if (!marked) throw documentedError('unknownItem', 'problem', problemId);
    return marked;
  };

export const readMark = orUnknown(findMark);
export const readMarkedProblem = orUnknown(findMarkedProblem);

const statesByWord = new Map(statesByProgress.map((state) => [websiteStatus(state), state]));

const statusWord = (state: State) => websiteStatus(state) as ProgramStatus;

export const stateOfWord = (word: ProgramStatus | undefined): State | undefined =>
  word === undefined ? undefined : statesByWord.get(word);

/** Whether the member or a judge said anything about it. */
export function isMarked({ status, bookmark }: Marked): boolean {
  return (
    shownStateOf(status) !== 'not_started' || bookmark?.is_starred === 1n || (bookmark?.note ?? null) !== null
  );
}

/** Changes with the mark, and with the problem, so that a tag never stands for an old title. */
export function versionOf({ problem, status, bookmark }: Marked): string {
  const { self_status, self_at, judge_status, judge_at, how } = status ?? {};
  const { is_starred, updated_at, note } = bookmark ?? {};
  const ofStatus = [self_status, self_at, judge_status, judge_at, how];
  const parts = [problem.id, problem.updated_at, ...ofStatus, is_starred, updated_at, note];
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
}

function sharedMark(marked: Marked) {
  const { problem, status, bookmark } = marked;
  const isOwn = (status?.self_status ?? null) !== null;
  const hasStatus = isOwn || (status?.judge_status ?? null) !== null;
  const statusAt = (isOwn ? status?.self_at : status?.judge_at) ?? '';
  const bookmarkAt =
    bookmark && (bookmark.is_starred === 1n || bookmark.note !== null) ? bookmark.updated_at : '';
  return {
    problem: String(problem.id),
    status: statusWord(shownStateOf(status)),
    how: status?.how ?? null,
    origin: hasStatus ? (isOwn ? ('self' as const) : ('judge' as const)) : null,
    starred: bookmark?.is_starred === 1n,
    updated_at: (statusAt > bookmarkAt ? statusAt : bookmarkAt) || null,
    version: versionOf(marked),
  };
}

export const markOf = (marked: Marked): Static<typeof Mark> => ({
  ...sharedMark(marked),
  note: marked.bookmark?.note ?? null,
});

const briefMarkOf = (marked: Marked): Static<typeof BriefMark> => ({
  ...sharedMark(marked),
  has_note: (marked.bookmark?.note ?? null) !== null,
});

function withoutMark({ problem }: MarkedProblem) {
  const { id, title, url, source, source_key, rating, tags, aliases } = problem;
  return {
    id: String(id),
    title,
    url,
    judge: source,
    key: source_key,
    rating: rating === null ? null : Number(rating),
    topics: listFromJson(tags),
    aliases: listFromJson(aliases),
  };
}

export const problemOf = (marked: MarkedProblem): Static<typeof Problem> => ({
  ...withoutMark(marked),
  mark: markOf(marked),
});

export const briefProblemOf = (marked: MarkedProblem): Static<typeof BriefProblem> => ({
  ...withoutMark(marked),
  mark: briefMarkOf(marked),
});

/** Without the code itself. */
export function solutionOf(row: SolutionRow) {
  const { id, problem_id, file, about, submission, bytes, sha256, added_at } = row;
  const ids = { id: String(id), problem: String(problem_id) };
  const language = languageOf(row) ?? null;
  return { ...ids, file, language, about, submission, bytes: Number(bytes), sha256, added_at };
}
