/** DMOJ and sites with the same software (docs.dmoj.ca/#/site/api). */
import { dayMs, minuteMs } from '../durations.ts';
import { message } from '../errors.ts';
import { contestListing, startedFrom, titleAndTimesOf } from './contest-listings.ts';
import {
  accessDenied,
  badRowAsOddAnswer,
  entriesIn,
  oddAnswer,
  parseUnlessBusy,
  readAnswerRows,
  unknownHandle,
} from './faults.ts';
import {
  cutText,
  cutTextOf,
  handlesIn,
  integerOf,
  isoTimeOf,
  listOf,
  matchOf,
  objectOf,
  personRatingOf,
  readRows,
  textOf,
  topicsJson,
  verdictClassOf,
} from './fields.ts';
import type {
  CatalogueEntry,
  ContestListing,
  ContestWithProblems,
  FeedAnswer,
  FeedRow,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  RatedContest,
  ReadRows,
  Submission,
  SyncState,
  UpcomingContest,
} from './judge.ts';
import { contestIdMax, fullSyncEveryMs, longestContestTitle, overlapMs } from './judge.ts';

const site = 'DMOJ';

/** Submissions until `through` are stored. Times are milliseconds since 1970. */
interface Cursor {
  /** The last submission's time on each page; empty where the site lists the newest first. */
  lasts: number[];
  through?: number;
  /** When a run last read the whole list. */
  wholeAt: number;
}

interface Row {
  id?: unknown;
  date?: unknown;
  end_time?: unknown;
  problem?: unknown;
  result?: unknown;
  rating?: unknown;
  user?: unknown;
}

const rowOf = (entry: unknown): Row => Object(entry);

const dmojApi: JudgeApi & { baseUrl: string } = {
  baseUrl: 'https://dmoj.ca',
  // "90 requests per minute"; above it, a captcha for three days.
  intervalMs: 700,
  submissions,
  async *problems(ask) {
    for (let page = 1; ; page++) {
      const { text, hasMore } = await ask(`/api/v2/problems?page=${page}`, (answer) =>
        pageOf(answer, 'code'),
      );
      yield { file: 'problems', text };
      if (!hasMore) return;
    }
  },
  ratings: { history },
  upcoming,
  contest,
  feed: {
    rowsAtMost: 1000,
    intervalMs: minuteMs,
    ownListMs: { active: dayMs, others: 7 * dayMs },
    // Only a user's list of solved problems says whether an AC has all points.
    isHint: true,
    newest: newestRows,
  },
};

/** The oldest are on the first page, and the number of pages is unknown, so the last one is found by bisection once. */
async function newestRows(ask: JudgeClient, _count: number, cursor: unknown): Promise<FeedAnswer> {
  const read = (page: number) =>
    ask(`/api/v2/submissions?page=${page}`, (one) => (isMissing(one) ? undefined : pageOf(one, 'id')));
  let page = typeof cursor === 'number' ? cursor : 1;
  let answer = await read(page);
  // Pages become fewer where submissions are deleted.
  if (!answer && page > 1) return newestRows(ask, _count, undefined);
  if (typeof cursor !== 'number' && answer?.hasMore) {
    if (isNewestFirst(answer.entries)) return { rows: feedRows(answer.entries), cursor: page };
    let beyond = 2;
    for (; (await read(beyond))?.hasMore; beyond *= 2) page = beyond;
    while (beyond - page > 1) {
      const middle = (page + beyond) >> 1;
      if ((await read(middle))?.hasMore) page = middle;
      else beyond = middle;
    }
    answer = await read(page);
  }
  const entries: unknown[] = [];
  for (let pages = 0; answer && pages < feedPagesAtMost; pages++) {
    entries.push(...answer.entries);
    if (!answer.hasMore || isNewestFirst(answer.entries)) break;
    answer = await read(++page);
  }
  return { rows: feedRows(entries), cursor: page };
}

const feedPagesAtMost = 5;

const isNewestFirst = (entries: readonly unknown[]): boolean =>
  Number(rowOf(entries[0]).id) > Number(rowOf(entries.at(-1)).id);

const feedRows = (entries: readonly unknown[]): FeedRow[] =>
  entries.map((value) => {
    const { id, date, user } = rowOf(value);
    return { id: Number(id), at: Date.parse(String(date)), handles: handlesIn(user), value };
  });

const contestsPerRequest = 50;

async function history(
  ask: JudgeClient,
  handle: string,
  stored: ReadonlyMap<string, RatedContest>,
): Promise<ReadRows<RatedContest>> {
  const { values: rated, skipped } = await ask(userPath(handle), (answer) => {
    const user = objectOf(dataOf(answer, handle).object ?? null, 'object');
    const all = badRowAsOddAnswer(site, () => listOf(user['contests'], 'contests'));
    return readAnswerRows(
      site,
      all.filter((entry) => entry === null || (rowOf(entry).rating ?? null) !== null),
      (value) => {
        const row = objectOf(value);
        const contest = textOf(row['key'], 'key', contestIdMax);
        return { contest, rating: personRatingOf(row['rating'], 'rating') };
      },
    );
  });
  const details = new Map([...stored].map(([key, { title, rated_at }]) => [key, { title, rated_at }]));
  const newKeys = rated.map(({ contest }) => contest).filter((key) => !stored.has(key));
  for (let prefix = 0; prefix < newKeys.length; prefix += contestsPerRequest) {
    const keys = newKeys
      .slice(prefix, prefix + contestsPerRequest)
      .map((key): [string, string] => ['key', key]);
    const path = `/api/v2/contests?${new URLSearchParams(keys)}`;
    const { entries } = await ask(path, (one) => pageOf(one, 'key'));
    const found = readRows(entries, (value) => {
      const row = objectOf(value);
      const key = textOf(row['key'], 'key', contestIdMax);
      const title = cutText(row['name'], longestContestTitle) ?? key;
      details.set(key, { title, rated_at: isoTimeOf(row['end_time'], 'end_time') });
    });
    skipped.push(...found.skipped);
  }
  const values = rated.flatMap((one) => {
    const detail = details.get(one.contest);
    return detail ? [{ ...one, ...detail, place: null }] : [];
  });
  return { values, skipped };
}

const contestPagesAtMost = 20;

async function upcoming(ask: JudgeClient, now: Date): Promise<ContestListing> {
  const rows: unknown[] = [];
  const from = startedFrom(now.getTime());
  let hasMore = true;
  for (let page = 1; hasMore && page <= contestPagesAtMost; page++) {
    const answer = await ask(`/api/v2/contests?page=${page}`, (one) => pageOf(one, 'key'));
    const isRecent = (entry: unknown) => !(Date.parse(String(rowOf(entry).end_time)) < Date.parse(from));
    rows.push(...answer.entries.filter(isRecent));
    hasMore = answer.hasMore;
  }
  const listing = contestListing(rows, (row) => contestOfList(row, ask.site), !hasMore);
  return { ...listing, startsAfter: from };
}

function contestOfList(value: unknown, baseUrl: string): UpcomingContest {
  const row = objectOf(value);
  const key = codeOf(row['key'], 'key');
  const times = ['start_time', 'end_time'].map((name) => isoTimeOf(row[name], name)) as [string, string];
  const seconds = (Date.parse(times[1]) - Date.parse(times[0])) / 1000;
  const url = `${baseUrl}/contest/${key}`;
  const fields = { titleField: 'name', startField: 'start_time', seconds: Math.round(seconds) };
  return { source: 'dmoj', key, url, ...titleAndTimesOf(row, fields) };
}

/** The API shows the problems once the contest is over. */
function contest(ask: JudgeClient, key: string): Promise<ContestWithProblems | undefined> {
  return ask(`/api/v2/contest/${encodeURIComponent(key)}`, (answer) => {
    if (isMissing(answer)) return undefined;
    const row = objectOf(dataOf(answer).object ?? null, 'object');
    return badRowAsOddAnswer(site, () => {
      const { title, starts_at, duration_s } = contestOfList(row, ask.site);
      const problems = listOf(row['problems'], 'problems').map((value, at) => {
        const problem = objectOf(value, 'problem');
        const code = codeOf(problem['code'], 'code');
        return {
          key: code,
          title: cutText(problem['name'], 500) ?? code,
          url: `${ask.site}/problem/${code}`,
          position: cutText(problem['label'], 10) ?? String(at + 1),
        };
      });
      return { title, starts_at, duration_s, phase: null, problems };
    });
  });
}

/** DMOJ lists the oldest first, so a run continues on the page of the last days; some sites reverse the order. */
async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const now = state.now.getTime();
  let { lasts, through, wholeAt } = (state.cursor ?? { lasts: [], wholeAt: now }) as Cursor;
  if (through !== undefined && now - wholeAt >= fullSyncEveryMs)
    [lasts, through, wholeAt] = [[], undefined, now];
  const readBackTo = through === undefined ? Number.NEGATIVE_INFINITY : through - overlapMs;
  let page =
    1 +
    (through === undefined
      ? lasts.length
      : Math.max(
          0,
          lasts.findIndex((last) => last >= readBackTo),
        ));
  let newest = through ?? 0;
  let solved: ReadonlySet<unknown> | null | undefined;
  for (;;) {
    const path = `/api/v2/submissions?user=${encodeURIComponent(handle)}&page=${page}`;
    const answer = await ask(path, (one) =>
      page > 1 && isMissing(one) ? undefined : pageOf(one, 'id', handle),
    );
    if (!answer) {
      [page, lasts] = [1, []];
      continue;
    }
    const { entries, hasMore } = answer;
    const times = entries.map((entry) => Date.parse(String(rowOf(entry).date))).filter(Number.isFinite);
    const isAccepted = (entry: unknown) => rowOf(entry).result === 'AC';
    // The list of an unknown user is empty too (judge/views/api/api_v2.py, ProfileSimpleFilter).
    if (solved === undefined && (entries.some(isAccepted) || (entries.length === 0 && page === 1)))
      solved = await solvedBy(ask, handle, entries.length > 0);
    const objects = entries.map((one) =>
      isAccepted(one) && !solved?.has(rowOf(one).problem) ? { ...rowOf(one), result: partial } : one,
    );
    const text = solved && entries.length > 0 ? JSON.stringify({ data: { objects } }) : answer.text;
    const [first = newest, last = newest] = [times[0], times.at(-1)];
    newest = Math.max(newest, first, last);
    const isNewestFirst = first > last;
    lasts = isNewestFirst ? [] : [...lasts.slice(0, page - 1), last];
    const isEnd = !hasMore || (isNewestFirst && last < readBackTo);
    const completeUntil = isEnd ? newest : through;
    const cursor: Cursor = { lasts, wholeAt, ...(completeUntil !== undefined && { through: completeUntil }) };
    yield { file: 'submissions', text, cursor };
    if (isEnd) return;
    page++;
  }
}

/** The verdict AC of a submission without all points of its tests, or of one that DMOJ archived. */
const partial = 'AC (partial)';

const userPath = (handle: string) => `/api/v2/user/${encodeURIComponent(handle)}`;

/**
 * Null at a site without this list. It has the problems with an AC of full points that is not archived
 * (judge/models/problem.py); the rows themselves say neither.
 */
function solvedBy(ask: JudgeClient, handle: string, isKnown: boolean): Promise<ReadonlySet<unknown> | null> {
  return ask(userPath(handle), (answer) => {
    if (isKnown && answer.status === 404 && !isMissing(answer)) return null;
    const { solved_problems: codes } = Object(dataOf(answer, handle).object) as { solved_problems?: unknown };
    return Array.isArray(codes) ? new Set(codes) : null;
  });
}

function isMissing(answer: JudgeAnswer): boolean {
  return answer.status === 404 && /^\s*\{/.test(answer.text);
}

function pageOf(answer: JudgeAnswer, field: string, handle?: string) {
  const { objects, has_more, page_index = 1, total_pages = 1 } = dataOf(answer, handle);
  const entries = entriesIn(objects, site, field);
  // Older versions have the number of pages instead.
  return {
    text: answer.text,
    entries,
    hasMore: entries.length > 0 && (has_more ?? page_index < total_pages),
  };
}

interface Data {
  object?: unknown;
  objects?: unknown;
  has_more?: boolean;
  page_index?: number;
  total_pages?: number;
}

function dataOf(answer: JudgeAnswer, handle?: string): Data {
  // "Token errors are plain text" (docs.dmoj.ca/#/site/api).
  if (/^[A-Z][a-z ]{1,60}$/.test(answer.text) && answer.status === 400)
    throw accessDenied(site, answer.status, answer.text);
  const { data, error } = (parseUnlessBusy(answer, site) ?? {}) as {
    data?: Data;
    error?: { message?: unknown };
  };
  if (answer.status === 200 && typeof data === 'object' && data !== null) return data;
  if (answer.status === 404 && handle !== undefined) {
    throw unknownHandle(site, handle);
  }
  const reason = typeof error?.message === 'string' ? error.message.slice(0, 200) : `status ${answer.status}`;
  throw oddAnswer(site, message('odd.says', { said: reason }));
}

export const dmoj = {
  name: 'DMOJ',
  site: 'DMOJ',
  short: 'DMOJ',
  // The levels are those of DMOJ/online-judge, judge/ratings.py.
  ranks: [
    { from: 0, colour: 'grey', name: 'Newbie' },
    { from: 1000, colour: 'green', name: 'Amateur' },
    { from: 1300, colour: 'blue', name: 'Expert' },
    { from: 1600, colour: 'violet', name: 'Candidate Master' },
    { from: 1900, colour: 'orange', name: 'Master' },
    { from: 2400, colour: 'red', name: 'Grandmaster' },
    { from: 3000, colour: 'red', name: 'Target' },
  ],
  libraryRules: { by: 'topic', order: 'rating' },
  handle: {
    pattern: /^\w{1,30}$/,
    form: 'letters',
    most: 30,
  },
  verdicts: {
    AC: 'accepted',
    [partial]: 'partial',
    WA: 'wrongAnswer',
    IR: 'runtimeError',
    RTE: 'runtimeError',
    CE: 'compileError',
    TLE: 'timeLimit',
    MLE: 'memoryLimit',
    OLE: 'outputLimit',
    IE: 'internalError',
  },
  isSelfHostable: true,
  problemKeyAt: (url, site) => codeInPath(url, '/problem/', site),
  contestKeyAt: (url, site) => codeInPath(url, '/contest/', site),
  contestPage: (contest, site = dmojApi.baseUrl) => `${site}/contest/${encodeURIComponent(contest)}`,
  hasEditorials: true,
  api: dmojApi,
  files: {
    problems: {
      kind: 'catalogue',
      title: 'problems',
      sourceUrl: `${dmojApi.baseUrl}/api/v2/problems`,
      keys: ['code', 'group', 'types'],
      layout: { path: ['data', 'objects'], decimals: ['points'] },
      entryOf: problemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'submissions',
      sourceUrl: `${dmojApi.baseUrl}/api/v2/submissions?user=NAME`,
      keys: ['problem', 'user', 'date', 'result'],
      layout: { path: ['data', 'objects'], decimals: ['points', 'time', 'memory'] },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function codeInPath({ host, pathname }: URL, folder: string, site = dmojApi.baseUrl): string | undefined {
  const siteUrl = new URL(site);
  const start = `${siteUrl.pathname.replace(/\/$/, '')}${folder}`;
  const withoutWww = (name: string) => name.replace(/^www\./, '');
  if (withoutWww(host) !== withoutWww(siteUrl.host) || !pathname.startsWith(start)) return undefined;
  return /^([a-z0-9_]{1,32})(?:\/|$)/.exec(pathname.slice(start.length))?.[1];
}

function problemOf(value: unknown, site = dmojApi.baseUrl): CatalogueEntry {
  const problem = objectOf(value);
  const key = codeOf(problem['code'], 'code');
  const columns = {
    source_key: key,
    title: cutTextOf(problem['name'], 'name', 500),
    url: `${site}/problem/${key}`,
    tags: topicsJson(problem['types']),
  };
  return { columns };
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const verdict = cutText(submission['result'], 100);
  return {
    id: String(integerOf(submission['id'], 'id')),
    key: codeOf(submission['problem'], 'problem'),
    handles: handlesIn(submission['user']),
    submittedAt: isoTimeOf(submission['date'], 'date'),
    contest: cutText(Object(submission['contest']).key, 100),
    // AB is aborted (judge/models/submission.py, SUBMISSION_RESULT).
    verdictClass: verdict === 'AB' ? 'void' : verdictClassOf(dmoj.verdicts, verdict),
    verdict,
    participation: participationOf(submission['contest']),
    language: cutText(submission['language'], 200),
    isGym: false,
  };
}

/** 0 is the contest, −1 a spectator (judge/models/contest.py, ContestParticipation). Older versions lack the number. */
function participationOf(contest: unknown): Submission['participation'] {
  if (typeof contest !== 'object') return null;
  const { virtual_participation_number: number } = Object(contest) as {
    virtual_participation_number?: unknown;
  };
  return number === 0 ? 'contest' : typeof number === 'number' && number > 0 ? 'virtual' : 'practice';
}

function codeOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[a-z0-9_]{1,32}$/, message('expected.code'));
}
