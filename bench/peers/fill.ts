/** The database of the peers: the same rows in the tables that an experienced developer would make for them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ProblemRow, StatusRow } from '../catalogue.ts';

export interface PeerRows {
  problems: Iterable<ProblemRow>;
  statuses: Iterable<StatusRow>;
  /** The names of the members, whose ids are their places from 1. */
  members: readonly string[];
  /** The tokens of the members, in the same order. */
  tokens: readonly string[];
  /** How many plants the first member has, numbered from 1. */
  plants: number;
}

export function fillPeers(file: string, { problems, statuses, members, tokens, plants }: PeerRows): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));
  const problem = database.prepare(
    `INSERT INTO problems VALUES (@id, @title, @source, @source_key, @url, @rating,
       @editorial_url, @video_url, @created_at, @updated_at)`,
  );
  const tag = database.prepare('INSERT INTO problem_tags VALUES (?, ?, ?)');
  const status = database.prepare("INSERT INTO statuses VALUES (?, ?, ?, 'self', ?)");
  const plant = database.prepare("INSERT INTO plants VALUES (?, 1, 'Goal', NULL, 20, '')");
  database.transaction(() => {
    const ids = new Map<string, number>();
    for (const row of problems) {
      problem.run(row);
      ids.set(`${row.source} ${row.source_key}`, row.id);
      for (const [position, one] of row.tags.entries()) tag.run(row.id, position, one);
    }
    const users = new Map(members.map((name, place) => [name, place + 1]));
    for (const row of statuses)
      status.run(...[users.get(row.username), ids.get(`${row.source} ${row.source_key}`), row.status, row.updated_at]);
    const digest = database.prepare('INSERT INTO tokens VALUES (?, ?)');
    for (const [place, token] of tokens.entries())
      digest.run(createHash('sha256').update(token).digest('hex'), place + 1);
    for (let id = 1; id <= plants; id++) plant.run(id);
  })();
  // As a long-running server would find it.
  database.exec('ANALYZE');
  database.close();
}
