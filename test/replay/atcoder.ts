/** AtCoder Problems as its API answers (kenkoooo/AtCoderProblems, doc/api.md): 500 submissions at a time from a second on. */
import type { Answered, ReplayedJudge } from './replay.ts';

interface Row {
  id: number;
  epoch_second: number;
  user_id: string;
  problem_id?: string;
}

export interface AtCoderRows {
  submissions: Row[];
  history?: Record<string, unknown[]>;
  resources?: Record<string, unknown>;
}

export const acceptedRow = (id: number, user_id: string, epoch_second: number) => ({
  id,
  epoch_second,
  problem_id: 'abc001_a',
  contest_id: 'abc001',
  user_id,
  language: 'C++',
  point: 100,
  length: 1,
  result: 'AC',
  execution_time: 1,
});

function lackIn(query: URLSearchParams, ...names: string[]): Answered | undefined {
  const lacking = names.find((name) => !query.has(name));
  return lacking === undefined ? undefined : { status: 400, body: `missing field \`${lacking}\`` };
}

export function replayAtCoder(rows: AtCoderRows, pageSize = 500): ReplayedJudge {
  let pages = 0;
  return (path, query, { headers }) => {
    if (!String(headers['accept-encoding']).includes('gzip')) return { status: 403, body: 'Forbidden' };
    const [, resource] = /^\/resources\/([\w-]+)\.json$/.exec(path) ?? [];
    if (resource !== undefined) return { body: rows.resources?.[resource] ?? [] };
    const second = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const user = query.get('user')?.toLowerCase();
    const own = rows.submissions.filter(
      ({ user_id, epoch_second }) =>
        user_id.toLowerCase() === user &&
        epoch_second >= second('from_second', 0) &&
        epoch_second < second('to_second', Number.MAX_SAFE_INTEGER),
    );
    if (path === '/atcoder-api/v3/user/submission_count')
      return lackIn(query, 'user', 'from_second', 'to_second') ?? { body: { count: own.length } };
    if (path === '/atcoder-api/v3/user/submissions') {
      const lack = lackIn(query, 'user', 'from_second');
      if (lack) return lack;
      // The order inside one second is undefined, so it differs between the pages.
      const turned = pages++ % 2 === 0 ? own : own.toReversed();
      return { body: turned.toSorted((a, b) => a.epoch_second - b.epoch_second).slice(0, pageSize) };
    }
    const [, rated] = /^\/users\/([^/]+)\/history\/json$/.exec(path) ?? [];
    if (rated !== undefined) return { body: rows.history?.[rated] ?? [] };
    const [, from] = /^\/atcoder-api\/v3\/from\/(\d+)$/.exec(path) ?? [];
    if (from !== undefined) {
      const later = rows.submissions.filter(({ epoch_second }) => epoch_second >= Number(from));
      return { body: later.toSorted((a, b) => a.epoch_second - b.epoch_second).slice(0, 1000) };
    }
    if (path === '/atcoder-api/v3/recent')
      return { body: rows.submissions.toSorted((a, b) => b.id - a.id).slice(0, 1000) };
    if (path === '/atcoder-api/v3/users_and_time') {
      const lack = lackIn(query, 'users', 'problems', 'from', 'to');
      if (lack) return lack;
      const [users = [], problems = []] = ['users', 'problems'].map((name) => query.get(name)?.split(','));
      if (users.length > 1000 || problems.length > 1000) return { status: 400, body: 'too many' };
      const found = rows.submissions.filter(
        ({ user_id, problem_id = '', epoch_second: at }) =>
          users.some((user) => user.toLowerCase() === user_id.toLowerCase()) &&
          problems.includes(problem_id) &&
          at >= second('from', 0) &&
          at <= second('to', 0),
      );
      return { body: found.slice(0, 10_000) };
    }
    return undefined;
  };
}
