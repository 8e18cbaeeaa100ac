/**
 * A handle that its member renames, because no judge says so: all under it stays, what the judge shows under the new name is added, files
 * from before the rename are still the handle's, and only the proof of the old name goes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { beginProof, proveByConfirmation, proveBySubmission, renameByHand } from '../../src/practice/handles.ts';
import { findProof, type HandlesTable, listHandles, listRenames } from '../../src/store/handles.ts';
import { another, archiveOf } from '../importing/lived-garden.ts';
import { codeforces, codeforcesNamed, type Garden, identity, submissionsOf } from '../importing/support.ts';
import { acceptedRow, type LeetCodeRow, replayLeetCode } from '../replay/leetcode.ts';
import { replayVjudge } from '../replay/solved-lists.ts';
import { askReplay, gardenWithHandle, keptIn, link, replayOf, syncing } from './support.ts';

const rename = ({ store }: Garden, { id }: HandlesTable, name: string, joins = false) =>
  renameByHand(store, { id }, name, joins) as Promise<HandlesTable>;
const handlesIn = async ({ store }: Garden) =>
  (await listHandles(store.reader)).map(({ name, submissions }) => `${name} ${submissions}`);
const formerNames = async ({ store }: Garden, { id }: HandlesTable) =>
  (await listRenames(store.reader, id)).map(({ before }) => before);
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => acceptedRow(`task-${first + at}`, 1_700_000_000 + first + at));

/** A member with forty solves, of which LeetCode shows twenty. */
async function forty(t: TestContext) {
  const accepted: Record<string, LeetCodeRow[]> = { ada: rowsFrom(0, 20) };
  const made = await syncing(t, 'leetcode', replayLeetCode(accepted));
  await made.sync();
  accepted['ada'] = rowsFrom(0, 40);
  await made.sync();
  const syncUnder = (handle: HandlesTable) => syncHandle(made.garden.store, handle, made.ask);
  const solved = async () => (await made.garden.rows('statuses')).filter(({ status }) => status === 'complete').length;
  return { ...made, accepted, syncUnder, solved };
}

test('forty solves stay forty where the judge shows twenty under the new name', async (t) => {
  const { garden, handle, sync, syncUnder, accepted, solved } = await forty(t);
  const before = await keptIn(garden);
  delete accepted['ada'];
  accepted['ada_new'] = rowsFrom(0, 41);
  await assert.rejects(sync(), /LeetCode has no user ada; if the name there changed, use garden handle rename/);
  const renamed = await rename(garden, handle, 'ada_new');
  assert.deepEqual([await keptIn(garden), before.solves.length], [before, 40]);
  const { report } = await syncUnder(renamed);
  assert.deepEqual([report.new, report.bad], [1, 0]);
  assert.deepEqual([await handlesIn(garden), await solved()], [['ada_new 41'], 41]);
  assert.deepEqual(await formerNames(garden, handle), ['ada']);
});

test('a run that began under the old name stores nothing, not even its fault', async (t) => {
  const { garden, handle, ask } = await forty(t);
  const before = await keptIn(garden);
  const renaming = async (...call: Parameters<typeof ask>) => {
    const answer = await ask(...call);
    await rename(garden, handle, 'ada_new');
    return answer;
  };
  const run = syncHandle(garden.store, handle, Object.assign(renaming, { site: ask.site }) as typeof ask);
  await assert.rejects(run, /nothing was imported/);
  assert.deepEqual(await keptIn(garden), before);
  assert.deepEqual(await garden.store.reader.selectFrom('syncs').selectAll().execute(), []);
});

test('two linked names are joined only if the member says so; each submission and each list is kept', async (t) => {
  const { garden, handle, syncUnder, accepted, solved } = await forty(t);
  accepted['ADA_new'] = rowsFrom(30, 12);
  const other = await link(garden, 'leetcode', 'ADA_new');
  await syncUnder(other);
  await assert.rejects(rename(garden, handle, 'ada_new'), /^AppError: ADA_new is linked as well; use --join/);
  assert.deepEqual(await handlesIn(garden), ['ada 40', 'ADA_new 12']);
  await rename(garden, handle, 'ada_new', true);
  assert.deepEqual([await handlesIn(garden), await solved()], [['ADA_new 42'], 42]);
  assert.deepEqual(await formerNames(garden, other), ['ada']);

  const list = { acRecords: { CodeForces: ['1A', '2A'] } };
  const replay = await replayOf(t, { vjudge: replayVjudge({ ada: list }) });
  const listed = await link(garden, 'vjudge', 'ada');
  await syncHandle(garden.store, listed, askReplay(garden.store, 'vjudge', replay));
  const before = await keptIn(garden);
  await link(garden, 'vjudge', 'ada_new');
  await rename(garden, listed, 'ada_new', true);
  assert.deepEqual([await keptIn(garden), await solved()], [before, 44]);
});

test('a proof is of one name: it stays with another case, goes with another name, and does not come back', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  const proof = async () => (await findProof(store.reader, handle.id))?.method;
  await garden.import('codeforces-problems', codeforcesNamed('Task', '1A'));
  const task = await beginProof(store, handle, false);
  assert.ok(task && (await proveBySubmission(store, task)));
  const upper = await rename(garden, handle, 'ADA');
  assert.deepEqual([await proof(), await formerNames(garden, handle)], ['submission', []]);
  const later = await beginProof(store, upper, false);
  await rename(garden, upper, 'tourist');
  assert.equal(await proof(), undefined);
  // Both checks began while the handle had the name of which the judge told.
  assert.ok(later && !(await proveBySubmission(store, later)));
  await proveByConfirmation(store, upper);
  await rename(garden, handle, 'ada');
  assert.deepEqual([await proof(), await formerNames(garden, handle)], [undefined, ['tourist']]);
  const { drawn_at } = (await beginProof(store, handle, false)) ?? {};
  assert.equal(drawn_at, task.drawn_at, 'renaming draws no other problem');
});

test('files from before a rename belong to the handle, whether they name it or not', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_old');
  const send = (by: string, key: string, options: object) =>
    garden.import('codeforces-submissions', submissionsOf(by, [key, 'OK', 10]), { member: 'ada', ...options });
  await send('ada_old', '1A', {});
  await rename(garden, handle, 'ada_new');
  await send('ada_old', '1A', {});
  await send('ADA_OLD', '2A', { handle: 'ada_new' });
  await send('ada_new', '3A', { handle: 'ada_old' });
  assert.deepEqual(await handlesIn(garden), ['ada_new 3']);
  await assert.rejects(
    send('eve', '1A', { handle: 'ada_new' }),
    /submitted by eve, not by ada_new; if the name changed/,
  );
  // A handle that has the name now goes before one that had it.
  await link(garden, 'codeforces', 'ada_old');
  await send('ada_old', '2A', {});
  assert.deepEqual(await handlesIn(garden), ['ada_new 3', 'ada_old 1']);
});

test('an archive has the former names: it renames an older handle elsewhere, and an older archive adds none', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_old');
  await garden.import('codeforces-problems', codeforces({ ...identity('1A'), name: '1A' }));
  await garden.import('codeforces-submissions', submissionsOf('ada_old', ['1A', 'OK', 10]), { member: 'ada' });
  const older = await archiveOf(garden);
  await rename(garden, handle, 'ada_new');
  const [newer, before] = [await archiveOf(garden), await keptIn(garden)];
  const elsewhere = await another(t);
  for (const archive of [older, newer, older]) {
    for (const one of [garden, elsewhere]) await one.import('archive', archive, { trustsIds: false });
    assert.deepEqual([await keptIn(garden), await archiveOf(garden)], [before, newer]);
  }
  assert.deepEqual([await handlesIn(elsewhere), await archiveOf(elsewhere)], [['ada_new 1'], newer]);
  for (const former_names of [{ 'two words': '2026-01-01T00:00:00.000Z' }, { ada: 'yesterday' }, { ada: 5 }]) {
    const row = { username: 'ada', source: 'codeforces', name: 'ada_new', former_names };
    await assert.rejects(garden.import('handles', [row]), /expected an RFC 3339 time/);
  }
});
