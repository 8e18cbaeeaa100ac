/** DELETE of plants, each durable before it is answered: by one client alone and by 32 at once. */
import { fetchRaw } from '../client.ts';
import { bearer } from '../data.ts';
import { loadRound } from '../load.ts';
import { plantsPath } from '../requests.ts';
import type { Result, Skipped } from '../results.ts';
import { type Contender, type FreshServer, interleave, type Run } from '../run.ts';
import type { Target } from '../targets.ts';

const clients = [1, 32] as const;
/** More would need plants by the hundred thousand. */
const secondsAtMost = 1;

/** As many as 32 clients and one can delete in the rounds and the one before, generously. */
const plantsPerSecond = 25_000;
export const plantsFor = (rounds: number) => clients.length * (rounds + 1) * secondsAtMost * plantsPerSecond;

interface Side {
  target: Target;
  server: FreshServer;
  /** The plant that is deleted next. */
  next: number;
}

export async function benchDeletes(run: Run): Promise<Result[]> {
  const sides: Side[] = [];
  const skipped: Skipped[] = [];
  for (const target of run.targets) {
    try {
      if (target.lacks.delete !== undefined) throw new Error(target.lacks.delete);
      const server = await run.fresh(target, 'identity');
      await assertDeletes(run, server.port);
      sides.push({ target, server, next: 2 });
    } catch (error) {
      skipped.push({ title: target.title, reason: (error as Error).message });
    }
  }
  const results: Result[] = [];
  for (const connections of clients) {
    const title = connections === 1 ? 'DELETE, one client' : `DELETE, ${connections} clients`;
    const contenders = sides.map((side) => contenderOf(run, side, connections));
    const { rows, failed } = await interleave(run, title, contenders);
    results.push({
      subject: `delete-${connections}`,
      title,
      what: 'each deletes one plant after another; everybody syncs each commit to disk (WAL, synchronous=FULL)',
      unit: 'requests/s',
      rows,
      skipped: [...skipped, ...failed],
    });
  }
  for (const { server } of sides) await server.stop();
  return results;
}

/** Throws unless a plant is deleted once: 204, then 404. */
async function assertDeletes(run: Run, port: number): Promise<void> {
  const { token } = await run.data();
  const ask = { path: `${plantsPath}1`, method: 'DELETE', headers: bearer(token) } as const;
  const statuses = [(await fetchRaw(port, ask)).status, (await fetchRaw(port, ask)).status];
  if (statuses.join() !== '204,404') throw new Error(`it answers two deletes with ${statuses.join(', ')}`);
}

function contenderOf(run: Run, side: Side, connections: number): Contender {
  const { target, server } = side;
  return {
    name: target.name,
    title: target.title,
    pid: server.pid,
    round: async (seconds) => {
      const { folder, token } = await run.data();
      const round = await loadRound({
        port: server.port,
        headers: bearer(token),
        asked: { deletes: plantsPath, from: side.next },
        connections,
        seconds: Math.min(seconds, secondsAtMost),
        folder,
      });
      // Those on their way at the end may be gone too.
      side.next += round.requests + connections + 10;
      return round;
    },
  };
}
