/** Importing members: by id, or by username if there is no id. */
import { phrase, refused } from '../errors.ts';
import {
  assertStaffRemain,
  emptyMember,
  isUsername,
  longestOwnText,
  namesLike,
  ownFields,
  usernameAdvice,
} from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import {
  findMembersByIds,
  findMembersByNames,
  insertMembers,
  type MemberRow,
  updateMember,
} from '../store/members.ts';
import type { Applying, Sink } from './import.ts';
import { memberReferences } from './references.ts';
import { numberedSink } from './upserts.ts';

type RecordSink = Sink<Partial<MemberRow>>;

export function recordSink(applying: Applying): RecordSink {
  const { tx, now, trustsIds, owner, hasLimits } = applying;
  let demoted: MemberRow | undefined;
  const sink = numberedSink<MemberRow>(applying, {
    table: 'members',
    namesOf: (row) => [row.id, fold(row.username)],
    insert: insertMembers,
    update: (_tx, after, before) => {
      if (before.role === 'staff' && after.role !== 'staff') demoted = before;
      return updateMember(tx, { ...after, is_sample: 0n });
    },
    changed: ({ id }) => applying.changed('records', id),
    findByIds: findMembersByIds,
    holdNamed: async (batch, given) => {
      const names = given.map(({ username }) => username).filter((name) => name !== undefined);
      batch.hold(await findMembersByNames(tx, names.flatMap(namesLike)));
    },
    nameOf: ({ username }) => username && fold(username),
    rowOf: async (given, current, batch) => {
      const { id, username } = given;
      const isNew = username !== undefined && username !== current?.username;
      if (isNew && !isUsername(username))
        throw refused('badRow.username', { username: JSON.stringify(username), advice: usernameAdvice });
      const like =
        isNew &&
        namesLike(username)
          .slice(1)
          .find((name) => batch.find(fold(name)));
      if (like) throw refused('badRow.usernameLike', { username });
      const named = username === undefined ? undefined : batch.find(fold(username))?.row;
      if (named && named !== current)
        throw refused('badRow.otherMember', { username: username ?? '', named: named.id, id: id ?? '' });
      if (current && !named && !trustsIds)
        throw refused('badRow.otherName', {
          id: current.id,
          here: current.username,
          username: username ?? '',
        });
      for (const field of ownFields) {
        const text = given[field] ?? '';
        if (hasLimits && text.length > longestOwnText && text !== current?.[field])
          throw refused('badRow.long', { field, count: text.length, most: longestOwnText });
      }
      const name = username ?? current?.username;
      if (name === undefined) throw refused('badRow.noUsername');
      return { ...(current ?? emptyMember(0n, name, given.created_at ?? now)), ...given };
    },
    lineOf: ({ username }) => username,
  });
  // Only at the end, because a later row may make another member staff.
  const finish = async () => demoted && assertStaffRemain(tx, demoted);
  return owner === undefined ? { ...sink, finish } : ownRecordSink(applying, owner, sink);
}

/** Takes rows of the only member whom the file may change, without what members do not give themselves: id, name and role. */
function ownRecordSink(applying: Applying, owner: bigint, sink: RecordSink): RecordSink {
  const { tx, each, note } = applying;
  let asksForRole = false;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, []);
      const [member] = await findMembersByIds(tx, [owner]);
      const own = await each(entries, async ({ id, username, role, ...given }) => {
        const row = { ...given, id: memberOf({ user: id, username }) };
        asksForRole ||= role !== undefined && role !== member?.role;
        return member ? { ...row, username: member.username } : row;
      });
      await sink.take(own);
    },
    finish: async () => {
      if (asksForRole) note(phrase('imported.role'));
    },
  };
}
