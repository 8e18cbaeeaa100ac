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

/** One submission of one member to one problem. */
export interface Submission {
  key: string;
  /** RFC 3339, UTC, milliseconds. */
  submittedAt: string;
  isSolved: boolean;
  /** Whether the contest is private training (a Codeforces gym), which no catalogue lists. */
  isGym: boolean;
}

interface FileSigns {
  title: string;
  /** Keys that occur together near the start of such a file, and of no other. */
  keys: readonly string[];
}

/** A kind of file that `garden import` reads. */
export interface JudgeFile<Holds extends string = string, T = unknown> extends FileSigns {
  holds: Holds;
  target: JsonTarget;
  /** Reads one entry. Throws badRow. */
  entryOf(value: unknown): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue', CatalogueProblem>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>;

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
  /** Files that people confuse with these, and that no import reads. */
  otherFiles?: readonly FileSigns[];
}
