/** Importing members: by id, or by username where no id is given. Nobody gets a password by import. */
import { badRow } from '../files/entries.ts';
import { emptyMember, isUsername } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import {
  findMembersByIds,
  findMembersByNames,
  insertMembers,
  type MemberRow,
  type RecordRow,
  updateMember,
} from '../store/members.ts';
import type { Applying, Sink } from './import.ts';
import { idName, idsOf, newIds, type UpsertBatch, upsertBatch } from './upserts.ts';

/** The fields that a row gives. */
type GivenRecord = Partial<RecordRow>;

export function recordSink(applying: Applying): Sink<GivenRecord> {
  const { tx, now, trustsIds } = applying;
  return {
    take: async (entries) => {
      const batch = upsertBatch<MemberRow>(applying, {
        namesOf: (row) => [idName(row.id), fold(row.username)],
        insert: insertMembers,
        update: (_tx, after) => updateMember(tx, { ...after, is_sample: 0n }),
        changed: ({ id }) => applying.changed('records', id),
      });
      const names = entries.map(({ value }) => value.username).filter((name) => name !== undefined);
      batch.hold(await findMembersByIds(tx, idsOf(entries)));
      batch.hold(await findMembersByNames(tx, names));
      const newId = newIds(tx, 'members', () => names.filter((name) => !batch.find(fold(name))).length);
      await applying.each(entries, (given) => take(given, batch, newId));
      await batch.finish();
    },
  };

  async function take(
    given: GivenRecord,
    batch: UpsertBatch<MemberRow>,
    newId: () => Promise<bigint>,
  ): Promise<void> {
    const { username } = given;
    if (username !== undefined && !isUsername(username))
      throw badRow(`username ${JSON.stringify(username)} has spaces or characters that no name may have.`);
    const named = username === undefined ? undefined : batch.find(fold(username));
    const found = given.id === undefined ? named : batch.find(idName(given.id));
    const current = found?.row;
    if (named && named !== found)
      throw badRow(
        `${username} is member ${named.row.id} here, not ${given.id}; leave the id out or rename one.`,
      );
    if (current && !named && !trustsIds)
      throw badRow(
        `member ${current.id} is ${current.username} here, not ${username}; leave the id out, or say --ids-of-this-garden to rename them.`,
      );
    const name = username ?? current?.username;
    if (name === undefined) throw badRow('username is missing; a new member needs one.');
    const before = current ?? emptyMember(given.id ?? (await newId()), name, given.created_at ?? now);
    await batch.put(found, { ...before, ...given }, () => name, given.updated_at !== undefined);
  }
}
