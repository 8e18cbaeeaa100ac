/** Every hostile input is answered once, as its table says, alone and under load, and nothing changes by any of them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { serve } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';
import { assertAnswered } from './exchange.ts';
import { canaries } from './ids.ts';
import type { Hostile } from './inputs.ts';
import { putUnderLoad } from './load.ts';
import { type HostileWorld, hostileWorld } from './world.ts';

const leastInputs = 250;
const atATime = 8;
const loadPlants = Array.from({ length: 2000 }, (_, place) => 5_000_000n + BigInt(place));

/** Sends all inputs, a few at a time and those that wait for a time-out together; answers what is wrong with them. */
async function sendAll({ server, inputs }: HostileWorld, hasty: { url: string }): Promise<string[]> {
  const wrong: string[] = [];
  const sendOne = (url: string, input: Hostile) =>
    assertAnswered(url, input).catch((error: Error) => wrong.push(`${input.name}: ${error.message.split('\n')[0]}`));
  const [slow = [], rest = []] = [true, false].map((is) => inputs.filter(({ isSlow = false }) => isSlow === is));
  assert(slow.length > 0);
  const sender = async () => {
    for (let input = rest.shift(); input; input = rest.shift()) await sendOne(server.url, input);
  };
  await Promise.all([...Array.from({ length: atATime }, sender), ...slow.map((input) => sendOne(hasty.url, input))]);
  return wrong;
}

test('hostile inputs', async (t) => {
  const world = await hostileWorld(t, { plants: loadPlants, start: serve });
  const { databaseUrl, server, inputs, token, contents, readings } = world;
  // For inputs that never arrive as a whole: test/server/slow-clients.test.ts waits as long as the contract promises.
  const timeouts = { headersMs: 1_500, requestMs: 1_500, idleMs: 3_000 };
  const hasty = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' }, timeouts });
  const before = await contents();

  await t.test('there are many, each of a name of its own', () => {
    t.diagnostic(`${inputs.length} inputs, ${canaries.length} canaries`);
    assert(inputs.length >= leastInputs);
    assert.equal(new Set(inputs.map(({ name }) => name)).size, inputs.length);
  });

  await t.test('each is answered once and as listed, and nothing changes', async () => {
    assert.deepEqual(await sendAll(world, hasty), []);
    assert.deepEqual(await contents(), before);
  });

  await t.test('the same holds under load, and well-behaved clients get right answers', async (t) => {
    const left = [...loadPlants];
    const load = putUnderLoad(server.url, token, {
      readings: await readings(),
      plants: left,
      connections: 6,
      pauseMs: 10,
    });
    const wrong = await sendAll(world, hasty);
    // One request in four is a deletion.
    await until('enough load', () => loadPlants.length - left.length >= 140);
    const { count } = await load.stop();
    t.diagnostic(`${count} requests of load, ${loadPlants.length - left.length} of them deletions`);
    assert.deepEqual(wrong, []);
    assert(count > 500 && left.length < loadPlants.length);
    const after = await contents();
    const kept = new Set([...canaries, ...left].map(String));
    const plants = before['plants']?.split('\n').filter((line) => kept.has(/"id":(-?\d+)/.exec(line)?.[1] ?? ''));
    assert.deepEqual(after['plants']?.split('\n').filter(Boolean), plants);
    assert.deepEqual({ ...after, plants: '' }, { ...before, plants: '' });
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr() + hasty.stderr(), ''));
});
