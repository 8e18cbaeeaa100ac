/** The tables of proofs: which handles are proved, how they are being proved, and the names that they had. */

/** That a handle is its member's, as the judge showed. */
export interface HandleProofsTable {
  handle_id: bigint;
  /** By a submission that the member was asked for, or by signing in at the judge, or by confirming a token there. */
  way: 'submission' | 'openid' | 'confirmation';
  /** The judge's own id of the person, where it was told. */
  subject: string | null;
  proved_at: string;
}

/** What a member was last asked to send to a judge as a proof. */
export interface ProofTasksTable {
  user_id: bigint;
  source: string;
  /** Null once the handle is proved or unlinked. */
  handle_id: bigint | null;
  problem_id: bigint;
  /** When the problem was chosen; another one is chosen only some time later. */
  drawn_at: string;
  begun_at: string;
  /** When the judge was last asked; the beginning counts as well. */
  asked_at: string;
}

/** A former name of a handle. */
export interface HandleRenamesTable {
  handle_id: bigint;
  before: string;
  renamed_at: string;
}

export interface ProofTables {
  handle_proofs: HandleProofsTable;
  proof_tasks: ProofTasksTable;
  handle_renames: HandleRenamesTable;
}
