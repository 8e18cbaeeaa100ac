/**
 * The package for npm. Node reads no TypeScript below node_modules, where npm installs it, so its source is JavaScript: each file
 * without its types, every line and column where it was. The versions of all packages that it needs are fixed in it.
 */

import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { writeArchive } from './archive.ts';
import { git, run } from './programs.ts';

/** The commit that a release is made from. */
export interface Source {
  name: string;
  version: string;
  commit: string;
  committedAt: Date;
}

/**
 * Lays the files of the commit into the folder `program` of `stage`, and what `files` of package.json names of them into `package`,
 * and packs that into `out`.
 */
export async function packProgram(
  { name, version, commit, committedAt }: Source,
  stage: string,
  out: string,
): Promise<void> {
  const program = join(stage, 'program');
  await mkdir(program);
  const archive = join(stage, 'commit.tar');
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', program]);
  for (const file of globSync('src/**/*.ts', { cwd: program })) {
    const path = join(program, file);
    const code = stripTypeScriptTypes(await readFile(path, 'utf8'));
    await writeFile(path.replace(/\.ts$/, '.js'), nameScripts(code));
    await rm(path);
  }
  const launcher = join(program, 'bin', 'garden');
  await writeFile(launcher, nameScripts(await readFile(launcher, 'utf8')));
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', stage], program);
  // npm packs the files in the order in which the disk gave them.
  const packed = `${name}-${version}.tgz`;
  await run('tar', ['-xzf', packed], stage);
  const manifest = join(stage, 'package', 'package.json');
  const fixed = fixVersions(
    await readFile(manifest, 'utf8'),
    await readFile(join(program, 'package-lock.json'), 'utf8'),
  );
  await writeFile(manifest, fixed);
  await writeArchive(join(out, packed), join(stage, 'package'), committedAt);
}

/**
 * The package.json of the package. npm reads no lock in a package, so its dependencies are all packages of the lock that run, each in
 * one version; a second version of a package stays with the one that needs it. Whatever serves development is left out.
 */
function fixVersions(text: string, lock: string): string {
  const {
    devDependencies: _tools,
    scripts: _commands,
    overrides: _others,
    files: _packed,
    ...manifest
  } = JSON.parse(text);
  const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };
  const versions = (isOptional: boolean) =>
    Object.fromEntries(
      Object.entries(packages)
        .filter(([place]) => place.lastIndexOf('node_modules/') === 0)
        .filter(([, { dev, optional = false }]) => !dev && optional === isOptional)
        .map(([place, { version }]) => [place.replace('node_modules/', ''), version]),
    );
  const dependencies = versions(false);
  return `${JSON.stringify({ ...manifest, dependencies, optionalDependencies: versions(true) }, null, 2)}\n`;
}

interface Locked {
  version: string;
  dev?: true;
  optional?: true;
}

/** Modules, threads and processes that the code names by their path. */
function nameScripts(code: string): string {
  return code.replaceAll(/(['"])((?:\.{1,2}\/[^'"\n]*|main))\.ts\1/g, '$1$2.js$1');
}
