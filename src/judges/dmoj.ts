/** DMOJ, and any site that runs its program: problems and submissions in the shapes of its API (docs.dmoj.ca/#/site/api). */
import { dmojApi } from './dmoj-api.ts';
import { integerOf, isoTimeOf, matchOf, objectOf, optionalText, textOf, textsOf } from './fields.ts';
import type { Judge } from './judge.ts';
import type { ListedProblem, Submission } from './judge-files.ts';

export const dmoj = {
  name: 'DMOJ',
  site: 'DMOJ',
  short: 'DMOJ',
  handle: {
    pattern: /^\w{1,30}$/,
    words: 'up to 30 letters, digits and _',
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
  isRunElsewhere: true,
  keyAt: ({ host, pathname }, site) => {
    const own = new URL(site ?? dmojApi.baseUrl);
    const start = `${own.pathname.replace(/\/$/, '')}/problem/`;
    if (host.replace(/^www\./, '') !== own.host.replace(/^www\./, '') || !pathname.startsWith(start))
      return undefined;
    return /^([a-z0-9_]{1,32})(?:\/|$)/.exec(pathname.slice(start.length))?.[1];
  },
  api: dmojApi,
  files: {
    problems: {
      holds: 'catalogue',
      title: 'problems',
      keys: ['code', 'group', 'types'],
      target: { path: ['data', 'objects'], decimals: ['points'] },
      entryOf: problemOf,
    },
    submissions: {
      holds: 'submissions',
      title: 'submissions',
      keys: ['problem', 'user', 'date', 'result'],
      target: { path: ['data', 'objects'], decimals: ['points', 'time', 'memory'] },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown, site = dmojApi.baseUrl): ListedProblem {
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
    id: String(integerOf(submission['id'], 'id', 0, Number.MAX_SAFE_INTEGER)),
    key: codeOf(submission['problem'], 'problem'),
    handles: [textOf(submission['user'], 'user', 100)],
    submittedAt: isoTimeOf(submission['date'], 'date'),
    contest: contestOf(submission['contest']),
    verdictClass: classOf(verdict),
    verdict,
    participation: participationOf(submission['contest']),
    language: optionalText(submission['language'], 'language', 200),
    isGym: false,
  };
}

/** There is no result until a submission is judged (DMOJ/online-judge, judge/models/submission.py, SUBMISSION_RESULT). */
function classOf(result: string | null): Submission['verdictClass'] {
  if (result === null) return 'pending';
  if (result === 'AC') return 'solved';
  // Compile error, internal error of the judge, aborted.
  return /^(?:CE|IE|AB)$/.test(result) ? 'void' : 'tried';
}

/** 0 is the contest itself, and −1 looks on (judge/models/contest.py, ContestParticipation). Older sites do not say. */
function participationOf(contest: unknown): Submission['participation'] {
  if (contest === undefined) return null;
  if (contest === null) return 'practice';
  const number = objectOf(contest, 'contest')['virtual_participation_number'];
  return number === 0 ? 'contest' : typeof number === 'number' && number > 0 ? 'virtual' : 'practice';
}

function contestOf(contest: unknown): string | null {
  return (contest ?? null) === null
    ? null
    : optionalText(objectOf(contest, 'contest')['key'], 'contest.key', 100);
}

function codeOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[a-z0-9_]{1,32}$/, 'a problem code of small letters and digits');
}
