/**
 * A plain page to compare the problem list with: Fastify, better-sqlite3 on the garden's own database, hono/html, and the query
 * that one would write first. It finds the member by the session, lists and counts the rows, and shows their titles, keys,
 * ratings, topics and statuses; it has no forms, no menus and no entity tag.
 */
import { createHash } from 'node:crypto';
import compress from '@fastify/compress';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { html } from 'hono/html';

const [path = ''] = process.argv.slice(2);
const database = new Database(path);
const member = database.prepare<[string, string], { id: number; username: string }>(
  `SELECT members.id, username FROM sessions JOIN members ON members.id = user_id WHERE digest = ? AND expires_at > ?`,
);
const matching = `FROM problems
  LEFT JOIN statuses ON statuses.problem_id = problems.id AND statuses.user_id = @member
  WHERE (@q IS NULL OR search_text LIKE '%' || @q || '%')
    AND (@least IS NULL OR rating >= @least) AND (@most IS NULL OR rating <= @most)
    AND (@unsolved = 0 OR coalesce(self_status, judge_status, 'not_started') <> 'complete')`;
const count = database.prepare<object, { n: number }>(`SELECT count(*) AS n ${matching}`);
const rows = database.prepare<object, Row>(
  `SELECT problems.id, title, source, source_key, rating, tags, coalesce(self_status, judge_status) AS status
   ${matching} ORDER BY problems.id LIMIT 25 OFFSET @offset`,
);

interface Row {
  id: number;
  title: string;
  source: string;
  source_key: string;
  rating: number | null;
  tags: string;
  status: string | null;
}

const app = Fastify();
await app.register(compress);
app.get<{ Querystring: Record<string, string | undefined> }>('/problem_list/', async ({ headers, query }, reply) => {
  const [, cookie = ''] = /session=([\w-]+)/.exec(headers.cookie ?? '') ?? [];
  const digest = createHash('sha256').update(cookie).digest('hex');
  const found = member.get(digest, new Date().toISOString());
  if (!found) return reply.code(401).send();
  const page = Number(query['page'] ?? 1);
  const filter = {
    member: found.id,
    q: query['q'] ?? null,
    least: query['rating_min'] ?? null,
    most: query['rating_max'] ?? null,
    unsolved: query['status'] === 'unsolved' ? 1 : 0,
    offset: (page - 1) * 25,
  };
  const { n = 0 } = count.get(filter) ?? {};
  const row = (one: Row) =>
    html`<tr><td>${one.status ?? 'not_started'}</td><td><a href="/problem_list/problem/${one.id}/">${one.title}</a></td><td>${one.source} ${one.source_key}</td><td>${one.rating ?? ''}</td><td>${(JSON.parse(one.tags) as string[]).join(', ')}</td></tr>`;
  const text = html`<!doctype html><html lang="en"><title>Problems</title><p>${found.username}: ${n} problems</p><table>${rows.all(filter).map(row)}</table></html>`;
  return reply.type('text/html; charset=utf-8').send(String(await text));
});
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
