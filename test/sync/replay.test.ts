/**
 * npm run replay and garden sync together, as people try them without a connection; and what the replayed judges refuse, because the
 * judges do.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { signedPath } from '../../src/judges/codeforces.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { gardenHere } from '../support/commands.ts';
import { root, temporaryDatabase, withStore } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { needsData, realPath } from '../support/real-data.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from './support.ts';

const gym = (id: number) => ({ contest: { id }, problems: [], rows: [] });
const [now, key, secret] = [new Date(), 'a'.repeat(40), 'b'.repeat(40)];
const signed = (parameters: Record<string, string>, at = now, by = { key, secret }) =>
  signedPath('contest.standings', parameters, by, at, '123456');
const nonGym =
  'contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters';
const notSigned = 'You have to be authenticated to use this method';

/** Requests, and the words that refuse each; a few that are answered stand beside them. */
const refusals: [path: string, comment: string | undefined, request?: RequestInit][] = [
  ['/contest.standings?contestId=1', undefined],
  ['/contest.standings?contestId=1&lang=en', undefined],
  ...['from=1', 'count=1', 'handles=ada', 'showUnofficial=true', 'apiKey=x'].map((more): [string, string] => [
    `/contest.standings?contestId=1&${more}`,
    more === 'apiKey=x' ? 'apiKey: Incorrect API key' : nonGym,
  ]),
  ['/contest.standings?contestId=1', nonGym, { method: 'POST' }],
  [signed({ contestId: '1' }), nonGym],
  ['/contest.standings?contestId=2', 'contestId: Contest with id 2 not found'],
  ['/contest.standings?contestId=3', 'contestId: Contest with id 3 has not started'],
  ['/contest.standings?contestId=100001&from=1&count=1', undefined],
  ['/contest.standings?contestId=100002', `contestId: ${notSigned}`],
  ['/contest.standings?contestId=100003', notSigned],
  [signed({ contestId: '100003' }), undefined],
  ['/contest.standings?contestId=100004', 'contestId: Contest with id 100004 not found'],
  [signed({ contestId: '100004' }), undefined],
  [signed({ contestId: '100004' }, new Date(now.getTime() - 301_000)), 'time: Incorrect time'],
  [signed({ contestId: '100004' }, now, { key: 'c', secret }), 'apiKey: Incorrect API key'],
  [signed({ contestId: '100004' }, now, { key, secret: 'c' }), 'apiSig: Incorrect signature'],
  ['/user.status?handle=nobody', 'handle: User with handle nobody not found'],
  [`/user.status?handle=${'x'.repeat(25)}`, 'handle: Field should contain between 3 and 24 characters, inclusive'],
  ['/user.info?handles=ada;nobody;none', 'handles: User with handle nobody not found'],
];

test('the replayed Codeforces refuses what the judge refuses', async (t) => {
  const rows = {
    status: { ada: [{ contestId: 1 }, { contestId: 100_004 }, { contestId: 100_003 }] },
    standings: { 1: gym(1), 3: { ...gym(3), contest: { phase: 'BEFORE' } }, 100001: gym(100_001) },
    gated: { 100002: gym(100_002), 100003: gym(100_003) },
    closed: { 100004: gym(100_004) },
    keys: { [key]: secret },
    everyMs: 0,
  };
  const { url } = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const ask = (path: string, request?: RequestInit) => fetch(`${url}/codeforces${path}`, request);
  for (const [path, comment, request] of refusals) {
    const answer = await ask(path, request);
    const { status, comment: given } = (await answer.json()) as { status: string; comment?: string };
    assert.deepEqual([status, given], [comment === undefined ? 'OK' : 'FAILED', comment], path);
    assert.equal(answer.status, comment === undefined ? 200 : 400, path);
  }
  const { result } = (await (await ask('/user.status?handle=ada')).json()) as { result: { contestId: number }[] };
  assert.deepEqual(
    result.map(({ contestId }) => contestId),
    [1, 100_003],
    'nothing tells of a private gym',
  );
  rows.everyMs = 60_000;
  const busy = await ask('/contest.list');
  assert.deepEqual(
    [busy.status, busy.headers.get('content-type'), await busy.text()],
    [403, 'text/plain', 'Call limit exceeded'],
  );
});

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
