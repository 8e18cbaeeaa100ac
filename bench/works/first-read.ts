/** How long the first read of the whole collection takes after a problem changed; the peers take as long at every read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fetchRaw, plainBody } from '../client.ts';
import { bearer } from '../data.ts';
import { garden } from '../garden.ts';
import { collection } from '../requests.ts';
import type { Result, Row, Skipped } from '../results.ts';
import type { FreshServer, Run } from '../run.ts';
import type { Target } from '../targets.ts';
import { progress } from '../terminal.ts';

interface Side {
  target: Target;
  server: FreshServer;
  row: Row;
}

export async function benchFirstRead(run: Run, coding: 'identity' | 'gzip'): Promise<Result> {
  const sides: Side[] = [];
  const skipped: Skipped[] = [];
  for (const target of run.targets) {
    const { name, title, lacks } = target;
    try {
      if (lacks['first-read'] !== undefined) throw new Error(lacks['first-read']);
      const server = await run.fresh(target, 'identity');
      sides.push({ target, server, row: { target: name, title, figures: [] } });
    } catch (error) {
      skipped.push({ title, reason: (error as Error).message });
    }
  }
  const changes = 2 * run.options.rounds;
  for (let change = 0; change <= changes; change++) {
    for (const { target, server, row } of sides) {
      progress(`first read after change ${change} of ${changes}, ${target.title}`);
      const ms = await readAfterChange(run, { target, server, row }, `Changed ${change}`, coding);
      // The first one warms up.
      if (change > 0) row.figures.push(ms);
    }
  }
  for (const { server } of sides) await server.stop();
  return {
    subject: coding === 'gzip' ? 'first-read-gzip' : 'first-read',
    title: `First read after a change${coding === 'gzip' ? ', gzip' : ''}`,
    what: `one problem gets another title, then one client reads all 10,000; ${changes} times`,
    unit: 'ms',
    rows: sides.map(({ row }) => row),
    skipped,
  };
}

/** Milliseconds of the read. Throws where the change is not in it. */
async function readAfterChange(
  run: Run,
  { target, server }: Side,
  title: string,
  coding: string,
): Promise<number> {
  const { token, folder } = await run.data();
  if (target.database === 'garden') {
    const file = join(folder, 'change.ndjson');
    await writeFile(file, JSON.stringify({ id: 7, title }));
    await garden(['import', 'problems', '--ids-of-this-garden', file], `sqlite:${server.file}`);
  } else {
    const database = new Database(server.file);
    database.prepare('UPDATE problems SET title = ? WHERE id = 7').run(title);
    database.close();
  }
  const headers = { ...bearer(token), ...(coding === 'gzip' && { 'Accept-Encoding': 'gzip' }) };
  const answer = await fetchRaw(server.port, { ...collection, headers });
  if (!plainBody(answer).includes(`"title":"${title}"`)) {
    throw new Error(`${target.title} did not show the change`);
  }
  return answer.ms;
}
