/** The garden that the hostile inputs are sent to: its members, its rows, its server, and the inputs made for it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import { importRows, type MadeToken, memberWithToken, type Server, temporaryDatabase } from '../support/garden.ts';
import { bookmarks, client, problems, records, statuses } from '../support/http.ts';
import { credentials } from './credentials.ts';
import { framing } from './framing.ts';
import { headers } from './headers.ts';
import { canaries, ids } from './ids.ts';
import type { Fixtures, Hostile } from './inputs.ts';
import type { Reading } from './load.ts';
import { negotiation } from './negotiation.ts';
import { cursors, parameters } from './parameters.ts';
import { startLines } from './start-lines.ts';
import { targets } from './targets.ts';

const tables = { startLines, framing, headers, targets, ids, parameters, cursors, credentials, negotiation };

export interface HostileWorld {
  databaseUrl: string;
  server: Pick<Server, 'url' | 'stderr'>;
  inputs: Hostile[];
  /** The token of the staff member, whose plants all of them are. */
  token: string;
  /** Everything that members have, as exports write it. */
  contents(): Promise<Record<string, string>>;
  /** The targets that well-behaved clients read meanwhile, with the right answers. */
  readings(): Promise<Reading[]>;
}

interface Wanted {
  /** Plants beside the canaries. */
  plants: readonly bigint[];
  /** In a process of its own, which an input may end, or in this one. */
  start: (
    t: TestContext,
    asked: { databaseUrl: string; env: Record<string, string> },
  ) => Promise<HostileWorld['server']>;
  env?: Record<string, string>;
  smuggledPlant?: string;
}

export async function hostileWorld(t: TestContext, wanted: Wanted): Promise<HostileWorld> {
  const { plants, start, env, smuggledPlant } = wanted;
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
  await importRows(databaseUrl, 'statuses', [{ username: 'boss', problem: 7, status: 'reading', origin: 'self' }]);
  await importRows(databaseUrl, 'bookmarks', [{ username: 'boss', problem: 7, note: 'x' }]);
  const plantsOf = (ids: readonly bigint[]) =>
    ids.map((id) => ({ id, username: 'boss', name: `plant ${id}`, target: 3 }));
  await importRows(databaseUrl, 'plants', plantsOf([...canaries, ...plants]));
  const ada = await memberWithToken(databaseUrl, 'ada');
  const boss = await memberWithToken(databaseUrl, 'boss');
  const narrow = await memberWithToken(databaseUrl, 'ada', { scopes: ['problems:read'] });
  const gone = await memberWithToken(databaseUrl, 'gone');
  const cli = async (...args: string[]) => {
    const run = await gardenHere(args, { databaseUrl });
    assert.equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  const create = (...more: string[]) =>
    gardenJson<MadeToken>(['token', 'create', 'ada', '--name', 'x', ...more], { databaseUrl });
  const expired = await create('--expires', '1d');
  await tamper(databaseUrl, `UPDATE tokens SET expires_at = created_at WHERE id = ${expired.id}`);
  const revoked = await create();
  await cli('token', 'revoke', revoked.id);
  await cli('member', 'disable', 'gone');

  const server = await start(t, { databaseUrl, env: { RATE_LIMIT: '0', ...env } });
  const asBoss = client(server.url, boss.token);
  const [, cursor = ''] = /cursor=([\w-]+)/.exec(String((await asBoss(`${problems}?limit=3`)).headers['link'])) ?? [];
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
    ...(smuggledPlant !== undefined && { smuggledPlant }),
  };
  const inputs = Object.entries(tables).flatMap(([table, list]) =>
    list(fixtures).map((input) => ({ ...input, name: `${table}: ${input.name}` })),
  );
  const contents = async () => {
    const texts: Record<string, string> = {};
    for (const what of ['records', 'problems', 'statuses', 'bookmarks', 'plants'])
      texts[what] = await cli('export', what, '--format', 'ndjson');
    return texts;
  };
  const readings = () =>
    Promise.all(
      [
        problems,
        `${problems}7/`,
        `${problems}?order=-rating&limit=10`,
        `${statuses}7/`,
        `${bookmarks}7/`,
        `${records}2/`,
      ].map(async (target) => ({ target, text: (await asBoss(target)).text })),
    );
  return { databaseUrl, server, inputs, token: boss.token, contents, readings };
}
