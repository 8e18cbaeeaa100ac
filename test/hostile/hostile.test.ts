/** Every hostile input is answered once, as its table says, alone and under load, and nothing changes by any of them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  garden,
  gardenJson,
  importRows,
  type MadeToken,
  memberWithToken,
  serve,
  temporaryDatabase,
} from '../support/garden.ts';
import { client } from '../support/http.ts';
import { credentials } from './credentials.ts';
import { assertAnswered } from './exchange.ts';
import { framing } from './framing.ts';
import { headers } from './headers.ts';
import { canaries, ids } from './ids.ts';
import { bookmarks, type Fixtures, type Hostile, problems, records, statuses } from './inputs.ts';
import { putUnderLoad } from './load.ts';
import { negotiation } from './negotiation.ts';
import { cursors, parameters } from './parameters.ts';
import { startLines } from './start-lines.ts';
import { targets } from './targets.ts';

const tables = { startLines, framing, headers, targets, ids, parameters, cursors, credentials, negotiation };
const leastInputs = 250;
const atATime = 8;
const loadPlants = Array.from({ length: 5000 }, (_, place) => 5_000_000n + BigInt(place));

/** Sends all inputs, a few at a time; answers what is wrong with them. */
async function sendAll(url: string, inputs: readonly Hostile[]): Promise<string[]> {
  const wrong: string[] = [];
  const rest = [...inputs];
  const sender = async () => {
    for (let input = rest.shift(); input; input = rest.shift()) {
      const { name } = input;
      await assertAnswered(url, input).catch((error: Error) =>
        wrong.push(`${name}: ${error.message.split('\n')[0]}`),
      );
    }
  };
  // Those that wait for a time-out wait together.
  const slow = inputs.filter(({ isSlow }) => isSlow);
  rest.splice(0, rest.length, ...rest.filter(({ isSlow }) => !isSlow));
  await Promise.all([
    ...Array.from({ length: atATime }, sender),
    ...slow.map((input) =>
      assertAnswered(url, input).catch((error: Error) =>
        wrong.push(`${input.name}: ${error.message.split('\n')[0]}`),
      ),
    ),
  ]);
  return wrong;
}

test('hostile inputs', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    { id: 1, username: 'ada' },
    { id: 2, username: 'boss', role: 'staff' },
    { id: 3, username: 'gone' },
  ]);
  await importRows(
    databaseUrl,
    'problems',
    Array.from({ length: 30 }, (_, place) => ({
      id: place,
      title: `Problem ${place}`,
      source: 'here',
      source_key: `k${place}`,
      tags: ['a'],
      rating: place % 3 ? place * 100 : null,
    })),
  );
  await importRows(databaseUrl, 'statuses', [
    { username: 'boss', problem: 7, status: 'reading', origin: 'self' },
  ]);
  await importRows(databaseUrl, 'bookmarks', [{ username: 'boss', problem: 7, note: 'x' }]);
  const plantsOf = (plants: readonly bigint[]) =>
    plants.map((id) => ({ id, username: 'boss', name: `plant ${id}`, target: 3 }));
  await importRows(databaseUrl, 'plants', plantsOf([...canaries, ...loadPlants]));
  const ada = await memberWithToken(databaseUrl, 'ada');
  const boss = await memberWithToken(databaseUrl, 'boss');
  const narrow = await memberWithToken(databaseUrl, 'ada', { scopes: ['problems:read'] });
  const gone = await memberWithToken(databaseUrl, 'gone');
  const cli = async (...args: string[]) => {
    const run = await garden(args, { databaseUrl });
    assert.equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  const create = (...more: string[]) =>
    gardenJson<MadeToken>(['token', 'create', 'ada', '--name', 'x', ...more], { databaseUrl });
  const expired = await create('--expires', '1s');
  const revoked = await create();
  await cli('token', 'revoke', revoked.id);
  await cli('member', 'disable', 'gone');

  const server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const asBoss = client(server.url, boss.token);
  const [, cursor = ''] =
    /cursor=([\w-]+)/.exec(String((await asBoss(`${problems}?limit=3`)).headers['link'])) ?? [];
  const bearer = (token: string) => `Authorization: Bearer ${token}`;
  const fixtures: Fixtures = {
    member: bearer(ada.token),
    staff: bearer(boss.token),
    narrow: bearer(narrow.token),
    expired: bearer(expired.token),
    revoked: bearer(revoked.token),
    disabled: bearer(gone.token),
    token: ada.token,
    cursor,
  };
  const inputs = Object.entries(tables).flatMap(([table, list]) =>
    list(fixtures).map((input) => ({ ...input, name: `${table}: ${input.name}` })),
  );
  /** Everything that members have, as exports write it. */
  const contents = async () => {
    const texts: Record<string, string> = {};
    for (const what of ['records', 'problems', 'statuses', 'bookmarks', 'plants'])
      texts[what] = await cli('export', what, '--format', 'ndjson');
    return texts;
  };
  const before = await contents();

  await t.test('there are many, each of a name of its own', () => {
    t.diagnostic(`${inputs.length} inputs, ${canaries.length} canaries`);
    assert(inputs.length >= leastInputs);
    assert.equal(new Set(inputs.map(({ name }) => name)).size, inputs.length);
  });

  await t.test('each is answered once and as listed, and nothing changes', async () => {
    assert.deepEqual(await sendAll(server.url, inputs), []);
    assert.deepEqual(await contents(), before);
  });

  await t.test('so it is under load, and who behaves gets right answers', async (t) => {
    const targets = [
      problems,
      `${problems}7/`,
      `${problems}?order=-rating&limit=10`,
      `${statuses}7/`,
      `${bookmarks}7/`,
      `${records}2/`,
    ];
    const readings = await Promise.all(
      targets.map(async (target) => ({ target, text: (await asBoss(target)).text })),
    );
    const left = [...loadPlants];
    const load = putUnderLoad(server.url, boss.token, { readings, plants: left, connections: 6 });
    const wrong = await sendAll(server.url, inputs);
    const { count } = await load.stop();
    t.diagnostic(`${count} requests of load, ${loadPlants.length - left.length} of them deletions`);
    assert.deepEqual(wrong, []);
    assert(count > 500 && left.length < loadPlants.length);
    const after = await contents();
    const kept = new Set([...canaries, ...left].map(String));
    const plants = before['plants']
      ?.split('\n')
      .filter((line) => kept.has(/"id":(-?\d+)/.exec(line)?.[1] ?? ''));
    assert.deepEqual(after['plants']?.split('\n').filter(Boolean), plants);
    assert.deepEqual({ ...after, plants: '' }, { ...before, plants: '' });
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
});
