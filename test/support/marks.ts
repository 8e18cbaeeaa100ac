/** Bookmarks and statuses of several members on the same problems. */
import { importRows } from './garden.ts';

type Fields = (place: number) => Readonly<Record<string, unknown>>;

export async function importMarks(
  databaseUrl: string,
  {
    problems,
    usernames,
    countOf,
    bookmark,
    status,
  }: {
    problems: readonly bigint[];
    usernames: readonly string[];
    countOf(place: number): number;
    bookmark: Fields;
    status: Fields;
  },
): Promise<number> {
  const rowsWith = (more: Fields) =>
    problems.flatMap((problem, place) =>
      usernames.slice(0, countOf(place)).map((username) => ({ username, problem, ...more(place) })),
    );
  const bookmarks = rowsWith(bookmark);
  await importRows(databaseUrl, 'bookmarks', bookmarks);
  await importRows(databaseUrl, 'statuses', rowsWith(status));
  return bookmarks.length;
}
