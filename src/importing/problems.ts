/** Importing problems in our own form: by id, or by the judge's key where no id is given. */
import type { Located } from '../files/entries.ts';
import { giveIds } from '../store/ids.ts';
import { listOf } from '../store/problem-names.ts';
import {
  adoptProblems,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import type { Applying, Sink } from './import.ts';
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

/** What a batch of rows is about: problems stored and new ones not written yet, and whose each key is, if anybody's. */
interface Batch {
  byId: Map<bigint, ProblemRow>;
  ownerOfKey: Map<string, bigint | undefined>;
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
      await insertProblems(tx, [...batch.fresh.values()], false);
      if (batch.fresh.size > 0) applying.changed('problems');
    },
  };

  async function lookUp(entries: readonly Located<GivenRow>[]): Promise<Batch> {
    const batch: Batch = { byId: new Map(), ownerOfKey: new Map(), fresh: new Map() };
    const ids = entries.map(({ value }) => value.id).filter((id) => typeof id === 'bigint');
    await remember(batch, await findProblemsByIds(tx, ids));
    for (const [source, some] of Map.groupBy(entries, ({ value }) => value.source)) {
      if (typeof source !== 'string') continue;
      await lookUpKeys(
        batch,
        source,
        some.flatMap(({ value }) => keysOf(value)),
      );
    }
    return batch;
  }

  async function lookUpKeys(batch: Batch, source: string, keys: readonly string[]): Promise<void> {
    const unknown = keys.filter((key) => !batch.ownerOfKey.has(keyName(source, key)));
    if (unknown.length === 0) return;
    const rows = await findProblemsByKeys(tx, source, unknown);
    for (const key of unknown) batch.ownerOfKey.set(keyName(source, key), undefined);
    for (const row of rows) batch.ownerOfKey.set(keyName(source, row.key), row.id);
    await remember(
      batch,
      rows.map(({ key: _key, ...row }) => row),
    );
  }

  async function remember(
    { byId }: Batch,
    rows: readonly (ProblemRow & { is_sample: bigint })[],
  ): Promise<void> {
    for (const { is_sample: _sample, ...row } of rows) if (!byId.has(row.id)) byId.set(row.id, row);
    const sampled = rows.filter((row) => row.is_sample === 1n).map((row) => row.id);
    await adoptProblems(tx, [...new Set(sampled)]);
  }

  async function take(entry: Located<GivenRow>, batch: Batch, ids: bigint[]): Promise<void> {
    const { value: given } = entry;
    const { ownerOfKey } = batch;
    const id =
      (given.id as bigint | undefined) ?? ownerOf(batch, given) ?? ids.shift() ?? (await newProblemId());
    const current = batch.fresh.get(id) ?? batch.byId.get(id);
    if (current && !applying.trustsIds && !isNamed(current, given)) {
      const { source, source_key } = current;
      applying.bad(
        entry,
        `problem ${id} is ${source} ${source_key} here, not ${given.source} ${given.source_key}; leave the id out, or say --ids-of-this-garden to change its key.`,
      );
      return;
    }
    const next = follow(current ?? emptyProblem(id, (given.created_at as string | undefined) ?? now), given);
    if (next.title === '' || next.source === '' || next.source_key === '') {
      applying.bad(entry, 'title, source and source_key are needed for a new problem.');
      return;
    }
    const keys = keysOf(next);
    if (new Set(keys).size < keys.length) {
      applying.bad(entry, 'a key stands twice among source_key and aliases.');
      return;
    }
    // Where the row leaves its judge or its keys out they are the stored problem's, not looked up yet.
    await lookUpKeys(batch, next.source, keys);
    const stranger = keys.find((key) => (ownerOfKey.get(keyName(next.source, key)) ?? id) !== id);
    if (stranger !== undefined) {
      const owner = ownerOfKey.get(keyName(next.source, stranger));
      applying.bad(entry, `${next.source} ${stranger} is problem ${owner} here, not ${id}.`);
      return;
    }
    const outcome = await place(current, next, batch, given.updated_at !== undefined);
    if (current) for (const key of keysOf(current)) ownerOfKey.set(keyName(current.source, key), undefined);
    for (const key of keys) ownerOfKey.set(keyName(next.source, key), id);
    applying.count(outcome, () => `${next.source} ${next.source_key} ${next.title}`);
  }

  async function newProblemId(): Promise<bigint> {
    const [id = 0n] = await giveIds(tx, 'problems', 1);
    return id;
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

/** The key that the row gives and the aliases that it gives; of a whole problem all its names. */
function keysOf({ source_key, aliases }: GivenRow): string[] {
  const others = typeof aliases === 'string' ? listOf(aliases) : [];
  return typeof source_key === 'string' ? [source_key, ...others] : others;
}

/** No text of a row holds a NUL. */
function keyName(source: string, key: string): string {
  return `${source}\0${key}`;
}

function ownerOf({ ownerOfKey }: Batch, { source, source_key }: GivenRow): bigint | undefined {
  return ownerOfKey.get(keyName(String(source), String(source_key)));
}

/** Whether one of the problem's keys is the row's. */
function isNamed(problem: ProblemRow, { source, source_key }: GivenRow): boolean {
  return problem.source === source && keysOf(problem).some((key) => key === source_key);
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
