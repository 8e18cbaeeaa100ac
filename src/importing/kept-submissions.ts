/** Keeping the submissions of a file: under which handle they belong, which are new, and on which the judge has ruled since. */
import { badFile } from '../errors.ts';
import { badRow } from '../files/entries.ts';
import { judgeOf } from '../judges/addresses.ts';
import type { Submission } from '../judges/judge-files.ts';
import { addHandle } from '../practice/handles.ts';
import { fold } from '../store/case-folding.ts';
import { findHandleByName, listHandlesAt } from '../store/handles.ts';
import type { HandlesTable, SolvesTable } from '../store/judged-tables.ts';
import { findSolves, insertSolves, updateSolve } from '../store/solves.ts';
import type { Db } from '../store/tables.ts';

/** Finds the handle under which everything in a file was sent. */
export function handleOfFile(given: string | undefined) {
  const givenKey = given === undefined ? undefined : fold(given);
  /** How many submissions name each handle, and its name after case folding. */
  const named = new Map<string, { key: string; count: number }>();
  let naming = 0;
  return {
    isGiven: given !== undefined,
    /** Throws badRow for a submission that somebody else sent. */
    check: async (submission: Submission): Promise<Submission> => {
      const { handles } = submission;
      if (handles.length === 0 || handles.some((name) => fold(name) === givenKey)) return submission;
      throw badRow(`this was submitted by ${handles.join(', ')}, not by ${given}.`);
    },
    note: ({ handles }: Submission): void => {
      if (handles.length > 0) naming++;
      for (const name of new Set(handles)) {
        const known = named.get(name);
        if (known) known.count++;
        else named.set(name, { key: fold(name), count: 1 });
      }
    },
    /** The member's handle, which is linked if it was not. Throws badFile if the file does not say which it is. */
    link: async (tx: Db, userId: bigint, source: string): Promise<HandlesTable> => {
      const known = await listHandlesAt(tx, userId, source);
      const common = [...named].filter(([, { count }]) => count === naming);
      const isCandidate = ({ name_key }: HandlesTable) =>
        givenKey === undefined
          ? naming === 0 || common.some(([, { key }]) => key === name_key)
          : name_key === givenKey;
      const [first, ...more] = known.filter(isCandidate);
      if (first && more.length === 0) return first;
      const name = given ?? (common.length === 1 ? common[0]?.[0] : undefined);
      if (name === undefined) throw badFile(unclear(naming, named.size));
      return (await findHandleByName(tx, userId, source, name)) ?? addHandle(tx, userId, source, name);
    },
  };
}

function unclear(naming: number, handles: number): string {
  const why =
    naming === 0 ? 'The file does not say under which handle' : `The file has ${handles} handles under which`;
  return `${why} these submissions were made; name this member’s handle with --handle NAME.`;
}

const classes: readonly SolvesTable['verdict_class'][] = ['pending', 'void', 'tried', 'solved'];

/** Rulings on what a judge has accepted before. */
const revoking: readonly unknown[] = ['hacked', 'skipped', 'rejected'];

/** Which of two rulings on a submission holds: the one that is kept, or the one that a file names. */
export type Rule = (kept: SolvesTable, told: SolvesTable) => SolvesTable;

/**
 * The rule for files, of which nobody knows how old they are: a final ruling goes forward alone, as the judge's word does, and
 * one by which the judge revokes an accepted submission comes last.
 */
export function ruledAt(source: string): Rule {
  const verdicts = judgeOf(source)?.verdicts ?? {};
  const rank = ({ verdict_class, verdict }: SolvesTable) =>
    revoking.includes(verdicts[verdict ?? '']) ? classes.length : classes.indexOf(verdict_class);
  return (kept, told) => {
    const { verdict_class, verdict } = rank(told) >= rank(kept) ? told : kept;
    return { ...told, verdict_class, verdict, problem_id: told.problem_id ?? kept.problem_id };
  };
}

/** Keeps submissions of one handle; answers those that are new, and those that the judge has ruled on since, with what they were before. `rule` says which ruling holds. */
export async function keepSolves(
  tx: Db,
  rule: Rule,
  told: readonly SolvesTable[],
): Promise<{ added: SolvesTable[]; changed: SolvesTable[]; before: SolvesTable[] }> {
  const changed: SolvesTable[] = [];
  const replaced: SolvesTable[] = [];
  const [first] = told;
  if (!first) return { added: [], changed, before: [] };
  const byId = new Map<string, SolvesTable>();
  // Pages of a judge's answer may overlap.
  for (const row of told) {
    const same = byId.get(row.submission_id);
    byId.set(row.submission_id, same ? rule(same, row) : row);
  }
  const kept = await findSolves(tx, first.handle_id, [...byId.keys()]);
  for (const before of new Map(kept.map((row) => [row.submission_id, row])).values()) {
    const now = byId.get(before.submission_id) ?? before;
    // An answer that the judge gave to this server counts most, also if somebody else brought the submission first.
    const after = { ...rule(before, now), way: now.way === 'server' ? now.way : before.way };
    byId.delete(before.submission_id);
    if (isSame(before, after)) continue;
    await updateSolve(tx, after);
    changed.push(after);
    replaced.push(before);
  }
  const added = [...byId.values()];
  await insertSolves(tx, added);
  return { added, changed, before: replaced };
}

function isSame(one: SolvesTable, other: SolvesTable): boolean {
  return (Object.keys(one) as (keyof SolvesTable)[]).every((column) => one[column] === other[column]);
}
