/** Imports problems in the garden's own format. A row is matched by its id, or by judge and key if it has no id. */

import { localizedError, message } from '../errors.ts';
import { type AddressedProblem, problemAt } from '../judges/addresses.ts';
import { isGym } from '../judges/judges.ts';
import { findStoredProblems, problemMapKey } from '../practice/added-problems.ts';
import { linkStoredSubmissions } from '../practice/derivation.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import {
  adoptProblems,
  emptyProblem,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  listFromJson,
  type ProblemRow,
  updateProblem,
  upsertSolvedCounts,
} from '../store/problems.ts';
import { findProblemsByAnyKey } from '../store/removed-problems.ts';
import { savePlacements } from './contests.ts';
import type { ImportContext, Sink } from './import.ts';
import { findForEach, type RowKey, type RowTable, type UpsertBatch, upsertSink } from './rows.ts';

/* Submissions and contests may have referenced a problem before it was added; they are matched with it now. */

export async function matchNewProblems(context: ImportContext, sources: Iterable<string>): Promise<void> {
  const matched = await linkStoredSubmissions(context.tx);
  if (matched > 0) {
    context.markWritten();
    context.addNote(message('imported.matched', { count: matched }));
  }
  for (const source of sources) await savePlacements(context, source);
}

type ProblemFields = Partial<ProblemRow>;
type InputProblem = ProblemFields & { solved_by?: bigint | null };

export function problemRows(
  context: ImportContext,
  keyOf: (source: string, key: string) => RowKey = naturalKey,
): RowTable<ProblemRow> {
  return {
    keysOf: (row) => {
      const keys = [row.id, keyOf(row.source, row.source_key)];
      for (const key of listFromJson(row.aliases)) keys.push(keyOf(row.source, key));
      return keys;
    },
    insert: (tx, rows) => insertProblems(tx, rows, isGym),
    update: (tx, after, before) => updateProblem(tx, before, after, isGym),
    onChange: () => context.bumpRevision('problems'),
  };
}

export function problemSink(context: ImportContext): Sink<InputProblem> {
  const { tx, now, trustsIds } = context;
  const sources = new Set<string>();
  const solvedCounts: { row: ProblemRow; solved_by: bigint }[] = [];
  const sink = upsertSink<ProblemRow, InputProblem>(context, {
    ...problemRows(context),
    idTable: 'problems',
    find: async (rows) => [
      ...(await findForEach(
        Map.groupBy(rows, ({ source = '' }) => source),
        ([source, some]) => findByKeys(context, source, some.flatMap(allKeys)),
      )),
      ...(await adoptSample(
        context,
        findProblemsByIds(
          tx,
          rows.flatMap(({ id }) => id ?? []),
        ),
      )),
    ],
    naturalKeyOf: ({ source, source_key }) =>
      source === undefined || source_key === undefined ? undefined : naturalKey(source, source_key),
    rowOf: async ({ solved_by, ...input }: InputProblem, current, batch) => {
      if (solved_by && solved_by < 0n) throw localizedError('badRow.solvedBy', { count: solved_by });
      if (current && !trustsIds && !hasNaturalKey(current, input))
        throw localizedError('badRow.otherProblem', {
          id: current.id,
          source: current.source,
          key: current.source_key,
          given: `${input.source} ${input.source_key}`,
        });
      const row = { ...(current ?? emptyProblem(0n, input.created_at ?? now)), ...input };
      if (row.title === '' || row.source === '' || row.source_key === '')
        throw localizedError('badRow.newProblem');
      await refuseUsedKeys(row, input.id, current, batch);
      sources.add(row.source);
      if (typeof solved_by === 'bigint') solvedCounts.push({ row, solved_by });
      return row;
    },
    describe: ({ source, source_key, title }) => `${source} ${source_key} ${title}`,
  }) as Sink<InputProblem>;
  return {
    write: async (entries) => {
      await sink.write(entries);
      const counts = new Map(solvedCounts.splice(0).map(({ row, solved_by }) => [row.id, solved_by]));
      const rows = [...counts].map(([problem_id, one]) => ({ problem_id, solved_by: one }));
      if ((await upsertSolvedCounts(tx, rows)) > 0n) context.markWritten();
    },
    finish: () => matchNewProblems(context, sources),
  };

  async function refuseUsedKeys(
    row: ProblemRow,
    inputId: bigint | undefined,
    current: ProblemRow | undefined,
    batch: UpsertBatch<ProblemRow>,
  ): Promise<void> {
    const { source } = row;
    const keys = allKeys(row);
    if (new Set(keys).size < keys.length) throw localizedError('badRow.keyTwice');
    // The stored problem's keys that the row leaves out were not looked up yet.
    const unknown = current ? keys.filter((key) => !batch.find(naturalKey(source, key))) : [];
    batch.addStored(await findByKeys(context, source, unknown));
    for (const key of keys) {
      const owner = batch.find(naturalKey(source, key))?.row;
      if (owner && owner !== current)
        throw localizedError('badRow.keyTaken', {
          source,
          key,
          id: owner.id,
          given: inputId ?? current?.id ?? message('field.newProblem'),
        });
    }
  }
}

type AdoptContext = Pick<ImportContext, 'tx' | 'isSample'>;

function findByKeys(context: AdoptContext, source: string, keys: readonly string[]) {
  return adoptSample(context, findProblemsByKeys(context.tx, source, keys));
}

/** Finds also the problems into which problems with these keys were merged. */
export function findByNames(context: AdoptContext, source: string, keys: readonly string[]) {
  return adoptSample(context, findProblemsByAnyKey(context.tx, source, keys));
}

export type ProblemKey = Pick<AddressedProblem, 'source' | 'key'>;

/** What a problem that an earlier version named by its host is called today. */
export const problemOfHost = (
  { source, key }: ProblemKey,
  places: JudgeAddresses,
): AddressedProblem | undefined =>
  source.includes('.') ? problemAt(`https://${source}/${key}`, places) : undefined;

/** By `problemMapKey`. Finds also what `findByNames` finds. */
export async function findProblemIds(
  context: AdoptContext & Pick<ImportContext, 'idsByLink' | 'adding'>,
  names: readonly ProblemKey[],
): Promise<Map<string, bigint>> {
  const { tx, idsByLink, adding } = context;
  const today = names.map((name) => problemOfHost(name, adding.judgeAddresses) ?? name);
  const stored = await findStoredProblems(tx, [...names, ...today]);
  await adoptSample(context, [...stored.values()]);
  const ids = new Map<string, bigint>();
  for (const [index, name] of names.entries()) {
    const key = problemMapKey(name);
    const found = stored.get(key) ?? stored.get(problemMapKey(today[index] ?? name));
    const id = idsByLink?.get(key) ?? found?.id;
    if (id !== undefined) ids.set(key, id);
  }
  return ids;
}

/** Problems of the sample that an import references are kept when the sample is removed. */
export async function adoptSample<R extends { id: bigint; is_sample: bigint }>(
  { tx, isSample = false }: AdoptContext,
  found: Promise<R[]> | R[],
): Promise<R[]> {
  const rows = await found;
  if (!isSample) await adoptProblems(tx, rows);
  return rows;
}

export function allKeys({ source_key, aliases = '[]' }: ProblemFields): string[] {
  const others = listFromJson(aliases);
  return source_key === undefined ? others : [source_key, ...others];
}

/** No text of a row contains NUL. */
export function naturalKey(source: string, key: string): string {
  return `${source}\0${key}`;
}

function hasNaturalKey(problem: ProblemRow, { source, source_key }: ProblemFields): boolean {
  return problem.source === source && allKeys(problem).some((key) => key === source_key);
}
