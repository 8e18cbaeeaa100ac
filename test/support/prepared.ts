/** Databases that are filled once for a process, and copied for each test. */
import { copyFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { forgetInstance, pathOf, postgresDatabase, testStore } from './databases.ts';
import { emptyFile, temporaryFile } from './garden.ts';

type Owner = Pick<TestContext, 'after'>;

const prepared = new Map<string, Promise<string>>();

/** A copy, with an instance of its own, of what the first call with this name made: by `fill`, in an empty database or what `start` gives. */
export async function preparedDatabase(
  t: Owner,
  name: string,
  fill: (databaseUrl: string) => Promise<unknown>,
  start: (run: Owner) => Promise<string> = emptyDatabase,
): Promise<string> {
  const making = prepared.get(name) ?? prepare(fill, start);
  prepared.set(name, making);
  const made = await making;
  if (testStore === 'postgres') return postgresDatabase(t, { template: new URL(made).pathname.slice(1) });
  const copy = await temporaryFile(t);
  copyFileSync(pathOf(made), pathOf(copy));
  return copy;
}

// PostgreSQL copies no database with an open connection, which `temporaryDatabase` may leave.
const emptyDatabase = (run: Owner) => (testStore === 'postgres' ? postgresDatabase(run) : emptyFile(run));

async function prepare(
  fill: (databaseUrl: string) => Promise<unknown>,
  start: (run: Owner) => Promise<string>,
): Promise<string> {
  const ends: (() => unknown)[] = [];
  process.once('beforeExit', async () => {
    for (const end of ends.splice(0)) await end();
  });
  const databaseUrl = await start({ after: (end: () => unknown) => void ends.unshift(end) });
  await fill(databaseUrl);
  await forgetInstance(databaseUrl);
  return databaseUrl;
}
