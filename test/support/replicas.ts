/** A primary with streaming standbys, each a real server of its own, and what tests do to them. */
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateStore } from '../../src/store/open.ts';
import { execute, type PostgresServer, startServer } from './postgres-server.ts';

export interface Cluster {
  primary: PostgresServer;
  standbys: readonly PostgresServer[];
  /** The database on the primary. */
  databaseUrl: string;
  /** The same on every standby. */
  replicaUrls: readonly string[];
}

const waitAtMostMs = 30_000;

/** A migrated database on a primary with so many standbys; with `sync` a commit waits until one of them has it. */
export async function startCluster(
  t: TestContext,
  { standbys: count, sync = false }: { standbys: number; sync?: boolean },
): Promise<Cluster> {
  const primary = await startServer();
  t.after(() => primary.stop());
  await execute(`${primary.url}/postgres`, 'CREATE DATABASE garden');
  const databaseUrl = `${primary.url}/garden`;
  await migrateStore(databaseUrl, { create: true, lockTimeoutMs: 5_000 }, false);
  // A copy of a stopped server: not everybody's binaries have pg_basebackup.
  await primary.kill('SIGINT');
  const follows = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`;
  const standbys: PostgresServer[] = [];
  for (let made = 0; made < count; made++) {
    const standby = await startServer((data) => {
      cpSync(primary.data, data, { recursive: true });
      writeFileSync(join(data, 'standby.signal'), '');
      appendFileSync(join(data, 'postgresql.auto.conf'), `${follows}wal_retrieve_retry_interval = 200\n`);
    });
    t.after(() => standby.stop());
    standbys.push(standby);
  }
  if (sync) {
    appendFileSync(join(primary.data, 'postgresql.auto.conf'), "synchronous_standby_names = 'ANY 1 (*)'\n");
  }
  await primary.start();
  const cluster = {
    primary,
    standbys,
    databaseUrl,
    replicaUrls: standbys.map(({ url }) => `${url}/garden`),
  };
  await caughtUp(cluster);
  return cluster;
}

/** Waits until every standby, or these, shows all that the primary has. */
export async function caughtUp({ primary, standbys }: Pick<Cluster, 'primary' | 'standbys'>): Promise<void> {
  const [at] = await execute(`${primary.url}/postgres`, 'SELECT pg_current_wal_flush_lsn()::text AS lsn');
  const query = `SELECT pg_last_wal_replay_lsn() >= '${at?.['lsn']}' AS is_there`;
  await until('the standbys catch up', async () => {
    const answers = await Promise.all(standbys.map(({ url }) => execute(`${url}/postgres`, query)));
    return answers.every(([row]) => row?.['is_there'] === true);
  });
}

/** Stops a standby from showing what it receives, or lets it go on. */
export async function replay(what: 'pause' | 'resume', standby: PostgresServer): Promise<void> {
  const url = `${standby.url}/postgres`;
  await execute(url, `SELECT pg_wal_replay_${what}()`);
  const wanted = what === 'pause' ? 'paused' : 'not paused';
  await until(`the replay is ${wanted}`, async () => {
    const [row] = await execute(url, 'SELECT pg_get_wal_replay_pause_state() AS state');
    return row?.['state'] === wanted;
  });
}

/** Waits for a condition, however slow the machine is. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + waitAtMostMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    await sleep(25);
  }
}
