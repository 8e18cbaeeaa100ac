/** DMOJ as its API answers (DMOJ/online-judge, judge/views/api/api_v2.py): pages of objects, the oldest first. */
import type { Answered, ReplayedJudge } from './replay.ts';

interface Row {
  id: number;
  user: string;
  problem?: unknown;
  points?: unknown;
  result?: unknown;
}

export interface DmojRows {
  submissions: Row[];
  problems?: { code?: unknown; points?: unknown }[];
  /** Ids of submissions that stay in the list and solve nothing. */
  archived?: readonly number[];
  users?: string[];
  /** Contests that users took part in, and the list of contests. */
  taken?: Record<string, unknown[]>;
  contests?: { key: string }[];
  shown?: Record<string, object>;
}

export interface DmojOptions {
  pageSize?: number;
  isNewestFirst?: boolean;
}

const answered = (data: unknown): Answered => ({ body: { api_version: '2.0', method: 'get', data } });
const failed = (code: number, message: string): Answered => ({
  status: code,
  body: { api_version: '2.0', method: 'get', error: { code, message } },
});
const missing = failed(404, 'page/object not found');

function solvedIn(own: readonly Row[], { problems = [], archived = [] }: DmojRows): unknown[] {
  const pointsOf = (code: unknown) => Number(problems.find((one) => one.code === code)?.points ?? 0);
  const isSolved = ({ id, problem, points, result }: Row) =>
    result === 'AC' && Number(points) >= pointsOf(problem) && !archived.includes(id);
  return [...new Set(own.filter(isSolved).map(({ problem }) => problem))];
}

export function replayDmoj(
  rows: DmojRows,
  { pageSize = 1000, isNewestFirst = false }: DmojOptions = {},
): ReplayedJudge {
  const pageOf = (all: readonly unknown[], query: URLSearchParams): Answered => {
    const page = Number(query.get('page') ?? 1);
    const pages = Math.max(1, Math.ceil(all.length / pageSize));
    if (!(page >= 1 && page <= pages)) return missing;
    const objects = all.slice((page - 1) * pageSize, page * pageSize);
    return answered({
      current_object_count: objects.length,
      objects_per_page: pageSize,
      page_index: page,
      has_more: page < pages,
      objects,
    });
  };
  return (path, query, { headers }) => {
    // Only token errors are plain text.
    if (headers.authorization !== undefined)
      return /^Bearer [\w-]{48}$/.test(headers.authorization)
        ? { status: 401, body: 'Invalid token' }
        : { status: 400, body: 'Invalid authorization header' };
    if (path === '/api/v2/problems') return pageOf(rows.problems ?? [], query);
    if (path === '/api/v2/submissions') {
      const own = rows.submissions
        .filter(
          ({ user, result }) => user === (query.get('user') ?? user) && result === (query.get('result') ?? result),
        )
        .toSorted((one, other) => one.id - other.id);
      return pageOf(isNewestFirst ? own.toReversed() : own, query);
    }
    if (path === '/api/v2/contests') {
      const keys = query.getAll('key');
      return pageOf(
        (rows.contests ?? []).filter(({ key }) => keys.length === 0 || keys.includes(key)),
        query,
      );
    }
    const [, contest] = /^\/api\/v2\/contest\/([^/]+)$/.exec(path) ?? [];
    if (contest !== undefined) {
      const object = rows.shown?.[contest];
      return object ? answered({ object }) : missing;
    }
    const [, user] = /^\/api\/v2\/user\/([^/]+)$/.exec(path) ?? [];
    if (user === undefined) return undefined;
    const name = decodeURIComponent(user);
    const own = rows.submissions.filter((row) => row.user === name);
    if (own.length === 0 && !rows.users?.includes(name)) return missing;
    const contests = rows.taken?.[name] ?? [];
    return answered({ object: { username: name, solved_problems: solvedIn(own, rows), contests } });
  };
}

export const dmojRow = (id: number, problem: string, at: number, result = 'AC') => ({
  id,
  problem,
  user: 'ada',
  date: new Date(at).toISOString(),
  language: 'PY3',
  time: 0.1,
  memory: 1,
  points: 1,
  result,
  contest: null,
});
