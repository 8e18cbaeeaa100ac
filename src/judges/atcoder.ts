/** AtCoder: catalogue, difficulties and submissions in the shapes of AtCoder Problems (kenkoooo.com/atcoder/resources). */
import type { Entry } from '../files/entries.ts';
import { readJsonArray, readJsonObject } from '../files/json.ts';
import { badField, matchOf, objectOf, textOf, timeOf, toEntries } from './fields.ts';
import type { CatalogueProblem, Submission } from './judge.ts';
import { refuseOtherKinds } from './kinds.ts';

const source = 'atcoder';

/** The catalogue: problems.json or merged-problems.json. */
export async function* readAtcoderProblems(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<CatalogueProblem>[]> {
  const file = refuseOtherKinds('atcoderProblems', bytes);
  for await (const batch of readJsonArray(file, { path: [] })) yield toEntries(batch, problemOf);
}

/** The difficulties of problems, and nothing else: problem-models.json, an object by problem id. */
export async function* readAtcoderModels(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<CatalogueProblem>[]> {
  const file = refuseOtherKinds('atcoderModels', bytes);
  for await (const batch of readJsonObject(file, { path: [] })) yield toEntries(batch, modelOf);
}

/** A member's submissions: an answer of the API's user/submissions. */
export async function* readAtcoderSubmissions(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<Submission>[]> {
  const file = refuseOtherKinds('atcoderSubmissions', bytes);
  for await (const batch of readJsonArray(file, { path: [] })) yield toEntries(batch, submissionOf);
}

function problemOf(value: unknown): CatalogueProblem {
  const problem = objectOf(value);
  const key = idOf(problem['id'], 'id');
  const contest = idOf(problem['contest_id'], 'contest_id');
  const url = `https://atcoder.jp/contests/${contest}/tasks/${key}`;
  return { source, key, title: textOf(problem['name'], 'name', 500), url };
}

function modelOf([id, value]: [string, unknown]): CatalogueProblem {
  const key = idOf(id, 'The problem id');
  const { difficulty } = objectOf(value, key);
  return {
    source,
    key,
    rating: difficulty === undefined || difficulty === null ? null : ratingOf(difficulty),
  };
}

/** The rating of a difficulty. Like AtCoder Problems, it maps difficulties below 400 to a curve that stays above zero. */
function ratingOf(found: unknown): number {
  const difficulty = JSON.isRawJSON(found) ? Number(found.rawJSON) : found;
  if (typeof difficulty !== 'number' || !(difficulty >= -100_000 && difficulty <= 10_000)) {
    throw badField('difficulty', found, 'a number from -100000 to 10000');
  }
  return Math.round(difficulty >= 400 ? difficulty : 400 / Math.exp(1 - difficulty / 400));
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  return {
    source,
    key: idOf(submission['problem_id'], 'problem_id'),
    submittedAt: timeOf(submission['epoch_second'], 'epoch_second'),
    isSolved: textOf(submission['result'], 'result', 100) === 'AC',
    isGym: false,
  };
}

function idOf(value: unknown, name: string): string {
  return matchOf(value, name, /^[A-Za-z0-9_-]{1,100}$/, 'an id of letters, digits, _ and -');
}
