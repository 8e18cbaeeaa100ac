/** The description of a judge: its names, its scale, its addresses, its files and its API. */
import type { ContestKind } from './contest-kinds.ts';
import type { JudgeApi, JudgeOpenId, JudgeProof } from './judge-api.ts';
import type { AnyJudgeFile, ContestPlace, SentTo, Verdict } from './judge-files.ts';

/** Part of a judge's scale of ratings. Ratings of different judges do not compare. */
export interface Band {
  /** The lowest rating in it. */
  from: number;
  colour: 'grey' | 'brown' | 'green' | 'cyan' | 'blue' | 'violet' | 'yellow' | 'orange' | 'red';
}

export interface Judge {
  name: string;
  /** The name of the site that publishes its files. */
  site: string;
  /** As it stands before a key. */
  short: string;
  /** The judge's name for its ratings. A judge without ratings has neither this nor bands. */
  rating?: string;
  /** The bands of its ratings, the lowest first. */
  bands?: readonly Band[];
  /** The form of a handle as a pattern and in words, and the address of its page. */
  handle?: { pattern: RegExp; words: string; pageOf?(handle: string): string };
  /** The meaning of each verdict that the judge gives. */
  verdicts?: Readonly<Record<string, Verdict>>;
  /** The judge's page of a submission. */
  submissionPage?(submission: SentTo): string | undefined;
  /** The judge's page of a problem, as it was set in this contest. */
  problemPage?(key: string, contest: string | undefined): string | undefined;
  /** Whether a problem of this key is of private training (a Codeforces gym), which no catalogue lists. */
  isGym?(key: string): boolean;
  /** Whether other sites run the same program, one of which a garden may have in place of the judge's own. */
  isRunElsewhere?: boolean;
  /** The key of the problem at an address of this judge; `site` is the address of the site that the garden has instead. */
  keyAt(url: URL, site?: string): string | undefined;
  /** The files by the second word of their import: `problems` in `codeforces-problems`. */
  files: Readonly<Record<string, AnyJudgeFile>>;
  /** Absent where the judge answers no programs. */
  api?: JudgeApi;
  /** Absent where a handle cannot be proved by a submission, or not without an account of ours. */
  proof?: JudgeProof;
  openId?: JudgeOpenId;
  /** Kinds of its contests, by words of their titles; `lacks` takes those out that have other words as well. */
  contestKinds?: readonly ContestKind[];
  /** The judge's page of a contest. */
  contestPage?(contest: string): string;
  /** The place of a problem in its contest, where its key says so. */
  placeOf?(key: string): ContestPlace | undefined;
}
