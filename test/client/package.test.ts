/** The client as its users get it: packed, installed, run on every Node that is here, type-checked, its README executed. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import ts from 'typescript';
import { createClient } from '../../client/src/client.ts';
import release from '../../package.json' with { type: 'json' };
import { root, temporaryFolder } from '../support/garden.ts';
import { hostileIds, planted } from './support.ts';

const modules = join(root, 'node_modules');

async function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** A copy of what the client takes of a clone after `npm ci`, so that this can run beside whatever else uses the folder. */
async function cloned(t: TestContext): Promise<string> {
  const copy = await temporaryFolder(t);
  for (const name of ['client', 'tsconfig.json', 'LICENSE']) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(modules, join(copy, 'node_modules'), 'junction');
  return join(copy, 'client');
}

const manifestBin = join('dist', 'garden.js');
const npmFlags = ['--offline', '--ignore-scripts=false'];

async function projectWith(t: TestContext, installable: string): Promise<string> {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', ...npmFlags, installable], folder);
  return folder;
}

/** Packs what `prepare` has built, which it does for npm pack as for an install from the folder. */
async function install(t: TestContext, client: string): Promise<{ folder: string; packed: Packed }> {
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--json', '--offline', '--ignore-scripts'], client),
  ) as Packed[];
  if (!packed) throw new Error('npm pack packed nothing');
  return { folder: await projectWith(t, join(client, packed.filename)), packed };
}

/**
 * Compiles files of the project without output; answers the compiler's complaints about them and about the package. The
 * declarations of TypeScript and of Node are not what is tested.
 */
function compile(folder: string, files: string[], environment: readonly string[]): string {
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  const paths = files.map((file) => join(folder, file));
  const { options, fileNames, errors } = ts.parseCommandLine([...flags, ...environment, ...paths]);
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => folder;
  const program = ts.createProgram(fileNames, options, host);
  const checked = program.getSourceFiles().filter(({ fileName }) => !isLibrary(fileName));
  ok(checked.some(({ fileName }) => fileName.endsWith('dist/client.d.ts')));
  const complaints = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return ts.formatDiagnostics(complaints, host);
}

function isLibrary(path: string): boolean {
  return path.startsWith(`${modules.replaceAll('\\', '/')}/`);
}

async function installsFromFolder(t: TestContext, client: string, env: NodeJS.ProcessEnv): Promise<void> {
  const folder = await projectWith(t, client);
  const script = `
    import { createClient, type Problem } from 'practice-garden-client';
    const { GARDEN_URL = '', GARDEN_TOKEN = '' } = process.env;
    const problems: Problem[] = await createClient({ baseUrl: GARDEN_URL, token: GARDEN_TOKEN }).listProblems();
    console.log(JSON.stringify(problems.map(({ id }) => id)));`;
  await writeFile(join(folder, 'script.ts'), script);
  deepEqual(JSON.parse(await run(process.execPath, ['script.ts'], folder, env)), hostileIds);
}

test('the README installs the package that npm pack makes', async () => {
  const { name, version } = JSON.parse(await readFile(join(root, 'client', 'package.json'), 'utf8'));
  match(
    await readFile(join(root, 'client', 'README.md'), 'utf8'),
    new RegExp(`npm install \\S+/${name}-${version}\\.tgz\n`),
  );
});

/** The Node that runs this, and any older or newer one that the machine has of its own. */
function everyNode(): string[] {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((node) => existsSync(node))
    .map((node) => realpathSync(node))
    .filter((node) => {
      const [major = 0, minor = 0] = (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')
        .replace('v', '')
        .split('.')
        .map(Number);
      return major > 20 || (major === 20 && minor >= 3);
    });
  return [...new Set([process.execPath, ...found])];
}

test('the client', async (t) => {
  const [client, { server, ada }] = await Promise.all([cloned(t), planted(t)]);
  const env = { GARDEN_URL: server.url, GARDEN_TOKEN: ada.token };
  await t.test('can be installed from the folder of a clone, by itself', (t) => installsFromFolder(t, client, env));
  const { folder, packed } = await install(t, client);
  const installed = join(folder, 'node_modules', 'practice-garden-client');

  await t.test('holds its code, its types, a README and the license, and needs nothing else', async () => {
    const modulesOfIt =
      'account bridge client commands companion errors garden json queue schema transport types usage'.split(' ');
    deepEqual(
      packed.files.map(({ path }) => path).sort(),
      ['LICENSE', 'README.md', 'package.json']
        .concat(modulesOfIt.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]))
        .sort(),
    );
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    deepEqual([manifest.version, manifest.license, manifest.dependencies], [release.version, 'MIT', undefined]);
    for (const name of modulesOfIt) {
      const code = await readFile(join(installed, 'dist', `${name}.js`), 'utf8');
      for (const [, from] of code.matchAll(/\bfrom '([^']+)'/g)) match(from ?? '', /^(?:\.\/\w+\.js|node:[\w/]+)$/);
    }
  });

  await t.test('has a command that runs on every Node that is here', async () => {
    const command = join('node_modules', 'practice-garden-client', manifestBin);
    for (const node of everyNode())
      match(await run(node, [command, '--help'], folder), /^Usage: garden-client COMMAND/);
    for (const name of ['garden', 'garden-client'])
      match(
        await run(process.execPath, [join('node_modules', '.bin', name), '--help'], folder),
        new RegExp(`^Usage: ${name} `),
      );
  });

  await t.test('reads exact ids on every Node that is here', async () => {
    const script = `
      import { createClient } from 'practice-garden-client';
      const client = createClient({ baseUrl: process.env.GARDEN_URL, token: process.env.GARDEN_TOKEN });
      const ids = [];
      for await (const { id } of client.rows.listProblems({ limit: 3 })) ids.push(id);
      console.log(JSON.stringify(ids));`;
    await writeFile(join(folder, 'script.js'), script);
    for (const node of everyNode()) {
      deepEqual(JSON.parse(await run(node, ['script.js'], folder, env)), hostileIds, node);
    }
  });

  await t.test('has a README whose examples run and print what they say', async () => {
    const examples = await readmeExamples();
    equal(examples.length, 4);
    // So that the example of an error meets one.
    await createClient({ baseUrl: server.url, token: ada.token }).deletePlant('9007199254740993');
    const expected = [
      /^complete$/m,
      /^8 of 8, the last page\n-9223372036854775808 /,
      /^-9223372036854775807n$/m,
      /^40401 There is no plant 9007199254740993 .* [\w-]{36}$/m,
    ];
    for (const [place, { language, code }] of examples.entries()) {
      const file = `example-${place}.${language}`;
      await writeFile(join(folder, file), code.replaceAll('http://localhost:8080', server.url));
      // Only the Node that runs these tests is known to take TypeScript.
      for (const node of language === 'ts' ? [process.execPath] : everyNode()) {
        match(await run(node, [file], folder, env), expected[place] ?? /^$/, `${file} on ${node}`);
      }
    }
  });

  await t.test(
    'type-checks in a strict project for Node, and in one for browsers with the resolution of bundlers',
    async () => {
      const examples = await readmeExamples();
      const code = examples.find(({ language }) => language === 'ts')?.code ?? '';
      const misuse = `
      import { createClient } from 'practice-garden-client';
      const client = createClient({ baseUrl: 'http://x', token: 't' });
      const id: string = (await client.getBookmark(7n, { user: 3, signal: AbortSignal.timeout(1) })).problem;
      // @ts-expect-error No collection has this parameter.
      await client.listProblems({ colour: 'green' });
      // @ts-expect-error Records have no status.
      for await (const record of client.rows.listRecords()) console.log(id, record.status);
      // @ts-expect-error Ids are strings or bigints.
      createClient({ baseUrl: 'http://x', token: 't', ids: 'number' });`;
      await writeFile(join(folder, 'uses.ts'), code);
      await writeFile(join(folder, 'misuses.ts'), misuse);
      const ofNode = [
        '--module',
        'nodenext',
        '--lib',
        'es2022',
        '--typeRoots',
        join(modules, '@types'),
        '--types',
        'node',
      ];
      const ofBrowsers = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'];
      equal(compile(folder, ['uses.ts', 'misuses.ts'], ofNode), '');
      // The example reads the environment of Node.
      equal(compile(folder, ['misuses.ts'], ofBrowsers), '');
    },
  );
});

async function readmeExamples(): Promise<{ language: string; code: string }[]> {
  const readme = await readFile(join(root, 'client', 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```(js|ts)\n(.*?)^```$/gms)];
  ok(examples.length > 0);
  return examples.map(([, language = '', code = '']) => ({ language, code }));
}
