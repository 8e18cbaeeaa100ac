/** One server beside the primary: how far it is, which revisions it is known to have, and the connections to it. */
import { Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { Engine } from './engine.ts';
import type { Address } from './postgres-address.ts';
import { postgresDialect } from './postgres-driver.ts';
import { type Load, openPool, type PoolOptions } from './postgres-pool.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db, Tables } from './tables.ts';

/** What a server says of itself. Positions are of its log, in bytes. */
export interface Position {
  isStandby: boolean;
  /** Another one after every start of every server. */
  server: string;
  /** The name that a database shares with its copies only. */
  instance: string | null;
  /** Up to where it has the log on its disk; on a primary that may be sent to standbys. */
  received: bigint;
  /** Up to where the log shows in what is read. */
  replayed: bigint;
}

/** Asks a server how far it is, on a connection kept for that, so that it is told even where all others are in use. */
export interface Lookout {
  /** Throws where the server does not answer within a second. */
  look(): Promise<Position>;
  end(): Promise<void>;
}

export interface Replica extends Lookout {
  /** The address without a password. */
  name: string;
  db: Db;
  /** Whether it has these revisions, or later ones. */
  has(scopes: readonly RevisionScope[], wanted: readonly bigint[]): Promise<boolean>;
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]>;
  /** Cuts its connections off, with what is being read on them. */
  giveUp(): void;
  load(): Load;
}

export type ReadRevisions = (db: Db, scopes: readonly RevisionScope[]) => Promise<readonly bigint[]>;

const lookWithinMs = 1_000;
const connectTimeoutMs = 1_500;
/** So long one that lags is not asked again whether it still does. */
const lagLastsMs = 10;
const marksAtMost = 10_000;

/** Watches the server at this address: the one that takes writes, where that is asked for. */
export function lookoutOver(address: Address, engine: Engine): Lookout {
  const pool = openPool(address, {
    size: 1,
    connectTimeoutMs,
    statementTimeoutMs: lookWithinMs,
    lockTimeoutMs: lookWithinMs,
  });
  const db: Db = new Kysely<Tables>({ dialect: postgresDialect(pool, address.name, engine) });
  return {
    look: async () => {
      try {
        return await inTime(positionOf(db));
      } catch (error) {
        pool.giveUp('all');
        throw error;
      }
    },
    end: () => pool.end(),
  };
}

/** A server whose rows are read. Its URL names one server, not something that shares connections out to several. */
export function replicaOver(
  address: Address,
  engine: Engine,
  options: PoolOptions,
  readRevisions: ReadRevisions,
): Replica {
  const lookout = lookoutOver(address, engine);
  // What it was seen to have it has for good, as long as it runs: it only goes forward.
  const marks = new LRUCache<RevisionScope, bigint>({ max: marksAtMost });
  let server: string | undefined;
  let behindUntil = 0;
  const pool = openPool(address, {
    ...options,
    connectTimeoutMs,
    greet: async (client) => {
      const { rows } = await client.query<{ server: string }>(
        'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server',
      );
      if (rows[0]?.server !== server) {
        throw Object.assign(new Error('it is another server than before'), { code: '08004' });
      }
      // Before it there may have been none that would have noticed a crash, after which the server may be further back.
      marks.clear();
    },
  });
  const db: Db = new Kysely<Tables>({ dialect: postgresDialect(pool, address.name, engine) });
  const revisions: Replica['revisions'] = async (scopes) => {
    const told = await readRevisions(db, scopes);
    for (const [place, scope] of scopes.entries()) {
      const revision = told[place] ?? 0n;
      if (revision > (marks.get(scope) ?? 0n)) marks.set(scope, revision);
    }
    return told;
  };
  const giveUp = () => {
    marks.clear();
    pool.giveUp('all');
  };
  return {
    name: address.name,
    db,
    look: async () => {
      const position = await lookout.look();
      if (position.server !== server) giveUp();
      server = position.server;
      return position;
    },
    has: async (scopes, wanted) => {
      if (
        isAsNew(
          scopes.map((scope) => marks.get(scope) ?? 0n),
          wanted,
        )
      )
        return true;
      if (performance.now() < behindUntil) return false;
      const isThere = isAsNew(await revisions(scopes), wanted);
      if (!isThere) behindUntil = performance.now() + lagLastsMs;
      return isThere;
    },
    revisions,
    giveUp,
    load: () => pool.load(),
    end: async () => {
      await Promise.all([lookout.end(), pool.end()]);
    },
  };
}

/** Whether none of these revisions is before the one it is compared with. */
export function isAsNew(revisions: readonly bigint[], wanted: readonly bigint[]): boolean {
  return wanted.every((revision, place) => (revisions[place] ?? 0n) >= revision);
}

async function positionOf(db: Db): Promise<Position> {
  // As a difference, because the order of positions as text is another one.
  const { rows } = await sql<Position>`
    SELECT pg_is_in_recovery() AS "isStandby",
           extract(epoch FROM pg_postmaster_start_time())::text AS server,
           (SELECT value FROM settings WHERE name = 'instance') AS instance,
           CASE WHEN pg_is_in_recovery()
             THEN coalesce(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn, 0)
             ELSE pg_current_wal_flush_lsn() - '0/0'::pg_lsn END::bigint AS received,
           CASE WHEN pg_is_in_recovery()
             THEN coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)
             ELSE pg_current_wal_flush_lsn() - '0/0'::pg_lsn END::bigint AS replayed`.execute(db);
  const [position] = rows;
  if (!position) throw new Error('no position');
  return position;
}

/** What is answered in time; what arrived while this process was busy itself is in time. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new AppError('databaseUnavailable', 'It does not answer in time.'));
  const timer = setTimeout(() => setImmediate(refuse), lookWithinMs);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
