/**
 * The image of the garden, built and run by Podman without a registry: the base is made of Debian's packages with the
 * Node of this machine, or is the image in GARDEN_IMAGE_BASE.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { root } from './garden.ts';

const needed = ['podman', 'runc', 'mmdebstrap'];
const bundled = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');

export interface Engine {
  (args: readonly string[], input?: string): Promise<{ stdout: string; stderr: string }>;
  programs: string;
}

/** A wrapper of runc without limits: Podman asks for more open files than some machines allow. */
const withoutLimits = `#!/bin/sh
for word; do
  case $before in
    --bundle|-b) file=$word/config.json ;;
    --process|-p) file=$word ;;
  esac
  before=$word
done
[ -f "$file" ] && sed -i 's/"rlimits":\\[[^]]*\\]/"rlimits":[]/' "$file"
exec runc "$@"
`;

/** Undefined if a program is absent; the test is skipped then. */
export function startEngine(t: TestContext): Engine | undefined {
  const absent = needed.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error);
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || absent.length > 0 || !existsSync(bundled)) {
    t.skip(`images are built on Linux by root: apt-get install ${needed.join(' ')}, and npm ci`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const runtime = join(folder, 'runc');
  writeFileSync(runtime, withoutLimits);
  chmodSync(runtime, 0o755);
  const places = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const flags = [...places, '--cgroup-manager', 'cgroupfs', '--events-backend', 'none', '--runtime', runtime];
  const programs = join(folder, 'programs');
  const docker = join(programs, 'docker');
  mkdirSync(programs);
  writeFileSync(docker, dockerBy(flags));
  chmodSync(docker, 0o755);
  const run = (args: readonly string[], input?: string) => {
    const running = promisify(execFile)(docker, args, { cwd: root, maxBuffer: 2 ** 26 });
    running.child.stdin?.end(input);
    return running;
  };
  t.after(async () => {
    await run(['rm', '--all', '--force', '--time', '0']);
    rmSync(folder, { recursive: true, force: true });
  });
  return Object.assign(run, { programs });
}

const ownBase = 'localhost/base';
const base = () => process.env['GARDEN_IMAGE_BASE'] || ownBase;

const dockerBy = (flags: readonly string[]) => `#!/bin/sh
if [ "$1" = build ]; then
  shift
  set -- build --isolation chroot --format docker --layers=false --build-arg 'BASE=${base()}' "$@"
fi
exec podman ${flags.map((flag) => `'${flag}'`).join(' ')} "$@"
`;

export async function importBase(engine: Engine): Promise<void> {
  if (base() === ownBase) await engine(['import', '--quiet', debianWithNode(), ownBase]);
}

export async function buildImage(engine: Engine): Promise<string> {
  await importBase(engine);
  const image = 'localhost/practice-garden';
  await engine(['build', '--tag', image, '.']);
  return image;
}

function debian(name: string, args: readonly string[]): string {
  const file = join(root, 'node_modules', '.cache', 'image', `${name}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('mmdebstrap', ['--quiet', ...args, 'bookworm', `${file}.new.tar`], { stdio: 'pipe' });
  renameSync(`${file}.new.tar`, file);
  return file;
}

export function emptyDebian(packages: readonly string[]): string {
  const args = ['--variant=minbase', ...packages.map((name) => `--include=${name}`)];
  return debian(['empty', ...packages].join('-'), args);
}

export const certificates = '/etc/ssl/certs/ca-certificates.crt';

function debianWithNode(): string {
  const version = execFileSync(bundled, ['--version']).toString().trim();
  const npm = join(execFileSync('npm', ['root', '--global'], { cwd: '/' }).toString().trim(), 'npm');
  const hooks = [
    'mkdir -p "$1/usr/local/lib/node_modules" "$1/etc/ssl/certs"',
    `cp '${bundled}' "$1/usr/local/bin/node"`,
    `cp -R '${npm}' "$1/usr/local/lib/node_modules/npm"`,
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    // The package registry may have a certificate that only this machine trusts.
    `cp '${certificates}' "$1${certificates}" && echo 'cafile=${certificates}' > "$1/root/.npmrc"`,
    'echo node:x:1000:1000::/tmp:/bin/sh >> "$1/etc/passwd" && echo node:x:1000: >> "$1/etc/group"',
  ];
  const include = '--include=libstdc++6';
  return debian(version, ['--variant=essential', include, ...hooks.map((hook) => `--customize-hook=${hook}`)]);
}
