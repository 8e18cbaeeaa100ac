/** Imports members with their handles, ratings and preferences. */
import { readInstant } from '../contract/parameters.ts';
import { localizedError, message } from '../errors.ts';
import { badRow } from '../files/entries.ts';
import { badField, personRatingOf, textOf } from '../judges/fields.ts';
import { contestIdMax, longestContestTitle } from '../judges/judge.ts';
import { handleFault, judgeOf } from '../judges/judges.ts';
import { addHandle, handlesAtMost, isHandle, renameByHand } from '../practice/handles.ts';
import {
  assertStaffRemain,
  emptyMember,
  isUsername,
  longestRecordText,
  lookalikeNames,
  recordFields,
  usernameAdvice,
} from '../practice/members.ts';
import { isDayRuleSetting, isPreference } from '../practice/preferences.ts';
import { fold } from '../store/case-folding.ts';
import {
  findHandleByName,
  findHandleWithFormerName,
  type HandlesTable,
  listHandlesAtJudge,
  saveRename,
  updateHandle,
} from '../store/handles.ts';
import {
  findMembersByIds,
  findMembersByNames,
  insertMembers,
  type MemberRow,
  updateMember,
} from '../store/members.ts';
import { listRatingsOfHandle, type RatingsTable, upsertRatings } from '../store/ratings.ts';
import { listMemberSettings, setMemberSetting } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Sink } from './import.ts';
import { type HandleReference, handleReferences, memberReferences, resolveMember } from './references.ts';
import { findForEach, upsertSink } from './rows.ts';

/* A row is matched with a member by its id, or by its username if it has no id. */

type RecordSink = Sink<Partial<MemberRow>>;

export function recordSink(context: ImportContext): RecordSink {
  const { tx, now, trustsIds, owner, hasLimits } = context;
  let formerStaff: MemberRow | undefined;
  const sink = upsertSink<MemberRow, Partial<MemberRow>>(context, {
    idTable: 'members',
    keysOf: (row) => [row.id, fold(row.username)],
    insert: insertMembers,
    update: (_tx, after, before) => {
      if (before.role === 'staff' && after.role !== 'staff') formerStaff = before;
      return updateMember(tx, { ...after, is_sample: 0n });
    },
    onChange: ({ id }) => context.bumpRevision('records', id),
    find: async (rows) => [
      ...(await findMembersByNames(
        tx,
        rows.flatMap(({ username }) => (username ? lookalikeNames(username) : [])),
      )),
      ...(await findMembersByIds(
        tx,
        rows.flatMap(({ id }) => id ?? []),
      )),
    ],
    naturalKeyOf: ({ username }) => username && fold(username),
    rowOf: (input, current, batch) => {
      const { id, username } = input;
      const isNew = username !== undefined && username !== current?.username;
      if (isNew && !isUsername(username))
        throw localizedError('badRow.username', {
          username: JSON.stringify(username),
          advice: usernameAdvice,
        });
      const others = isNew ? lookalikeNames(username).slice(1) : [];
      if (username !== undefined && others.some((name) => batch.find(fold(name))))
        throw localizedError('badRow.usernameLike', { username });
      const namesake = username === undefined ? undefined : batch.find(fold(username))?.row;
      if (namesake && namesake !== current)
        throw localizedError('badRow.otherMember', {
          username: username ?? '',
          named: namesake.id,
          id: id ?? '',
        });
      if (current && !namesake && !trustsIds)
        throw localizedError('badRow.otherName', {
          id: current.id,
          here: current.username,
          username: username ?? '',
        });
      for (const field of recordFields) {
        const text = input[field] ?? '';
        if (hasLimits && text.length > longestRecordText && text !== current?.[field])
          throw localizedError('badRow.long', { field, count: text.length, most: longestRecordText });
      }
      const name = username ?? current?.username;
      if (name === undefined) throw localizedError('badRow.noUsername');
      return { ...(current ?? emptyMember(0n, name, input.created_at ?? now)), ...input };
    },
    describe: ({ username }) => username,
  }) as RecordSink;
  // A later row may make another member staff.
  const finish = async () => formerStaff && assertStaffRemain(tx, formerStaff);
  return owner === undefined ? { ...sink, finish } : ownRecordSink(context, owner, sink);
}

/** Members may only change their own row, without id, name and role. */
function ownRecordSink(context: ImportContext, owner: bigint, sink: RecordSink): RecordSink {
  const { tx, forEachEntry, addNote } = context;
  let asksForRole = false;
  let username = '';
  return {
    write: async (entries) => {
      const memberOf = await memberReferences(context, []);
      const [member] = await findMembersByIds(tx, [owner]);
      username = member?.username ?? '';
      const own = await forEachEntry(entries, async ({ id, username, role, ...input }) => {
        const row = { ...input, id: memberOf({ user: id, username }) };
        asksForRole ||= role !== undefined && role !== member?.role;
        return member ? { ...row, username: member.username } : row;
      });
      await sink.write(own);
    },
    finish: async () => {
      if (asksForRole) addNote(message('imported.role', { name: username }));
    },
  };
}

interface InputHandle {
  user_id: bigint;
  source: string;
  name: string;
  created_at?: string;
}

/** A file from before a rename has the former name; one from after it renames the handle here. */
export function handleSink(context: ImportContext): Sink<never> {
  const { tx, now } = context;
  const naturalKeyOf = ({ user_id, source, name }: InputHandle) => [user_id, source, fold(name)].join('\0');
  const namesOfNew = new Map<string, FormerNames>();
  return upsertSink<HandlesTable, InputHandle>(context, {
    insertOne: async (row) => {
      const handle = await addHandle(tx, row.user_id, row.source, row.name, row.created_at);
      return saveFormerNames(tx, handle, namesOfNew.get(naturalKeyOf(row)));
    },
    update: updateHandle,
    resolveReferences: async (entries) => {
      const resolve = await resolveMember(context)(entries);
      return async ({
        source = '',
        name = '',
        former_names,
        ...input
      }: Partial<InputHandle> & FormerNamesText) => {
        const member = resolve(input);
        const judge = judgeOf(source);
        if (!judge) throw localizedError('badRow.noJudge', { source: JSON.stringify(source.slice(0, 50)) });
        const fault = handleFault(judge, name);
        if (fault) throw badRow(fault);
        const row = { ...member, source, name };
        const names = parseFormerNames(former_names);
        const here = await findOrRename(tx, row, names);
        if (here) await saveFormerNames(tx, here, names);
        else namesOfNew.set(naturalKeyOf(row), names);
        return { ...row, name: here && here.name_key !== fold(name) ? here.name : name };
      };
    },
    find: (rows) => {
      const handleGroups = new Map(rows.map((row) => [`${row.user_id} ${row.source}`, row]));
      return findForEach(handleGroups.values(), ({ user_id, source }) =>
        listHandlesAtJudge(tx, user_id, source),
      );
    },
    naturalKeyOf,
    rowOf: (input, current) => ({
      ...(current ?? { id: 0n, name_key: fold(input.name), imported_at: null, created_at: now }),
      ...input,
    }),
    describe: ({ source, name }) => `${source} ${name}`,
  });
}

type FormerNames = [name: string, until: string][];
interface FormerNamesText {
  former_names?: string | null;
}

async function findOrRename(tx: Db, { user_id, source, name }: InputHandle, formerNames: FormerNames) {
  const found = await findHandleWithFormerName(tx, user_id, source, name);
  if (found) return found;
  for (const [former] of formerNames) {
    const before = await findHandleByName(tx, user_id, source, former);
    if (before) return renameByHand(tx, { id: before.id }, name, false);
  }
  return undefined;
}

/** Throws badRow. */
function parseFormerNames(text: string | null | undefined): FormerNames {
  const names = Object.entries(JSON.parse(text ?? '{}') as Record<string, unknown>);
  return names.slice(0, handlesAtMost).map(([name, value]) => {
    const until = typeof value === 'string' && isHandle(name) ? readInstant(value) : undefined;
    if (until === undefined) throw badField(name.slice(0, 50), value, message('expected.instant'));
    return [name, until];
  });
}

async function saveFormerNames(tx: Db, handle: HandlesTable, names: FormerNames = []): Promise<HandlesTable> {
  for (const [from, at] of names)
    if (fold(from) !== handle.name_key) await saveRename(tx, handle.id, { from, to: handle.name, at });
  return handle;
}

/** Two contests a week for twenty years fit. */
const ratingsOfHandleAtMost = 2_000;

type InputRating = Omit<RatingsTable, 'place'> & { name: string; place: bigint | null | undefined };

export function ratingSink(context: ImportContext): Sink<never> {
  const { tx } = context;
  const naturalKeyOf = ({ handle_id, contest }: InputRating | RatingsTable) => `${handle_id} ${contest}`;
  const handlesOf = handleReferences(context);
  return upsertSink<RatingsTable, InputRating>(context, {
    save: upsertRatings,
    resolveReferences: async (entries) => {
      const handleOf = await handlesOf(entries);
      return async (row: HandleReference & Partial<RatingsTable>) => {
        const { rating, rated_at, contest, title, place } = row;
        const handle = await handleOf(row);
        if (rating === undefined || rated_at === undefined)
          throw localizedError('badRow.needed', { names: 'rating', last: 'rated_at' });
        personRatingOf(Number(rating), 'rating');
        return {
          place,
          rating,
          rated_at,
          handle_id: handle.id,
          name: `${handle.source} ${handle.name}`,
          contest: textOf(contest, 'contest', contestIdMax),
          title: textOf(title, 'title', longestContestTitle),
        };
      };
    },
    find: (rows) =>
      findForEach(new Set(rows.map(({ handle_id }) => handle_id)), (id) => listRatingsOfHandle(tx, id)),
    naturalKeyOf,
    rowOf: ({ name: _, place, ...input }, current) => ({
      ...input,
      place: place === undefined ? (current?.place ?? null) : place,
    }),
    describe: ({ contest }, { name }) => `${name} after ${contest}`,
    groupLimit: {
      count: ratingsOfHandleAtMost,
      groupOf: ({ handle_id }) => String(handle_id),
      fault: (most) => localizedError('badRow.manyRatings', { most }),
    },
  });
}

interface Preference {
  user_id: bigint;
  name: string;
  value: string;
}

export function preferenceSink(context: ImportContext): Sink<never> {
  const { tx, stale } = context;
  const naturalKeyOf = ({ user_id, name }: Preference) => `${user_id} ${name}`;
  return upsertSink<Preference, Preference>(context, {
    save: async (_tx, rows) => {
      for (const { user_id, name, value } of rows) await setMemberSetting(tx, user_id, name, value);
    },
    onChange: ({ user_id, name }) => {
      if (isDayRuleSetting(name)) stale.addMember(user_id);
    },
    resolveReferences: async (entries) => {
      const resolve = await resolveMember(context)(entries);
      return (row: Partial<Preference>) => {
        const { user_id, name = '', value = '' } = resolve(row);
        if (!isPreference(name, value))
          throw localizedError('badRow.preference', { name: JSON.stringify(name.slice(0, 50)) });
        return { user_id, name, value };
      };
    },
    find: (rows) =>
      findForEach(new Set(rows.map(({ user_id }) => user_id)), async (user_id) =>
        [...(await listMemberSettings(tx, user_id))].map(([name, value]) => ({ user_id, name, value })),
      ),
    naturalKeyOf,
    rowOf: (input) => input,
    describe: ({ user_id, name }) => `${name} of member ${user_id}`,
  });
}
