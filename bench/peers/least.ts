/**
 * A yardstick, not a peer: the least that a server with our contract does for these requests, in one loop on node:http. It
 * answers one request of a connection at a time by our own `server/connections`, digests each token, asks at each request
 * whether another process has committed, sends the headers that the contract has, and commits the deletions of one turn
 * together. It has no refusals, no negotiation, no counts and no log: what it loses against `bare` is the price of the contract,
 * and no server on the same parts can be quicker.
 */
import cluster from 'node:cluster';
import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Exchange } from '../../src/api/context.ts';
import { answerOneAtATime } from '../../src/server/connections.ts';

const [port, path = '', processes = '1'] = process.argv.slice(2);
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const version = database.prepare<[], number>('PRAGMA data_version').pluck();
const member = database.prepare<[string], number>('SELECT user_id FROM tokens WHERE digest = ?').pluck();
const item = database
  .prepare<[number], string>(
    `SELECT concat('{"id":', id, ',"title":', json_quote(title), ',"source":', json_quote(source), ',"source_key":',
       json_quote(source_key), ',"url":', json_quote(url), ',"rating":', coalesce(rating, 'null'), ',"tags":', tags,
       ',"aliases":', aliases, ',"editorial_url":', json_quote(editorial_url), ',"video_url":', json_quote(video_url),
       ',"created_at":', json_quote(created_at), ',"updated_at":', json_quote(updated_at), '}')
     FROM problems WHERE id = ?`,
  )
  .pluck();
const statuses = database
  .prepare<[number], string>(
    `SELECT json_group_array(json_object('id', problem_id, 'user', user_id, 'problem', problem_id, 'status', self_status,
       'origin', 'self', 'updated_at', self_at) ORDER BY problem_id) FROM statuses WHERE user_id = ?`,
  )
  .pluck();
const collection = database
  .prepare<[], string>(
    `SELECT json_group_array(json_object('id', id, 'title', title, 'source', source, 'source_key', source_key, 'url', url,
       'rating', rating, 'tags', json(tags), 'aliases', json(aliases), 'editorial_url', editorial_url, 'video_url', video_url,
       'created_at', created_at, 'updated_at', updated_at) ORDER BY id) FROM problems`,
  )
  .pluck();
const remove = database.prepare<[number, number]>('DELETE FROM plants WHERE id = ? AND user_id = ?');

const inode = statSync(path).ino;
const deletions: { id: number; userId: number; done(isGone: boolean): void }[] = [];
const removeAll = database.transaction((batch: typeof deletions) =>
  batch.map(({ id, userId }) => remove.run(id, userId).changes === 1),
);

/** One sync for all that arrived together; an answer only while the file and its log are still there. */
function commitDeletions(): void {
  const batch = deletions.splice(0);
  const [first] = batch;
  if (!first) return;
  const results =
    batch.length === 1 ? [remove.run(first.id, first.userId).changes === 1] : removeAll.immediate(batch);
  if (statSync(path).ino !== inode || !existsSync(`${path}-wal`)) throw new Error('the file is gone');
  for (const [place, { done }] of batch.entries()) done(results[place] === true);
}

const problems = '/problem_list/api/problems/';
const members = new Map<string, number>();
const kept = new Map<string, { tag: string; body: string | Buffer }>();
let seen: number | undefined;

function textOf(url: string, userId: number): string {
  if (url === problems) return collection.get() ?? '';
  return (
    (url.startsWith(problems) ? item.get(Number(url.slice(problems.length, -1))) : statuses.get(userId)) ?? ''
  );
}

function answer(url: string, userId: number, isGzip: boolean): { tag: string; body: string | Buffer } {
  const key = `${url} ${userId} ${seen} ${isGzip}`;
  const found = kept.get(key);
  if (found) return found;
  const text = textOf(url, userId);
  const whole = url === problems ? Buffer.from(text) : text;
  const made = {
    tag: `"${hash('sha256', key, 'base64url').slice(0, 27)}"`,
    body: isGzip ? gzipSync(text, { level: 4 }) : whole,
  };
  if (kept.size > 2_000) kept.clear();
  kept.set(key, made);
  return made;
}

function send(
  { url = '', headers: asked }: IncomingMessage,
  response: ServerResponse,
  headers: string[],
  userId: number,
): void {
  const isGzip = asked['accept-encoding'] === 'gzip';
  const { tag, body } = answer(url, userId, isGzip);
  headers.push('ETag', tag, 'Cache-Control', 'private, no-cache');
  headers.push('Vary', 'Authorization, Accept, Accept-Encoding');
  if (asked['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  headers.push('Content-Type', 'application/json; charset=utf-8');
  headers.push('Content-Length', String(Buffer.byteLength(body)));
  response.writeHead(200, headers);
  response.end(body);
}

function begin({ request, response, headers }: Pick<Exchange, 'request' | 'response' | 'headers'>): void {
  const digest = hash('sha256', request.headers.authorization?.slice(7) ?? '');
  const now = version.get();
  if (now !== seen) members.clear();
  seen = now;
  const userId = members.get(digest) ?? member.get(digest);
  if (userId === undefined) {
    response.writeHead(401).end();
    return;
  }
  members.set(digest, userId);
  headers.push('API-Version', '1.0.0');
  headers.push('ratelimit-policy', '"token";q=1000000;w=1', 'ratelimit', '"token";r=999999;t=1');
  const url = request.url ?? '';
  if (request.method !== 'DELETE') {
    send(request, response, headers, userId);
    return;
  }
  const done = (isGone: boolean) => response.writeHead(isGone ? 204 : 404, headers).end();
  if (deletions.push({ id: Number(url.slice('/plants/'.length)), userId, done }) > 1) return;
  setImmediate(commitDeletions);
}

const server = createServer({ highWaterMark: 16 * 1024, optimizeEmptyRequests: true });
answerOneAtATime(server, { polled: () => {}, begin, end: () => {} });
if (cluster.isPrimary && processes !== '1') for (let n = 0; n < Number(processes); n++) cluster.fork();
else server.listen(Number(port), '127.0.0.1');
