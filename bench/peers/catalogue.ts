/** The part that the Node peers share: one better-sqlite3 connection, prepared statements, rows as objects, tokens by digest. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

/** As it is selected, with places for its lists, and as it is answered. */
interface Problem {
  id: number;
  tags: unknown;
  aliases: unknown;
}

/** A problem's id, and one of its tags or aliases. */
type Entry = [number, string];

interface PageQuery {
  limit?: string;
  rating_min?: string;
  status?: string;
}

/** As durable as ours: better-sqlite3 alone would not sync at each commit in WAL mode. */
export function openCatalogue(path: string) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const member = database.prepare<[string], { user_id: number }>('SELECT user_id FROM tokens WHERE digest = ?');
  // One problem's lists are read the fastest as JSON with its row, those of many by a statement for each table.
  const one = database.prepare<[number], Problem & { tags: string; aliases: string }>(
    `SELECT ${columns(
      `(SELECT json_group_array(tag) FROM (
          SELECT tag FROM problem_tags WHERE problem_id = problems.id ORDER BY position))`,
      `(SELECT json_group_array(alias) FROM (
          SELECT alias FROM problem_aliases WHERE problem_id = problems.id ORDER BY position))`,
    )} FROM problems WHERE id = ?`,
  );
  const all = database.prepare<[], Problem>(`SELECT ${columns('NULL', 'NULL')} FROM problems ORDER BY id`);
  const allTags = database
    .prepare<[], Entry>('SELECT problem_id, tag FROM problem_tags ORDER BY problem_id, position')
    .raw();
  const allAliases = database
    .prepare<[], Entry>('SELECT problem_id, alias FROM problem_aliases ORDER BY problem_id, position')
    .raw();
  const page = database.prepare<[number, string, number, number], Problem>(
    `SELECT ${columns('NULL', 'NULL')} FROM problems
       JOIN statuses ON statuses.problem_id = problems.id AND statuses.user_id = ? AND statuses.status = ?
     WHERE problems.rating >= ? ORDER BY problems.id LIMIT ?`,
  );
  const tagsOf = database
    .prepare<[string], Entry>(
      `SELECT problem_id, tag FROM problem_tags
       WHERE problem_id IN (SELECT value FROM json_each(?)) ORDER BY problem_id, position`,
    )
    .raw();
  const aliasesOf = database
    .prepare<[string], Entry>(
      `SELECT problem_id, alias FROM problem_aliases
       WHERE problem_id IN (SELECT value FROM json_each(?)) ORDER BY problem_id, position`,
    )
    .raw();
  const mine = database.prepare<[number], object>(
    `SELECT problem_id AS id, user_id AS user, problem_id AS problem, status, origin, updated_at
     FROM statuses WHERE user_id = ? ORDER BY problem_id`,
  );
  const remove = database.prepare<[number, number]>('DELETE FROM plants WHERE id = ? AND user_id = ?');
  return {
    /** The id of the member who has this token; undefined if nobody has it. */
    findMember: (token: string) => member.get(createHash('sha256').update(token).digest('hex'))?.user_id,
    findProblem: (id: number) => {
      const row = one.get(id);
      return row && fill(row, JSON.parse(row.tags), JSON.parse(row.aliases));
    },
    listProblems: () => withLists(all.all(), allTags.all(), allAliases.all()),
    listPage: (userId: number, query: PageQuery) => {
      const rating = Number(query.rating_min ?? 0);
      const rows = page.all(userId, query.status ?? '', rating, Number(query.limit));
      const ids = JSON.stringify(rows.map(({ id }) => id));
      return withLists(rows, tagsOf.all(ids), aliasesOf.all(ids));
    },
    listStatuses: (userId: number) => mine.all(userId),
    deletePlant: (id: number, userId: number) => remove.run(id, userId).changes === 1,
  };
}

export const bearerToken = (header: string | undefined) => /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';

/** The columns of a problem, in the order of the answer. */
function columns(tags: string, aliases: string): string {
  return `problems.id, title, source, source_key, url, rating, ${tags} AS tags, ${aliases} AS aliases,
    editorial_url, video_url, created_at, problems.updated_at`;
}

function withLists(rows: Problem[], tags: Entry[], aliases: Entry[]): Problem[] {
  const tagsById = byProblem(tags);
  const aliasesById = byProblem(aliases);
  return rows.map((row) => fill(row, tagsById.get(row.id) ?? [], aliasesById.get(row.id) ?? []));
}

function byProblem(entries: Entry[]): Map<number, string[]> {
  const lists = new Map<number, string[]>();
  for (const [id, entry] of entries) {
    const list = lists.get(id);
    if (list) list.push(entry);
    else lists.set(id, [entry]);
  }
  return lists;
}

/** In place: a copy of each row would cost more. */
function fill(row: Problem, tags: unknown, aliases: unknown): Problem {
  row.tags = tags;
  row.aliases = aliases;
  return row;
}
