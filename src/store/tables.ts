/** The tables as TypeScript sees them. Every integer column is a bigint in rows, on every store: ids are exact. */
import type { Kysely } from 'kysely';

/** A JSON array of strings, kept and passed on as text. */
export type JsonList = string;

export interface MembersTable {
  id: bigint;
  username: string;
  /** Folded, unique: no two members differ in case alone. */
  username_key: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zipcode: string | null;
  role: 'member' | 'staff';
  search_text: string;
  is_disabled: bigint;
  is_sample: bigint;
  created_at: string;
  updated_at: string;
}

export interface ProblemsTable {
  id: bigint;
  title: string;
  source: string;
  source_key: string;
  url: string | null;
  rating: bigint | null;
  tags: JsonList;
  aliases: JsonList;
  editorial_url: string | null;
  video_url: string | null;
  /** Title and all keys, folded: what `q` looks in. */
  search_text: string;
  is_sample: bigint;
  created_at: string;
  updated_at: string;
}

/**
 * Every key of every problem, its own and its aliases: one key names one problem. Like the tags it follows from the
 * problem's row and is written with it; a foreign key would add an index per table and halve the speed of imports.
 */
export interface ProblemKeysTable {
  source: string;
  key: string;
  problem_id: bigint;
}

/** An index of `problems.tags`, for the filter. */
export interface ProblemTagsTable {
  tag: string;
  problem_id: bigint;
}

/** What the member said and what a judge said, side by side: the member's own word shows. */
export interface StatusesTable {
  user_id: bigint;
  problem_id: bigint;
  self_status: State | null;
  self_at: string | null;
  judge_status: State | null;
  judge_at: string | null;
}
export type State = 'not_started' | 'reading' | 'practicing' | 'complete' | 'skipped' | 'ignored';

export interface BookmarksTable {
  user_id: bigint;
  problem_id: bigint;
  note: string | null;
  created_at: string;
  updated_at: string;
}

export interface PlantsTable {
  id: bigint;
  user_id: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  planted_at: string;
}

/** Ids of deleted plants, so that none is given out again. */
export interface DeletedPlantsTable {
  id: bigint;
}

export interface TokensTable {
  id: bigint;
  user_id: bigint;
  name: string;
  /** SHA-256 of the token, in hexadecimal. */
  digest: string;
  /** Space-separated. */
  scopes: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** The highest id that each table was given by us; ids that came with imported rows lie wherever they lie. */
export interface IdCountersTable {
  table_name: string;
  last_id: bigint;
}

/** How often the rows of a scope changed: what entity tags are made of. */
export interface RevisionsTable {
  scope: string;
  revision: bigint;
}

export interface SettingsTable {
  name: string;
  value: string;
}

export interface SchemaMigrationsTable {
  version: bigint;
  name: string;
  applied_at: string;
}

export interface Tables {
  members: MembersTable;
  problems: ProblemsTable;
  problem_keys: ProblemKeysTable;
  problem_tags: ProblemTagsTable;
  statuses: StatusesTable;
  bookmarks: BookmarksTable;
  plants: PlantsTable;
  deleted_plants: DeletedPlantsTable;
  tokens: TokensTable;
  id_counters: IdCountersTable;
  revisions: RevisionsTable;
  settings: SettingsTable;
  schema_migrations: SchemaMigrationsTable;
}

/** A handle to the database: the store itself or one transaction of it. */
export type Db = Kysely<Tables>;
