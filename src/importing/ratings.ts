/** Importing ratings, by handle and contest, as an archive has them. */
import { refused } from '../errors.ts';
import { personRatingOf, textOf } from '../judges/fields.ts';
import { longestContest, longestContestTitle } from '../judges/judge.ts';
import { findHandleByName } from '../store/handles.ts';
import { keepRatings, listRatingsOfHandle, type RatingsTable } from '../store/ratings.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, memberReferences } from './references.ts';

/** Two a week for twenty years. */
const ratingsOfHandleAtMost = 2_000;

type GivenRating = GivenMember &
  Partial<Omit<RatingsTable, 'handle_id'>> & { source?: string; handle?: string };

export function ratingSink(applying: Applying): Sink<GivenRating> {
  const { tx, each, count } = applying;
  const known = new Map<bigint, Map<string, RatingsTable>>();
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      await each(entries, async (given) => {
        const { source = '', handle = '', rating, rated_at } = given;
        const found = await findHandleByName(tx, memberOf(given), source, handle);
        if (!found)
          throw refused('badRow.noHandle', {
            handle: JSON.stringify(handle.slice(0, 50)),
            source: source.slice(0, 50),
          });
        if (rating === undefined || rated_at === undefined)
          throw refused('badRow.needed', { names: 'rating', last: 'rated_at' });
        personRatingOf(Number(rating), 'rating');
        const own = known.get(found.id) ?? new Map<string, RatingsTable>();
        if (!known.has(found.id))
          for (const one of await listRatingsOfHandle(tx, found.id)) own.set(one.contest, one);
        known.set(found.id, own);
        const contest = textOf(given.contest, 'contest', longestContest);
        const before = own.get(contest);
        const place = given.place === undefined ? (before?.place ?? null) : given.place;
        const title = textOf(given.title, 'title', longestContestTitle);
        const row: RatingsTable = { handle_id: found.id, contest, title, place, rating, rated_at };
        const columns = Object.keys(row) as (keyof RatingsTable)[];
        const line = () => `${source} ${handle} after ${row.contest}`;
        if (before && columns.every((column) => before[column] === row[column])) return count('kept', line);
        if (!before && own.size >= ratingsOfHandleAtMost)
          throw refused('badRow.manyRatings', { most: ratingsOfHandleAtMost });
        await keepRatings(tx, [row]);
        own.set(row.contest, row);
        return count(before ? 'changed' : 'new', line);
      });
    },
  };
}
