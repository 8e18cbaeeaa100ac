/** The tables as TypeScript types. Every integer column is a bigint in rows, on both engines, so ids are exact. */
import type { Kysely } from 'kysely';
import type { GardenTables } from './garden-tables.ts';
import type { GroupTables } from './group-tables.ts';
import type { JudgedTables } from './judged-tables.ts';
import type { ListTables } from './list-tables.ts';
import type { OpenIdTables } from './openid-tables.ts';
import type { ProofTables } from './proof-tables.ts';
import type { ReviewTables } from './review-tables.ts';
import type { ImportsTable, UploadsTable } from './upload-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

export type JsonList = string;

/** What a column holds; a question mark stands for a column that may be null. */
export type ColumnKind = 'integer' | 'integer?' | 'text' | 'text?' | 'list';

type ValueOf<K> = K extends `${infer Kind}?`
  ? ValueOf<Kind> | null
  : K extends 'integer'
    ? bigint
    : K extends 'list'
      ? JsonList
      : string;
type RowOf<Columns> = { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> };

/** A row with nothing in it: nulls, empty lists and empty texts. Its integers that may not be null are missing. */
export function emptyRow<K extends Readonly<Record<string, ColumnKind>>>(kinds: K): RowOf<K> {
  const values = Object.entries(kinds).map(([name, kind]) => [
    name,
    kind === 'list' ? '[]' : kind.endsWith('?') ? null : '',
  ]);
  return Object.fromEntries(values) as RowOf<K>;
}

/** The columns of a member that the contract shows. */
export const recordKinds = {
  id: 'integer',
  username: 'text',
  first_name: 'text?',
  last_name: 'text?',
  email: 'text?',
  phone: 'text?',
  address: 'text?',
  city: 'text?',
  state: 'text?',
  zipcode: 'text?',
  role: 'text',
  created_at: 'text',
  updated_at: 'text',
} as const;

export interface MembersTable extends RowOf<typeof recordKinds> {
  role: 'member' | 'staff';
  /** The username after case folding. It is unique, so no two names differ only in case. */
  username_key: string;
  search_text: string;
  is_disabled: bigint;
  is_sample: bigint;
  /** Argon2id in the PHC string format; null for a member who cannot sign in with a password. */
  password_hash: string | null;
}

/** The columns of a problem that the contract shows. */
export const problemKinds = {
  id: 'integer',
  title: 'text',
  source: 'text',
  source_key: 'text',
  url: 'text?',
  rating: 'integer?',
  tags: 'list',
  aliases: 'list',
  editorial_url: 'text?',
  video_url: 'text?',
  created_at: 'text',
  updated_at: 'text',
} as const;

export interface ProblemsTable extends RowOf<typeof problemKinds> {
  /** The title and all keys after case folding; the filter `q` searches here. */
  search_text: string;
  is_sample: bigint;
}

/** The member's word and the judge's word, side by side; the member's word shows if there is one. */
export interface StatusesTable {
  user_id: bigint;
  problem_id: bigint;
  self_status: State | null;
  self_at: string | null;
  judge_status: State | null;
  judge_at: string | null;
  /** A judge's word that did not come from submissions, while one that did stands in its place; nulls if there is none. */
  overtaken_status: State | null;
  overtaken_at: string | null;
  /** How the member solved it, in their own words. */
  how: How | null;
}
export type How = 'alone' | 'hint' | 'editorial';
export type State = 'not_started' | 'reading' | 'practicing' | 'complete' | 'skipped' | 'ignored';

export interface BookmarksTable {
  user_id: bigint;
  problem_id: bigint;
  note: string | null;
  created_at: string;
  updated_at: string;
}

export interface TokensTable {
  id: bigint;
  user_id: bigint;
  name: string;
  digest: string;
  /** Space-separated. */
  scopes: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** A browser in which a member is signed in. */
export interface SessionsTable {
  id: bigint;
  user_id: bigint;
  /** SHA-256 of the cookie's value, in hexadecimal. */
  digest: string;
  /** The browser and system, as its User-Agent header names them. */
  browser: string;
  /** The network from which it was opened. */
  network: string;
  created_at: string;
  seen_at: string;
  expires_at: string;
}

/** A one-time address: whoever opens it makes a member or a password. */
export interface EntryLinksTable {
  id: bigint;
  kind: 'setup' | 'invitation' | 'reset' | 'demo';
  /** SHA-256 of the secret in the address, in hexadecimal. */
  digest: string;
  /** The member who gets a password, or is signed in; null where a member is made. */
  user_id: bigint | null;
  /** What a member that is made may do. */
  role: 'member' | 'staff';
  uses_left: bigint;
  made_by: bigint | null;
  created_at: string;
  expires_at: string;
}

/** How often something was tried, such as a password for one account from one network. */
export interface AttemptsTable {
  /** SHA-256 of who tried what, in hexadecimal. */
  digest: string;
  tries: bigint;
  /** When the count ends. */
  expires_at: string;
}

/** What staff did on the website. It has ids of members and no names, so that nothing is left of a deleted member. */
export interface StaffLogTable {
  id: bigint;
  made_at: string;
  /** The member of staff who did it. They may be gone by now, as the other may. */
  actor_id: bigint;
  what: string;
  /** The member to whom it was done, if it was done to one. */
  member_id: bigint | null;
}

/** What a member changed on the website, and how it was before. */
export interface ChangesTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  /** Changes that were made together, and are undone together, have the id of the first. */
  batch_id: bigint;
  kind: 'status' | 'how' | 'bookmark' | 'note';
  /** JSON. */
  before: string;
  after: string;
  made_at: string;
  undone_at: string | null;
}

/** How often the rows of a revision scope have changed. Entity tags are made of these numbers. */
export interface RevisionsTable {
  scope: string;
  revision: bigint;
}

/** The first moment at which a member solved a problem: by a submission that was accepted, or by a word. */
export interface FirstSolvesTable {
  user_id: bigint;
  problem_id: bigint;
  at: string;
}

export interface Tables
  extends ProofTables,
    JudgedTables,
    GardenTables,
    ReviewTables,
    ListTables,
    GroupTables,
    OpenIdTables,
    WebhookTables {
  members: MembersTable;
  problems: ProblemsTable;
  /** Every key of every problem, aliases included. A foreign key would need an index that halves the speed of imports. */
  problem_keys: { source: string; key: string; problem_id: bigint };
  /** The index of `problems.tags` for the filter `tag`. */
  problem_tags: { tag: string; problem_id: bigint };
  statuses: StatusesTable;
  first_solves: FirstSolvesTable;
  bookmarks: BookmarksTable;
  /** The ids of deleted plants above `countedBelow`, so that no new plant gets one of them. */
  deleted_plants: { id: bigint };
  tokens: TokensTable;
  sessions: SessionsTable;
  entry_links: EntryLinksTable;
  attempts: AttemptsTable;
  staff_log: StaffLogTable;
  uploads: UploadsTable;
  imports: ImportsTable;
  changes: ChangesTable;
  member_settings: { user_id: bigint; name: string; value: string };
  /** How many people solved a problem at its judge. */
  solved_counts: { problem_id: bigint; solved_by: bigint };
  /** When the next request to a host may be sent, in milliseconds since 1970. */
  judge_gates: { host: string; next_at: bigint };
  /** Which process does a work that only one may do, and until when, in milliseconds since 1970. */
  leases: { name: string; holder: string; ends_at: bigint };
  /** The highest id that the counter of each table has passed. Imported rows may have higher ids. */
  id_counters: { table_name: string; last_id: bigint };
  revisions: RevisionsTable;
  settings: { name: string; value: string };
  schema_migrations: { version: bigint; name: string; applied_at: string };
}

/** A handle to the database: the store's own, or that of one transaction. */
export type Db = Kysely<Tables>;
