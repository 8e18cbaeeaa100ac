/** What a row of a file refers to: a member by id or name, a problem by id or by its judge's key. */
import { badRow, type Located } from '../files/entries.ts';
import { fold } from '../store/case-folding.ts';
import { findMembersByIds, findMembersByNames } from '../store/members.ts';
import { adoptProblems, findProblemsByIds, findProblemsByKeys } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { keyName } from './problems.ts';

/** An id, or the sentence that says why there is none. */
export type Reference = { id: bigint } | { id?: undefined; missing: string };

/** The fields by which a row names its member. */
export interface GivenMember {
  user?: bigint;
  username?: string;
}

/** The fields by which a row names its problem. */
export interface GivenProblem {
  problem?: bigint;
  id?: bigint;
  source?: string;
  source_key?: string;
}

/** The id of what a row refers to. Throws badRow if there is none. */
export function referredId(reference: Reference): bigint {
  if (reference.id === undefined) throw badRow(`${reference.missing}.`);
  return reference.id;
}

/** Looks up the members that a batch of rows names by `user` or `username`. */
export async function memberReferences(
  tx: Db,
  entries: readonly Located<GivenMember>[],
): Promise<(row: GivenMember) => Reference> {
  const ids = entries.map(({ value }) => value.user).filter((id) => id !== undefined);
  const names = entries.map(({ value }) => value.username).filter((name) => name !== undefined);
  const known = new Set((await findMembersByIds(tx, ids)).map((row) => row.id));
  const byName = new Map((await findMembersByNames(tx, names)).map((row) => [fold(row.username), row.id]));
  return ({ user, username }) => {
    const id = username === undefined ? user : byName.get(fold(username));
    if (id === undefined)
      return {
        missing:
          username === undefined
            ? 'neither user nor username is given'
            : `no member is called ${username}; import records first, or create the member`,
      };
    if (user !== undefined && user !== id)
      return { missing: `${username} is member ${id} here, not ${user}; leave user out to go by username` };
    if (user !== undefined && !known.has(user))
      return { missing: `no member has the id ${user}; import records first` };
    return { id };
  };
}

/** Looks up the problems that a batch of rows names by `problem`, by `id` or by `source` and `source_key`. */
export async function problemReferences(
  tx: Db,
  entries: readonly Located<GivenProblem>[],
): Promise<(row: GivenProblem) => Reference> {
  const ids = entries.map(({ value }) => value.problem ?? value.id).filter((id) => id !== undefined);
  const rows = await findProblemsByIds(tx, ids);
  const known = new Set(rows.map((row) => row.id));
  await adoptProblems(tx, rows);
  const byKey = new Map<string, bigint>();
  for (const [source, some] of Map.groupBy(entries, ({ value }) => value.source)) {
    if (source === undefined) continue;
    const keys = some.map(({ value }) => value.source_key).filter((key) => key !== undefined);
    const found = await findProblemsByKeys(tx, source, keys);
    for (const row of found) byKey.set(keyName(source, row.key), row.id);
    await adoptProblems(tx, found);
  }
  return ({ problem, id, source, source_key }) => {
    if (problem !== undefined && id !== undefined && problem !== id)
      return { missing: `id ${id} and problem ${problem} differ; both are the problem's id` };
    const given = problem ?? id;
    if (source === undefined || source_key === undefined) {
      if (given === undefined) return { missing: 'neither problem nor source with source_key is given' };
      return known.has(given)
        ? { id: given }
        : { missing: `no problem has the id ${given}; import problems first` };
    }
    const named = byKey.get(keyName(source, source_key));
    if (named === undefined)
      return { missing: `no problem of ${source} has the key ${source_key}; import problems first` };
    if (given !== undefined && given !== named)
      return {
        missing: `${source} ${source_key} is problem ${named} here, not ${given}; leave id and problem out to go by source and source_key`,
      };
    return { id: named };
  };
}
