/** The database's faults, its engine and how many rows it holds, for `garden doctor` and backups. */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';

/** The faults that the engine finds in the database itself; empty if it is sound. */
export async function databaseFaults(db: Db): Promise<string[]> {
  return engineOf(db).listFaults(db);
}

/** The engine's name and version. */
export async function engineName(db: Db): Promise<string> {
  return engineOf(db).describe(db);
}

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
