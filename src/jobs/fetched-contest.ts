/** A contest with its problems, from the catalogue here or as its judge describes it. */
import type { ApiKey, ContestProblem, ContestWithProblems, JudgeApi, JudgeClient } from '../judges/judge.ts';
import { isGym, judgeOf } from '../judges/judges.ts';
import { distinctPlaces } from '../practice/season-table.ts';
import {
  type ContestRow,
  completePhase,
  findContestsByKeys,
  type GridProblem,
  listContestsStartingAt,
  listGridProblems,
} from '../store/contests.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';

export interface FetchedContest extends Omit<ContestWithProblems, 'problems'> {
  source: string;
  key: string;
  problems: (ContestProblem & { source: string; isGym: boolean })[];
}

/** Undefined for a hidden contest. Throws judgeFailed. */
export async function fetchContest(
  ask: JudgeClient,
  contest: NonNullable<JudgeApi['contest']>,
  { source, key, apiKey }: { source: string; key: string; apiKey?: ApiKey | undefined },
): Promise<FetchedContest | undefined> {
  const fetched = await contest(ask, key, apiKey);
  if (!fetched) return undefined;
  const unique = [...new Map(fetched.problems.map((one) => [one.key, one])).values()];
  const problems = unique.map((one) => ({ ...one, source, isGym: isGym({ source, source_key: one.key }) }));
  return { ...fetched, source, key, problems };
}

/** Undefined for a contest that is not here, or may have problems that are not. */
export async function findStoredContest(
  db: Db,
  { source, key }: { source: string; key: string },
): Promise<FetchedContest | undefined> {
  const [contest] = await findContestsByKeys(db, source, [key]);
  const places = contest ? distinctPlaces(await listGridProblems(db, [contest.id])) : [];
  if (!contest || !(await hasAllProblems(db, contest, places))) return undefined;
  const stored = await findProblemsByIds(
    db,
    places.flatMap(({ id }) => id ?? []),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const problems = places.flatMap(({ id, position }) => {
    const row = byId.get(id ?? 0n);
    if (!row) return [];
    const { title, url, is_gym } = row;
    return { source: row.source, key: row.source_key, title, url: url ?? '', position, isGym: is_gym === 1n };
  });
  const { title, starts_at, duration_s, phase } = contest;
  return { source, key, title, starts_at, duration_s, phase, problems };
}

/**
 * The private contests that these problems are of: what is sent to them is shown to nobody else. A gym is public if the
 * judge lists it, so that it has a phase.
 */
export async function listPrivateContests(
  db: Db,
  problems: readonly { source: string; source_key: string }[],
): Promise<{ source: string; key: string }[]> {
  const contests: { source: string; key: string }[] = [];
  for (const [source, some] of Map.groupBy(problems.filter(isGym), (one) => one.source)) {
    const keys = new Set(
      some.flatMap(({ source_key }) => judgeOf(source)?.contestPositionOf?.(source_key)?.contest ?? []),
    );
    const stored = await findContestsByKeys(db, source, [...keys]);
    for (const { key, phase } of stored) if (phase !== null && phase !== completePhase) keys.delete(key);
    for (const key of keys) contests.push({ source, key });
  }
  return contests;
}

/** A round with less than this is the part of a double round that no other contest has. */
const lettersAtLeast = 4;

/**
 * Problems of gyms come one by one with submissions. A catalogue has the problems that two rounds share only under one
 * of them, so that the other has gaps, or few.
 */
async function hasAllProblems(db: Db, contest: ContestRow, places: readonly GridProblem[]): Promise<boolean> {
  const { source, is_gym, phase, starts_at } = contest;
  if (places.length === 0 || places.some(({ id }) => id === null)) return false;
  if (is_gym === 1n) return phase === completePhase;
  const { contestPositionOf, api } = judgeOf(source) ?? {};
  if (!contestPositionOf || !api?.contest) return true;
  const letters = [...new Set(places.map(({ position }) => position.charAt(0)))].toSorted();
  const hasGap = letters.some((letter, at) => /[A-Z]/.test(letter) && letter.charCodeAt(0) !== 65 + at);
  if (hasGap || starts_at === null || letters.length >= lettersAtLeast) return !hasGap;
  return (await listContestsStartingAt(db, source, starts_at)).length < 2;
}
