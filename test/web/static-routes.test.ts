/** Documents are compressed once, as long as all their variants together fit in memory. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import Fastify from 'fastify';
import { publish, type StaticRoute } from '../../src/web/request/static-routes.ts';

test('of more variants than fit in memory the last ones are not rendered again', async () => {
  const reads = new Map<string, number>();
  const paths = Array.from({ length: 8 }, (_, n) => `/large/${n}.txt`);
  const routes = paths.map((path): StaticRoute => {
    const read = async () => {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      return randomBytes(5_000_000);
    };
    return [path, { type: 'text/plain', read }];
  });
  const app = Fastify();
  publish(app, { baseUrl: 'http://garden.test', basePath: '', language: 'en' }, routes);
  const ask = async (path: string) => {
    const { statusCode } = await app.inject({ method: 'HEAD', url: path, headers: { 'accept-encoding': 'zstd' } });
    assert.equal(statusCode, 200);
    return reads.get(path);
  };
  await Promise.all(paths.map(ask));
  for (const path of paths) await ask(path);
  const [first = '', last = ''] = [paths[0], paths.at(-1)];
  const count = reads.get(last);
  assert.equal(await ask(last), count);
  assert.ok((reads.get(first) ?? 0) < ((await ask(first)) ?? 0));
});
