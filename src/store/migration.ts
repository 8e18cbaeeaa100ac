/** What a migration is. */
import type { Dialect } from './engine.ts';

/** One step of the schema: for each engine its statements, separated by semicolons at line ends. */
export interface Migration extends Record<Dialect, string> {
  name: string;
  why: string;
}
