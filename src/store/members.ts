/** Members and their records. */

import type { ExpressionBuilder } from 'kysely';
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
import { insertDeletedPlantIds } from './plants.ts';
import { prepared } from './prepared.ts';
import { bumpRevisions } from './revisions.ts';
import { deleteDuelsWith } from './rounds.ts';
import { deleteRows, updateRow, updateRows } from './rows.ts';
import type { Db, RowOf, Tables } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    members: MembersTable;
  }
}

export const recordColumnKinds = {
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

export interface MembersTable extends RowOf<typeof recordColumnKinds> {
  role: 'member' | 'staff';
  username_key: string;
  search_text: string;
  is_disabled: bigint;
  is_sample: bigint;
  /** Argon2id in the PHC string format; null without a password. */
  password_hash: string | null;
}

export type RecordRow = Omit<
  MembersTable,
  'username_key' | 'search_text' | 'is_disabled' | 'is_sample' | 'password_hash'
>;
export type MemberRow = Omit<MembersTable, 'username_key' | 'search_text' | 'password_hash'>;

export interface RecordFilter {
  id?: bigint | undefined;
  q?: string | undefined;
  role?: 'member' | 'staff' | undefined;
  updatedSince?: string | undefined;
}

const recordColumns = Object.keys(recordColumnKinds) as (keyof typeof recordColumnKinds)[];
const memberColumns = [...recordColumns, 'is_disabled', 'is_sample'] as const;

export const recordSortFields = sortFieldsOf('members', recordColumnKinds);

export function recordListing({ id, ...filters }: RecordFilter): Listing<RecordRow> {
  const { q, role, updatedSince } = filters;
  return makeListing({
    isWhole: isUnfiltered(filters),
    filteredRows: (db) => {
      let query: Query<'members'> = membersOf(db, id);
      if (role !== undefined) query = query.where('role', '=', role);
      if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
      if (q !== undefined) query = query.where(contains(db, 'members.search_text', q));
      return query;
    },
    selectColumns: (query) => query.select(recordColumns),
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

export const findMembersByNames = (db: Db, usernames: readonly string[]): Promise<MemberRow[]> =>
  membersByNames(db, usernames.map(fold));

export const findMembersByIds = preparedForMany((db, ids: readonly bigint[]) =>
  db.selectFrom('members').select(memberColumns).where('id', 'in', ids),
);

export async function findMemberWithSetting(db: Db, id: bigint, setting: string) {
  const value = db.selectFrom('settings').select('value').where('name', '=', setting);
  const member = db.selectFrom('members').where('id', '=', id);
  return member.select([...memberColumns, value.as('setting')]).executeTakeFirst();
}

export async function listMembers(db: Db): Promise<MemberRow[]> {
  return db.selectFrom('members').select(memberColumns).orderBy('id').execute();
}

export async function insertMembers(tx: Db, rows: readonly MemberRow[]): Promise<void> {
  const inserted = rows.map((row) => ({ ...withDerivedColumns(row), password_hash: null }));
  await insertMany(tx, 'members', inserted);
}

export async function updateMember(tx: Db, row: MemberRow): Promise<void> {
  await updateRow(tx, 'members', ['id'], withDerivedColumns(row));
  await bumpRevisions(tx, ['credentials']);
}

/** Deletes all rows of the member too. No new plant gets the id of one of theirs. */
export async function deleteMember(tx: Db, id: bigint): Promise<void> {
  // The order is that of deletePlant; in another order the two could deadlock.
  const plants = await tx.deleteFrom('plants').where('user_id', '=', id).returning('id').execute();
  await insertDeletedPlantIds(
    tx,
    plants.map((plant) => plant.id),
  );
  await deleteRows(tx, 'program_feeds', { user_id: id });
  await leaveAllGroups(tx, id);
  await deleteDuelsWith(tx, id);
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

export async function countBelongings(db: Db, id: bigint): Promise<Belongings> {
  const counts: Partial<Belongings> = {};
  for (const table of tablesOfBelongings) {
    counts[table] = await countRows(db.selectFrom(table as 'plants').where('user_id', '=', id));
  }
  counts.lists = await countRows(db.selectFrom('lists').where('owner_id', '=', id));
  const handles = db.selectFrom('handles').select('handles.id').where('user_id', '=', id);
  counts.submissions = await countRows(db.selectFrom('solves').where('handle_id', 'in', handles));
  counts.ratings = await countRows(db.selectFrom('ratings').where('handle_id', 'in', handles));
  return counts as Belongings;
}

function withDerivedColumns(row: MemberRow): Omit<MembersTable, 'password_hash'> {
  const searched = [row.username, row.first_name, row.last_name, row.email].filter((part) => part !== null);
  return { ...row, username_key: fold(row.username), search_text: searchColumn(searched) };
}

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

export async function findPasswordHash(db: Db, id: bigint): Promise<string | null> {
  const row = await db.selectFrom('members').select('password_hash').where('id', '=', id).executeTakeFirst();
  return row?.password_hash ?? null;
}

export const setPasswordHash = (tx: Db, id: bigint, hash: string | null) =>
  updateRows(tx, 'members', { id }, { password_hash: hash });

export const listEnabledMembers = (db: Db) =>
  db
    .selectFrom('members')
    .select(['id', 'role', 'username', 'first_name', 'last_name'])
    .where('is_disabled', '=', 0n)
    .execute();

export type MemberSummary = Pick<
  MembersTable,
  'id' | 'username' | 'first_name' | 'last_name' | 'role' | 'created_at' | 'is_disabled' | 'is_sample'
> & {
  seen_at: string | null;
  has_password: bigint;
  plants: bigint;
};

export async function listMemberSummaries(
  db: Db,
  { q, offset, limit }: { q: string; offset: number; limit: number },
): Promise<MemberSummary[]> {
  return selectMemberInList(matchingMembers(db, q))
    .orderBy('username_key')
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countMembersMatching(db: Db, q: string): Promise<bigint> {
  return countRows(matchingMembers(db, q));
}

export async function findMemberSummary(db: Db, id: bigint): Promise<MemberSummary | undefined> {
  return selectMemberInList(db.selectFrom('members').where('members.id', '=', id)).executeTakeFirst();
}

function matchingMembers(db: Db, q: string) {
  const members = db.selectFrom('members');
  return q === '' ? members : members.where(contains(db, 'members.search_text', q));
}

function selectMemberInList(query: Query<'members'>) {
  return query.select(columnsInList).select(({ selectFrom, case: choose, cast, ref }) => [
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

const columnsInList = [
  'members.id',
  'members.username',
  'members.first_name',
  'members.last_name',
  'members.role',
  'members.created_at',
  'members.is_disabled',
  'members.is_sample',
] as const;

/** Administrators who are not disabled, besides this member, and those of them who have set a way to sign in. */
export async function countStaff(db: Db, besides = 0n): Promise<{ all: bigint; withSignIn: bigint }> {
  const staff = db
    .selectFrom('members')
    .where('role', '=', 'staff')
    .where('is_disabled', '=', 0n)
    .where('members.id', '<>', besides);
  return { all: await countRows(staff), withSignIn: await countRows(staff.where(hasSignIn)) };
}

/** Whether this member has a password, a passkey or a linked account. */
export async function canSignIn(db: Db, id: bigint): Promise<boolean> {
  const self = db.selectFrom('members').where('members.id', '=', id);
  return (await countRows(self.where(hasSignIn))) > 0n;
}

const hasSignIn = ({ eb, or, exists, selectFrom }: ExpressionBuilder<Tables, 'members'>) =>
  or([
    eb('members.password_hash', 'is not', null),
    exists(selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'members.id')),
    exists(
      selectFrom('openid_accounts')
        .select('openid_accounts.user_id')
        .whereRef('openid_accounts.user_id', '=', 'members.id'),
    ),
  ]);

export async function hasMembers(db: Db, besides = 0n): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('is_sample', '=', 0n)
    .where('id', '<>', besides)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
