/** The process of jobs is killed, or its whole server: nothing that was acknowledged is lost, it is said, and the work goes on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeforcesNamed } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { onceOnly, rowsOf, tamper, testStore } from '../support/databases.ts';
import { memberWithPassword, signIn, textOf } from '../support/forms.ts';
import { serve, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { childrenOf } from '../support/processes.ts';
import { holdTurn, staffImports, uploaded } from '../support/uploads.ts';
import { until } from '../support/waiting.ts';
import { backups } from './backups.ts';
import { gardenWithHandle, replayOf, rowsSent } from './support.ts';

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
const patience = { timeoutMs: 120_000 };
/** The names of backups and the page tell seconds apart. */
const anotherSecond = () => sleep(1_100);
const problemsIn = async (databaseUrl: string) =>
  Number((await rowsOf(databaseUrl, 'SELECT count(*) AS n FROM problems'))[0]?.['n']);

test('an import that was asked for is done after its server was killed, though nobody looks', {
  skip: onceOnly,
}, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const first = await serve(t, { databaseUrl });
  const staff = await signIn(first.url, 'root');
  const bytes = 'source,source_key,title\nmade,1,One\nmade,2,Two\n';
  await uploaded(staff, staffImports, { file: { name: 'problems.csv', bytes } });
  await holdTurn(databaseUrl, async () => {
    const page = await staff.submit({ name: 'act', value: 'import' });
    assert.equal(page.document.querySelector('[data-state]')?.getAttribute('data-state'), 'to-import');
    first.child.kill('SIGKILL');
    await until('it is gone', () => first.child.signalCode !== null);
  });
  assert.equal(await problemsIn(databaseUrl), 0);
  await serve(t, { databaseUrl });
  await until('the import', async () => (await problemsIn(databaseUrl)) === 2, patience);
  const isImported = async () => (await rowsOf(databaseUrl, 'SELECT state FROM uploads'))[0]?.['state'] === 'imported';
  assert.equal(await isImported(), true, 'the report is written with the rows');
});

test('a file that was arriving when its server was killed is in nobody’s way', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const root = await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const { url } = await serveHere(t, { databaseUrl });
  const staff = await browserOf(url, 'root');
  const [now, later] = [Date.now(), Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  const values = `1, ${root}, 'staff', 'lost.csv', '{}', 1, 'arriving', NULL, '${now}', NULL, '${later}'`;
  await tamper(
    databaseUrl,
    `INSERT INTO uploads VALUES (${values})`,
    "INSERT INTO id_counters (table_name, last_id) VALUES ('uploads', 1)",
    `INSERT INTO leases VALUES ('arriving 1', 'alive', ${Date.now() + 600_000})`,
  );
  const file = { name: 'problems.csv', bytes: 'source,source_key,title\nmade,1,One\n' };
  await staff.open(staffImports);
  assert.equal((await staff.submit({ name: 'file' }, { file })).status, 409);
  await tamper(databaseUrl, 'UPDATE leases SET ends_at = 0');
  await uploaded(staff, staffImports, { file });
  assert.equal((await rowsOf(databaseUrl, "SELECT id FROM uploads WHERE state = 'arriving'")).length, 0);
});

test('syncs go on in another process, on a server with one process and with two', {
  skip: process.platform === 'linux' ? false : 'looks for processes in /proc',
}, async (t) => {
  // Each number of processes on one store.
  const workers = testStore === 'sqlite' ? '1' : '2';
  const { garden } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { databaseUrl } = garden;
  const problems = codeforcesNamed('Pond', '1A', '2A');
  await garden.import('codeforces-problems', problems);
  const codeforces = replayCodeforces({
    status: { ada: rowsSent('ada', ['2A', 'OK', 20], ['1A', 'OK', 10]) },
    problems: (problems as { result: unknown }).result,
  });
  const replay = await replayOf(t, { codeforces });
  const env = { SYNC: 'on', WORKERS: workers, JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
  const server = await serve(t, { databaseUrl, env });
  await until('a request', () => replay.log.length > 0, patience);
  const holder = async (name = 'sync') =>
    (await rowsOf(databaseUrl, `SELECT holder FROM leases WHERE name = '${name}'`))[0]?.['holder'];
  await until('it asks for results of contests too', async () => (await holder('real fields')) !== undefined);
  const first = await holder();
  const jobs = childrenOf(server.child.pid).filter((pid) => commandOf(pid).includes('/jobs/process.ts'));
  assert.equal(jobs.length, 1);
  process.kill(jobs[0] ?? 0, 'SIGKILL');
  await until('the server says so', () => /the process of jobs broke off: it ended by SIGKILL/.test(server.stderr()));
  const isSynced = async () => (await rowsOf(databaseUrl, 'SELECT problem_id FROM first_solves')).length === 2;
  await until('the submissions', isSynced, patience);
  assert.equal(await holder(), first, 'the lease of the dead process is taken over at once');
  assert.equal(await server.stop(), 0);
  assert.equal(await holder(), undefined, 'a server that stops gives its leases up');
});

test('a backup whose process died says so on the page, and another one can be made', {
  skip: process.platform === 'linux' ? onceOnly : 'looks for processes in /proc',
}, async (t) => {
  const { databaseUrl, stderr, open, make, count } = await backups(t);
  await make();
  await until('a backup', async () => (await count()) === 1, patience);
  await until('the page offers another', async () => (await open()).text.includes('name="make"'));
  const jobs = childrenOf(process.pid).find((pid) => commandOf(pid).includes('/jobs/process.ts')) ?? 0;
  process.kill(jobs, 'SIGSTOP');
  await anotherSecond();
  assert.match(textOf(await make(), '[data-state=under-way]'), /running since/);
  process.kill(jobs, 'SIGKILL');
  await until('the server says so', () => /broke off: it ended by SIGKILL/.test(stderr()));
  await tamper(databaseUrl, 'UPDATE leases SET ends_at = 0');
  assert.match(textOf(await open(), '.notice'), /The backup was not made/);
  assert.equal(await count(), 1);
  await anotherSecond();
  await make();
  await until('the backup', async () => (await count()) === 2, patience);
  assert.equal((await open()).document.querySelector('.notice'), null);
});

test('a server goes on where the process of jobs cannot be started, as while an update replaces Node', {
  skip: onceOnly,
}, async (t) => {
  const { databaseUrl, folder, stderr, open, make, count } = await backups(t);
  const { execPath } = process;
  t.after(() => {
    process.execPath = execPath;
  });
  process.execPath = join(folder, 'node');
  await make();
  await until('the server says so', () => /the process of jobs broke off: Error: spawn .* ENOENT/.test(stderr()));
  process.execPath = execPath;
  await tamper(databaseUrl, 'UPDATE leases SET ends_at = 0');
  await open();
  await make();
  await until('a backup', async () => (await count()) === 1, patience);
});
