/** Imports contests, and which problems were set in them. */

import type { ContestPlacement, JudgeContest } from '../judges/judge.ts';
import { judgeOf } from '../judges/judges.ts';
import { plainTitle } from '../practice/added-problems.ts';
import type { ContestProblemsTable, ContestRow } from '../store/contests.ts';
import {
  findContestsByKeys,
  insertContestProblems,
  insertContests,
  listContestProblems,
  listContests,
  updateContest,
  updateContestProblem,
} from '../store/contests.ts';
import { reserveIds } from '../store/ids.ts';
import { listGymKeys } from '../store/problems.ts';
import { mapKeysToProblems } from '../store/removed-problems.ts';
import type { Figure, ImportContext, Sink } from './import.ts';
import { upsertBatch } from './rows.ts';

/**
 * The figures count contests. A gym (private training) is imported only while a problem of it is stored: anybody may
 * name a gym.
 */
export function contestSink(context: ImportContext, source: string): Sink<JudgeContest> {
  const { tx, count } = context;
  const { gymTitle, contestPositionOf } = judgeOf(source) ?? {};
  let storedGyms: Set<string> | undefined;
  return {
    write: async (all) => {
      storedGyms ??= new Set(
        (await listGymKeys(tx, source)).map((key) => contestPositionOf?.(key)?.contest ?? ''),
      );
      const entries = all.flatMap(({ value }) => {
        const title = gymTitle?.(value.key);
        if (title === undefined) return { value, is_gym: 0n };
        if (storedGyms?.has(value.key))
          return { value: { ...value, title: plainTitle(value.title) || title }, is_gym: 1n };
        count('unmatched', () => `${source} ${value.key}: no problem of it is here`);
        return [];
      });
      const batch = upsertBatch<ContestRow>(context, {
        keysOf: ({ key }) => [key],
        insert: insertContests,
        update: updateContest,
      });
      const keys = [...new Set(entries.map(({ value }) => value.key))];
      batch.addStored(await findContestsByKeys(tx, source, keys));
      const ids = await reserveIds(tx, 'contests', keys.filter((key) => !batch.find(key)).length);
      for (const { value: contest, is_gym } of entries) {
        const found = batch.find(contest.key);
        const describe = () => `${source} ${contest.key} ${contest.title}`;
        if (found) await batch.change(found, contest, describe);
        else batch.add({ id: ids.shift() as bigint, source, is_gym, ...contest }, describe);
      }
      await batch.finish();
    },
    finish: () => savePlacements(context, source),
  };
}

/** The figures count placements; `unmatched` counts those in unknown contests. */
export function placementSink(context: ImportContext, source: string): Sink<ContestPlacement> {
  const { count } = context;
  const placements: ContestPlacement[] = [];
  return {
    write: async (entries) => {
      for (const { value } of entries) placements.push(value);
    },
    finish: () =>
      savePlacements(context, source, placements, (placement, figure) =>
        count(figure, () => `${source} ${placement.contest} ${placement.position}: ${placement.key}`),
      ),
  };
}

/** Saves in which contests problems were set: those that the judge lists, and those whose keys contain the contest. */
export async function savePlacements(
  { tx, markWritten }: Pick<ImportContext, 'tx' | 'markWritten'>,
  source: string,
  judgePlacements: readonly ContestPlacement[] = [],
  onPlacement: (placement: ContestPlacement, figure: Figure) => void = () => {},
): Promise<void> {
  const contests = new Map((await listContests(tx, source)).map(({ key, id }) => [key, id]));
  if (contests.size === 0) {
    for (const placement of judgePlacements) onPlacement(placement, 'unmatched');
    return;
  }
  const problems = await mapKeysToProblems(tx, source);
  const stored = await listContestProblems(tx, source);
  let figure: Figure = 'kept';
  let hasChanged = false;
  const count = (counted: Figure) => {
    figure = counted;
    hasChanged ||= counted !== 'kept';
  };
  const batch = upsertBatch<ContestProblemsTable>(
    { tx, now: '', count },
    {
      keysOf: (row) => [contestProblemKey(row)],
      insert: insertContestProblems,
      update: updateContestProblem,
    },
  );
  batch.addStored(stored);
  const upsertPlacement = async (contest_id: bigint, key: string, position: string) => {
    const row = { contest_id, key, position, problem_id: problems.get(key) ?? null };
    const found = batch.find(contestProblemKey(row));
    if (found) await batch.change(found, row, noDescription);
    else batch.add(row, noDescription);
    return figure;
  };
  for (const { contest_id, key, position } of stored) await upsertPlacement(contest_id, key, position);
  const { contestPositionOf } = judgeOf(source) ?? {};
  if (contestPositionOf) {
    for (const key of problems.keys()) {
      const placement = contestPositionOf(key);
      const id = placement && contests.get(placement.contest);
      if (id !== undefined) await upsertPlacement(id, key, placement?.position ?? '');
    }
  }
  for (const placement of judgePlacements) {
    const id = contests.get(placement.contest);
    onPlacement(
      placement,
      id === undefined ? 'unmatched' : await upsertPlacement(id, placement.key, placement.position),
    );
  }
  await batch.finish();
  if (hasChanged) markWritten();
}

const noDescription = () => '';

function contestProblemKey({ contest_id, key }: ContestProblemsTable): string {
  return `${contest_id} ${key}`;
}
