/** garden handle: handles are linked by hand or by an import, listed, and unlinked with what came with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submissionsOf } from '../importing/support.ts';
import { commandLine, gardenHere } from '../support/commands.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';

type Printed = Record<string, unknown>;

test('a handle is linked once, listed with what is kept of it, and unlinked', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const cli = commandLine(databaseUrl);
  await memberWithToken(databaseUrl, 'ada');
  await memberWithToken(databaseUrl, 'bob');
  await importRows(databaseUrl, 'problems', [{ title: 'One', source: 'codeforces', source_key: '1A' }]);
  const { created_at, ...added } = await cli.json<Printed>('handle add ada codeforces Ada_CF');
  assert.match(String(created_at), /^\d{4}-.*Z$/);
  assert.deepEqual(added, { id: 1, username: 'ada', judge: 'codeforces', handle: 'Ada_CF' });

  const twice = await cli.run('handle add ada codeforces ADA_cf');
  assert.deepEqual([twice.code, twice.stderr], [1, 'garden: Ada_CF is already linked.\n']);
  assert.equal((await cli.run(['handle', 'add', 'ada', 'codeforces', 'two words'])).code, 2);
  assert.match((await cli.run('handle add ada luogu https://vjudge.net/user/ada')).stderr, /profile at VJudge\./);
  const byLink = await cli.json<Printed>('handle add bob luogu https://www.luogu.com.cn/user/3#practice');
  assert.equal(byLink['handle'], '3');
  const misspelt = await cli.run('handle add ada codeforce x');
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /Did you mean codeforces\?/);
  const nobody = await cli.run('handle add carl codeforces x');
  assert.match(nobody.stderr, /^garden: There is no member called carl;/);

  const input = JSON.stringify(submissionsOf('ada_cf', ['1A', 'WRONG_ANSWER', 10], ['1A', 'OK', 20]));
  const imported = await cli.json<Printed>('import codeforces-submissions - --member ada', { input });
  assert.equal(imported['new'], 1);
  const theirs = JSON.stringify(submissionsOf('tourist', ['1A', 'OK', 10]));
  const wrong = await cli.run('import codeforces-submissions - --member ada --handle ada_cf', { input: theirs });
  assert.equal(wrong.code, 3);
  assert.match(wrong.stderr, /this was submitted by tourist, not by ada_cf; if the name changed/);
  const useless = await cli.run('import codeforces-problems none.json --handle ada_cf');
  assert.deepEqual(
    [useless.code, useless.stderr],
    [2, 'garden: --handle works only for submissions; leave it out for codeforces-problems.\n'],
  );

  assert.deepEqual(await cli.json<Printed[]>('handle list ada'), [
    { ...added, submissions: 2, last_submitted_at: '1970-01-01T00:00:20.000Z' },
  ]);
  assert.equal((await cli.json<Printed[]>('handle list')).length, 2);

  const renamed = await cli.json<Printed>('handle rename 1 Ada_now');
  assert.deepEqual(renamed, { id: 1, judge: 'codeforces', handle: 'Ada_now', former_handle: 'Ada_CF' });
  const { id: otherId } = await cli.json<Printed>('handle add ada codeforces ada_too');
  const refused = await cli.run(`handle rename ${otherId} ada_now`);
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'garden: Ada_now is linked as well; use --join to join both handles, which cannot be undone.\n'],
  );
  const joined = await cli.json<Printed>(`handle rename ${otherId} ada_now --join`);
  assert.deepEqual(joined, { ...renamed, former_handle: 'ada_too' });
  assert.equal((await cli.json<Printed[]>('handle list'))[0]?.['submissions'], 2);
  assert.match((await cli.run('handle rename 9 x')).stderr, /^garden: There is no handle 9;/);

  const removed = await cli.json<Printed>('handle remove 1');
  assert.deepEqual(removed, { id: 1, unlinked: true });
  assert.equal((await cli.run('export statuses -')).stdout.trim(), '[]');
  const again = await cli.run('handle remove 1');
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'garden: There is no handle 1; garden handle list shows all of them.\n'],
  );
});

test('an import that fills what an older one left out says nothing of "here already"', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithToken(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', [{ title: 'One', source: 'codeforces', source_key: '1A' }]);
  const word = {
    username: 'ada',
    source: 'codeforces',
    source_key: '1A',
    status: 'complete',
    origin: 'judge',
  };
  await importRows(databaseUrl, 'statuses', [{ ...word, updated_at: '1970-01-01T00:00:20.000Z' }]);
  const input = JSON.stringify(submissionsOf('ada_cf', ['1A', 'OK', 20]));
  const args = ['import', 'codeforces-submissions', '-', '--member', 'ada'];
  const first = await gardenHere(args, { databaseUrl, input });
  assert.match(first.stdout, /^Statuses: 1 unchanged\.\n1 submission: .*\n$/);
  const again = await gardenHere(args, { databaseUrl, input });
  assert.match(again.stdout, /\nNothing changed\.\n$/);
});
