/** The data that every target serves: made and imported by our program, exported again into the database of the peers. */
import { createHash } from 'node:crypto';
import { copyFileSync, createWriteStream, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { freePort } from '../test/support/ports.ts';
import { joined, writeCatalogue } from './catalogue.ts';
import { type Ask, fetchRaw, type RawAnswer } from './client.ts';
import { garden, gardenServer, importCatalogue, makeMember } from './garden.ts';
import { temporaryFolder } from './lifecycle.ts';
import { collection, items, oneItem, pages, problems, statusCollection, statuses } from './requests.ts';
import { startServer } from './server.ts';

export interface Data {
  folder: string;
  /** Our database, closed. */
  gardenFile: string;
  /** The same rows as an experienced developer would lay them out. */
  peersFile: string;
  /** Exported, one row a line. */
  problemsFile: string;
  statusesFile: string;
  token: string;
  /** How many plants there are to delete, numbered from 1. */
  plants: number;
  /** Our answers as files, with a list of them. */
  answersFile: string;
}

/** One answer of the garden, for peers that send fixed bytes. */
export interface Kept {
  path: string;
  coding: 'identity' | 'gzip';
  file: string;
}

/** A member as the peers know them. */
export interface PeerMember {
  userId: number;
  token: string;
}

export const peersSchema = join(import.meta.dirname, 'peers', 'schema.sql');

export interface Needs {
  plants: number;
  /** Whether only our own server is loaded, with problems alone. */
  isGardenOnly?: boolean;
}

export async function prepareData({ plants, isGardenOnly = false }: Needs): Promise<Data> {
  const folder = await temporaryFolder();
  const file = (name: string) => join(folder, name);
  const databaseUrl = `sqlite:${filesIn(folder).gardenFile}`;
  await writeCatalogue(file('catalogue.json'), problems);
  await importCatalogue(file('catalogue.json'), databaseUrl);
  const token = await makeMember(databaseUrl);
  const data = { ...filesIn(folder), token, plants };
  if (isGardenOnly) return data;
  await writeRows(file('statuses.ndjson'), statuses, statusRow);
  await garden(['import', 'statuses', file('statuses.ndjson'), '--ids-of-this-garden'], databaseUrl);
  await writeRows(file('plants.ndjson'), plants, plantRow);
  if (plants > 0) await garden(['import', 'plants', file('plants.ndjson')], databaseUrl);
  await Promise.all([
    garden(['export', 'problems', data.problemsFile], databaseUrl),
    garden(['export', 'statuses', data.statusesFile], databaseUrl),
  ]);
  fillPeers(data, (rows) => [{ userId: Number(rows[0]?.['user'] ?? 1), token }]);
  const collections = [collection, statusCollection];
  await keepAnswers(data, [...collections, ...items, ...pages], collections);
  return data;
}

export function filesIn(folder: string): Omit<Data, 'token' | 'plants'> {
  const file = (name: string) => join(folder, name);
  return {
    folder,
    gardenFile: file('garden.db'),
    peersFile: file('peers.db'),
    problemsFile: file('problems.ndjson'),
    statusesFile: file('exported-statuses.ndjson'),
    answersFile: file('answers/answers.json'),
  };
}

/** A copy of a closed database, for one target to change. */
export function copyDatabase({ folder }: Data, from: string, name: string): string {
  const to = join(folder, `${name}.db`);
  copyFileSync(from, to);
  return to;
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function statusRow(place: number): object {
  const state = ['complete', 'practicing', 'complete', 'practicing', 'reading'][place % 5];
  const updatedAt = new Date(Date.UTC(2026, 0, 1) + place * 3_600_000).toISOString();
  const problem = 1 + place * (problems / statuses);
  return { username: 'bench', problem, status: state, updated_at: updatedAt };
}

const plantRow = (place: number): object => ({
  id: place + 1,
  username: 'bench',
  name: `Goal ${place + 1}`,
  target: 10,
  planted_at: '2026-01-01T00:00:00.000Z',
});

export async function writeRows(path: string, count: number, row: (place: number) => object): Promise<void> {
  function* lines(): Generator<string> {
    for (let place = 0; place < count; place++) yield `${JSON.stringify(row(place))}\n`;
  }
  await pipeline(Readable.from(joined(lines())), createWriteStream(path));
}

function rowsOf(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** `membersOf` names the members that have a token, by the rows of the statuses. The first one has the plants. */
export function fillPeers(
  { peersFile, problemsFile, statusesFile, plants }: Data,
  membersOf: (statuses: readonly Record<string, unknown>[]) => readonly PeerMember[],
): void {
  const database = new Database(peersFile);
  database.pragma('journal_mode = WAL');
  database.exec(readFileSync(peersSchema, 'utf8'));
  const statusRows = rowsOf(statusesFile);
  const members = membersOf(statusRows);
  database.transaction(() => {
    const problem = database.prepare(
      `INSERT INTO problems VALUES (@id, @title, @source, @source_key, @url, @rating,
         @editorial_url, @video_url, @created_at, @updated_at)`,
    );
    const tag = database.prepare('INSERT INTO problem_tags VALUES (?, ?, ?)');
    const alias = database.prepare('INSERT INTO problem_aliases VALUES (?, ?, ?)');
    for (const row of rowsOf(problemsFile)) {
      const { id, tags, aliases } = row as { id: number; tags: string[]; aliases: string[] };
      problem.run(row);
      for (const [position, one] of tags.entries()) tag.run(id, position, one);
      for (const [position, one] of aliases.entries()) alias.run(id, position, one);
    }
    const mine = database.prepare(
      'INSERT INTO statuses VALUES (@user, @problem, @status, @origin, @updated_at)',
    );
    for (const row of statusRows) mine.run(row);
    const token = database.prepare('INSERT INTO tokens VALUES (?, ?)');
    for (const one of members) token.run(createHash('sha256').update(one.token).digest('hex'), one.userId);
    const plant = database.prepare(
      `INSERT INTO plants VALUES (@id, ${members[0]?.userId}, @name, NULL, @target, @planted_at)`,
    );
    for (let place = 0; place < plants; place++) plant.run(plantRow(place));
  })();
  // As a long-running server would find it.
  database.exec('ANALYZE');
  database.close();
}

/** Asks our own server once for everything that will be asked for, and keeps what it said. */
export async function keepAnswers(
  data: Data,
  plain: readonly Ask[],
  compressed: readonly Ask[],
): Promise<void> {
  const port = await freePort();
  const file = copyDatabase(data, data.gardenFile, 'answers');
  const server = await startServer(gardenServer(`sqlite:${file}`, port, 1), {
    port,
    ask: { ...oneItem, headers: bearer(data.token) },
  });
  const folder = dirname(data.answersFile);
  await mkdir(folder);
  const kept: Kept[] = [];
  const keep = async (ask: Ask, coding: Kept['coding']) => {
    const headers = { ...bearer(data.token), ...(coding === 'gzip' && { 'Accept-Encoding': 'gzip' }) };
    const answer: RawAnswer = await fetchRaw(port, { ...ask, headers });
    if (answer.status !== 200) throw new Error(`${ask.path} was answered with ${answer.status}`);
    const path = join(folder, `${kept.length}`);
    await writeFile(path, answer.body);
    kept.push({ path: ask.path, coding, file: path });
  };
  for (const ask of plain) await keep(ask, 'identity');
  for (const ask of compressed) await keep(ask, 'gzip');
  await server.stop();
  await writeFile(data.answersFile, JSON.stringify(kept));
}
