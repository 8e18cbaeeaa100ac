/**
 * A handle that its member renames, because no judge says so: all under it stays, files from before the rename are still the handle's, and
 * only the proof of the old name goes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { beginProof, proveByConfirmation, proveBySubmission, renameByHand } from '../../src/practice/handles.ts';
import { findProof, type HandlesTable, listHandles, listRenames } from '../../src/store/handles.ts';
import { another, archiveOf } from '../importing/lived-garden.ts';
import { codeforces, type Garden, identity, submissionsOf } from '../importing/support.ts';
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
const oneA = codeforces({ ...identity('1A'), name: '1A' });

/** A member with forty solves, of which LeetCode shows twenty. */
async function forty(t: TestContext) {
  const accepted: Record<string, LeetCodeRow[]> = { ada: rowsFrom(0, 20) };
  const made = await syncing(t, 'leetcode', replayLeetCode(accepted));
  await made.sync();
  accepted['ada'] = rowsFrom(0, 40);
  await made.sync();
  const syncUnder = (handle: HandlesTable) => syncHandle(made.garden.store, handle, made.ask);
  return { ...made, accepted, syncUnder, before: await keptIn(made.garden) };
}

test('forty solves stay forty where the judge shows twenty under the new name', async (t) => {
  const { garden, handle, ask, sync, syncUnder, accepted, before } = await forty(t);
  delete accepted['ada'];
  accepted['ada_new'] = rowsFrom(0, 41);
  await assert.rejects(sync(), /LeetCode has no user ada; if the name there changed, use garden handle rename/);
  const renamed = await rename(garden, handle, 'ada_new');
  assert.deepEqual([await keptIn(garden), before.statuses.length], [before, 40]);
  assert.equal((await syncUnder(renamed)).report.new, 1);
  assert.deepEqual([await handlesIn(garden), await formerNames(garden, handle)], [['ada_new 41'], ['ada']]);

  // A run that began under the old name stores nothing, not even its fault.
  const renaming = async (...call: Parameters<typeof ask>) => {
    const answer = await ask(...call);
    await rename(garden, renamed, 'ada_newer');
    return answer;
  };
  accepted['ada_new'] = rowsFrom(0, 50);
  const run = syncHandle(garden.store, renamed, Object.assign(renaming, { site: ask.site }) as typeof ask);
  await assert.rejects(run, /nothing was imported/);
  assert.deepEqual(await handlesIn(garden), ['ada_newer 41']);
  assert.deepEqual(await garden.store.reader.selectFrom('syncs').selectAll().execute(), []);
});

test('two linked names are joined only if the member says so; each submission and each list is kept', async (t) => {
  const { garden, handle, syncUnder, accepted } = await forty(t);
  accepted['ADA_new'] = rowsFrom(30, 12);
  const other = await link(garden, 'leetcode', 'ADA_new');
  await syncUnder(other);
  await assert.rejects(rename(garden, handle, 'ada_new'), /^AppError: ADA_new is linked as well; use --join/);
  assert.deepEqual(await handlesIn(garden), ['ada 40', 'ADA_new 12']);
  await rename(garden, handle, 'ada_new', true);
  assert.deepEqual([await handlesIn(garden), await formerNames(garden, other)], [['ADA_new 42'], ['ada']]);

  const replay = await replayOf(t, { vjudge: replayVjudge({ ada: { acRecords: { CodeForces: ['1A', '2A'] } } }) });
  const listed = await link(garden, 'vjudge', 'ada');
  await syncHandle(garden.store, listed, askReplay(garden.store, 'vjudge', replay));
  const before = await keptIn(garden);
  await link(garden, 'vjudge', 'ada_new');
  await rename(garden, listed, 'ada_new', true);
  assert.deepEqual([await keptIn(garden), before.statuses.length], [before, 44]);
});

test('a proof is of one name: it stays with another case, goes with another name, and does not come back', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  const proof = async () => (await findProof(store.reader, handle.id))?.method;
  await garden.import('codeforces-problems', oneA);
  const task = await beginProof(store, handle, false);
  assert.ok(task && (await proveBySubmission(store, task)));
  const upper = await rename(garden, handle, 'ADA');
  assert.deepEqual([await proof(), await formerNames(garden, handle)], ['submission', []]);
  const later = await beginProof(store, upper, false);
  await rename(garden, upper, 'tourist');
  // Both checks began while the handle had the name of which the judge told.
  assert.ok(later && !(await proveBySubmission(store, later)));
  await proveByConfirmation(store, upper);
  assert.equal(await proof(), undefined);
  await rename(garden, handle, 'ada');
  assert.deepEqual([await proof(), await formerNames(garden, handle)], [undefined, ['tourist']]);
  assert.equal((await beginProof(store, handle, false))?.drawn_at, task.drawn_at, 'renaming draws no other problem');
});

test('files and archives from before a rename belong to the handle, and archives have former names', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_old');
  await garden.import('codeforces-problems', oneA);
  const send = (by: string, second: number, options: object) =>
    garden.import('codeforces-submissions', submissionsOf(by, ['1A', 'OK', second]), { member: 'ada', ...options });
  await send('ada_old', 10, {});
  const older = await archiveOf(garden);
  await rename(garden, handle, 'ada_new');
  await send('ada_old', 10, {});
  await send('ADA_OLD', 20, { handle: 'ada_new' });
  await send('ada_new', 30, { handle: 'ada_old' });
  const newer = await archiveOf(garden);
  const elsewhere = await another(t);
  for (const archive of [older, newer, older]) {
    for (const one of [garden, elsewhere]) await one.import('archive', archive, { trustsIds: false });
    assert.deepEqual([await handlesIn(garden), await archiveOf(garden)], [['ada_new 3'], newer]);
  }
  assert.deepEqual([await handlesIn(elsewhere), await archiveOf(elsewhere)], [['ada_new 3'], newer]);
  for (const former_names of [{ 'two words': '2026-01-01T00:00:00.000Z' }, { ada: 'yesterday' }, { ada: 5 }]) {
    const row = { username: 'ada', source: 'codeforces', name: 'ada_new', former_names };
    await assert.rejects(garden.import('handles', [row]), /expected an RFC 3339 time/);
  }
  // A handle that has the name now goes before one that had it.
  await link(garden, 'codeforces', 'ada_old');
  await send('ada_old', 20, {});
  assert.deepEqual(await handlesIn(garden), ['ada_new 3', 'ada_old 1']);
});
