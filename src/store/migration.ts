/** The shape of a migration, and the statements that differ only in words between the engines. The runner is in `migrate.ts`. */
import type { Dialect } from './engine.ts';

declare module './tables.ts' {
  interface Tables {
    schema_migrations: { version: bigint; name: string; applied_at: string };
  }
}

/** One step of the schema: the statements for each engine, separated by semicolons at line ends. */
export interface Migration extends Record<Dialect, string> {
  name: string;
  why: string;
}

/** Statements in SQLite's words, and the same ones in PostgreSQL's. */
export function onBothEngines(sqlite: string): Record<Dialect, string> {
  const postgres = sqlite
    // COLLATE "C" compares text by code point, as SQLite does, whatever the collation of the database is.
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/ STRICT(?:, WITHOUT ROWID)?(?=;)/g, '');
  return { sqlite, postgres };
}
