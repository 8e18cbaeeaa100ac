/** Importing a judge's catalogue: new problems are added, known ones get the judge's present values. */

import type { ListedProblem, TimeModel } from '../judges/judge.ts';
import { giveIds } from '../store/ids.ts';
import { emptyProblem, keepSolvedCounts, listOf, type ProblemRow } from '../store/problems.ts';
import { hasNamed } from '../store/removed-problems.ts';
import { keepTimeModels } from '../store/time-models.ts';
import type { Applying, Sink } from './import.ts';
import { findByNames, problemTable, settleProblems } from './problems.ts';
import { type HeldRow, rowBatch } from './rows.ts';
import { mergeProblems } from './twins.ts';

export function catalogueSink(applying: Applying, source: string): Sink<ListedProblem> {
  const { tx, now, count } = applying;
  const solvedCounts = new Map<bigint, bigint>();
  const timeModels = new Map<bigint, TimeModel | null>();
  /** Keys of earlier batches. Only these can be known for a new judge, which saves most look-ups. */
  const seen = new Set<string>();
  /** Pairs of a key and another key of the same problem, which two rows have. */
  const split: [key: string, other: string][] = [];
  let isNewJudge: boolean | undefined;
  let hasNew = false;

  /** The values of a known problem, with those of its other keys that no other row has. */
  function valuesOf({ columns, otherKeys = [] }: ListedProblem, { row }: HeldRow<ProblemRow>, taken: Taken) {
    const key = columns.source_key;
    // An alias is listed under its own points and tags; the problem keeps those of its own key.
    if (row.source_key !== key && !otherKeys.includes(row.source_key)) return {};
    const names = new Set([...listOf(row.aliases), row.source_key]);
    for (const other of otherKeys) {
      const owner = taken(other);
      if (!owner || owner === row) names.add(other);
      else split.push([key, other]);
    }
    names.delete(key);
    return otherKeys.length === 0 ? columns : { ...columns, aliases: JSON.stringify([...names].toSorted()) };
  }

  return {
    take: async (entries) => {
      const batch = rowBatch(
        applying,
        problemTable(applying, (_source, key) => key),
      );
      const keys = entries.flatMap(({ value }) => [value.columns.source_key, ...(value.otherKeys ?? [])]);
      isNewJudge ??= !(await hasNamed(tx, source));
      const known = await findByNames(
        applying,
        source,
        isNewJudge ? keys.filter((key) => seen.has(key)) : keys,
      );
      for (const key of keys) seen.add(key);
      batch.hold(known.filter((row) => row.source === source));
      // Staff merged these into problems of other sites, which keep what their own site says.
      const merged = new Set(known.filter((row) => row.source !== source).map(({ key }) => key));
      const find = ({ columns, otherKeys = [] }: ListedProblem) =>
        [columns.source_key, ...otherKeys].map((key) => batch.find(key)).find((found) => found !== undefined);
      const isNew = (listed: ListedProblem) =>
        listed.columns.title !== undefined && !find(listed) && !merged.has(listed.columns.source_key);
      const newOnes = entries.filter(({ value }) => isNew(value)).length;
      const ids = (await giveIds(tx, 'problems', newOnes)).values();
      for (const { value } of entries) {
        const { columns, solvedBy, otherKeys, timeModel } = value;
        const { source_key: key, title = '' } = columns;
        const found = find(value);
        const line = () => `${source} ${key} ${title}`.trimEnd();
        if (found) {
          await batch.change(
            found,
            valuesOf(value, found, (other) => batch.find(other)?.row),
            line,
          );
          if (found.row.source_key === key) {
            if (solvedBy !== undefined) solvedCounts.set(found.row.id, solvedBy);
            if (timeModel !== undefined) timeModels.set(found.row.id, timeModel);
          }
        } else if (merged.has(key)) count('kept', line);
        else if (isNew(value)) {
          hasNew = true;
          const row = { ...emptyProblem(ids.next().value as bigint, now), source, ...columns };
          if (otherKeys) row.aliases = JSON.stringify(otherKeys);
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
      if ((await keepTimeModels(tx, timeModels)) > 0n) applying.wrote();
      for (const keys of split) await mergeProblems(applying, source, keys);
      if (hasNew || split.length > 0) await settleProblems(applying, [source]);
    },
  };
}

/** The row that has a key. */
type Taken = (key: string) => ProblemRow | undefined;
