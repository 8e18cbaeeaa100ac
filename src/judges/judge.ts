/** The description of a judge: its names, its scale, its addresses, its files and its API. */
import { dayMs } from '../durations.ts';
import type { Message } from '../errors.ts';
import type { JsonTarget } from '../files/json.ts';

/* Kinds of contests, as a judge's file lists them: the grid of contests is filtered by these. */

export interface ContestKind {
  /** As it stands in addresses. */
  name: string;
  /** As the judge calls it. */
  title: string;
  has: string;
  lacks?: string;
  /** The ratings of the people whose rating changes there; everybody's, where both are missing. */
  rated?: { from?: number; below?: number };
}

/* The files that a judge publishes, and what their entries mean. Nothing here knows the store. */

/** A problem in a judge's catalogue, in the columns of the store. Columns that the catalogue lacks keep their values here. */
export interface CatalogueProblem {
  source_key: string;
  title?: string;
  url?: string;
  rating?: bigint | null;
  /** A list as JSON text. */
  tags?: string;
}

export interface CatalogueEntry {
  columns: CatalogueProblem;
  otherKeys?: readonly string[];
  /** How many people solved it there, which the store keeps apart. */
  solvedBy?: bigint | undefined;
  /** How long people need for it; null where the file says that nobody knows. */
  timeModel?: TimeModel | null;
}

/** A problem takes people exp(slope × rating + intercept) seconds. Both in billionths. */
export interface TimeModel {
  slope: bigint;
  intercept: bigint;
}

/** The keys of twins: they name the same problem, such as in Div. 1 and Div. 2. */
export type TwinKeys = string[];

/** A problem as the submissions to it describe it, at a judge that lists none. Its title is its key unless they say more. */
export type ProblemDetails = Pick<CatalogueProblem, 'title' | 'rating' | 'tags'>;

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
  /** Whether several people sent it together, whatever their part in the contest. */
  isTeam?: boolean;
  /** The problem, which is made if it is not here. Absent where a catalogue lists it. */
  problem?: ProblemDetails;
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

export type SubmissionTarget = Pick<Submission, 'id' | 'key' | 'contest'>;

/** A kind of file that `garden import` reads. */
export interface JudgeFile<Holds extends string = string, T = unknown> {
  holds: Holds;
  title: string | Message;
  /** Whether it is of people at the judge's branch. */
  isOfBranch?: boolean;
  /** The address it comes from, in which a name in capitals is to be filled in. Absent where the judge publishes none. */
  from?: string;
  /** Keys that occur together near the start of such a file, and of no other; none where its entries are lists without keys. */
  keys: readonly string[];
  target: JsonTarget;
  /** Reads one entry. `site` is the address of the site that published it, where several run the same program. Throws badRow. */
  entryOf(value: unknown, site?: string): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue', CatalogueEntry>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>
  | JudgeFile<'contests', JudgeContest>
  | JudgeFile<'places', PlacedProblem>;

/* How a judge is asked over the network: what it is sent, what it answers, and what a run knows already. */

/** A judge is busy for a moment, is down, refuses this server, does not know the handle, or answers what nobody understands. */
export type FaultKind = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer';

/** A judge's answer: its status, and its whole text also if it is an error. */
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
   * Sends a request to a judge when its turn has come, and answers what `read` makes of the answer. What `read` throws as busy
   * or down is asked again a few times. Throws judgeFailed.
   */
  <T>(path: string, read: (answer: JudgeAnswer) => T, request?: JudgeRequest): Promise<T>;
  /** The address that is asked, without a slash at the end. */
  readonly site: string;
}

/** An answer in the form of a file that can be imported, and where a later run goes on once it is applied. */
export interface FetchedFile {
  /** The name of one of the judge's files. */
  file: string;
  text: string;
  /** JSON in the judge's own form. */
  cursor?: unknown;
}

/** A solved problem by an address, which `addresses.ts` reads; with its title where the judge gives it. */
export interface SolvedLink {
  address: string;
  title?: string;
}

/** The server's knowledge of a handle's submissions at the start of a run. */
export interface SyncState {
  /** The cursor after the last answer that was applied; undefined at the first run. */
  cursor: unknown;
  /** How many submissions up to this moment are kept. */
  countUntil(moment: Date): Promise<number>;
  now: Date;
}

/** A contest with its problems, in their order there; without any while the judge does not show them yet. */
export interface ContestWithProblems extends Omit<JudgeContest, 'key'> {
  problems: readonly ContestProblem[];
}

/** `position` is its place in the contest, such as A. */
export interface ContestProblem {
  key: string;
  title: string;
  url: string;
  position: string;
}

export interface UpcomingContest {
  /** The judge or the site, and its name for the contest. */
  source: string;
  key: string;
  title: string;
  url: string | null;
  /** RFC 3339, UTC, milliseconds. */
  starts_at: string;
  /** 0 where the list does not say how long it lasts. */
  duration_s: bigint;
}

/** The contests to come, as a judge or a site that gathers contests lists them. */
export interface ContestListing {
  contests: readonly UpcomingContest[];
  /** Whether these are all, so that one that was listed before and lacks now does not take place. */
  isWhole: boolean;
  /** Sentences about rows that were left out. */
  skipped: readonly string[];
}

/** Judges may rule again on submissions of the last days, so these are asked for again. */
export const overlapMs = 7 * dayMs;
/** All is read again, because some rulings come weeks later, whole problems are judged anew, and hidden ones are shown. */
export const wholeEveryMs = 30 * dayMs;

/** Somebody's own key for programs, whose secret half signs what is asked and is never sent. */
export interface ApiKey {
  key: string;
  secret: string;
}

/** The longest id and the longest title of a rated contest. */
export const longestContest = 100;
export const longestContestTitle = 500;

/** A contest after which a handle had another rating, in the columns of the store. */
export interface RatedContest {
  /** The judge's own id. */
  contest: string;
  title: string;
  place: bigint | null;
  rating: bigint;
  rated_at: string;
}

export interface RatingsApi {
  /** The site that says so, if it is not the one of the other answers. Without a slash at the end. */
  baseUrl?: string;
  intervalMs?: number;
  /** All rated contests of a handle; `known` are those that are here by their ids. Throws judgeFailed. */
  history(
    ask: JudgeClient,
    handle: string,
    known: ReadonlyMap<string, RatedContest>,
  ): Promise<RatedContest[]>;
}

/** A part of a judge's scale of people, with the judge's own name for it where it has one beside its colour. */
export interface Rank extends RatingBand {
  name?: string;
}

/** How a judge is asked for what is new. */
export interface JudgeApi {
  /** Without a slash at the end. */
  baseUrl: string;
  /** The least time between two requests. */
  intervalMs: number;
  headers?: Readonly<Record<string, string>>;
  /** The submissions of a handle, in as many answers as it takes. Absent where the judge shows them to their member alone. */
  submissions?(ask: JudgeClient, handle: string, known: SyncState): AsyncGenerator<FetchedFile>;
  branch?: JudgeBranch;
  /** Set where the judge shows only the newest submissions of a handle, so that they must be asked for often. */
  newest?: NewestOnly;
  /**
   * All problems that a handle solved, of a judge that lists them without days; it has no `submissions` then. Throws judgeFailed.
   */
  solved?(ask: JudgeClient, handle: string): Promise<readonly SolvedLink[]>;
  confirmed?: ConfirmedApi;
  ratings?: RatingsApi;
  /** The judge's catalogue, in the order in which its files are to be imported. */
  problems?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  contests?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /** The contests to come in an answer of `contests`, which then is one. */
  upcomingIn?(text: string): ContestListing;
  /** The contests to come, of a judge whose `contests` do not have them. Throws judgeFailed. */
  upcoming?(ask: JudgeClient, now: Date): Promise<ContestListing>;
  /** The names and times of private training, in files of contests. Asked only while a problem of such training is here. */
  gyms?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /**
   * One contest by the judge's own id; undefined where there is none that the judge shows to everybody. If there is a key, such a one is
   * asked for again with it. Throws judgeFailed, also where the judge does not show it to the owner of the key.
   */
  contest?(ask: JudgeClient, contest: string, key?: ApiKey): Promise<ContestWithProblems | undefined>;
  /** The present names of handles, where they differ. */
  renames?(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** When the newest submission was made that the judge knows of. */
  age?(ask: JudgeClient, now: Date): Promise<Date | undefined>;
}

/** Another site of a judge, with people of its own and the same problems. */
export interface JudgeBranch {
  /** Its name behind that of the judge, where settings name it. */
  name: string;
  site: string;
  /** The start of each handle there. */
  start: string;
  /** Without a slash at the end. */
  baseUrl: string;
}

export interface NewestOnly {
  atMost: number;
  /** The longest pause between two requests for a handle. */
  pauseAtMostMs: number;
  /** The time since which all submissions are here, from the cursor of the last run: RFC 3339. */
  allSince(cursor: unknown): string;
}

/** How a member shows that a handle is theirs: by sending what nobody sends by chance to a problem that we name. */
export interface JudgeProof {
  /** The text that tells the member which submission to send. */
  words: Message;
  /** The newest submissions of a handle since a moment, the newest first; older ones may be among them. */
  newest(ask: JudgeClient, handle: string, since: Date): Promise<readonly Submission[]>;
  /** Whether the site that is asked knows of a submission only some minutes later. */
  isLate?: boolean;
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
  begin(ask: JudgeClient): Promise<{ token: string; address: string }>;
  /** The member's name at the judge; undefined until the token is confirmed. Throws judgeFailed for a token that has ended. */
  nameOf(ask: JudgeClient, token: string): Promise<string | undefined>;
  /** The member's submissions, in as many answers as needed. */
  submissions(ask: JudgeClient, token: string, handle: string, known: SyncState): AsyncGenerator<FetchedFile>;
}

/**
 * How the member's own browser asks for the submissions of a handle, the newest first, where the judge refuses our server but answers a
 * page of another site (CORS).
 */
export interface BrowserSync {
  /** The judge's own address of its interface, without a slash at the end. */
  baseUrl: string;
  /** Below it; the number of the first row is put at the end, from 1. */
  pathOf(handle: string): string;
  /** Rows that an answer is asked for. It may have fewer; the one after the last has none. */
  pageSize: number;
  /** Rows that an answer shares with a full one before it, because the list may move meanwhile. */
  sharedRows: number;
  /** The least time between two requests. */
  intervalMs: number;
  /** The judge's file that such an answer is. */
  file: string;
}

/** Part of a judge's scale of ratings. Ratings of different judges do not compare. */
export interface RatingBand {
  /** The lowest rating in it. */
  from: number;
  colour: 'grey' | 'brown' | 'green' | 'cyan' | 'blue' | 'violet' | 'yellow' | 'orange' | 'red';
}

/** How the library makes lists of a judge's problems. */
export interface LibraryShelves {
  /** A list for each topic, for each hundred of the rating, or for each band. */
  by: 'topic' | 'hundred' | 'band';
  /** As the judge lists them, those that most people solved first, or the easiest first. */
  order: 'catalogue' | 'solved' | 'rating';
  /** How many problems of each a list has; all, where nothing is said. */
  most?: number;
  /** The further list of a problem with this place in a contest of this name, such as Div. 2 C. */
  ladderOf?(contest: string, position: string): string | undefined;
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
  bands?: readonly RatingBand[];
  /** The ranks of people by their ratings there, the lowest first. */
  ranks?: readonly Rank[];
  shelves?: LibraryShelves;
  /** How many seconds people with this rating need for a problem, by the model of the site that publishes the files. */
  secondsAt?(model: TimeModel, rating: number): number;
  /** The form of a handle as a pattern, and the address of its page. */
  handle?: {
    pattern: RegExp;
    /** The sentence about a handle of another form, which says how long one can be. */
    form: 'branch' | 'dots' | 'letters' | 'number' | 'path' | 'spaces';
    most: number;
    pageOf?(handle: string): string;
    /** The handle in what people enter, such as the address of their page; the text itself where it is none. */
    nameIn?(text: string): string;
  };
  verdicts?: Readonly<Record<string, Verdict>>;
  submissionPage?(submission: SubmissionTarget): string | undefined;
  /** The judge's page of a problem, as it was set in this contest. */
  problemPage?(key: string, contest: string | undefined): string | undefined;
  /** Whether the editorial of a problem stands at `/editorial` below its page. */
  hasEditorials?: boolean;
  /** Whether that of a contest does so below the page of the contest. */
  hasContestEditorials?: boolean;
  /** Whether a problem of this key is of private training (a Codeforces gym), which no catalogue lists. */
  isGym?(key: string): boolean;
  /** Whether people never see this key of a problem, because only addresses have it. */
  isInnerKey?(key: string): boolean;
  /** The title of a contest of private training of which nothing but its id is known; undefined for other contests. */
  gymTitle?(contest: string): string | undefined;
  /** Whether other sites run the same program, one of which a garden may have in place of the judge's own. */
  isRunElsewhere?: boolean;
  /**
   * The key of the problem at an address of this judge; `site` is the address of the site that the garden has instead. Absent where
   * rows of the address book know its addresses.
   */
  keyAt?(url: URL, site?: string): string | undefined;
  /** The files by the second word of their import: `problems` in `codeforces-problems`. */
  files: Readonly<Record<string, AnyJudgeFile>>;
  /** Absent where the judge answers no programs. */
  api?: JudgeApi;
  /** Absent where a handle cannot be proved by a submission, or not without an account of ours. */
  proof?: JudgeProof;
  openId?: JudgeOpenId;
  browser?: BrowserSync;
  /** Kinds of its contests, by words of their titles; `lacks` takes those out that have other words as well. */
  contestKinds?: readonly ContestKind[];
  /** The judge's own id of the contest at an address of this judge, or at an address of one of its pages; `site` as in `keyAt`. */
  contestAt?(url: URL, site?: string): string | undefined;
  contestPage?(contest: string, site?: string): string;
  /** Whether an `ApiKey` opens contests that are not shown to everybody. */
  hasPrivateContests?: boolean;
  /** The place of a problem in its contest, where its key says so. */
  placeOf?(key: string): ContestPlace | undefined;
}
