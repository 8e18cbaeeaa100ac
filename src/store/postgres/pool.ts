/**
 * Connections to PostgreSQL: to the host that takes writes. A connection that fails drops the whole pool, and the next request
 * looks for the right host again; so a restart or a change of primary heals by itself, within bounded time.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { Address, Host } from './address.ts';
import { asAppError, isLoss, isReadOnly, isTimeout } from './errors.ts';

export interface PoolOptions {
  /** Connections at most. */
  size: number;
  /** How long to wait for a connection, in milliseconds. */
  connectTimeoutMs: number;
  /** How long one statement may take, in milliseconds. */
  statementTimeoutMs: number;
  /** How long a statement may wait for another's row, in milliseconds. */
  lockTimeoutMs: number;
}

/** One connection, lent by its pool. */
export interface Lent {
  client: pg.PoolClient;
  /** Gives it back; with an error that it failed with, it is closed if that says anything against it. */
  release(error?: unknown): void;
}

export interface PostgresPool {
  /** A connection to the host, of several to one that takes writes. Throws AppError. */
  connect(): Promise<Lent>;
  /** Connections now, and who waits for one. */
  load(): Load;
  end(): Promise<void>;
}

export interface Load {
  busy: number;
  idle: number;
  waiting: number;
}

const idleMs = 30_000;
/** A transaction of ours never pauses for long, unless its process was stopped. */
const idleInTransactionMs = 60_000;
const keepAliveMs = 10_000;
const int8 = 20;
/** The server stops a statement first, and says so; the client gives up where the server does not answer at all. */
const graceMs = 1_000;

interface HostPool {
  pool: pg.Pool;
  sockets: Set<Socket>;
  /** Set once it is given up: resolves when every connection was given back and closed. */
  ended?: Promise<unknown>;
}

export function openPool(address: Address, options: PoolOptions): PostgresPool {
  const { hosts, name, needsPrimary } = address;
  let current: HostPool | undefined;
  let finding: Promise<HostPool> | undefined;
  const ending = new Set<HostPool>();
  let isClosed = false;

  function poolOf({ host, port }: Host): HostPool {
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      host,
      port,
      user: address.user,
      ...(address.password !== undefined && { password: address.password }),
      database: address.database,
      application_name: address.applicationName,
      client_encoding: 'UTF8',
      ssl: address.tls,
      max: options.size,
      idleTimeoutMillis: idleMs,
      connectionTimeoutMillis: options.connectTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.lockTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: options.statementTimeoutMs + graceMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      // Integers come as SQLite gives them.
      types: {
        getTypeParser: ((oid: number, format: 'text') =>
          oid === int8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
      // Sockets of a server that stopped answering have to be closed from here.
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return socket;
      },
      onConnect: async (client) => {
        if (needsPrimary) await assertWritable(client);
      },
    });
    // Without listeners the first connection that drops would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return { pool, sockets };
  }

  /** The first host to answer that takes writes. All are asked at once, so that one that is down costs no time. */
  async function find(): Promise<HostPool> {
    const candidates = hosts.map(poolOf);
    const tried = candidates.map(async (candidate) => {
      const client = await candidate.pool.connect();
      client.release();
      return candidate;
    });
    try {
      const found = await Promise.any(tried);
      current = found;
      return found;
    } catch (error) {
      const { errors } = error as AggregateError;
      throw errors.find((one) => !isLoss(one)) ?? errors[0];
    } finally {
      for (const candidate of candidates) if (candidate !== current) drop(candidate);
    }
  }

  /** Gives a pool up: idle connections are closed, those under way when they are given back. */
  function drop(dropped: HostPool): void {
    if (current === dropped) current = undefined;
    if (dropped.ended) return;
    const closed = dropped.pool.end().then(() => Promise.all([...dropped.sockets].map(closing)));
    dropped.ended = closed;
    ending.add(dropped);
    // What is left after the longest statement belongs to a server that does not answer, or does not say goodbye.
    const timer = setTimeout(() => cut(dropped), options.statementTimeoutMs + 2 * graceMs).unref();
    closed.finally(() => {
      clearTimeout(timer);
      ending.delete(dropped);
    });
  }

  async function usable(): Promise<HostPool> {
    if (isClosed) throw new Error('the store is closed');
    if (current) return current;
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  }

  function lend(from: HostPool, client: pg.PoolClient): Lent {
    return {
      client,
      release: (error) => {
        const isBroken = isLoss(error);
        // With one connection gone the others are not trusted either: the server may be another one now.
        if (isBroken || isReadOnly(error)) drop(from);
        client.release(isBroken);
      },
    };
  }

  return {
    connect: async () => {
      for (let attempt = 1; ; attempt++) {
        let chosen: HostPool | undefined;
        try {
          chosen = await usable();
          return lend(chosen, await chosen.pool.connect());
        } catch (error) {
          if (/^timeout exceeded/.test((error as Error).message)) {
            const sentence = 'All connections to the database are in use; try again in a moment.';
            throw new AppError('databaseBusy', sentence, { cause: error });
          }
          // Between two requests the pool may have been given up, or its host lost: then look once more.
          const isStale = chosen?.ended !== undefined || (chosen && !isTimeout(error) && isLoss(error));
          if (chosen) drop(chosen);
          if (!isStale || attempt > 1) throw asAppError(error, name);
        }
      }
    },
    load: () => {
      const { totalCount = 0, idleCount: idle = 0, waitingCount: waiting = 0 } = current?.pool ?? {};
      return { busy: totalCount - idle, idle, waiting };
    },
    end: async () => {
      isClosed = true;
      await finding?.catch(() => {});
      if (current) drop(current);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([Promise.all([...ending].map(({ ended }) => ended)), late]);
      clearTimeout(timer);
      for (const left of ending) cut(left);
    },
  };
}

function cut({ sockets }: HostPool): void {
  for (const socket of sockets) socket.destroy();
}

function closing(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  return promise;
}

/** Throws like the server itself where it takes no writes. */
async function assertWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') {
    throw Object.assign(new Error('the host takes no writes'), { code: '25006' });
  }
}
