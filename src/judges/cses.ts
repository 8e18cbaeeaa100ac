/** CSES: the problem set as a list of {category, name, link}, and submissions as its API answers them, with user and task. */
import { csesApi } from './cses-api.ts';
import { integerOf, isoTimeOf, matchOf, objectOf, solvedBy, textOf } from './fields.ts';
import type { Judge } from './judge.ts';
import type { ListedProblem, Submission } from './judge-files.ts';

const taskLink = /^https:\/\/cses\.fi\/problemset\/task\/([1-9]\d{0,8})\/?$/;

export const cses = {
  name: 'CSES',
  site: 'CSES',
  short: 'CSES',
  problemPage: (key) => `https://cses.fi/problemset/task/${encodeURIComponent(key)}`,
  keyAt: ({ hostname, pathname }) =>
    /^(?:www\.)?cses\.fi$/.test(hostname)
      ? /^\/problemset\/(?:task|result|stats|model|view)\/(\d{1,9})\/?$/.exec(pathname)?.[1]
      : undefined,
  api: csesApi,
  files: {
    problems: {
      holds: 'catalogue',
      title: 'problem list',
      keys: ['category', 'link', 'solves'],
      target: { path: [] },
      entryOf: problemOf,
    },
    /** The answers for single tasks name neither, so each row has the user and the task besides. */
    submissions: {
      holds: 'submissions',
      title: 'submissions',
      keys: ['task', 'outcome_status'],
      target: { path: [] },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): ListedProblem {
  const problem = objectOf(value);
  const expected = 'https://cses.fi/problemset/task/ and a task number';
  const url = matchOf(problem['link'], 'link', taskLink, expected);
  const columns = {
    source_key: taskLink.exec(url)?.[1] ?? '',
    title: textOf(problem['name'], 'name', 500),
    url,
    tags: JSON.stringify([textOf(problem['category'], 'category', 100).toLowerCase()]),
  };
  return { columns, solvedBy: solvedBy(problem, 'solves') };
}

const classes = { pass: 'solved', fail: 'tried', none: 'pending' } as const;

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const expected = 'pass, fail or none';
  const outcome = matchOf(submission['outcome_status'], 'outcome_status', /^(?:pass|fail|none)$/, expected);
  const { name, option } = objectOf(submission['language'] ?? {}, 'language');
  const language = [name, option].filter((word) => typeof word === 'string').join(' ');
  return {
    id: String(integerOf(submission['id'], 'id', 0, Number.MAX_SAFE_INTEGER)),
    key: matchOf(submission['task'], 'task', /^[1-9]\d{0,8}$/, 'a task number in quotes'),
    handles: [textOf(submission['user'], 'user', 100)],
    submittedAt: isoTimeOf(submission['time'], 'time'),
    contest: null,
    verdictClass: classes[outcome as keyof typeof classes],
    verdict: outcome,
    participation: null,
    language: language === '' ? null : textOf(language, 'language', 200),
    isGym: false,
  };
}
