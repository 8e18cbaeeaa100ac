/** What is said of the syncs of each handle and judge: one state from what the last runs left, also beside a pause or a live feed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '../../src/durations.ts';
import { describeSync, handleHealth, judgeHealth, listStaleJudges } from '../../src/jobs/sync-health.ts';
import { createMember } from '../../src/practice/members.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { freshFeed, saveLiveFeed } from '../../src/store/live-feeds.ts';
import { freshSync, pauseSubject, type SyncsTable, type SyncTask, saveSync } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';
import { iso } from '../support/seasons.ts';

const now = new Date('2026-11-29T18:00:00Z');
const ago = (ms: number) => iso(now.getTime() - ms);
const dueIn = (ms: number) => BigInt(now.getTime() + ms);
const lateMs = 36 * hourMs;
const fine = { good_at: ago(lateMs), due_at: dueIn(hourMs) };
const faultAt = (since: string, fault: SyncsTable['fault'] = 'down') => ({
  fault,
  fault_since: since,
  fault_text: 'It is down.',
});

test('a handle, a judge and a member’s messages agree about what last went well, and what is wrong since when', async (t) => {
  const { store } = await openGarden(t);
  const ids = new Map<string, bigint>();
  const owners = { ada: 0n, bob: 0n };
  for (const username of ['ada', 'bob'] as const)
    owners[username] = (await store.write((tx) => createMember(tx, { username }))).id;
  const handle = (source: string, name: string, row?: Partial<SyncsTable>, task: SyncTask = 'submissions') =>
    store.write(async (tx) => {
      const user_id = name.startsWith('bob') ? owners.bob : owners.ada;
      const key = `${source} ${name}`;
      const known = ids.get(key) ?? (await insertHandle(tx, { user_id, source, name, created_at: ago(0) })).id;
      ids.set(key, known);
      if (row) await saveSync(tx, { ...freshSync({ source, task, handle_id: known }), ...row });
    });
  const list = (source: string, task: SyncTask, row: Partial<SyncsTable>) =>
    store.write((tx) => saveSync(tx, { ...freshSync({ source, task, handle_id: null }), ...row }));
  const describe = (isOn = true) => describeSync(store.reader, now, isOn);

  assert.deepEqual(await describe(), ['good', undefined]);
  await handle('codeforces', 'fine', { ...fine, news: 3n, skipped: JSON.stringify(['One row.']) });
  assert.deepEqual(await describe(), ['good', '1 handle, and no sync that failed']);
  assert.deepEqual(await describe(false), ['good', 'SYNC is off: only garden sync asks the judges']);

  await handle('yukicoder', 'late', { ...fine, good_at: ago(lateMs + 1) });
  const skewed = { ...fine, cursor: JSON.stringify({ since: 86_400, through: 9 }) };
  await handle('codeforces', 'new');
  await handle('codeforces', 'late', { ...fine, good_at: ago(lateMs + 1) });
  await handle('codeforces', 'bob_failing', {
    ...faultAt(ago(dayMs)),
    good_at: ago(lateMs + 5),
    due_at: dueIn(hourMs),
  });
  await handle('codeforces', 'fine', faultAt(ago(hourMs)), 'ratings');
  await handle('cses', 'by_hand', fine);
  await handle('atcoder', 'behind', fine);
  await list('atcoder', 'age', { ...fine, judge_at: ago(lateMs + 3 * hourMs + 1) });
  await handle('leetcode', 'whole', skewed);
  await handle('leetcode', 'leetcode.cn/odd', { ...skewed, cursor: '{' });
  await handle('uva', 'bob_unknown', { ...fine, ...faultAt(ago(hourMs), 'unknown handle') });
  await store.write((tx) =>
    saveSync(tx, { ...freshSync(pauseSubject('dmoj')), ...faultAt(ago(2 * hourMs)), due_at: dueIn(hourMs) }),
  );
  await handle('dmoj', 'never');
  await handle('dmoj', 'due', { ...fine, due_at: dueIn(0) });
  await handle('dmoj', 'same', { ...fine, due_at: dueIn(hourMs) });
  await handle('dmoj', 'later', { ...fine, due_at: dueIn(hourMs + 1) });
  await handle('dmoj', 'requested', { ...fine, due_at: 0n });
  await handle('dmoj', 'own', { ...fine, ...faultAt(ago(minuteMs), 'odd answer'), due_at: dueIn(0) });

  const shown = async () =>
    (await handleHealth(store.reader, now)).map(({ source, handle, state, site, goodAt, nextAt, ...rest }) => {
      const hours = nextAt && (nextAt.getTime() - now.getTime()) / hourMs;
      const { fault, faultSince, allSince } = rest;
      return [`${source} ${handle}`, site, state, goodAt, hours, fault, faultSince, allSince].join(' ');
    });
  const good = ago(lateMs);
  const healths = [
    `codeforces fine Codeforces fine ${good} 1   `,
    'codeforces new Codeforces new     ',
    `codeforces late Codeforces late ${ago(lateMs + 1)} 1   `,
    `codeforces bob_failing Codeforces failing ${ago(lateMs + 5)} 1 down ${ago(dayMs)} `,
    `yukicoder late yukicoder late ${ago(lateMs + 1)} 1   `,
    `cses by_hand CSES by hand ${good} 1   `,
    `atcoder behind AtCoder Problems behind ${good} 1   `,
    `leetcode whole LeetCode fine ${good} 1   ${iso(dayMs)}`,
    `leetcode leetcode.cn/odd leetcode.cn fine ${good} 1   `,
    `uva bob_unknown uHunt failing ${good} 1 unknown handle ${ago(hourMs)} `,
    `dmoj never DMOJ failing  1 down ${ago(2 * hourMs)} `,
    `dmoj due DMOJ failing ${good} 1 down ${ago(2 * hourMs)} `,
    `dmoj same DMOJ failing ${good} 1 down ${ago(2 * hourMs)} `,
    `dmoj later DMOJ fine ${good} ${(hourMs + 1) / hourMs}   `,
    `dmoj requested DMOJ fine ${good} ${-now.getTime() / hourMs}   `,
    `dmoj own DMOJ failing ${good} 1 odd answer ${ago(minuteMs)} `,
  ];
  assert.deepEqual((await shown()).toSorted(), healths.toSorted());
  const first = (await handleHealth(store.reader, now, owners.ada)).find((one) => one.handle === 'fine');
  assert.deepEqual([first?.ratings?.fault, first?.news, first?.skipped[0]?.message], ['down', 3, 'One row.']);

  const shownJudges = async () =>
    (await judgeHealth(store.reader, now)).map(
      ({ source, state, goodAt, news, skipped, fault, faultSince, handles, failing }) =>
        [source, state, goodAt, news, skipped.length, fault, faultSince, handles, failing].join(' '),
    );
  const dated = (await judgeHealth(store.reader, now)).filter(({ judgeDataAt }) => judgeDataAt !== null);
  assert.deepEqual(
    dated.map(({ source }) => source),
    ['atcoder'],
  );
  const others = [
    `dmoj failing ${good} 0 0 down ${ago(2 * hourMs)} 6 4`,
    `leetcode fine ${good} 0 0   2 0`,
    'uva new  0 0   1 1',
    `yukicoder late ${ago(lateMs + 1)} 0 0   1 0`,
  ];
  const before = [`atcoder behind ${good} 0 0   1 0`, `codeforces failing ${good} 3 1 down ${ago(dayMs)} 4 1`];
  assert.deepEqual(await shownJudges(), [...before, 'cses by hand  0 0   1 0', ...others]);
  assert.deepEqual(await describe(), [
    'warning',
    [
      `atcoder: its own data ends at ${ago(lateMs + 3 * hourMs + 1)}.`,
      'codeforces (1 handle), since 2026-11-28: It is down.',
      'dmoj (4 handles), since 2026-11-29: It is down.',
      'uva: 1 handle is unknown or private there; members see which under Judge handles.',
      'yukicoder: no sync finished for more than a day; is the server running?',
    ].join(' '),
  ]);
  assert.match((await describe(false))[1] ?? '', /more than a day; SYNC is off\.$/);

  const stale = async (...of: bigint[]) =>
    (await listStaleJudges(store.reader, of, now.getTime())).map(
      ({ judge, since, people }) => `${judge} ${since} ${people}`,
    );
  const ofOthers = [`AtCoder ${ago(lateMs + 3 * hourMs + 1)} 1`, `yukicoder ${ago(lateMs + 1)} 1`];
  const [atcoder = '', yukicoder = ''] = ofOthers;
  const both = await stale(owners.ada, owners.bob);
  assert.deepEqual(both, [atcoder, `Codeforces ${ago(lateMs + 5)} 2`, yukicoder]);
  assert.deepEqual(await stale(owners.bob), [`Codeforces ${ago(lateMs + 5)} 1`]);
  await store.write((tx) =>
    tx
      .updateTable('handles')
      .set({ imported_at: good })
      .where('name', '=', 'late')
      .where('source', '=', 'codeforces')
      .execute(),
  );
  await list('atcoder', 'age', { ...fine, judge_at: ago(lateMs + 3 * hourMs) });
  assert.deepEqual(await stale(owners.ada), [yukicoder], 'a file brought what is newer');

  await list('codeforces', 'problems', { ...fine, news: 5n, skipped: '["A."]' });
  await list('codeforces', 'contests', { ...fine, ...faultAt(ago(2 * dayMs)), skipped: '["B.","C."]' });
  const ofCodeforces = async () => (await shownJudges()).find((one) => one.startsWith('codeforces'));
  assert.equal(await ofCodeforces(), `codeforces failing ${good} 5 3 down ${ago(2 * dayMs)} 4 1`);

  const goodAt = async (ms: number) => {
    await store.write((tx) => saveLiveFeed(tx, 'codeforces', { ...freshFeed, completeAt: now.getTime() - ms }));
    const healths = await handleHealth(store.reader, now);
    return healths.flatMap(({ source, state, goodAt }) => (source === 'codeforces' ? `${state} ${goodAt}` : []));
  };
  const unchanged = [`fine ${good}`, 'new null'];
  assert.deepEqual(await goodAt(lateMs + 1), [...unchanged, `late ${ago(lateMs + 1)}`, `failing ${ago(lateMs + 1)}`]);
  assert.deepEqual(await goodAt(lateMs), [...unchanged, `fine ${good}`, `failing ${good}`]);
});
