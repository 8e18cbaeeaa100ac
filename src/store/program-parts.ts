/** The parts of writes by programs, which other tables of history leave out. */
import { type SqlBool, sql } from 'kysely';

declare module './tables.ts' {
  interface Tables {
    program_parts: ProgramPartsTable;
  }
}

/** The texts say what undoing and the history need, and are null where the row itself says it. */
export interface ProgramPartsTable {
  change_id: bigint;
  position: bigint;
  kind: 'marks' | 'timer' | 'review' | 'problem' | 'list' | 'item' | 'content' | 'solution';
  part_id: bigint;
  before: string | null;
  after: string | null;
}

/** A condition on rows whose id is in `column`. */
export const isNoProgramPart = (kind: ProgramPartsTable['kind'], column: string) => sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM program_parts WHERE program_parts.kind = ${sql.lit(kind)} AND part_id = ${sql.ref(column)})`;
