/**
 * The image of the garden, built from its Dockerfile and run by Podman without a registry of images: the base is Debian's own
 * packages with the Node and npm of this machine, or the image in GARDEN_IMAGE_BASE.
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

/** Runs one command of the engine; answers both outputs, and throws with them if it fails. */
export type Engine = (args: readonly string[], input?: string) => Promise<{ stdout: string; stderr: string }>;

/**
 * Podman asks for more open files than some machines may give, so this program stands before runc and leaves the limits of the
 * machine as they are.
 */
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

/** Podman with storage of its own in a temporary folder; undefined, and the test skipped, where a program is absent. */
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
  const run: Engine = (args, input) => {
    const running = promisify(execFile)('podman', [...flags, ...args], { cwd: root, maxBuffer: 2 ** 26 });
    running.child.stdin?.end(input);
    return running;
  };
  t.after(async () => {
    await run(['rm', '--all', '--force', '--time', '0']);
    rmSync(folder, { recursive: true, force: true });
  });
  return run;
}

/** Builds the Dockerfile and answers the name of the image. */
export async function buildImage(engine: Engine): Promise<string> {
  let base = process.env['GARDEN_IMAGE_BASE'];
  if (!base) {
    base = 'localhost/base';
    await engine(['import', '--quiet', debianBase(), base]);
  }
  const image = 'localhost/practice-garden';
  const how = ['--isolation', 'chroot', '--format', 'docker', '--layers=false', '--build-arg', `BASE=${base}`];
  await engine(['build', ...how, '--tag', image, '.']);
  return image;
}

/** A file with what the image of Node has: Debian 12, Node, npm and the user node. It is made once for each release of Node. */
function debianBase(): string {
  const version = execFileSync(bundled, ['--version']).toString().trim();
  const file = join(root, 'node_modules', '.cache', 'image', `${version}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const npm = join(execFileSync('npm', ['root', '--global'], { cwd: '/' }).toString().trim(), 'npm');
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  const hooks = [
    'mkdir -p "$1/usr/local/lib/node_modules" "$1/etc/ssl/certs"',
    `cp '${bundled}' "$1/usr/local/bin/node"`,
    `cp -R '${npm}' "$1/usr/local/lib/node_modules/npm"`,
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    // The registry of packages may be behind a certificate that only this machine knows.
    `cp '${certificates}' "$1${certificates}" && echo 'cafile=${certificates}' > "$1/root/.npmrc"`,
    'echo node:x:1000:1000::/tmp:/bin/sh >> "$1/etc/passwd" && echo node:x:1000: >> "$1/etc/group"',
  ];
  const include = '--include=libstdc++6';
  const args = ['--quiet', '--variant=essential', include, ...hooks.map((hook) => `--customize-hook=${hook}`)];
  execFileSync('mmdebstrap', [...args, 'bookworm', `${file}.new.tar`], { stdio: 'pipe' });
  renameSync(`${file}.new.tar`, file);
  return file;
}
