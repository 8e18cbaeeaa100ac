/** CSES: the problem set as a list of {category, name, link}. CSES has no API; the list is made from cses.fi/problemset. */
import type { Entry } from '../files/entries.ts';
import { readJsonArray } from '../files/json.ts';
import { matchOf, objectOf, textOf, toEntries } from './fields.ts';
import type { CatalogueProblem } from './judge.ts';
import { refuseOtherKinds } from './kinds.ts';

const taskLink = /^https:\/\/cses\.fi\/problemset\/task\/([1-9]\d{0,8})\/?$/;

export async function* readCsesProblems(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<CatalogueProblem>[]> {
  const file = refuseOtherKinds('csesProblems', bytes);
  for await (const batch of readJsonArray(file, { path: [] })) yield toEntries(batch, problemOf);
}

function problemOf(value: unknown): CatalogueProblem {
  const problem = objectOf(value);
  const url = matchOf(
    problem['link'],
    'link',
    taskLink,
    'https://cses.fi/problemset/task/ and a task number',
  );
  return {
    source: 'cses',
    key: taskLink.exec(url)?.[1] ?? '',
    title: textOf(problem['name'], 'name', 500),
    url,
    tags: [textOf(problem['category'], 'category', 100).toLowerCase()],
  };
}
