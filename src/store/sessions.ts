/** Sessions of the website. The value of the cookie is never stored. */
import { type RawBuilder, sql } from 'kysely';
import type { MembersTable } from './members.ts';
import { prepared } from './prepared.ts';
import { deleteRows, insertRow, updateRows } from './rows.ts';
import { daySettingNames, languageSetting, settingOf } from './settings.ts';
import type { Db } from './tables.ts';
import type { TimersTable } from './timers.ts';

declare module './tables.ts' {
  interface Tables {
    sessions: SessionsTable;
  }
}

export interface SessionsTable {
  id: bigint;
  user_id: bigint;
  /** SHA-256 of the cookie's value, in hexadecimal; `proxy:` stands before it where a proxy opened the session. */
  digest: string;
  browser: string;
  network: string;
  created_at: string;
  seen_at: string;
  expires_at: string;
}

export type SignedInRow = Pick<SessionsTable, 'id' | 'user_id' | 'seen_at' | 'digest'> &
  Pick<MembersTable, 'username' | 'first_name' | 'role' | 'is_sample'> & {
    time_zone: string | null;
    day_start: string | null;
    week_start: string | null;
    language: string | null;
    /** The only group of the member; 0 where there are several. */
    own_group: bigint | null;
    coached_group: bigint | null;
    timer:
      | (Pick<
          TimersTable,
          'problem_id' | 'started_at' | 'pauses' | 'stopped_at' | 'outcome' | 'solved_at'
        > & {
          title: string;
        })
      | undefined;
  };

const sessionsByDigest = prepared((db, { digest, now }: { digest: string; now: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.user_id')
    .leftJoin('timers', (join) =>
      join
        .onRef('timers.user_id', '=', 'sessions.user_id')
        .on('timers.stopped_at', 'is', null)
        .on('timers.undone_at', 'is', null)
        .on('timers.solved_at', 'is', null),
    )
    .leftJoin('problems', 'problems.id', 'timers.problem_id')
    .select(['sessions.id', 'sessions.user_id', 'seen_at', 'digest', 'username', 'first_name', 'role'])
    .select(['members.is_sample', 'timers.problem_id as timed_problem', 'problems.title as timed_title'])
    .select(['timers.started_at as timed_since', 'timers.pauses as timed_pauses'])
    .select([
      settingOf('sessions.user_id', daySettingNames.zone).as('time_zone'),
      settingOf('sessions.user_id', daySettingNames.startHour).as('day_start'),
      settingOf('sessions.user_id', daySettingNames.weekStart).as('week_start'),
      settingOf('sessions.user_id', languageSetting).as('language'),
      onlyGroup(sql``).as('own_group'),
      onlyGroup(sql`AND group_members.role = 'coach'`).as('coached_group'),
    ])
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .where('is_disabled', '=', 0n),
);

export async function findSession(db: Db, digest: string, now: string): Promise<SignedInRow | undefined> {
  const [match] = await sessionsByDigest(db, { digest, now });
  if (!match) return undefined;
  const { timed_problem, timed_title, timed_since, timed_pauses, ...row } = match;
  if (timed_problem === null || timed_since === null) return { ...row, timer: undefined };
  const timer = { problem_id: timed_problem, started_at: timed_since, pauses: timed_pauses ?? '[]' };
  return {
    ...row,
    timer: { ...timer, title: timed_title ?? '', stopped_at: null, outcome: null, solved_at: null },
  };
}

function onlyGroup(condition: RawBuilder<unknown>) {
  return sql<bigint | null>`(
    SELECT CASE COUNT(*) WHEN 0 THEN NULL WHEN 1 THEN MIN(group_id) ELSE 0 END
    FROM group_members INNER JOIN groups ON groups.id = group_id AND archived_at IS NULL
    WHERE group_members.user_id = sessions.user_id ${condition})`;
}

export const insertSession = (tx: Db, row: Omit<SessionsTable, 'id'>) => insertRow(tx, 'sessions', row);

export const renewSession = (tx: Db, id: bigint, seen_at: string, expires_at: string) =>
  updateRows(tx, 'sessions', { id }, { seen_at, expires_at });

export async function listSessions(db: Db, userId: bigint, now: string): Promise<SessionsTable[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export const deleteSession = (tx: Db, userId: bigint, id: bigint) =>
  deleteRows(tx, 'sessions', { id, user_id: userId });

export async function deleteSessionsOf(tx: Db, userId: bigint, except?: bigint): Promise<void> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== undefined) query = query.where('id', '!=', except);
  await query.execute();
}

export async function deleteExpired(tx: Db, now: string): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await tx.deleteFrom('entry_links').where('expires_at', '<=', now).execute();
}

export async function isKnownNetwork(db: Db, userId: bigint, network: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
