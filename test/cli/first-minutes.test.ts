/** The first minutes of a garden, by the real program: the printed addresses, what they are good for, and the settings that name the first member. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { greet, makeAdmin } from '../../src/cli/first-start.ts';
import { readConfig, type SettingFlags } from '../../src/config.ts';
import { loadSample, sampleUsername } from '../../src/importing/sample.ts';
import { makeDemoKey } from '../../src/practice/members.ts';
import { codeforcesNamed, openGarden, submissionsOf, twins } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { commandLine, gardenHere, gardenJson } from '../support/commands.ts';
import { allThatIsKept } from '../support/databases.ts';
import { shellBlocksOf } from '../support/documents.ts';
import { browser, signIn, textOf } from '../support/forms.ts';
import {
  environment,
  garden,
  root,
  type Server,
  serve,
  temporaryDatabase,
  temporaryFolder,
  withStore,
} from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { findTool } from '../support/tools.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from '../sync/support.ts';

const password = 'seven lanterns by the well';
const account = { username: 'ada', password };
const tokens = /pgt_[0-9A-Za-z]{36}/g;
const run = promisify(execFile);

async function addressOf(server: Server, kind: 'setup' | 'demo'): Promise<string> {
  const pattern = new RegExp(`^  http://localhost:\\d+(/authentication/${kind}/\\?key=[\\w-]{43})$`, 'm');
  await until('an address', () => pattern.test(server.stdout()));
  return pattern.exec(server.stdout())?.[1] ?? '';
}

/** The curl lines that a first start prints work, with the token that it prints. */
async function assertCommands({ url, stdout }: Server): Promise<void> {
  const said = stdout();
  const base = `http://localhost:${new URL(url).port}`;
  assert.ok(said.includes(`${base}/docs/reference/`) && said.includes(`${base}/ `), said);
  assert.equal(new Set(said.match(tokens)).size, 1);
  const lines = said.split('\n').filter((line) => line.startsWith('  curl '));
  assert.equal(lines.length, 3);
  const answers: string[] = [];
  for (const line of lines) answers.push((await run('sh', ['-c', `${line.trim()} -sS -w '\n%{http_code}'`])).stdout);
  const [problems = '', statuses = '', deletion = ''] = answers;
  assert.deepEqual([JSON.parse(problems.slice(0, -4)).length, problems.slice(-3)], [3, '200']);
  assert.ok(JSON.parse(statuses.slice(0, -4)).length > 20 && statuses.endsWith('200'));
  assert.equal(deletion, '\n204');
}

const admin = (flags: SettingFlags) => makeAdmin(readConfig(flags), { create: true, lockTimeoutMs: 5_000 });

describe('the first minutes', { concurrency: 3 }, () => {
  test('an empty garden prints an address that makes the first staff, once, and ends when a command makes a member', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const cli = commandLine(databaseUrl);
    const first = await serve(t, { databaseUrl });
    assert.match(first.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const old = await addressOf(first, 'setup');
    assert.match(first.stdout(), /^listening on .*\n\nThis server has no accounts yet\. .*\n {2}http:.*\n$/);
    assert.equal((await fetch(`${first.url}/problem_list/api/problems/`)).status, 401);
    assert.equal((await (await openGarden(t, databaseUrl)).everything()).trim(), '', 'it loads no sample');
    await cli.json('member create eve');
    assert.equal((await browser(first.url).open(old)).status, 404);
    await cli.json('member delete eve --yes');
    assert.equal(await first.stop(), 0);

    const second = await serve(t, { databaseUrl, env: { HOST: '0.0.0.0', WORKERS: '2' } });
    const address = await addressOf(second, 'setup');
    assert.notEqual(address, old);
    const visitor = browser(second.url);
    assert.equal((await visitor.open(old)).status, 404, 'the address of an earlier start');
    const form = await visitor.open(address);
    assert.equal(form.status, 200);
    assert.equal(form.headers['cache-control'], 'no-store');
    const weak = await visitor.submit({ name: 'password' }, { ...account, password: 'short' });
    assert.equal(weak.status, 422);
    const other = browser(second.url);
    await other.open(address);
    const inside = await visitor.submit({ name: 'password' }, account);
    assert.equal(inside.status, 200, textOf(inside, 'main'));
    assert.equal((await visitor.open('/authentication/staff/')).status, 200);
    const late = await other.submit({ name: 'password' }, { ...account, username: 'eve' });
    assert.equal(late.status, 404);
    const members = await cli.json<{ username: string; role: string }[]>('member list');
    assert.deepEqual(
      members.map(({ username, role }) => [username, role]),
      [['ada', 'staff']],
    );
    await second.stop();
    const note = /^Links lead to http:\/\/localhost:\d+, which only this computer can open; set BASE_URL to /m;
    const invited = (env: Record<string, string>) => cli.run('member invite', { env });
    const said = [first, second, await invited({}), await invited({ BASE_URL: 'http://localhost:8080' })];
    const notes = said.map(({ stderr }) => note.test(typeof stderr === 'string' ? stderr : stderr()));
    assert.deepEqual(notes, [false, true, true, false]);
    assert.doesNotMatch([first, second].map((one) => one.stderr()).join(''), /key=|lanterns/);
  });

  test('the first start with the sample prints a token and three curl lines, and each an address that signs the demo member in and leads to a garden of one’s own; elsewhere than on this computer, the set-up address', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const args = ['--sample'];
    const first = await serve(t, { databaseUrl, args });
    while (!first.stdout().includes('Ctrl+C')) await once(first.child.stdout ?? first.child, 'data');
    const old = await addressOf(first, 'demo');
    await assertCommands(first);
    assert.equal(await first.stop(), 0);
    const kept = await openGarden(t, databaseUrl);
    const before = await kept.everything();
    const greetAt = (baseUrl: string) =>
      greet({ baseUrl, databaseUrl, databaseFlag: undefined, sample: true, demo: false });
    const elsewhere = `${await greetAt('https://garden.example.org')}`;
    assert.match(elsewhere, /\n {2}https:\/\/garden\.example\.org\/authentication\/setup\/\?key=/);
    const server = await serve(t, { databaseUrl, args });
    const address = await addressOf(server, 'demo');
    assert.equal(server.stdout().match(/authentication\//g)?.length, 1);
    assert.doesNotMatch(server.stdout(), tokens);
    assert.match(server.stdout(), /\n {2}bin\/garden token create demo --name "my programs"\n/);
    assert.equal(await kept.everything(), before);
    const visitor = browser(server.url);
    assert.equal((await visitor.open(old)).status, 404, 'the address of an earlier start');
    await visitor.open(address);
    const page = await visitor.open('/dashboard/');
    assert.equal(page.status, 200);
    assert.match(textOf(page, '.demo-line'), /demo account.*Create your own account/);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    for (const way of ['.demo-line a', '.top .demo']) {
      assert.equal(page.document.querySelector(way)?.getAttribute('href'), '/authentication/own-garden/');
      assert.ok(readme.includes(`"${textOf(page, way)}"`), textOf(page, way));
    }
    assert.equal((await browser(server.url).open(address)).path, visitor.page().path, 'a reload');

    const proxied = browser(server.url, { 'X-Forwarded-For': '192.0.2.7' });
    const refused = await proxied.open(address);
    assert.equal(refused.status, 404);
    assert.equal(proxied.cookies.size, 0);
    assert.match(refused.text, /only works on the computer that runs the server/);

    assert.equal((await visitor.open('/authentication/staff/')).status, 404);
    await visitor.open(page.document.querySelector('.demo-line a')?.getAttribute('href') ?? '');
    const weak = await visitor.submit({ name: 'password' }, { ...account, password: 'short' });
    assert.match(textOf(weak, '#password-fault'), /at least 10/);
    await visitor.submit({ name: 'password' }, account);
    assert.equal((await visitor.open('/authentication/staff/')).status, 200);
    const own = await visitor.open('/problem_list/');
    assert.equal(own.document.querySelector('.demo-line'), null);

    const next = (await visitor.open('/dashboard/')).document.querySelectorAll('[aria-labelledby="for-others"] a');
    assert.deepEqual(
      next.map((one) => one.getAttribute('href')),
      [
        '/authentication/staff/settings/#sample',
        '/authentication/staff/imports/',
        '/dashboard/groups/',
        '/authentication/staff/invitations/',
      ],
    );
    await visitor.open('/authentication/staff/settings/?ask=sample');
    const done = await visitor.submit({ name: 'sample' });
    assert.match(textOf(done, '[role=status]'), /Demo data removed/);
    assert.doesNotMatch(textOf(await visitor.open('/dashboard/'), 'main'), /demo data/);

    await server.stop();
    const place = 'http://localhost:8080';
    const again = `${await greetAt(place)}\n`;
    assert.ok(again.includes(`Practice Garden is at ${place}/, the API documentation at ${place}/docs/reference/\n`));
    assert.doesNotMatch(again, tokens);
    assert.doesNotMatch(again, /authentication\//);
    const [, command = ''] = /\n {2}bin\/garden (token create) NAME --name "my programs"\n/.exec(again) ?? [];
    const made = await gardenJson<{ token: string }>([...command.split(' '), 'ada', '--name', 'my programs'], {
      databaseUrl,
    });
    assert.match(made.token, tokens);
  });

  test('ADMIN_USERNAME with ADMIN_PASSWORD or a file makes the first member, and changes nobody later', async (t) => {
    const file = join(await temporaryFolder(t), 'password');
    await writeFile(file, `${password}\nnot this line\n`);
    const said = t.mock.method(process.stderr, 'write', () => true);
    for (const settings of [{ adminPassword: password }, { adminPasswordFile: file }]) {
      const databaseUrl = await temporaryDatabase(t);
      await admin({ databaseUrl, adminUsername: 'ada', ...settings });
      const { url } = await serveHere(t, { databaseUrl });
      const ada = await signIn(url, 'ada', password);
      assert.equal((await ada.open('/authentication/staff/')).status, 200);
      assert.doesNotMatch((await allThatIsKept(databaseUrl)).join(''), /lanterns/);
    }
    assert.match(String(said.mock.calls[0]?.arguments[0]), /^Created ada, an administrator \(staff\)\./);
    assert.doesNotMatch(said.mock.calls.map(({ arguments: [text] }) => text).join(), /lanterns/);
    said.mock.restore();

    const databaseUrl = await temporaryDatabase(t);
    const env = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: password, LOG_LEVEL: 'debug' };
    const server = await serve(t, { databaseUrl, env });
    await server.stop();
    assert.equal(server.stdout(), `listening on ${server.url}\n`);
    assert.match(server.stderr(), /^Created ada, /m);
    assert.doesNotMatch(server.stderr(), /lanterns/);
    await admin({ databaseUrl, adminUsername: 'eve', adminPassword: 'another long password' });
    const members = await gardenJson<{ username: string }[]>('member list', { databaseUrl });
    assert.deepEqual(
      members.map(({ username }) => username),
      ['ada'],
    );
  });

  test('what is wrong with ADMIN_… ends the start with code 2 and repeats no password', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const cases: [settings: SettingFlags, says: RegExp][] = [
      [{}, /^ADMIN_USERNAME needs ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, and only one of them\.$/],
      [{ adminPassword: password, adminPasswordFile: '/x' }, /and only one of them/],
      [
        { adminPasswordFile: '/no/such/file' },
        /^\/no\/such\/file, which ADMIN_PASSWORD_FILE names, cannot be read \(ENOENT\); name a file that this user can read, /,
      ],
      [{ adminPassword: password, adminUsername: 'a b' }, /^ADMIN_USERNAME cannot be a username/],
    ];
    await assert.rejects(admin({ databaseUrl, adminPassword: password }), {
      message: 'ADMIN_PASSWORD needs ADMIN_USERNAME; set both, or neither.',
    });
    for (const [settings, message] of cases)
      await assert.rejects(admin({ databaseUrl, adminUsername: 'ada', ...settings }), {
        code: 'invalidValue',
        message,
      });
    const env = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: 'sesame' };
    const { code, stdout, stderr } = await garden(['serve', '--port', '0'], { databaseUrl, env });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^garden: .*cannot be used\. Use at least 10 characters/);
    assert.doesNotMatch(stderr, /sesame/);
  });

  test('the commands that README has for a garden of one’s own do what it says', async (t) => {
    const curl = findTool(t, 'curl');
    if (curl === undefined) return;
    const [block] = shellBlocksOf('README.md').filter(({ place }) => place === 'README.md#make-it-yours');
    const solved = submissionsOf('ada_codes', ['1A', 'OK', 1_700_000_000], ['4A', 'WRONG_ANSWER', 1_700_000_100]);
    const { result: problems } = codeforcesNamed('Problem', '1A', '4A') as { result: unknown };
    const { result: rows } = solved as { result: unknown[] };
    const replay = await replayOf(t, {
      codeforces: replayCodeforces({ status: { ada_codes: rows }, problems }),
      twins: () => ({ body: twins(['1A', '2A']) }),
    });
    const databaseUrl = await temporaryDatabase(t);
    await withStore(databaseUrl, (store) => loadSample(store));
    const server = await serveHere(t, { databaseUrl });
    const key = await withStore(databaseUrl, (store) => makeDemoKey(store, sampleUsername));
    const visitor = browser(server.url);
    await visitor.open(`/authentication/demo/?key=${key}`);
    await visitor.open('/authentication/own-garden/');
    await visitor.submit({ name: 'password' }, account);
    const here = (block?.text ?? '')
      .replace('https://codeforces.com/api', `${replay.url}/codeforces`)
      .replace('https://raw.githubusercontent.com', `${replay.url}/twins`)
      .replace('http://localhost:8080', server.url);
    const PATH = [dirname(process.execPath), dirname(curl), process.env['PATH']].join(delimiter);
    const env = { PATH, JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
    const { stdout } = await run('sh', ['-euc', here], {
      cwd: root,
      env: environment({ databaseUrl, env }),
    });
    const listed = JSON.parse(stdout.split('\n').at(-1) ?? '') as { title: string }[];
    assert.deepEqual(
      listed.map(({ title }) => title),
      ['Problem 1A'],
    );
    assert.match((await gardenHere('member list', { databaseUrl })).stdout, /^id.*\n\d+ +ada .*\n$/);
  });

  test('config shows that there is a password, and not which', async () => {
    const env = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: password };
    for (const command of ['config', 'config --json', 'config --env-file']) {
      const { code, stdout } = await gardenHere(command, { env });
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /lanterns/);
      if (!command.endsWith('--env-file')) assert.match(stdout, /ADMIN_PASSWORD\b.*\n?.*\*\*\*/);
    }
  });
});
