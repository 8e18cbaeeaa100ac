/** A peer: Express and better-sqlite3, with the compression middleware on collections. */
import compression from 'compression';
import express from 'express';
import { bearerToken, openCatalogue } from './catalogue.ts';

const [port, path = ''] = process.argv.slice(2);
const catalogue = openCatalogue(path);
const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const userId = catalogue.findMember(bearerToken(request.headers.authorization));
  if (userId === undefined) {
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 401, message: 'Unauthorized' });
    return;
  }
  response.locals['userId'] = userId;
  next();
});

app.get('/problem_list/api/problems/:id/', (request, response) => {
  const problem = catalogue.findProblem(Number(request.params.id));
  if (problem) response.json(problem);
  else response.status(404).json({ error: 404, message: 'Not found' });
});
app.get('/problem_list/api/problems/', compression(), ({ query }, response) => {
  const asked = query as Record<string, string>;
  response.json(
    asked['limit'] === undefined
      ? catalogue.listProblems()
      : catalogue.listPage(response.locals['userId'], asked),
  );
});
app.get('/problem_list/api/status/', compression(), (_request, response) => {
  response.json(catalogue.listStatuses(response.locals['userId']));
});
app.delete('/plants/:id', (request, response) => {
  if (catalogue.deletePlant(Number(request.params.id), response.locals['userId'])) response.status(204).end();
  else response.status(404).json({ error: 404, message: 'Not found' });
});
app.listen(Number(port), '127.0.0.1');
