/** Releases as `npm run release` makes them, each in a clone of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from './garden.ts';

const execute = promisify(execFile);
export const releaseScript = ['--disable-warning=ExperimentalWarning', join('release', 'main.ts')];

/** Stands for the context of a test, for what all tests of a file share. */
export function forWholeFile(): Pick<TestContext, 'after'> {
  const cleanups: (() => unknown)[] = [];
  after(() => Promise.all(cleanups.map((clean) => clean())));
  return { after: (clean) => void cleanups.push(clean as () => unknown) };
}

export async function cloned(t: Pick<TestContext, 'after'>, repository: string, commit = 'HEAD'): Promise<string> {
  const clone = join(await temporaryFolder(t), 'clone');
  await execute('git', ['clone', '--quiet', repository, clone]);
  await execute('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone });
  return clone;
}

export async function released(
  t: Pick<TestContext, 'after'>,
  repository: string,
  { commit = 'HEAD', mask = '022' } = {},
): Promise<string> {
  const clone = await cloned(t, repository, commit);
  const command = `umask ${mask}; exec "$0" "$@"`;
  await execute('sh', ['-c', command, process.execPath, ...releaseScript], { cwd: clone });
  return join(clone, 'dist', 'release');
}
