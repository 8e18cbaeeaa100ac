/** AtCoder, as AtCoder Problems has it (kenkoooo/AtCoderProblems, doc/api.md). */
import { dayMs, daySeconds, hourMs, minuteMs } from '../durations.ts';
import { message } from '../errors.ts';
import { entriesIn, oddAnswer, parseUnlessBusy, readAnswerRows, rowsIn, unknownHandle } from './faults.ts';
import {
  contestPlaceOf,
  cutText,
  cutTextOf,
  handlesIn,
  integerOf,
  isoTimeOf,
  matchOf,
  numberOf,
  objectOf,
  personRatingOf,
  readRows,
  textOf,
  timeOf,
  verdictClassOf,
} from './fields.ts';
import type {
  CatalogueEntry,
  ContestPlacement,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  JudgeContest,
  RatedContest,
  RatingBand,
  ReadRows,
  RoundRequest,
  Submission,
  SyncState,
  TimeModel,
} from './judge.ts';
import { contestIdMax, longestContestTitle } from './judge.ts';

const site = 'AtCoder Problems';
const pageSize = 500;
/** The site learns of submissions late; its own client also reads two days again (SubmissionsDB.ts). */
const overlapSeconds = 2 * daySeconds;

/** Times are seconds since 1970. */
interface Cursor {
  through: number;
  /** When the stored submissions were last compared with the count of the site. */
  countedAt: number;
  /** Submissions that the API cannot return, because one second has too many. */
  missing: number;
}

interface Row {
  id: number;
  user_id?: string;
  epoch_second: number;
}

export const atcoderApi: JudgeApi = {
  baseUrl: 'https://kenkoooo.com/atcoder',
  // "Please sleep for more than 1 second between accesses" (doc/api.md).
  intervalMs: 1100,
  submissions,
  async *problems(ask) {
    yield await fetchFile(ask, 'problems', '/resources/problems.json');
    yield await fetchFile(ask, 'models', '/resources/problem-models.json');
  },
  async *contests(ask) {
    yield await fetchFile(ask, 'contests', '/resources/contests.json');
    yield await fetchFile(ask, 'contest-problems', '/resources/contest-problem.json');
  },
  age: async (ask) => {
    const rows = await ask('/atcoder-api/v3/recent', (answer) => rowsOf(answer).rows);
    const newest = Math.max(...rows.map(({ epoch_second }) => epoch_second));
    return Number.isFinite(newest) ? new Date(newest * 1000) : undefined;
  },
  feed: {
    rowsAtMost: 1000,
    intervalMs: minuteMs,
    // The site learns of some submissions hours later, which are not among the newest any more.
    ownListMs: { active: 6 * hourMs, others: dayMs },
    newest: async (ask) => {
      const { rows } = await ask('/atcoder-api/v3/recent', rowsOf);
      return {
        rows: rows.map((value) => ({
          id: value.id,
          at: 1000 * value.epoch_second,
          handles: handlesIn(value.user_id),
          value,
        })),
      };
    },
  },
  ofRound,
  // AtCoder's own address is undocumented, but many trackers read it.
  ratings: { baseUrl: 'https://atcoder.jp', intervalMs: 2000, history },
};

const judgeName = 'AtCoder';

async function history(ask: JudgeClient, handle: string): Promise<ReadRows<RatedContest>> {
  const rows = await ask(`/users/${encodeURIComponent(handle)}/history/json`, (answer) => {
    if (answer.status === 404) throw unknownHandle(judgeName, handle);
    return entriesIn(parseUnlessBusy(answer, judgeName), judgeName, 'NewRating');
  });
  return readAnswerRows(
    judgeName,
    rows.filter((row) => Object(row) !== row || Object(row).IsRated === true),
    (value) => {
      const row = objectOf(value);
      const name = textOf(row['ContestScreenName'], 'ContestScreenName', contestIdMax);
      const contest = idOf(name.replace(/\.contest\.atcoder\.jp$/, ''), 'ContestScreenName');
      return {
        contest,
        title: cutText(row['ContestNameEn'] || row['ContestName'], longestContestTitle) ?? contest,
        place: contestPlaceOf(row['Place']),
        rating: personRatingOf(row['NewRating'], 'NewRating'),
        rated_at: isoTimeOf(row['EndTime'], 'EndTime'),
      };
    },
  );
}

/** Some submissions come late, so once a day the count of older ones is compared with the store. */
async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const cursor = (state.cursor ?? { through: 0, countedAt: 0, missing: 0 }) as Cursor;
  const user = encodeURIComponent(handle);
  const now = Math.floor(state.now.getTime() / 1000);
  let { through, countedAt, missing } = cursor;
  let from = Math.max(0, through - overlapSeconds);
  let latestSecond = through;
  if (from > 0 && now - countedAt >= daySeconds) {
    const count = await countOf(ask, user, 0, from);
    if ((await state.countStoredUntil(new Date(from * 1000))) + missing !== count)
      [from, missing, latestSecond] = [0, 0, 0];
    countedAt = now;
  }
  for (;;) {
    const path = `/atcoder-api/v3/user/submissions?user=${user}&from_second=${from}`;
    const { text, rows } = await ask(path, rowsOf);
    const last = rows.at(-1)?.epoch_second ?? from;
    // A short page is not the end, because pages may have fewer rows than requested.
    const isFull = rows.length >= pageSize;
    const isEnd = !isFull && (rows.length === 0 || last <= latestSecond);
    latestSecond = Math.max(latestSecond, rows.length > 0 ? last : 0);
    through = Math.max(through, latestSecond);
    const isSingleSecond = isFull && last === from && rows[0]?.epoch_second === last;
    const page = isSingleSecond ? await rowsOfSecond(ask, handle, from, rows) : { text, missing: 0 };
    missing += page.missing;
    // The order within a second is undefined, so the last second is read again.
    from = isSingleSecond ? last + 1 : last;
    yield {
      file: 'submissions',
      text: page.text,
      cursor: { through, countedAt: countedAt || now, missing } satisfies Cursor,
    };
    if (isEnd) return;
  }
}

/** If one second has more than a page, the rest is among all users' submissions. */
async function rowsOfSecond(ask: JudgeClient, handle: string, second: number, page: readonly Row[]) {
  const count = await countOf(ask, encodeURIComponent(handle), second, second + 1);
  const byId = new Map(page.map((row) => [row.id, row]));
  if (count > byId.size) {
    const { rows } = await ask(`/atcoder-api/v3/from/${second}`, rowsOf);
    const isOfHandle = ({ epoch_second, user_id }: Row) =>
      epoch_second === second && user_id?.toLowerCase() === handle.toLowerCase();
    for (const row of rows.filter(isOfHandle)) byId.set(row.id, row);
  }
  return { text: JSON.stringify([...byId.values()]), missing: Math.max(0, count - byId.size) };
}

async function countOf(ask: JudgeClient, user: string, from: number, to: number): Promise<number> {
  const path = `/atcoder-api/v3/user/submission_count?user=${user}&from_second=${from}&to_second=${to}`;
  return ask(path, (answer) => {
    const { count } = (parseUnlessBusy(answer, site) ?? {}) as { count?: unknown };
    if (typeof count !== 'number') throw oddAnswer(site, message('odd.lacks', { field: 'count' }));
    return count;
  });
}

async function fetchFile(ask: JudgeClient, file: string, path: string): Promise<FetchedFile> {
  const text = await ask(path, (answer) => {
    parseUnlessBusy(answer, site);
    if (answer.status !== 200) throw oddAnswer(site, message('odd.status', { status: answer.status }));
    return answer.text;
  });
  return { file, text };
}

async function newest(ask: JudgeClient, handle: string, since: Date): Promise<Submission[]> {
  const from = Math.floor(since.getTime() / 1000) - daySeconds;
  const path = `/atcoder-api/v3/user/submissions?user=${encodeURIComponent(handle)}&from_second=${from}`;
  const { rows } = await ask(path, rowsOf);
  return readRows(
    rows.toSorted((one, other) => other.epoch_second - one.epoch_second),
    submissionOf,
  ).values;
}

function rowsOf(answer: JudgeAnswer): { text: string; rows: Row[] } {
  const rows = rowsIn(parseUnlessBusy(answer, site), site, 'epoch_second') as Row[];
  return { text: answer.text, rows: rows.filter(({ epoch_second }) => Number.isSafeInteger(epoch_second)) };
}

async function ofRound(
  ask: JudgeClient,
  { handles, keys, from, until }: RoundRequest,
): Promise<Submission[]> {
  const query = new URLSearchParams({
    users: handles.join(),
    problems: keys.join(),
    from: String(Math.floor(from.getTime() / 1000)),
    to: String(Math.floor(until.getTime() / 1000)),
  });
  const { rows } = await ask(`/atcoder-api/v3/users_and_time?${query}`, rowsOf);
  return readRows(rows, submissionOf).values;
}

/** Problems: TopcoderLikeCircle.tsx. People: atcoder.jp/posts/119. */
const ratingBands: readonly RatingBand[] = [
  { from: 0, colour: 'grey' },
  { from: 400, colour: 'brown' },
  { from: 800, colour: 'green' },
  { from: 1200, colour: 'cyan' },
  { from: 1600, colour: 'blue' },
  { from: 2000, colour: 'yellow' },
  { from: 2400, colour: 'orange' },
  { from: 2800, colour: 'red' },
];

const hosts = /^(?:(?:www|beta)\.)?atcoder\.jp$/;

export const atcoder = {
  name: 'AtCoder',
  site: 'AtCoder Problems',
  short: 'AC',
  ratingName: 'AtCoder difficulty',
  bands: ratingBands,
  ranks: ratingBands,
  libraryRules: { by: 'band', order: 'rating' },
  // The formula is predictSolveTime in ProblemModelUtil.ts.
  predictedSeconds: ({ slope, intercept }, rating) =>
    Math.exp((Number(slope) * difficultyOf(rating) + Number(intercept)) / billion),
  // ProblemModelUtil.ts, and estimator/main.py with ln 6 / 400.
  chanceModel: {
    spread: (400 * Math.LN10) / Math.log(6),
    shift: 0,
    usualStrength: 1200,
    scaledRating: difficultyOf,
    storedRating: liftedDifficulty,
    strengthOf: innerRating,
  },
  handle: {
    pattern: /^[A-Za-z0-9_]{1,16}$/,
    form: 'letters',
    most: 16,
    pageOf: (handle) => `https://atcoder.jp/users/${encodeURIComponent(handle)}`,
  },
  // The site's client treats other results as pending (utils/index.ts).
  verdicts: {
    AC: 'accepted',
    WA: 'wrongAnswer',
    TLE: 'timeLimit',
    RE: 'runtimeError',
    MLE: 'memoryLimit',
    OLE: 'outputLimit',
    QLE: 'queryLimit',
    CE: 'compileError',
    IE: 'internalError',
    NG: 'notGood',
    WJ: 'waiting',
  },
  submissionPage: ({ id, contest }) =>
    contest === null ? undefined : `https://atcoder.jp/contests/${contest}/submissions/${id}`,
  problemPage: (key, contest) =>
    contest === undefined
      ? undefined
      : `https://atcoder.jp/contests/${contest}/tasks/${encodeURIComponent(key)}`,
  hasEditorials: true,
  hasContestEditorials: true,
  contestKinds: [
    { name: 'abc', title: 'Beginner (ABC)', has: 'atcoder beginner contest', ratedRange: { below: 2000 } },
    { name: 'arc', title: 'Regular (ARC)', has: 'atcoder regular contest' },
    { name: 'agc', title: 'Grand (AGC)', has: 'atcoder grand contest' },
    { name: 'ahc', title: 'Heuristic (AHC)', has: 'atcoder heuristic contest' },
    { name: 'awc', title: 'Weekday (AWC)', has: 'atcoder weekday contest', isHiddenByDefault: true },
    { name: 'adt', title: 'Daily Training (ADT)', has: 'atcoder daily training', isHiddenByDefault: true },
  ],
  contestPage: (contest) => `https://atcoder.jp/contests/${encodeURIComponent(contest)}`,
  contestKeyAt: ({ hostname, pathname }) =>
    hosts.test(hostname) ? /^\/contests\/([\w-]{1,60})(?:\/|$)/.exec(pathname)?.[1] : undefined,
  api: atcoderApi,
  proof: {
    instructions: message('proof.compileError'),
    newest,
    isDelayed: true,
    matches: ({ verdict }) => verdict === 'CE',
  },
  // Until 2019 each contest had its own host.
  problemKeyAt: ({ hostname, pathname }) => {
    const path = hostname.endsWith('.contest.atcoder.jp') ? `/contests/old${pathname}` : pathname;
    if (path === pathname && !hosts.test(hostname)) return undefined;
    return /^\/contests\/[\w-]+\/tasks\/([\w-]{1,60})(?:\/editorial)?\/?$/.exec(path)?.[1];
  },
  files: {
    problems: {
      kind: 'catalogue',
      title: 'problems.json',
      sourceUrl: 'https://kenkoooo.com/atcoder/resources/problems.json',
      keys: ['problem_index', 'contest_id'],
      layout: { path: [] },
      entryOf: problemOf,
    },
    models: {
      kind: 'ratings',
      title: 'problem-models.json',
      sourceUrl: 'https://kenkoooo.com/atcoder/resources/problem-models.json',
      keys: ['is_experimental'],
      layout: { path: [], isObject: true },
      entryOf: modelOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'submissions',
      sourceUrl: 'https://kenkoooo.com/atcoder/atcoder-api/v3/user/submissions?user=NAME&from_second=0',
      keys: ['epoch_second', 'problem_id'],
      layout: { path: [], decimals: ['point'] },
      entryOf: submissionOf,
    },
    contests: {
      kind: 'contests',
      title: 'contests.json',
      sourceUrl: 'https://kenkoooo.com/atcoder/resources/contests.json',
      keys: ['start_epoch_second', 'duration_second'],
      layout: { path: [] },
      entryOf: contestOf,
    },
    /** A problem can be in several contests; problems.json has only the first. */
    'contest-problems': {
      kind: 'places',
      title: 'contest-problem.json',
      sourceUrl: 'https://kenkoooo.com/atcoder/resources/contest-problem.json',
      keys: ['problem_index', 'contest_id'],
      layout: { path: [] },
      entryOf: placeOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): CatalogueEntry {
  const problem = objectOf(value);
  const key = idOf(problem['id'], 'id');
  const contest = ownContestOf(key, idOf(problem['contest_id'], 'contest_id'));
  const url = `https://atcoder.jp/contests/${contest}/tasks/${key}`;
  return { columns: { source_key: key, title: cutTextOf(problem['name'], 'name', 500), url } };
}

/** problems.json may name a Daily Training, which sets problems of earlier contests again. */
function ownContestOf(key: string, contest: string): string {
  const [, ownContest] = contest.startsWith('adt_') ? (/^([a-z]+\d+)_\w+$/.exec(key) ?? []) : [];
  return ownContest ?? contest;
}

function modelOf(member: unknown): CatalogueEntry {
  const [id, value] = member as [string, unknown];
  const key = idOf(id, 'The problem id');
  const { difficulty, slope, intercept } = objectOf(value, key);
  const hasTimeModel = (slope ?? null) !== null && (intercept ?? null) !== null;
  return {
    columns: { source_key: key, rating: (difficulty ?? null) === null ? null : ratingOf(difficulty) },
    timeModel: hasTimeModel
      ? { slope: billionthsOf(slope, 'slope', 1), intercept: billionthsOf(intercept, 'intercept', 100) }
      : null,
  };
}

/** The site lifts difficulties below 400 above zero (ProblemModelUtil.ts). */
function ratingOf(value: unknown): bigint {
  const difficulty = numberOf(value, 'difficulty', -100_000, 10_000);
  return BigInt(Math.round(liftedDifficulty(difficulty)));
}

function liftedDifficulty(difficulty: number): number {
  return difficulty >= 400 ? difficulty : 400 / Math.exp(1 - difficulty / 400);
}

/** A rating is shown too low until a person was rated often. */
function innerRating(rating: number, ratedContests: number): number {
  const share = (contests: number) => Math.sqrt(1 - 0.9 ** (2 * contests)) / (1 - 0.9 ** contests);
  return difficultyOf(rating) + ((share(ratedContests) - 1) / (Math.sqrt(19) - 1)) * 1200;
}

function difficultyOf(rating: number): number {
  return rating >= 400 ? rating : 400 * (1 - Math.log(400 / Math.max(rating, 1)));
}

const billion = 1_000_000_000;

function billionthsOf(value: unknown, name: string, most: number): TimeModel['slope'] {
  return BigInt(Math.round(numberOf(value, name, -most, most) * billion));
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const verdict = cutTextOf(submission['result'], 'result', 100);
  const contest = submission['contest_id'];
  return {
    id: String(integerOf(submission['id'], 'id')),
    key: idOf(submission['problem_id'], 'problem_id'),
    handles: handlesIn(submission['user_id']),
    submittedAt: timeOf(submission['epoch_second'], 'epoch_second'),
    contest: typeof contest === 'string' && idPattern.test(contest) ? contest : null,
    verdictClass: verdictClassOf(atcoder.verdicts, verdict, 'pending'),
    verdict,
    participation: null,
    language: cutText(submission['language'], 200),
    isGym: false,
  };
}

function contestOf(value: unknown): JudgeContest {
  const contest = objectOf(value);
  // Permanent contests last a hundred years.
  const duration = integerOf(contest['duration_second'], 'duration_second', 0, 100_000_000_000);
  return {
    key: idOf(contest['id'], 'id'),
    title: cutTextOf(contest['title'], 'title', 500),
    starts_at: timeOf(contest['start_epoch_second'], 'start_epoch_second'),
    duration_s: BigInt(duration),
    phase: null,
  };
}

function placeOf(value: unknown): ContestPlacement {
  const { id, problem_id = id, contest_id, problem_index } = objectOf(value);
  return {
    key: idOf(problem_id, 'problem_id'),
    contest: idOf(contest_id, 'contest_id'),
    position: textOf(problem_index, 'problem_index', 20),
  };
}

const idPattern = /^[A-Za-z0-9_-]{1,100}$/;

function idOf(value: unknown, name: string): string {
  return matchOf(value, name, idPattern, message('expected.id'));
}
