/** Item reads on PostgreSQL: ours against Fastify and pg, on one server with the same rows. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import pg from 'pg';
import { freePort } from '../../test/support/ports.ts';
import { bearer, peersSchema } from '../data.ts';
import { garden, gardenServer, makeMember } from '../garden.ts';
import type { Command } from '../lifecycle.ts';
import { newDatabases } from '../postgres.ts';
import { oneItem } from '../requests.ts';
import type { Result } from '../results.ts';
import { type Contender, interleave, type Run } from '../run.ts';
import { type Server, startServer } from '../server.ts';
import { nodeServer } from '../targets.ts';
import { progress } from '../terminal.ts';
import { readContender, reads } from './reads.ts';

const ours = { name: 'garden-pg', title: 'Practice Garden on PostgreSQL' };
const peer = { name: 'fastify-pg', title: 'Fastify + pg' };

export async function benchPostgres(run: Run): Promise<Result> {
  const { title, what, connections } = reads.item;
  const result: Result = {
    subject: 'postgres',
    title: `${title} on PostgreSQL`,
    what: `${what}; ${connections} connections; the database runs on the core of the load`,
    unit: 'requests/s',
    rows: [],
    skipped: [],
  };
  const contenders: Contender[] = [];
  const servers: Server[] = [];
  const [own = '', theirs = ''] = await newDatabases(['garden', 'peer']).catch((error: Error) => {
    result.skipped.push({ title: result.title, reason: error.message });
    return [];
  });
  if (own === '') return result;
  for (const [side, start] of [
    [ours, () => startOurs(run, own)],
    [peer, () => startPeer(run, theirs)],
  ] as const) {
    try {
      progress(`starting ${side.title}`);
      const { server, token } = await start();
      servers.push(server);
      contenders.push(await readContender(run, reads.item, { ...side, server, token }));
    } catch (error) {
      const said = (error as { stderr?: string }).stderr || (error as Error).message;
      result.skipped.push({ title: side.title, reason: said.trim().split('\n')[0] ?? '' });
    }
  }
  const { rows, failed } = await interleave(run, result.title, contenders);
  for (const server of servers) await server.stop();
  return { ...result, rows, skipped: [...result.skipped, ...failed] };
}

async function startOurs(run: Run, address: string): Promise<{ server: Server; token: string }> {
  const { problemsFile } = await run.data();
  await garden(['migrate'], address).catch(() => {
    // Releases that set an empty database up by themselves have no such verb.
  });
  await garden(['import', 'problems', problemsFile], address);
  const token = await makeMember(address);
  const port = await freePort();
  return { server: await start(gardenServer(address, port, 1), port, token), token };
}

async function startPeer(run: Run, address: string): Promise<{ server: Server; token: string }> {
  const { peersFile, token } = await run.data();
  await fillPeer(peersFile, address);
  const port = await freePort();
  return { server: await start(nodeServer('fastify-pg.ts', port, address), port, token), token };
}

function start(command: Command, port: number, token: string): Promise<Server> {
  return startServer(command, { port, ask: { ...oneItem, headers: bearer(token) } });
}

/** The peers' tables and rows, those that are referred to first. */
async function fillPeer(file: string, address: string): Promise<void> {
  const schema = readFileSync(peersSchema, 'utf8');
  const database = new Database(file, { readonly: true });
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(schema.replaceAll('INTEGER', 'BIGINT').replaceAll(' WITHOUT ROWID', ''));
    for (const table of ['problems', 'problem_tags', 'problem_aliases', 'tokens']) {
      const rows = JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all());
      await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        rows,
      ]);
    }
    await client.query('ANALYZE');
  } finally {
    await client.end();
    database.close();
  }
}
