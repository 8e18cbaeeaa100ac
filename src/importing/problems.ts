/** Importing problems in our own form: by id, or by the judge's key where no id is given. */
import { badRow } from '../files/entries.ts';
import { listOf } from '../store/problem-names.ts';
import {
  adoptProblems,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import { emptyRow, problemKinds } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import { idName, idsOf, newIds, type Upsert, type UpsertBatch, upsertBatch } from './upserts.ts';

/** A batch of problems, found by id and by every key. */
export interface ProblemBatch extends UpsertBatch<ProblemRow> {
  holdIds(ids: readonly bigint[]): Promise<void>;
  holdKeys(source: string, keys: readonly string[]): Promise<void>;
}

export function problemBatch(applying: Applying): ProblemBatch {
  const { tx } = applying;
  const batch = upsertBatch<ProblemRow>(applying, {
    namesOf: (row) => [idName(row.id), ...keysOf(row).map((key) => keyName(row.source, key))],
    insert: (_tx, rows) => insertProblems(tx, rows, false),
    update: (_tx, after, before) => updateProblem(tx, before, after),
    changed: () => applying.changed('problems'),
  });
  const asked = new Set<string>();
  const hold = async (rows: readonly (ProblemRow & { is_sample: bigint })[]) => {
    batch.hold(rows);
    await adoptProblems(tx, rows);
  };
  return {
    ...batch,
    holdIds: async (ids) => hold(await findProblemsByIds(tx, ids)),
    holdKeys: async (source, keys) => {
      const unknown = keys.filter((key) => {
        const name = keyName(source, key);
        return !asked.has(name) && asked.add(name);
      });
      if (unknown.length > 0) await hold(await findProblemsByKeys(tx, source, unknown));
    },
  };
}

/** The fields that a row gives. */
type GivenProblem = Partial<ProblemRow>;

export function problemSink(applying: Applying): Sink<GivenProblem> {
  const { tx, now, trustsIds } = applying;
  return {
    take: async (entries) => {
      const batch = problemBatch(applying);
      await batch.holdIds(idsOf(entries));
      for (const [source, some] of Map.groupBy(entries, ({ value }) => value.source)) {
        const keys = some.flatMap(({ value }) => keysOf(value));
        if (source !== undefined) await batch.holdKeys(source, keys);
      }
      const newId = newIds(tx, 'problems', () => entries.filter(({ value }) => isNew(value, batch)).length);
      await applying.each(entries, (given) => take(given, batch, newId));
      await batch.finish();
    },
  };

  async function take(given: GivenProblem, batch: ProblemBatch, newId: () => Promise<bigint>): Promise<void> {
    const found = findGiven(given, batch);
    const current = found?.row;
    const id = given.id ?? current?.id ?? (await newId());
    if (current && !trustsIds && !isNamed(current, given))
      throw badRow(
        `problem ${id} is ${current.source} ${current.source_key} here, not ${given.source} ${given.source_key}; leave the id out, or say --ids-of-this-garden to change its key.`,
      );
    const row = { ...(current ?? emptyProblem(id, '', '', given.created_at ?? now)), ...given };
    const { source, source_key, title } = row;
    if (title === '' || source === '' || source_key === '')
      throw badRow('title, source and source_key are needed for a new problem.');
    const keys = keysOf(row);
    if (new Set(keys).size < keys.length) throw badRow('a key stands twice among source_key and aliases.');
    // Where the row leaves its judge or its keys out they are the stored problem's, not looked up yet.
    await batch.holdKeys(source, keys);
    for (const key of keys) {
      const owner = batch.find(keyName(source, key));
      if (owner && owner !== found)
        throw badRow(`${source} ${key} is problem ${owner.row.id} here, not ${id}.`);
    }
    await batch.put(found, row, () => `${source} ${source_key} ${title}`, given.updated_at !== undefined);
  }
}

function findGiven(
  { id, source, source_key }: GivenProblem,
  batch: ProblemBatch,
): Upsert<ProblemRow> | undefined {
  if (id !== undefined) return batch.find(idName(id));
  return source === undefined || source_key === undefined
    ? undefined
    : batch.find(keyName(source, source_key));
}

function isNew(given: GivenProblem, batch: ProblemBatch): boolean {
  return given.id === undefined && findGiven(given, batch) === undefined;
}

/** The key and the aliases that a row gives; of a whole problem all its keys. */
function keysOf({ source_key, aliases = '[]' }: GivenProblem): string[] {
  const others = listOf(aliases);
  return source_key === undefined ? others : [source_key, ...others];
}

/** The name of the problem that a judge has under a key. No text of a row holds a NUL. */
export function keyName(source: string, key: string): string {
  return `${source}\0${key}`;
}

/** Whether one of the problem's keys is the row's. */
function isNamed(problem: ProblemRow, { source, source_key }: GivenProblem): boolean {
  return problem.source === source && keysOf(problem).some((key) => key === source_key);
}

const blank = emptyRow(problemKinds);

export function emptyProblem(id: bigint, source: string, source_key: string, now: string): ProblemRow {
  return { ...blank, id, source, source_key, created_at: now, updated_at: now };
}
