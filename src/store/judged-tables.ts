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
  fault_text: string | null;
  fault_since: string | null;
  /** Runs that have failed since the last good one. */
  failures: bigint;
  /** How new the judge's own data was, where it says so. */
  judge_at: string | null;
}
/** `age` asks how new the judge's own data is; `renames` asks which handles have another name now. */
export type SyncTask = 'submissions' | 'problems' | 'contests' | 'renames' | 'age';
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
