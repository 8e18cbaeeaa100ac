/**
 * A process that is killed at any moment: every confirmed delete is done, nothing else is gone, an import is there as
 * a whole or not at all, and the file is sound. One round each in a usual run; npm test faults takes fifty.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSound, rowsOf } from '../support/databases.ts';
import { importPlants, importRows, memberWithToken, root, serve, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { childrenOf } from '../support/processes.ts';

const rounds = Number(process.env['GARDEN_FAULT_ROUNDS'] ?? 1);
const plantCount = 400;
const clients = 16;
const canFindWorkers = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

test(`a server killed while it deletes, ${rounds} times`, async (t) => {
  const databaseUrl = `sqlite:${join(await temporaryFolder(t), 'garden.db')}`;
  const { token } = await memberWithToken(databaseUrl, 'ada');
  let [told, unanswered] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const first = round * plantCount + 1;
    await importPlants(databaseUrl, plantCount, { firstId: first });
    const before = await idsIn(databaseUrl);
    const env = { RATE_LIMIT: '0', WORKERS: round % 2 && canFindWorkers ? '2' : '1' };
    const server = await serve(t, { databaseUrl, env });
    const asked = new Set<number>();
    const done = new Set<number>();
    let next = first;
    const deleting = Array.from({ length: clients }, async () => {
      while (next < first + plantCount) {
        const id = next++;
        asked.add(id);
        const reply = await send(server.url, `/plants/${id}`, { method: 'DELETE', token }).catch(() => undefined);
        if (!reply) return;
        assert.equal(reply.status, 204, reply.text);
        done.add(id);
      }
    });
    // Some more answers may come before it is noticed that there are so many.
    const killAt = 1 + Math.floor(Math.random() * (plantCount - 4 * clients));
    while (done.size < killAt) await sleep(1);
    const killed = once(server.child, 'exit');
    for (const pid of processesOf(server.child.pid)) process.kill(pid, 'SIGKILL');
    await Promise.all([killed, ...deleting]);
    const after = new Set(await idsIn(databaseUrl));
    for (const id of done)
      assert.ok(!after.has(id), `round ${round}: plant ${id} is there though its delete was confirmed`);
    for (const id of before) {
      assert.ok(after.has(id) || asked.has(id), `round ${round}: plant ${id} is gone without a request`);
    }
    await assertSound(databaseUrl);
    told += done.size;
    unanswered += asked.size - done.size;
  }
  t.diagnostic(`${told} deletes were confirmed, ${unanswered} were under way when it was killed`);
  assert.ok(told > 0 && unanswered > 0, 'it was killed while it deleted');
});

/** A process and those that it started, itself first: it would start others in their place. */
function processesOf(pid: number | undefined): number[] {
  assert.ok(pid !== undefined);
  if (!canFindWorkers) return [pid];
  return [pid, ...childrenOf(pid).flatMap(processesOf)];
}

async function idsIn(databaseUrl: string): Promise<number[]> {
  return (await rowsOf(databaseUrl, 'SELECT id FROM plants')).map(({ id }) => Number(id));
}

test(`an import killed at any moment, ${rounds} times`, async (t) => {
  const folder = await temporaryFolder(t);
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const rowCount = 10_000;
  await importRows(databaseUrl, 'problems', [{ title: 'One', source: 'mine', source_key: '1' }]);
  const outcomes = { nothing: 0, all: 0 };
  let wholeMs = 0;
  for (let round = 0; round <= rounds; round++) {
    const lines = Array.from({ length: rowCount }, (_, n) => `Problem ${n},round ${round},${n}\n`);
    const file = join(folder, 'many.csv');
    await writeFile(file, `title,source,source_key\n${lines.join('')}`);
    const [before] = await rowsOf(databaseUrl, 'SELECT count(*) AS n FROM problems');
    const started = performance.now();
    const child = spawn(process.execPath, [join(root, 'bin', 'garden'), 'import', 'problems', file], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    if (round > 0) {
      await sleep(wholeMs * (0.3 + 0.75 * Math.random()));
      child.kill('SIGKILL');
    }
    await ended;
    if (round === 0) wholeMs = performance.now() - started;
    const [after] = await rowsOf(databaseUrl, 'SELECT count(*) AS n FROM problems');
    const added = Number(after?.['n']) - Number(before?.['n']);
    assert.ok(added === 0 || added === rowCount, `round ${round}: ${added} of ${rowCount} rows are there`);
    if (round > 0) outcomes[added === 0 ? 'nothing' : 'all']++;
    else assert.equal(added, rowCount, 'an import that is not killed is whole');
    await assertSound(databaseUrl);
  }
  t.diagnostic(`of ${rounds} imports ${outcomes.all} were there as a whole and ${outcomes.nothing} not at all`);
});
