/** A new process on a database that exists: how soon it listens, and its memory at rest and after it has sent large answers. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { figuresOf } from '../../test/support/processes.ts';
import { problemRows } from '../catalogue.ts';
import { load, printFigures } from '../measure.ts';
import { checkouts, garden, serveGarden, tokensOf, writeRows } from '../programs.ts';
import { folderOfRun, type Options, progress } from '../run.ts';

const size = 10_000;
/** After the start, until nothing is left to do. */
const restMs = 2000;

export async function measureStart(options: Options): Promise<void> {
  const folder = await folderOfRun();
  const file = await writeRows(join(folder, 'problems.ndjson'), problemRows(size));
  const sides = [];
  for (const [nth, one] of checkouts(options).entries()) {
    const databaseUrl = `sqlite:${join(folder, `${nth}.db`)}`;
    await garden(one, ['import', 'problems', file], databaseUrl);
    await garden(one, ['member', 'create', 'bench'], databaseUrl);
    const [token] = await tokensOf(one, databaseUrl, ['bench']);
    const headers = { Authorization: `Bearer ${token}` };
    const [start, rest, loaded]: [number[], number[], number[]] = [[], [], []];
    sides.push({ one, databaseUrl, headers, start, rest, loaded });
  }
  for (let round = 0; round <= options.rounds; round++)
    for (const { one, databaseUrl, headers, start, rest, loaded } of sides) {
      progress(`${one.title}: start ${round} of ${options.rounds}`);
      const server = await serveGarden(one, databaseUrl);
      // The first one reads the program from the disk.
      if (round > 0) {
        start.push(server.startMs / 1000);
        await sleep(restMs);
        rest.push(megabytes(server.pid));
        const paths = ['/problem_list/api/problems/', '/problem_list/api/problems/1/'];
        await load(server, { paths, headers, clients: 32, amount: 1000 }, options.seconds);
        loaded.push(megabytes(server.pid));
      }
      await server.stop();
    }
  progress('');
  for (const { one, start, rest, loaded } of sides)
    printFigures(`start of ${one.title}`, [
      { title: 'until it listens', unit: 's', values: start, bound: { atMost: 0.6 } },
      { title: 'memory at rest', unit: 'MB', values: rest, bound: { atMost: 120 } },
      { title: 'memory after reads by 32 clients', unit: 'MB', values: loaded, bound: { atMost: 200 } },
    ]);
}

/** The memory of all processes of the server. */
const megabytes = (pid: number) => (figuresOf({ child: { pid } }).memory * 1024 ** 2) / 1_000_000;
