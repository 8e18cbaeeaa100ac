/** Importing problems in our own form: by id, or by the judge's key where no id is given. */
import type { Located } from '../judges/judge.ts';
import { giveIds, noteIds } from '../store/ids.ts';
import {
  adoptProblems,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  listOf,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import type { Applying, Sink } from './importing.ts';
import type { GivenRow } from './own-rows.ts';

const givenFields = [
  'title',
  'source',
  'source_key',
  'url',
  'rating',
  'tags',
  'aliases',
  'editorial_url',
  'video_url',
  'created_at',
  'updated_at',
] as const;

/** Problems new in this batch, not written yet, and whose each key is. */
interface Batch {
  byId: Map<bigint, ProblemRow>;
  ownerOfKey: Map<string, bigint>;
  fresh: Map<bigint, ProblemRow>;
}

export function problemSink(applying: Applying): Sink<GivenRow> {
  const { tx, now } = applying;
  return {
    take: async (entries) => {
      const batch = await lookUp(entries);
      const missing = entries.filter(({ value }) => value.id === undefined && !ownerOf(batch, value)).length;
      const ids = await giveIds(tx, 'problems', missing);
      for (const entry of entries) await take(entry, batch, ids);
      const fresh = [...batch.fresh.values()];
      await noteIds(
        tx,
        'problems',
        fresh.map((row) => row.id),
      );
      await insertProblems(tx, fresh, false);
      if (fresh.length > 0) applying.changed('problems');
    },
  };

  async function lookUp(entries: readonly Located<GivenRow>[]): Promise<Batch> {
    const ids = entries.map(({ value }) => value.id).filter((id) => typeof id === 'bigint');
    const found = await findProblemsByIds(tx, ids);
    const ownerOfKey = new Map<string, bigint>();
    for (const [source, some] of Map.groupBy(entries, ({ value }) => String(value.source ?? ''))) {
      const keys = some.flatMap(({ value }) => keysOf(value));
      const rows = await findProblemsByKeys(tx, source, keys);
      for (const row of rows) ownerOfKey.set(`${source} ${row.key}`, row.id);
      found.push(...rows.map(({ key: _key, ...row }) => row));
    }
    const sampled = found.filter((row) => row.is_sample === 1n).map((row) => row.id);
    await adoptProblems(tx, [...new Set(sampled)]);
    const byId = new Map(found.map(({ is_sample: _sample, ...row }): [bigint, ProblemRow] => [row.id, row]));
    return { byId, ownerOfKey, fresh: new Map() };
  }

  async function take(entry: Located<GivenRow>, batch: Batch, ids: bigint[]): Promise<void> {
    const { value: given } = entry;
    const id = typeof given.id === 'bigint' ? given.id : (ownerOf(batch, given) ?? ids.shift() ?? 0n);
    const current = batch.fresh.get(id) ?? batch.byId.get(id);
    const next = follow(current ?? emptyProblem(id, (given.created_at as string | undefined) ?? now), given);
    const keys = [next.source_key, ...listOf(next.aliases)].map((key) => `${next.source} ${key}`);
    const stranger = keys.find((key) => (batch.ownerOfKey.get(key) ?? id) !== id);
    if (next.title === '' || next.source === '' || next.source_key === '') {
      applying.bad(entry, 'title, source and source_key are needed for a new problem.');
    } else if (stranger !== undefined) {
      applying.bad(entry, `${stranger} is problem ${batch.ownerOfKey.get(stranger)} here, not ${id}.`);
    } else if (new Set(keys).size < keys.length) {
      applying.bad(entry, 'a key stands twice among source_key and aliases.');
    } else {
      const outcome = await place(current, next, batch, given.updated_at !== undefined);
      for (const key of keys) batch.ownerOfKey.set(key, id);
      applying.count(outcome, () => `${next.source} ${next.source_key} ${next.title}`);
    }
  }

  async function place(
    current: ProblemRow | undefined,
    next: ProblemRow,
    batch: Batch,
    hasTime: boolean,
  ): Promise<'new' | 'changed' | 'kept'> {
    if (!current) {
      batch.fresh.set(next.id, next);
      return 'new';
    }
    if (givenFields.every((name) => next[name] === current[name])) return 'kept';
    const row = hasTime ? next : { ...next, updated_at: now };
    if (batch.fresh.has(row.id)) {
      batch.fresh.set(row.id, row);
    } else {
      await updateProblem(tx, current, row);
      batch.byId.set(row.id, row);
      applying.changed('problems');
    }
    return 'changed';
  }
}

function keysOf(given: GivenRow): string[] {
  const aliases = typeof given.aliases === 'string' ? listOf(given.aliases) : [];
  return typeof given.source_key === 'string' ? [given.source_key, ...aliases] : aliases;
}

function ownerOf({ ownerOfKey }: Batch, given: GivenRow): bigint | undefined {
  return ownerOfKey.get(`${given.source} ${given.source_key}`);
}

function follow(row: ProblemRow, given: GivenRow): ProblemRow {
  const told = givenFields.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return { ...row, ...Object.fromEntries(told) };
}

function emptyProblem(id: bigint, now: string): ProblemRow {
  return {
    id,
    title: '',
    source: '',
    source_key: '',
    url: null,
    rating: null,
    tags: '[]',
    aliases: '[]',
    editorial_url: null,
    video_url: null,
    created_at: now,
    updated_at: now,
  };
}
