/** The description of a judge: its names, ratings, addresses, files and API. Base URLs have no slash at the end. */
import { dayMs } from '../durations.ts';
import type { Message } from '../errors.ts';
import type { JsonTarget } from '../files/json.ts';

/* Kinds of contests, by which the page of contests is filtered. A title matches that includes `has` but not `lacks`. */

export interface ContestKind {
  name: string;
  title: string;
  has: string;
  lacks?: string;
  /** The ratings of the people for whom such a contest is rated; without both bounds, everybody. */
  rated?: { from?: number; below?: number };
}

/* The files that a judge publishes, and what their entries mean. */

/** A problem as a row of the store. A column that is missing keeps its stored value. */
export interface CatalogueProblem {
  source_key: string;
  title?: string;
  url?: string;
  rating?: bigint | null;
  /** A JSON array. */
  tags?: string;
}

export interface CatalogueEntry {
  columns: CatalogueProblem;
  otherKeys?: readonly string[];
  /** The number of people who solved it at the judge. */
  solvedBy?: bigint | undefined;
  /** Null where the file says that it has no model. */
  timeModel?: TimeModel | null;
}

/** People need exp(slope × rating + intercept) seconds for a problem. Both numbers are in billionths. */
export interface TimeModel {
  slope: bigint;
  intercept: bigint;
}

/** Keys of the same problem, such as in Div. 1 and Div. 2. */
export type TwinKeys = string[];

/** Describes a problem in its submissions, at a judge without a catalogue. */
export type ProblemDetails = Pick<CatalogueProblem, 'title' | 'rating' | 'tags'>;

export interface Submission {
  id: string;
  key: string;
  /** Several for a team; empty where the judge names nobody. */
  handles: readonly string[];
  submittedAt: string;
  contest: string | null;
  /** Void is final but says nothing about the solution, such as a compile error. */
  verdictClass: 'pending' | 'void' | 'tried' | 'solved';
  /** The judge's own word; null before it has judged. */
  verdict: string | null;
  /** A team counts as `team` in a contest only. Null where the judge does not say. */
  participation: 'contest' | 'virtual' | 'practice' | 'team' | null;
  language: string | null;
  /** A gym is private training at Codeforces, which no catalogue has. */
  isGym: boolean;
  /** Whether a team sent it, also outside contests. */
  isTeam?: boolean;
  /** Creates the problem if it is missing. Absent where a catalogue has it. */
  problem?: ProblemDetails;
}

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

export interface JudgeContest {
  key: string;
  title: string;
  starts_at: string | null;
  duration_s: bigint;
  phase: string | null;
}

export interface ContestPlace {
  contest: string;
  position: string;
}

export interface PlacedProblem extends ContestPlace {
  key: string;
}

export type SubmissionTarget = Pick<Submission, 'id' | 'key' | 'contest'>;

export interface JudgeFile<Holds extends string = string, T = unknown> {
  holds: Holds;
  title: string | Message;
  /** Whether it comes from the judge's branch. */
  isOfBranch?: boolean;
  /** Names in capitals are placeholders. Absent where the judge publishes no such file. */
  from?: string;
  /** Keys near the start of such a file and of no other, by which it is recognised; empty for lists without keys. */
  keys: readonly string[];
  target: JsonTarget;
  /** `site` is the base URL of the publishing site. Throws badRow. */
  entryOf(value: unknown, site?: string): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue', CatalogueEntry>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>
  | JudgeFile<'contests', JudgeContest>
  | JudgeFile<'places', PlacedProblem>;

/* The API of a judge. */

export type FaultKind = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer';

export interface JudgeAnswer {
  status: number;
  text: string;
}

export interface JudgeRequest {
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface JudgeClient {
  /**
   * Waits for the judge's rate limit, sends the request, and retries what `read` throws as busy or down. Throws
   * judgeFailed.
   */
  <T>(path: string, read: (answer: JudgeAnswer) => T, request?: JudgeRequest): Promise<T>;
  readonly site: string;
}

/** An answer that is imported like a file. The cursor is saved after that, as JSON of the judge's own shape. */
export interface FetchedFile {
  file: string;
  text: string;
  cursor?: unknown;
}

export interface SolvedLink {
  address: string;
  title?: string;
}

export interface SyncState {
  cursor: unknown;
  /** The number of stored submissions up to this moment. */
  countUntil(moment: Date): Promise<number>;
  now: Date;
}

/** Without problems while the judge does not show them. */
export interface ContestWithProblems extends Omit<JudgeContest, 'key'> {
  problems: readonly ContestProblem[];
}

export interface ContestProblem {
  key: string;
  title: string;
  url: string;
  position: string;
}

export interface UpcomingContest {
  /** The judge or site of the contest; with the key it identifies the contest. */
  source: string;
  key: string;
  title: string;
  url: string | null;
  starts_at: string;
  /** 0 where the list does not say. */
  duration_s: bigint;
}

export interface ContestListing {
  contests: readonly UpcomingContest[];
  /** Whether the list is complete: a contest that is missing now was cancelled. */
  isWhole: boolean;
  /** Sentences about rows that could not be read. */
  skipped: readonly string[];
}

/** Judges sometimes rejudge submissions of the last days, so each sync reads those again. */
export const overlapMs = 7 * dayMs;
/** A sync reads everything this often: some rejudging comes weeks later, and hidden submissions become visible. */
export const wholeEveryMs = 30 * dayMs;

/** A member's API key. The secret signs requests and is never sent. */
export interface ApiKey {
  key: string;
  secret: string;
}

export const longestContest = 100;
export const longestContestTitle = 500;

export interface RatedContest {
  contest: string;
  title: string;
  place: bigint | null;
  rating: bigint;
  rated_at: string;
}

export interface RatingsApi {
  /** Set where another site has the ratings. */
  baseUrl?: string;
  intervalMs?: number;
  /** `known` are the stored contests by id. Throws judgeFailed. */
  history(
    ask: JudgeClient,
    handle: string,
    known: ReadonlyMap<string, RatedContest>,
  ): Promise<RatedContest[]>;
}

export interface Rank extends RatingBand {
  name?: string;
}

export interface JudgeApi {
  baseUrl: string;
  intervalMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Absent where the judge shows submissions only to their author. */
  submissions?(ask: JudgeClient, handle: string, known: SyncState): AsyncGenerator<FetchedFile>;
  branch?: JudgeBranch;
  /** Set where the judge shows only the newest submissions, so that they must be fetched often. */
  newest?: NewestOnly;
  /** Solved problems of a judge that lists them without days and has no `submissions`. Throws judgeFailed. */
  solved?(ask: JudgeClient, handle: string): Promise<readonly SolvedLink[]>;
  confirmed?: ConfirmedApi;
  ratings?: RatingsApi;
  /** In the order in which the files must be imported. */
  problems?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  contests?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /** Reads upcoming contests from an answer of `contests`. */
  upcomingIn?(text: string): ContestListing;
  /** For a judge whose `contests` have no upcoming ones. Throws judgeFailed. */
  upcoming?(ask: JudgeClient, now: Date): Promise<ContestListing>;
  /** Contests of private training; fetched only if a problem of one is stored. */
  gyms?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /**
   * Undefined where no public contest has this id. With a key it also finds contests that its owner can see. Throws
   * judgeFailed.
   */
  contest?(ask: JudgeClient, contest: string, key?: ApiKey): Promise<ContestWithProblems | undefined>;
  /** Maps old handles to present ones. */
  renames?(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The time of the newest submission that the site knows, by which its crawler is checked. */
  age?(ask: JudgeClient, now: Date): Promise<Date | undefined>;
}

/** Another site of a judge with the same problems and other users. */
export interface JudgeBranch {
  /** The suffix of its name in settings. */
  name: string;
  site: string;
  /** The prefix of its handles. */
  start: string;
  baseUrl: string;
}

export interface NewestOnly {
  atMost: number;
  pauseAtMostMs: number;
  /** The cursor is that of the last run. RFC 3339. */
  allSince(cursor: unknown): string;
}

/** Proves a handle by a submission that nobody sends by chance, to a problem that the server chooses. */
export interface JudgeProof {
  /** Tells the member what to submit. */
  words: Message;
  /** The newest first; some may be older than `since`. */
  newest(ask: JudgeClient, handle: string, since: Date): Promise<readonly Submission[]>;
  /** Whether the site shows new submissions only after some minutes. */
  isLate?: boolean;
  /** Checks the kind of submission; problem and time are checked elsewhere. */
  fits(submission: Submission): boolean;
}

/** Sign-in at a judge by OpenID Connect, with tokens signed by the client's secret (HS256). */
export interface JudgeOpenId {
  issuer: string;
  /** The page where administrators get a client id and a secret. */
  registration: string;
  claim: string;
}

/** An API that shows a member's data to a token which the member confirms in the browser. The token is never stored. */
export interface ConfirmedApi {
  begin(ask: JudgeClient): Promise<{ token: string; address: string }>;
  /** Undefined before the token is confirmed. Throws judgeFailed for an expired one. */
  nameOf(ask: JudgeClient, token: string): Promise<string | undefined>;
  submissions(ask: JudgeClient, token: string, handle: string, known: SyncState): AsyncGenerator<FetchedFile>;
}

/** Sync by the member's browser, for a judge that blocks servers but allows cross-origin requests (CORS). */
export interface BrowserSync {
  baseUrl: string;
  /** The number of the first row, from 1, is appended. */
  pathOf(handle: string): string;
  /** An answer may have fewer rows. The last one has none. */
  pageSize: number;
  /** Pages overlap, because new submissions shift the rows. */
  sharedRows: number;
  intervalMs: number;
  /** The kind of file that an answer is. */
  file: string;
}

/** Ratings of different judges cannot be compared. */
export interface RatingBand {
  from: number;
  colour: 'grey' | 'brown' | 'green' | 'cyan' | 'blue' | 'violet' | 'yellow' | 'orange' | 'red';
}

/** The rules by which the library makes lists of a judge's problems. */
export interface LibraryShelves {
  by: 'topic' | 'hundred' | 'band';
  /** The judge's order, most solved first, or easiest first. */
  order: 'catalogue' | 'solved' | 'rating';
  most?: number;
  /** Names an additional list for a problem at this position, such as Div. 2 C. */
  ladderOf?(contest: string, position: string): string | undefined;
}

export interface Judge {
  name: string;
  /** The name of the site that publishes its files. */
  site: string;
  /** An abbreviation, shown before keys. */
  short: string;
  rating?: string;
  bands?: readonly RatingBand[];
  ranks?: readonly Rank[];
  shelves?: LibraryShelves;
  /** Estimates the seconds that people with this rating need. */
  secondsAt?(model: TimeModel, rating: number): number;
  handle?: {
    pattern: RegExp;
    /** Selects the error text about handles that do not match. */
    form: 'branch' | 'dots' | 'letters' | 'number' | 'path' | 'spaces';
    most: number;
    pageOf?(handle: string): string;
    /** Extracts the handle from a pasted profile address; other text is returned unchanged. */
    nameIn?(text: string): string;
  };
  verdicts?: Readonly<Record<string, Verdict>>;
  submissionPage?(submission: SubmissionTarget): string | undefined;
  problemPage?(key: string, contest: string | undefined): string | undefined;
  /** Whether a problem's editorial is at `/editorial` below its page; likewise for contests. */
  hasEditorials?: boolean;
  hasContestEditorials?: boolean;
  isGym?(key: string): boolean;
  /** Whether a key occurs only in addresses and is never shown. */
  isInnerKey?(key: string): boolean;
  /** Titles a gym of which only the id is known. */
  gymTitle?(contest: string): string | undefined;
  /** Whether other sites run the same software; a server can be configured for one of them. */
  isRunElsewhere?: boolean;
  /** `site` is the configured site. Absent where the address book has the judge's addresses. */
  keyAt?(url: URL, site?: string): string | undefined;
  /** By the last part of the import's name: `problems` in `codeforces-problems`. */
  files: Readonly<Record<string, AnyJudgeFile>>;
  api?: JudgeApi;
  /** Absent where a submission cannot prove a handle, or only with an account of ours. */
  proof?: JudgeProof;
  openId?: JudgeOpenId;
  browser?: BrowserSync;
  contestKinds?: readonly ContestKind[];
  contestAt?(url: URL, site?: string): string | undefined;
  contestPage?(contest: string, site?: string): string;
  /** Whether an `ApiKey` opens private contests. */
  hasPrivateContests?: boolean;
  placeOf?(key: string): ContestPlace | undefined;
}
