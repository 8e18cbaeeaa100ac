/** Rows of another garden, where the same ids are other members and other problems: names and keys decide, ids alone never. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formats } from '../../src/contract/rows.ts';
import { gardenHere } from '../support/commands.ts';
import { assertRefused, exported, type Garden, gardenOf, report } from './support.ts';

const at = '2026-03-03T03:03:03.003Z';
const strict = { trustsIds: false } as const;

async function gardenWith(t: TestContext, members: string[], keys: string[]): Promise<Garden> {
  const garden = await gardenOf(t, ...members);
  await garden.import(
    'problems',
    keys.map((source_key) => ({ title: source_key, source: 'cses', source_key })),
  );
  return garden;
}

const statuses = [{ username: 'ada', source: 'cses', source_key: '1068', status: 'complete', updated_at: at }];
const bookmarks = [{ username: 'ada', source: 'cses', source_key: '1068' }];

test('what another garden answers over HTTP is refused, because its ids are other members and problems here', async (t) => {
  const there = await gardenWith(t, ['ada', 'bob'], ['1068', '1069']);
  const here = await gardenWith(t, ['bob', 'ada'], ['1069', '1068']);
  await there.import('statuses', statuses);
  await there.import('bookmarks', bookmarks);
  for (const what of ['statuses', 'bookmarks'] as const) {
    const [answer] = await there.rows(what);
    const csv = `${Object.keys(answer ?? {}).join()}\r\n${Object.values(answer ?? {}).join()}\r\n`;
    const reason = /ine 2, column 1: the row names a member by its id alone.*garden export.*--ids-of-this-garden/;
    await assertRefused(here, reason, what, csv, { ...strict, format: 'csv' });
    await assertRefused(here, reason, what, csv, { ...strict, format: 'csv', skipsBad: true });
    const trusted = await here.import(what, csv, { format: 'csv' });
    assert.deepEqual(trusted.report, report({ read: 1, new: 1 }), 'a file of this very garden');
  }
});

test('an export says whose and of which problem each row is, and is refused where the ids here are others', async (t) => {
  const there = await gardenWith(t, ['ada', 'bob'], ['1068', '1069']);
  await there.import('statuses', statuses);
  await there.import('bookmarks', bookmarks);
  await there.import('plants', [{ username: 'ada', name: 'Arrays', target: 5 }]);
  const others = await gardenWith(t, ['bob', 'ada'], ['1068', '1069']);
  const problems = await gardenWith(t, ['ada', 'bob'], ['1069', '1068']);
  for (const format of formats) {
    for (const what of ['statuses', 'bookmarks', 'plants'] as const) {
      const file = await exported(there.store, what, format);
      const reason = /ada is member 2 here, not 1; leave user out to go by username/;
      await assertRefused(others, reason, what, file, { ...strict, format });
      await assertRefused(others, reason, what, file, { format });
      const bare = ['export', what, '--format', format, '--without-ids'];
      const { stdout } = await gardenHere(bare, { databaseUrl: there.databaseUrl });
      const taken = await others.import(what, stdout, { ...strict, format });
      const { read, bad, unmatched } = taken.report;
      assert.deepEqual([read, bad, unmatched], [1, 0, 0], bare.join(' '));
      const ofOthers = (await others.rows(what)).find(({ user }) => user !== 2);
      assert.equal(ofOthers, undefined, 'they are of ada alone');
      if (what === 'plants') continue;
      const other = /cses 1068 is problem 2 here, not 1; leave id and problem out/;
      await assertRefused(problems, other, what, file, { ...strict, format });
    }
  }
  const header = (await exported(there.store, 'statuses', 'csv')).split('\r\n')[0];
  assert.equal(
    header,
    'id,user,username,problem,source,source_key,status,origin,updated_at,how,judge_status,judge_at,earlier_status,earlier_at,solved_list_source',
  );
});

test('rows with names and keys alone find their members and problems, whatever the ids are', async (t) => {
  const here = await gardenWith(t, ['bob', 'ada'], ['1069', '1068']);
  assert.deepEqual((await here.import('statuses', statuses, strict)).report, report({ read: 1, new: 1 }));
  assert.deepEqual(
    (await here.rows('statuses')).map(({ user, problem }) => [user, problem]),
    [[2, 2]],
  );
});

test('a problem, record or plant is not overwritten by another one that has its id elsewhere', async (t) => {
  const here = await gardenWith(t, ['ada'], ['1068']);
  await here.import('plants', [{ username: 'ada', name: 'Arrays', target: 5 }]);
  const rows = {
    problems: [{ id: 1, title: 'Other', source: 'codeforces', source_key: '4A' }],
    records: [{ id: 1, username: 'carl' }],
    plants: [{ id: 1, user: 1, username: 'ada', name: 'Graphs', target: 7 }],
  } as const;
  const reasons = {
    problems: /problem 1 is cses 1068 here, not codeforces 4A; leave the id out, or use --ids-of-this-garden/,
    records: /member 1 is ada here, not carl; leave the id out, or use --ids-of-this-garden/,
    plants: /plant 1 is another one here, "Arrays" of member 1; leave the id out, or use/,
  };
  const alone = {
    problems: [{ id: 1, rating: 800 }],
    records: [{ id: 1, city: 'Paris' }],
    plants: [{ id: 1, target: 6 }],
  } as const;
  for (const what of ['problems', 'records', 'plants'] as const) {
    await assertRefused(here, reasons[what], what, rows[what], strict);
    await assertRefused(here, /by its id alone/, what, alone[what], strict);
  }
  for (const what of ['plants', 'problems', 'records'] as const) {
    assert.deepEqual((await here.import(what, alone[what])).report, report({ read: 1, changed: 1 }));
    assert.deepEqual((await here.import(what, rows[what])).report, report({ read: 1, changed: 1 }));
  }
});
