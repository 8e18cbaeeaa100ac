/** The files that a judge publishes, and what their entries mean. Nothing here knows the store. */
import type { JsonTarget } from '../files/json.ts';

/** A problem in a judge's catalogue, in the columns of the store. Columns that the catalogue lacks keep their values here. */
export interface CatalogueProblem {
  source_key: string;
  title?: string;
  url?: string;
  rating?: bigint | null;
  /** A list as JSON text. */
  tags?: string;
}

/** A problem as its catalogue lists it. */
export interface ListedProblem {
  columns: CatalogueProblem;
  /** How many people solved it there, which the store keeps apart. */
  solvedBy?: bigint | undefined;
}

/** The keys of twins: they name the same problem, such as in Div. 1 and Div. 2. */
export type TwinKeys = string[];

/** One submission to one problem. */
export interface Submission {
  /** The judge's own id. */
  id: string;
  key: string;
  /** The handles under which it was sent, several for a team; empty where the judge does not say. */
  handles: readonly string[];
  /** RFC 3339, UTC, milliseconds. */
  submittedAt: string;
  /** The judge's own id of the contest to which it was sent; null where the judge does not say. */
  contest: string | null;
  /** Pending is not final yet; void is final and says nothing about the solution, such as a compile error. */
  verdictClass: 'pending' | 'void' | 'tried' | 'solved';
  /** The judge's own word; null where it gave none yet. */
  verdict: string | null;
  /** `team` in a contest alone: what a team does in a virtual one, or for practice, is told as that. Null where the judge does not say. */
  participation: 'contest' | 'virtual' | 'practice' | 'team' | null;
  language: string | null;
  /** Whether the contest is private training (a Codeforces gym), which no catalogue lists. */
  isGym: boolean;
}

/** A judge's verdict on a submission, by a name that is the same at every judge. */
export type Verdict =
  | 'accepted'
  | 'partial'
  | 'wrongAnswer'
  | 'presentationError'
  | 'compileError'
  | 'runtimeError'
  | 'timeLimit'
  | 'memoryLimit'
  | 'outputLimit'
  | 'queryLimit'
  | 'idlenessLimit'
  | 'securityViolated'
  | 'crashed'
  | 'inputCrashed'
  | 'internalError'
  | 'failed'
  | 'rejected'
  | 'skipped'
  | 'notGood'
  | 'hacked'
  | 'waiting';

/** A contest, in the columns of the store. */
export interface JudgeContest {
  key: string;
  title: string;
  starts_at: string | null;
  duration_s: bigint;
  phase: string | null;
}

/** The place of a problem in a contest, such as B in 1459. */
export interface ContestPlace {
  contest: string;
  position: string;
}

/** A problem in a list of what was set where. */
export interface PlacedProblem extends ContestPlace {
  key: string;
}

/** The fields from which the address of a submission is made. */
export type SentTo = Pick<Submission, 'id' | 'key' | 'contest'>;

/** A kind of file that `garden import` reads. */
export interface JudgeFile<Holds extends string = string, T = unknown> {
  holds: Holds;
  title: string;
  /** The address it comes from, in which a name in capitals is to be filled in. Absent where the judge publishes none. */
  from?: string;
  /** Keys that occur together near the start of such a file, and of no other. */
  keys: readonly string[];
  target: JsonTarget;
  /** Reads one entry. `site` is the address of the site that published it, where several run the same program. Throws badRow. */
  entryOf(value: unknown, site?: string): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue', ListedProblem>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>
  | JudgeFile<'contests', JudgeContest>
  | JudgeFile<'places', PlacedProblem>;
