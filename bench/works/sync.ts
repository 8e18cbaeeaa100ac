/**
 * The list beside a thousand members whose handles are due at once: the server's thread works through them against a replayed
 * judge, as fast as the judges' own limits let it, while one client asks for the list. Beside it the same server without syncing.
 */

import { copyFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { addHandle } from '../../src/practice/handles.ts';
import { createMember } from '../../src/practice/members.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { replayAtCoder } from '../../test/replay/atcoder.ts';
import { replayCodeforces } from '../../test/replay/codeforces.ts';
import { type ReplayedJudge, startReplay } from '../../test/replay/replay.ts';
import { freePort } from '../../test/support/ports.ts';
import { fetchRaw } from '../client.ts';
import { codeforcesSubmission } from '../codeforces-submission.ts';
import { gardenServer } from '../garden.ts';
import { temporaryFolder } from '../lifecycle.ts';
import { residentMB } from '../memory.ts';
import { sessionCookie } from '../pages-asked.ts';
import { preparePages } from '../pages-data.ts';
import type { Result, Row } from '../results.ts';
import type { Run } from '../run.ts';
import { startServer } from '../server.ts';
import { grouped, percentile } from '../statistics.ts';
import { progress } from '../terminal.ts';

const size = 30_000;
const members = 1_000;
const submissionsEach = 200;
const judges = ['codeforces', 'atcoder'] as const;
const warmUps = 50;

export async function benchSync({ options }: Run): Promise<Result> {
  const folder = await temporaryFolder();
  const file = join(folder, 'sync.db');
  const idleFile = join(folder, 'idle.db');
  progress(`making a garden of ${grouped(size)} problems and ${grouped(members)} members with handles`);
  const session = await preparePages(folder, `sqlite:${file}`, size);
  const store = await openStore(`sqlite:${file}`, { create: false, lockTimeoutMs: 10_000 });
  const keys = await withMembers(store).finally(() => store.close());
  await copyFile(file, idleFile);
  const replay = await startReplay(replayed(keys));
  const JUDGE_URLS = judges.map((judge) => `${judge}=${replay.url}/${judge}`).join(',');
  const headers = { ...sessionCookie(session), 'Accept-Encoding': 'gzip' };
  const start = async (target: string, title: string, path: string, env: Record<string, string>) => {
    const port = await freePort();
    const command = gardenServer(`sqlite:${path}`, port, 1);
    const ask = { path: '/problem_list/', headers };
    const server = await startServer({ ...command, env: { ...command.env, ...env } }, { port, ask });
    const row: Row = { target, title, figures: [] };
    return { server, ask, row, agent: new Agent({ keepAlive: true, maxSockets: 1 }), memory: [] as number[] };
  };
  const sides = [
    await start('idle', 'The list, nothing synced', idleFile, { SYNC: 'off' }),
    await start('garden', 'The list beside the sync', file, { SYNC: 'on', JUDGE_URLS }),
  ];
  for (const { server, ask, agent } of sides)
    for (let nth = 0; nth < warmUps; nth++) await fetchRaw(server.port, ask, agent);
  for (let round = 1; round <= options.rounds; round++) {
    for (const { server, ask, row, agent, memory } of sides) {
      progress(`${row.title}, round ${round} of ${options.rounds}`);
      const times: number[] = [];
      const until = performance.now() + 1000 * options.seconds;
      while (performance.now() < until) {
        const { status, ms } = await fetchRaw(server.port, ask, agent);
        if (status !== 200) throw new Error(`the list was answered with ${status}`);
        times.push(ms);
      }
      row.figures.push(percentile(times, 0.99));
      memory.push(residentMB(server.pid));
      row.memoryMB = Math.max(...memory);
    }
  }
  const asked = replay.log.filter(({ path }) => /submissions|user\.status/.test(path)).length;
  for (const { server, agent } of sides) {
    agent.destroy();
    await server.stop();
  }
  await replay.close();
  if (asked === 0) throw new Error('nobody was synced meanwhile');
  const [first = 0, last = 0] = [sides[1]?.memory[0], sides[1]?.memory.at(-1)];
  return {
    subject: 'sync',
    title: 'The list beside a sync',
    what: `the 99th of a hundred answers of one client, one after another, while ${grouped(members)} members are due at ${judges.length} judges, ${asked} answers of which came meanwhile; the syncing server had ${Math.round(first)} MB after its first round and ${Math.round(last)} MB at the end`,
    unit: 'ms',
    rows: sides.map(({ row }) => row),
    skipped: [],
    isAgainstFirst: true,
  };
}

/** Adds the members with their handles; answers some keys of each judge's problems. */
async function withMembers(store: Store): Promise<Record<(typeof judges)[number], string[]>> {
  await store.write(async (tx) => {
    for (let nth = 0; nth < members; nth++) {
      const { id } = await createMember(tx, { username: `member${nth}` });
      for (const judge of judges) await addHandle(tx, id, judge, `member${nth}`);
    }
  });
  const keysOf = async (source: string) => {
    const problems = store.reader.selectFrom('problems').select('source_key').where('source', '=', source);
    return (await problems.limit(submissionsEach).execute()).map(({ source_key }) => source_key);
  };
  return { codeforces: await keysOf('codeforces'), atcoder: await keysOf('atcoder') };
}

function replayed(keys: Record<(typeof judges)[number], string[]>) {
  const names = Array.from({ length: members }, (_, nth) => `member${nth}`);
  const at = (nth: number) => 1_700_000_000 - nth * 3600;
  const status = names.map((handle, member) => [
    handle,
    keys.codeforces.map((key, nth) => {
      const id = (member + 1) * 10_000 - nth;
      return codeforcesSubmission({ id, at: at(nth), key, handle, isSolved: nth % 3 === 0 });
    }),
  ]);
  // Each member's rows apart, so that an answer costs this process, which also measures, next to nothing.
  const sentBy = new Map(
    names.map((user_id, member) => {
      const submissions = keys.atcoder.map((problem_id, nth) => ({
        ...{ id: member * 10_000 + nth, epoch_second: at(nth), problem_id, user_id },
        ...{ contest_id: problem_id.split('_', 1)[0], language: 'C++', point: 100, length: 10 },
        ...{ result: nth % 3 === 0 ? 'AC' : 'WA', execution_time: 1 },
      }));
      return [user_id, replayAtCoder({ submissions })] as const;
    }),
  );
  const others = replayAtCoder({ submissions: [], resources: { 'problem-models': {} } });
  const atcoder: ReplayedJudge = (path, query, request) =>
    (sentBy.get(query.get('user') ?? '') ?? others)(path, query, request);
  return { codeforces: replayCodeforces({ status: Object.fromEntries(status) }), atcoder };
}
