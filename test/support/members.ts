/** Members of a garden under test. */
import { type GroupMembersTable, insertGroupMember } from '../../src/store/groups.ts';
import { findMemberByName } from '../../src/store/members.ts';
import type { Store } from '../../src/store/store.ts';
import type { Db } from '../../src/store/tables.ts';
import { memberWithPassword } from './forms.ts';
import { withStore } from './garden.ts';

export const longAgo = '2026-01-01T00:00:00.000Z';

export async function membersNamed<Name extends string>(
  databaseUrl: string,
  ...names: readonly Name[]
): Promise<Record<Name, bigint>> {
  const ids = {} as Record<Name, bigint>;
  await withStore(databaseUrl, async () => {
    for (const name of names) ids[name] = await memberWithPassword(databaseUrl, name);
  });
  return ids;
}

export const idOf = async ({ reader }: Store, username: string) => (await findMemberByName(reader, username))?.id ?? 0n;

type Joining = Partial<Omit<GroupMembersTable, 'group_id' | 'user_id'>>;

export const joinGroup = (tx: Db, group_id: bigint, user_id: bigint, more: Joining = {}) =>
  insertGroupMember(tx, { group_id, user_id, role: 'member', joined_at: longAgo, on_board: 0n, ...more });
