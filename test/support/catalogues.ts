/** Databases with all real problems of Codeforces, imported once for a process and copied for each test. */
import { copyFileSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { importerOf } from '../../src/importing/resources.ts';
import { pathOf, postgresDatabase, tamper, testStore } from './databases.ts';
import { temporaryFile, withStore } from './garden.ts';
import { realPath } from './real-data.ts';

export type Catalogue = 'listed' | 'folded';

const steps = [
  ['listed', 'codeforces-problems', 'problemset.problems.2026-08.json'],
  ['folded', 'codeforces-twins', 'shared-problems.2026-08.json'],
] as const;

let made: Promise<Record<Catalogue, string>> | undefined;

export async function catalogueDatabase(t: TestContext, which: Catalogue): Promise<string> {
  made ??= (async () => {
    const { end, ...addresses } = await makeCatalogues();
    process.once('beforeExit', end);
    return addresses;
  })();
  return copyOf(t, (await made)[which]);
}

async function makeCatalogues(): Promise<Record<Catalogue, string> & { end(): Promise<void> }> {
  const ends: (() => unknown)[] = [];
  const run = { after: (end: () => unknown) => void ends.unshift(end) };
  // PostgreSQL copies no database with an open connection, which `temporaryDatabase` may leave.
  const listed = await (testStore === 'postgres' ? postgresDatabase(run) : temporaryFile(run));
  const addresses = { listed, folded: '' };
  for (const [which, what, name] of steps) {
    if (which === 'folded') addresses.folded = await copyOf(run, addresses.listed);
    const bytes = readFileSync(realPath(`codeforces/${name}`));
    const open = async () =>
      (async function* () {
        yield bytes;
      })();
    const checked = await checkFile(importerOf(what, 'json'), { open, skipsBadRows: false, trustsIds: true });
    await withStore(addresses[which], (store) =>
      applyFile(store, checked, { member: undefined, isDryRun: false, onDetail: undefined }),
    );
    await tamper(addresses[which], "DELETE FROM settings WHERE name = 'instance'");
  }
  const end = async () => {
    for (const one of ends) await one();
  };
  return { ...addresses, end };
}

async function copyOf(t: Pick<TestContext, 'after'>, address: string): Promise<string> {
  if (testStore === 'postgres') {
    return postgresDatabase(t, { template: new URL(address).pathname.slice(1) });
  }
  const copy = await temporaryFile(t);
  copyFileSync(pathOf(address), pathOf(copy));
  return copy;
}
