/** LeetCode as its GraphQL answers: the newest accepted submissions of a user, whatever number is asked for. So does leetcode.cn. */
import type { ReplayedJudge } from './replay.ts';

export interface LeetCodeRow {
  title: string;
  titleSlug: string;
  timestamp: string;
  statusDisplay: string;
  lang: string;
}

const shown = 20;
/** The real limit of leetcode.cn is unknown; this one is lower. */
const shownThere = 15;

/** All words of the queries that it knows; a schema is shown to nobody. */
const words = `query recentAcSubmissions username String limit Int matchedUser recentAcSubmissionList
  title titleSlug timestamp lang statusDisplay`.split(/\s+/);

/** The rows of each user, in any order; null where the user hides them. `contests` are answers of `/contest/api/info/`. */
export function replayLeetCode(
  accepted: Readonly<Record<string, readonly LeetCodeRow[] | null>>,
  contests: Readonly<Record<string, object>> = {},
): ReplayedJudge {
  return (path, _query, { method, headers, body }) => {
    const [, contest] = /^\/contest\/api\/info\/([^/]+)\/$/.exec(path) ?? [];
    if (contest !== undefined) return { body: contests[contest] ?? { error: 'Contest does not exist' } };
    if (path !== '/graphql') return undefined;
    if (method !== 'POST' || headers['content-type'] !== 'application/json' || !headers.referer)
      return { status: 400, body: '<!DOCTYPE html><html>Bad Request</html>' };
    const { query, variables } = JSON.parse(body) as { query: string; variables: { username: string } };
    const unknown = query.match(/\w+/g)?.find((word) => !words.includes(word));
    if (unknown !== undefined)
      return { status: 400, body: { errors: [{ message: `Cannot query field "${unknown}" on type "Query".` }] } };
    const { username } = variables;
    const rows = accepted[username];
    if (rows === undefined) {
      const message = 'That user does not exist.';
      return { body: { errors: [{ message }], data: { matchedUser: null, recentAcSubmissionList: null } } };
    }
    const newest = rows?.toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp)).slice(0, shown);
    return { body: { data: { matchedUser: { username }, recentAcSubmissionList: newest ?? null } } };
  };
}

export const acceptedRow = (titleSlug: string, second: number): LeetCodeRow => ({
  title: `The ${titleSlug}`,
  titleSlug,
  timestamp: String(second),
  statusDisplay: 'Accepted',
  lang: 'rust',
});

/** leetcode.cn has two gateways: one for submissions, which says nothing of somebody unknown, and one for profiles. */
export function replayLeetCodeCn(accepted: Readonly<Record<string, readonly LeetCodeRow[] | null>>): ReplayedJudge {
  return (path, _query, { method, headers, body }) => {
    if (method !== 'POST' || headers.referer !== 'https://leetcode.cn')
      return { status: 403, body: '<!DOCTYPE html><html>Forbidden</html>' };
    const { userSlug } = JSON.parse(body).variables as { userSlug: string };
    const rows = accepted[userSlug];
    if (path === '/graphql/') {
      const profile = { profile: { userSlug } };
      return { body: { data: { userProfilePublicProfile: rows === undefined ? null : profile } } };
    }
    if (path !== '/graphql/noj-go/') return undefined;
    const newest = rows?.toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp));
    const recentACSubmissions = newest?.slice(0, shownThere).map(({ title, titleSlug, timestamp }) => ({
      submissionId: 600_000_000 + Number(timestamp),
      submitTime: Number(timestamp),
      question: { title, translatedTitle: '两数之和', titleSlug, questionFrontendId: '1' },
    }));
    return { body: { data: { recentACSubmissions: recentACSubmissions ?? null } } };
  };
}
