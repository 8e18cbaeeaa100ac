/** A judge's catalogue into problems: new ones enter, known ones follow what the judge now says. */
import type { Located } from '../files/entries.ts';
import type { CatalogueProblem } from '../judges/judge.ts';
import { giveIds } from '../store/ids.ts';
import { insertTagsOfRange } from '../store/problem-names.ts';
import {
  adoptProblems,
  findProblemsByKeys,
  hasProblemsOf,
  insertUntagged,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import type { Applying, Sink } from './import.ts';

/** Up to here the keys of a judge's first catalogue are remembered, which is quicker than asking the database for them. */
const rememberedKeys = 20_000;

export function catalogueSink(applying: Applying): Sink<CatalogueProblem> {
  const { tx, now, count } = applying;
  /** The new problems' ids, which ascend. */
  let firstId: bigint | undefined;
  let lastId = 0n;
  /** For a judge that was new here: all of its keys so far; too many of them, or a judge known before: undefined. */
  const firstKeys = new Map<string, Set<string> | undefined>();
  return {
    take: async (entries) => {
      const bySource = Map.groupBy(entries, (entry) => entry.value.source);
      for (const [source, some] of bySource) await takeSource(source, some);
    },
    finish: async () => {
      if (firstId !== undefined) await insertTagsOfRange(tx, firstId, lastId);
    },
  };

  async function takeSource(source: string, entries: readonly Located<CatalogueProblem>[]): Promise<void> {
    const keys = entries.map((entry) => entry.value.key);
    const found = await findProblemsByKeys(tx, source, await possiblyKnown(source, keys));
    const known = new Map(found.map((row) => [row.key, row]));
    const fresh = new Map<string, ProblemRow>();
    for (const { value: told } of entries) {
      const line = () => `${source} ${told.key} ${told.title ?? ''}`.trimEnd();
      const current = known.get(told.key);
      const pending = fresh.get(told.key);
      if (current) {
        // An alias is listed under its own points and tags; the problem keeps those of its own key.
        const next = current.source_key === told.key ? follow(current, told) : current;
        if (next === current) {
          count('kept', line);
        } else {
          await updateProblem(tx, current, next);
          known.set(told.key, { ...next, key: told.key, is_sample: 0n });
          applying.changed('problems');
          count('changed', line);
        }
      } else if (pending) {
        // Listed twice in one file: the later entry counts.
        const next = follow(pending, told);
        fresh.set(told.key, next);
        count(next === pending ? 'kept' : 'changed', line);
      } else if (told.title === undefined) {
        count('unmatched', () => `${line()}: no such problem; import the catalogue first`);
      } else {
        fresh.set(told.key, follow(emptyProblem(source, told.key), told));
        count('new', line);
      }
    }
    const sampled = found.filter((row) => row.is_sample === 1n);
    await adoptProblems(
      tx,
      sampled.map((row) => row.id),
    );
    if (fresh.size === 0) return;
    const ids = await giveIds(tx, 'problems', fresh.size);
    const rows = [...fresh.values()].map((row, place) => ({ ...row, id: ids[place] ?? 0n }));
    firstId ??= ids[0];
    lastId = ids.at(-1) ?? lastId;
    await insertUntagged(tx, rows, false);
    applying.changed('problems');
  }

  /** Those of the keys that may name a problem here already. */
  async function possiblyKnown(source: string, keys: readonly string[]): Promise<readonly string[]> {
    if (!firstKeys.has(source)) {
      firstKeys.set(source, (await hasProblemsOf(tx, source)) ? undefined : new Set());
    }
    const seen = firstKeys.get(source);
    if (!seen) return keys;
    const again = keys.filter((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    if (seen.size > rememberedKeys) firstKeys.set(source, undefined);
    return again;
  }

  function emptyProblem(source: string, key: string): ProblemRow {
    return {
      id: 0n,
      title: '',
      source,
      source_key: key,
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

  /** The row as the judge now tells it; the very same row where nothing differs. */
  function follow<R extends ProblemRow>(row: R, told: CatalogueProblem): R {
    const title = told.title ?? row.title;
    const url = told.url ?? row.url;
    const rating = told.rating === undefined ? row.rating : told.rating === null ? null : BigInt(told.rating);
    const tags = told.tags === undefined ? row.tags : JSON.stringify(told.tags);
    const isSame = title === row.title && url === row.url && rating === row.rating && tags === row.tags;
    return isSame ? row : { ...row, title, url, rating, tags, updated_at: now };
  }
}
