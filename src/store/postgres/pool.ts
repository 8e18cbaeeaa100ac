/**
 * The connection pool to the PostgreSQL host that takes writes. A failed connection discards the whole pool and the next
 * request searches the hosts again, so the garden recovers from a restart or a failover without help, in bounded time.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { Address, Host } from './address.ts';
import { asAppError, isLoss, isReadOnly, isTimeout } from './errors.ts';

export interface PoolOptions {
  /** The most connections at once. */
  size: number;
  /** How long to wait for a connection, in milliseconds. */
  connectTimeoutMs: number;
  /** How long one statement may take, in milliseconds. */
  statementTimeoutMs: number;
  /** How long a statement may wait for another's row, in milliseconds. */
  lockTimeoutMs: number;
}

/** A connection that the pool has lent out. */
export interface Lent {
  client: pg.PoolClient;
  /** Returns the connection. If `error` shows that the connection is broken, the pool closes it. */
  release(error?: unknown): void;
}

export interface PostgresPool {
  /** Borrows a connection to the host; of several hosts, to one that takes writes. Throws AppError. */
  connect(): Promise<Lent>;
  /** How many connections are busy and idle now, and how many requests wait for one. */
  load(): Load;
  end(): Promise<void>;
}

export interface Load {
  busy: number;
  idle: number;
  waiting: number;
}

const idleMs = 30_000;
/** Only a process that was stopped (SIGSTOP) leaves a transaction idle this long; the server then ends it. */
const idleInTransactionMs = 60_000;
const keepAliveMs = 10_000;
const int8 = 20;
/** The client waits this much longer than the server's own limit, so it only gives up on a server that does not answer. */
const graceMs = 1_000;

interface HostPool {
  pool: pg.Pool;
  sockets: Set<Socket>;
  /** Set when the pool is discarded; resolves when every connection has been returned and closed. */
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
      // int8 becomes a bigint, as better-sqlite3 returns it.
      types: {
        getTypeParser: ((oid: number, format: 'text') =>
          oid === int8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
      // The pool keeps its sockets, to close those of a server that no longer answers.
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
    // Without a listener, Node ends the process when a connection emits 'error'.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return { pool, sockets };
  }

  /** Finds a host that takes writes. All hosts are tried at once, so a host that is down costs no time. */
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

  /** Discards a pool: closes idle connections now and busy ones when they are returned. */
  function drop(dropped: HostPool): void {
    if (current === dropped) current = undefined;
    if (dropped.ended) return;
    const closed = dropped.pool.end().then(() => Promise.all([...dropped.sockets].map(closing)));
    dropped.ended = closed;
    ending.add(dropped);
    // Connections still open after the longest statement belong to a server that no longer answers.
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
        // After a failover the other connections lead to the former primary, so the whole pool goes.
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
          // The pool may have been discarded, or its host lost, since the last request: then search the hosts once more.
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

/** Throws the server's own error (25006, read_only_sql_transaction) when the host takes no writes. */
async function assertWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') {
    throw Object.assign(new Error('the host takes no writes'), { code: '25006' });
  }
}
