/** CSES: the problem set as a list of {category, name, link}. CSES has no API; the list is made from cses.fi/problemset. */
import { matchOf, objectOf, solvedBy, textOf } from './fields.ts';
import type { Judge, ListedProblem } from './judge.ts';

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
  files: {
    problems: {
      holds: 'catalogue',
      title: 'problem list',
      keys: ['category', 'link', 'solves'],
      target: { path: [] },
      entryOf: problemOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): ListedProblem {
  const problem = objectOf(value);
  const expected = 'https://cses.fi/problemset/task/ and a task number';
  const url = matchOf(problem['link'], 'link', taskLink, expected);
  return {
    source_key: taskLink.exec(url)?.[1] ?? '',
    title: textOf(problem['name'], 'name', 500),
    url,
    tags: JSON.stringify([textOf(problem['category'], 'category', 100).toLowerCase()]),
    ...solvedBy(problem, 'solves'),
  };
}
