/** Staff merge and remove problems that members added, and undo it: everybody's marks, notes, lists and submissions follow. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { leaveGroup, makeGroup } from '../../src/practice/groups.ts';
import { removeHandle } from '../../src/practice/handles.ts';
import { applyFetchedList, startFollowing } from '../../src/practice/list-follows.ts';
import { changeContent, makeList } from '../../src/practice/lists.ts';
import { setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { createMember, removeMember } from '../../src/practice/members.ts';
import { mergeProblem, removeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { shareNote } from '../../src/practice/shared-notes.ts';
import { listDueFollows } from '../../src/store/list-follows.ts';
import { listProblemsOfList } from '../../src/store/lists.ts';
import { findProblemsByAnyKey } from '../../src/store/removed-problems.ts';
import { openGarden, type Sent, submissionsOf } from '../importing/support.ts';
import { acceptedRow } from '../replay/leetcode.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { csrfOf } from '../support/elements.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, browsersOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';

const staffPage = '/authentication/staff/problems/';
const address = 'https://codeforces.com/problemset/problem/4/A';
const melon = { id: 1, source: 'codeforces', source_key: '4A', title: 'Watermelon', tags: [], url: address };

test('staff merge what a judge renamed, with one button and one undo', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const { url } = await serveHere(t, { databaseUrl });
  const root = await browserOf(url, 'root');
  assert.doesNotMatch((await root.open(staffPage)).text, /Renamed by the judge/);
  const second = 1_790_000_000;
  const answer = (slug: string) => ({ data: { recentAcSubmissionList: [acceptedRow(slug, second)] } });
  const garden = await openGarden(t, databaseUrl);
  for (const slug of ['pond-i', 'pond'])
    await garden.import('leetcode-submissions', answer(slug), { member: 'root', handle: 'root_lc' });
  const page = await root.open(staffPage);
  assert.match(textOf(page, 'main'), /Renamed by the judge.*The pond-i.*The pond.*Merge/s);
  const merged = await root.submit({ within: 'main', name: 'renamed' });
  assert.match(merged.text, /data-removed/);
  assert.doesNotMatch(merged.text, /data-renamed/);
  const keys = () => rowsOf(databaseUrl, 'SELECT source_key, aliases FROM problems');
  assert.deepEqual((await keys()).map(Object.values), [['pond', '["pond-i"]']]);
  await root.submit({ within: 'main', name: 'undo' });
  assert.equal((await keys()).length, 2);
  await removeProblem(garden.store, 1n);
  assert.equal((await root.open(staffPage)).status, 200);
});

test('staff merge and remove added problems, and take it back', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', [melon]);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await membersNamed(databaseUrl, 'ada', 'bob');
  const { url } = await serveHere(t, { databaseUrl });
  const { root, ada, bob } = await browsersOf(url, 'root', 'ada', 'bob');
  const form = `/problem_list/new/?url=${encodeURIComponent('https://club.example/melon')}&title=Melon`;
  const added = await ada.submitAt(form, { name: 'title' }, { status: 'complete' });
  const id = /problem\/(\d+)\//.exec(added.path)?.[1] ?? '';
  const own = `/problem_list/problem/${id}/`;
  await ada.submitAt(own, { name: 'note' }, { note: 'even numbers' });
  await bob.submitAt(own, { within: '.verdict', name: 'status', value: 'practicing' });
  await bob.submitAt('/problem_list/problem/1/', { within: '.verdict', name: 'status', value: 'complete' });
  const text = { name: 'Fruit', text: 'https://club.example/melon' };
  const list = await ada.submitAt('/problem_list/lists/new/', { name: 'text' }, text);
  assert.equal(list.status, 200);
  const fruit = await ada.submit({ name: 'do', value: 'save' });

  const ofMarks = ['statuses', 'bookmarks', 'changes', 'reviews', 'first_solves', 'review_cards'];
  const all = async () => {
    const tables = [...ofMarks, 'list_items', 'added_problems'].map(async (table) => {
      const rows = await rowsOf(databaseUrl, `SELECT * FROM ${table}`);
      return [table, rows.map((row) => JSON.stringify(Object.entries(row).sort().map(String))).sort()];
    });
    return Promise.all(tables);
  };
  const before = await all();
  const send = async (fields: Record<string, string>, where = { within: 'main', name: 'into' }) => {
    return root.submitAt(`${staffPage}?problem=${id}`, where, fields);
  };

  await t.test('a merge moves everything, and the link of the one leads to the other', async () => {
    const refused = await send({ into: 'https://club.example/nothing' });
    assert.equal(refused.status, 422);
    assert.match(textOf(refused, '.fault'), /not on this server/);
    assert.match(textOf(await send({ into: 'https://club.example/melon' }), '.fault'), /same problem/);
    const elsewhere = `${url.replace('127.0.0.1', 'localhost')}0/problem_list/problem/1/`;
    assert.equal((await send({ into: elsewhere })).status, 422, 'a garden whose address begins like ours is another');
    assert.deepEqual(await all(), before, 'a refusal changes nothing');
    const merged = await send({ into: 'https://vjudge.net/problem/CodeForces-4A' });
    assert.match(textOf(merged, 'main'), /Problems merged.*merged into ?Watermelon/s);
    assert.equal((await ada.open(own)).path, '/problem_list/problem/1/', 'its page leads on');
    assert.match(textOf(await ada.open('/problem_list/problem/1/'), 'main'), /Solved.*even numbers/s);
    assert.match(textOf(await bob.open('/problem_list/problem/1/'), '.verdict'), /Solved/);
    assert.match((await ada.open(fruit.path)).text, /Watermelon/);
    const found = await ada.open(`/problem_list/new/?url=${encodeURIComponent('https://club.example/melon')}`);
    assert.match(textOf(found, 'main'), /here already.*Watermelon/s);
    const searched = await ada.open(`/problem_list/?q=${encodeURIComponent('https://club.example/melon')}`);
    assert.equal(textOf(searched, 'h1'), 'Watermelon');
  });

  await t.test('an undo brings back every row as it was', async () => {
    assert.match(textOf(await root.submitAt(staffPage, { name: 'undo' }), 'main'), /Problem restored/);
    assert.deepEqual(await all(), before);
    assert.match(textOf(await ada.open(own), 'main'), /Solved.*even numbers/s);
    assert.match((await ada.open(fruit.path)).text, /Melon/);
  });

  await t.test('a removal takes everything along for a day, and then for good', async () => {
    const unsure = await root.submitAt(`${staffPage}?problem=${id}`, { name: 'do', value: 'remove' });
    assert.equal(unsure.status, 422, 'a tick is needed');
    assert.match(textOf(unsure, '[role=alert]'), /Tick/);
    assert.equal((await root.open(`${staffPage}?before=${id}`)).path, staffPage, 'nothing is before the first');
    assert.match(textOf(await send({ sure: 'true' }, { within: 'main', name: 'sure' }), 'main'), /Problem removed/);
    assert.equal((await ada.open(own)).status, 404);
    assert.doesNotMatch((await ada.open(fruit.path)).text, /Melon/);
    await root.submitAt(staffPage, { name: 'undo' });
    assert.match(textOf(await ada.open(own), 'main'), /Solved.*even numbers/s);
    assert.match((await ada.open(fruit.path)).text, /Melon/);
    await send({ sure: 'true' }, { within: 'main', name: 'sure' });
    const _csrf = csrfOf(await root.open(staffPage));
    await tamper(databaseUrl, "UPDATE removed_problems SET removed_at = '2026-01-01T00:00:00.000Z'");
    assert.equal((await root.open(staffPage)).document.querySelector('[name=undo]'), null);
    assert.equal((await root.post(staffPage, { _csrf, undo: id })).status, 404);
  });

  await t.test('nobody but staff sees the page, and problems of a catalogue are not removed there', async () => {
    assert.equal((await ada.open(staffPage)).status, 404);
    const _csrf = csrfOf(await root.open(staffPage));
    assert.equal((await root.post(staffPage, { _csrf, problem: '1', do: 'remove', sure: 'true' })).status, 404);
  });
});

/** Problems of sites and a judge, with a member whose handle sends to the judge's. */
async function merging(t: TestContext) {
  const garden = await openGarden(t);
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  const named = (id: number, source: string, source_key: string) => ({ id, source, source_key, title: source_key });
  await garden.import('problems', [
    named(1, 'codeforces', '4A'),
    named(2, 'club.example', 'melon'),
    named(3, 'other.example', 'fruit'),
  ]);
  const namedHere = async (source: string, key: string) =>
    (await findProblemsByAnyKey(garden.store.reader, source, [key])).map(({ id }) => Number(id));
  const send = (member: string, ...sent: Sent[]) =>
    garden.import('codeforces-submissions', submissionsOf(`${member}_cf`, ...sent), { member });
  return { garden, store: garden.store, named: namedHere, send };
}

test('a problem that goes on into a third one takes the names along that lead to it, and gives them back', async (t) => {
  const { store, named } = await merging(t);
  await mergeProblem(store, 2n, 3n);
  assert.deepEqual(await named('club.example', 'melon'), [3]);
  await mergeProblem(store, 3n, 1n);
  assert.deepEqual(await named('club.example', 'melon'), [1]);
  assert.deepEqual(await named('other.example', 'fruit'), [1]);
  await restoreProblem(store, 3n);
  assert.deepEqual(await named('club.example', 'melon'), [3]);
  await removeProblem(store, 3n);
  await restoreProblem(store, 3n);
  assert.deepEqual(await named('club.example', 'melon'), [3]);
  await restoreProblem(store, 2n);
  assert.deepEqual(await named('club.example', 'melon'), [2]);
});

test('nothing of a deleted member stays in a removed problem, and it comes back without them', async (t) => {
  const { store, send } = await merging(t);
  const bob = await store.write((tx) => createMember(tx, { username: 'bob', role: 'member' }));
  await setNote(store, bob.id, 1n, 'a secret of bob');
  for (const [ownerId, memo] of [
    [bob.id, 'a secret memo'],
    [1n, 'hers'],
  ] as const)
    await makeList(store, { ownerId, name: 'Mine', content: [{ name: '', items: [{ problem: 1n, memo }] }] });
  for (const [at, member] of ['ada', 'bob'].entries()) await send(member, ['4A', 'OK', at]);
  await setStatus(store, { memberId: 1n, problemIds: [1n], status: 'complete' });
  await setNote(store, 1n, 1n, 'ada keeps this');
  // The second removal takes along what the first one kept.
  await mergeProblem(store, 1n, 3n);
  await removeProblem(store, 3n);
  const texts = async () =>
    (await store.reader.selectFrom('removed_problems').select('before').execute()).map(({ before }) => before).join('');
  assert.match(await texts(), /a secret of bob.*a secret memo.*4000001/s);
  await store.write((tx) => removeMember(tx, 'bob'));
  assert.doesNotMatch(await texts(), /secret|4000001/);
  await restoreProblem(store, 3n);
  await restoreProblem(store, 1n);
  const notes = await store.reader.selectFrom('bookmarks').select(['user_id', 'problem_id', 'note']).execute();
  assert.deepEqual(notes, [{ user_id: 1n, problem_id: 1n, note: 'ada keeps this' }]);
  const statuses = await store.reader.selectFrom('statuses').select(['user_id', 'problem_id']).execute();
  assert.deepEqual(statuses, [{ user_id: 1n, problem_id: 1n }]);
  assert.deepEqual(await store.reader.selectFrom('list_items').select('memo').execute(), [{ memo: 'hers' }]);
  assert.deepEqual(await store.reader.selectFrom('solves').select('problem_id').execute(), [{ problem_id: 1n }]);
});

test('of marks on both problems that are merged, undoing the further one leaves the other', async (t) => {
  for (const [further, other] of [
    [2n, 1n],
    [1n, 2n],
  ] as const) {
    const { store } = await merging(t);
    const own = async () =>
      (await store.reader.selectFrom('statuses').select('self_status').execute()).map((row) => row.self_status);
    const history = () => store.reader.selectFrom('changes').selectAll().orderBy('id').execute();
    const mark = async (id: bigint, status: 'reading' | 'practicing' | 'complete') =>
      (await setStatus(store, { memberId: 1n, problemIds: [id], status })).batch ?? 0n;
    await mark(further, 'reading');
    const first = await mark(other, 'practicing');
    const last = await mark(further, 'complete');
    await setNote(store, 1n, further, 'also');
    const before = await history();
    await mergeProblem(store, 2n, 1n);
    await restoreProblem(store, 2n);
    assert.deepEqual(await history(), before);
    await mergeProblem(store, 2n, 1n);
    assert.equal((await history()).at(-1)?.before, before.at(-1)?.before);
    await assert.rejects(undo(store, 1n, first), { code: 'preconditionFailed' });
    await undo(store, 1n, last);
    assert.deepEqual(await own(), ['practicing']);
    await undo(store, 1n, first);
    assert.deepEqual(await own(), []);
  }
});

test('an undone merge keeps what the judge has accepted since', async (t) => {
  const { store, send } = await merging(t);
  const statuses = async () =>
    (await store.reader.selectFrom('statuses').selectAll().orderBy('problem_id').execute()).map((row) => [
      Number(row.problem_id),
      row.self_status,
      row.judge_status,
    ]);
  await setStatus(store, { memberId: 1n, problemIds: [2n], status: 'reading' });
  await mergeProblem(store, 2n, 1n);
  await send('ada', ['4A', 'OK', 1_700_000_000]);
  assert.deepEqual(await statuses(), [[1, 'reading', 'complete']]);
  await restoreProblem(store, 2n);
  assert.deepEqual(await statuses(), [
    [1, null, 'complete'],
    [2, 'reading', null],
  ]);
  // Without the handle nothing is left of it.
  const [handle] = await store.reader.selectFrom('handles').selectAll().execute();
  await store.write((tx) => removeHandle(tx, handle?.id ?? 0n));
  assert.deepEqual(await statuses(), [[2, 'reading', null]]);
});

test('a problem that its owner took out of a list that follows an address stays out when it is merged', async (t) => {
  const { store } = await merging(t);
  const own = { id: await makeList(store, { ownerId: 1n, name: 'Mine' }), owner_id: 1n };
  await startFollowing(store, own, 'https://club.example/list.json');
  const look = async (problem: bigint) => {
    const [follow] = await listDueFollows(store.reader, Number.MAX_SAFE_INTEGER, 1);
    assert.ok(follow);
    const sections = [{ name: '', items: [{ problem }] }];
    await applyFetchedList(store, follow, { sections, entityTag: null }, Date.now());
    return (await listProblemsOfList(store.reader, own.id)).map(({ id }) => id);
  };
  assert.deepEqual(await look(2n), [2n]);
  await changeContent(store, own, (content) => content.map((section) => ({ ...section, items: [] })));
  assert.deepEqual(await look(2n), []);
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await look(1n), []);
  await restoreProblem(store, 2n);
  assert.deepEqual(await look(2n), []);
});

test('a problem that was added again meanwhile becomes the restored one, with all that anybody has on it', async (t) => {
  const { garden, store, named, send } = await merging(t);
  await garden.import('records', [{ id: 2, username: 'bob' }]);
  await setNote(store, 1n, 1n, 'before');
  await send('ada', ['4A', 'OK', 10]);
  await removeProblem(store, 1n);
  const again = { source: 'codeforces', title: 'Again', editorial_url: 'https://club.example/4A' };
  await garden.import('problems', [{ ...again, id: 4, source_key: '5B', aliases: ['4A'] }]);
  await setNote(store, 1n, 4n, 'since');
  await setStatus(store, { memberId: 2n, problemIds: [4n], status: 'complete' });
  await send('bob', ['5B', 'OK', 20]);
  await restoreProblem(store, 1n);
  assert.deepEqual([await named('codeforces', '4A'), await named('codeforces', '5B')], [[1], [1]]);
  const [problem] = await garden.rows('problems');
  assert.deepEqual([problem?.['aliases'], problem?.['editorial_url']], [['5B'], again.editorial_url]);
  const { reader } = store;
  assert.deepEqual(await reader.selectFrom('bookmarks').select('note').execute(), [{ note: 'before\nsince' }]);
  for (const table of ['statuses', 'solves', 'first_solves'] as const) {
    const rows = await reader.selectFrom(table).select('problem_id').execute();
    assert.deepEqual(rows, [{ problem_id: 1n }, { problem_id: 1n }], table);
  }
});

test('what is sent to a merged problem under its former name counts for the one that it is', async (t) => {
  const { store, send } = await merging(t);
  const wrong: Sent = ['4A', 'WRONG_ANSWER', 1_700_000_000];
  await send('ada', wrong);
  await mergeProblem(store, 1n, 2n);
  await send('ada', wrong, ['4A', 'OK', 1_700_000_100]);
  const [status, ...others] = await store.reader.selectFrom('statuses').selectAll().execute();
  assert.deepEqual([status?.problem_id, status?.judge_status, others], [2n, 'complete', []]);
  const solves = await store.reader.selectFrom('solves').select('problem_id').execute();
  assert.deepEqual(solves, [{ problem_id: 2n }, { problem_id: 2n }]);
});

test('a shared note stays shared where nobody reads more of it, and what its member took back stays so', async (t) => {
  const { garden, store } = await merging(t);
  await garden.import('records', [{ id: 2, username: 'bob' }]);
  const groups: bigint[] = [];
  for (const name of ['First', 'Second']) groups.push(await makeGroup(store, 1n, { name, zone: 'UTC' }));
  const [first = 0n, second = 0n] = groups;
  const share = (id: bigint, ...some: bigint[]) => shareNote(store, 1n, id, (group) => some.includes(group));
  const shares = async () =>
    (await store.reader.selectFrom('shared_notes').selectAll().orderBy('problem_id').orderBy('group_id').execute()).map(
      (row) => `${row.problem_id} with ${row.group_id === first ? 'first' : 'second'}`,
    );
  await setNote(store, 2n, 1n, 'of bob');
  await setNote(store, 1n, 2n, 'melon');
  await share(2n, first, second);

  // The other problem has no note of hers.
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await shares(), ['1 with first', '1 with second']);
  await share(1n, first);
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), ['2 with first'], 'she took the second back in between');

  // It has one that only one of the groups reads.
  await share(2n, first, second);
  await setNote(store, 1n, 1n, 'water');
  await share(1n, second);
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await shares(), ['1 with second'], 'the first has never read “water”');
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), ['1 with second', '2 with first', '2 with second']);

  // No group reads both, so the merge ends what both were shared with, also of the other problem.
  await share(2n, first);
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await shares(), []);
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), ['1 with second', '2 with first']);
  await mergeProblem(store, 2n, 1n);
  await setNote(store, 1n, 1n, 'both, and more');
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), ['2 with first'], 'a note that she changed since may still have both');

  await share(1n, second);
  await share(2n, second);
  await removeProblem(store, 2n);
  assert.deepEqual(await shares(), ['1 with second']);
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), ['1 with second', '2 with second']);

  // Leaving ends a choice also for a problem that comes back later.
  await removeProblem(store, 2n);
  const joined_at = new Date(Date.now() + 1000).toISOString();
  await store.write(async (tx) => {
    await joinGroup(tx, second, 2n, { role: 'coach', joined_at });
    await leaveGroup(tx, second, 1n);
    await joinGroup(tx, second, 1n, { joined_at });
  });
  await restoreProblem(store, 2n);
  assert.deepEqual(await shares(), []);
});
