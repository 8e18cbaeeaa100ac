/** yukicoder as its API answers (yukicoder.me/api/swagger.yaml): all solved problems of a user in one list. */
import type { ReplayedJudge } from './replay.ts';

export function replayYukicoder(solved: Readonly<Record<string, readonly object[]>>): ReplayedJudge {
  return (path) => {
    const [, user] = /^\/solved\/name\/([^/]+)$/.exec(path) ?? [];
    if (user === undefined) return undefined;
    const rows = solved[decodeURIComponent(user)];
    return rows ? { body: rows } : { status: 404, body: { Message: 'NotFound' } };
  };
}

export const solvedRow = (No: number, second: number, more: object = {}) => ({
  No,
  ProblemId: No + 16,
  Title: `Task ${No}`,
  AuthorId: 10,
  TesterIds: '',
  Level: 2.5,
  ProblemType: 0,
  Tags: 'DP,Graph',
  Date: `${new Date(second * 1000 + 9 * 3_600_000).toISOString().slice(0, 19)}+09:00`,
  ...more,
});
