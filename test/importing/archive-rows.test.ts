/** What an archive brings is what was there, to the byte, and can be undone as there. archive.test.ts has what it is not to bring. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStatus, undo } from '../../src/practice/marks.ts';
import { listBatches } from '../../src/store/changes.ts';
import { idOf } from '../support/members.ts';
import { another, archiveOf, lived } from './lived-garden.ts';
import { twins } from './support.ts';

const strict = { trustsIds: false } as const;

test('an archive read into another garden and written again is the same, byte for byte', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const before = await archiveOf(here);
  assert.deepEqual(await archiveOf(here), before, 'the same rows are the same bytes');
  const { report, notes } = await there.import('archive', before, strict);
  assert.deepEqual(report, { read: 42, new: 37, changed: 0, kept: 5, unmatched: 0, bad: 0 });
  assert.deepEqual(notes, [
    'This archive makes ada an administrator (staff)',
    'Profile: 1 added',
    'Problems: 5 unchanged',
    'Judge handles: 1 added',
    'Submissions: 4 added',
    'Ratings: 2 added',
    'Statuses: 3 added',
    'Stars, notes and labels: 2 added',
    'Lists: 1 added',
    'Plants: 5 added',
    'History: 9 added',
    'Reviews: 3 added',
    'Timers: 3 added',
    'Preferences: 2 added',
    'Own code: 1 added',
  ]);
  assert.deepEqual(await archiveOf(there), before);
});

test('an archive that is read twice changes nothing, and a dry run nothing at all', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const archive = await archiveOf(here);
  const empty = await there.everything();
  const dry = await there.import('archive', archive, { ...strict, isDryRun: true });
  assert.ok(dry.report.new > 0);
  assert.equal(await there.everything(), empty);
  await there.import('archive', archive, strict);
  const after = await there.everything();
  const again = await there.import('archive', archive, strict);
  const { report, hasWritten, notes } = again;
  assert.deepEqual([report.new, report.changed, hasWritten], [0, 0, false], notes.join());
  assert.equal(again.report.kept, again.report.read);
  assert.equal(await there.everything(), after);
  assert.equal((await here.import('archive', archive, strict)).hasWritten, false);
});

test('history that came in an archive is undone as it was made: together, and not twice', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  await there.import('archive', await archiveOf(here), strict);
  const ada = await idOf(there.store, 'ada');
  const batches = await listBatches(there.store.reader, ada, 10);
  assert.deepEqual(
    batches.map(({ size, undone_at }) => [size, undone_at !== null]),
    [
      ...[
        [1n, false],
        [1n, false],
        [2n, false],
        [2n, true],
        [3n, false],
      ],
    ],
  );
  const undone: bigint[] = [];
  await there.store.write(async (tx) => {
    for (const { id } of batches) undone.push(BigInt((await undo(tx, ada, id)).changed));
  });
  assert.deepEqual(undone, [1n, 1n, 2n, 0n, 3n]);
  const words = (await there.rows('statuses')).map(({ status, origin }) => `${status} ${origin}`);
  assert.deepEqual(words, ['complete judge', 'complete judge'], 'only what judges said is left');
  assert.deepEqual(await there.rows('bookmarks'), []);
});

test('history of problems that were marked together and are twins since, here or there, is carried and undone', async (t) => {
  const here = await lived(t);
  const memberId = await idOf(here.store, 'ada');
  await here.store.write(async (tx) => {
    await setStatus(tx, { memberId, problemIds: [3n], status: 'skipped' });
    await setStatus(tx, { memberId, problemIds: [3n, 4n], status: 'reading' });
  });
  const apart = await archiveOf(here);
  await here.import('codeforces-twins', twins(['1C', '2A']));
  const joined = await archiveOf(here);
  const [plain, withTwins] = [await another(t), await another(t)];
  await withTwins.import('codeforces-twins', twins(['1C', '2A']));
  for (const [garden, archive] of [
    [plain, joined],
    [withTwins, apart],
    [here, apart],
  ] as const) {
    await garden.import('archive', archive, strict);
    assert.equal((await garden.import('archive', archive, strict)).hasWritten, false, 'the second time');
    const ada = await idOf(garden.store, 'ada');
    const batches = await listBatches(garden.store.reader, ada, 20);
    const last = batches.find(({ undone_at }) => undone_at === null);
    assert.equal(last?.size, 2n);
    const { changed } = await garden.store.write((tx) => undo(tx, ada, last.id));
    assert.equal(changed, 1, 'both marks of the one problem');
    const words = (await garden.rows('statuses')).filter(({ source_key: key }) => key === '1C');
    assert.ok(words.every(({ username, status }) => username !== 'ada' || status !== 'reading'));
  }
});
