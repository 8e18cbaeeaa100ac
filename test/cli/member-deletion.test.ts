/** garden member delete and rename, garden plant remove, export of one member: all rows of the member go at once, and no row of another member. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLine } from '../support/commands.ts';
import { filesOnly, onceOnly, pathOf } from '../support/databases.ts';
import { environment, importRows, launcher, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { records, send, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { findTool } from '../support/tools.ts';

const telephone = '0123-telephone-of-ada';
const last = 9223372036854775807n;

async function planted(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const bob = await memberWithToken(databaseUrl, 'bob');
  const staff = await memberWithToken(databaseUrl, 'staff', { role: 'staff' });
  await importRows(databaseUrl, 'records', [{ username: 'ada', phone: telephone, first_name: 'Augusta' }]);
  const keys = Array.from({ length: 20 }, (_, n) => String(n));
  const problems = keys.map((source_key) => ({ title: source_key, source: 'cses', source_key }));
  await importRows(databaseUrl, 'problems', problems);
  for (const username of ['ada', 'bob']) {
    const solved = keys.map((source_key) => ({ username, source: 'cses', source_key, status: 'complete' }));
    await importRows(databaseUrl, 'statuses', solved);
    const noted = solved.slice(0, 3).map(({ status, ...row }) => ({ ...row, note: telephone }));
    await importRows(databaseUrl, 'bookmarks', noted);
  }
  await importRows(databaseUrl, 'plants', [
    { id: 7n, username: 'ada', name: 'a', target: 3 },
    { id: last, username: 'ada', name: 'b', target: 3 },
    { id: 8n, username: 'bob', name: 'c', target: 3 },
  ]);
  return { databaseUrl, cli: commandLine(databaseUrl), ada, bob, staff };
}

test('a deleted member is gone with all that is theirs, at once in every worker, and no other member loses a row', async (t) => {
  const { databaseUrl, cli, ada, bob, staff } = await planted(t);
  const server = await serve(t, { databaseUrl, args: ['--workers', '2'] });
  const ask = async (path: string, token: string, headers: Record<string, string> = {}) =>
    send(server.url, path, { token, headers: { Connection: 'close', ...headers } });
  const paths = [records, `${statuses}?user=all`, '/dashboard/api/bookmarks/?user=all', `${records}?q=augusta`];
  const before = await Promise.all(paths.map((path) => ask(path, staff.token)));
  const ofBob = await ask(statuses, bob.token);
  for (let n = 0; n < 8; n++) assert.equal((await ask(statuses, ada.token)).status, 200);

  const deleted = await cli.json('member delete ADA --yes');
  assert.deepEqual(deleted, {
    id: Number(ada.memberId),
    username: 'ada',
    deleted: {
      statuses: 20,
      bookmarks: 3,
      plants: 2,
      handles: 0,
      submissions: 0,
      changes: 0,
      reviews: 0,
      timers: 0,
      ratings: 0,
      tokens: 1,
      sessions: 0,
      member_settings: 0,
      lists: 0,
      group_members: 0,
      webhooks: 0,
    },
  });
  for (let n = 0; n < 8; n++) assert.equal((await ask(statuses, ada.token)).status, 401);
  for (const [place, path] of paths.entries()) {
    const now = await ask(path, staff.token, { 'If-None-Match': before[place]?.headers.etag ?? '' });
    assert.equal(now.status, 200, `${path} has another entity tag`);
    assert.doesNotMatch(now.text, new RegExp(`"username":"ada"|"user":${ada.memberId}\\b`), path);
  }
  assert.equal((await ask(`${records}${ada.memberId}/`, staff.token)).status, 404);
  assert.equal((await ask(`${statuses}?user=${ada.memberId}`, staff.token)).status, 404);
  assert.deepEqual((await ask(statuses, bob.token)).text, ofBob.text);
  for (const id of [7n, last]) {
    const { status } = await send(server.url, `/plants/${id}`, { method: 'DELETE', token: staff.token });
    assert.equal(status, 404);
  }
  const added = await cli.json<{ id: number }>('plant add bob --name new');
  assert.equal(added.id, 9);
  const again = await cli.run('member delete ada --yes');
  assert.equal(again.code, 1);
  assert.match(again.stderr, /There is no member called ada/);
});

test('no byte of what is deleted stays in the file or its log', { skip: filesOnly }, async (t) => {
  const { databaseUrl, cli } = await planted(t);
  await cli.run('member delete bob --yes');
  const folder = dirname(pathOf(databaseUrl));
  const bytes = async () =>
    Buffer.concat(await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name)))));
  assert.ok((await bytes()).includes(telephone));
  await cli.run('member delete ada --yes');
  const left = await bytes();
  for (const text of [telephone, 'Augusta', 'augusta']) assert.ok(!left.includes(text), text);
});

test('without a terminal and without --yes nothing is deleted, and it says what would go', async (t) => {
  const { cli } = await planted(t);
  const refused = await cli.run('member delete ada');
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(
    refused.stderr,
    /^garden: This would permanently delete ada \(member 1\) with their record, 20 statuses, 3 bookmarks \(stars, notes, labels or opened editorials\), 2 plants, and 1 token\. .* pass --yes to delete without a prompt\.\n$/,
  );
  assert.equal((await cli.json<unknown[]>('member list')).length, 3);
});

test('the only administrator is not disabled while there are other members, as on the website', async (t) => {
  const { cli } = await planted(t);
  const refused = await cli.run('member disable staff');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^garden: Nothing was changed: this is the only administrator who can sign in\. /);
  for (const name of ['ada', 'bob']) assert.equal((await cli.run(`member delete ${name} --yes`)).stderr, '');
  assert.match((await cli.run('member delete staff')).stderr, /, the last account of this server\. /);
  const last = await cli.run('member delete staff --yes');
  assert.match(last.stderr, /^This server has no accounts now: /);
  assert.equal(last.code, 0);
});

test('on a terminal it says what will go and asks', { skip: onceOnly }, async (t) => {
  const python = findTool(t, 'python3');
  if (python === undefined) return;
  const { databaseUrl, cli } = await planted(t);
  const onTerminal = async (reply: string, args = ['member', 'delete', 'ada']) => {
    const spawning = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    const child = spawn(python, ['-c', spawning, process.execPath, launcher, ...args], {
      env: environment({ databaseUrl }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.after(() => child.kill());
    let shown = '';
    let isAsked = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (!isAsked && /Type yes to confirm: |New password: /.test(shown)) {
        isAsked = true;
        child.stdin.write(`${reply}\n`);
      }
    });
    const [code] = await once(child, 'close');
    return { code, shown };
  };
  for (const leave of ['\x03', '\x04']) {
    const left = await onTerminal(leave);
    assert.match(
      left.shown,
      /This will permanently delete ada \(member 1\) with their record, 20 statuses.*Type yes to confirm: .*Nothing was deleted\./s,
    );
    assert.doesNotMatch(left.shown, /Unexpected error/);
    assert.equal(left.code, 1);
  }
  const unset = await onTerminal('\x03', ['member', 'password', 'ada']);
  assert.match(unset.shown, /garden: No password was entered; nothing was changed\./);
  const unknown = await onTerminal('', ['member', 'password', 'nobody']);
  assert.match(unknown.shown, /^garden: There is no member called nobody/);
  const gone = await onTerminal('yes');
  assert.match(
    gone.shown,
    /Deleted ada \(member 1\) with their record, 20 statuses, 3 bookmarks \(stars, notes, labels or opened editorials\), 2 plants, and 1 token\./,
  );
  assert.equal(gone.code, 0);
  await cli.json('sample load');
  const count = async () => (await cli.json<unknown[]>('member list')).length;
  const loaded = await count();
  const refused = await cli.run('sample remove');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /This would delete the demo account, its club .* pass --yes to delete without a prompt/);
  const still = await onTerminal('no', ['sample', 'remove']);
  assert.match(still.shown, /This will delete the demo account.*Nothing was deleted\./s);
  assert.deepEqual([still.code, await count()], [1, loaded]);
});

test('a member is renamed: the new name is found and searched, no two differ in case alone', async (t) => {
  const { databaseUrl, cli, ada, staff } = await planted(t);
  const server = await serveHere(t, { databaseUrl });
  const taken = await cli.run('member rename ada BOB');
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /The username BOB is taken/);
  assert.equal((await cli.run(['member', 'rename', 'ada', 'two words'])).code, 2);
  assert.equal((await cli.run('member rename carl carla')).code, 1);
  const own = `${records}${ada.memberId}/`;
  const before = await send(server.url, own, { token: ada.token });
  for (const [from, to] of Object.entries({ ada: 'Ada', ADA: 'lovelace' })) {
    const renamed = await cli.json<{ id: number; username: string }>(`member rename ${from} ${to}`);
    assert.deepEqual([renamed.id, renamed.username], [Number(ada.memberId), to]);
  }
  const after = await send(server.url, own, { token: ada.token });
  assert.notEqual(after.headers.etag, before.headers.etag);
  assert.match(after.text, /"username":"lovelace"/);
  assert.match((await send(server.url, `${records}?q=lovel`, { token: staff.token })).text, /lovelace/);
  assert.equal((await send(server.url, `${records}?q=ada`, { token: staff.token })).text, '[]');
});

test('a plant is removed as DELETE removes it: its id is never given out again', async (t) => {
  const { databaseUrl, cli, staff } = await planted(t);
  const server = await serveHere(t, { databaseUrl });
  for (const id of ['8', String(last)]) {
    const { stdout } = await cli.run(`plant remove ${id} --json`);
    assert.match(stdout, new RegExp(`"id": ${id},\\s+"deleted": true`));
    const { status } = await send(server.url, `/plants/${id}`, { method: 'DELETE', token: staff.token });
    assert.equal(status, 404);
    const again = await cli.run(`plant remove ${id}`);
    assert.deepEqual(
      [again.code, again.stderr],
      [1, `garden: There is no plant ${id}; garden plant list shows all of them.\n`],
    );
  }
  assert.equal((await cli.run('plant remove abc')).code, 1);
  const added = await cli.json<{ id: number }>('plant add bob --name new');
  assert.equal(added.id, 9);
});

test('an export of one member has their rows alone', async (t) => {
  const { cli } = await planted(t);
  const expected = { records: 1, statuses: 20, bookmarks: 3, plants: 2 };
  for (const [what, count] of Object.entries(expected)) {
    const rows = await cli.json<Record<string, unknown>[]>(`export ${what} --member ADA`);
    assert.equal(rows.length, count, what);
    for (const row of rows) assert.equal(row['username'], 'ada', what);
  }
  const problems = await cli.run('export problems --member ada');
  assert.equal(problems.code, 2);
  assert.match(problems.stderr, /Problems belong to no member; leave --member out/);
  assert.equal((await cli.run('export plants --member carl')).code, 1);
});
