/** A judge's catalogue into problems: new ones enter, known ones follow what the judge now says. */
import type { CatalogueProblem } from '../judges/judge.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Applying, Sink } from './import.ts';
import { emptyProblem, keyName, problemBatch } from './problems.ts';
import { newIds } from './upserts.ts';

export function catalogueSink(applying: Applying, source: string): Sink<CatalogueProblem> {
  const { tx, now, count } = applying;
  return {
    take: async (entries) => {
      const batch = problemBatch(applying);
      await batch.holdKeys(
        source,
        entries.map(({ value }) => value.key),
      );
      const fresh = entries.filter(
        ({ value }) => value.title !== undefined && !batch.find(keyName(source, value.key)),
      );
      const newId = newIds(tx, 'problems', new Set(fresh.map(({ value }) => value.key)).size);
      for (const { value: listed } of entries) {
        const { key, title } = listed;
        const found = batch.find(keyName(source, key));
        const line = () => `${source} ${key} ${title ?? ''}`.trimEnd();
        if (!found && title === undefined) {
          count('unmatched', () => `${line()}: no such problem; import the catalogue first`);
          continue;
        }
        const current = found?.row ?? { ...emptyProblem(await newId(), now), source, source_key: key };
        // An alias is listed under its own points and tags; the problem keeps those of its own key.
        await batch.put(found, current.source_key === key ? follow(current, listed) : current, line);
      }
      await batch.finish();
    },
  };
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
