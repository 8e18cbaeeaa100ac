/** LeetCode: accepted submissions in the shapes of its GraphQL, and ratings as zerotrac/leetcode_problem_rating has them. */
import { phrase } from '../errors.ts';
import { codeforces } from './codeforces.ts';
import { listingOf, secondsOf, titleOf } from './contest-listings.ts';
import { noUser, oddAnswer, rowsIn, settledJsonOf } from './faults.ts';
import {
  integerOf,
  matchOf,
  numberOf,
  objectOf,
  optionalText,
  textOf,
  timeOf,
  withoutContest,
} from './fields.ts';
import type {
  AskJudge,
  ContestListing,
  Fetched,
  Judge,
  JudgeAnswer,
  JudgeApi,
  Known,
  ListedContest,
  ListedProblem,
  Submission,
} from './judge.ts';

/* How LeetCode is asked. It documents no interface; its own pages, and many clients, ask in this way. */

const siteName = 'LeetCode';
const site = 'https://leetcode.com';
/** Accepted submissions in an answer, whatever number is asked for. */
const shownAtMost = 20;
const hourMs = 3_600_000;
/** The first second of the year 10000, which no date here can have. */
const endOfTime = 253_402_300_800;
const query = `query recentAcSubmissions($username: String!, $limit: Int!) {
  matchedUser(username: $username) { username }
  recentAcSubmissionList(username: $username, limit: $limit) { title titleSlug timestamp lang statusDisplay }
}`;

interface Cursor {
  /** The time of the newest submission that is here, in seconds. */
  through: number;
  /** All submissions since this second are here. */
  since: number;
}

interface Row {
  timestamp: unknown;
}

const leetcodeApi: JudgeApi = {
  baseUrl: site,
  // Twenty requests a minute (aropan/clist, legacy of its crawler of LeetCode).
  intervalMs: 3000,
  headers: { 'Content-Type': 'application/json', Referer: site },
  submissions,
  upcoming,
  newest: {
    atMost: shownAtMost,
    pauseAtMostMs: hourMs,
    allSince: (cursor) => new Date((cursor as Cursor).since * 1000).toISOString(),
  },
};

/** One answer with the newest accepted submissions. Where none of them is known already, some before them may be lost. */
async function* submissions(ask: AskJudge, handle: string, known: Known): AsyncGenerator<Fetched> {
  const body = JSON.stringify({ query, variables: { username: handle, limit: shownAtMost } });
  const { text, rows } = await ask('/graphql', (answer) => newestIn(answer, handle), {
    method: 'POST',
    body,
  });
  const kept = known.cursor as Cursor | undefined;
  const times = rows.map(({ timestamp }) => Number(timestamp)).filter((time) => time > 0 && time < endOfTime);
  const now = Math.floor(known.now.getTime() / 1000);
  const oldest = Math.min(...times, now);
  const isCut = rows.length >= shownAtMost && (!kept || oldest > kept.through);
  const cursor: Cursor = {
    through: Math.max(kept?.through ?? 0, ...times),
    since: isCut ? oldest : (kept?.since ?? oldest),
  };
  yield { file: 'submissions', text, cursor };
}

function newestIn(answer: JudgeAnswer, handle: string): { text: string; rows: Row[] } {
  const { data, errors } = Object(settledJsonOf(answer, siteName)) as { data?: unknown; errors?: unknown };
  const said = JSON.stringify(errors ?? '').slice(0, 300);
  const { matchedUser, recentAcSubmissionList: list } = Object(data) as Record<string, unknown>;
  if (/does not exist/i.test(said) || (matchedUser === null && list === null)) throw noUser(siteName, handle);
  const { username } = Object(matchedUser) as { username?: unknown };
  if (typeof username === 'string' && username.toLowerCase() !== handle.toLowerCase())
    throw oddAnswer(siteName, phrase('odd.otherUser', { user: JSON.stringify(username).slice(0, 100) }));
  // A member can hide the list.
  const isHidden = list === null && errors === undefined;
  const rows = isHidden ? [] : (rowsIn(list, siteName, 'titleSlug') as Row[]);
  return { text: isHidden ? '{"data":{"recentAcSubmissionList":[]}}' : answer.text, rows };
}

const contestsQuery =
  'query contestV2UpcomingContests { contestV2UpcomingContests { title titleSlug startTime duration } }';

function upcoming(ask: AskJudge): Promise<ContestListing> {
  const body = JSON.stringify({ query: contestsQuery, variables: {} });
  const read = (answer: JudgeAnswer) => {
    const { data } = Object(settledJsonOf(answer, siteName)) as { data?: unknown };
    const rows = rowsIn(Object(data).contestV2UpcomingContests, siteName, 'titleSlug');
    return listingOf(rows, (value): ListedContest => {
      const row = objectOf(value);
      const key = slugOf(row['titleSlug'], 'titleSlug');
      return {
        ...{ source: 'leetcode', key, url: `${site}/contest/${key}/`, title: titleOf(row['title'], 'title') },
        starts_at: timeOf(row['startTime'], 'startTime'),
        duration_s: secondsOf(row['duration']),
      };
    });
  };
  return ask('/graphql', read, { method: 'POST', body });
}

/* The shapes of its files, and its addresses. */

const longestId = 100;

export const leetcode = {
  name: 'LeetCode',
  site: siteName,
  short: 'LC',
  hasEditorials: true,
  rating: 'LeetCode rating',
  bands: codeforces.bands,
  handle: {
    pattern: /^[A-Za-z0-9_.-]{1,60}$/,
    form: 'dots',
    most: 60,
    pageOf: (handle) => `${site}/u/${encodeURIComponent(handle)}/`,
  },
  verdicts: { Accepted: 'accepted' },
  problemPage: (key) => `${site}/problems/${encodeURIComponent(key)}/`,
  api: leetcodeApi,
  files: {
    /** The ratings of problems that were set in contests. */
    ratings: {
      holds: 'catalogue',
      title: phrase('file.ratings'),
      from: 'https://raw.githubusercontent.com/zerotrac/leetcode_problem_rating/main/data.json',
      keys: ['TitleSlug', 'Rating'],
      target: { path: [], decimals: ['Rating'] },
      entryOf: ratedOf,
    },
    submissions: {
      holds: 'submissions',
      title: 'recentAcSubmissionList',
      keys: ['recentAcSubmissionList'],
      target: { path: ['data', 'recentAcSubmissionList'] },
      entryOf: submissionOf,
    },
    /** The same from leetcode.cn, where people have other names and the problems are the same. */
    'cn-submissions': {
      holds: 'submissions',
      title: phrase('file.ofSite', { name: 'recentACSubmissions', site: 'leetcode.cn' }),
      keys: ['recentACSubmissions'],
      target: { path: ['data', 'recentACSubmissions'] },
      entryOf: chineseOf,
    },
  },
} satisfies Judge;

function ratedOf(value: unknown): ListedProblem {
  const problem = objectOf(value);
  const key = slugOf(problem['TitleSlug'], 'TitleSlug');
  return {
    columns: {
      source_key: key,
      title: textOf(problem['Title'], 'Title', 500),
      url: leetcode.problemPage(key),
      rating: BigInt(Math.round(numberOf(problem['Rating'], 'Rating', 0, 10_000))),
    },
  };
}

function submissionOf(value: unknown): Submission {
  const row = objectOf(value);
  const seconds = matchOf(row['timestamp'], 'timestamp', /^\d{1,12}$/, phrase('expected.seconds'));
  const verdict = optionalText(row['statusDisplay'], 'statusDisplay', 100) ?? 'Accepted';
  return {
    ...solved(row, Number(seconds), 'timestamp'),
    verdictClass: verdict === 'Accepted' ? 'solved' : 'tried',
    verdict,
    language: optionalText(row['lang'], 'lang', 200),
  };
}

function chineseOf(value: unknown): Submission {
  const row = objectOf(value);
  const seconds = integerOf(row['submitTime'], 'submitTime');
  return solved(objectOf(row['question'], 'question'), seconds, 'submitTime');
}

/** An accepted submission. Its id is made of its second and problem, since not every list has the judge's own. */
function solved(problem: Record<string, unknown>, seconds: number, name: string): Submission {
  const key = slugOf(problem['titleSlug'], 'titleSlug');
  return {
    id: `${seconds}-${key}`.slice(0, longestId),
    key,
    handles: [],
    submittedAt: timeOf(seconds, name),
    ...withoutContest,
    verdictClass: 'solved',
    verdict: 'Accepted',
    language: null,
    problem: { title: textOf(problem['title'], 'title', 500) },
  };
}

function slugOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[\w-]{1,100}$/, phrase('expected.slug')).toLowerCase();
}
