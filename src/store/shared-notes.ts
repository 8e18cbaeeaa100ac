/** Notes shared with groups: the choices of their members, and what others in those groups read. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import { deleteRows, listRows } from './rows.ts';
import { hasPageFor } from './settings.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    shared_notes: SharedNotesTable;
  }
}

/** A note that its member shares with a group. The row goes with the note, and when the member leaves the group. */
export interface SharedNotesTable {
  problem_id: bigint;
  user_id: bigint;
  group_id: bigint;
  shared_at: string;
}

/** All choices about a problem, or those of one member. */
export const listShares = (db: Db, named: { problem_id: bigint; user_id?: bigint }) =>
  listRows(db, 'shared_notes', named);

export const insertShares = (tx: Db, rows: readonly SharedNotesTable[]) =>
  insertMany(tx, 'shared_notes', rows);

export const deleteShares = (tx: Db, named: Partial<Omit<SharedNotesTable, 'shared_at'>>) =>
  deleteRows(tx, 'shared_notes', named);

interface SharedNote {
  username: string;
  /** 1 where members may see the writer's public page. */
  has_page: bigint;
  note: string;
  shared_at: string;
  /** A line for each group that both are in. */
  groups: string;
  /** The number of all such notes. */
  total: bigint;
}

/** The newest notes on a problem that others share with groups of this reader, if both the reader and the writer have solved it. */
export async function listNotesSharedWith(db: Db, readerId: bigint, problemId: bigint, limit: number) {
  const { rows } = await sql<SharedNote>`
    SELECT username, ${hasPageFor('members')}, max(note) AS note, max(shared_at) AS shared_at,
      string_agg(groups.name, ${sql.lit('\n')} ORDER BY groups.name) AS groups, count(*) OVER () AS total
    FROM shared_notes
      INNER JOIN group_members AS own ON own.group_id = shared_notes.group_id AND own.user_id = ${readerId}
      INNER JOIN groups ON groups.id = shared_notes.group_id
      INNER JOIN members ON members.id = shared_notes.user_id AND is_disabled = 0
      INNER JOIN bookmarks ON bookmarks.user_id = members.id AND bookmarks.problem_id = shared_notes.problem_id
    WHERE shared_notes.problem_id = ${problemId} AND members.id <> ${readerId} AND note <> ''
      AND 2 = (
        SELECT count(*) FROM statuses
        WHERE user_id IN (${readerId}, members.id) AND problem_id = ${problemId} AND ${shownStatus} = 'complete')
    GROUP BY members.id ORDER BY shared_at DESC, members.id LIMIT ${limit}`.execute(db);
  return rows;
}
