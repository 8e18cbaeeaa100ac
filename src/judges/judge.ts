/** Describes a judge: names, ratings, addresses, files and API. */
import { dayMs } from '../durations.ts';
import type { LocalizedText, Message } from '../errors.ts';
import type { JsonLayout } from '../files/json.ts';
import type { RealField } from './real-field.ts';

export interface ContestKind {
  name: string;
  title: string;
  has: string;
  lacks?: string;
  /** The grid shows such contests only if a filter selects them. */
  isHiddenByDefault?: boolean;
  /** Only people with these ratings are rated in such a contest; without both, everybody is. */
  ratedRange?: { from?: number; below?: number };
}

export interface CatalogueProblem {
  source_key: string;
  title?: string;
  url?: string;
  rating?: bigint | null;
  tags?: string;
}

export interface CatalogueEntry {
  columns: CatalogueProblem;
  otherKeys?: readonly string[];
  solverCount?: bigint | undefined;
  timeModel?: TimeModel | null;
}

/** People need exp(slope × rating + intercept) seconds. Both numbers are in billionths. */
export interface TimeModel {
  slope: bigint;
  intercept: bigint;
}

/** Keys of the same problem, such as in Div. 1 and Div. 2. */
export type TwinKeys = string[];

/** What submissions say of a problem, at a judge without a catalogue. */
export type ProblemDetails = Pick<CatalogueProblem, 'title' | 'url' | 'rating' | 'tags'>;

export interface Submission {
  id: string;
  key: string;
  /** Several for a team; empty where the judge names nobody. */
  handles: readonly string[];
  submittedAt: string;
  contest: string | null;
  /** `void` is a final verdict that says nothing about the solution, such as a compile error. */
  verdictClass: 'pending' | 'void' | 'tried' | 'solved';
  verdict: string | null;
  /** `team` is a team's submission during a contest; null where the judge does not say. */
  participation: 'contest' | 'virtual' | 'practice' | 'team' | null;
  language: string | null;
  /** A gym is private training, which no catalogue has. */
  isGym: boolean;
  isTeam?: boolean;
  /** The judge's own id of the team. */
  judgeTeam?: string;
  virtualBeganAt?: string;
  /** Absent where a catalogue has the problem. */
  problem?: ProblemDetails;
  /** The title in a row of a judge with a catalogue, which has a new contest only some hours later. */
  title?: string;
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
  /** Of a gym, from 1 to 5. */
  difficulty?: bigint | null;
}

export interface ContestPosition {
  contest: string;
  position: string;
}

export interface ContestPlacement extends ContestPosition {
  key: string;
}

export type SubmissionTarget = Pick<Submission, 'id' | 'key' | 'contest'>;

export interface JudgeFile<Kind extends string = string, T = unknown> {
  kind: Kind;
  title: string | Message;
  isOfBranch?: boolean;
  /** Names in capitals are placeholders. */
  sourceUrl?: string;
  /** Keys that occur near the start of such files only; empty for lists without keys. */
  keys: readonly string[];
  layout: JsonLayout;
  /** `site` is the base URL of the publishing site. Throws badRow. */
  entryOf(value: unknown, site?: string): T;
}

export type AnyJudgeFile =
  | JudgeFile<'catalogue' | 'ratings', CatalogueEntry>
  | JudgeFile<'twins', TwinKeys>
  | JudgeFile<'submissions', Submission>
  | JudgeFile<'contests', JudgeContest>
  | JudgeFile<'places', ContestPlacement>;

export type FaultKind = 'busy' | 'down' | 'refused' | 'unknown handle' | 'odd answer';

export interface JudgeAnswer {
  status: number;
  text: string;
}

export interface JudgeRequest {
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Whether the rest of the answer need not be read. */
  isEnough?(text: string): boolean;
  /** For long answers: makes, for each attempt, what takes their pieces and returns the text of them that is left. */
  reader?(): (piece: string) => string;
}

export interface JudgeClient {
  /** Waits for the rate limit, and retries what `read` throws as busy or down. Throws judgeFailed. */
  <T>(path: string, read: (answer: JudgeAnswer) => T, request?: JudgeRequest): Promise<T>;
  readonly site: string;
}

/** An answer that is imported like a file. The cursor is saved after the import. */
export interface FetchedFile {
  file: string;
  text: string;
  cursor?: unknown;
}

export interface SolvedLink {
  address: string;
  title?: string;
}

/** What could be read of rows, and why others could not be. */
export interface ReadRows<T> {
  values: T[];
  skipped: LocalizedText[];
}

export interface SyncState {
  cursor: unknown;
  countStoredUntil(moment: Date): Promise<number>;
  now: Date;
}

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
  source: string;
  key: string;
  title: string;
  url: string | null;
  starts_at: string;
  duration_s: bigint;
}

export interface ContestListing {
  contests: readonly UpcomingContest[];
  /** Whether a contest that is missing here was cancelled. */
  isComplete: boolean;
  /** RFC 3339; contests that began since then are listed too. Without it only contests to come are. */
  startsAfter?: string;
  /** Why rows could not be read. */
  skipped: readonly LocalizedText[];
}

/** Judges rejudge submissions of the last days, so each sync reads those again. */
export const overlapMs = 7 * dayMs;
/** Some rejudging comes weeks later, and hidden submissions become visible. */
export const fullSyncEveryMs = 30 * dayMs;

/** The secret signs requests and is never sent. */
export interface ApiKey {
  key: string;
  secret: string;
}

export const contestIdMax = 100;
export const longestContestTitle = 500;

export interface RatedContest {
  contest: string;
  title: string;
  place: bigint | null;
  rating: bigint;
  rated_at: string;
}

/** Everybody's newest submissions in one answer. It may be late and leave rows out, so each handle's own list decides. */
export interface SubmissionFeed {
  /** One answer has no more. */
  rowsAtMost: number;
  intervalMs: number;
  /** How often own lists are read beside the feed: those of people who submitted in the last day, and all others. */
  ownListMs: { active: number; others: number };
  /** Whether its rows lack what decides, so that the own list is read instead. */
  isHint?: boolean;
  /** At least `count` rows, if there are so many. Throws judgeFailed. */
  newest(ask: JudgeClient, count: number, cursor: unknown): Promise<FeedAnswer>;
  /** The newest submissions to a contest that is running. Throws judgeFailed. */
  ofContest?(ask: JudgeClient, contest: string, count: number): Promise<FeedAnswer>;
  /** By the names that are given. Throws judgeFailed. */
  users?(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, FeedUser>>;
}

export const contestRowsAtMost = 6_000;

export interface FeedAnswer {
  rows: FeedRow[];
  /** Where the next request begins. */
  cursor?: unknown;
}

/** Nothing else of a stranger's submission is read. */
export interface FeedRow {
  id: number;
  /** In milliseconds since 1970. */
  at: number;
  handles: readonly string[];
  value: unknown;
}

export interface FeedUser {
  /** The present name. */
  name: string;
  /** In milliseconds since 1970. */
  onlineAt: number;
}

export interface RatingsApi {
  baseUrl?: string;
  intervalMs?: number;
  /** `stored` are the known contests by id. Throws judgeFailed. */
  history(
    ask: JudgeClient,
    handle: string,
    stored: ReadonlyMap<string, RatedContest>,
  ): Promise<ReadRows<RatedContest>>;
}

export interface Rank extends RatingBand {
  name?: string;
}

export interface JudgeApi {
  baseUrl: string;
  intervalMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Absent where the judge shows submissions only to their author. */
  submissions?(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile>;
  feed?: SubmissionFeed;
  /** Of some people to some problems, with one request for up to a hundred people. Throws judgeFailed. */
  ofRound?(ask: JudgeClient, round: RoundRequest): Promise<Submission[]>;
  branch?: JudgeBranch;
  recentLimit?: RecentLimit;
  /** Solved problems of a judge that has no days and no `submissions`. Throws judgeFailed. */
  solved?(ask: JudgeClient, handle: string): Promise<ReadRows<SolvedLink>>;
  memberToken?: MemberTokenApi;
  ratings?: RatingsApi;
  problems?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  contests?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /** Reads the upcoming contests in an answer of `contests`. */
  parseUpcoming?(text: string): ContestListing;
  /** For a judge whose `contests` have no upcoming ones. Throws judgeFailed. */
  upcoming?(ask: JudgeClient, now: Date): Promise<ContestListing>;
  gyms?(ask: JudgeClient): AsyncGenerator<FetchedFile>;
  /** Undefined for an unknown or private contest; with a key also private ones are found. Throws judgeFailed. */
  contest?(ask: JudgeClient, contest: string, key?: ApiKey): Promise<ContestWithProblems | undefined>;
  /** The accepted submissions of these handles to a contest that the key opens. Throws judgeFailed. */
  results?(ask: JudgeClient, contest: string, key: ApiKey, handles: readonly string[]): Promise<Submission[]>;
  /** The whole results of a past contest; with a key also of private ones. Throws judgeFailed. */
  realField?(ask: JudgeClient, contest: string, key?: ApiKey): Promise<RealField>;
  renames?(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The time of the newest submission at the site, which shows whether its crawler works. */
  age?(ask: JudgeClient, now: Date): Promise<Date | undefined>;
}

export const roundHandlesPerRequest = 100;

export interface RoundRequest {
  handles: readonly string[];
  /** The cursors of their own lists, in the same order; undefined before the first one was read. */
  cursors: readonly unknown[];
  keys: readonly string[];
  from: Date;
  until: Date;
}

/** A second site of the judge with the same problems and other users, such as leetcode.cn. */
export interface JudgeBranch {
  /** A suffix of the judge's name in settings. */
  suffix: string;
  site: string;
  /** The prefix of its handles. */
  handlePrefix: string;
  baseUrl: string;
}

/** For a judge that shows only the newest submissions. */
export interface RecentLimit {
  submissionsAtMost: number;
  intervalAtMostMs: number;
  completeSince(cursor: unknown): string;
}

/** Proves a handle by a submission that nobody sends by chance. */
export interface JudgeProof {
  instructions: Message;
  /** The newest first; some may be older than `since`. */
  newest(ask: JudgeClient, handle: string, since: Date): Promise<readonly Submission[]>;
  /** Whether submissions appear some minutes late. */
  isDelayed?: boolean;
  /** Whether it is such a submission, at whatever time and problem. */
  matches(submission: Submission): boolean;
}

/** OpenID Connect with tokens signed by the client's secret (HS256). */
export interface JudgeOpenId {
  issuer: string;
  registrationUrl: string;
  claim: string;
}

/** Reads what a judge shows only to a token that the member confirms. The token is never stored. */
export interface MemberTokenApi {
  begin(ask: JudgeClient): Promise<{ token: string; address: string }>;
  usernameOf(ask: JudgeClient, token: string): Promise<string | undefined>;
  submissions(ask: JudgeClient, token: string, handle: string, state: SyncState): AsyncGenerator<FetchedFile>;
}

/** Sync by the member's browser, for a judge that blocks servers but allows other sites (CORS). */
export interface BrowserSync {
  baseUrl: string;
  /** The number of the first row, from 1, is appended. */
  pathOf(handle: string): string;
  /** Answers may have fewer rows; the last one has none. */
  pageSize: number;
  overlapRows: number;
  intervalMs: number;
  file: string;
}

/** Ratings of different judges cannot be compared. */
export interface RatingBand {
  from: number;
  colour: 'grey' | 'brown' | 'green' | 'cyan' | 'blue' | 'violet' | 'yellow' | 'orange' | 'red';
}

/** How ratings of problems and people give the chance to solve a problem in a contest. */
export interface ChanceModel {
  /** The distance in rating points between even chances and 10 to 1. */
  spread: number;
  /** How much harder problems are than their ratings. */
  shift: number;
  /** What a person is expected to have whose contests are unknown. */
  usualStrength: number;
  /** The scale on which the chance is computed, from the stored rating and back. */
  scaledRating(rating: number): number;
  storedRating(scaled: number): number;
  strengthOf(rating: number, ratedContests: number): number;
}

/** How the library divides the judge's problems into lists. */
export interface LibraryRules {
  by: 'topic' | 'hundred' | 'band';
  order: 'catalogue' | 'solved' | 'rating';
  most?: number;
  /** Names a further list by contest and position, such as Div. 2 C. */
  ladderOf?(contest: string, position: string): string | undefined;
}

export interface Judge {
  name: string;
  site: string;
  short: string;
  ratingName?: string;
  bands?: readonly RatingBand[];
  ranks?: readonly Rank[];
  libraryRules?: LibraryRules;
  predictedSeconds?(model: TimeModel, rating: number): number;
  chanceModel?: ChanceModel;
  handle?: {
    pattern: RegExp;
    /** Selects the error text for another handle. */
    form: 'branch' | 'dots' | 'letters' | 'number' | 'path' | 'spaces';
    most: number;
    pageOf?(handle: string): string;
  };
  verdicts?: Readonly<Record<string, Verdict>>;
  submissionPage?(submission: SubmissionTarget): string | undefined;
  problemPage?(key: string, contest: string | undefined): string | undefined;
  /** Its submissions have no ids, so ours are made of second and problem, whose key can change. */
  renamesProblems?: boolean;
  hasEditorials?: boolean;
  hasContestEditorials?: boolean;
  isGym?(key: string): boolean;
  /** Whether a key occurs only in addresses. */
  isInternalKey?(key: string): boolean;
  gymTitle?(contest: string): string | undefined;
  /** Whether a server can be configured for another site with the same software. */
  isSelfHostable?: boolean;
  /** `site` is the configured one. Absent if the address book has the addresses. */
  problemKeyAt?(url: URL, site?: string, title?: string): string | undefined;
  files: Readonly<Record<string, AnyJudgeFile>>;
  api?: JudgeApi;
  /** Absent if a proof would need an account of ours. */
  proof?: JudgeProof;
  openId?: JudgeOpenId;
  browserSync?: BrowserSync;
  contestKinds?: readonly ContestKind[];
  contestKeyAt?(url: URL, site?: string): string | undefined;
  contestPage?(contest: string, site?: string): string;
  /** Whether an `ApiKey` opens private contests. */
  hasPrivateContests?: boolean;
  contestPositionOf?(key: string): ContestPosition | undefined;
}
