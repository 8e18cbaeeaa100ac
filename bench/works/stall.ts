/** How long others wait while a large collection is read that nothing is kept of: the slowest of the answers meanwhile. */
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { writeCatalogue } from '../catalogue.ts';
import { fetchRaw } from '../client.ts';
import { bearer } from '../data.ts';
import { garden, gardenServer, importCatalogue, makeMember } from '../garden.ts';
import { temporaryFolder } from '../lifecycle.ts';
import { bulkRound } from '../load.ts';
import { collection, oneItem } from '../requests.ts';
import type { Result, Row } from '../results.ts';
import type { Run } from '../run.ts';
import { startServer } from '../server.ts';
import { grouped } from '../statistics.ts';
import { progress } from '../terminal.ts';

const size = 100_000;
const codings = ['identity', 'gzip'] as const;

export async function benchStall({ options }: Run): Promise<Result> {
  progress(`importing ${grouped(size)} problems`);
  const folder = await temporaryFolder();
  const file = join(folder, 'catalogue.json');
  const databaseUrl = `sqlite:${join(folder, 'stall.db')}`;
  await writeCatalogue(file, size);
  await importCatalogue(file, databaseUrl);
  const headers = bearer(await makeMember(databaseUrl));
  const port = await freePort();
  const ask = { ...oneItem, headers };
  const server = await startServer(gardenServer(databaseUrl, port, 1), { port, ask });
  const rows: Row[] = [
    { target: 'alone', title: 'Nothing else', figures: [] },
    ...codings.map((coding) => ({ target: coding, title: `Beside a cold read, ${coding}`, figures: [] })),
  ];
  for (let round = 0; round <= options.rounds; round++) {
    for (const [place, row] of rows.entries()) {
      progress(`${row.title}, round ${round} of ${options.rounds}`);
      const coding = codings[place - 1];
      if (coding) await change(folder, databaseUrl, round * codings.length + place);
      const accept: Record<string, string> = coding === 'gzip' ? { 'Accept-Encoding': 'gzip' } : {};
      const asks = [{ ...collection, headers: accept }];
      const meanwhile = coding
        ? bulkRound({ port, headers, asked: { asks }, connections: 1, seconds: 0, folder })
        : new Promise((resolve) => setTimeout(resolve, 1000));
      const slowest = await slowestUntil(meanwhile, port, ask);
      // The first ones warm up.
      if (round > 0) row.figures.push(slowest);
    }
  }
  await server.stop();
  const what = `the slowest of the item reads that one client makes, one after another, while another reads all ${grouped(size)} problems just after a change`;
  const title = 'Waiting beside a large cold read';
  return { subject: 'stall', title, what, unit: 'ms', rows, skipped: [], isAgainstFirst: true };
}

/** One problem gets another title, so that nothing that was put together holds any more. */
async function change(folder: string, databaseUrl: string, edition: number): Promise<void> {
  const file = join(folder, 'change.ndjson');
  await writeFile(file, JSON.stringify({ id: 7, title: `Changed ${edition}` }));
  await garden(['import', 'problems', file], databaseUrl);
}

/** Milliseconds of the slowest answer until then. */
async function slowestUntil(
  over: Promise<unknown>,
  port: number,
  ask: Parameters<typeof fetchRaw>[1],
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const ending = over.finally(() => {
    isOver = true;
  });
  let slowest = 0;
  while (!isOver) slowest = Math.max(slowest, (await fetchRaw(port, ask, agent)).ms);
  agent.destroy();
  await ending;
  return slowest;
}
