/** A process that syncs is killed after any answer: one run more, and each submission is here once, as if nobody had disturbed it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { findHandle } from '../../src/store/handles.ts';
import { aojRow, replayAoj } from '../replay/aoj.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { dmojRow, replayDmoj } from '../replay/dmoj.ts';
import { acceptedRow, replayLeetCode } from '../replay/leetcode.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { handleAt, replayVjudge } from '../replay/solved-lists.ts';
import { replayUva, type UvaRow } from '../replay/uva.ts';
import { replayYukicoder, solvedRow } from '../replay/yukicoder.ts';
import { testStore } from '../support/databases.ts';
import { root } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { askReplay, gardenWithHandle, keptIn, replayOf, rowsSent } from './support.ts';

const second = Math.floor(Date.now() / 1000) - 86_400;
const three = [1, 2, 3];
const status = rowsSent('ada_new', ['1A', 'OK', second], ['2A', 'OK', second - 1], ['3A', 'OK', second - 2]);
const replayed = {
  codeforces: replayCodeforces({ status: { ada: status, ada_new: status }, renamed: { ada: 'ada_new' } }, undefined, 1),
  dmoj: replayDmoj(
    {
      submissions: three.map((id) => ({ ...dmojRow(id, `p${id}`, (second + id) * 1000), points: id })),
      problems: [{ code: 'p1', points: 5 }],
      archived: [2],
    },
    { pageSize: 1 },
  ),
  uva: replayUva({ submissions: { ada: three.map((id): UvaRow => [id, id, 90, 0, second + id, 5, 1]) } }),
  aoj: replayAoj({ submissions: three.map((id) => aojRow(id, `P_${id}`, 4, second * 1000 + id)) }, 1),
  yukicoder: replayYukicoder({
    ada: three.map((number) => solvedRow(number, second, { ProblemType: number === 3 ? 1 : 0 })),
  }),
  leetcode: replayLeetCode({ ada: three.map((at) => acceptedRow(`task-${at}`, second + at)) }),
  vjudge: replayVjudge({ ada: { acRecords: { Kattis: ['zamka', 'hello'], UVA: ['100'] }, failRecords: {} } }),
} satisfies Record<string, ReplayedJudge>;

/** What LeetCode answered to a run before that, when a problem had another slug. */
const earlier = { leetcode: replayLeetCode({ ada: [acceptedRow('old-task-1', second + 1)] }) };

async function gardenOf(t: TestContext, source: keyof typeof replayed) {
  const { garden, handle } = await gardenWithHandle(t, source, handleAt(source));
  if (source === 'leetcode')
    await syncHandle(garden.store, handle, askReplay(garden.store, source, await replayOf(t, earlier)));
  return { garden, handle };
}

/** On PostgreSQL one whose solves have dates, and one whose list has none. */
const sources = testStore === 'sqlite' ? Object.keys(replayed) : ['aoj', 'vjudge'];

for (const source of sources as (keyof typeof replayed)[]) {
  test(`a sync with ${source} that is killed goes on, and keeps each solve once`, async (t) => {
    const replay = await replayOf(t, replayed);
    const whole = await gardenOf(t, source);
    await syncHandle(whole.garden.store, whole.handle, askReplay(whole.garden.store, source, replay));
    const expected = await keptIn(whole.garden);
    const isDated = source !== 'vjudge';
    assert.equal((isDated ? expected.solves : expected.statuses).length, 3);
    const requests = replay.log.length;

    const { garden, handle } = await gardenOf(t, source);
    replay.log.length = 0;
    const nth = 1 + Math.floor(Math.random() * requests);
    const script = join(root, 'test', 'sync', 'one-sync.ts');
    const child = spawn(process.execPath, [script, garden.databaseUrl, replay.url], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await until('the request', () => replay.log.length >= nth);
    await sleep(Math.random() * 40);
    child.kill('SIGKILL');
    await ended;
    const now = (await findHandle(garden.store.reader, handle.id)) ?? handle;
    await syncHandle(garden.store, now, askReplay(garden.store, source, replay));
    assert.deepEqual(await keptIn(garden), expected, `killed after request ${nth}`);
  });
}
