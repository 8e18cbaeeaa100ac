/** AtCoder: catalogue, difficulties and submissions in the shapes of AtCoder Problems (kenkoooo.com/atcoder/resources). */
import { atcoderApi } from './atcoder-api.ts';
import { badField, integerOf, matchOf, objectOf, optionalText, textOf, timeOf } from './fields.ts';
import type { Judge } from './judge.ts';
import type { JudgeContest, ListedProblem, PlacedProblem, Submission } from './judge-files.ts';

export const atcoder = {
  name: 'AtCoder',
  site: 'AtCoder Problems',
  short: 'AC',
  rating: 'AtCoder difficulty',
  // Every 400 (kenkoooo/AtCoderProblems, TopcoderLikeCircle.tsx).
  bands: [
    { from: 0, colour: 'grey' },
    { from: 400, colour: 'brown' },
    { from: 800, colour: 'green' },
    { from: 1200, colour: 'cyan' },
    { from: 1600, colour: 'blue' },
    { from: 2000, colour: 'yellow' },
    { from: 2400, colour: 'orange' },
    { from: 2800, colour: 'red' },
  ],
  handle: {
    pattern: /^[A-Za-z0-9_]{1,16}$/,
    words: 'up to 16 letters, digits and _',
    pageOf: (handle) => `https://atcoder.jp/users/${encodeURIComponent(handle)}`,
  },
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
  contestKinds: [
    { name: 'abc', title: 'Beginner (ABC)', has: 'atcoder beginner contest' },
    { name: 'arc', title: 'Regular (ARC)', has: 'atcoder regular contest' },
    { name: 'agc', title: 'Grand (AGC)', has: 'atcoder grand contest' },
    { name: 'ahc', title: 'Heuristic (AHC)', has: 'atcoder heuristic contest' },
  ],
  contestPage: (contest) => `https://atcoder.jp/contests/${encodeURIComponent(contest)}`,
  api: atcoderApi,
  // Until 2019 each contest had a host of its own, and links to those are in many lists.
  keyAt: ({ hostname, pathname }) => {
    const path = hostname.endsWith('.contest.atcoder.jp') ? `/contests/old${pathname}` : pathname;
    if (path === pathname && hostname !== 'atcoder.jp') return undefined;
    return /^\/contests\/[\w-]+\/tasks\/([\w-]{1,60})(?:\/editorial)?\/?$/.exec(path)?.[1];
  },
  files: {
    problems: {
      holds: 'catalogue',
      title: 'problems.json',
      from: 'https://kenkoooo.com/atcoder/resources/problems.json',
      keys: ['problem_index', 'contest_id'],
      target: { path: [] },
      entryOf: problemOf,
    },
    /** The difficulties of problems, and nothing else. */
    models: {
      holds: 'catalogue',
      title: 'problem-models.json',
      from: 'https://kenkoooo.com/atcoder/resources/problem-models.json',
      keys: ['is_experimental'],
      target: { path: [], isObject: true },
      entryOf: modelOf,
    },
    /** An answer of the API's user/submissions. */
    submissions: {
      holds: 'submissions',
      title: 'submissions',
      from: 'https://kenkoooo.com/atcoder/atcoder-api/v3/user/submissions?user=NAME&from_second=0',
      keys: ['epoch_second', 'problem_id'],
      target: { path: [], decimals: ['point'] },
      entryOf: submissionOf,
    },
    contests: {
      holds: 'contests',
      title: 'contests.json',
      from: 'https://kenkoooo.com/atcoder/resources/contests.json',
      keys: ['start_epoch_second', 'duration_second'],
      target: { path: [] },
      entryOf: contestOf,
    },
    /** Which problem was set where; problems.json says so too, of the contest in which a problem came first. */
    'contest-problems': {
      holds: 'places',
      title: 'contest-problem.json',
      from: 'https://kenkoooo.com/atcoder/resources/contest-problem.json',
      keys: ['problem_index', 'contest_id'],
      target: { path: [] },
      entryOf: placeOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): ListedProblem {
  const problem = objectOf(value);
  const key = idOf(problem['id'], 'id');
  const contest = idOf(problem['contest_id'], 'contest_id');
  const url = `https://atcoder.jp/contests/${contest}/tasks/${key}`;
  return { columns: { source_key: key, title: textOf(problem['name'], 'name', 500), url } };
}

function modelOf(member: unknown): ListedProblem {
  const [id, value] = member as [string, unknown];
  const key = idOf(id, 'The problem id');
  const { difficulty } = objectOf(value, key);
  return {
    columns: { source_key: key, rating: (difficulty ?? null) === null ? null : ratingOf(difficulty) },
  };
}

/** The rating of a difficulty, as AtCoder Problems shows it (ProblemModelUtil.ts): below 400 on a curve that stays above zero. */
function ratingOf(found: unknown): bigint {
  const difficulty = JSON.isRawJSON(found) ? Number(found.rawJSON) : found;
  if (typeof difficulty !== 'number' || !(difficulty >= -100_000 && difficulty <= 10_000)) {
    throw badField('difficulty', found, 'a number from -100000 to 10000');
  }
  return BigInt(Math.round(difficulty >= 400 ? difficulty : 400 / Math.exp(1 - difficulty / 400)));
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const verdict = textOf(submission['result'], 'result', 100);
  const handle = optionalText(submission['user_id'], 'user_id', 100);
  return {
    id: String(integerOf(submission['id'], 'id', 0, Number.MAX_SAFE_INTEGER)),
    key: idOf(submission['problem_id'], 'problem_id'),
    handles: handle === null ? [] : [handle],
    submittedAt: timeOf(submission['epoch_second'], 'epoch_second'),
    contest: optionalId(submission['contest_id'], 'contest_id'),
    verdictClass: classOf(verdict),
    verdict,
    participation: null,
    language: optionalText(submission['language'], 'language', 200),
    isGym: false,
  };
}

// The results that the site's own client knows (kenkoooo/AtCoderProblems, utils/index.ts); others, such as WJ, are not final.
const rejections = new Set(['WA', 'TLE', 'RE', 'MLE', 'OLE', 'QLE', 'NG']);

function classOf(result: string): Submission['verdictClass'] {
  if (result === 'AC') return 'solved';
  // Compile error, internal error of the judge.
  if (result === 'CE' || result === 'IE') return 'void';
  return rejections.has(result) ? 'tried' : 'pending';
}

function contestOf(value: unknown): JudgeContest {
  const contest = objectOf(value);
  // A permanent contest lasts a hundred years.
  const duration = integerOf(contest['duration_second'], 'duration_second', 0, 100_000_000_000);
  return {
    key: idOf(contest['id'], 'id'),
    title: textOf(contest['title'], 'title', 500),
    starts_at: timeOf(contest['start_epoch_second'], 'start_epoch_second'),
    duration_s: BigInt(duration),
    phase: null,
  };
}

function placeOf(value: unknown): PlacedProblem {
  const { id, problem_id = id, contest_id, problem_index } = objectOf(value);
  return {
    key: idOf(problem_id, 'problem_id'),
    contest: idOf(contest_id, 'contest_id'),
    position: textOf(problem_index, 'problem_index', 20),
  };
}

function optionalId(value: unknown, name: string): string | null {
  return (value ?? null) === null ? null : idOf(value, name);
}

function idOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[A-Za-z0-9_-]{1,100}$/, 'an id of letters, digits, _ and -');
}
