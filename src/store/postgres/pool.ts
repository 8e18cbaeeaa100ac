/** The connections to PostgreSQL. After a failover, those to the former primary are dropped. */

import { once } from 'node:events';
import { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { PostgresPoolClient } from 'kysely';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { type ConnectionOptions, parse } from 'pg-connection-string';
import { minuteMs } from '../../durations.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { quotedAddress } from '../errors.ts';
import type { OpenOptions } from '../store.ts';
import { asAppError, isConnectionLoss, isReadOnly, isTimeout } from './errors.ts';

/* The address. Whatever pg-connection-string would read in another way than libpq is refused. */

export type Address = ReturnType<typeof readAddress>;

const defaultPort = 5432;
const supported = [
  ...['host', 'port', 'user', 'password', 'dbname', 'application_name'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
];
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** No message shows the password. */
export function readAddress(databaseUrl: string) {
  // An unencoded character of a password would end it, and the rest be shown as the database's name.
  const [, hosts, query] =
    /^postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?([^/?#@\s]*)(?:\/[^/?#@\s]*)?(?:\?([^#\s]*))?$/.exec(databaseUrl) ??
    [];
  if (hosts === undefined) throw badAddress(notAnAddress(databaseUrl));
  const parameters = new URLSearchParams(query);
  for (const parameter of parameters.keys()) {
    if (!supported.includes(parameter)) {
      throw badAddress(
        `DATABASE_URL has the parameter ${JSON.stringify(parameter)}; there are ${supported.join(', ')}`,
      );
    }
  }
  if (`${hosts}${parameters.get('host')}`.includes(',')) {
    throw badAddress(
      'DATABASE_URL has several hosts; give the address of the primary (docs/larger-than-one-machine.md)',
    );
  }
  const sslmode = parameters.get('sslmode') ?? 'disable';
  // libpq's `prefer` and `allow` fall back to plain text without a warning.
  if (!sslModes.includes(sslmode)) {
    throw badAddress(`DATABASE_URL has sslmode=${sslmode}; it must be one of ${sslModes.join(', ')}`);
  }
  const isSystemTrusted = parameters.get('sslrootcert') === 'system';
  if (isSystemTrusted && sslmode !== 'verify-full') {
    throw badAddress('DATABASE_URL has sslrootcert=system, which needs sslmode=verify-full');
  }
  const config = parseAddress(isSystemTrusted ? databaseUrl.replace('sslrootcert=system', '') : databaseUrl);
  const host = config.host || 'localhost';
  const port = Number(config.port || defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw badAddress('DATABASE_URL has a port that is none');
  const user = config.user || userInfo().username;
  const database = config.database || parameters.get('dbname') || user;
  const shownHost = host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
  const shownPort = port === defaultPort ? '' : `:${port}`;
  const settings: ClientConfig = {
    host,
    port,
    user,
    database,
    application_name: config.application_name ?? 'practice-garden',
    // Without a password, `pg` reads PGPASSWORD or ~/.pgpass, as libpq does.
    ...(config.password && { password: config.password }),
    ssl: sslmode !== 'disable' && { rejectUnauthorized: true, ...(config.ssl as SecureContextOptions) },
  };
  const name = `postgres://${encodeURIComponent(user)}@${shownHost}${shownPort}/${encodeURIComponent(database)}`;
  return { settings, /** For messages. */ name };
}

function parseAddress(databaseUrl: string): ConnectionOptions {
  try {
    decodeURIComponent(databaseUrl);
    // The query of a URL writes a space as plus; in libpq a plus is a plus.
    return parse(databaseUrl.replaceAll('+', '%2B'), { useLibpqCompat: true });
  } catch (cause) {
    const { path, code, message } = cause as NodeJS.ErrnoException;
    if (path !== undefined) throw badAddress(`${path}, named in DATABASE_URL, cannot be read (${code})`);
    if (message.includes('verify-ca'))
      throw badAddress('DATABASE_URL has sslmode=verify-ca, which needs sslrootcert');
    throw badAddress(notAnAddress(databaseUrl));
  }
}

const notAnAddress = (databaseUrl: string) =>
  `DATABASE_URL is ${quotedAddress(databaseUrl)}, which is no address of a PostgreSQL database (percent-encode "/", "?" and "#" in a password)`;

function badAddress(what: string): AppError {
  return invalidValue(`${what}; write it as postgres://user:password@host:5432/garden.`);
}

const defaultSize = 10;
const longStatementMs = 10 * minuteMs;
const connectTimeoutMs = 2_500;
const idleMs = 30_000;
/** Only a stopped process (SIGSTOP) leaves a transaction idle this long; the server then ends it. */
const idleInTransactionMs = minuteMs;
const keepAliveMs = 10_000;
const int8Oid = 20;
const graceMs = 1_000;
const beginSql = 'begin isolation level read committed read write';

function settingsOf(
  address: Address,
  { lockTimeoutMs, statementTimeoutMs = longStatementMs, poolSize = defaultSize }: OpenOptions,
  sockets: Set<Socket>,
): pg.PoolConfig {
  return {
    ...address.settings,
    client_encoding: 'UTF8',
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
        oid === int8Oid ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // A connection that was silent this long leads to a server that no longer answers.
      socket.setTimeout(Math.max(idleMs, statementTimeoutMs) + 2 * graceMs, () => socket.destroy());
      return socket;
    },
  };
}

export function openPool(address: Address, options: OpenOptions) {
  const { name } = address;
  const sockets = new Set<Socket>();
  const pool = new pg.Pool(settingsOf(address, options, sockets));
  /** The connections that were made after the last loss: after a failover, older ones lead to the former primary. */
  let usable = new WeakSet<pg.ClientBase>();
  // Without a listener, Node ends the process when a connection emits 'error'.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    usable.add(client);
  });

  function dropAfterLoss(error: unknown): void {
    if (isConnectionLoss(error) || isReadOnly(error)) usable = new WeakSet();
  }

  async function borrow(): Promise<pg.PoolClient> {
    try {
      let client = await pool.connect();
      while (!usable.has(client)) {
        client.release(true);
        client = await pool.connect();
      }
      return client;
    } catch (error) {
      if (/^timeout exceeded/.test((error as Error).message)) {
        const sentence = 'All connections to the database are in use; try again in a moment.';
        throw new AppError('databaseBusy', sentence, { cause: error });
      }
      dropAfterLoss(error);
      throw asAppError(error, name);
    }
  }

  return {
    connect: () => connect(borrow, dropAfterLoss, name),
    options: {},
    load: () => {
      const { totalCount, idleCount: idle, waitingCount } = pool;
      return { busy: totalCount - idle, idle, waiting: waitingCount };
    },
    end: async () => {
      const closed = pool.end().then(() => Promise.all([...sockets].map((socket) => once(socket, 'close'))));
      await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Outside a transaction, a query whose connection is lost is repeated once. */
async function connect(
  borrow: () => Promise<pg.PoolClient>,
  dropAfterLoss: (error: unknown) => void,
  name: string,
): Promise<PostgresPoolClient> {
  let client: pg.PoolClient | undefined = await borrow();
  let isInTransaction = false;
  let isBroken = false;

  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    for (let tries = 1; ; tries++) {
      try {
        client ??= await borrow();
        isBroken = false;
        const result = await client.query(text === 'begin' ? beginSql : text, parameters as unknown[]);
        isInTransaction ||= /^(?:begin|start transaction)/.test(text);
        return result;
      } catch (error) {
        dropAfterLoss(error);
        const isLost = isConnectionLoss(error);
        // Closing the connection ends the transaction too, and hides no error.
        isBroken = isLost || text === 'rollback';
        if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [], oid: 0, fields: [] };
        if (text === 'commit' && isLost) throw uncertainCommit(error);
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

function uncertainCommit(cause: unknown): AppError {
  const sentence =
    'The database was lost while it confirmed the change; check whether the change was saved before you try again.';
  return new AppError('databaseUncertain', sentence, { cause });
}
