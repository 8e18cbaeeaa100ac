/** Importing a judge's catalogue: new problems are added, known ones get the judge's present values. */
import type { ListedProblem } from '../judges/judge-files.ts';
import { giveIds } from '../store/ids.ts';
import { hasProblemsOf } from '../store/problems.ts';
import { keepSolvedCounts } from '../store/solved-counts.ts';
import type { Applying, Sink } from './import.ts';
import { emptyProblem, findByKeys, problemTable } from './problems.ts';
import { settleProblems } from './settled.ts';
import { upsertBatch } from './upserts.ts';

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
      const keys = entries.map(({ value }) => value.columns.source_key);
      isNewJudge ??= !(await hasProblemsOf(tx, source));
      batch.hold(await findByKeys(tx, source, isNewJudge ? keys.filter((key) => seen.has(key)) : keys));
      for (const key of keys) seen.add(key);
      const isNew = ({ columns: { source_key, title } }: ListedProblem) =>
        title !== undefined && !batch.find(source_key);
      const newOnes = entries.filter(({ value }) => isNew(value)).length;
      const ids = (await giveIds(tx, 'problems', newOnes)).values();
      for (const { value } of entries) {
        const { columns, solvedBy } = value;
        const { source_key: key, title = '' } = columns;
        const found = batch.find(key);
        const line = () => `${source} ${key} ${title}`.trimEnd();
        if (found) {
          if (solvedBy !== undefined && found.row.source_key === key)
            solvedCounts.set(found.row.id, solvedBy);
          // An alias is listed under its own points and tags; the problem keeps those of its own key.
          await batch.change(found, found.row.source_key === key ? columns : {}, line);
        } else if (isNew(value)) {
          hasNew = true;
          const row = { ...emptyProblem(ids.next().value as bigint, now), source, ...columns };
          if (solvedBy !== undefined) solvedCounts.set(row.id, solvedBy);
          batch.add(row, line);
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
