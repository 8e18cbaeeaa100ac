/** The catalogues, twins and submissions that judges really publish. They need real data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { openGarden, report } from './support.ts';

const catalogue = 'codeforces/problemset.problems.2026-08.json';
const twinList = 'codeforces/shared-problems.2026-08.json';

test('none of 11,363 Codeforces problems is lost, and a second import keeps all', needsData, async (t) => {
  const garden = await openGarden(t);
  const text = await readReal(catalogue);
  const first = await garden.import('codeforces-problems', text);
  assert.deepEqual(first.report, report({ read: 11_363, new: 11_363 }));
  const before = await garden.everything();
  const second = await garden.import('codeforces-problems', text);
  assert.deepEqual(second.report, report({ read: 11_363, kept: 11_363 }));
  assert.equal(await garden.everything(), before);
});

test('the twin list leaves 11,362 problems, and every key of either file finds one', needsData, async (t) => {
  const garden = await openGarden(t, await catalogueDatabase(t, 'listed'));
  const [problems, twins] = [await readReal(catalogue), await readReal(twinList)];
  const folded = await garden.import('codeforces-twins', twins);
  assert.equal(folded.report.changed, 1);
  assert.ok(folded.lines.includes('changed codeforces 420C merged into 421D'));
  const rows = await garden.rows('problems');
  assert.equal(rows.length, 11_362);
  const idOfKey = new Map<string, unknown>();
  for (const { id, source_key, aliases } of rows) {
    for (const key of [source_key, ...(aliases as string[])]) {
      assert.ok(!idOfKey.has(String(key)), `${key} names one problem`);
      idOfKey.set(String(key), id);
    }
  }
  const keys = await garden.store.reader.selectFrom('problem_keys').selectAll().execute();
  assert.deepEqual(new Map(keys.map((row) => [row.key, Number(row.problem_id)])), idOfKey);
  const listed = JSON.parse(problems).result.problems as Named[];
  for (const problem of listed) assert.ok(idOfKey.has(keyOf(problem)), `${keyOf(problem)} is found`);
  for (const { shared, ...problem } of JSON.parse(twins).result as (Named & { shared: Named[] })[]) {
    const ids = new Set([problem, ...shared].map((one) => idOfKey.get(keyOf(one))));
    assert.equal(ids.size, 1, `${keyOf(problem)} and its twins are one problem`);
  }
  const before = await garden.everything();
  for (const [what, text] of [
    ['codeforces-problems', problems],
    ['codeforces-twins', twins],
  ] as const) {
    const { report: figures } = await garden.import(what, text);
    assert.deepEqual([figures.new, figures.changed], [0, 0], what);
  }
  assert.equal(await garden.everything(), before);
});

interface Named {
  contestId: number;
  index: string;
}

function keyOf({ contestId, index }: Named): string {
  return `${contestId}${index}`;
}

test(
  'of 479 problems that one member tried 28 are unmatched without the twins, one with them',
  needsData,
  async (t) => {
    const garden = await openGarden(t, await catalogueDatabase(t, 'listed'));
    await garden.import('records', [{ username: 'ada' }]);
    const sent = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
    const options = { member: 'ada' };
    const without = await garden.import('codeforces-submissions', sent, { ...options, isDryRun: true });
    assert.deepEqual([without.report.read, without.report.unmatched], [1557, 28]);
    await garden.import('codeforces-twins', await readReal(twinList));
    const first = await garden.import('codeforces-submissions', sent, options);
    assert.equal(first.report.unmatched, 1);
    assert.deepEqual(first.notes, [
      '7 problems new here.',
      '1,557 submissions: 1,547 to 479 problems known here under 485 keys, 467 of them solved (complete); 10 to 1 problem not known here',
    ]);
  },
);

test('the CSES list and the AtCoder tasks enter whole', needsData, async (t) => {
  const garden = await openGarden(t);
  for (const [what, name, count] of [
    ['cses-problems', 'cses/problemset.json', 300],
    ['atcoder-problems', 'atcoder/atcoder_problems.tasks.fixture.json', 100],
  ] as const) {
    const text = await readReal(name);
    assert.deepEqual((await garden.import(what, text)).report, report({ read: count, new: count }));
    assert.deepEqual((await garden.import(what, text)).report, report({ read: count, kept: count }));
  }
});
