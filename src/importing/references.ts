/** What a row of a file refers to: a member by id or name, a problem by id or by its judge's key. */
import type { Located } from '../files/entries.ts';
import { fold } from '../store/case-folding.ts';
import { findMembersByIds, findMembersByNames } from '../store/members.ts';
import { adoptProblems, findProblemsByIds, findProblemsByKeys } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { GivenRow } from './own-rows.ts';

/** An id, or the sentence that says why there is none. */
export type Reference = { id: bigint } | { missing: string };

export const memberFields = ['username'] as const;
export const problemFields = ['source', 'source_key'] as const;

/** Whether a row names its member by id without the name beside it. */
export function hasBareMember({ user, username }: GivenRow): boolean {
  return typeof user === 'bigint' && typeof username !== 'string';
}

/** Whether a row names its problem by id without the judge's key beside it. */
export function hasBareProblem({ problem, id, source, source_key }: GivenRow): boolean {
  const isKeyed = typeof source === 'string' && typeof source_key === 'string';
  return typeof (problem ?? id) === 'bigint' && !isKeyed;
}

/** Looks up the members that a batch of rows names by `user` or `username`. */
export async function memberReferences(
  tx: Db,
  entries: readonly Located<GivenRow>[],
): Promise<(row: GivenRow) => Reference> {
  const ids = entries.map(({ value }) => value.user).filter((id) => typeof id === 'bigint');
  const names = entries.map(({ value }) => value.username).filter((name) => typeof name === 'string');
  const known = new Set((await findMembersByIds(tx, ids)).map((row) => row.id));
  const byName = new Map((await findMembersByNames(tx, names)).map((row) => [fold(row.username), row.id]));
  return ({ user, username }) => {
    const named = typeof username === 'string' ? byName.get(fold(username)) : undefined;
    if (typeof username === 'string' && named === undefined) {
      return { missing: `no member is called ${username}; import records first, or create the member` };
    }
    if (typeof user !== 'bigint')
      return named === undefined ? { missing: 'neither user nor username is given' } : { id: named };
    if (named !== undefined && named !== user) {
      return {
        missing: `${username} is member ${named} here, not ${user}; leave user out to go by username`,
      };
    }
    if (!known.has(user)) return { missing: `no member has the id ${user}; import records first` };
    return { id: user };
  };
}

/** Looks up the problems that a batch of rows names by `problem`, by `id` or by `source` and `source_key`. */
export async function problemReferences(
  tx: Db,
  entries: readonly Located<GivenRow>[],
): Promise<(row: GivenRow) => Reference> {
  const ids = entries.map(({ value }) => value.problem ?? value.id).filter((id) => typeof id === 'bigint');
  const rows = await findProblemsByIds(tx, ids);
  const known = new Set(rows.map((row) => row.id));
  const byKey = new Map<string, bigint>();
  const keyed = entries.filter(
    ({ value }) => typeof value.source === 'string' && typeof value.source_key === 'string',
  );
  const sampled = rows.filter((row) => row.is_sample === 1n).map((row) => row.id);
  for (const [source, some] of Map.groupBy(keyed, ({ value }) => String(value.source))) {
    const found = await findProblemsByKeys(
      tx,
      source,
      some.map(({ value }) => String(value.source_key)),
    );
    for (const row of found) byKey.set(`${source}\0${row.key}`, row.id);
    sampled.push(...found.filter((row) => row.is_sample === 1n).map((row) => row.id));
  }
  await adoptProblems(tx, sampled);
  return ({ problem, id, source, source_key }) => {
    if (typeof problem === 'bigint' && typeof id === 'bigint' && problem !== id) {
      return { missing: `id ${id} and problem ${problem} differ; both are the problem's id` };
    }
    const given = problem ?? id;
    const isKeyed = typeof source === 'string' && typeof source_key === 'string';
    const found = isKeyed ? byKey.get(`${source}\0${source_key}`) : undefined;
    if (isKeyed && found === undefined) {
      return { missing: `no problem of ${source} has the key ${source_key}; import problems first` };
    }
    if (typeof given !== 'bigint') {
      return found === undefined
        ? { missing: 'neither problem nor source with source_key is given' }
        : { id: found };
    }
    if (found !== undefined && found !== given) {
      return {
        missing: `${source} ${source_key} is problem ${found} here, not ${given}; leave id and problem out to go by source and source_key`,
      };
    }
    if (!known.has(given)) return { missing: `no problem has the id ${given}; import problems first` };
    return { id: given };
  };
}
