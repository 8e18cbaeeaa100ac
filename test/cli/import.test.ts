/** garden import and export: where files come from and go to, what is reported, and that nothing is left behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, gardenHere, newCommandLine } from '../support/commands.ts';
import { pathOf } from '../support/databases.ts';
import { root, temporaryDatabase, temporaryFile, temporaryFolder } from '../support/garden.ts';
import { listenOn } from '../support/ports.ts';

const csv = 'title,source,source_key,rating\r\nOne,cses,1,800\r\nTwo,cses,2,\r\n';
const rows = { read: 2, new: 2, changed: 0, kept: 0, unmatched: 0, bad: 0 };

test('the report is six integers; a second import changes nothing and says so', async (t) => {
  const folder = await temporaryFolder(t);
  const databaseUrl = `sqlite:${join(folder, 'g.db')}`;
  const cli = commandLine(databaseUrl);
  const file = join(folder, 'problems.csv');
  await writeFile(file, csv);
  const dry = await cli.run(['import', 'problems', file, '--dry-run', '--details']);
  assert.equal(dry.stdout, 'new cses 1 One\nnew cses 2 Two\n2 problems: 2 added.\nDry run: nothing was changed.\n');
  assert.deepEqual(await readdir(folder), ['problems.csv'], 'a dry run makes no database');
  const made = await cli.run(['import', 'problems', file, '--json']);
  assert.deepEqual(JSON.parse(made.stdout), rows);
  const path = join(folder, 'g.db');
  assert.equal(made.stderr, `Created the database ${path}.\n`);
  const again = await cli.run(['import', 'problems', file]);
  assert.equal(again.stdout, '2 problems: 2 unchanged.\nNothing changed.\n');
  assert.match(again.stderr, /^\d+\.\d\d s, [\d,]+ rows\/s\n$/);
});

test('a file comes from a path, standard input or the web; its format from its name or --format', async (t) => {
  const folder = await temporaryFolder(t);
  // cftracker's list of twins is the value of a module.
  const twin = { contestId: 1, index: 'B', id: '1B', shared: [{ contestId: 2, index: 'D', id: '2D' }] };
  const related = `export const jsonData = ${JSON.stringify({ status: 'OK', result: [twin] })}`;
  const server = createServer((request, response) => {
    const [answer] = Object.entries({ '/problems.csv?key=': csv, '/related.ts': related }).flatMap(([path, text]) =>
      request.url?.startsWith(path) ? text : [],
    );
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(answer ?? 'no');
  });
  const site = `http://127.0.0.1:${await listenOn(t, server)}`;
  const load = async (args: string, input = '') =>
    (await newCommandLine(t)).run(`import ${args}`, { env: { TMPDIR: folder }, input });
  const fromWeb = await load(`problems ${site}/problems.csv?key=secret --json`);
  assert.deepEqual(JSON.parse(fromWeb.stdout), rows);
  const twins = await load(`codeforces-twins ${site}/related.ts --json`);
  assert.deepEqual(JSON.parse(twins.stdout), { read: 1, new: 0, changed: 0, kept: 0, unmatched: 2, bad: 0 });
  const missing = await load(`problems ${site}/no.csv?key=secret`);
  assert.equal(missing.code, 3);
  assert.match(missing.stderr, /^garden: http:.*\/no\.csv answered 404: check the address, .*\.\n$/);
  const piped = await load('problems - --format csv --json', csv);
  assert.deepEqual(JSON.parse(piped.stdout), rows);
  const guessed = await load('problems -', csv);
  assert.equal(guessed.code, 3);
  assert.match(guessed.stderr, /not a JSON document/);
  assert.deepEqual(await readdir(folder), [], 'nothing is left in the temporary folder');
});

test('--skip-bad leaves bad rows out, counts them and says which', async (t) => {
  const databaseUrl = await temporaryFile(t);
  const input = `${csv},cses,3,\r\nFour,cses,4,many\r\nFive,cses\r\n`;
  const args = 'import problems - --format csv';
  const refused = await gardenHere(args, { databaseUrl, input });
  assert.deepEqual([refused.code, refused.stdout], [3, '']);
  assert.match(
    refused.stderr,
    /^garden: 2 rows are not valid and nothing was imported; .* --skip-bad:\n {2}line 5, column 1: rating is "many"/,
  );
  assert.ok(!existsSync(pathOf(databaseUrl)), 'not even a database is made');
  const skipped = await gardenHere(`${args} --skip-bad --json`, { databaseUrl, input });
  assert.deepEqual(JSON.parse(skipped.stdout), { ...rows, read: 5, bad: 3 });
  assert.match(
    skipped.stderr,
    /^(?:Created the database .*\n)?skipped: line 5, column 1: .*\nskipped: line 6, column 1: .*\nskipped: line 4, /,
  );
});

test('an export replaces its file whole, keeps links and permissions, and writes to devices as they are', async (t) => {
  const folder = await temporaryFolder(t);
  const databaseUrl = `sqlite:${join(folder, 'g.db')}`;
  const cli = commandLine(databaseUrl);
  await cli.run('import problems - --format csv', { input: csv });
  const [file, link] = [join(folder, 'real.csv'), join(folder, 'link.csv')];
  await writeFile(file, 'old', { mode: 0o640 });
  await symlink(file, link);
  const run = await cli.run(['export', 'problems', link]);
  assert.deepEqual([run.code, run.stdout, run.stderr], [0, '', `2 rows of problems written to ${link}\n`]);
  assert.match(await readFile(file, 'utf8'), /^id,title,source,.*\r\n1,One,/);
  assert.equal((await stat(file)).mode & 0o777, 0o640);
  const fresh = join(folder, 'fresh.ndjson');
  await cli.run(['export', 'problems', fresh]);
  assert.equal((await stat(fresh)).mode & 0o777, 0o600);
  assert.equal(JSON.parse((await readFile(fresh, 'utf8')).split('\n')[0] ?? '')['title'], 'One');
  assert.equal((await cli.run('export problems /dev/null')).code, 0);
  for (const [what, name, says] of [
    ['plants', 'a.xlsx', 'plants cannot be a .xlsx file; name it .json, .ndjson, .csv, .jsonl, or set --format.'],
    ['archive', 'a.json', 'archive cannot be a .json file; name it .zip.'],
  ] as const) {
    const { code, stderr } = await cli.run(['export', what, join(folder, name), '--member', 'ada']);
    assert.deepEqual([code, stderr, existsSync(join(folder, name))], [2, `garden: ${says}\n`, false]);
  }
  assert.ok((await stat('/dev/null')).isCharacterDevice());
  for (const path of [folder, join(folder, 'no', 'such.csv'), '/dev/full']) {
    const { code, stderr } = await cli.run(['export', 'problems', path]);
    assert.equal(code, 1);
    assert.match(stderr, /^garden: .* cannot be written \(E[A-Z]+\); choose another place or free some space\.\n$/);
  }
  const left = (await readdir(folder)).filter((name) => name.includes('partial'));
  assert.deepEqual(left, []);
});

/** Runs a line of bash in which "$0" is Node; answers its code, and all that it printed. */
async function bash(line: string, databaseUrl: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('bash', ['-c', `set -o pipefail; ${line}`, process.execPath], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

test('a reader that has seen enough ends an export quietly', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const many = Array.from({ length: 20_000 }, (_, n) => `Problem ${n},cses,${n}\n`).join('');
  await gardenHere('import problems - --format csv', { databaseUrl, input: `title,source,source_key\n${many}` });
  const { code, said } = await bash('"$0" bin/garden export problems - --format csv | head -n 1', databaseUrl);
  assert.equal(code, 0);
  assert.match(said, /^id,title,.*\r\n$/);
});

test('a sync whose reader ends before it has failed', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await gardenHere('member create ada', { databaseUrl });
  assert.equal((await bash('"$0" bin/garden sync 2>&1 | true', databaseUrl)).code, 1);
});

test('a judge without a list of problems has no catalogue to import, and the command says so', async (t) => {
  const cli = await newCommandLine(t);
  await cli.run('member create ada');
  const { code, stderr } = await cli.run('sync --catalogue --judge leetcode');
  assert.equal(code, 0);
  assert.equal(
    stderr,
    'LeetCode offers no list of its problems. They are added when members’ submissions are imported.\n',
  );
});
