/** How a judge is asked over the network: what it is sent, what it answers, and what a run knows already. */
import type { Submission } from './judge-files.ts';

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

/** The server's knowledge of a handle's submissions at the start of a run. */
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
  /** The text that tells the member which submission to send. */
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
  /** The member's submissions, in as many answers as needed. */
  submissions(ask: AskJudge, token: string, handle: string, known: Known): AsyncGenerator<Fetched>;
}
