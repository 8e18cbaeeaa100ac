/** What a judge is to us: the files that it publishes, and what their entries mean. Nothing here knows the store. */
import type { JsonTarget } from '../files/json.ts';
import type { ContestKind } from './contest-kinds.ts';

/** A problem in a judge's catalogue, in the columns of the store. Columns that the catalogue lacks keep their values here. */
export interface CatalogueProblem {
  source_key: string;
  title?: string;
  url?: string;
  rating?: bigint | null;
  /** A list as JSON text. */
  tags?: string;
}

/** A problem as its catalogue lists it, with what the store keeps apart. */
export interface ListedProblem extends CatalogueProblem {
  /** How many people solved it there. */
  solvedBy?: bigint;
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
  /** Null where the judge does not say. */
  participation: 'contest' | 'virtual' | 'practice' | 'team' | null;
  language: string | null;
  /** Whether the contest is private training (a Codeforces gym), which no catalogue lists. */
  isGym: boolean;
}

/** What a judge says of a submission, by a name that is the same at every judge. */
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

/** What the address of a submission is made of. */
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

/** A judge is busy for a moment, is down, refuses this server, does not know the handle, or answers what nobody understands. */
export type FaultKind = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer';

/** What a judge answered: its whole text, whatever its status is. */
export interface JudgeAnswer {
  status: number;
  text: string;
}

/** What a request has besides its path. */
export interface JudgeRequest {
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
}

export interface AskJudge {
  /**
   * Sends a request to a judge when its turn has come, and answers what `read` makes of the answer. What `read` throws as busy
   * or down is asked again a few times. Throws judgeFailed.
   */
  <T>(path: string, read: (answer: JudgeAnswer) => T, request?: JudgeRequest): Promise<T>;
  /** The address that is asked, without a slash at the end. */
  readonly site: string;
}

/** An answer in the form of a file that can be imported, and where a later run goes on once it is applied. */
export interface Fetched {
  /** The name of one of the judge's files. */
  file: string;
  text: string;
  /** JSON in the judge's own form. */
  cursor: unknown;
}

/** What the server knows already of the submissions that a run asks for. */
export interface Known {
  /** The cursor after the last answer that was applied; undefined at the first run. */
  cursor: unknown;
  /** How many submissions up to this moment are kept. */
  countUntil(moment: Date): Promise<number>;
  now: Date;
}

/** How a judge is asked for what is new. */
export interface JudgeApi {
  /** Without a slash at the end. */
  baseUrl: string;
  /** The least time between two requests. */
  intervalMs: number;
  headers?: Readonly<Record<string, string>>;
  /** The submissions of a handle, in as many answers as it takes. Absent where the judge shows them to their member alone. */
  submissions?(ask: AskJudge, handle: string, known: Known): AsyncGenerator<Fetched>;
  confirmed?: ConfirmedApi;
  /** The judge's catalogue, in the order in which its files are to be imported. */
  problems?(ask: AskJudge): AsyncGenerator<Fetched>;
  contests?(ask: AskJudge): AsyncGenerator<Fetched>;
  /** The present names of handles, where they differ. */
  renames?(ask: AskJudge, handles: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** When the newest submission was made that the judge knows of. */
  age?(ask: AskJudge, now: Date): Promise<Date | undefined>;
}

/** How a member shows that a handle is theirs: by sending what nobody sends by chance to a problem that we name. */
export interface JudgeProof {
  /** What to send, in words. */
  words: string;
  /** The newest submissions of a handle, the newest first. */
  newest(ask: AskJudge, handle: string): Promise<readonly Submission[]>;
  /** Whether a submission is what was asked for, whatever its problem and moment. */
  fits(submission: Submission): boolean;
}

/** How a judge says who is signed in there (OpenID Connect, with tokens signed by the client's secret, HS256). */
export interface JudgeOpenId {
  issuer: string;
  /** The page where staff get a client id and a secret. */
  registration: string;
  /** The claim with the handle. */
  claim: string;
}

/**
 * How a judge is asked for what it shows to its member alone: it gives a token, which the member confirms in the browser. The
 * token is a secret of the member. It is asked for each time and kept nowhere.
 */
export interface ConfirmedApi {
  /** Asks for a token, and for the address where the member confirms it. */
  begin(ask: AskJudge): Promise<{ token: string; address: string }>;
  /** The member's name at the judge; undefined until the token is confirmed. Throws judgeFailed for a token that has ended. */
  nameOf(ask: AskJudge, token: string): Promise<string | undefined>;
  /** What the member sent, in as many answers as it takes. */
  submissions(ask: AskJudge, token: string, handle: string, known: Known): AsyncGenerator<Fetched>;
}

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
  /** What handles look like there, in a pattern and in words, and the page of one. */
  handle?: { pattern: RegExp; words: string; pageOf?(handle: string): string };
  /** What the judge's own words for verdicts say. */
  verdicts?: Readonly<Record<string, Verdict>>;
  /** The judge's page of a submission. */
  submissionPage?(submission: SentTo): string | undefined;
  /** The judge's page of a problem, as it was set in this contest. */
  problemPage?(key: string, contest: string | undefined): string | undefined;
  /** Whether a problem of this key is of private training (a Codeforces gym), which no catalogue lists. */
  isGym?(key: string): boolean;
  /** The key of the problem at an address of this judge. */
  keyAt(url: URL): string | undefined;
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
