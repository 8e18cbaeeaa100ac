/** The runtime's ceiling: node:http that sends fixed buffers with one headers object each, and looks at nothing but the path. */
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Kept } from '../data.ts';

const [port, answersFile = '', mode, processes = '1'] = process.argv.slice(2);
const coding = mode === 'gzip' ? 'gzip' : 'identity';
const kept = (JSON.parse(readFileSync(answersFile, 'utf8')) as Kept[]).filter((one) => one.coding === coding);
const answers = new Map(
  kept.map(({ path, file }) => {
    const body = readFileSync(file);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      ...(coding === 'gzip' && { 'Content-Encoding': 'gzip' }),
    };
    return [path, { headers, body }];
  }),
);
const notModified = { ETag: '"fixed"' };
/** The first answer, for items that are too many to hold. */
const [anyItem] = mode === 'anyItem' ? answers.values() : [];

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '') ?? anyItem;
  if (!answer) response.writeHead(404).end();
  else if (mode === 'notModified') response.writeHead(304, notModified).end();
  else response.writeHead(200, answer.headers).end(answer.body);
});
if (cluster.isPrimary && processes !== '1') for (let n = 0; n < Number(processes); n++) cluster.fork();
else server.listen(Number(port), '127.0.0.1');
