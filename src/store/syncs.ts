/** The progress of syncs: a row for each handle, and for each list of a judge. */
import { sql } from 'kysely';
import { type HandlesTable, handlesOf } from './handles.ts';
import { isDueAt, isDueBefore } from './leases.ts';
import { prepared, preparedChange } from './prepared.ts';
import { deleteRows, findRow, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface SyncsTable {
  /** Made of `source`, `task` and `handle_id`. */
  name: string;
  source: string;
  task: SyncTask;
  handle_id: bigint | null;
  /** Where the next run continues: JSON in the judge's own form. */
  cursor: string | null;
  /** In milliseconds since 1970. */
  due_at: bigint;
  tried_at: string | null;
  good_at: string | null;
  /** How many rows the last run added or changed. */
  news: bigint;
  /** A JSON list of sentences about what that run left out. */
  skipped: string | null;
  fault: SyncFault | null;
  fault_text: string | null;
  fault_since: string | null;
  failures: bigint;
  judge_at: string | null;
}
/**
 * `gyms` reads names of private training, `age` how new the judge's data is, `renames` the handles that have another name now, `rounds` what all people in
 * running rounds submitted.
 */
export type SyncTask =
  | 'submissions'
  | 'ratings'
  | 'problems'
  | 'contests'
  | 'gyms'
  | 'renames'
  | 'age'
  | 'rounds'
  | 'upcoming';
export type HandleTask = 'submissions' | 'ratings';
/** `odd answer` is one that cannot be parsed; `own` is a failure of this garden to store the answer. */
export type SyncFault = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer' | 'own';

declare module './tables.ts' {
  interface Tables {
    syncs: SyncsTable;
  }
}

export interface SyncSubject {
  source: string;
  task: SyncTask;
  handle_id: bigint | null;
}

export const noFault = { fault: null, fault_text: null, fault_since: null, failures: 0n } as const;

export function freshSync(subject: SyncSubject): SyncsTable {
  const never = { tried_at: null, good_at: null, judge_at: null, cursor: null, skipped: null };
  return { name: nameOf(subject), ...subject, ...never, ...noFault, due_at: 0n, news: 0n };
}

function nameOf({ source, task, handle_id }: SyncSubject): string {
  return [source, task, ...(handle_id === null ? [] : [handle_id])].join(' ');
}

export const isDue = ({ due_at }: Pick<SyncsTable, 'due_at'>, now: number): boolean => isDueAt(due_at, now);

export const findSync = (db: Db, subject: SyncSubject) => findRow(db, 'syncs', { name: nameOf(subject) });

export const saveSync = (tx: Db, row: SyncsTable) => upsertRow(tx, 'syncs', ['name'], row);

export const deleteSyncOf = (tx: Db, handleId: bigint) => deleteRows(tx, 'syncs', { handle_id: handleId });

export const deleteSyncsAt = (tx: Db, source: string) => deleteRows(tx, 'syncs', { source });

/** While this row exists, the judge or its branch is paused, until the next good run of a handle. */
export const pauseSubject = (site: string): SyncSubject => ({
  source: site,
  task: 'submissions',
  handle_id: null,
});

export const deleteSync = (tx: Db, subject: SyncSubject) =>
  deleteRows(tx, 'syncs', { name: nameOf(subject) });

export interface DueHandles {
  task?: HandleTask;
  /** Handles whose name begins with `start`; all others if `isMatch` is false. */
  namePrefix?: { start: string; isMatch: boolean } | undefined;
}

/** `when` is in milliseconds since 1970, or `wanted` for requested syncs. Those that waited longest come first. */
export async function listDueHandles(
  db: Db,
  source: string,
  when: number | 'wanted',
  limit: number,
  { task = 'submissions', namePrefix }: DueHandles = {},
): Promise<HandlesTable[]> {
  const due = db
    .selectFrom('handles')
    .leftJoin('syncs', (join) => join.onRef('syncs.handle_id', '=', 'handles.id').on('syncs.task', '=', task))
    .innerJoin('members', 'members.id', 'handles.user_id')
    .selectAll('handles')
    .where('handles.source', '=', source)
    .where('members.is_disabled', '=', 0n)
    .where('members.is_sample', '=', 0n)
    .where((eb) =>
      when === 'wanted'
        ? eb('due_at', '=', 0n)
        : eb.or([eb('due_at', 'is', null), isDueBefore('due_at', when)]),
    )
    .orderBy((eb) => eb.fn.coalesce('due_at', eb.lit(0)))
    .orderBy('handles.id')
    .limit(limit);
  const filtered =
    namePrefix && due.where('handles.name', namePrefix.isMatch ? 'like' : 'not like', `${namePrefix.start}%`);
  return (filtered ?? due).execute();
}

export type HandleActivity = Pick<HandlesTable, 'id' | 'name'> &
  Pick<SyncsTable, 'tried_at' | 'fault'> & { last_at: string | null };

/** Those who submitted last come first. */
export async function listHandleActivity(db: Db, source: string, limit: number): Promise<HandleActivity[]> {
  const last = sql<string | null>`(SELECT max(submitted_at) FROM solves WHERE handle_id = handles.id)`;
  return db
    .selectFrom('handles')
    .innerJoin('members', 'members.id', 'handles.user_id')
    .leftJoin('syncs', (join) =>
      join.onRef('syncs.handle_id', '=', 'handles.id').on('syncs.task', '=', sql.lit('submissions')),
    )
    .select(['handles.id', 'handles.name', 'tried_at', 'fault', last.as('last_at')])
    .where('handles.source', '=', source)
    .where('is_disabled', '=', 0n)
    .where('is_sample', '=', 0n)
    .orderBy(sql`coalesce(${last}, handles.created_at)`, 'desc')
    .limit(limit)
    .execute();
}

/** Whether own lists brought a submission from after this moment (RFC 3339). */
export async function hasSolveAfter(db: Db, source: string, moment: string): Promise<boolean> {
  const newer = db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select('handles.id')
    .where('source', '=', source)
    .where('submitted_at', '>', moment)
    .where('origin', '=', 'server');
  return (await newer.limit(1).executeTakeFirst()) !== undefined;
}

/** Handles with a submission to these contests from after this moment (RFC 3339). */
export function listContestants(db: Db, source: string, contests: readonly string[], moment: string) {
  if (contests.length === 0) return [];
  return db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(['handle_id', 'contest'])
    .distinct()
    .where('source', '=', source)
    .where('contest', 'in', contests)
    .where('submitted_at', '>', moment)
    .execute();
}

/** Submissions from after this moment (RFC 3339) that had no final verdict in their own lists. */
export function listPendingAfter(db: Db, source: string, moment: string) {
  return db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(['submission_id', 'handle_id', 'contest'])
    .where('source', '=', source)
    .where('submitted_at', '>', moment)
    .where('verdict_class', '=', 'pending')
    .execute();
}

const earlierSync = preparedChange((tx, { name, dueAt }: { name: string; dueAt: bigint }) =>
  tx
    .updateTable('syncs')
    .set({ due_at: dueAt })
    .where('name', '=', name)
    .where('due_at', '>', dueAt)
    .where((eb) => eb.or([eb('fault', 'is', null), eb('fault', 'in', ['unknown handle', 'odd answer'])])),
);

/** Comes before all that are due by the clock, in the order of the moments (in milliseconds since 1970). */
export const urgentDueAt = (now: number): bigint => BigInt(Math.ceil(now / 1000));
const urgentBefore = urgentDueAt(Date.parse('2200-01-01'));

export const isUrgent = (row: Pick<SyncsTable, 'due_at'> | undefined): boolean =>
  (row?.due_at ?? 0n) < urgentBefore;

/** A judge that does not answer about the handle keeps its pause. */
export async function advanceSync(tx: Db, subject: SyncSubject, dueAt: bigint): Promise<void> {
  await earlierSync(tx, { name: nameOf(subject), dueAt });
}

const judgeSyncs = (db: Db) => db.selectFrom('syncs').selectAll().where('handle_id', 'is', null);

export const listJudgeSyncs = prepared((db) => judgeSyncs(db).orderBy('source'));

const allSyncs = prepared((db) => db.selectFrom('syncs').selectAll().orderBy('source').orderBy('handle_id'));
const syncsOfMember = prepared((db, { userId }: { userId: bigint }) =>
  judgeSyncs(db)
    .unionAll(db.selectFrom('syncs').selectAll().where('handle_id', 'in', handlesOf(db, userId)))
    .orderBy('source')
    .orderBy('handle_id'),
);

/** Those of the judges and of the handles, of all members or of one. */
export const listSyncs = (db: Db, userId?: bigint): Promise<SyncsTable[]> =>
  userId === undefined ? allSyncs(db) : syncsOfMember(db, { userId });

/** Makes a sync due before all others, also while its judge is paused. */
export async function requestSyncOf(tx: Db, subject: SyncSubject): Promise<void> {
  await saveSync(tx, { ...((await findSync(tx, subject)) ?? freshSync(subject)), due_at: 0n });
}
