/** Importing members: by id, or by username if there is no id. */
import { badRow } from '../files/entries.ts';
import { emptyMember, isUsername } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import {
  findMembersByIds,
  findMembersByNames,
  insertMembers,
  type MemberRow,
  updateMember,
} from '../store/members.ts';
import type { Applying, Sink } from './import.ts';
import { numberedSink } from './upserts.ts';

export function recordSink(applying: Applying): Sink<Partial<MemberRow>> {
  const { tx, now, trustsIds } = applying;
  return numberedSink<MemberRow>(applying, {
    table: 'members',
    namesOf: (row) => [row.id, fold(row.username)],
    insert: insertMembers,
    update: (_tx, after) => updateMember(tx, { ...after, is_sample: 0n }),
    changed: ({ id }) => applying.changed('records', id),
    findByIds: findMembersByIds,
    holdNamed: async (batch, given) => {
      const names = given.map(({ username }) => username).filter((name) => name !== undefined);
      batch.hold(await findMembersByNames(tx, names));
    },
    nameOf: ({ username }) => username && fold(username),
    rowOf: async (given, current, batch) => {
      const { id, username } = given;
      if (username !== undefined && !isUsername(username))
        throw badRow(`username ${JSON.stringify(username)} has spaces or characters that no name may have.`);
      const named = username === undefined ? undefined : batch.find(fold(username))?.row;
      if (named && named !== current)
        throw badRow(`${username} is member ${named.id} here, not ${id}; leave the id out or rename one.`);
      if (current && !named && !trustsIds)
        throw badRow(
          `member ${current.id} is ${current.username} here, not ${username}; leave the id out, or say --ids-of-this-garden to rename them.`,
        );
      const name = username ?? current?.username;
      if (name === undefined) throw badRow('username is missing; a new member needs one.');
      return { ...(current ?? emptyMember(0n, name, given.created_at ?? now)), ...given };
    },
    lineOf: ({ username }) => username,
  });
}
