/** How far syncs have come. One row for each handle, and one for each thing that a judge publishes. */
import type { HandlesTable } from './handles.ts';
import { dueBy, isDueAt } from './leases.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, putRow } from './rows.ts';
import type { Db } from './tables.ts';

/** How far the sync of a handle, or of what a judge publishes, has come, and how the last run ended. */
export interface SyncsTable {
  /** Made of the three that follow. */
  name: string;
  source: string;
  task: SyncTask;
  /** Null for what a judge publishes. */
  handle_id: bigint | null;
  /** The place where the next run goes on: JSON in the judge's own form. */
  cursor: string | null;
  /** When the next run may begin, in milliseconds since 1970. */
  due_at: bigint;
  tried_at: string | null;
  /** When a run last came to its end. */
  good_at: string | null;
  /** How many submissions or rows were new in the last good run. */
  news: bigint;
  /** Sentences about what that run left out: a JSON list. */
  skipped: string | null;
  /** Why the last run failed; null after a good one. */
  fault: SyncFault | null;
  /** The text as `serializeLocalizedText` writes it. */
  fault_text: string | null;
  fault_since: string | null;
  /** Runs that have failed since the last good one. */
  failures: bigint;
  /** How new the judge's own data was, where it says so. */
  judge_at: string | null;
}
/**
 * `gyms` asks for the names of private training, `age` how new the judge's own data is, `renames` which handles have another name
 * now, and `upcoming` a judge, or another list of contests, which contests come next.
 */
export type SyncTask =
  | 'submissions'
  | 'ratings'
  | 'problems'
  | 'contests'
  | 'gyms'
  | 'renames'
  | 'age'
  | 'upcoming';
/** The tasks of a single handle. */
export type HandleTask = 'submissions' | 'ratings';
/**
 * A judge is busy for a moment, is down, refuses this server, does not know the handle, or answers what nobody understands; or
 * this garden failed to keep what it answered.
 */
export type SyncFault = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer' | 'own';

declare module './tables.ts' {
  interface Tables {
    syncs: SyncsTable;
  }
}

/** The subject of a sync: the submissions of a handle, or the lists that a judge publishes. */
export interface SyncSubject {
  source: string;
  task: SyncTask;
  handle_id: bigint | null;
}

export const noFault = { fault: null, fault_text: null, fault_since: null, failures: 0n } as const;

/** The row of a sync that never ran: due at once. */
export function freshSync(subject: SyncSubject): SyncsTable {
  const never = { tried_at: null, good_at: null, judge_at: null, cursor: null, skipped: null };
  return { name: nameOf(subject), ...subject, ...never, ...noFault, due_at: 0n, news: 0n };
}

function nameOf({ source, task, handle_id }: SyncSubject): string {
  return [source, task, ...(handle_id === null ? [] : [handle_id])].join(' ');
}

/** Whether a sync is due at a moment, in milliseconds since 1970. */
export const isDue = ({ due_at }: Pick<SyncsTable, 'due_at'>, now: number): boolean => isDueAt(due_at, now);

export const findSync = (db: Db, subject: SyncSubject) => findRow(db, 'syncs', { name: nameOf(subject) });

export const saveSync = (tx: Db, row: SyncsTable) => putRow(tx, 'syncs', ['name'], row);

/** Forgets how far the sync of a handle has come: the next run begins at once and asks for everything. */
export const deleteSyncOf = (tx: Db, handleId: bigint) => deleteRows(tx, 'syncs', { handle_id: handleId });

/** Forgets how far all syncs with a judge have come. */
export const deleteSyncsAt = (tx: Db, source: string) => deleteRows(tx, 'syncs', { source });

/** The row that says how long a judge or its branch is left alone: there is one from the fault until the next good run of a handle. */
export const judgeAsWhole = (site: string): SyncSubject => ({
  source: site,
  task: 'submissions',
  handle_id: null,
});

export const deleteSync = (tx: Db, subject: SyncSubject) =>
  deleteRows(tx, 'syncs', { name: nameOf(subject) });

export interface DueHandles {
  task?: HandleTask;
  /** Those whose names begin so, or those whose names do not. */
  named?: { start: string; is: boolean } | undefined;
}

/** The handles at a judge that are due at a moment (in milliseconds since 1970), or wanted, those that waited longest first. */
export async function listDueHandles(
  db: Db,
  source: string,
  when: number | 'wanted',
  limit: number,
  { task = 'submissions', named }: DueHandles = {},
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
      when === 'wanted' ? eb('due_at', '=', 0n) : eb.or([eb('due_at', 'is', null), dueBy('due_at', when)]),
    )
    .orderBy((eb) => eb.fn.coalesce('due_at', eb.lit(0)))
    .orderBy('handles.id')
    .limit(limit);
  const those = named && due.where('handles.name', named.is ? 'like' : 'not like', `${named.start}%`);
  return (those ?? due).execute();
}

/** The syncs of what judges publish. */
export const listJudgeSyncs = prepared((db) =>
  db.selectFrom('syncs').selectAll().where('handle_id', 'is', null).orderBy('source'),
);

const syncsOfHandles = (db: Db, task: HandleTask) =>
  db
    .selectFrom('syncs')
    .innerJoin('handles', 'handles.id', 'syncs.handle_id')
    .selectAll('syncs')
    .select(['handles.name', 'handles.user_id'])
    .where('task', '=', task)
    .orderBy('handles.id');
const syncsOfAll = prepared((db, { task }: { task: HandleTask }) => syncsOfHandles(db, task));
const syncsOfOne = prepared((db, { task, userId }: { task: HandleTask; userId: bigint }) =>
  syncsOfHandles(db, task).where('handles.user_id', '=', userId),
);

/** The syncs of handles: of one member, or of all. */
export const listHandleSyncs = (db: Db, userId?: bigint, task: HandleTask = 'submissions') =>
  userId === undefined ? syncsOfAll(db, { task }) : syncsOfOne(db, { task, userId });

/** Makes a sync due before all others, also where its judge is left alone. */
export async function requestSyncOf(tx: Db, subject: SyncSubject): Promise<void> {
  await saveSync(tx, { ...((await findSync(tx, subject)) ?? freshSync(subject)), due_at: 0n });
}
