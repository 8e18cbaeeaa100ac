/** Every answer of the nine operations to generated requests is one that the OpenAPI document promises, and the right one. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import test from 'node:test';
import fc from 'fast-check';
import type { Reply } from '../support/http.ts';
import { checker } from './document.ts';
import { expectedOf } from './model.ts';
import { type Request, requestsOf } from './requests.ts';
import { growWorld, type World } from './world.ts';

const only = process.env['GARDEN_FUZZ_OPERATION'];
const isLong = process.env['GARDEN_FUZZ_RUNS'] !== undefined;
const runs = isLong ? Number(process.env['GARDEN_FUZZ_RUNS']) : 60;
/** `npm test` asks the same each time: of few requests, some seeds lack a kind that must be among them. */
const seed = Number(process.env['GARDEN_FUZZ_SEED'] ?? (isLong ? randomInt(2 ** 31) : 3));

function spelt(world: World, path: string, request: Request): { target: string; headers: Record<string, string> } {
  const { id, hasSlash, parts, accept, coding, ifNoneMatch, caller, authorization } = request;
  const whole = path.replace('{id}', () => id.raw);
  const query = parts.length === 0 ? '' : `?${parts.map(({ raw }) => raw).join('&')}`;
  const sent =
    caller === 'broken' ? authorization : caller === 'none' ? undefined : `Bearer ${world.callers[caller].token}`;
  return {
    target: (hasSlash || !path.endsWith('/') ? whole : whole.slice(0, -1)) + query,
    headers: {
      ...(sent !== undefined && { Authorization: sent }),
      ...(accept.header !== undefined && { Accept: accept.header }),
      ...(coding !== undefined && { 'Accept-Encoding': coding }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    },
  };
}

test('the document holds', { concurrency: true }, async (t) => {
  t.diagnostic(`GARDEN_FUZZ_SEED=${seed} GARDEN_FUZZ_RUNS=${runs}`);
  const world = await growWorld(t, Math.min(runs, 5000));
  const check = checker(world.document);
  const operations = Object.entries(world.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  assert.equal(operations.length, 9);

  const chosen = operations.filter(({ operation }) => (only ?? operation.operationId) === operation.operationId);
  assert(chosen.length > 0, `there is no operation ${only}`);
  const properties = chosen.map(({ path, method, operation }) => {
    const { operationId } = operation;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const { hostname, port } = new URL(world.url);
    const statuses = new Map<number, number>();
    let linked = 0;
    const send = async (sent: string, target: string, headers: Record<string, string>): Promise<Reply> => {
      const asked = http.request({ agent, hostname, port, method: sent, path: target, headers });
      const [response] = (await once(asked.end(), 'response')) as [http.IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const status = response.statusCode ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      return { status, headers: response.headers, bytes, text: String(bytes) };
    };

    /** Asks, and throws where the answer is not as it must be. */
    const ask = async (request: Request): Promise<void> => {
      const { target, headers } = spelt(world, path, request);
      const isHead = request.method === 'HEAD';
      const reply = await send(request.method, target, headers);
      const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'DELETE, OPTIONS';
      if (request.method === 'OPTIONS' || (request.method !== method && !(isHead && method === 'GET'))) {
        check.assertCommon(reply);
        assert.equal(reply.headers.allow, allow);
        assert.equal(reply.status, request.method === 'OPTIONS' ? 204 : 405);
        if (reply.status === 405 && !isHead) assert.equal(check.assertError(reply), 40500);
        return;
      }
      if (!request.hasSlash && path.endsWith('/')) {
        check.assertCommon(reply);
        assert.equal(reply.status, 308);
        assert.equal(reply.headers.location, spelt(world, path, { ...request, hasSlash: true }).target);
        return;
      }
      const found = check.assertDocumented(operation, reply, isHead);
      const expected = expectedOf(world, operationId, request);
      if (reply.status >= 400) {
        if (method === 'DELETE' && request.ifNoneMatch?.trim() === '*' && !expected.errors) {
          assert.equal(found.error, 41200);
          return;
        }
        assert(expected.errors, `refused, but nothing is wrong with it: ${reply.text}`);
        const statusesDue = expected.errors.map((error) => Math.floor(error / 100));
        assert(
          isHead ? statusesDue.includes(reply.status) : expected.errors.includes(found.error ?? 0),
          `${reply.status} ${reply.text}, not one of ${expected.errors}`,
        );
        return;
      }
      const isRefused =
        expected.errors && !(request.accept.formats === undefined || request.parts.some(({ cursor }) => cursor === -1));
      assert(!isRefused, `answered ${reply.status}, not refused with one of ${expected.errors}`);
      if (method === 'DELETE') {
        assert.equal(reply.status, 204);
        assert.notEqual(request.ifNoneMatch?.trim(), '*');
        assert(world.plants.delete(BigInt(request.id.raw)));
        return;
      }
      if (request.ifNoneMatch === '*') assert.equal(reply.status, 304);
      if (reply.status === 304) {
        assert.equal(request.ifNoneMatch?.includes('*'), true);
        return;
      }
      assert.equal(reply.status, 200);
      const counted = request.parts.some(({ raw }) => raw === 'count=true');
      assert.equal(reply.headers['x-total-count'] !== undefined, counted);
      if (counted && expected.total !== undefined) assert.equal(Number(reply.headers['x-total-count']), expected.total);
      if (!isHead && expected.rows) assert.deepEqual(found.rows, expected.rows);
      assertLink(request, reply, expected.hasNext);
      if (reply.headers.link !== undefined) linked++;
      if (!request.asksAgain) return;
      const again = await send(request.method, target, {
        ...headers,
        'If-None-Match': String(reply.headers.etag),
      });
      assert.equal(again.status, 304);
      assert.equal(again.headers.etag, reply.headers.etag);
      check.assertDocumented(operation, again, isHead);
    };

    const property = fc.asyncProperty(requestsOf(path, method, operation, world), async (request) => {
      try {
        await ask(request);
      } catch (error) {
        const { target, headers } = spelt(world, path, request);
        throw new Error(`${request.method} ${target} ${JSON.stringify(headers)}: ${(error as Error).message}`);
      }
    });
    return t.test(operationId, async (t) => {
      await fc.assert(property, { seed, numRuns: runs });
      const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      t.diagnostic(
        `${[...statuses.values()].reduce((a, b) => a + b)} answers (${seen.join(', ')}), ${linked} of them with a link`,
      );
      for (const status of method === 'GET' ? [200, 304, 308] : [204, 404])
        assert(statuses.has(status), String(status));
    });
  });
  await Promise.all(properties);
  assert.equal(world.stderr(), '');
});

function assertLink({ parts }: Request, { headers }: Reply, hasNext: boolean | undefined): void {
  const { link } = headers;
  if (!parts.some(({ name }) => name === 'limit')) assert.equal(link, undefined);
  if (hasNext !== undefined) assert.equal(link !== undefined, hasNext, `link: ${link}`);
  if (link === undefined) return;
  assert.match(
    String(link),
    /^<http:\/\/garden\.example\.org\/[\w/]+\?[\w.~!$&'()*+,;=:@/?%-]+&cursor=[\w-]+>; rel="next"$/,
  );
}
