/** Importing kept submissions in our own form, as an archive has them; `submissions.ts` reads the files of judges. */
import { badRow } from '../files/entries.ts';
import { textOf } from '../judges/fields.ts';
import { settleSubmissions } from '../practice/settling.ts';
import { following, judgesWords } from '../practice/solves.ts';
import type { Word } from '../practice/states.ts';
import { fold } from '../store/case-folding.ts';
import { findHandleByName, noteBrought } from '../store/handles.ts';
import type { HandlesTable, SolvesTable } from '../store/judged-tables.ts';
import type { Applying, Sink } from './import.ts';
import { keepSolves, ruledAt } from './kept-submissions.ts';
import { findByKeys, keyName } from './problems.ts';
import { type GivenMember, memberReferences } from './references.ts';

type GivenSolve = GivenMember &
  Partial<Omit<SolvesTable, 'handle_id' | 'problem_id'>> & { source?: string; handle?: string };

/** Longer texts than these no judge has; an index holds some of them. */
const longestKey = 100;

export function ownSubmissionSink(applying: Applying): Sink<GivenSolve> {
  const { tx, now, each, count } = applying;
  const handles = new Map<string, HandlesTable>();
  /** The problems of all keys that were looked up; null where there is none. */
  const problems = new Map<string, bigint | null>();
  /** The problems of each member on which the judge's word may have changed. */
  const touched = new Map<bigint, Set<bigint>>();
  /** The statuses that submissions gave these problems before this import. */
  const before = new Map<bigint, Map<bigint, Word>>();

  const seen = new Map<bigint, Set<bigint>>();

  async function handleOf(userId: bigint, { source = '', handle = '', username }: GivenSolve) {
    const name = [userId, source, fold(handle)].join('\0');
    const found = handles.get(name) ?? (await findHandleByName(tx, userId, source, handle));
    if (!found)
      throw badRow(
        `${username} has no handle ${JSON.stringify(handle.slice(0, 50))} at ${source.slice(0, 50)}; import handles first.`,
      );
    handles.set(name, found);
    return found;
  }

  async function noteBefore(userId: bigint, solves: readonly SolvesTable[]): Promise<void> {
    const known = seen.get(userId) ?? new Set();
    const ids = solves.flatMap(({ problem_id }) => problem_id ?? []).filter((id) => !known.has(id));
    for (const id of ids) known.add(id);
    seen.set(userId, known);
    const said = before.get(userId) ?? new Map();
    for (const [id, word] of await judgesWords(tx, userId, [...new Set(ids)])) said.set(id, word);
    before.set(userId, said);
  }

  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      for (const [source, some] of Map.groupBy(entries, ({ value }) => value.source)) {
        if (source === undefined) continue;
        const keys = new Set(some.map(({ value }) => value.key).filter((key) => key !== undefined));
        const unknown = [...keys].filter((key) => !problems.has(keyName(source, key)));
        for (const key of unknown) problems.set(keyName(source, key), null);
        for (const row of await findByKeys(tx, source, unknown))
          problems.set(keyName(source, row.key), row.id);
      }
      const rows = await each(entries, async (given) => {
        const userId = memberOf(given);
        const { id: handle_id, source } = await handleOf(userId, given);
        const solve = solveOf(given);
        const problem_id = problems.get(keyName(source, solve.key)) ?? null;
        return { userId, source, solve: { handle_id, ...solve, problem_id } };
      });
      for (const [handleId, some] of Map.groupBy(rows, ({ value }) => value.solve.handle_id)) {
        const solves = some.map(({ value }) => value.solve);
        await noteBefore(some[0]?.value.userId ?? 0n, solves);
        const { added, changed } = await keepSolves(tx, ruledAt(some[0]?.value.source ?? ''), solves);
        if (added.length + changed.length > 0) await noteBrought(tx, handleId, now);
        const userId = some[0]?.value.userId ?? 0n;
        const ids = touched.get(userId) ?? new Set();
        touched.set(userId, ids);
        for (const { problem_id } of [...added, ...changed]) if (problem_id !== null) ids.add(problem_id);
        const line = (solve: SolvesTable) => () => `submission ${solve.submission_id} to ${solve.key}`;
        for (const solve of added) count('new', line(solve));
        for (const solve of changed) count('changed', line(solve));
        const written = new Set([...added, ...changed].map(({ submission_id }) => submission_id));
        for (const solve of solves) if (!written.has(solve.submission_id)) count('kept', line(solve));
      }
    },
    finish: async () => {
      for (const [userId, ids] of touched) {
        await settleSubmissions(tx, userId, [...ids], (current, said, id) =>
          following(current, before.get(userId)?.get(id), said),
        );
      }
    },
  };
}

function solveOf(given: GivenSolve): Omit<SolvesTable, 'handle_id' | 'problem_id'> {
  const { verdict_class, submitted_at } = given;
  if (verdict_class === undefined || submitted_at === undefined)
    throw badRow('verdict_class and submitted_at are needed.');
  const orNull = (name: 'verdict' | 'contest' | 'language') =>
    (given[name] ?? null) === null ? null : textOf(given[name], name, longestKey);
  return {
    submission_id: textOf(given.submission_id, 'submission_id', longestKey),
    key: textOf(given.key, 'key', longestKey),
    verdict_class,
    verdict: orNull('verdict'),
    submitted_at,
    contest: orNull('contest'),
    participation: given.participation ?? null,
    language: orNull('language'),
    way: given.way ?? 'file',
  };
}
