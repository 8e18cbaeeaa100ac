/** A judge's catalogue into problems: new ones enter, known ones follow what the judge now says. */
import type { CatalogueProblem, Located } from '../judges/judge.ts';
import { giveIds } from '../store/ids.ts';
import {
  adoptProblems,
  findProblemsByKeys,
  insertProblems,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import type { Applying, Sink } from './importing.ts';

export function catalogueSink(applying: Applying): Sink<CatalogueProblem> {
  const { tx, now, count } = applying;
  return {
    take: async (entries) => {
      const bySource = Map.groupBy(entries, (entry) => entry.value.source);
      for (const [source, some] of bySource) await takeSource(source, some);
    },
  };

  async function takeSource(source: string, entries: readonly Located<CatalogueProblem>[]): Promise<void> {
    const found = await findProblemsByKeys(
      tx,
      source,
      entries.map((entry) => entry.value.key),
    );
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
    await insertProblems(tx, rows, false);
    applying.changed('problems');
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
