/** The tables of what comes from judges: handles, submissions, contests. All other tables are in `tables.ts`. */

/** The name of a member at a judge. */
export interface HandlesTable {
  id: bigint;
  user_id: bigint;
  source: string;
  /** As the judge spells it. */
  name: string;
  /** The name after case folding. */
  name_key: string;
  created_at: string;
  /** When an import last brought something new; null while nothing came. */
  brought_at: string | null;
}

/** A kept submission: what was sent under a handle, and the judge's ruling on it. */
export interface SolvesTable {
  handle_id: bigint;
  /** The judge's own id. */
  submission_id: string;
  /** Null while no catalogue here has the problem. */
  problem_id: bigint | null;
  /** The problem's key, as the submission names it. */
  key: string;
  verdict_class: VerdictClass;
  /** The judge's own word; null where it gave none yet. */
  verdict: string | null;
  submitted_at: string;
  /** The judge's own id of the contest to which it was sent; null where the judge does not say. */
  contest: string | null;
  participation: Participation | null;
  language: string | null;
  way: Way;
}
/** Pending is not final yet; void is final and says nothing about the solution, such as a compile error. */
export type VerdictClass = 'pending' | 'void' | 'tried' | 'solved';
export type Participation = 'contest' | 'virtual' | 'practice' | 'team';
/** Who asked the judge: this garden, the member's own browser, or the member, who saved the answer as a file. */
export type Way = 'server' | 'browser' | 'file';

export interface ContestsTable {
  id: bigint;
  source: string;
  /** The judge's own id. */
  key: string;
  title: string;
  starts_at: string | null;
  duration_s: bigint;
  /** The judge's own word, such as FINISHED. */
  phase: string | null;
  /** The title and the key after case folding. */
  search_text: string;
}
export type ContestRow = Omit<ContestsTable, 'search_text'>;

export interface ContestProblemsTable {
  contest_id: bigint;
  /** The problem's key in this contest. */
  key: string;
  /** Its place there, such as A. */
  position: string;
  /** Null while no catalogue here has the problem. */
  problem_id: bigint | null;
}

/** How far the sync of a handle, or of what a judge publishes, has come, and how the last run ended. */
export interface SyncsTable {
  /** Made of the three that follow. */
  name: string;
  source: string;
  task: SyncTask;
  /** Null for what a judge publishes. */
  handle_id: bigint | null;
  /** Where the next run goes on: JSON in the judge's own form. */
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

export interface JudgedTables {
  handles: HandlesTable;
  solves: SolvesTable;
  contests: ContestsTable;
  contest_problems: ContestProblemsTable;
  syncs: SyncsTable;
}
