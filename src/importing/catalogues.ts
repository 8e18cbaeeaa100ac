/** Importing a judge's catalogue: new problems are added, known ones get the judge's present values. */
import type { ListedProblem } from '../judges/judge-files.ts';
import { hasProblemsOf } from '../store/problems.ts';
import { keepSolvedCounts } from '../store/solved-counts.ts';
import type { Applying, Sink } from './import.ts';
import { emptyProblem, findByKeys, problemTable } from './problems.ts';
import { settleProblems } from './settled.ts';
import { newIds, upsertBatch } from './upserts.ts';

export function catalogueSink(applying: Applying, source: string): Sink<ListedProblem> {
  const { tx, now, count } = applying;
  const solvedCounts = new Map<bigint, bigint>();
  /** Keys of earlier batches. Only these can be known for a new judge, which saves most look-ups. */
  const seen = new Set<string>();
  let isNewJudge: boolean | undefined;
  let hasNew = false;
  return {
    take: async (entries) => {
      const batch = upsertBatch(
        applying,
        problemTable(applying, (_source, key) => key),
      );
      const keys = entries.map(({ value }) => value.source_key);
      isNewJudge ??= !(await hasProblemsOf(tx, source));
      batch.hold(await findByKeys(tx, source, isNewJudge ? keys.filter((key) => seen.has(key)) : keys));
      for (const key of keys) seen.add(key);
      const isNew = ({ source_key, title }: ListedProblem) => title !== undefined && !batch.find(source_key);
      const newId = newIds(tx, 'problems', () => entries.filter(({ value }) => isNew(value)).length);
      for (const { value } of entries) {
        const { solvedBy, ...listed } = value;
        const { source_key: key } = listed;
        const found = batch.find(key);
        const line = () => `${source} ${key} ${listed.title ?? ''}`.trimEnd();
        if (found) {
          if (solvedBy !== undefined && found.row.source_key === key)
            solvedCounts.set(found.row.id, solvedBy);
          // An alias is listed under its own points and tags; the problem keeps those of its own key.
          await batch.change(found, found.row.source_key === key ? listed : {}, line);
        } else if (isNew(listed)) {
          hasNew = true;
          const id = await newId();
          if (solvedBy !== undefined) solvedCounts.set(id, solvedBy);
          batch.add({ ...emptyProblem(id, now), source, ...listed }, line);
        } else {
          count('unmatched', () => `${line()}: no such problem; import the catalogue first`);
        }
      }
      await batch.finish();
    },
    finish: async () => {
      const rows = [...solvedCounts].map(([problem_id, solved_by]) => ({ problem_id, solved_by }));
      if ((await keepSolvedCounts(tx, rows)) > 0n) applying.wrote();
      if (hasNew) await settleProblems(applying, [source]);
    },
  };
}
