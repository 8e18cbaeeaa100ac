/** A peer: json-server 0.17, the stable line, on the rows in memory; set to leave out the spaces that it puts into JSON. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import jsonServer from 'json-server';
import { bearerToken, openCatalogue } from './catalogue.ts';

const [port, path = ''] = process.argv.slice(2);
const catalogue = openCatalogue(path);
const database = new Database(path, { readonly: true });
const tokens = new Map(
  (database.prepare('SELECT digest, user_id FROM tokens').raw().all() as [string, number][]).map(
    (row) => row,
  ),
);
database.close();
const [userId = 1] = tokens.values();

const app = jsonServer.create();
app.set('json spaces', 0);
app.use(jsonServer.defaults({ logger: false }));
app.use((request, response, next) => {
  const digest = createHash('sha256').update(bearerToken(request.headers.authorization)).digest('hex');
  if (tokens.has(digest)) next();
  else response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 401, message: 'Unauthorized' });
});
app.use(
  jsonServer.rewriter({
    '/problem_list/api/problems/': '/problems',
    '/problem_list/api/problems/:id/': '/problems/:id',
    '/problem_list/api/status/': `/statuses?user=${userId}`,
  }),
);
app.use(jsonServer.router({ problems: catalogue.listProblems(), statuses: catalogue.listStatuses(userId) }));
app.listen(Number(port), '127.0.0.1');
