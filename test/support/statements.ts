/** How many statements a page, or a function, takes, and which indexes they use. */
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/store/tables.ts';
import { testStore } from './databases.ts';

/**
 * Counts the statements of this process, with those for revisions, but without the ends of transactions: on SQLite the reads of one
 * poll share one, whichever page began it.
 */
export function countStatements(t: { after(work: () => void): void }): () => number {
  let count = 0;
  const spy = (prototype: object, names: readonly string[]) => {
    for (const name of names) {
      const own = Object.getOwnPropertyDescriptor(prototype, name);
      assert(own);
      Object.defineProperty(prototype, name, {
        ...own,
        value(this: { source?: string }, ...parameters: unknown[]) {
          if (!/^(BEGIN|COMMIT)\b/i.test(this.source ?? '')) count++;
          return own.value.apply(this, parameters);
        },
      });
      t.after(() => Object.defineProperty(prototype, name, own));
    }
  };
  if (testStore === 'postgres') spy(pg.Client.prototype, ['query']);
  else {
    const memory = new Database(':memory:');
    spy(Object.getPrototypeOf(memory.prepare('SELECT 1')), ['all', 'run', 'get']);
    memory.close();
  }
  return () => count;
}

/** A handle that counts its own statements, without those for transactions and revisions. */
export function counted(db: Db): { db: Db; statements(): number } {
  let count = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count++;
      return result;
    },
  };
  return { db: db.withPlugin(counting), statements: () => count };
}

export async function indexesOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = [];
  const noting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(noting));
  const plans = nodes.map(async (node) => {
    const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    );
    return rows.flatMap(({ detail }) => /\bproblems_by_\w+/.exec(detail)?.[0] ?? []);
  });
  return (await Promise.all(plans)).flat();
}
