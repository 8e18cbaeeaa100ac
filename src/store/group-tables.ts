/** The tables of groups. All other tables are in `tables.ts`. */

export interface GroupsTable {
  id: bigint;
  name: string;
  /** The time zone in which moments are due. */
  zone: string;
  /** 1 where a coach switched the board on. Without one nobody stands on it. */
  has_board: bigint;
  created_at: string;
}

export type GroupRole = 'member' | 'coach';

/** Who is in a group. */
export interface GroupMembersTable {
  group_id: bigint;
  user_id: bigint;
  role: GroupRole;
  joined_at: string;
  /** 1 where they chose to stand on the board of the group. */
  on_board: bigint;
}

/** An address by which members join a group. The row of one that was revoked is gone. */
export interface GroupLinksTable {
  id: bigint;
  group_id: bigint;
  /** SHA-256 of the secret in the address, in hexadecimal. */
  digest: string;
  /** The coach who made it; null in rows that are older than this column. */
  made_by: bigint | null;
  uses_left: bigint;
  created_at: string;
  expires_at: string;
}

/** A list that a coach gave to a group. It shows while it is everybody's, or its owner coaches the group. */
export interface GroupListsTable {
  group_id: bigint;
  list_id: bigint;
  due_at: string | null;
  given_at: string;
}

export interface GroupTables {
  groups: GroupsTable;
  group_members: GroupMembersTable;
  group_links: GroupLinksTable;
  group_lists: GroupListsTable;
}
