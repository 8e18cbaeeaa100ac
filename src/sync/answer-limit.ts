/** An end for what a judge never ends. */
import type { Fetched } from '../judges/judge.ts';

/** More answers than any list needs. */
const answersAtMost = 200;

/** The answers, as long as there are not too many. */
export async function* limited(answers: AsyncGenerator<Fetched>): AsyncGenerator<Fetched> {
  let count = 0;
  for await (const answer of answers) {
    yield answer;
    if (++count >= answersAtMost) return;
  }
}
