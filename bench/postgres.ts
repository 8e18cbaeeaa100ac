/** A PostgreSQL to measure on: the server of TEST_DATABASE_URL, else a temporary one as the tests start it. */
import { execute, startServer } from '../test/support/postgres-server.ts';
import { atEnd, haltIfStopping } from './lifecycle.ts';

/**
 * Addresses of new, empty databases, which go at the end. A temporary server runs where this process runs, beside the
 * load. Throws with the reason where there is no server.
 */
export async function newDatabases(names: readonly string[]): Promise<string[]> {
  const admin = process.env['TEST_DATABASE_URL'] || (await temporaryServer());
  const addresses: string[] = [];
  for (const name of names) addresses.push(await newDatabase(admin, name));
  return addresses;
}

async function temporaryServer(): Promise<string> {
  await haltIfStopping();
  const server = await startServer();
  atEnd(() => server.stop());
  return `${server.url}/postgres`;
}

async function newDatabase(admin: string, name: string): Promise<string> {
  const database = `bench_${name}_${process.pid}`;
  await execute(admin, `CREATE DATABASE ${database}`);
  atEnd(async () => {
    await execute(admin, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });
  const url = new URL(admin);
  url.pathname = `/${database}`;
  return url.href;
}
