/** LeetCode as its GraphQL answers: the twenty newest accepted submissions of a user, whatever number is asked for. */
import type { ReplayedJudge } from './replay.ts';

export interface LeetCodeRow {
  title: string;
  titleSlug: string;
  timestamp: string;
  statusDisplay: string;
  lang: string;
}

const shown = 20;

/** The rows of each user, in any order; null where the user hides them. */
export function replayLeetCode(accepted: Readonly<Record<string, readonly LeetCodeRow[] | null>>): ReplayedJudge {
  return (path, _query, { method, headers, body }) => {
    if (path !== '/graphql') return undefined;
    if (method !== 'POST' || headers['content-type'] !== 'application/json' || !headers.referer)
      return { status: 400, body: '<!DOCTYPE html><html>Bad Request</html>' };
    const { username } = JSON.parse(body).variables as { username: string };
    const rows = accepted[username];
    if (rows === undefined) {
      const message = 'That user does not exist.';
      return { body: { errors: [{ message }], data: { matchedUser: null, recentAcSubmissionList: null } } };
    }
    const newest = rows?.toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp)).slice(0, shown);
    return { body: { data: { matchedUser: { username }, recentAcSubmissionList: newest ?? null } } };
  };
}

/** An accepted submission as LeetCode lists it. */
export const acceptedRow = (titleSlug: string, second: number): LeetCodeRow => ({
  ...{
    title: `The ${titleSlug}`,
    titleSlug,
    timestamp: String(second),
    statusDisplay: 'Accepted',
    lang: 'rust',
  },
});
