/** A judge's catalogue into problems: new ones enter, known ones follow what the judge now says. */
import type { CatalogueProblem } from '../judges/judge.ts';
import { hasProblemsOf, type ProblemRow } from '../store/problems.ts';
import type { Applying, Sink } from './import.ts';
import { emptyProblem, keyName, type ProblemBatch, problemBatch } from './problems.ts';
import { newIds } from './upserts.ts';

export function catalogueSink(applying: Applying, source: string): Sink<CatalogueProblem> {
  const { tx, now, count } = applying;
  /** Keys of earlier batches. For a judge that was new here only these can be known, which saves most look-ups. */
  const seen = new Set<string>();
  let isNewJudge: boolean | undefined;
  return {
    take: async (entries) => {
      const batch = problemBatch(applying);
      const keys = entries.map(({ value }) => value.key);
      isNewJudge ??= !(await hasProblemsOf(tx, source));
      await batch.holdKeys(source, isNewJudge ? keys.filter((key) => seen.has(key)) : keys);
      for (const key of keys) seen.add(key);
      const newId = newIds(tx, 'problems', () => entries.filter(({ value }) => isNew(value, batch)).length);
      for (const { value: listed } of entries) {
        const { key, title } = listed;
        const found = batch.find(keyName(source, key));
        const line = () => `${source} ${key} ${title ?? ''}`.trimEnd();
        if (!found && title === undefined) {
          count('unmatched', () => `${line()}: no such problem; import the catalogue first`);
          continue;
        }
        const current = found?.row ?? emptyProblem(await newId(), source, key, now);
        // An alias is listed under its own points and tags; the problem keeps those of its own key.
        await batch.put(found, current.source_key === key ? follow(current, listed) : current, line);
      }
      await batch.finish();
    },
  };

  function isNew({ key, title }: CatalogueProblem, batch: ProblemBatch): boolean {
    return title !== undefined && !batch.find(keyName(source, key));
  }
}

/** The problem as the judge now describes it. A field that the catalogue does not have stays. */
function follow(row: ProblemRow, { title, url, rating, tags }: CatalogueProblem): ProblemRow {
  return {
    ...row,
    title: title ?? row.title,
    url: url ?? row.url,
    rating: rating === undefined ? row.rating : rating === null ? null : BigInt(rating),
    tags: tags === undefined ? row.tags : JSON.stringify(tags),
  };
}
