/** The shape of a migration. The runner is in `migrate.ts`. */
import type { Dialect } from './engine.ts';

/** One step of the schema: the statements for each engine, separated by semicolons at line ends. */
export interface Migration extends Record<Dialect, string> {
  name: string;
  why: string;
}
