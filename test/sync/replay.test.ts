/** npm run replay and garden sync together, as people try them without a connection. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { root, temporaryDatabase, withStore } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { needsData, realPath } from '../support/real-data.ts';
import { until } from '../support/waiting.ts';

test('the recorded answers are served, and go wrong when asked to', needsData, async (t) => {
  const port = await freePort();
  const main = join(root, 'test', 'replay', 'main.ts');
  const child = spawn(process.execPath, [main, '--data', realPath(), '--port', String(port)]);
  t.after(() => child.kill());
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until('the replay', () => /handle add NAME dmoj/.test(printed));
  const [, JUDGE_URLS = ''] = /JUDGE_URLS=(\S+)/.exec(printed) ?? [];
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async () => {});
  const run = (...args: string[]) => gardenHere(args, { databaseUrl, env: { JUDGE_URLS } });
  const good = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  await good('member', 'create', 'ada');
  assert.match(await good('sync'), /Nobody has a handle at a judge that is asked: link one with garden handle add/);
  await good('handle', 'add', 'ada', 'codeforces', 'rishgod');
  await good('handle', 'add', 'ada', 'dmoj', 'ada');
  await good('handle', 'add', 'ada', 'cses', 'ada');
  assert.match(await good('sync', '--judge', 'cses'), /CSES shows submissions only to their author/);
  assert.match(await good('sync', '--judge', 'dmoj', '--catalogue'), /DMOJ, problems: 3 added\./);
  const trial = await good('sync', '--judge', 'dmoj', '--dry-run');
  assert.match(trial, /ada, ada at DMOJ: 3 submissions, statuses: 3 added\..*\nDry run: nothing was changed\./s);
  assert.match(
    await good('sync'),
    /ada, rishgod at Codeforces: 89 submissions.*\nada, ada at DMOJ: 3 submissions, statuses: 3 added/s,
  );
  assert.match(await good('sync', '--judge', 'dmoj'), /3 submissions, statuses: 3 unchanged/);

  const wrong = await fetch(`http://127.0.0.1:${port}/faults?judge=codeforces&kind=page&count=1`);
  assert.equal(wrong.status, 200);
  const { code, stdout, stderr } = await run('sync');
  assert.equal(code, 1);
  assert.match(
    stdout,
    /rishgod at Codeforces: Codeforces only lets people in a browser through\. .*\nada, ada at DMOJ: 3 submissions, statuses: 3 unchanged/s,
  );
  assert.match(stderr, /1 of 2 runs failed \(see above\); the others were saved\./);
});
