/** The first minutes of a garden, by the real program: the printed addresses, what they are good for, and the settings that name the first member. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { codeforcesNamed, submissionsOf, twins } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { gardenHere } from '../support/commands.ts';
import { allThatIsKept, onceOnly } from '../support/databases.ts';
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
} from '../support/garden.ts';
import { findTool } from '../support/tools.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from '../sync/support.ts';

const password = 'seven lanterns by the well';
const account = { username: 'ada', password };

async function addressOf(server: Server, kind: 'setup' | 'demo'): Promise<string> {
  const pattern = new RegExp(`^  http://localhost:\\d+(/authentication/${kind}/\\?key=[\\w-]{43})$`, 'm');
  await until('an address', () => pattern.test(server.stdout()));
  return pattern.exec(server.stdout())?.[1] ?? '';
}

describe('the first minutes', { concurrency: 3 }, () => {
  test('an empty garden prints an address that makes the first staff, once', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const first = await serve(t, { databaseUrl });
    const old = await addressOf(first, 'setup');
    assert.match(first.stdout(), /^listening on .*\n\nThis server has no accounts yet\. .*\n {2}http:.*\n$/);
    await first.stop();

    const second = await serve(t, { databaseUrl, env: { WORKERS: '2' } });
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
    const listed = await gardenHere(['member', 'list', '--json'], { databaseUrl });
    const members = JSON.parse(listed.stdout) as { username: string; role: string }[];
    assert.deepEqual(
      members.map(({ username, role }) => [username, role]),
      [['ada', 'staff']],
    );
    await second.stop();
    const third = await serve(t, { databaseUrl });
    await third.stop();
    assert.equal(third.stdout(), `listening on ${third.url}\n`);
    assert.doesNotMatch([first, second, third].map((one) => one.stderr()).join(''), /key=|lanterns/);
  });

  test('a member that a command makes meanwhile ends the printed address', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const server = await serve(t, { databaseUrl });
    const address = await addressOf(server, 'setup');
    await gardenHere(['member', 'create', 'ada'], { databaseUrl });
    assert.equal((await browser(server.url).open(address)).status, 404);
  });

  test('each start with the sample prints an address that signs the demo member in and leads to a garden of one’s own; elsewhere than on this computer, the set-up address', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const elsewhere = await serve(t, {
      databaseUrl,
      args: ['--sample'],
      env: { BASE_URL: 'https://garden.example.org' },
    });
    await until('an address', () => elsewhere.stdout().includes('key='));
    assert.match(elsewhere.stdout(), /\n {2}https:\/\/garden\.example\.org\/authentication\/setup\/\?key=/);
    await elsewhere.stop();
    const first = await serve(t, { databaseUrl, args: ['--sample'] });
    const old = await addressOf(first, 'demo');
    await first.stop();
    const server = await serve(t, { databaseUrl, args: ['--sample'] });
    const address = await addressOf(server, 'demo');
    assert.equal(server.stdout().match(/authentication\//g)?.length, 1);
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
  });

  const byEnvironment = 'ADMIN_USERNAME with ADMIN_PASSWORD or a file makes the first member, and changes nobody later';
  test(byEnvironment, { skip: onceOnly }, async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'password');
    await writeFile(file, `${password}\nnot this line\n`);
    for (const env of [{ ADMIN_PASSWORD: password }, { ADMIN_PASSWORD_FILE: file }]) {
      const databaseUrl = await temporaryDatabase(t);
      const server = await serve(t, {
        databaseUrl,
        env: { ADMIN_USERNAME: 'ada', LOG_LEVEL: 'debug', ...env },
      });
      assert.equal(server.stdout(), `listening on ${server.url}\n`);
      const ada = await signIn(server.url, 'ada', password);
      assert.equal((await ada.open('/authentication/staff/')).status, 200);
      await server.stop();
      assert.doesNotMatch(server.stdout() + server.stderr(), /lanterns/);
      assert.doesNotMatch((await allThatIsKept(databaseUrl)).join(''), /lanterns/);
      if (env.ADMIN_PASSWORD === undefined) continue;
      const later = await serve(t, {
        databaseUrl,
        env: { ADMIN_USERNAME: 'eve', ADMIN_PASSWORD: 'another long password' },
      });
      await later.stop();
      const { stdout } = await gardenHere(['member', 'list'], { databaseUrl });
      assert.doesNotMatch(stdout, /eve/);
    }
  });

  test('what is wrong with ADMIN_… ends the start with code 2 and repeats no password', {
    skip: onceOnly,
  }, async (t) => {
    const cases: [env: Record<string, string>, says: RegExp][] = [
      [{}, /^garden: ADMIN_USERNAME needs ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, and only one of them\.\n$/],
      [{ ADMIN_PASSWORD: password, ADMIN_PASSWORD_FILE: '/x' }, /and only one of them/],
      [{ ADMIN_PASSWORD: 'sesame' }, /cannot be used\. Use at least 10 characters/],
      [{ ADMIN_PASSWORD_FILE: '/no/such/file' }, /The file in ADMIN_PASSWORD_FILE cannot be read \(ENOENT\)/],
      [{ ADMIN_PASSWORD: password, ADMIN_USERNAME: 'a b' }, /ADMIN_USERNAME cannot be a username/],
    ];
    for (const [env, says] of cases) {
      const databaseUrl = await temporaryDatabase(t);
      const run = await garden(['serve', '--port', '0'], {
        databaseUrl,
        env: { ADMIN_USERNAME: 'ada', LOG_LEVEL: 'warn', ...env },
      });
      assert.equal(run.code, 2, run.stderr);
      assert.match(run.stderr, says);
      assert.doesNotMatch(run.stderr + run.stdout, /sesame|lanterns/);
    }
  });

  test('the commands that README has for a garden of one’s own do what it says', { skip: onceOnly }, async (t) => {
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
    const server = await serve(t, { databaseUrl, args: ['--sample'] });
    const here = (block?.text ?? '')
      .replace('https://codeforces.com/api', `${replay.url}/codeforces`)
      .replace('https://raw.githubusercontent.com', `${replay.url}/twins`)
      .replace('http://localhost:8080', server.url);
    const PATH = [dirname(process.execPath), dirname(curl), process.env['PATH']].join(delimiter);
    const env = { PATH, JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
    const { stdout } = await promisify(execFile)('sh', ['-euc', here], {
      cwd: root,
      env: environment({ databaseUrl, env }),
    });
    const listed = JSON.parse(stdout.split('\n').at(-1) ?? '') as { title: string }[];
    assert.deepEqual(
      listed.map(({ title }) => title),
      ['Problem 1A'],
    );
    assert.match((await gardenHere(['member', 'list'], { databaseUrl })).stdout, /^id.*\n\d+ +ada .*\n$/);
  });

  test('config shows that there is a password, and not which', { skip: onceOnly }, async () => {
    const env = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: password };
    for (const args of [['config'], ['config', '--json'], ['config', '--env-file']]) {
      const { code, stdout } = await gardenHere(args, { env });
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /lanterns/);
      if (args[1] !== '--env-file') assert.match(stdout, /ADMIN_PASSWORD\b.*\n?.*\*\*\*/);
    }
  });
});
