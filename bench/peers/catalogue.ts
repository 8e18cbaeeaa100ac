/** What the Node peers share: one better-sqlite3 connection, prepared statements, rows as objects, tokens by digest. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

interface ProblemRow {
  id: number;
  tags: string;
  aliases: string;
}

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
  const member = database.prepare<[string], { user_id: number }>(
    'SELECT user_id FROM tokens WHERE digest = ?',
  );
  const one = database.prepare<[number], ProblemRow>('SELECT * FROM problems WHERE id = ?');
  const all = database.prepare<[], ProblemRow>('SELECT * FROM problems ORDER BY id');
  const page = database.prepare<[number, string, number, number], ProblemRow>(
    `SELECT problems.* FROM problems
       JOIN statuses ON statuses.problem_id = problems.id AND statuses.user_id = ? AND statuses.status = ?
     WHERE problems.rating >= ? ORDER BY problems.id LIMIT ?`,
  );
  const mine = database.prepare<[number], object>(
    `SELECT problem_id AS id, user_id AS user, problem_id AS problem, status, origin, updated_at
     FROM statuses WHERE user_id = ? ORDER BY problem_id`,
  );
  const remove = database.prepare<[number, number]>('DELETE FROM plants WHERE id = ? AND user_id = ?');
  return {
    /** Whose token stands in the Authorization header; undefined where it is nobody's. */
    findMember: (token: string) => member.get(createHash('sha256').update(token).digest('hex'))?.user_id,
    findProblem: (id: number) => {
      const row = one.get(id);
      return row && asProblem(row);
    },
    listProblems: () => all.all().map(asProblem),
    listPage: (userId: number, query: PageQuery) =>
      page.all(userId, query.status ?? '', Number(query.rating_min ?? 0), Number(query.limit)).map(asProblem),
    listStatuses: (userId: number) => mine.all(userId),
    deletePlant: (id: number, userId: number) => remove.run(id, userId).changes === 1,
  };
}

export const bearerToken = (header: string | undefined) => /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';

function asProblem(row: ProblemRow) {
  return { ...row, tags: JSON.parse(row.tags) as string[], aliases: JSON.parse(row.aliases) as string[] };
}
