/** Performances of what a member took alone: contests live or virtually, rounds, and several of them together. */

import type { ChanceModel } from '../judges/judge.ts';
import type { Db } from '../store/tables.ts';
import { listRoundTakingRows, type TakingRow } from '../store/takings.ts';
import { type Performance, performanceOf } from './performance.ts';
import { phaseOf } from './rounds.ts';
import { readAllTakings } from './strength.ts';

export interface ContestTaken {
  kind: 'live' | 'virtual' | 'gym' | 'round';
  id: bigint;
  /** The judge's id of the contest; empty for a round. */
  key: string;
  title: string;
  /** The first submission, or the start of a round (RFC 3339). */
  at: string;
  rows: readonly TakingRow[];
}

/** Contests of these judges that are over, and rounds whose results everybody sees. */
export async function readContestsTaken(
  db: Db,
  memberId: bigint,
  sources: readonly string[],
  now: number,
): Promise<ContestTaken[]> {
  const all: ContestTaken[] = [];
  for (const source of sources)
    for (const { id, key, title, first_at: at, over_at, isVirtual, isGym, rows } of await readAllTakings(
      db,
      memberId,
      { source },
    ))
      if (Date.parse(over_at) <= now)
        all.push({ kind: isGym ? 'gym' : isVirtual ? 'virtual' : 'live', id, key, title, at, rows });
  const rounds = Map.groupBy(await listRoundTakingRows(db, memberId), ({ contestId }) => contestId);
  for (const [id, rows] of rounds) {
    const [round] = rows;
    if (round && phaseOf(round, now) === 'over' && rows.some(({ isSent }) => isSent))
      all.push({ kind: 'round', id, key: '', title: round.name, at: round.starts_at, rows });
  }
  return all;
}

export type JudgePerformance = Performance & { source: string };

/** One for each judge with enough problems. */
export function performancesOf(
  models: ReadonlyMap<string, ChanceModel>,
  rows: readonly TakingRow[],
): JudgePerformance[] {
  return [...Map.groupBy(rows, ({ source }) => source)].flatMap(([source, own]) => {
    const ratings = own.map(({ rating }) => rating);
    const solvedCount = own.filter(({ isSolved }) => isSolved).length;
    const performance = performanceOf(models.get(source), ratings, solvedCount);
    return performance ? { ...performance, source } : [];
  });
}
