/** The boards of groups in the store: who stands on one, and when the days of each begin. */
import type { GroupMembersTable } from './group-tables.ts';
import { type GroupPerson, personColumns } from './groups.ts';
import { dayRuleNames, settingOf } from './member-settings.ts';
import type { Db } from './tables.ts';

/** Somebody who may stand on a board, with what says when their days begin. */
export type BoardPerson = GroupPerson &
  Pick<GroupMembersTable, 'on_board'> & { time_zone: string | null; day_start: string | null };

/** The people of a group by name, without disabled members. */
export async function listBoardPeople(db: Db, groupId: bigint): Promise<BoardPerson[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select(personColumns)
    .select('on_board')
    .select([
      settingOf('members.id', dayRuleNames.zone).as('time_zone'),
      settingOf('members.id', dayRuleNames.startHour).as('day_start'),
    ])
    .where('group_id', '=', groupId)
    .where('is_disabled', '=', 0n)
    .orderBy('username')
    .execute();
}

/** Puts somebody on the board of a group that has one, or takes them off; returns whether they are in such a group. */
export async function setOnBoard(tx: Db, groupId: bigint, userId: bigint, isOn: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_members')
    .set({ on_board: isOn ? 1n : 0n })
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .where('group_id', 'in', tx.selectFrom('groups').select('groups.id').where('has_board', '=', 1n))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
