/** How long problems take: two numbers of a model for each problem of a judge that publishes one. */
import { preparedForMany, upsertInto } from './bulk.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    time_models: TimeModelsTable;
  }
}

/** A problem takes people exp(slope × rating + intercept) seconds. Both are in billionths. */
export interface TimeModelsTable {
  problem_id: bigint;
  slope: bigint;
  intercept: bigint;
}

type Model = Omit<TimeModelsTable, 'problem_id'>;

export const listTimeModels = preparedForMany((db, problemIds: readonly bigint[]) =>
  db.selectFrom('time_models').selectAll().where('problem_id', 'in', problemIds),
);

const upsertModels = upsertInto('time_models', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .column('problem_id')
      .doUpdateSet(({ ref }) => ({ slope: ref('excluded.slope'), intercept: ref('excluded.intercept') }))
      .where(({ or, eb, ref }) =>
        or([
          eb('time_models.slope', '<>', ref('excluded.slope')),
          eb('time_models.intercept', '<>', ref('excluded.intercept')),
        ]),
      ),
  ),
);

export async function upsertTimeModels(tx: Db, models: ReadonlyMap<bigint, Model | null>): Promise<bigint> {
  const rows = [...models].flatMap(([problem_id, model]) => (model ? { problem_id, ...model } : []));
  const removed = new Set([...models].flatMap(([id, model]) => (model ? [] : id)));
  const written = await upsertModels(tx, rows);
  if (removed.size === 0) return written;
  const existing = await tx.selectFrom('time_models').select('problem_id').execute();
  const stale = existing.flatMap(({ problem_id }) => (removed.has(problem_id) ? problem_id : []));
  for (const id of stale) await tx.deleteFrom('time_models').where('problem_id', '=', id).execute();
  return written + BigInt(stale.length);
}
