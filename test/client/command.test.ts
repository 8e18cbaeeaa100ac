/** The command for members against a real garden: what each does, how it ends, and where the token goes. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { readUsage } from '../../client/src/usage.ts';
import { problemUrl, program, programGarden } from '../programs/support.ts';
import { rowsOf } from '../support/databases.ts';
import { importProblems, importRows, memberWithToken } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { front, garden, person, type Ran, usualEnv } from './command-support.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const hasScript = !spawnSync('script', ['--version']).error;
const unknownUrl = 'https://codeforces.com/contest/4/problem/A';

async function signedIn(t: TestContext) {
  const garden = await programGarden(t);
  const scopes = ['practice:mark', 'practice:code'];
  const { token } = await memberWithToken(garden.databaseUrl, 'ada', { scopes });
  const { url } = garden.server;
  const ada = await person(t, { GARDEN_URL: url, GARDEN_TOKEN: token });
  const done = async (...args: string[]) => {
    const { code, out, err } = await ada.run(args);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
    return out;
  };
  const statusOf = async (id: number) => (await program(url, token)(`/marks/${id}`)).json;
  return { ...garden, url, token, person: ada, run: ada.run, done, statusOf };
}

function assertEnds({ code, out, err }: Ran, expected: number, sentence: RegExp): void {
  assert.match(err, sentence);
  assert.deepEqual([code, out], [expected, ''], err);
}

// Most of the time they wait for processes.
suite('garden', { concurrency: true }, () => {
  test('mark changes all parts of a mark, adds an unknown problem, and undo takes back what the last run did', async (t) => {
    const { done, run, statusOf, databaseUrl, ada } = await signedIn(t);
    const full = ['solved', '--how', 'hint', '--minutes', '30', '--note', 'Parity.', '--star'];
    const told = await done('mark', problemUrl(7), ...full);
    assert.equal(told, 'Problem 7 (P7): solved, hint, starred.\nUndo it with: garden-client undo\n');
    const { status, how, note, starred } = await statusOf(7);
    assert.deepEqual([status, how, note, starred], ['solved', 'hint', 'Parity.', true]);
    assertEnds(
      await run('mark 7 trying'),
      1,
      /^garden-client: The status would go back\. The website can set it back\.\n$/,
    );
    assertEnds(await run('mark 7'), 2, /Add a status/);
    assert.equal(await done('mark', '7', 'solved'), 'Problem 7: solved, hint, starred.\n');
    assert.equal(await done('undo'), 'Undone.\n');
    assert.equal((await statusOf(7)).status, 'not_started');
    assertEnds(await run('undo'), 1, /Nothing to undo here/);
    // One write adds and marks; a star is a second one, and undo takes back both.
    for (const [more, changes] of [
      [['--how', 'alone'], 1],
      [['--star'], 2],
    ] as const) {
      const { mark } = JSON.parse(await done('mark', unknownUrl, 'solved', ...more, '--json'));
      assert.equal(mark.status, 'solved');
      const undone = JSON.parse(await done('undo', '--json'));
      assert.equal(undone.changes.length, changes);
      assert.deepEqual((await ada(`/problems?url=${unknownUrl}`)).json.items, []);
    }
    const { change } = JSON.parse(await done('mark', '8', 'reading', '--json'));
    await done('mark', '9', 'reading');
    assert.equal(await done('undo', change), 'Undone.\n');
    assert.equal(await done('undo', change), 'It was undone before.\n');
    assert.deepEqual([(await statusOf(8)).status, (await statusOf(9)).status], ['not_started', 'reading']);
    assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM timers WHERE undone_at IS NULL'), []);
  });

  test('the timer starts, pauses, goes on and ends in three ways', async (t) => {
    const { done, run, statusOf } = await signedIn(t);
    const started = await done('start', problemUrl(7));
    assert.equal(started, 'Problem 7 (P7): timer running, 0 min.\nUndo it with: garden-client undo\n');
    assertEnds(await run('start 8'), 1, /another try runs.* Run: garden-client done\n$/);
    assert.match(await done('pause'), /timer paused/);
    assert.match(await done('start', '7'), /timer running/);
    assert.match(await done('done'), /timer ended, 0 min, solved\.\n/);
    for (const [id, flag, expected] of [
      [8, '--editorial', 'editorial'],
      [9, '--unsolved', 'trying'],
    ] as const) {
      await done('start', String(id));
      await done('done', flag);
      const { status, how } = await statusOf(id);
      assert.equal(how ?? status, expected);
    }
    assert.equal((await statusOf(7)).status, 'solved');
    assertEnds(await run('done'), 1, /^garden-client: No timer runs\. Run: garden-client start URL\n$/);
    assertEnds(await run('done --editorial --unsolved'), 2, /Choose one/);
  });

  test('due, grade, next and code', async (t) => {
    const { databaseUrl, done, run, person: ada, url, token } = await signedIn(t);
    assert.match(await done('next'), /^Rated problems to solve before the first suggestion: [1-9]\d*\.\n$/);
    const solved = { username: 'ada', status: 'complete', updated_at: daysAgo(30) };
    await importRows(databaseUrl, 'statuses', [{ ...solved, problem: 7 }]);
    const line = `7  P7 (codeforces 7A, 700)  ${problemUrl(7)}`;
    assert.equal(await done('due'), `1 due, 0 done, 0 waiting for other days.\n${line}\n`);
    assert.match(await done('grade', problemUrl(7), 'good'), /^Problem 7 \(P7\): next review \d{4}-/);
    assertEnds(await run('grade 7 good'), 1, /not due .* Run: garden-client due\n$/);
    assertEnds(await run(['grade', unknownUrl, 'good']), 1, /not due/);
    const ids = Array.from({ length: 60 }, (_, n) => 100 + n);
    const row = (n: number) => ({ source: 'codeforces', source_key: `${100 + n}B`, rating: 1000 + 20 * n });
    await importProblems(databaseUrl, ids, row);
    const statuses = ids.slice(0, 4).map((problem) => ({ ...solved, problem }));
    await importRows(databaseUrl, 'statuses', statuses);
    assert.match(
      await done('next'),
      /^Suggestions: \d\.\n\d+ {2}P\d+ \(codeforces \d+B, \d+\) {2,}(?:like|up|stretch)\n/,
    );

    const code = '\uFEFFint main() {}\r\n';
    await writeFile(join(ada.HOME, 'a.cpp'), code);
    assert.match(await done('code', '7', 'a.cpp'), /^Problem 7: a.cpp, 18 bytes.\n/);
    const { items } = (await program(url, token)('/solutions/7')).json;
    assert.equal((await program(url, token)(`/solutions/7/${items[0].id}`)).json.code, code);
    await writeFile(join(ada.HOME, 'a.bin'), Uint8Array.of(0xff));
    assertEnds(await run('code 7 a.bin'), 2, /cannot be read as UTF-8/);
    assertEnds(await run('code 7 b.cpp'), 2, /cannot be read as UTF-8 text \(ENOENT\)/);
  });

  test('a wrong command line ends with 2 and says what is expected, and every command has examples', async (t) => {
    const { run } = await person(t);
    for (const [line, sentence] of [
      ['', /^garden-client: The command is missing\. See: garden-client --help/],
      ['toString', /There is no command/],
      ['due --all', /^garden-client: Unknown option '--all'\. See: garden-client due --help\n$/],
      ['due', /not signed in. Run: garden-client sign-in URL/],
    ] as const)
      assertEnds(await run(line), 2, sentence);
    const { out } = await run('--help');
    const usages = Array.from(out.matchAll(/^ {2}garden-client (.+)/gm), ([, usage = '']) => usage);
    for (const [line, message] of [
      ['mark', /An argument is missing. See: garden-client mark --help/],
      ['mark 7 solved more', /too many/],
      ['mark x solved', /Expected URL\|ID instead of "x"/],
      ['mark 7 complete', /Expected not_started\|ignored/],
      ['mark 7 solved --how x', /Expected alone\|hint\|editorial/],
      ['mark 7 solved --minutes 1.5', /Expected N/],
      ['undo x', /Expected CHANGE/],
      ['sign-in localhost:8080', /Expected URL .* A URL begins with http:\/\/ or https:\/\/\./],
    ] as const) {
      const [name, ...args] = line.split(' ');
      const usage = usages.find((one) => one.split(' ')[0] === name) ?? assert.fail(name);
      assert.throws(() => readUsage(usage, args), { exitCode: 2, message });
    }
    const names = Array.from(out.matchAll(/^ {2}garden-client (\S+)/gm), ([, name = '']) => name);
    assert.equal(names.length, 13);
    for (const name of names)
      assert.match(
        (await run(`${name} --help`)).out,
        new RegExp(`^Usage: garden-client ${name}.*\n\n.*\n\n  garden-client ${name}`),
      );
  });

  test('sign-in reads the token from standard input and stores it for its owner alone; sign-out removes it', async (t) => {
    const { url, token } = await signedIn(t);
    const { run, HOME } = await person(t);
    const file = join(HOME, '.config', 'practice-garden', 'client.json');
    assertEnds(await run(`sign-in ${url}`, 'pgt_x\n'), 2, /not a token for programs/);
    const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    assertEnds(
      await run(`sign-in ${url}`, wrong),
      1,
      / or revoked\. Create one under Settings, Connections, then run: garden-client sign-in URL\n$/,
    );
    const { out } = await run(`sign-in ${url}/`, `${token}\n`);
    assert.match(
      out,
      /^You are ada \(practice:mark, practice:code\) until you revoke it\. The token is in .*client\.json\.\n$/,
    );
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { url, token });
    assert.equal((await run('mark 7 solved')).code, 0);
    for (const [path, mode] of [
      [file, 0o600],
      [join(file, '..', 'client-changes.json'), 0o600],
      [join(file, '..'), 0o700],
    ] as const)
      assert.equal((await stat(path)).mode & 0o777, mode, path);
    await chmod(file, 0o640);
    assertEnds(await run('due'), 2, /Others can read .*client\.json. Run: chmod 600 /);
    await chmod(file, 0o600);
    // Neither half of the environment is mixed with what is stored.
    assertEnds(await run('due', '', { GARDEN_URL: 'http://127.0.0.1:9' }), 2, /Set GARDEN_URL and GARDEN_TOKEN/);
    assert.equal((await run('sign-out')).out, `Signed out of ${url}.\n`);
    assertEnds(await run('due'), 2, /not signed in/);
    await writeFile(file, '{', { mode: 0o600 });
    assertEnds(await run('due'), 2, /Delete it, then run: garden-client sign-in URL/);
  });

  test('a token that is typed on a terminal is not shown', { skip: !hasScript }, async (t) => {
    const { url, token } = await signedIn(t);
    const { HOME } = await person(t);
    const command = `'${process.execPath}' '${garden}' sign-in ${url}`;
    const env = { ...usualEnv, HOME, SHELL: '/bin/sh' };
    const child = spawn('script', ['-qefc', command, '/dev/null'], { env });
    let shown = '';
    child.stdout.on('data', (text) => {
      if (shown === '') child.stdin.write(`${token}\r`);
      shown += text;
    });
    assert.deepEqual(await once(child, 'close'), [0, null], shown);
    assert.match(shown, /^Token \(hidden\): \r\nYou are ada /);
  });

  test('with a keyring the token is there, and in no file and no argument', {
    skip: process.platform !== 'linux',
  }, async (t) => {
    const { url, token } = await signedIn(t);
    const { run, HOME } = await person(t);
    const [folder, secrets] = [join(HOME, 'bin'), join(HOME, 'secrets')];
    await mkdir(folder);
    const keyring = `#!/bin/sh
echo "$*" >> '${HOME}/args'
case $1 in store) cat > '${secrets}';; lookup) cat '${secrets}';; clear) rm '${secrets}';; esac`;
    await writeFile(join(folder, 'secret-tool'), keyring, { mode: 0o755 });
    const PATH = `${folder}:${process.env['PATH']}`;
    assert.match((await run(`sign-in ${url}`, token, { PATH })).out, /The token is in the keyring\.\n$/);
    assert.equal(await readFile(secrets, 'utf8'), token);
    const file = await readFile(join(HOME, '.config', 'practice-garden', 'client.json'), 'utf8');
    assert.deepEqual(JSON.parse(file), { url });
    assert.equal((await run('due', '', { PATH })).code, 0);
    assert.equal((await run('sign-out', '', { PATH })).code, 0);
    const args = await readFile(join(HOME, 'args'), 'utf8');
    assert.ok(args.includes(`store --label=Practice Garden service practice-garden url ${url}\n`), args);
    assert.ok(args.endsWith(`clear service practice-garden url ${url}\n`) && !args.includes('pgw_'), args);
  });

  test('the token goes to its own garden alone, and what is no garden ends with 3', async (t) => {
    const { url, token } = await signedIn(t);
    const { run } = await person(t, { GARDEN_TOKEN: token });
    const other = await front(t, url, {});
    const paths = ['/307', '/302', '/html', '/500'];
    const place = await front(t, url, {
      before: ({ url: target = '' }, response) => {
        const Location = other.url + target;
        if (target.startsWith('/html')) response.end('<h1>Welcome</h1>');
        else response.writeHead(Number(target.slice(1, 4)), { Location }).end('<h1>Moved</h1>');
        return true;
      },
    });
    for (const path of paths)
      for (const args of ['due', 'mark 7 solved'])
        assertEnds(
          await run(args, '', { GARDEN_URL: place.url + path }),
          3,
          /something that is not a garden; check the address/,
        );
    assert.deepEqual(other.requests, []);
    assertEnds(
      await run('due', '', { GARDEN_URL: `http://127.0.0.1:${await freePort()}` }),
      3,
      /^garden-client: http:\S+ cannot be reached \(ECONNREFUSED\)\. Check the address and your connection\.\n$/,
    );
    assertEnds(
      await run('due', '', { GARDEN_URL: url.replace('http:', 'https:') }),
      3,
      /Try http:\/\/ instead of https:\/\/\.\n$/,
    );
    assertEnds(
      await run('due', '', { GARDEN_URL: `${url}/dashboard` }),
      1,
      /Sign in with the address of the first page/,
    );
    assert.equal((await run('due', '', { GARDEN_URL: other.url })).code, 0);
    const refused = await run('mark 99 solved --json', '', { GARDEN_URL: url });
    assert.deepEqual([refused.code, JSON.parse(refused.err).error], [1, 40401]);
  });

  test('a run has three tries with one key, and a write whose answer is lost happens once', async (t) => {
    const { url, token, databaseUrl } = await signedIn(t);
    const { run } = await person(t, { GARDEN_TOKEN: token });
    let tries = 0;
    const place = await front(t, url, {
      before: ({ method }, response) => {
        if (method === 'PATCH') tries++;
        return tries === 2 && Boolean(response.writeHead(503).end());
      },
      after: (_, response) => tries === 1 && Boolean(response.destroy()),
    });
    const { code, err } = await run(['mark', problemUrl(7), 'solved', '--minutes', '30'], '', {
      GARDEN_URL: place.url,
    });
    assert.deepEqual([code, err], [0, '']);
    const [found, ...writes] = place.requests;
    assert.deepEqual([found?.key, writes.length, new Set(writes.map(({ key }) => key)).size], [undefined, 3, 1]);
    assert.match(String(writes[0]?.key), /^"[0-9a-f-]{36}"$/);
    assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM timers')).length, 1);
    const down = await front(t, url, { before: (_, response) => Boolean(response.destroy()) });
    assertEnds(await run('due', '', { GARDEN_URL: down.url }), 3, /cannot be reached/);
    assert.equal(down.requests.length, 3);
  });

  test('texts lose control characters, and JSON has them as escapes', async (t) => {
    const { databaseUrl, done } = await signedIn(t);
    const title = 'A\u001b]0;x\u0007B\u009b2JC\u202eD\u{e0041}E\u2028F';
    await importRows(databaseUrl, 'problems', [{ id: 10, title, source: 'cses', source_key: '10' }]);
    await importRows(databaseUrl, 'statuses', [
      { username: 'ada', problem: 10, status: 'complete', updated_at: daysAgo(30) },
    ]);
    assert.match(await done('due'), /^10 {2}A ]0;x B 2JC D E F \(cses 10, not rated\)/m);
    const json = await done('due', '--json');
    assert.doesNotMatch(json.trimEnd(), /[\p{Cc}\p{Cf}\p{Zl}]/u);
    assert.equal(JSON.parse(json).items[0].problem.title, title);
  });
});
