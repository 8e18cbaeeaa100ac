/**
 * Reads from replicas that show nothing older than the primary would. The primary is asked for revisions, which is one
 * small query a turn; rows are read wherever these revisions are. While the primary does not answer, a replica that has
 * everything stands in for it, or reads are refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { Store, Tell } from './open.ts';
import type { Load, PostgresPool } from './postgres-pool.ts';
import { isAsNew, type Lookout, type ReadRevisions, type Replica } from './postgres-replica.ts';
import { watch } from './postgres-watch.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db } from './tables.ts';

export interface ReplicaState {
  /** Whether the primary answers; if not, reads go on from replicas as far as they have everything. */
  isPrimaryLost: boolean;
  listed: number;
  following: number;
  /** With something wrong: down, silent, of another database or history. */
  leftOut: number;
  reads: { primary: number; replica: number };
}

interface Replicas extends Pick<Store, 'readAt'> {
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]>;
  state(): ReplicaState;
  load(): Load;
  end(): Promise<void>;
}

interface Parts {
  /** The primary, and a lookout of its own for it. */
  pool: PostgresPool;
  reader: Db;
  lookout: Lookout;
  replicas: readonly Replica[];
  readRevisions: ReadRevisions;
  instance: string;
  tell: Tell;
}

const seenAtMost = 10_000;
/** How long a server may take to show what has been shown before. */
const patienceMs = 1_000;
const againMs = 20;

export function keepReplicas({ pool, reader, lookout, replicas, ...kept }: Parts): Replicas {
  const seen = memory();
  /** What gives up waiting for the primary. */
  const waiting = new Set<() => void>();
  const watched = watch({
    primary: lookout,
    replicas,
    instance: kept.instance,
    tell: kept.tell,
    onLoss: () => {
      pool.giveUp('idle');
      // Who stood in at an earlier loss may have gone another way since.
      standIns = [];
      for (const stop of waiting) stop();
    },
  });
  let standIns: readonly Replica[] = [];
  let turn = 0;
  const reads = { primary: 0, replica: 0 };

  /** What the primary answers; undefined where it is lost before it does. */
  async function ofPrimary<T>(ask: () => Promise<T>): Promise<{ value: T } | undefined> {
    for (let tries = 1; !watched.isLost(); tries++) {
      const { promise: lost, resolve } = Promise.withResolvers<undefined>();
      const stop = () => resolve(undefined);
      waiting.add(stop);
      try {
        return await Promise.race([ask().then((value) => ({ value })), lost]);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if ((await watched.hear()) && tries > 1) throw error;
      } finally {
        waiting.delete(stop);
      }
    }
    return undefined;
  }

  async function revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const told = await ofPrimary(() => kept.readRevisions(reader, scopes));
      if (!told) return standInRevisions(scopes);
      const isLate = performance.now() > until;
      // An answer overtaken by a later one, or a commit that a standby showed first: both pass. Else a standby was
      // promoted that had not received everything, and is believed.
      if (isLate || seen.covers(scopes, told.value)) {
        seen.note(scopes, told.value);
        return told.value;
      }
      await sleep(againMs);
    }
  }

  async function standInRevisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> {
    const until = performance.now() + patienceMs;
    for (;;) {
      standIns = await watched.elect();
      for (const replica of standIns) {
        const told = await replica.revisions(scopes).catch(() => undefined);
        if (!told || !seen.covers(scopes, told)) continue;
        seen.note(scopes, told);
        return told;
      }
      if (!watched.isLost()) return revisions(scopes);
      if (performance.now() > until) throw refusal();
      await sleep(againMs);
    }
  }

  /** What comes of the reads, if this replica has these revisions and shows nothing that could be taken back. */
  async function readFrom<T>(
    replica: Replica,
    scopes: readonly RevisionScope[],
    wanted: readonly bigint[],
    work: (db: Db) => Promise<T>,
  ): Promise<Outcome<T> | undefined> {
    try {
      if (!(await replica.has(scopes, wanted))) return undefined;
      const outcome = await outcomeOf(work(replica.db));
      // A standby may show a commit before the primary does, which waits for another standby, or never will.
      const after = await replica.revisions(scopes);
      if (!isAsNew(after, wanted)) return undefined;
      return isAsNew(wanted, after) || isAsNew(await revisions(scopes), after) ? outcome : undefined;
    } catch {
      return undefined;
    }
  }

  async function readAt<T>(
    scopes: readonly RevisionScope[],
    wanted: readonly bigint[],
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const candidates = watched.isLost() ? standIns : watched.following();
    turn++;
    for (let place = 0; place < candidates.length; place++) {
      const replica = candidates[(turn + place) % candidates.length] as Replica;
      const read = await readFrom(replica, scopes, wanted, work);
      if (!read) continue;
      reads.replica++;
      return read();
    }
    const read = await ofPrimary(() => work(reader));
    if (read) {
      reads.primary++;
      return read.value;
    }
    // Lost meanwhile: if anybody stands in for it, then with these revisions.
    if (!isAsNew(await revisions(scopes), wanted)) throw refusal();
    for (const replica of standIns) {
      const last = await readFrom(replica, scopes, wanted, work);
      if (!last) continue;
      reads.replica++;
      return last();
    }
    throw refusal();
  }

  return {
    revisions,
    readAt,
    state: () => ({ isPrimaryLost: watched.isLost(), ...watched.state(), reads }),
    load: () => {
      const sum = { busy: 0, idle: 0, waiting: 0 };
      for (const { busy, idle, waiting: queued } of [pool, ...replicas].map((one) => one.load())) {
        sum.busy += busy;
        sum.idle += idle;
        sum.waiting += queued;
      }
      return sum;
    },
    end: async () => {
      watched.end();
      await Promise.all([lookout, ...replicas].map((one) => one.end()));
    },
  };
}

/** The highest revision of each scope that this process has told anybody. */
function memory() {
  const highest = new LRUCache<RevisionScope, bigint>({ max: seenAtMost });
  return {
    covers: (scopes: readonly RevisionScope[], told: readonly bigint[]) =>
      isAsNew(
        told,
        scopes.map((scope) => highest.get(scope) ?? 0n),
      ),
    note: (scopes: readonly RevisionScope[], told: readonly bigint[]) => {
      for (const [place, scope] of scopes.entries()) highest.set(scope, told[place] ?? 0n);
    },
  };
}

/** Gives the value, or throws what the reads were refused for. */
type Outcome<T> = () => T;

/** Throws where the server failed; what the rows themselves are refused for is an outcome as well. */
async function outcomeOf<T>(reading: Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await reading;
    return () => value;
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 503) throw error;
    return () => {
      throw error;
    };
  }
}

/** Whether the primary is not there, or no longer the primary. */
function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && ['databaseUnavailable', 'databaseReadOnly'].includes(error.code);
}

function refusal(): AppError {
  return new AppError(
    'databaseUnavailable',
    'The primary cannot be asked, and no replica is known to have everything that was shown; try again in a moment.',
  );
}
