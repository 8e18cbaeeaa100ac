/** yukicoder: solved problems with their days (yukicoder.me/api/swagger.yaml). */

import { decodeEntities } from '../files/entities.ts';
import { assertUserFound, parseUnlessBusy, rowsIn } from './faults.ts';
import { cutText, integerOf, isoTimeOf, objectOf, topicsJson, withoutContest } from './fields.ts';
import type { Judge, JudgeAnswer, JudgeApi, Submission } from './judge.ts';

const siteName = 'yukicoder';

const yukicoderApi: JudgeApi = {
  baseUrl: 'https://yukicoder.me/api/v1',
  intervalMs: 2000,
  async *submissions(ask, handle) {
    const text = await ask(`/solved/name/${encodeURIComponent(handle)}`, (answer) =>
      solvedIn(answer, handle),
    );
    yield { file: 'submissions', text };
  },
};

function solvedIn(answer: JudgeAnswer, handle: string): string {
  assertUserFound(answer, siteName, handle);
  rowsIn(parseUnlessBusy(answer, siteName), siteName, 'ProblemId');
  return answer.text;
}

const ratingPerLevel = 100;

export const yukicoder = {
  name: 'yukicoder',
  site: siteName,
  short: 'yuki',
  ratingName: 'yukicoder level × 100',
  bands: [
    { from: 0, colour: 'grey' },
    { from: 100, colour: 'brown' },
    { from: 200, colour: 'green' },
    { from: 300, colour: 'cyan' },
    { from: 400, colour: 'blue' },
    { from: 500, colour: 'orange' },
    { from: 600, colour: 'red' },
  ],
  handle: {
    pattern: /^[^\s\p{C}/?#%]{1,60}$/u,
    form: 'path',
    most: 60,
  },
  verdicts: { AC: 'accepted' },
  problemPage: (key) => `https://yukicoder.me/problems/no/${encodeURIComponent(key)}`,
  api: yukicoderApi,
  files: {
    submissions: {
      kind: 'submissions',
      title: 'solved',
      sourceUrl: 'https://yukicoder.me/api/v1/solved/name/NAME',
      keys: ['No', 'ProblemId', 'Date'],
      layout: { path: [], decimals: ['Level'] },
      entryOf: solvedOf,
    },
  },
} satisfies Judge;

/**
 * Rows have no submission id, so the problem's number replaces it. The site counts problems of the type 0 alone: others
 * are jokes, educational or unproven.
 */
function solvedOf(value: unknown): Submission {
  const row = objectOf(value);
  const number = String(integerOf(row['No'], 'No', 1, 10_000_000));
  const title = cutText(row['Title'], 1000);
  const details = {
    rating: ratingOf(row['Level']),
    tags: topicsJson(cutText(row['Tags'], 2000)?.split(',')),
  };
  return {
    id: number,
    key: number,
    handles: [],
    submittedAt: isoTimeOf(row['Date'], 'Date'),
    ...withoutContest,
    verdictClass: (row['ProblemType'] ?? 0) === 0 ? 'solved' : 'void',
    verdict: 'AC',
    language: null,
    problem: title === null ? details : { title: decodeEntities(title), ...details },
  };
}

/** A new problem has level 0. */
function ratingOf(value: unknown): bigint | null {
  const level = Number(JSON.isRawJSON(value) ? value.rawJSON : value);
  return level > 0 && level <= 100 ? BigInt(Math.round(level * ratingPerLevel)) : null;
}
