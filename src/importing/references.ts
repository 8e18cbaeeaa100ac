/** Finds members and problems that rows name by an id or by a natural key. */
import { localizedError, message } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { problemMapKey } from '../practice/added-problems.ts';
import { fold } from '../store/case-folding.ts';
import { findHandleWithFormerName, type HandlesTable } from '../store/handles.ts';
import { findMembersByIds, findMembersByNames } from '../store/members.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext } from './import.ts';
import { adoptSample, findProblemIds } from './problems.ts';
import { findForEach } from './rows.ts';

export interface MemberReference {
  user?: bigint | undefined;
  username?: string | undefined;
}

export interface ProblemReference {
  problem?: bigint | undefined;
  id?: bigint | undefined;
  source?: string | undefined;
  source_key?: string | undefined;
}

export interface HandleReference extends MemberReference {
  source?: string;
  handle?: string;
}

type Batch = readonly Located<MemberReference & ProblemReference>[];

const resolveMemberAndProblem = (context: ImportContext) => async (entries: Batch) => {
  const memberOf = await memberReferences(context, entries);
  const problemOf = await problemReferences(context, entries);
  return <Row extends object>(row: Row) => {
    const { user, username, problem, id, source, source_key, ...fields } = row as Row &
      MemberReference &
      ProblemReference;
    const reference = { problem, id, source, source_key };
    return { ...fields, user_id: memberOf({ user, username }), problem_id: problemOf(reference) };
  };
};

export const resolveMember = (context: ImportContext) => async (entries: Batch) => {
  const memberOf = await memberReferences(context, entries);
  return <Row extends object>(row: Row) => {
    const { user, username, ...fields } = row as Row & MemberReference;
    return { ...fields, user_id: memberOf({ user, username }) };
  };
};

export const handleReferences = (context: ImportContext) => {
  const handles = new Map<string, HandlesTable>();
  return async (entries: Batch) => {
    const memberOf = await memberReferences(context, entries);
    return async (row: HandleReference): Promise<HandlesTable> => {
      const { username, source = '', handle = '' } = row;
      const user_id = memberOf(row);
      const name = `${user_id}\0${source}\0${fold(handle)}`;
      const cached = handles.get(name);
      if (cached) return cached;
      const found = await findHandleWithFormerName(context.tx, user_id, source, handle);
      if (!found)
        throw localizedError('badRow.noHandleOf', {
          username: username ?? '',
          handle: JSON.stringify(handle.slice(0, 50)),
          source: source.slice(0, 50),
        });
      handles.set(name, found);
      return found;
    };
  };
};

export const memberProblemRows = <R>(
  context: ImportContext,
  find: (tx: Db, userId: bigint, problemIds: readonly bigint[]) => Promise<R[]>,
) => ({
  resolveReferences: resolveMemberAndProblem(context),
  find: (rows: readonly { user_id: bigint; problem_id: bigint }[]): Promise<R[]> =>
    findForEach(
      Map.groupBy(rows, ({ user_id }) => user_id),
      ([userId, some]) => find(context.tx, userId, [...new Set(some.map(({ problem_id }) => problem_id))]),
    ),
});

export async function memberReferences(
  { tx, owner }: Pick<ImportContext, 'tx' | 'owner'>,
  entries: readonly Located<MemberReference>[],
): Promise<(row: MemberReference) => bigint> {
  if (owner !== undefined) return ownerReference(tx, owner);
  const ids = entries.map(({ value }) => value.user).filter((id) => id !== undefined);
  const names = entries.map(({ value }) => value.username).filter((name) => name !== undefined);
  const knownIds = new Set((await findMembersByIds(tx, ids)).map((row) => row.id));
  const byName = new Map((await findMembersByNames(tx, names)).map((row) => [fold(row.username), row.id]));
  return ({ user, username }) => {
    if (username === undefined) {
      if (user === undefined) throw localizedError('badRow.nobody');
      if (!knownIds.has(user)) throw localizedError('badRow.noMemberId', { user });
      return user;
    }
    const id = byName.get(fold(username));
    if (id === undefined) throw localizedError('badRow.noMember', { username });
    if (user !== undefined && user !== id) throw localizedError('badRow.otherUser', { username, id, user });
    return id;
  };
}

/** An unknown member and another member get the same refusal, so that it reveals nobody. */
async function ownerReference(tx: Db, owner: bigint): Promise<(row: MemberReference) => bigint> {
  const [member] = await findMembersByIds(tx, [owner]);
  if (!member) throw localizedError('badFile.accountGone');
  const key = fold(member.username);
  return ({ user, username }) => {
    const isOwn = username === undefined ? user === undefined || user === owner : fold(username) === key;
    // With the right name, the number may be that of another garden.
    if (isOwn) return owner;
    const name = username === undefined ? message('field.member', { id: user ?? '' }) : username.slice(0, 64);
    throw localizedError('badRow.ofOther', { name });
  };
}

async function problemReferences(
  context: ImportContext,
  entries: readonly Located<ProblemReference>[],
): Promise<(row: ProblemReference) => bigint> {
  const ids = entries.map(({ value }) => value.problem ?? value.id).filter((id) => id !== undefined);
  const knownIds = new Set(
    (await adoptSample(context, findProblemsByIds(context.tx, ids))).map((row) => row.id),
  );
  const names = entries.flatMap(({ value: { source, source_key: key } }) =>
    source === undefined || key === undefined ? [] : { source, key },
  );
  const idsByName = await findProblemIds(context, names);
  return ({ problem, id, source, source_key }) => {
    if (problem !== undefined && id !== undefined && problem !== id)
      throw localizedError('badRow.twoIds', { id, problem });
    const rowId = problem ?? id;
    if (source === undefined || source_key === undefined) {
      if (rowId === undefined) throw localizedError('badRow.nothing');
      if (!knownIds.has(rowId)) throw localizedError('badRow.noProblemId', { given: rowId });
      return rowId;
    }
    const keyId = idsByName.get(problemMapKey({ source, key: source_key }));
    if (keyId === undefined) throw localizedError('badRow.noProblem', { source, key: source_key });
    if (rowId !== undefined && rowId !== keyId)
      throw localizedError('badRow.otherId', { source, key: source_key, named: keyId, given: rowId });
    return keyId;
  };
}
