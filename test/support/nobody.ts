/** A user who may write nothing that is not theirs, for tests of what may only be read. */
import { chmod } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { garden, temporaryFolder } from './garden.ts';

/** Runs the program as this user; undefined where no such user can run it. */
export async function nobody(t: TestContext): Promise<typeof garden | undefined> {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // Node keeps compiled code for each user, and this one may not write where the others' is.
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o777);
  const own = { NODE_COMPILE_CACHE: folder, TMPDIR: folder };
  const run: typeof garden = (args, options = {}) =>
    garden(args, { ...options, user, env: { ...own, ...options.env } });
  // A folder that this user may not enter, such as root's home, keeps the program from being started at all.
  return (await run(['--version'])).code === 0 ? run : undefined;
}
