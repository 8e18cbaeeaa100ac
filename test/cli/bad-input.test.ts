/** Whatever is wrong with a file, a database or a disk: one clear sentence, a meaningful exit code, nothing half done. */
import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { commandLine, gardenHere } from '../support/commands.ts';
import { smallDisk } from '../support/disks.ts';
import { type Run, root, temporaryFolder } from '../support/garden.ts';
import { nobody } from '../support/nobody.ts';

const problems = '[{"id":1,"title":"One","source":"cses","source_key":"1"}]';

const contentOf = (path: string) => readFile(path, 'base64');

async function filled(t: TestContext) {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'garden.db');
  const databaseUrl = `sqlite:${path}`;
  await gardenHere('import problems -', { databaseUrl, input: problems });
  const state = async () => [await readdir(folder), await contentOf(path)];
  return { folder, path, databaseUrl, state };
}

function assertSentence(run: Run, code: number, says: RegExp): void {
  assert.match(run.stderr, says);
  assert.match(run.stderr, /^garden: [^\n]+[.](?:\n {2}[^\n]+)*\n$|(?:--skip-bad|it is):(?:\n {2}[^\n]+)+\n$/);
  assert.doesNotMatch(run.stderr, /\n {4}at |node:|Error:/);
  assert.deepEqual([run.code, run.stdout], [code, '']);
}

test('a file that cannot be what it should be is refused, and the database stays as it was', async (t) => {
  const { folder, databaseUrl, state } = await filled(t);
  const file = (name: string) => join(folder, 'files', name);
  const shared = '{"status":"OK","result":[{"contestId":1,"index":"A","shared":[]}]}';
  const files = {
    'cut.json': problems.slice(0, -5),
    'page.json': '<!doctype html>',
    'shared.json': shared,
    'rows.csv': 'name\nOne\nTwo\n',
    'row.json': '[\n {"username":"carl","source":"cses","source_key":"1","status":"reading"}]',
  };
  await mkdir(join(folder, 'files'));
  for (const [name, content] of Object.entries(files)) await writeFile(file(name), content);
  const before = await state();
  const refused: [args: string[], code: number, says: RegExp][] = [
    [['problems', file('none.json')], 3, /none\.json does not exist: check the path\./],
    [['problems', join(folder, 'files')], 3, /files is a directory: name a file in it\./],
    [['problems', file('cut.json')], 3, /Line 1, column \d+: the JSON ends here, in the middle: it was cut short/],
    [['problems', file('page.json')], 3, /this is a web page, not JSON: get the file itself/],
    [['cses-problems', file('shared.json')], 3, /Codeforces shared problems, not CSES problem list.*codeforces-twins/],
    [['lists', file('rows.csv')], 3, /No row is valid and nothing was imported; .* kind that it is:/],
    [['statuses', file('row.json')], 3, /line 2, column 2: no member is called carl; import records first/],
    [['codeforces-submissions', file('shared.json')], 2, /--member NAME/],
    [['problems', file('cut.json'), '--member', 'ada'], 2, /--member works only for submissions/],
    [['cses-problems', file('cut.json'), '--format', 'csv'], 2, /--format works only for our own resources/],
    [['codeforces-submissions', '-', '--member', 'carl'], 1, /There is no member called carl; garden member list/],
  ];
  const input = '{"status":"OK","result":[]}';
  const runs = refused.map(async ([args, code, says]) =>
    assertSentence(await gardenHere(['import', ...args], { databaseUrl, input }), code, says),
  );
  await Promise.all(runs);
  assert.deepEqual(await state(), before);
});

test('a database that is none of ours, or no database at all, is never touched', async (t) => {
  const folder = await temporaryFolder(t);
  const foreign = join(folder, 'foreign.db');
  new Database(foreign).exec('CREATE TABLE theirs (id INTEGER)').close();
  const text = join(folder, 'text.db');
  await writeFile(text, 'This is a letter to my aunt, and longer than the header of a database would be.\n'.repeat(9));
  const cases: [path: string, says: RegExp][] = [
    [foreign, /foreign\.db is a SQLite database of another program; choose another file/],
    [text, /text\.db is damaged or no SQLite database; name another file in DATABASE_URL or restore/],
    [folder, /is a directory; name a file in DATABASE_URL/],
  ];
  for (const [path, says] of cases) {
    const before = path === folder ? '' : await contentOf(path);
    const verbs = ['import problems -'];
    if (path === foreign) verbs.push('serve --port 0');
    const options = { databaseUrl: `sqlite:${path}`, input: problems };
    const runs = verbs.map(async (args) => assertSentence(await gardenHere(args, options), 4, says));
    await Promise.all(runs);
    if (path !== folder) assert.equal(await contentOf(path), before);
  }
  assert.deepEqual(await readdir(folder), ['foreign.db', 'text.db']);
});

test('a database that may not be written is read and backed up, not changed, and no other is made in its place', async (t) => {
  const asNobody = await nobody(t);
  if (!asNobody) return t.skip('this user cannot run the program without the right to write everywhere');
  const { folder, path, databaseUrl, state } = await filled(t);
  const before = await state();
  await chmod(path, 0o444);
  await chmod(folder, 0o555);
  const refused: [databaseUrl: string, args: string[], says: RegExp][] = [
    [databaseUrl, ['import', 'problems', '-'], /garden\.db cannot be written; give this user write permission/],
    [`sqlite:${folder}/new.db`, ['member', 'create', 'bob'], /new\.db cannot be created \(EACCES\); choose /],
  ];
  try {
    const runs = refused.map(async ([url, args, says]) =>
      assertSentence(await asNobody(args, { databaseUrl: url, input: problems }), 4, says),
    );
    await Promise.all(runs);
    const exported = await asNobody(['export', 'problems'], { databaseUrl });
    assert.deepEqual([exported.code, JSON.parse(exported.stdout).length], [0, 1], exported.stderr);
    const backup = join(await temporaryFolder(t), 'all.db.gz');
    await chmod(dirname(backup), 0o777);
    const backedUp = await asNobody(['backup', backup, '--json'], { databaseUrl });
    assert.equal(backedUp.code, 0, backedUp.stderr);
    assert.deepEqual(await state(), before);
  } finally {
    await chmod(folder, 0o755);
  }
});

test('what root creates, backs up and restores belongs to the owner of the folder; a backup that may not be read is said so', async (t) => {
  const asNobody = await nobody(t);
  if (!asNobody || process.getuid?.() !== 0) return t.skip('only root can write for other users');
  const folder = await temporaryFolder(t);
  await chown(folder, 65_534, 65_534);
  const databaseUrl = `sqlite:${folder}/data/garden.db`;
  const asRoot = commandLine(databaseUrl);
  await asRoot.json('member create ada');
  const { file } = await asRoot.json<{ file: string }>('backup');
  await asRoot.json(['restore', file]);
  const names = await readdir(folder, { recursive: true });
  assert.ok(names.length >= 6, String(names));
  for (const name of names) assert.equal((await stat(join(folder, name))).uid, 65_534, name);
  assert.equal((await asNobody(['member', 'create', 'bob'], { databaseUrl })).code, 0);
  await chown(file, 0, 0);
  const unread = await asNobody(['restore', file], { databaseUrl });
  assertSentence(unread, 3, /db\.gz cannot be read \(EACCES\); run the command as/);
});

test('a full disk is said so, and what was there stays', async (t) => {
  const folder = await smallDisk(t, 4 * 1024);
  if (folder !== undefined) await fillUp(folder);
});

test('a database that the disk has no room for is not made, and the disk is left as it was', async (t) => {
  for (const kibibytes of [256, 768, 1536]) {
    const folder = await smallDisk(t, kibibytes);
    if (folder === undefined) return;
    const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
    const made = await gardenHere('import problems -', { databaseUrl, input: problems });
    assertSentence(made, 4, /The disk under .* is full; nothing was changed: free/);
    assert.deepEqual(await readdir(folder), []);
  }
});

async function fillUp(folder: string): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const cli = commandLine(databaseUrl);
  await cli.run('import problems -', { input: problems });
  const before = await cli.run('export problems');
  const many = Array.from({ length: 20_000 }, (_, n) => `Problem number ${n},cses,${n}\n`).join('');
  const input = `title,source,source_key\n${many}`;
  const args = 'import problems - --format csv';
  assertSentence(await cli.run(args, { input }), 4, /The disk under .* is full; nothing was changed: free/);
  assert.deepEqual(await cli.run('export problems'), before);
  assert.deepEqual(await readdir(folder), ['garden.db']);
  const kept = await gardenHere(args, {
    databaseUrl: `sqlite:${join(root, 'none.db')}`,
    input: input.repeat(9),
    env: { TMPDIR: folder },
  });
  assertSentence(kept, 3, /cannot be copied to .* \(ENOSPC\), and nothing was imported: free some space there/);
  const target = join(folder, 'out.csv');
  await writeFile(join(folder, 'filler'), Buffer.alloc(8_000_000)).catch(() => {});
  const { code, stderr } = await cli.run(['export', 'problems', target]);
  assert.ok((code === 1 || code === 4) && /^garden: .*\.\n$/.test(stderr), stderr);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('out')),
    [],
  );
}
