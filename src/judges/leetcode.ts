/** LeetCode, by the undocumented GraphQL of its pages, and ratings of zerotrac/leetcode_problem_rating. */
import { hourMs } from '../durations.ts';
import { message } from '../errors.ts';
import { codeforces } from './codeforces.ts';
import { contestListing, secondsOf, titleOf } from './contest-listings.ts';
import { badRowAsOddAnswer, entriesIn, oddAnswer, parseUnlessBusy, rowsIn, unknownHandle } from './faults.ts';
import { cutText, cutTextOf, listOf, matchOf, numberOf, objectOf, timeOf, withoutContest } from './fields.ts';
import type {
  CatalogueEntry,
  ContestListing,
  ContestWithProblems,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeBranch,
  JudgeClient,
  ProblemDetails,
  Submission,
  SyncState,
  UpcomingContest,
} from './judge.ts';

const siteName = 'LeetCode';
const site = 'https://leetcode.com';
/** The Chinese site has the same problems and other users. */
const chinesePrefix = 'leetcode.cn/';
const branch: JudgeBranch = {
  suffix: 'cn',
  site: 'leetcode.cn',
  handlePrefix: chinesePrefix,
  baseUrl: 'https://leetcode.cn',
};
/** LeetCode returns no more, whatever the limit is. */
const recentAtMost = 20;
const secondsOfYear10000 = 253_402_300_800;
const query = `query recentAcSubmissions($username: String!, $limit: Int!) {
  matchedUser(username: $username) { username }
  recentAcSubmissionList(username: $username, limit: $limit) { title titleSlug timestamp lang statusDisplay }
}`;

const chinaQuery = `query recentAcSubmissions($userSlug: String!) {
  recentACSubmissions(userSlug: $userSlug) {
    submissionId submitTime question { title translatedTitle titleSlug questionFrontendId }
  }
}`;
const chinaProfileQuery = `query userPublicProfile($userSlug: String!) {
  userProfilePublicProfile(userSlug: $userSlug) { profile { userSlug } }
}`;

/** Submissions from `since` to `through` are stored. Times are seconds since 1970. */
interface Cursor {
  through: number;
  since: number;
}

interface LatestRows {
  text: string;
  times: number[];
  pageSize: number;
}

const leetcodeApi: JudgeApi = {
  baseUrl: site,
  // The limit is that of aropan/clist's crawler: twenty a minute.
  intervalMs: 3000,
  headers: { 'Content-Type': 'application/json', Referer: site },
  submissions,
  upcoming,
  contest,
  branch,
  recentLimit: {
    submissionsAtMost: recentAtMost,
    intervalAtMostMs: hourMs,
    completeSince: (cursor) => new Date((cursor as Cursor).since * 1000).toISOString(),
  },
};

/** If none of the rows is stored, some before them may be missing. */
async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const isChinese = handle.startsWith(chinesePrefix);
  const latest = await (isChinese
    ? newestInChina(ask, handle.slice(chinesePrefix.length))
    : newest(ask, handle));
  const previous = state.cursor as Cursor | undefined;
  const times = latest.times.filter((time) => time > 0 && time < secondsOfYear10000);
  const now = Math.floor(state.now.getTime() / 1000);
  const oldest = Math.min(...times, now);
  const mayMissOlder = latest.times.length >= latest.pageSize && (!previous || oldest > previous.through);
  const cursor: Cursor = {
    through: Math.max(previous?.through ?? 0, ...times),
    since: mayMissOlder ? oldest : (previous?.since ?? oldest),
  };
  yield { file: isChinese ? 'cn-submissions' : 'submissions', text: latest.text, cursor };
}

function newest(ask: JudgeClient, handle: string): Promise<LatestRows> {
  const body = JSON.stringify({ query, variables: { username: handle, limit: recentAtMost } });
  return ask('/graphql', (answer) => newestIn(answer, handle), { method: 'POST', body });
}

function newestIn(answer: JudgeAnswer, handle: string): LatestRows {
  const { data, errors } = dataIn(answer, siteName);
  const { matchedUser, recentAcSubmissionList: list } = data;
  if (unknownUser.test(errors) || (matchedUser === null && list === null))
    throw unknownHandle(siteName, handle);
  if (list === undefined) assertNoErrors(errors, siteName);
  const { username } = Object(matchedUser) as { username?: unknown };
  assertSame(username, handle, siteName);
  const isHidden = list === null && errors === '';
  const rows = isHidden ? [] : rowsIn(list, siteName, 'titleSlug');
  const text = isHidden ? '{"data":{"recentAcSubmissionList":[]}}' : answer.text;
  const times = rows.map((row) => Number((row as { timestamp: unknown }).timestamp));
  return { text, times, pageSize: recentAtMost };
}

/** This gateway does not say whether the user exists, but `/graphql/` does. */
async function newestInChina(ask: JudgeClient, name: string): Promise<LatestRows> {
  const requestOf = (query: string) => {
    const body = JSON.stringify({ query, variables: { userSlug: name } });
    return { method: 'POST', headers: { Referer: branch.baseUrl }, body } as const;
  };
  const latest = await ask('/graphql/noj-go/', (answer) => rowsInChina(answer, name), requestOf(chinaQuery));
  if (latest) return latest;
  await ask('/graphql/', (answer) => assertUserInChina(answer, name), requestOf(chinaProfileQuery));
  return { text: '{"data":{"recentACSubmissions":[]}}', times: [], pageSize: 1 };
}

function rowsInChina(answer: JudgeAnswer, name: string): LatestRows | undefined {
  const { data, errors } = dataIn(answer, branch.site);
  if (unknownUser.test(errors)) throw unknownHandle(branch.site, name);
  const { recentACSubmissions: list } = data;
  if (list === undefined) assertNoErrors(errors, branch.site);
  if (list === null && errors === '') return undefined;
  const rows = rowsIn(list, branch.site, 'submitTime');
  if (rows.length === 0) return undefined;
  const times = rows.map((row) => Number((row as { submitTime: unknown }).submitTime));
  return { text: answer.text, times, pageSize: 1 };
}

function assertUserInChina(answer: JudgeAnswer, name: string): void {
  const { data, errors } = dataIn(answer, branch.site);
  const { userProfilePublicProfile: user } = data;
  if (unknownUser.test(errors) || (user === null && errors === '')) throw unknownHandle(branch.site, name);
  const { userSlug } = Object(Object(user).profile) as { userSlug?: unknown };
  if (userSlug === undefined) throw oddAnswer(branch.site, message('odd.lacks', { field: 'userSlug' }));
  assertSame(userSlug, name, branch.site);
}

function dataIn(answer: JudgeAnswer, judge: string): { data: Record<string, unknown>; errors: string } {
  const { data, errors } = Object(parseUnlessBusy(answer, judge)) as { data?: unknown; errors?: unknown };
  return {
    data: Object(data),
    errors: (errors ?? null) === null ? '' : JSON.stringify(errors).slice(0, 300),
  };
}

const unknownUser = /does not exist|不存在/i;

/** An error such as “Cannot query field” says what LeetCode has changed. */
function assertNoErrors(errors: string, judge: string): void {
  const [, reason] = /"message":("(?:[^"\\]|\\.){1,200}")/.exec(errors) ?? [];
  if (reason !== undefined)
    throw oddAnswer(judge, message('odd.says', { said: JSON.parse(reason) as string }));
}

function assertSame(user: unknown, handle: string, judge: string): void {
  if (typeof user === 'string' && user.toLowerCase() !== handle.toLowerCase())
    throw oddAnswer(judge, message('odd.otherUser', { user: JSON.stringify(user).slice(0, 100) }));
}

const contestsQuery =
  'query contestV2UpcomingContests { contestV2UpcomingContests { title titleSlug startTime duration } }';

function upcoming(ask: JudgeClient): Promise<ContestListing> {
  const body = JSON.stringify({ query: contestsQuery, variables: {} });
  const read = (answer: JudgeAnswer) => {
    const { data } = Object(parseUnlessBusy(answer, siteName)) as { data?: unknown };
    const rows = entriesIn(Object(data).contestV2UpcomingContests, siteName, 'titleSlug');
    return contestListing(rows, (value): UpcomingContest => {
      const row = objectOf(value);
      const key = slugOf(row['titleSlug'], 'titleSlug');
      return {
        source: 'leetcode',
        key,
        url: `${site}/contest/${key}/`,
        title: titleOf(row['title'], 'title'),
        starts_at: timeOf(row['startTime'], 'startTime'),
        duration_s: secondsOf(row['duration']),
      };
    });
  };
  return ask('/graphql', read, { method: 'POST', body });
}

/** LeetCode's pages read this address. The problems are missing until the contest begins. */
function contest(ask: JudgeClient, slug: string): Promise<ContestWithProblems | undefined> {
  return ask(`/contest/api/info/${encodeURIComponent(slug)}/`, (answer) => {
    const { contest, questions } = Object(parseUnlessBusy(answer, siteName)) as Record<string, unknown>;
    if (contest === undefined) return undefined;
    return badRowAsOddAnswer(siteName, () => {
      const row = objectOf(contest, 'contest');
      const problems = listOf(questions, 'questions').map((value, at) => {
        const problem = objectOf(value, 'question');
        const key = slugOf(problem['title_slug'], 'title_slug');
        const title = cutText(problem['title'], 500) ?? key;
        return { key, title, url: leetcode.problemPage(key), position: `Q${at + 1}` };
      });
      return {
        title: titleOf(row['title'], 'title'),
        phase: null,
        problems,
        starts_at: timeOf(row['start_time'], 'start_time'),
        duration_s: secondsOf(row['duration']),
      };
    });
  });
}

const longestId = 100;

export const leetcode = {
  name: 'LeetCode',
  site: siteName,
  short: 'LC',
  hasEditorials: true,
  ratingName: 'LeetCode rating',
  bands: codeforces.bands,
  handle: {
    pattern: /^(?:leetcode\.cn\/)?[A-Za-z0-9_.-]{1,60}$/,
    form: 'branch',
    most: 60,
    pageOf: (handle) => {
      const home = handle.startsWith(chinesePrefix) ? branch.baseUrl : site;
      return `${home}/u/${encodeURIComponent(handle.slice(handle.indexOf('/') + 1))}/`;
    },
  },
  verdicts: { Accepted: 'accepted' },
  problemPage: (key) => pageAt(isChineseSlug(key) ? branch.baseUrl : site, key),
  renamesProblems: true,
  contestPage: (contest) => `${site}/contest/${encodeURIComponent(contest)}/`,
  api: leetcodeApi,
  files: {
    ratings: {
      kind: 'catalogue',
      title: message('file.ratings'),
      sourceUrl: 'https://raw.githubusercontent.com/zerotrac/leetcode_problem_rating/main/data.json',
      keys: ['TitleSlug', 'Rating'],
      layout: { path: [], decimals: ['Rating'] },
      entryOf: ratedProblemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'recentAcSubmissionList',
      keys: ['recentAcSubmissionList'],
      layout: { path: ['data', 'recentAcSubmissionList'] },
      entryOf: submissionOf,
    },
    'cn-submissions': {
      kind: 'submissions',
      isOfBranch: true,
      title: message('file.ofSite', { name: 'recentACSubmissions', site: 'leetcode.cn' }),
      keys: ['recentACSubmissions'],
      layout: { path: ['data', 'recentACSubmissions'] },
      entryOf: chineseSubmissionOf,
    },
  },
} satisfies Judge;

function ratedProblemOf(value: unknown): CatalogueEntry {
  const problem = objectOf(value);
  const key = slugOf(problem['TitleSlug'], 'TitleSlug');
  return {
    columns: {
      source_key: key,
      title: cutTextOf(problem['Title'], 'Title', 500),
      url: leetcode.problemPage(key),
      rating: BigInt(Math.round(numberOf(problem['Rating'], 'Rating', 0, 10_000))),
    },
  };
}

function submissionOf(value: unknown): Submission {
  const row = objectOf(value);
  const key = slugOf(row['titleSlug'], 'titleSlug');
  const verdict = cutText(row['statusDisplay'], 100) ?? 'Accepted';
  const title = cutText(row['title'], 500);
  return {
    ...solvedSubmission(key, row['timestamp'], 'timestamp'),
    verdictClass: verdict === 'Accepted' ? 'solved' : 'tried',
    verdict,
    language: cutText(row['lang'], 200),
    problem: title === null ? {} : { title },
  };
}

function chineseSubmissionOf(value: unknown): Submission {
  const row = objectOf(value);
  const question = objectOf(row['question'], 'question');
  const key = slugOf(question['titleSlug'], 'titleSlug');
  const englishTitle = cutText(question['title'], 500);
  const chineseTitle = cutText(question['translatedTitle'], 500);
  // Problems of the Chinese site alone have their slug as the English title, or none, and a number such as LCR 001.
  const title = (englishTitle === key ? null : englishTitle) ?? chineseTitle ?? englishTitle;
  const problem: ProblemDetails = {};
  if (title !== null) problem.title = title;
  if (!/^\d*$/.test(cutText(question['questionFrontendId'], 100) ?? ''))
    problem.url = pageAt(branch.baseUrl, key);
  return {
    ...solvedSubmission(key, row['submitTime'], 'submitTime'),
    problem,
  };
}

/** Only the Chinese list has ids, so the id is made of second and problem. */
function solvedSubmission(key: string, time: unknown, name: string): Submission {
  const seconds = typeof time === 'string' && /^\d{1,12}$/.test(time) ? Number(time) : time;
  return {
    id: `${seconds}-${key}`.slice(0, longestId),
    key,
    handles: [],
    submittedAt: timeOf(seconds, name),
    ...withoutContest,
    verdictClass: 'solved',
    verdict: 'Accepted',
    language: null,
  };
}

function slugOf(value: unknown, name: string): string {
  const slug = matchOf(value, name, /^[\w-]{1,100}$/, message('expected.slug'));
  return isChineseSlug(slug) ? slug : slug.toLowerCase();
}

/** Such as xoh6Oh, of a problem that only the Chinese site has. */
const isChineseSlug = (slug: string) => /[A-Z]/.test(slug) && /^[A-Za-z\d]{6}$/.test(slug);

const pageAt = (home: string, key: string) => `${home}/problems/${encodeURIComponent(key)}/`;
