/** Documents are compressed once, as long as all their variants together fit in memory. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import Fastify from 'fastify';
import { publish, type StaticRoute } from '../../src/web/request/static-routes.ts';

test('of more variants than fit in memory the last ones are not rendered again', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return randomBytes(5_000_000);
  };
  const paths = Array.from({ length: 6 }, (_, n) => `/large/${n}.txt`);
  const app = Fastify();
  const site = { baseUrl: 'http://garden.test', basePath: '', language: 'en' };
  publish(
    app,
    site,
    paths.map((path): StaticRoute => [path, { type: 'text/plain', read }]),
  );
  const ask = async (url = '') => {
    const { statusCode } = await app.inject({ method: 'HEAD', url, headers: { 'accept-encoding': 'zstd' } });
    return [statusCode, reads];
  };
  for (const path of paths) await ask(path);
  assert.deepEqual(await ask(paths.at(-1)), [200, 6]);
  assert.deepEqual(await ask(paths[0]), [200, 7]);
});
