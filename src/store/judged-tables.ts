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
}
/** Pending is not final yet; void is final and says nothing about the solution, such as a compile error. */
export type VerdictClass = 'pending' | 'void' | 'tried' | 'solved';
export type Participation = 'contest' | 'virtual' | 'practice' | 'team';

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
