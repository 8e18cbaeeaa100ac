/** Problems as a model gets them: what other people wrote stands below `from_others`, short and without unseen signs. */
import type { Static } from 'typebox';
import type { BriefProblem, ListSummary, Problem } from '../../contract/programs/schemas.ts';
import { plainLine } from '../../practice/added-problems.ts';
import { findBookmarks } from '../../store/bookmarks.ts';
import type { Db } from '../../store/tables.ts';

const longest = 200;

/** The tag characters of Unicode repeat ASCII unseen. */
const plain = (text: string) => plainLine(text.replaceAll(/[\u{e0000}-\u{e0fff}]/gu, ''), longest);

type Others = Pick<Static<typeof Problem>, 'title' | 'topics' | 'key' | 'url'>;

const fromOthers = ({ title, topics, key, url }: Others) => ({
  title: plain(title),
  topics: topics.map(plain),
  key: plain(key),
  // A part of an address would lead elsewhere.
  url: url === null || url.length > longest ? null : plain(url),
});

type WithoutNote = Omit<Static<typeof Problem>, 'mark'> & {
  mark: Omit<Static<typeof Problem>['mark'], 'note'>;
};

function withNote(problem: WithoutNote, note: string | null) {
  const { id, judge, rating } = problem;
  const { status, how, origin, starred, updated_at, version } = problem.mark;
  const mark = { status, how, origin, starred, note, updated_at, version };
  return { id, judge: plain(judge), rating, mark, from_others: fromOthers(problem) };
}

export const problemForModel = (problem: Static<typeof Problem>) => withNote(problem, problem.mark.note);

/** The name of a list may come from a file of others. */
export function stateForModel(kind: string, state: object | null): object | null {
  if (kind === 'problem' && state) return problemForModel(state as Static<typeof Problem>);
  if (kind !== 'list' || !state) return state;
  const { name, ...own } = state as Static<typeof ListSummary>;
  return Object.assign(own, { from_others: { name: plain(name) } });
}

/** In the same order. */
export async function problemsForModel(
  db: Db,
  memberId: bigint,
  problems: readonly Static<typeof BriefProblem>[],
) {
  const noted = problems.filter(({ mark }) => mark.has_note).map(({ id }) => BigInt(id));
  const rows = noted.length === 0 ? [] : await findBookmarks(db, memberId, noted);
  const notes = new Map(rows.map(({ problem_id, note }) => [String(problem_id), note]));
  return problems.map((problem) => withNote(problem, notes.get(problem.id) ?? null));
}
