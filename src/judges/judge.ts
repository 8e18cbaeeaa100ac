/** What a judge is to us: the files that it publishes, and what their entries mean. Nothing here knows the store. */
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
  /** Pending is not final yet; void is final and says nothing about the solution, such as a compile error. */
  verdictClass: 'pending' | 'void' | 'tried' | 'solved';
  /** The judge's own word; null where it gave none yet. */
  verdict: string | null;
  /** Null where the judge does not say. */
  participation: 'contest' | 'virtual' | 'practice' | 'team' | null;
  language: string | null;
  /** Whether the contest is private training (a Codeforces gym), which no catalogue lists. */
  isGym: boolean;
}

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

/** A kind of file that `garden import` reads. */
export interface JudgeFile<Holds extends string = string, T = unknown> {
  holds: Holds;
  title: string;
  /** The address it comes from, in which a name in capitals is to be filled in. Absent where the judge publishes none. */
  from?: string;
  /** Keys that occur together near the start of such a file, and of no other. */
  keys: readonly string[];
  target: JsonTarget;
  /** Reads one entry. Throws badRow. */
  entryOf(value: unknown): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue', CatalogueProblem>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>
  | JudgeFile<'contests', JudgeContest>
  | JudgeFile<'places', PlacedProblem>;

/** Part of a judge's scale of ratings. Ratings of different judges do not compare. */
export interface Band {
  /** The lowest rating in it. */
  from: number;
  colour: 'grey' | 'brown' | 'green' | 'cyan' | 'blue' | 'violet' | 'yellow' | 'orange' | 'red';
}

export interface Judge {
  name: string;
  /** Where its files come from. */
  site: string;
  /** As it stands before a key. */
  short: string;
  /** What the judge calls its ratings; absent with the bands where it has none. */
  rating?: string;
  /** The bands of its ratings, the lowest first. */
  bands?: readonly Band[];
  /** The key of the problem at an address of this judge. */
  keyAt(url: URL): string | undefined;
  /** The files by the second word of their import: `problems` in `codeforces-problems`. */
  files: Readonly<Record<string, AnyJudgeFile>>;
  /** The place of a problem in its contest, where its key says so. */
  placeOf?(key: string): ContestPlace | undefined;
}
