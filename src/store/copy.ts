/** Copies a whole database into another, of either engine, and compares every table by count and digest. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { insertMany } from './bulk.ts';
import { countRows } from './listings.ts';
import { changeBackupMark } from './settings.ts';
import type { ReadableStore, Store } from './store.ts';
import type { Db, Tables } from './tables.ts';

/** Gates and leases belong to the processes that run on the source. */
type CopiedTable = Exclude<keyof Tables, 'schema_migrations' | 'request_slots' | 'leases'>;

/** The primary key of each table; a table comes after those that it references. */
const primaryKeys: Readonly<Record<CopiedTable, readonly string[]>> = {
  members: ['id'],
  problems: ['id'],
  problem_keys: ['source', 'key'],
  problem_tags: ['tag', 'problem_id'],
  added_problems: ['problem_id'],
  removed_problems: ['id'],
  statuses: ['user_id', 'problem_id'],
  bookmarks: ['user_id', 'problem_id'],
  plants: ['id'],
  deleted_plants: ['id'],
  uprooted_plants: ['id'],
  shared_addresses: ['secret'],
  tokens: ['id'],
  sessions: ['id'],
  entry_links: ['id'],
  attempts: ['digest'],
  staff_log: ['id'],
  uploads: ['id'],
  imports: ['what'],
  changes: ['id'],
  member_settings: ['user_id', 'name'],
  handles: ['id'],
  solves: ['handle_id', 'submission_id'],
  solved_counts: ['problem_id'],
  time_models: ['problem_id'],
  first_solves: ['user_id', 'problem_id'],
  contests: ['id'],
  contest_problems: ['contest_id', 'key'],
  upcoming_contests: ['id'],
  upcoming_listings: ['contest_id', 'feed'],
  syncs: ['name'],
  live_feeds: ['source'],
  handle_proofs: ['handle_id'],
  proof_tasks: ['user_id', 'source'],
  openid_providers: ['key'],
  openid_accounts: ['provider', 'subject'],
  openid_visits: ['browser'],
  passkeys: ['id'],
  passkey_challenges: ['browser'],
  handle_renames: ['handle_id', 'before'],
  reviews: ['id'],
  review_cards: ['user_id', 'problem_id'],
  timers: ['id'],
  solutions: ['id'],
  ratings: ['handle_id', 'contest'],
  lists: ['id'],
  list_sections: ['list_id', 'position'],
  list_items: ['list_id', 'problem_id'],
  list_follows: ['list_id'],
  followed_items: ['list_id', 'problem_id'],
  inboxes: ['user_id'],
  arrivals: ['id'],
  arrived_problems: ['arrival_id', 'position'],
  program_changes: ['id'],
  program_parts: ['change_id', 'position'],
  program_keys: ['token_id', 'key'],
  program_writes: ['user_id'],
  groups: ['id'],
  expected_people: ['id'],
  group_members: ['group_id', 'user_id'],
  shared_notes: ['problem_id', 'user_id', 'group_id'],
  gym_keys: ['group_id', 'user_id'],
  group_links: ['id'],
  group_removals: ['group_id', 'user_id'],
  group_lists: ['group_id', 'list_id'],
  teams: ['id'],
  team_members: ['team_id', 'user_id', 'first_day'],
  team_authors: ['team_id', 'source', 'key', 'user_id'],
  seasons: ['id'],
  season_contests: ['season_id', 'kind', 'item_id'],
  season_points: ['id'],
  rounds: ['id'],
  round_problems: ['round_id', 'problem_id'],
  round_people: ['round_id', 'user_id'],
  round_invitations: ['round_id', 'user_id'],
  real_fields: ['round_id'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  id_counters: ['table_name'],
  revisions: ['scope'],
  settings: ['name'],
  // A feed that is there takes up what comes after it.
  program_feeds: ['user_id'],
  program_feed_items: ['user_id', 'kind', 'thing_id'],
};
const tables = Object.keys(primaryKeys) as CopiedTable[];
const rowsPerRead = 1000;

export interface CopiedRows {
  table: string;
  rows: number;
  digest: string;
}

export interface CopyProgress {
  onTotal(rows: number): void;
  onRows(rows: number): void;
}

/**
 * Copies ids and the instance name too, so clients notice nothing. If both databases stay in use, the target needs a backup
 * mark of its own, because the names of backups contain it. Throws alreadyExists.
 */
export async function copyStore(
  source: ReadableStore,
  target: Store,
  progress: CopyProgress,
  { getsOwnMark = false } = {},
): Promise<CopiedRows[]> {
  return source.snapshot((from) =>
    target.write(async (to) => {
      await assertEmpty(to, target.name);
      // The source has an instance name of its own.
      await to.deleteFrom('settings').execute();
      progress.onTotal(await countAll(from));
      const copied: CopiedRows[] = [];
      for (const table of tables) {
        const sourceRows = await digestOf(from, table, async (rows) => {
          await insertMany(to, table, rows as never);
          progress.onRows(rows.length);
        });
        const targetRows = await digestOf(to, table);
        if (targetRows.rows !== sourceRows.rows || targetRows.digest !== sourceRows.digest) {
          throw new Error(
            `${table}: ${sourceRows.rows} rows were copied and ${targetRows.rows} arrived, or not the same`,
          );
        }
        copied.push(sourceRows);
      }
      if (getsOwnMark) await changeBackupMark(to);
      return copied;
    }),
  );
}

async function assertEmpty(db: Db, name: string): Promise<void> {
  for (const table of tables) {
    // A new database has its instance name and the mark of its backups.
    const allowed = table === 'settings' ? 2n : 0n;
    if ((await countRows(db.selectFrom(table))) <= allowed) continue;
    throw new AppError('alreadyExists', `${name} is not empty (it has ${table}); use a new database.`);
  }
}

async function countAll(db: Db): Promise<number> {
  let count = 0n;
  for (const table of tables) count += await countRows(db.selectFrom(table));
  return Number(count);
}

type StoredRow = Record<string, bigint | string | null>;

async function digestOf(
  db: Db,
  table: CopiedTable,
  onRows?: (rows: readonly StoredRow[]) => Promise<void>,
): Promise<CopiedRows> {
  const hash = createHash('sha256');
  let count = 0;
  let last: StoredRow | undefined;
  for (;;) {
    const rows = await pageAfter(db, table, last);
    for (const row of rows) hash.update(canonicalText(row));
    count += rows.length;
    if (rows.length > 0) await onRows?.(rows);
    last = rows.at(-1);
    if (rows.length < rowsPerRead) break;
  }
  return { table, rows: count, digest: hash.digest('hex') };
}

async function pageAfter(db: Db, table: CopiedTable, last: StoredRow | undefined): Promise<StoredRow[]> {
  const columns = sql.join(primaryKeys[table].map((column) => sql.ref(column)));
  const values = last && sql.join(primaryKeys[table].map((column) => sql.val(last[column])));
  const { rows } = await sql<StoredRow>`
    SELECT * FROM ${sql.table(table)} ${values ? sql`WHERE (${columns}) > (${values})` : sql``}
    ORDER BY ${columns} LIMIT ${sql.lit(rowsPerRead)}`.execute(db);
  return rows;
}

/** Sorts the columns, whose order differs between the engines. */
function canonicalText(row: StoredRow): string {
  const columns = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(columns.map(([name, value]) => [name, typeof value, value === null ? null : String(value)]))}\n`;
}
