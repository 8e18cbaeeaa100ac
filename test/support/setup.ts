/** Before and after a whole run: one database server for all test files (node --test-global-setup). */
import { setUpDatabases } from './databases.ts';

let end: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  const made = await setUpDatabases();
  end = made.end;
  // Every test file is a process of its own and inherits these.
  process.env['TEST_DATABASE_URL'] = made.url;
  process.env['TEST_TEMPLATE'] = made.template;
}

export async function globalTeardown(): Promise<void> {
  await end?.();
}
