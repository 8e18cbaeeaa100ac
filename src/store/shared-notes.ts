/** Notes that members share with groups. */
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

/** The row is deleted with the note, and when the member leaves the group. */
export interface SharedNotesTable {
  problem_id: bigint;
  user_id: bigint;
  group_id: bigint;
  shared_at: string;
}

export const listShares = (db: Db, key: { problem_id: bigint; user_id?: bigint }) =>
  listRows(db, 'shared_notes', key);

export const insertShares = (tx: Db, rows: readonly SharedNotesTable[]) =>
  insertMany(tx, 'shared_notes', rows);

export const deleteShares = (tx: Db, key: Partial<Omit<SharedNotesTable, 'shared_at'>>) =>
  deleteRows(tx, 'shared_notes', key);

interface SharedNote {
  username: string;
  has_page: bigint;
  note: string;
  shared_at: string;
  groups: string;
  total: bigint;
}

/** Only notes on a problem that both the viewer and the writer have solved. */
export async function listNotesSharedWith(db: Db, viewerId: bigint, problemId: bigint, limit: number) {
  const { rows } = await sql<SharedNote>`
    SELECT username, ${hasPageFor('members')}, max(note) AS note, max(shared_at) AS shared_at,
      string_agg(groups.name, ${sql.lit('\n')} ORDER BY groups.name) AS groups, count(*) OVER () AS total
    FROM shared_notes
      INNER JOIN group_members AS membership
        ON membership.group_id = shared_notes.group_id AND membership.user_id = ${viewerId}
      INNER JOIN groups ON groups.id = shared_notes.group_id
      INNER JOIN members ON members.id = shared_notes.user_id AND is_disabled = 0
      INNER JOIN bookmarks ON bookmarks.user_id = members.id AND bookmarks.problem_id = shared_notes.problem_id
    WHERE shared_notes.problem_id = ${problemId} AND members.id <> ${viewerId} AND note <> ''
      AND 2 = (
        SELECT count(*) FROM statuses
        WHERE user_id IN (${viewerId}, members.id) AND problem_id = ${problemId} AND ${shownStatus} = 'complete')
    GROUP BY members.id ORDER BY shared_at DESC, members.id LIMIT ${limit}`.execute(db);
  return rows;
}
