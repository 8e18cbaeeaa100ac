/**
 * A database file that is removed or replaced while it is served: everything is 503 until the right file is back or the
 * server was restarted, no delete is acknowledged that began after the loss, and each that was acknowledged before is kept
 * in the file that was served.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shutdownTimes } from '../../src/server/stopping.ts';
import { gardenHere } from '../support/commands.ts';
import { assertSound, rowsOf } from '../support/databases.ts';
import { importPlants, importRows, memberWithToken, serve, temporaryFolder } from '../support/garden.ts';
import { assertRefusal, client, problems, type Reply, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { childrenOf } from '../support/processes.ts';
import { until } from '../support/waiting.ts';

const plantCount = 400;

interface Ground {
  path: string;
  kept: string;
  other: string;
  away: string;
}

interface Loss {
  name: string;
  lose(ground: Ground): void;
  bringBack?(ground: Ground): void;
  left?: (ground: Ground) => string | undefined;
}

const losses: Loss[] = [
  { name: 'removed', lose: ({ path }) => rmSync(path), left: () => undefined },
  {
    name: 'removed with its log and index',
    lose: ({ path }) => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`);
    },
    left: () => undefined,
  },
  {
    name: 'replaced by another garden',
    lose: ({ path, other }) => renameSync(other, path),
    left: ({ away }) => `${away}-other`,
  },
  {
    name: 'moved away, and back',
    lose: ({ path, away }) => renameSync(path, away),
    bringBack: ({ path, away }) => renameSync(away, path),
  },
  {
    name: 'moved away, and an empty file in its place',
    lose: ({ path, away }) => {
      renameSync(path, away);
      writeFileSync(path, '');
    },
    left: ({ away }) => `${away}-empty`,
  },
  { name: 'without its log', lose: ({ path }) => rmSync(`${path}-wal`) },
  {
    name: 'with another log',
    lose: ({ path, away }) => renameSync(`${away}-empty`, `${path}-wal`),
  },
  { name: 'without its index', lose: ({ path }) => rmSync(`${path}-shm`) },
  {
    name: 'in a folder that was renamed, and back',
    lose: ({ path }) => renameSync(dirname(path), `${dirname(path)}-renamed`),
    bringBack: ({ path }) => renameSync(`${dirname(path)}-renamed`, dirname(path)),
  },
];

/** `npm test faults` loses the file in every way, `npm test` in some. */
const isThorough = process.env['GARDEN_FAULT_ROUNDS'] !== undefined;
const fewLosses: Readonly<Record<number, readonly string[]>> = {
  1: ['moved away, and back', 'without its log'],
  // A new process is started there, which must neither make a file nor take another one.
  2: ['removed', 'replaced by another garden'],
};

interface Made {
  path: string;
  other: string;
  token: string;
}

async function makeGardens(folder: string): Promise<Made> {
  const [path, other] = [join(folder, 'garden.db'), join(folder, 'other.db')];
  await memberWithToken(`sqlite:${other}`, 'ada');
  await importPlants(`sqlite:${other}`, plantCount);
  cpSync(other, path);
  const { token } = await memberWithToken(`sqlite:${path}`, 'ada');
  await importRows(`sqlite:${path}`, 'problems', [{ id: 7, title: 'x', source: 'here', source_key: 'k' }]);
  return { path, other, token };
}

async function ground(t: TestContext, made: Made): Promise<Ground & { databaseUrl: string }> {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'data'));
  const path = join(folder, 'data', 'garden.db');
  const other = join(folder, 'other.db');
  const away = join(folder, 'away.db');
  cpSync(made.path, path);
  cpSync(made.other, other);
  const kept = join(folder, 'kept.db');
  linkSync(path, kept);
  cpSync(other, `${away}-other`);
  writeFileSync(`${away}-empty`, '');
  return { path, kept, other, away, databaseUrl: `sqlite:${path}` };
}

interface Answered {
  reply: Reply;
  begunAt: number;
  endedAt: number;
  plant: number | undefined;
}

function load(t: TestContext, url: string, token: string) {
  const ask = client(url, token);
  const answered: Answered[] = [];
  let isOver = false;
  let mayDrop = false;
  const dropped = (error: unknown) => {
    if (!mayDrop) throw error;
    return undefined;
  };
  t.after(() => {
    isOver = true;
  });
  const run = async (part: number) => {
    for (let plant = 1 + part; !isOver; plant += 4) {
      const isDelete = part < 4 && plant <= plantCount;
      const begunAt = performance.now();
      const asked = isDelete ? ask(`/plants/${plant}`, { method: 'DELETE' }) : ask(`${problems}7/`);
      const reply = await Promise.race([asked.catch(dropped), unanswered()]);
      assert.ok(reply || mayDrop, 'a request was not answered');
      if (reply) answered.push({ reply, begunAt, endedAt: performance.now(), plant: isDelete ? plant : undefined });
      await sleep(reply?.status === 503 ? 30 : 10);
    }
  };
  const all = Promise.all(Array.from({ length: 6 }, (_, part) => run(part)));
  return {
    answered,
    mayDrop: () => {
      mayDrop = true;
    },
    stop: async () => {
      isOver = true;
      await all;
    },
  };
}

const ready = (url: string) => send(url, '/readyz', { headers: { Connection: 'close' } });
/** Node's cluster never answers a connection that it was passing to a worker that is killed. */
const unanswered = () => sleep(30_000, undefined, { ref: false });

async function becomes(url: string, status: number): Promise<void> {
  const isSo = async () => (await Promise.race([ready(url), unanswered()]))?.status === status;
  await until(`ready is ${status}`, isSo);
}

async function plantsLeft(path: string): Promise<Set<number>> {
  const rows = await rowsOf(`sqlite:${path}`, 'SELECT id FROM plants');
  return new Set(rows.map(({ id }) => Number(id)));
}

describe('a lost file', { concurrency: 3 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'garden-test-'));
  let made: Made;
  before(async () => {
    made = await makeGardens(folder);
  });
  after(() => rmSync(folder, { recursive: true }));
  for (const workers of [1, 2]) {
    const few = fewLosses[workers] ?? [];
    for (const { name, lose, bringBack, left } of losses.filter((one) => isThorough || few.includes(one.name))) {
      const isSkipped = workers > 1 && process.platform !== 'linux' ? 'looks for processes in /proc' : false;
      test(`${name}, ${workers} process${workers > 1 ? 'es' : ''}`, {
        skip: isSkipped,
        timeout: 300_000,
      }, async (t) => {
        const { token } = made;
        const place = await ground(t, made);
        const { path, kept, databaseUrl } = place;
        const env = { RATE_LIMIT: '0', WORKERS: String(workers), LOG_LEVEL: 'info' };
        const processes = workers > 1 ? await serve(t, { databaseUrl, env }) : undefined;
        const server = processes ?? (await serveHere(t, { databaseUrl, env }));
        await until(
          'all listen',
          () => !processes || processes.stderr().match(/"msg":"listening on /g)?.length === workers,
        );
        const { answered, mayDrop, stop } = load(t, server.url, token);
        const isTold = ({ reply, plant }: Answered) => reply.status === 204 && plant !== undefined;
        await until('forty deletes', () => answered.filter(isTold).length >= 40);
        lose(place);
        const lostAt = performance.now();
        await becomes(server.url, 503);
        const loss = /was removed or replaced while the database was served/g;
        const said = () => server.stderr().match(loss)?.length ?? 0;
        await until('all have noticed', () => said() === workers);
        const noticedAt = performance.now();
        await sleep(200);
        // If only the log or the index is gone, a new worker may serve the file.
        if (processes && (left || bringBack)) {
          mayDrop();
          process.kill(childrenOf(processes.child.pid)[0] ?? 0, 'SIGKILL');
          await sleep(500);
        }
        const backAt = performance.now();
        bringBack?.(place);
        if (bringBack) {
          await becomes(server.url, 200);
          await until('a delete', () => answered.some((one) => isTold(one) && one.begunAt > backAt));
        }
        await stop();

        const told = new Set<number>();
        for (const { reply, begunAt, endedAt, plant } of answered) {
          const isBack = bringBack !== undefined && endedAt > backAt;
          if (reply.status === 204 && plant !== undefined) {
            told.add(plant);
            const isKept = ['without its index', 'with another log'].includes(name) && begunAt < noticedAt;
            assert.ok(
              begunAt < lostAt || isKept || isBack,
              `a delete begun ${begunAt - lostAt} ms after the loss is 204`,
            );
          } else if (reply.status === 200) {
            assert.ok(begunAt < noticedAt || isBack, `a read ${begunAt - lostAt} ms after it`);
          } else {
            assert.equal(reply.status, 503, reply.text);
            assert.ok(endedAt > lostAt, reply.text);
            const { error } = JSON.parse(reply.text) as { error: number };
            assertRefusal(reply, error === 50308 ? 50308 : 50306);
          }
        }
        assert.equal(said(), workers);
        await becomes(server.url, bringBack ? 200 : 503);
        if ('end' in server) await server.end(shutdownTimes);
        else assert.equal(await server.stop(), 0);

        if (left) {
          const original = left(place);
          assert.equal(existsSync(path), original !== undefined);
          if (original !== undefined) assert.ok(readFileSync(path).equals(readFileSync(original)));
        }
        const there = await plantsLeft(left ? kept : path);
        assert.deepEqual(
          [...told].filter((plant) => there.has(plant)),
          [],
        );
        await assertSound(`sqlite:${left ? kept : path}`);
        if (name !== 'replaced by another garden') return;
        const { code, stdout } = await gardenHere(['member', 'list', '--json'], { databaseUrl });
        assert.deepEqual([code, JSON.parse(stdout).length], [0, 1]);
        assert.equal((await plantsLeft(path)).size, plantCount);
      });
    }
  }
});
