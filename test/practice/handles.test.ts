/** Handles: what can be one, what goes when one is unlinked, whose name changes, and the moments of a proof. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addHandle,
  beginProof,
  claimProofCheck,
  endOfProofTask,
  findProofTaskOf,
  isHandle,
  planUnlinking,
  proveByConfirmation,
  proveByOpenId,
  proveBySubmission,
  removeHandle,
  renameByHand,
  unlink,
  versionOfUnlinking,
} from '../../src/practice/handles.ts';
import { saveSolvedList } from '../../src/practice/solved-lists.ts';
import { findProof, listHandles } from '../../src/store/handles.ts';
import { codeforces, gardenOf, identity, second, submissionsOf } from '../importing/support.ts';

const keys = ['1A', '1B', '1C', '2A', '2B', '3A'];

async function world(t: TestContext) {
  const garden = await gardenOf(t, 'ada', 'bob');
  const unrated = keys.map((key, n) => ({ ...identity(key), name: key, ...(n > 0 && { rating: 800 }) }));
  await garden.import('codeforces-problems', codeforces(...unrated));
  const { store } = garden;
  const send = (handle: string, ...sent: Parameters<typeof submissionsOf>[1][]) =>
    garden.import('codeforces-submissions', submissionsOf(handle, ...sent), { member: 'ada' });
  const handle = await addHandle(store, 1n, 'codeforces', 'ada_cf');
  return { ...garden, send, handle };
}

test('a handle is one word of visible signs, and a member has each once and fifty at most', async (t) => {
  const { store } = await world(t);
  for (const name of ['a', '漢字', 'x'.repeat(100)]) assert.ok(isHandle(name), name);
  for (const name of ['', 'a b', 'a\u200bb', 'x'.repeat(101)]) assert.ok(!isHandle(name), name);
  await assert.rejects(addHandle(store, 1n, 'codeforces', 'a b'), { code: 'invalidValue' });
  await assert.rejects(addHandle(store, 1n, 'codeforces', 'ADA_CF'), { code: 'alreadyExists' });
  for (let n = 1; n < 50; n++) await addHandle(store, 1n, 'codeforces', `ada${n}`);
  await assert.rejects(
    addHandle(store, 1n, 'codeforces', 'one_more'),
    /^AppError: You can link up to 50 handles\. If a name/,
  );
  await addHandle(store, 2n, 'codeforces', 'ada_cf');
});

test('before a handle is unlinked one learns what goes, what changes and what is one’s own', async (t) => {
  const { store, send, handle, import: bring } = await world(t);
  await send(
    'ada_cf',
    ['1A', 'OK', 10],
    ['1B', 'OK', 20],
    ['1C', 'WRONG_ANSWER', 30],
    ['2A', 'OK', 40],
    ['2B', 'OK', 50],
  );
  await send('other', ['2A', 'OK', 60], ['2B', 'OK', 5]);
  const own = { username: 'ada', source: 'codeforces', source_key: '1B', status: 'reading' };
  await bring('statuses', [own]);
  const plan = await planUnlinking(store.reader, handle.id, 1n);
  assert.ok(plan);
  const { submissions, removedByState, changedCount, ownCount } = plan;
  const removed = ['complete', 1, 'practicing', 1];
  assert.deepEqual([submissions, [...removedByState].flat(), changedCount, ownCount], [5, removed, 1, 1]);
  const version = versionOfUnlinking(plan);
  assert.equal(
    version
      .split('-')
      .map(Number)
      .reduce((sum, one) => sum + one),
    8,
  );
  assert.equal(await planUnlinking(store.reader, handle.id, 2n), undefined);
  assert.equal(await unlink(store, handle.id, 2n, version), undefined);
  assert.equal(await store.write((tx) => removeHandle(tx, handle.id, 2n)), undefined);
  assert.equal((await unlink(store, handle.id, 1n, `${version}0`))?.isDone, false);
  assert.equal((await listHandles(store.reader)).length, 2);
  assert.equal((await unlink(store, handle.id, 1n, version))?.isDone, true);
  const left = await store.reader.selectFrom('statuses').selectAll().orderBy('problem_id').execute();
  assert.deepEqual(
    left.map(({ self_status, judge_status, judge_at }) => [self_status, judge_status, judge_at?.slice(14, 19)]),
    [
      ['reading', null, undefined],
      [null, 'complete', '01:00'],
      [null, 'complete', '00:05'],
    ],
  );
  assert.equal(await planUnlinking(store.reader, handle.id, 1n), undefined);
});

test('a name changes for its member alone, and two handles become one where they say so', async (t) => {
  const { store, handle } = await world(t);
  const rename = (name: string, joins = false, owner?: bigint) =>
    renameByHand(store, { id: handle.id, ...(owner !== undefined && { owner }) }, name, joins);
  assert.equal(await rename('ada', false, 2n), undefined);
  await assert.rejects(rename('ada_cf'), { code: 'alreadyExists' });
  await assert.rejects(rename('a b'), { code: 'invalidValue' });
  assert.equal((await rename('ADA_CF', false, 1n))?.name, 'ADA_CF');
  const other = await addHandle(store, 1n, 'codeforces', 'other');
  await assert.rejects(rename('other'), { code: 'alreadyExists' });
  assert.equal((await rename('other', true))?.id, other.id);
  assert.equal(await rename('ada'), undefined, 'it is gone');
});

test('a proof has ten minutes and one problem, and is asked for every ten seconds', async (t) => {
  const { store, handle, send } = await world(t);
  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1000);
  const begin = (seconds: number, of = handle) => beginProof(store, of, false, at(seconds));
  const claim = (seconds: number) => claimProofCheck(store, 1n, 'codeforces', at(seconds));
  assert.equal(await claim(0), false);
  const first = await begin(0);
  assert.ok(first);
  assert.equal(endOfProofTask(first), at(600).toISOString());
  assert.deepEqual([await claim(9), await claim(10), await claim(19), await claim(20)], [false, true, false, true]);
  const again = await begin(599);
  assert.deepEqual([again?.problem_id, again?.drawn_at], [first.problem_id, first.drawn_at]);
  assert.equal(endOfProofTask(again ?? first), at(1199).toISOString());
  const other = await addHandle(store, 1n, 'codeforces', 'other');
  const later = await begin(600, other);
  assert.equal(later?.drawn_at, at(600).toISOString(), 'drawn anew');
  assert.deepEqual(
    [await findProofTaskOf(store.reader, handle), (await findProofTaskOf(store.reader, other))?.begun_at],
    [undefined, later?.begun_at],
  );
  assert.equal(await proveBySubmission(store, first), false, 'another one was begun since');
  assert.equal(await proveBySubmission(store, later ?? first), true);
  assert.equal(await proveBySubmission(store, later ?? first), false, 'once');
  const proof = async (id: bigint) => (await findProof(store.reader, id))?.method;
  assert.deepEqual([await proof(other.id), await proof(handle.id)], ['submission', undefined]);
  await proveByConfirmation(store, { ...handle, name_key: 'older' });
  assert.equal(await proof(handle.id), undefined);
  await proveByConfirmation(store, handle);
  assert.equal(await proof(handle.id), 'confirmation');
  const signedIn = (name: string) => proveByOpenId(store, 1n, 'codeforces', { handle: name, subject: 's1' });
  const [one, two, three] = [await signedIn('ada_cf'), await signedIn('ada_new'), await signedIn('ada_new')];
  assert.deepEqual([one.id, two.id, three.id, two.name], [handle.id, handle.id, handle.id, 'ada_new']);
  const { id } = await proveByOpenId(store, 2n, 'codeforces', { handle: 'bob', subject: 's2' });
  assert.equal(await proof(id), 'openid');
  await send('ada_new', ['1A', 'OK', 10]);
});

test('a list of solved problems stands behind submissions, and each goes without the other', async (t) => {
  const { store, import: bring } = await gardenOf(t, 'ada');
  await bring('codeforces-problems', codeforces({ ...identity('1A'), name: 'Pond' }));
  const send = () => bring('codeforces-submissions', submissionsOf('one', ['1A', 'OK', 20]), { member: 'ada' });
  const list = async () => {
    const handle = await addHandle(store, 1n, 'vjudge', 'ada');
    const solved = [{ source: 'codeforces', key: '1A', url: '', isGym: false }];
    return saveSolvedList(store, handle as never, solved);
  };
  const drop = async (source: string) => {
    const [{ id } = { id: 0n }] = (await listHandles(store.reader, 1n)).filter((one) => one.source === source);
    await store.write((tx) => removeHandle(tx, id));
  };
  const status = async () => {
    const row = await store.reader.selectFrom('statuses').selectAll().executeTakeFirst();
    return row && [row.judge_status, row.judge_at, row.earlier_status, row.earlier_at, row.solved_list_source];
  };
  const [sent, listed] = [
    ['complete', second(20), null, null, null],
    ['complete', null, null, null, 'vjudge'],
  ];
  const both = ['complete', second(20), 'complete', null, 'vjudge'];
  await send();
  assert.deepEqual(await status(), sent);
  assert.deepEqual([await list(), await status()], [{ newlySolved: 0, added: 0 }, both]);
  await drop('codeforces');
  assert.deepEqual(await status(), listed);
  await send();
  assert.deepEqual(await status(), both);
  await drop('vjudge');
  assert.deepEqual(await status(), sent);
});
