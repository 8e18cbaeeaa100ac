/** What docs/command.md shows works as it stands there: the commands, and those of editors and of programs that speak MCP. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { problemUrl, program, programGarden } from '../programs/support.ts';
import { blocksOf } from '../support/documents.ts';
import { memberWithToken, root, temporaryFolder } from '../support/garden.ts';
import { garden, usualEnv } from './command-support.ts';

const page = 'docs/command.md';
const blockOf = (heading: string) =>
  blocksOf(page).find(({ place }) => place === `${page}#${heading}`)?.text ?? assert.fail(heading);
const hasNeovim = spawnSync('nvim', ['--version']).status === 0;

/** A computer with `garden-client` in its PATH, where the token is in the environment. */
async function computer(t: TestContext) {
  const { databaseUrl, server } = await programGarden(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:mark', 'practice:code'] });
  const HOME = await temporaryFolder(t);
  await mkdir(join(HOME, 'bin'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${garden}' "$@"\n`;
  await writeFile(join(HOME, 'bin', 'garden-client'), script, { mode: 0o755 });
  const PATH = `${join(HOME, 'bin')}:/usr/bin:/bin`;
  const env = { ...usualEnv, PATH, HOME, GARDEN_URL: server.url, GARDEN_TOKEN: token };
  const run = async (command: string, args: string[], input = '') => {
    const running = promisify(execFile)(command, args, { env, cwd: HOME });
    running.child.stdin?.end(input);
    return running;
  };
  return { HOME, token, server, run, ada: program(server.url, token) };
}

test('the commands run as they are', async (t) => {
  const { run, server, token } = await computer(t);
  const signIn = `unset GARDEN_URL GARDEN_TOKEN; ${blockOf('sign-in').replace('http://localhost:8080', server.url)}`;
  const { stdout } = await run('sh', ['-euc', signIn + blockOf('commands')], token);
  assert.match(stdout, /timer ended.*\n.*\n.*: solved, hint, starred.*\n.*\nUndone\.\n\{/);
});

test('each command and flag of --help is in the document', async (t) => {
  const { run } = await computer(t);
  const text = await readFile(join(root, page), 'utf8');
  const { stdout } = await run('garden-client', ['--help']);
  // Flags of the companion are in docs/inbox.md.
  for (const [, name, flag] of stdout.replace(/(companion) .*/, '$1').matchAll(/^ {2}garden-client (\S+)|\[(--\w+)/gm))
    assert.match(text, new RegExp(`\`${name ?? flag}[ \`]`));
});

test('the configuration for programs that speak MCP', async (t) => {
  const { run } = await computer(t);
  const { command, args } = JSON.parse(blockOf('mcp')).mcpServers['practice-garden'];
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  assert.equal(JSON.parse((await run(command, args, ping)).stdout).id, 1);
});

test('the plug-in for Neovim', { skip: !hasNeovim && 'Neovim is not installed' }, async (t) => {
  const { run, HOME, ada } = await computer(t);
  await writeFile(join(HOME, 'garden.lua'), blockOf('neovim'));
  await writeFile(join(HOME, 'a.cpp'), `// ${problemUrl(7)}\nint main() {}\n`);
  const commands = [
    'GardenStart',
    'GardenDone --unsolved',
    'GardenMark solved --how hint',
    'normal Gonew',
    'GardenCode',
  ];
  const flags = [...commands, 'qa!'].flatMap((command) => ['-c', command]);
  const { stderr } = await run('nvim', ['--headless', '--clean', '-c', 'source garden.lua', 'a.cpp', ...flags]);
  for (const answer of ['timer running', 'timer ended', 'solved, hint', 'a.cpp, 64 bytes'])
    assert.ok(stderr.includes(answer), stderr);
  assert.equal((await ada('/marks/7')).json.how, 'hint');
  assert.equal((await ada('/solutions/7')).json.items.length, 1);
});

test('the tasks of Visual Studio Code', async (t) => {
  const { run, HOME, ada } = await computer(t);
  await writeFile(join(HOME, 'a.cpp'), 'int main() {}\n');
  const filled = blockOf('visual-studio-code').replaceAll(/\$\{input:problem\}/g, problemUrl(7));
  const { command, tasks } = JSON.parse(filled.replaceAll(/\$\{file\}/g, join(HOME, 'a.cpp')));
  for (const { args } of tasks) await run(command, args);
  assert.equal((await ada('/marks/7')).json.status, 'solved');
  assert.equal((await ada('/solutions/7')).json.items.length, 1);
});
