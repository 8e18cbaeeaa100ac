/** Whether one problem of a million costs more to read than one of a thousand; and what importing them costs. */
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { writeRows } from '../catalogue.ts';
import { bearer } from '../data.ts';
import { gardenServer, importCatalogue, makeMember } from '../garden.ts';
import { temporaryFolder } from '../lifecycle.ts';
import { loadRound } from '../load.ts';
import { oneItem, problemsPath } from '../requests.ts';
import type { Result } from '../results.ts';
import { type Contender, interleave, type Run } from '../run.ts';
import { type Server, startServer } from '../server.ts';
import { grouped } from '../statistics.ts';
import { progress } from '../terminal.ts';

const smallSize = 1000;
const differentItems = 500;
const clients = [1, 32] as const;

interface Side {
  size: number;
  server: Server;
  token: string;
  /** What its import cost. */
  imported: string;
}

export async function benchSize(run: Run, largeSize: number): Promise<Result[]> {
  const folder = await temporaryFolder();
  const sides: Side[] = [];
  const middle = Math.round(largeSize / 10);
  for (const size of new Set([smallSize, Math.max(middle, smallSize), largeSize])) {
    sides.push(await prepare(folder, size));
  }
  const results: Result[] = [];
  for (const connections of clients) {
    const title = connections === 1 ? 'Cost against size, one client' : 'Cost against size';
    const contenders = sides.map((side) => contenderOf(folder, side, connections));
    const { rows, failed } = await interleave(run, title, contenders);
    results.push({
      subject: connections === 1 ? 'size-alone' : 'size',
      title,
      what: [
        `${differentItems} problems from all over the catalogue in turn; connections: ${connections}`,
        ...sides.map(({ imported }) => imported),
      ].join('; '),
      unit: 'requests/s',
      rows,
      skipped: failed,
      isAgainstFirst: true,
    });
  }
  for (const { server } of sides) await server.stop();
  return results;
}

async function prepare(folder: string, size: number): Promise<Side> {
  progress(`importing ${grouped(size)} problems`);
  const file = join(folder, `${size}.ndjson`);
  const databaseUrl = `sqlite:${join(folder, `${size}.db`)}`;
  await writeRows(file, size);
  const { rowsPerSecond, peakMiB } = await importCatalogue(file, databaseUrl);
  const imported = `${grouped(size)} imported at ${grouped(rowsPerSecond)} rows/s, peak ${grouped(peakMiB)} MiB`;
  const token = await makeMember(databaseUrl);
  const port = await freePort();
  const ask = { ...oneItem, headers: bearer(token) };
  const server = await startServer(gardenServer(databaseUrl, port, 1), { port, ask });
  return { size, server, token, imported };
}

function contenderOf(folder: string, { size, server, token }: Side, connections: number): Contender {
  const { port, pid } = server;
  const asks = Array.from({ length: differentItems }, (_, place) => ({
    path: `${problemsPath}${1 + Math.floor((place * size) / differentItems)}/`,
  }));
  return {
    name: `garden-${size}`,
    title: `Practice Garden, ${grouped(size)} problems`,
    pid,
    round: (seconds) =>
      loadRound({ port, headers: bearer(token), asked: { asks }, connections, seconds, folder }),
  };
}
