/** A peer: Hono on its server for Node and better-sqlite3, with its own compress middleware on collections. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { createMiddleware } from 'hono/factory';
import { bearerToken, openCatalogue } from './catalogue.ts';

const [port, path = ''] = process.argv.slice(2);
const catalogue = openCatalogue(path);
type Env = { Variables: { userId: number } };
const app = new Hono<Env>();

app.use(
  createMiddleware<Env>(async (context, next) => {
    const userId = catalogue.findMember(bearerToken(context.req.header('Authorization')));
    if (userId === undefined) {
      return context.json({ error: 401, message: 'Unauthorized' }, 401, { 'WWW-Authenticate': 'Bearer' });
    }
    context.set('userId', userId);
    return next();
  }),
);
app.get('/problem_list/api/problems/:id/', (context) => {
  const problem = catalogue.findProblem(Number(context.req.param('id')));
  return problem ? context.json(problem) : context.json({ error: 404, message: 'Not found' }, 404);
});
app.get('/problem_list/api/problems/', compress({ encoding: 'gzip' }), (context) => {
  const query = context.req.query();
  return context.json(
    query['limit'] === undefined
      ? catalogue.listProblems()
      : catalogue.listPage(context.get('userId'), query),
  );
});
app.get('/problem_list/api/status/', compress({ encoding: 'gzip' }), (context) =>
  context.json(catalogue.listStatuses(context.get('userId'))),
);
app.delete('/plants/:id', (context) => {
  const isDeleted = catalogue.deletePlant(Number(context.req.param('id')), context.get('userId'));
  return isDeleted ? context.body(null, 204) : context.json({ error: 404, message: 'Not found' }, 404);
});
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
