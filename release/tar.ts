/** A folder that runs after unpacking, with nothing installed: the package, what it needs, and Node for one processor. */

import { globSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArchive } from './archive.ts';
import type { Source } from './package.ts';
import { Refusal, run } from './programs.ts';

export const processors = ['x64', 'arm64'] as const;
type Processor = (typeof processors)[number];

/** Needs the commit in the folder `program` of `stage`, and the files of the package in `package`. */
export async function tarFor(processor: Processor, source: Source, stage: string, out: string): Promise<void> {
  const { name, version, committedAt } = source;
  const folder = `${name}-${version}-linux-${processor}`;
  const place = join(stage, folder);
  await cp(join(stage, 'package'), place, { recursive: true });
  const target = ['--os=linux', `--cpu=${processor}`, '--libc=glibc'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const program = join(stage, 'program');
  await run('npm', ['ci', '--omit=dev', ...target, ...quiet], program);
  await rename(join(program, 'node_modules'), join(place, 'node_modules'));
  await prune(place, processor);
  await rename(join(place, 'bin', 'garden'), join(place, 'bin', 'garden.js'));
  await writeFile(join(place, 'bin', 'garden'), launcherFor(processor), { mode: 0o755 });
  await writeArchive(join(out, `${folder}.tar.gz`), place, committedAt);
  await rm(place, { recursive: true });
}

/** Removes whatever is for building or for another processor, which is half of all. */
async function prune(place: string, processor: Processor): Promise<void> {
  const found = globSync(
    [
      // npm notes here which registry it asked.
      'node_modules/.package-lock.json',
      'node_modules/.bin',
      'node_modules/**/*.map',
      'node_modules/node-linux-*/{include,share,CHANGELOG.md}',
      'node_modules/better-sqlite3/{binding.gyp,deps,src}',
      'node_modules/better-sqlite3/prebuilds/*',
    ],
    { cwd: place },
  );
  const own = join('node_modules', 'better-sqlite3', 'prebuilds', `linux-${processor}.node`);
  if (!found.includes(own)) throw new Refusal(`better-sqlite3 brings no ${own}; look where it keeps its binaries now.`);
  for (const file of found) if (file !== own) await rm(join(place, file), { recursive: true, force: true });
}

const launcherFor = (processor: Processor) => `#!/bin/sh
# Starts the garden with the Node of this folder, also through a symbolic link.
here=$(dirname "$(readlink -f "$0")")
exec "$here/../node_modules/node-linux-${processor}/bin/node" "$here/garden.js" "$@"
`;
