/** A member with a long history: submissions of eight years, as imports and syncs would have brought them. */

import { deriveStatuses, mergeWith } from '../../src/practice/derivation.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { solve } from './seasons.ts';

export interface History {
  memberId: bigint;
  /** At least a quarter as many as submissions. */
  problems: readonly { id: bigint; source_key: string }[];
  submissions: number;
  daysAYear: number;
  now: number;
}

const dayMs = 86_400_000;
const years = 8;
const rowsAtOnce = 10_000;

export async function giveHistory(
  store: Store,
  { memberId, problems, submissions, daysAYear, now }: History,
): Promise<void> {
  await store.write(async (tx) => {
    const { id: handle_id } = await addHandle(tx, memberId, 'codeforces', `long${memberId}`);
    const days = years * daysAYear;
    const rows = Array.from({ length: submissions }, (_, nth) => {
      const place = Math.floor(nth / 4);
      const problem = problems[place % problems.length];
      const isSolved = nth % 4 === 3 && place % 4 !== 1;
      const day = Math.floor((nth / submissions) * days);
      const daysAgo = Math.floor(((days - 1 - day) * 365) / daysAYear);
      // An hour ago at the latest, so that no clock places it in the future.
      const at = now - 3_600_000 - daysAgo * dayMs - ((submissions - nth) % 600) * 1000;
      return solve({
        handle_id,
        submission_id: String(nth),
        problem_id: problem?.id ?? null,
        key: problem?.source_key ?? '',
        verdict_class: isSolved ? 'solved' : 'tried',
        verdict: isSolved ? 'OK' : 'WRONG_ANSWER',
        submitted_at: new Date(at).toISOString(),
        language: 'C++20',
      });
    });
    for (let start = 0; start < rows.length; start += rowsAtOnce)
      await insertSolves(tx, rows.slice(start, start + rowsAtOnce));
    const ids = [...new Set(problems.slice(0, Math.ceil(submissions / 4)).map(({ id }) => id))];
    await deriveStatuses(tx, memberId, ids, mergeWith(new Map()));
  });
}
