/** Settling new problems and keys: submissions and contests that named them before they were here find them now. */
import { matchKept } from '../practice/settling.ts';
import { placeProblems } from './contests.ts';
import type { Applying } from './import.ts';

/** Runs at the end of every import that has added problems or keys of these judges. */
export async function settleProblems(applying: Applying, sources: Iterable<string>): Promise<void> {
  const matched = await matchKept(applying.tx);
  if (matched > 0) {
    applying.wrote();
    applying.note(`${matched === 1 ? 'One problem' : `${matched} problems`} had submissions here already.`);
  }
  for (const source of sources) await placeProblems(applying, source);
}
