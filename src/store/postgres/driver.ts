/**
 * The kysely driver for PostgreSQL: it borrows connections from our pool, translates errors and repeats reads that lost
 * their connection.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { AppError } from '../../errors.ts';
import { type Engine, registerEngine } from '../engine.ts';
import { asAppError, isLoss, isTimeout } from './errors.ts';
import type { Lent, PostgresPool } from './pool.ts';

/** A kysely dialect over the pool; `name` is the address that messages may show. */
export function postgresDialect(pool: PostgresPool, name: string, engine: Engine): Dialect {
  return {
    createAdapter: () => registerEngine(new PostgresAdapter(), engine),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => driverOver(pool, name),
  };
}

function driverOver(pool: PostgresPool, name: string): Driver {
  const connections = new WeakMap<DatabaseConnection, PooledConnection>();
  const of = (connection: DatabaseConnection) => {
    const known = connections.get(connection);
    if (!known) throw new Error('a connection of another driver');
    return known;
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      const own = connectionOver(pool, await pool.connect());
      const connection: DatabaseConnection = {
        executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) => {
          try {
            return (await own.query(text, parameters)) as QueryResult<R>;
          } catch (error) {
            throw asAppError(error, name);
          }
        },
        // biome-ignore lint/correctness/useYield: pages are read by key, never by an open cursor.
        streamQuery: async function* () {
          throw new Error('streaming a query would hold the connection: read in pages');
        },
      };
      connections.set(connection, own);
      return connection;
    },
    releaseConnection: async (connection) => of(connection).release(),
    beginTransaction: async (
      connection,
      { isolationLevel = 'read committed', accessMode = 'read write' },
    ) => {
      await connection.executeQuery(statement(`begin isolation level ${isolationLevel} ${accessMode}`));
      of(connection).isInTransaction = true;
    },
    commitTransaction: async (connection) => {
      let command: string | undefined;
      try {
        ({ command } = await of(connection).query('commit', []));
      } catch (error) {
        if (!isLoss(error)) throw asAppError(error, name);
        throw new AppError(
          'databaseUncertain',
          'The database was lost while it confirmed the change; look whether it was made before you try again.',
          { cause: error },
        );
      }
      // The server answers COMMIT with ROLLBACK when a statement had failed and its error was ignored.
      if (command === 'ROLLBACK') throw new Error('the transaction had failed and was rolled back');
    },
    rollbackTransaction: async (connection) => {
      // A failed rollback must not hide the error that caused it, so the driver only marks the connection for closing.
      await of(connection)
        .query('rollback', [])
        .catch(() => of(connection).spoil());
    },
    destroy: async () => {},
  };
}

function statement(text: string): CompiledQuery {
  return { sql: text, parameters: [] } as unknown as CompiledQuery;
}

interface PooledConnection {
  isInTransaction: boolean;
  query(text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown> & { command?: string }>;
  /** Marks the connection, so that releasing it closes it. */
  spoil(): void;
  release(): void;
}

/** One connection of the pool. Outside a transaction it repeats a query once on another connection when its own is lost. */
function connectionOver(pool: PostgresPool, first: Lent): PooledConnection {
  let lent: Lent | undefined = first;
  let failure: unknown;
  const own: PooledConnection = {
    isInTransaction: false,
    query: async (text, parameters) => {
      for (let tries = 1; ; tries++) {
        lent ??= await pool.connect();
        try {
          const { rows, rowCount, command } = await lent.client.query(text, parameters as unknown[]);
          return { rows: rows ?? [], numAffectedRows: BigInt(rowCount ?? 0), command };
        } catch (error) {
          failure = error;
          if (own.isInTransaction || tries > 1 || !isLoss(error) || isTimeout(error)) throw error;
        }
        lent.release(failure);
        lent = undefined;
        failure = undefined;
      }
    },
    spoil: () => {
      failure = Object.assign(new Error('not rolled back'), { code: '08000' });
    },
    release: () => lent?.release(failure),
  };
  return own;
}
