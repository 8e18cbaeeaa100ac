/** How many rows a database holds, for `garden doctor`, `garden serve` and backups. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

export interface Summary {
  members: bigint;
  problems: bigint;
  /** Neither revoked nor expired. */
  tokens: bigint;
}

export async function summary(db: Db): Promise<Summary> {
  const now = new Date().toISOString();
  const { rows } = await sql<Summary>`
    SELECT (SELECT count(*) FROM members) AS members,
           (SELECT count(*) FROM problems) AS problems,
           (SELECT count(*) FROM tokens
             WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})) AS tokens`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no summary');
  return row;
}
