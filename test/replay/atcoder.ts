/** AtCoder Problems as its API answers (kenkoooo/AtCoderProblems, doc/api.md): 500 submissions at a time from a second on. */
import type { Answered, ReplayedJudge } from './replay.ts';

interface Row {
  id: number;
  epoch_second: number;
  user_id: string;
}

export interface AtCoderRows {
  submissions: Row[];
  history?: Record<string, unknown[]>;
  resources?: Record<string, unknown>;
}

export function replayAtCoder(rows: AtCoderRows, pageSize = 500): ReplayedJudge {
  let pages = 0;
  return (path, query) => {
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
    if (path === '/atcoder-api/v3/user/submission_count') return { body: { count: own.length } };
    if (path === '/atcoder-api/v3/user/submissions') {
      if (!query.has('from_second')) return { status: 400, body: 'from_second is missing' } satisfies Answered;
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
    if (path === '/atcoder-api/v3/recent') {
      return { body: rows.submissions.toSorted((a, b) => b.epoch_second - a.epoch_second).slice(0, 1000) };
    }
    return undefined;
  };
}
