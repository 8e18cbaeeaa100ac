/** Members and their records. */

import { insertMany, preparedForMany } from './bulk.ts';
import { contains, fold, searchColumn } from './case-folding.ts';
import { leaveAllGroups } from './groups.ts';
import {
  countRows,
  isUnfiltered,
  itemQuery,
  type Listing,
  makeListing,
  type Query,
  type ShownColumn,
  sortFieldsOf,
} from './listings.ts';
import { noteDeletedPlants } from './plants.ts';
import { prepared } from './prepared.ts';
import { bumpRevisions } from './revisions.ts';
import { updateRow, updateRows } from './rows.ts';
import type { Db, RowOf } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    members: MembersTable;
  }
}

/** The columns of a member that the contract shows. */
export const recordKinds = {
  id: 'integer',
  username: 'text',
  first_name: 'text?',
  last_name: 'text?',
  email: 'text?',
  phone: 'text?',
  address: 'text?',
  city: 'text?',
  state: 'text?',
  zipcode: 'text?',
  role: 'text',
  created_at: 'text',
  updated_at: 'text',
} as const;

export interface MembersTable extends RowOf<typeof recordKinds> {
  role: 'member' | 'staff';
  /** The username after case folding. It is unique, so no two names differ only in case. */
  username_key: string;
  search_text: string;
  is_disabled: bigint;
  is_sample: bigint;
  /** Argon2id in the PHC string format; null for a member who cannot sign in with a password. */
  password_hash: string | null;
}

export type RecordRow = Omit<
  MembersTable,
  'username_key' | 'search_text' | 'is_disabled' | 'is_sample' | 'password_hash'
>;
/** A member's row without the columns that are derived from others. */
export type MemberRow = Omit<MembersTable, 'username_key' | 'search_text' | 'password_hash'>;

export interface RecordFilter {
  id?: bigint | undefined;
  q?: string | undefined;
  role?: 'member' | 'staff' | undefined;
  updatedSince?: string | undefined;
}

const recordColumns = Object.keys(recordKinds) as (keyof typeof recordKinds)[];
const memberColumns = [...recordColumns, 'is_disabled', 'is_sample'] as const;

export const recordSortFields = sortFieldsOf('members', recordKinds);

export function recordListing({ id, ...filters }: RecordFilter): Listing<RecordRow> {
  const { q, role, updatedSince } = filters;
  return makeListing({
    isWhole: isUnfiltered(filters),
    matching: (db) => {
      let query: Query<'members'> = membersOf(db, id);
      if (role !== undefined) query = query.where('role', '=', role);
      if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
      if (q !== undefined) query = query.where(contains(db, 'members.search_text', q));
      return query;
    },
    shown: (query) => query.select(recordColumns),
  });
}

function membersOf(db: Db, id: bigint | undefined) {
  const members = db.selectFrom('members');
  return id === undefined ? members : members.where('id', '=', id);
}

const recordsOf = prepared((db, { id }: { id: bigint }) =>
  db.selectFrom('members').select(recordColumns).where('id', '=', id),
);

export const findRecord = async (db: Db, id: bigint): Promise<RecordRow | undefined> =>
  (await recordsOf(db, { id }))[0];

/** A record by its id, as JSON of these columns. */
export const recordItem = (shown: readonly ShownColumn[]) =>
  itemQuery(shown, [], (db, { id }: { id: bigint }) => membersOf(db, id));

export async function memberExists(db: Db, id: bigint): Promise<boolean> {
  return (await findRecord(db, id)) !== undefined;
}

export async function findMemberByName(db: Db, username: string): Promise<MemberRow | undefined> {
  const [row] = await findMembersByNames(db, [username]);
  return row;
}

const membersByNames = preparedForMany((db, names: readonly string[]) =>
  db.selectFrom('members').select(memberColumns).where('username_key', 'in', names),
);

/** The members with these names, compared by case folding; a name that no member has is left out. */
export const findMembersByNames = (db: Db, usernames: readonly string[]): Promise<MemberRow[]> =>
  membersByNames(db, usernames.map(fold));

export const findMembersByIds = preparedForMany((db, ids: readonly bigint[]) =>
  db.selectFrom('members').select(memberColumns).where('id', 'in', ids),
);

/** A member's record with a setting of the garden beside it, in one statement. */
export async function findOwnRecord(db: Db, id: bigint, setting: string) {
  const value = db.selectFrom('settings').select('value').where('name', '=', setting);
  const own = db.selectFrom('members').where('id', '=', id);
  return own.select([...memberColumns, value.as('setting')]).executeTakeFirst();
}

export async function listMembers(db: Db): Promise<MemberRow[]> {
  return db.selectFrom('members').select(memberColumns).orderBy('id').execute();
}

export async function insertMembers(tx: Db, rows: readonly MemberRow[]): Promise<void> {
  const made = rows.map((row) => ({ ...withDerived(row), password_hash: null }));
  await insertMany(tx, 'members', made);
}

export async function updateMember(tx: Db, row: MemberRow): Promise<void> {
  await updateRow(tx, 'members', ['id'], withDerived(row));
  await bumpRevisions(tx, ['credentials']);
}

/** Deletes a member with all their rows. No new plant gets the id of one of theirs. */
export async function deleteMember(tx: Db, id: bigint): Promise<void> {
  // Plants come before the notes of their ids, as in deletePlant; in another order the two could deadlock.
  const plants = await tx.deleteFrom('plants').where('user_id', '=', id).returning('id').execute();
  await noteDeletedPlants(
    tx,
    plants.map((plant) => plant.id),
  );
  await leaveAllGroups(tx, id);
  await tx.deleteFrom('entry_links').where('made_by', '=', id).execute();
  await tx.deleteFrom('members').where('id', '=', id).execute();
  await bumpRevisions(tx, ['credentials']);
}

const tablesOfBelongings = [
  'statuses',
  'bookmarks',
  'plants',
  'handles',
  'changes',
  'reviews',
  'timers',
  'tokens',
  'sessions',
  'member_settings',
  'group_members',
  'webhooks',
] as const;

export type Belongings = Record<
  (typeof tablesOfBelongings)[number] | 'lists' | 'submissions' | 'ratings',
  bigint
>;

/** How many rows are a member's; all of them go with the member. */
export async function countBelongings(db: Db, id: bigint): Promise<Belongings> {
  const counts: Partial<Belongings> = {};
  for (const table of tablesOfBelongings) {
    counts[table] = await countRows(db.selectFrom(table as 'plants').where('user_id', '=', id));
  }
  counts.lists = await countRows(db.selectFrom('lists').where('owner_id', '=', id));
  const own = db.selectFrom('handles').select('handles.id').where('user_id', '=', id);
  counts.submissions = await countRows(db.selectFrom('solves').where('handle_id', 'in', own));
  counts.ratings = await countRows(db.selectFrom('ratings').where('handle_id', 'in', own));
  return counts as Belongings;
}

function withDerived(row: MemberRow): Omit<MembersTable, 'password_hash'> {
  const searched = [row.username, row.first_name, row.last_name, row.email].filter((part) => part !== null);
  return { ...row, username_key: fold(row.username), search_text: searchColumn(searched) };
}

/** The columns that the check of a password needs, of the member of this name. */
export async function findPassword(
  db: Db,
  username: string,
): Promise<Pick<MembersTable, 'id' | 'password_hash' | 'is_disabled'> | undefined> {
  return db
    .selectFrom('members')
    .select(['id', 'password_hash', 'is_disabled'])
    .where('username_key', '=', fold(username))
    .executeTakeFirst();
}

/** The hash of a member's password; null where they have none. */
export async function findPasswordHash(db: Db, id: bigint): Promise<string | null> {
  const row = await db.selectFrom('members').select('password_hash').where('id', '=', id).executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Stores the hash of a member's password; null takes the password away. */
export const setPasswordHash = (tx: Db, id: bigint, hash: string | null) =>
  updateRows(tx, 'members', { id }, { password_hash: hash });

/** A member as staff see them in the list: without what is theirs alone. */
export type ListedMember = Pick<
  MembersTable,
  'id' | 'username' | 'first_name' | 'last_name' | 'role' | 'created_at' | 'is_disabled' | 'is_sample'
> & {
  /** When they last used a session that is still good. */
  seen_at: string | null;
  /** Whether they can sign in with a password. */
  has_password: bigint;
  /** How many plants they have. */
  plants: bigint;
};

/** So many members in the order of their names, from the place `offset` on, that have the text `q` in a name or address. */
export async function listMembersByName(
  db: Db,
  { q, offset, limit }: { q: string; offset: number; limit: number },
): Promise<ListedMember[]> {
  return listed(namedLike(db, q)).orderBy('username_key').offset(offset).limit(limit).execute();
}

export async function countMembersLike(db: Db, q: string): Promise<bigint> {
  return countRows(namedLike(db, q));
}

export async function findListedMember(db: Db, id: bigint): Promise<ListedMember | undefined> {
  return listed(db.selectFrom('members').where('members.id', '=', id)).executeTakeFirst();
}

function namedLike(db: Db, q: string) {
  const members = db.selectFrom('members');
  return q === '' ? members : members.where(contains(db, 'members.search_text', q));
}

function listed(query: Query<'members'>) {
  return query.select(listedColumns).select(({ selectFrom, case: choose, cast, ref }) => [
    selectFrom('sessions')
      .select(({ fn }) => fn.max('sessions.seen_at').as('seen_at'))
      .whereRef('sessions.user_id', '=', 'members.id')
      .as('seen_at'),
    selectFrom('plants')
      .select(({ fn }) => fn.countAll<bigint>().as('plants'))
      .whereRef('plants.user_id', '=', 'members.id')
      .$asScalar()
      .$notNull()
      .as('plants'),
    // Without the cast PostgreSQL takes the two values for texts.
    cast<bigint>(
      choose().when(ref('members.password_hash'), 'is', null).then(0n).else(1n).end(),
      'bigint',
    ).as('has_password'),
  ]);
}

const listedColumns = [
  'members.id',
  'members.username',
  'members.first_name',
  'members.last_name',
  'members.role',
  'members.created_at',
  'members.is_disabled',
  'members.is_sample',
] as const;

/** How many members are staff and may sign in. */
export async function countStaff(db: Db): Promise<bigint> {
  return countRows(db.selectFrom('members').where('role', '=', 'staff').where('is_disabled', '=', 0n));
}

/** Whether the garden has any member whom people made, and not the sample. */
export async function hasMembers(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('is_sample', '=', 0n)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
