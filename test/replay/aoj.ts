/** AOJ as its API answers (developers.u-aizu.ac.jp): pages of a user's submissions, the newest first. */
import type { ReplayedJudge } from './replay.ts';

export interface AojRow {
  judgeId: number;
  judgeType: number;
  userId: string;
  problemId: string;
  submissionDate: number;
  language: string;
  status: number;
  cpuTime: number;
  memory: number;
  codeSize: number;
  judgeDate: number;
  score: number;
  problemTitle: string | null;
  token: string | null;
}

export interface AojRows {
  submissions: AojRow[];
  users?: string[];
}

export function replayAoj(rows: AojRows, pageSize = 1000): ReplayedJudge {
  return (path, query) => {
    const [, place, user] = /^\/(submission_records\/users|users)\/([^/]+)$/.exec(path) ?? [];
    if (user === undefined) return undefined;
    const name = decodeURIComponent(user);
    const own = rows.submissions.filter(({ userId }) => userId === name);
    if (place !== 'users') {
      const newestFirst = own.toSorted((one, other) => other.judgeId - one.judgeId);
      const from = Number(query.get('page')) * pageSize;
      return { body: newestFirst.slice(from, from + pageSize) };
    }
    if (own.length > 0 || rows.users?.includes(name)) return { body: { id: name } };
    return {
      status: 404,
      body: [{ id: 1401, code: 'USER_NOT_FOUND_ERROR', message: 'The user does not exist.' }],
    };
  };
}

export const aojRow = (judgeId: number, problemId: string, status: number, at: number): AojRow => ({
  judgeId,
  judgeType: 1,
  userId: 'ada',
  problemId,
  submissionDate: at,
  language: 'C++17',
  status,
  cpuTime: 1,
  memory: 3000,
  codeSize: 100,
  judgeDate: at + 1000,
  score: 0,
  problemTitle: null,
  token: null,
});
