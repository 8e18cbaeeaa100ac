/** A peer: Fastify and pg, with a pool, named prepared statements and a response schema. */
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { bearerToken } from './catalogue.ts';
import { problemSchema } from './problem-schema.ts';

const [port, connectionString = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
// Ids are int8, which pg gives as text: these fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const app = Fastify();
app.addHook('onRequest', async (request, reply) => {
  const digest = createHash('sha256').update(bearerToken(request.headers.authorization)).digest('hex');
  const { rowCount } = await pool.query({
    name: 'member',
    text: 'SELECT user_id FROM tokens WHERE digest = $1',
    values: [digest],
  });
  if (rowCount === 1) return;
  return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ error: 401, message: 'Unauthorized' });
});
app.get<{ Params: { id: number } }>(
  '/problem_list/api/problems/:id/',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      response: { 200: problemSchema },
    },
  },
  async (request, reply) => {
    const { rows } = await pool.query({
      name: 'problem',
      text: `SELECT *,
          ARRAY(SELECT tag FROM problem_tags WHERE problem_id = problems.id ORDER BY position) AS tags,
          ARRAY(SELECT alias FROM problem_aliases WHERE problem_id = problems.id ORDER BY position) AS aliases
        FROM problems WHERE id = $1`,
      values: [request.params.id],
    });
    return rows[0] ?? reply.code(404).send({ error: 404, message: 'Not found' });
  },
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
