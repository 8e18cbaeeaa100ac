/** What programs wrote: changes with their parts, answers by Idempotency-Key, and the writes of a minute. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import type { ChangesTable } from './changes.ts';
import { greatestId, reserveIds } from './ids.ts';
import { prepared } from './prepared.ts';
import type { ProgramPartsTable } from './program-parts.ts';
import { findRow, listRows, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    program_changes: ProgramChangesTable;
    program_keys: ProgramKeysTable;
    program_writes: { user_id: bigint; minute: bigint; writes: bigint };
  }
}

/** Its ids and those of `changes` have one counter, so that an id names a change of one of the two. */
export interface ProgramChangesTable {
  id: bigint;
  user_id: bigint;
  token_id: bigint;
  /** The operation that made it. */
  kind: string;
  made_at: string;
  undone_at: string | null;
}

export interface ProgramKeysTable {
  token_id: bigint;
  key: string;
  digest: string;
  answer: string;
  bytes: bigint;
  made_at: string;
}

/* Writes of a minute. */

const countInMinute = prepared((tx, { user_id, minute }: { user_id: bigint; minute: bigint }) =>
  tx
    .insertInto('program_writes')
    .values({ user_id, minute, writes: sql.lit(1n) })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        minute: sql`excluded.minute`,
        writes: sql`CASE WHEN program_writes.minute = excluded.minute THEN program_writes.writes + 1 ELSE 1 END`,
      }),
    )
    .returning('writes'),
);

export async function countProgramWrite(tx: Db, user_id: bigint, minute: bigint): Promise<bigint> {
  const [row] = await countInMinute(tx, { user_id, minute });
  return row?.writes ?? 1n;
}

export const findProgramWrites = (db: Db, user_id: bigint) => findRow(db, 'program_writes', { user_id });

/* Changes. */

export async function insertProgramChange(
  tx: Db,
  change: Omit<ProgramChangesTable, 'id' | 'undone_at'>,
  parts: readonly Omit<ProgramPartsTable, 'change_id' | 'position'>[],
): Promise<bigint> {
  const [id = 0n] = await reserveIds(tx, 'changes', 1);
  await insertMany(tx, 'program_changes', [{ ...change, id, undone_at: null }]);
  const rows = parts.map((part, position) => ({ ...part, change_id: id, position: BigInt(position) }));
  await insertMany(tx, 'program_parts', rows);
  return id;
}

export const findProgramChange = (db: Db, user_id: bigint, id: bigint) =>
  findRow(db, 'program_changes', { id, user_id });

export const listProgramParts = (db: Db, change_id: bigint) =>
  listRows(db, 'program_parts', { change_id }, 'position');

export const isProgramPart = async (
  db: Db,
  kind: ProgramPartsTable['kind'],
  part_id: bigint,
): Promise<boolean> => (await findRow(db, 'program_parts', { kind, part_id })) !== undefined;

export const setProgramChangeUndone = (tx: Db, id: bigint, undone_at: string) =>
  updateRows(tx, 'program_changes', { id }, { undone_at });

/** Erases old contents of lists: of all lists those from before `since`, of this one all but the newest. */
export async function trimListVersions(
  tx: Db,
  listId: bigint,
  { since, most }: { since: string; most: number },
): Promise<void> {
  const isOld = sql<boolean>`EXISTS (SELECT 1 FROM program_changes WHERE id = change_id AND made_at < ${since})`;
  const isBeyond = sql<boolean>`part_id = ${listId} AND change_id NOT IN (
    SELECT change_id FROM program_parts WHERE kind = 'content' AND part_id = ${listId} ORDER BY change_id DESC LIMIT ${most})`;
  await tx
    .updateTable('program_parts')
    .set({ before: null })
    .where(sql<boolean>`kind = 'content' AND before IS NOT NULL AND (${isOld} OR ${isBeyond})`)
    .execute();
}

export type NamedProgramChange = ProgramChangesTable & { token: string };

export function listProgramChanges(
  db: Db,
  userId: bigint,
  limit: number,
  { before = greatestId, tokenId }: { before?: bigint | undefined; tokenId?: bigint | undefined },
): Promise<NamedProgramChange[]> {
  const changes = db
    .selectFrom('program_changes')
    .innerJoin('tokens', 'tokens.id', 'program_changes.token_id')
    .selectAll('program_changes')
    .select('tokens.name as token')
    .where('program_changes.user_id', '=', userId)
    .where('program_changes.id', '<', before)
    .orderBy('program_changes.id', 'desc')
    .limit(limit);
  return (tokenId === undefined ? changes : changes.where('token_id', '=', tokenId)).execute();
}

/** A part with its problem; for marks there is one for each change of the batch. */
export interface ShownPart extends Pick<ProgramPartsTable, 'change_id' | 'kind'> {
  /** Of parts that made or replaced a list. */
  list_id: bigint | null;
  list: string | null;
  problem_id: bigint | null;
  title: string | null;
  source: string | null;
  source_key: string | null;
  mark_kind: ChangesTable['kind'] | null;
  mark_before: string | null;
  mark_after: string | null;
}

export async function listShownParts(db: Db, changeIds: readonly bigint[]): Promise<ShownPart[]> {
  if (changeIds.length === 0) return [];
  const problemId = sql<bigint | null>`coalesce(changes.problem_id, timers.problem_id, reviews.problem_id,
    CASE parts.kind WHEN 'problem' THEN parts.part_id
      WHEN 'solution' THEN cast(parts.before AS bigint) WHEN 'item' THEN cast(parts.before AS bigint) END)`;
  return db
    .selectFrom('program_parts as parts')
    .leftJoin('changes', (join) =>
      join
        .onRef('changes.batch_id', '=', 'parts.part_id')
        .on('parts.kind', '=', 'marks')
        .on(sql<boolean>`changes.user_id = (SELECT user_id FROM program_changes WHERE id = parts.change_id)`),
    )
    .leftJoin('timers', (join) =>
      join.onRef('timers.id', '=', 'parts.part_id').on('parts.kind', '=', 'timer'),
    )
    .leftJoin('reviews', (join) =>
      join.onRef('reviews.id', '=', 'parts.part_id').on('parts.kind', '=', 'review'),
    )
    .leftJoin('problems', (join) => join.on(sql<boolean>`problems.id = ${problemId}`))
    .leftJoin('lists', (join) =>
      join.onRef('lists.id', '=', 'parts.part_id').on('parts.kind', 'in', ['list', 'content']),
    )
    .select(['lists.id as list_id', 'lists.name as list'])
    .select(['parts.change_id', 'parts.kind', 'problems.id as problem_id', 'title', 'source', 'source_key'])
    .select(['changes.kind as mark_kind', 'changes.before as mark_before', 'changes.after as mark_after'])
    .where('parts.change_id', 'in', changeIds)
    .orderBy('parts.change_id')
    .orderBy('parts.position')
    .execute();
}

/* Answers by their keys. */

export const findProgramKey = (db: Db, token_id: bigint, key: string) =>
  findRow(db, 'program_keys', { token_id, key });

const dropKeys = prepared(
  (tx, limits: { token_id: bigint; of: bigint; since: string; most: number; mostBytes: number }) =>
    tx
      .deleteFrom('program_keys')
      .where('token_id', '=', limits.token_id)
      .where(
        'key',
        'in',
        sql<string>`(
          SELECT key FROM (
            SELECT key, made_at,
              row_number() OVER (ORDER BY made_at DESC, key DESC) AS n,
              sum(bytes) OVER (ORDER BY made_at DESC, key DESC) AS total
            FROM program_keys WHERE token_id = ${limits.of}
          ) AS newest
          WHERE made_at < ${limits.since} OR n > ${limits.most} OR total > ${limits.mostBytes})`,
      ),
);

/** Beyond the limits the oldest answers of the token go. */
export async function insertProgramKey(
  tx: Db,
  row: ProgramKeysTable,
  limits: { since: string; most: number; mostBytes: number },
): Promise<void> {
  await tx
    .deleteFrom('program_keys')
    .where('token_id', '=', row.token_id)
    .where('key', '=', row.key)
    .execute();
  await insertMany(tx, 'program_keys', [row]);
  await dropKeys(tx, { token_id: row.token_id, of: row.token_id, ...limits });
}
