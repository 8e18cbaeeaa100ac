/**
 * Blocks of commands in the documents are run by sh, each in a folder of its own. What belongs to the whole machine or needs the
 * internet, such as docker, is a stand-in that runs the `garden` in its arguments. A table says which block is run where.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { codeforcesNamed, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { gardenHere } from '../support/commands.ts';
import { type Block, blocksOf } from '../support/documents.ts';
import { environment, launcher, root, temporaryFolder } from '../support/garden.ts';
import { replayOf } from '../sync/support.ts';
import { committedFiles } from './support.ts';

const run = promisify(execFile);
/** README has the same commands in every language; decisions and changes speak of earlier releases too. */
const documents = committedFiles().filter((path) =>
  /^(?:README|CONTRIBUTING|client\/README|docs\/[\w-]+)\.md$/.test(path),
);

const ways = 'test/release/ways.ts';
const fronts = 'test/support/fronts.ts';
/** Which file runs other blocks, by the start of their place and the language. */
const elsewhere: [place: string, file: string, language?: string][] = [
  ['README.md#start-it', ways],
  ['README.md#make-it-yours', 'test/cli/first-minutes.test.ts'],
  ['docs/operations.md#from-', ways],
  ['docs/operations.md#with-docker-alone', ways],
  ['docs/operations.md#upgrade-the-', ways],
  ['docs/operations.md#upgrade-a-', ways],
  ['docs/operations.md#behind-nginx-or-caddy', fronts],
  ['docs/operations.md#sign-in-by-a-proxy', fronts, 'nginx'],
  ['docs/operations.md#sign-in-by-a-proxy', fronts, ''],
  ['docs/adding-a-page.md', 'test/web/adding-a-page.test.ts'],
  ['docs/reminders.md#a-receiver', 'test/web/reminders.test.ts'],
  ['docs/api.md#an-example', 'test/contract/samples.test.ts'],
  ['docs/programs.md', 'test/programs/samples.test.ts'],
  ...['sign-in', 'commands', 'mcp', 'neovim', 'visual'].map((heading): [string, string] => [
    `docs/command.md#${heading}`,
    'test/client/command-documents.test.ts',
  ]),
  ['client/README.md', 'test/client/package.test.ts', 'js'],
  ['client/README.md', 'test/client/package.test.ts', 'ts'],
];
/** Output, addresses and excerpts of files, which nobody can run. */
const shown = /#(?:the-first-member|postgresql|ntfy|a-message|programs|2-describe|3-request|competitive)/;

const standIns =
  'garden-client docker sudo npm npx git useradd install systemctl journalctl apt-get haproxy caddy restic createdb curl oj-api';
const standIn = `#!/bin/sh
while [ $# -gt 1 ]; do case $1 in garden) [ "$2" != garden ] && exec "$@";; [A-Z]*=*) export "$1";; esac; shift; done
`;
/**
 * A server ends when it listens, and where a block is about its settings alone, garden config refuses the same ones; ada is there
 * already, and a sync of all judges has no replay here.
 */
const garden = (client: string) => `#!/bin/sh
case "$*" in sync|"sync --catalogue"|"member delete ada") exit;; "serve "*) ;;
serve) [ "\${ADMIN_USERNAME-}" ] || exec "${process.execPath}" "${client}" config;;
"member create ada"|"member create ada "*) shift 3; exec garden member create "ada$$" "$@";;
*) exec "${process.execPath}" "${client}" "$@";; esac
"${process.execPath}" "${launcher}" "$@" --port 0 > served & pid=$!
until grep -q '^listening' served; do kill -0 $pid || exit 1; sleep 0.1; done
kill $pid; wait $pid || [ $? -eq 143 ]`;

/** Asks this process to run a command, which takes a fifth of the time of a process of its own. */
const commandClient = (socket: string) => `
const { connect } = require('node:net');
const { text } = require('node:stream/consumers');
const args = process.argv.slice(2);
const readsInput = args.includes('-') || args[1] === 'password';
(readsInput ? text(process.stdin) : Promise.resolve('')).then(async (input) => {
  const asked = connect(${JSON.stringify(socket)}).end(JSON.stringify({ args, input, env: process.env, cwd: process.cwd() }));
  const { code, stdout, stderr } = JSON.parse(await text(asked));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
`;

/** Runs the commands that clients ask for one after another, each in the client's folder. */
async function runCommands(t: TestContext, socket: string): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const run = Promise.all([text(client), last]).then(([asked]) => {
      const { args, cwd, ...options } = JSON.parse(asked);
      process.chdir(cwd);
      return gardenHere(args, options).finally(() => process.chdir(root));
    });
    // One that fails, or whose client was killed, stops none that come later.
    const answered = run.catch((error) => ({ code: 1, stdout: '', stderr: String(error) }));
    last = answered;
    answered.then((answer) => client.end(JSON.stringify(answer)));
    client.on('error', () => {});
  });
  server.listen(socket);
  await once(server, 'listening');
  t.after(() => server.close());
}

const prepared = `
garden sample load
garden member create eve
garden member rename eve ada
garden handle add ada codeforces one
garden plant add ada --name first --target 1
for name in one two three; do garden token create ada --name $name; done
garden backup garden.db.gz
garden export statuses statuses.csv --member ada
garden export archive ada.zip --member ada
printf 'username,first_name\\nbob,Bob\\n' > class.csv
printf '# Trees\\n- https://codeforces.com/contest/4/problem/A\\n' > blind-75.md
mkdir -p practice-garden/client your-project opt/practice-garden run/secrets
cp garden.db.gz garden-2026-11-21T083000Z-3f2a9c1d.db.gz
echo "$SECRET" > run/secrets/garden`;

function commandsIn({ place, language, text }: Block): string | undefined {
  if (language === 'sh') return text;
  if (/#the-form-practice-(?:list|course)1$/.test(place))
    return `cat > list.${language.slice(0, 4)} <<'E'\n${text}E\ngarden import lists list.* --member ada --add-unknown`;
  const isCrontab = /^\d+ \d+ \* /m.test(text);
  return isCrontab ? text.replaceAll(/^(?:\S+ ){6}/gm, '').replace(/\S*\/deploy\//, 'true ') : undefined;
}

test('every block of the documents is run here or where the table says', async (t) => {
  const folder = await temporaryFolder(t);
  const [programs, template] = [join(folder, 'bin'), join(folder, 'template')];
  for (const path of [programs, template]) await mkdir(path);
  for (const name of standIns.split(' ')) await writeFile(join(programs, name), standIn, { mode: 0o755 });
  await writeFile(join(programs, 'jq'), '#!/bin/sh\ncat', { mode: 0o755 });
  const [client, socket] = [join(folder, 'client.cjs'), join(folder, 'commands')];
  await writeFile(client, commandClient(socket));
  await writeFile(join(programs, 'garden'), garden(client), { mode: 0o755 });
  await runCommands(t, socket);
  await symlink(join(root, 'src'), join(template, 'src'));
  const catalogue = codeforcesNamed('Problem', '1A', '4A') as { result: unknown };
  const sent = submissionsOf('one', ['1A', 'OK', 1_700_000_000]) as { result: unknown[] };
  const replay = await replayOf(t, {
    codeforces: replayCodeforces({ status: { ada: sent.result, one: sent.result }, problems: catalogue.result }),
  });
  await writeFile(join(template, 'problemset.problems.json'), JSON.stringify(catalogue));
  await writeFile(join(template, 'user.status.json'), JSON.stringify(sent));
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    SECRET: 'seven lanterns by the well',
    WORKERS: '1',
    SYNC: 'off',
    JUDGE_URLS: `codeforces=${replay.url}/codeforces`,
  };
  const shell = async (text: string, cwd: string) => {
    const here = text
      .replaceAll(/(?:\S*\/)?bin\/garden(?= )/g, 'garden')
      .replaceAll(/(?<=[ :=])\/(?=(?:var\/lib|mnt|opt|etc|run)\/)/g, `${cwd}/`)
      .replaceAll(/\S*\/(?=garden-2026)/g, '')
      .replaceAll(/postgres:\/\/\S+/g, 'sqlite:other.db')
      .replaceAll('https://codeforces.com/api', `${replay.url}/codeforces`);
    const running = run('sh', ['-euc', here], { cwd, env: environment({ env }), timeout: 120_000 });
    // Most commands end without reading it.
    running.child.stdin?.on('error', () => {}).end(`${env.SECRET}\n`);
    await running;
  };
  await shell(prepared, template);

  const left: [Block, string][] = [];
  for (const block of documents.flatMap(blocksOf)) {
    const { place, language } = block;
    const [, file] = elsewhere.find(([start, , own = language]) => place.startsWith(start) && language === own) ?? [];
    const commands = commandsIn(block);
    if (file !== undefined) assert.ok(existsSync(file), file);
    else if (commands !== undefined) left.push([block, commands]);
    else assert.match(place, shown, `${place} is run nowhere`);
    t.diagnostic(`${place} (${language || 'text'}): ${file ?? (commands === undefined ? 'shown only' : 'run here')}`);
  }
  assert.ok(left.length >= 50, `${left.length} blocks`);
  const failed: string[] = [];
  const next = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      const cwd = join(folder, String(left.length));
      await cp(template, cwd, { recursive: true, verbatimSymlinks: true });
      await shell(one[1], cwd).catch((error) => failed.push(`${one?.[0].place}: ${error.stderr || error.message}`));
    }
  };
  await Promise.all([next(), next(), next()]);
  assert.deepEqual(failed, []);
});
