/** Problems that submissions bring: of a judge that lists none, those that a member tried or solved become problems here. */
import { phrase } from '../errors.ts';
import type { BroughtProblem, Submission } from '../judges/judge.ts';
import { isGym, judgeOf } from '../judges/judges.ts';
import { longestTitle, plainLine } from '../practice/added-problems.ts';
import { findContestsByKeys, insertContests } from '../store/contests.ts';
import { giveIds } from '../store/ids.ts';
import { emptyProblem, insertProblems, type ProblemRow, updateProblem } from '../store/problems.ts';
import { placeProblems } from './contests.ts';
import type { Applying } from './import.ts';
import { findByNames, settleProblems } from './problems.ts';

/**
 * Makes the problems of these submissions that are not here, one row for all members, and gives known ones what the judge says
 * of them now. A member's own file or browser makes none: everybody here would read its texts, whoever wrote them.
 */
export async function bringProblems(
  applying: Applying,
  source: string,
  submissions: readonly Submission[],
): Promise<void> {
  const { tx, now, owner } = applying;
  const brought = new Map(
    submissions.flatMap(({ key, problem }) => (problem ? [[key, problem] as const] : [])),
  );
  if (owner !== undefined || brought.size === 0) return;
  const known = new Map(
    (await findByNames(applying, source, [...brought.keys()])).map((row) => [row.key, row]),
  );
  for (const [key, problem] of brought) {
    const row = known.get(key);
    if (row?.source === source && row.source_key === key) await follow(applying, row, columnsOf(problem));
  }
  const hasMetGyms = await bringGyms(applying, source, [...brought.keys()]);
  const fresh = [...brought].filter(([key]) => !known.has(key));
  if (fresh.length === 0) {
    if (hasMetGyms) await placeProblems(applying, source);
    return;
  }
  const ids = await giveIds(tx, 'problems', fresh.length);
  const rows = fresh.map(([key, problem], at): ProblemRow => {
    const url = judgeOf(source)?.problemPage?.(key, undefined) ?? null;
    return {
      ...emptyProblem(ids[at] as bigint, now),
      ...{ source, source_key: key, title: key, url },
      ...columnsOf(problem),
    };
  });
  await insertProblems(tx, rows, isGym);
  applying.changed('problems');
  applying.wrote();
  applying.note(phrase('imported.newHere', { count: rows.length }));
  await settleProblems(applying, [source]);
}

/** Makes the gyms of these problems contests of the grid, and answers whether any is new. */
async function bringGyms({ tx, wrote }: Applying, source: string, keys: readonly string[]): Promise<boolean> {
  const { placeOf, gymTitle } = judgeOf(source) ?? {};
  const met = new Set(keys.flatMap((key) => placeOf?.(key)?.contest ?? []));
  const titles = new Map([...met].map((contest) => [contest, gymTitle?.(contest)]));
  const known = new Set((await findContestsByKeys(tx, source, [...met])).map(({ key }) => key));
  const fresh = [...titles].flatMap(([key, title]) => (title && !known.has(key) ? { key, title } : []));
  const ids = await giveIds(tx, 'contests', fresh.length);
  const unknown = { starts_at: null, duration_s: 0n, phase: null, is_gym: 1n };
  await insertContests(
    tx,
    fresh.map((contest, at) => ({ id: ids[at] as bigint, source, ...contest, ...unknown })),
  );
  if (fresh.length > 0) wrote();
  return fresh.length > 0;
}

/** The columns that a judge gives a value. */
function columnsOf({ title, ...columns }: BroughtProblem): Partial<ProblemRow> {
  const line = plainLine(title ?? '', longestTitle);
  return { ...columns, ...(line !== '' && { title: line }) };
}

async function follow(
  { tx, now, changed, wrote }: Applying,
  row: ProblemRow & { key: string; is_sample: bigint },
  columns: Partial<ProblemRow>,
): Promise<void> {
  const names = Object.keys(columns) as (keyof ProblemRow)[];
  if (names.every((name) => row[name] === columns[name])) return;
  await updateProblem(tx, row, { ...row, ...columns, updated_at: now }, isGym);
  changed('problems');
  wrote();
}
