/** DMOJ and sites with the same software (docs.dmoj.ca/#/site/api). */
import { message } from '../errors.ts';
import { contestListing, titleAndTimesOf } from './contest-listings.ts';
import { badRowAsOddAnswer, oddAnswer, parseUnlessBusy, refusal, rowsIn, unknownHandle } from './faults.ts';
import {
  integerOf,
  isoTimeOf,
  listOf,
  matchOf,
  objectOf,
  optionalText,
  personRatingOf,
  textOf,
  textsOf,
  verdictClassOf,
} from './fields.ts';
import type {
  CatalogueEntry,
  ContestListing,
  ContestWithProblems,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  RatedContest,
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
  id: number;
  date: string;
  end_time?: string;
}

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
};

const contestsPerRequest = 50;

async function history(
  ask: JudgeClient,
  handle: string,
  stored: ReadonlyMap<string, RatedContest>,
): Promise<RatedContest[]> {
  const rated = await ask(`/api/v2/user/${encodeURIComponent(handle)}`, (answer) => {
    const user = objectOf(dataOf(answer, handle).object ?? null, 'object');
    return badRowAsOddAnswer(site, () =>
      listOf(user['contests'], 'contests')
        .map((value) => objectOf(value))
        .filter((row) => (row['rating'] ?? null) !== null)
        .map((row) => ({
          contest: textOf(row['key'], 'key', contestIdMax),
          rating: personRatingOf(row['rating'], 'rating'),
        })),
    );
  });
  const details = new Map([...stored].map(([key, { title, rated_at }]) => [key, { title, rated_at }]));
  const newKeys = rated.map(({ contest }) => contest).filter((key) => !stored.has(key));
  for (let prefix = 0; prefix < newKeys.length; prefix += contestsPerRequest) {
    const keys = newKeys
      .slice(prefix, prefix + contestsPerRequest)
      .map((key): [string, string] => ['key', key]);
    for (const value of await ask(
      `/api/v2/contests?${new URLSearchParams(keys)}`,
      (one) => pageOf(one, 'key').rows,
    ))
      badRowAsOddAnswer(site, () => {
        const row = objectOf(value);
        const title = textOf(row['name'], 'name', longestContestTitle);
        details.set(textOf(row['key'], 'key', contestIdMax), {
          title,
          rated_at: isoTimeOf(row['end_time'], 'end_time'),
        });
      });
  }
  return rated.flatMap((one) => {
    const detail = details.get(one.contest);
    return detail ? [{ ...one, ...detail, place: null }] : [];
  });
}

const contestPagesAtMost = 20;

async function upcoming(ask: JudgeClient, now: Date): Promise<ContestListing> {
  const rows: object[] = [];
  let hasMore = true;
  for (let page = 1; hasMore && page <= contestPagesAtMost; page++) {
    const answer = await ask(`/api/v2/contests?page=${page}`, (one) => pageOf(one, 'key'));
    const isNotOver = (row: object) => !(Date.parse(String((row as Row).end_time)) < now.getTime());
    rows.push(...answer.rows.filter(isNotOver));
    hasMore = answer.hasMore;
  }
  return contestListing(rows, (row) => contestOfList(row, ask.site), !hasMore);
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
          title: textOf(problem['name'], 'name', 500),
          url: `${ask.site}/problem/${code}`,
          position: problem['label'] ? textOf(problem['label'], 'label', 10) : String(at + 1),
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
  for (;;) {
    const path = `/api/v2/submissions?user=${encodeURIComponent(handle)}&page=${page}`;
    const answer = await ask(path, (one) =>
      page > 1 && isMissing(one) ? undefined : pageOf(one, 'id', handle),
    );
    if (!answer) {
      [page, lasts] = [1, []];
      continue;
    }
    const { text, hasMore } = answer;
    const times = (answer.rows as Row[]).map(({ date }) => Date.parse(date)).filter(Number.isFinite);
    if (answer.rows.length === 0 && page === 1) await assertUserExists(ask, handle);
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

/** An unknown user's list is empty too (judge/views/api/api_v2.py, ProfileSimpleFilter). */
async function assertUserExists(ask: JudgeClient, handle: string): Promise<void> {
  await ask(`/api/v2/user/${encodeURIComponent(handle)}`, (answer) => dataOf(answer, handle));
}

function isMissing(answer: JudgeAnswer): boolean {
  return answer.status === 404 && /^\s*\{/.test(answer.text);
}

function pageOf(answer: JudgeAnswer, field: string, handle?: string) {
  const { objects, has_more, page_index = 1, total_pages = 1 } = dataOf(answer, handle);
  const rows = rowsIn(objects, site, field);
  // Older versions have the number of pages instead.
  return { text: answer.text, rows, hasMore: rows.length > 0 && (has_more ?? page_index < total_pages) };
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
    throw refusal(site, answer.status, answer.text);
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
      keys: ['code', 'group', 'types'],
      layout: { path: ['data', 'objects'], decimals: ['points'] },
      entryOf: problemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'submissions',
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
  const tags = textsOf(problem['types'], 'types', 100);
  const columns = {
    source_key: key,
    title: textOf(problem['name'], 'name', 500),
    url: `${site}/problem/${key}`,
    tags: JSON.stringify([...new Set(tags.map((tag) => tag.toLowerCase()))]),
  };
  return { columns };
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const verdict = optionalText(submission['result'], 'result', 100);
  return {
    id: String(integerOf(submission['id'], 'id')),
    key: codeOf(submission['problem'], 'problem'),
    handles: [textOf(submission['user'], 'user', 100)],
    submittedAt: isoTimeOf(submission['date'], 'date'),
    contest: contestOf(submission['contest']),
    // AB is aborted (judge/models/submission.py, SUBMISSION_RESULT).
    verdictClass: verdict === 'AB' ? 'void' : verdictClassOf(dmoj.verdicts, verdict),
    verdict,
    participation: participationOf(submission['contest']),
    language: optionalText(submission['language'], 'language', 200),
    isGym: false,
  };
}

/** 0 is the contest, −1 a spectator (judge/models/contest.py, ContestParticipation). Older versions lack the number. */
function participationOf(contest: unknown): Submission['participation'] {
  if (contest === undefined) return null;
  if (contest === null) return 'practice';
  const number = objectOf(contest, 'contest')['virtual_participation_number'];
  return number === 0 ? 'contest' : typeof number === 'number' && number > 0 ? 'virtual' : 'practice';
}

function contestOf(contest: unknown): string | null {
  return optionalText(objectOf(contest ?? {}, 'contest')['key'], 'contest.key', 100);
}

function codeOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[a-z0-9_]{1,32}$/, message('expected.code'));
}
