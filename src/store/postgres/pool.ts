/** The connections to the PostgreSQL host that takes writes: `pg.Pool`, with a search for that host after a failover. */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { OpenOptions } from '../store.ts';
import type { Address, Host } from './address.ts';
import { asAppError, isLoss, isReadOnly, isTimeout } from './errors.ts';

const defaultSize = 10;
const longStatementMs = 600_000;
const connectTimeoutMs = 2_500;
const idleMs = 30_000;
/** Only a process that was stopped (SIGSTOP) leaves a transaction idle this long; the server then ends it. */
const idleInTransactionMs = 60_000;
const keepAliveMs = 10_000;
const int8 = 20;
/** The client waits this much longer than the server's own limit. */
const graceMs = 1_000;
/** Whatever the defaults of the server are. */
const begin = 'begin isolation level read committed read write';

export function openPool(address: Address, options: OpenOptions) {
  const { hosts, name, needsPrimary } = address;
  const { lockTimeoutMs, statementTimeoutMs = longStatementMs, poolSize = defaultSize } = options;
  const sockets = new Set<Socket>();
  const settings: pg.PoolConfig = {
    ...hosts[0],
    user: address.user,
    ...(address.password !== undefined && { password: address.password }),
    database: address.database,
    application_name: address.applicationName,
    client_encoding: 'UTF8',
    ssl: address.tls,
    max: poolSize,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    query_timeout: statementTimeoutMs + graceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // int8 becomes a bigint, as better-sqlite3 returns it.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === int8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // A connection that was silent this long leads to a server that no longer answers.
      socket.setTimeout(Math.max(idleMs, statementTimeoutMs) + 2 * graceMs, () => socket.destroy());
      return socket;
    },
    onConnect: async (client) => {
      if (needsPrimary) await assertWritable(client);
    },
  };
  const pool = new pg.Pool(settings);
  /** The connections made since the last loss. After a failover, older ones lead to the former primary. */
  let fresh = new WeakSet<pg.ClientBase>();
  let primary: Promise<Host> | undefined;
  // Without a listener, Node ends the process when a connection emits 'error'.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    fresh.add(client);
  });

  function noteFailure(error: unknown): void {
    if (!isLoss(error) && !isReadOnly(error)) return;
    primary = undefined;
    fresh = new WeakSet();
  }

  /** Finds the host that takes writes. All hosts are tried at once, so a host that is down costs no time. */
  async function findPrimary(): Promise<Host> {
    const tried = hosts.map(async (host) => {
      const client = new pg.Client({ ...settings, ...host });
      client.on('error', () => {});
      try {
        await client.connect();
        if (needsPrimary) await assertWritable(client);
        return host;
      } finally {
        client.end().catch(() => {});
      }
    });
    try {
      return await Promise.any(tried);
    } catch (error) {
      primary = undefined;
      const { errors } = error as AggregateError;
      throw errors.find((one) => !isLoss(one)) ?? errors[0];
    }
  }

  async function borrow(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      try {
        if (hosts.length > 1) {
          primary ??= findPrimary();
          // The pool reads the host from its options at each new connection.
          Object.assign(pool.options, await primary);
        }
        let client = await pool.connect();
        while (!fresh.has(client)) {
          client.release(true);
          client = await pool.connect();
        }
        return client;
      } catch (error) {
        if (/^timeout exceeded/.test((error as Error).message)) {
          const sentence = 'All connections to the database are in use; try again in a moment.';
          throw new AppError('databaseBusy', sentence, { cause: error });
        }
        noteFailure(error);
        // The host may have been lost since the last request.
        const isWorthAnother = (isLoss(error) || isReadOnly(error)) && !isTimeout(error) && tries === 1;
        if (!isWorthAnother) throw asAppError(error, name);
      }
    }
  }

  /** A connection for kysely. Outside a transaction, a query whose connection is lost is repeated once. */
  async function connect(): Promise<PostgresPoolClient> {
    let client: pg.PoolClient | undefined = await borrow();
    let isInTransaction = false;
    let isBroken = false;

    async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
      for (let tries = 1; ; tries++) {
        try {
          client ??= await borrow();
          isBroken = false;
          const result = await client.query(text === 'begin' ? begin : text, parameters as unknown[]);
          isInTransaction ||= /^(?:begin|start transaction)/.test(text);
          return result;
        } catch (error) {
          noteFailure(error);
          const isLost = isLoss(error);
          // Closing the connection ends the transaction too, and the error that called for it is not hidden.
          isBroken = isLost || text === 'rollback';
          if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [], oid: 0, fields: [] };
          if (text === 'commit' && isLost) throw uncertain(error);
          if (!isLost || isInTransaction || isTimeout(error) || tries > 1) throw asAppError(error, name);
        }
        client?.release(true);
        client = undefined;
      }
    }

    return {
      query: query as never,
      release: () => client?.release(isBroken),
    };
  }

  return {
    connect,
    options: {},
    load: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { busy: totalCount - idle, idle, waiting };
    },
    end: async () => {
      const closed = pool.end().then(() => Promise.all([...sockets].map((socket) => once(socket, 'close'))));
      await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function uncertain(cause: unknown): AppError {
  const sentence =
    'The database was lost while it confirmed the change; check whether the change was saved before you try again.';
  return new AppError('databaseUncertain', sentence, { cause });
}

/** Throws the server's own error (read_only_sql_transaction) when the host takes no writes. */
async function assertWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') {
    throw Object.assign(new Error('the host takes no writes'), { code: '25006' });
  }
}
