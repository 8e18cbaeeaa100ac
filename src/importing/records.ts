/** Importing members: by id, or by username where no id is given. Nobody gets a password by import. */
import type { Located } from '../files/entries.ts';
import { emptyMember, isUsername } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import { giveIds } from '../store/ids.ts';
import {
  findMembersByIds,
  findMembersByNames,
  insertMembers,
  type MemberRow,
  updateMember,
} from '../store/members.ts';
import type { Applying, Sink } from './import.ts';
import type { GivenRow } from './own-rows.ts';

const personalFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'address',
  'city',
  'state',
  'zipcode',
] as const;

export function recordSink(applying: Applying): Sink<GivenRow> {
  const { tx, now } = applying;
  return {
    take: async (entries) => {
      const ids = entries.map(({ value }) => value.id).filter((id) => typeof id === 'bigint');
      const names = entries.map(({ value }) => value.username).filter((name) => typeof name === 'string');
      const members = [...(await findMembersByIds(tx, ids)), ...(await findMembersByNames(tx, names))];
      const byId = new Map(members.map((row) => [row.id, row]));
      const byName = new Map(members.map((row) => [fold(row.username), row]));
      for (const entry of entries) {
        const next = await take(entry, byId, byName);
        if (!next) continue;
        const before = byId.get(next.id);
        if (before) byName.delete(fold(before.username));
        byId.set(next.id, next);
        byName.set(fold(next.username), next);
      }
    },
  };

  /** Applies one row; answers the member as it is now, or undefined where the row is bad. */
  async function take(
    entry: Located<GivenRow>,
    byId: ReadonlyMap<bigint, MemberRow>,
    byName: ReadonlyMap<string, MemberRow>,
  ): Promise<MemberRow | undefined> {
    const given = entry.value;
    const { username } = given;
    if (typeof username === 'string' && !isUsername(username)) {
      applying.bad(
        entry,
        `username ${JSON.stringify(username)} has spaces or characters that no name may have.`,
      );
      return undefined;
    }
    const named = typeof username === 'string' ? byName.get(fold(username)) : undefined;
    const current = typeof given.id === 'bigint' ? byId.get(given.id) : named;
    if (named && named.id !== (current?.id ?? given.id)) {
      applying.bad(
        entry,
        `${username} is member ${named.id} here, not ${given.id}; leave the id out or rename one.`,
      );
      return undefined;
    }
    if (current && !named && !applying.trustsIds) {
      applying.bad(
        entry,
        `member ${current.id} is ${current.username} here, not ${username}; leave the id out, or say --ids-of-this-garden to rename them.`,
      );
      return undefined;
    }
    const name = typeof username === 'string' ? username : current?.username;
    if (name === undefined) {
      applying.bad(entry, 'username is missing; a new member needs one.');
      return undefined;
    }
    const line = () => name;
    if (current) {
      const next = follow({ ...current, username: name }, given);
      const isSame = (Object.keys(next) as (keyof MemberRow)[]).every((key) => next[key] === current[key]);
      const row = isSame ? current : { ...next, updated_at: (given.updated_at as string | undefined) ?? now };
      applying.count(isSame ? 'kept' : 'changed', line);
      if (!isSame) {
        await updateMember(tx, { ...row, is_sample: 0n });
        applying.changed('records');
        applying.changed(`records:${row.id}`);
      }
      return row;
    }
    const id = typeof given.id === 'bigint' ? given.id : ((await giveIds(tx, 'members', 1))[0] ?? 0n);
    const row = follow(emptyMember(id, name, (given.created_at as string | undefined) ?? now), given);
    await insertMembers(tx, [row]);
    applying.changed('records');
    applying.changed(`records:${id}`);
    applying.count('new', line);
    return row;
  }
}

/** The member with the fields that the row gave. */
function follow(member: MemberRow, given: GivenRow): MemberRow {
  const next: MemberRow = { ...member };
  for (const name of personalFields) {
    const value = given[name];
    if (value !== undefined) next[name] = value as string | null;
  }
  if (given.role !== undefined) next.role = given.role as MemberRow['role'];
  if (given.created_at !== undefined) next.created_at = given.created_at as string;
  if (given.updated_at !== undefined) next.updated_at = given.updated_at as string;
  return next;
}
