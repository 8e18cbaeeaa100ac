/**
 * How many people solved a problem at its judge, by the judge's own count. The counts stand apart from the problems, because they
 * change every day and the interface does not show them: none of its entity tags follows them.
 */
import { insertMany, runForMany } from './bulk.ts';
import type { Db, Tables } from './tables.ts';

type SolvedCount = Tables['solved_counts'];

/** The counts of those of these problems that have one. */
export async function findSolvedCounts(db: Db, problemIds: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const rows = await runForMany(db, 'findSolvedCounts', [], problemIds, (some) =>
    db.selectFrom('solved_counts').selectAll().where('problem_id', 'in', some),
  );
  return new Map(rows.map(({ problem_id, solved_by }) => [problem_id, solved_by]));
}

/** Keeps the counts of these problems, each once, and answers how many are new or another number now. */
export async function keepSolvedCounts(tx: Db, counts: readonly SolvedCount[]): Promise<bigint> {
  return insertMany(tx, 'solved_counts', counts, (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .column('problem_id')
        .doUpdateSet(({ ref }) => ({ solved_by: ref('excluded.solved_by') }))
        .whereRef('solved_counts.solved_by', '<>', 'excluded.solved_by' as 'solved_by'),
    ),
  );
}
