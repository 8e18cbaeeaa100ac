/** Before and after a run: a database server for all test files, and an empty database file to copy. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeEmptyFile, setUpDatabases } from './databases.ts';
import { root } from './garden.ts';
import { makeMemoryFolder } from './memory-folder.ts';

const ends: (() => Promise<void>)[] = [];
let memoryFolder: string | undefined;

export async function globalSetup(): Promise<void> {
  if (!process.env['TMPDIR']) memoryFolder = makeMemoryFolder();
  if (memoryFolder !== undefined) process.env['TMPDIR'] = memoryFolder;
  const made = await setUpDatabases();
  ends.push(made.end);
  process.env['TEST_DATABASE_URL'] = made.url;
  process.env['TEST_TEMPLATE'] = made.template;
  const emptyFile = await makeEmptyFile();
  ends.push(() => rm(dirname(emptyFile), { recursive: true, force: true }));
  process.env['TEST_EMPTY_FILE'] = emptyFile;
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'garden');
}

export async function globalTeardown(): Promise<void> {
  for (const end of ends) await end();
  if (memoryFolder !== undefined) rmSync(memoryFolder, { recursive: true, force: true, maxRetries: 5 });
}
