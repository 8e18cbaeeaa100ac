/**
 * A note is shared with a group by choice, and read by people of the group who solved the problem, once its writer has. Where one
 * of these is not so, nothing tells the note from one that does not exist.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { writeArchive } from '../../src/importing/archive.ts';
import { makeGroup, removeFromGroup, removeGroup, setGroupRole } from '../../src/practice/groups.ts';
import { removeHandle } from '../../src/practice/handles.ts';
import { setBookmarks, setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { createMember, disableMember, removeMember } from '../../src/practice/members.ts';
import { shareNote } from '../../src/practice/shared-notes.ts';
import { listHandlesWithoutCounts } from '../../src/store/handles.ts';
import { listNotesSharedWith } from '../../src/store/shared-notes.ts';
import { openGarden, submissionsOf } from '../importing/support.ts';
import { csrfOf } from '../support/elements.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { importRows, memberWithToken, tokensFor } from '../support/garden.ts';
import { bookmarks, client } from '../support/http.ts';
import { browsersOf, serveHere } from '../support/in-process.ts';
import { idOf, joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { readZip } from '../support/zips.ts';

const problem = '/problem_list/problem/1/';
const secret = 'zq-idea';
const others = ['bob', 'cy', 'eve'] as const;
const names = ['ada', ...others] as const;
type Name = (typeof names)[number];

/** The club of cy, with ada and bob in it; eve is in none. All of them solved the problem. */
async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', [
    { id: 1, source: 'codeforces', source_key: '1A', title: 'Theatre' },
    { id: 2, source: 'codeforces', source_key: '1B', title: 'Spreadsheets' },
  ]);
  const ids = await membersNamed(databaseUrl, ...names);
  const { url } = await serveHere(t, { databaseUrl });
  const put = (group: bigint, user: Name) =>
    store.write((tx) => joinGroup(tx, group, ids[user], { joined_at: new Date().toISOString() }));
  const club = await makeGroup(store, ids.cy, { name: 'Wednesday <club>', zone: 'UTC' });
  await put(club, 'ada');
  await put(club, 'bob');
  const mark = (user: Name, status: 'complete' | 'practicing') =>
    setStatus(store, { memberId: ids[user], problemIds: [1n], status });
  for (const name of names) await mark(name, 'complete');
  const share = (...groups: bigint[]) => shareNote(store, ids.ada, 1n, (id) => groups.includes(id));
  const write = (note: string) => setNote(store, ids.ada, 1n, note);
  const coached = { groupId: club, coachId: ids.cy };
  return { databaseUrl, store, url, ids, club, coached, put, mark, share, write };
}

test('who shares a note with a group, and who reads it', async (t) => {
  const { databaseUrl, store, url, ids, club, coached, put, mark, share, write } = await world(t);
  const browsers = await browsersOf(url, ...names);
  const { ada, bob } = browsers;
  const { token: ofRoot } = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  const tokens = [ofRoot, ...(await tokensFor(databaseUrl, others))];
  await setStatus(store, { memberId: await idOf(store, 'root'), problemIds: [1n], status: 'complete' });

  /** The page of the problem without what each answer has anew, and without the navigation, which leads to the only group. */
  const pageOf = async (name: Name) => {
    const main = (await browsers[name].open(problem)).document.querySelector('main')?.toString() ?? '';
    return main.replaceAll(/name="_csrf" value="[^"]*"|\d\d:\d\d/g, '');
  };
  const empty = { bob: await pageOf('bob'), cy: await pageOf('cy'), eve: await pageOf('eve') };
  const readers = async () => {
    const found: string[] = [];
    for (const name of others) {
      const text = await pageOf(name);
      if (text.includes(secret)) found.push(name);
      else assert.ok(text === empty[name], `${name} sees a trace`);
    }
    return found;
  };
  /** Shares the note as it was in the beginning, to see that each condition was the reason. */
  const anew = async () => {
    await write(secret);
    await share(club);
    assert.deepEqual(await readers(), ['bob', 'cy']);
  };

  await t.test(
    'nobody reads a note until its member chooses a group, and the form of the page is that choice',
    async () => {
      await write(`**${secret}** <script>alert(1)</script>`);
      assert.deepEqual(await readers(), []);
      const own = await ada.open(problem);
      assert.match(textOf(own, '#your-note .panel-head'), /Only you/);
      assert.equal(own.document.querySelector('#your-note [type=checkbox]')?.hasAttribute('checked'), false);
      const within = '#your-note [action$="/share/"]';
      const saved = await ada.submit({ within }, { [`group-${club}`]: true });
      assert.match(textOf(saved, '#your-note .panel-head'), /Shared with 1 group$/);
      assert.deepEqual(await readers(), ['bob', 'cy']);
      const page = await bob.open(problem);
      const panel = page.document.querySelector('#group-notes');
      assert.equal(panel?.querySelector('details')?.hasAttribute('open'), false, 'it is folded');
      assert.match(textOf(page, '#group-notes li > p'), /^ada · Wednesday <club> · /);
      assert.equal(textOf(page, '#group-notes strong'), secret);
      assert.equal(panel?.querySelector('script'), null);
      assert.equal((await ada.ask(problem)).text.includes('group-notes'), false, 'not to the writer');
      await ada.submitAt(problem, { within }, { [`group-${club}`]: false });
      assert.deepEqual(await readers(), []);
    },
  );

  await t.test('only the page of the problem shows it: no search, interface, group or archive of others', async () => {
    await anew();
    for (const name of others) {
      const group = `/dashboard/groups/${club}/`;
      const pages = ['/dashboard/', '/problem_list/?q=zq', group, `${group}people/`, `${group}board/`];
      for (const path of [...pages, '/dashboard/history/', '/dashboard/review/'])
        assert.ok(!(await browsers[name].ask(path)).text.includes(secret), path);
      const list = await browsers[name].open(`/problem_list/?note=${secret}`);
      assert.equal(list.document.querySelectorAll('tr[data-problem]').length, 0);
      const files = readZip(Buffer.concat(await writeArchive(store.reader, ids[name]).toArray()));
      assert.doesNotMatch([...files.values()].join(), /zq-idea/);
      assert.doesNotMatch(files.get('bookmarks.ndjson') ?? '', /Wednesday/);
    }
    const own = readZip(Buffer.concat(await writeArchive(store.reader, ids.ada).toArray()));
    assert.deepEqual(JSON.parse(own.get('bookmarks.ndjson') ?? '').shared_with, ['Wednesday <club>']);
    for (const token of tokens) {
      const api = client(url, token);
      for (const path of [bookmarks, `${bookmarks}1/`, `${bookmarks}?user=all`, `${bookmarks}?user=${ids.ada}`])
        for (const Accept of ['application/json', 'text/csv'])
          assert.doesNotMatch((await api(path, { headers: { Accept } })).text, /zq-idea|Wednesday/);
    }
  });

  await t.test('an administrator outside the group reads nothing, and one in it no more than others', async () => {
    await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
    await importRows(databaseUrl, 'records', [{ username: 'eve', role: 'staff' }]);
    assert.doesNotMatch(await pageOf('eve'), /zq-idea|group-notes/);
    await importRows(databaseUrl, 'records', [{ username: 'eve', role: 'member' }]);
    assert.deepEqual(await readers(), ['bob', 'cy']);
  });

  await t.test('both must have solved the problem, coaches too, at the time of reading', async () => {
    for (const name of ['ada', 'bob', 'cy'] as const) {
      await mark(name, 'practicing');
      const page = await pageOf('bob');
      const reading = name === 'ada' ? [] : ['bob', 'cy'].filter((one) => one !== name);
      assert.equal(page.includes(secret), reading.includes('bob'));
      assert.equal((await pageOf('cy')).includes(secret), reading.includes('cy'));
      for (const one of ['bob', 'cy'] as const)
        if (!reading.includes(one)) assert.doesNotMatch(await pageOf(one), /group-notes|Wednesday|ada/);
      if (name === 'ada')
        assert.match(textOf(await ada.open(problem), '#your-note .panel-head'), /Shared with 1 group once you solve/);
      await mark(name, 'complete');
      assert.equal((await pageOf('bob')).includes(secret), true, 'solved again');
    }
    await share();
    for (const name of ['bob', 'cy'] as const) empty[name] = await pageOf(name);
    await anew();
  });

  await t.test('a disabled writer is not read', async () => {
    await store.write((tx) => disableMember(tx, 'ada', true));
    assert.deepEqual(await readers(), []);
    await store.write((tx) => disableMember(tx, 'ada', false));
    assert.deepEqual(await readers(), ['bob', 'cy']);
  });

  await t.test('a note that is deleted is gone, and a later one is not shared', async () => {
    await write('');
    assert.deepEqual(await readers(), []);
    await write(secret);
    assert.deepEqual(await readers(), []);
    await setBookmarks(store, ids.ada, [1n], true);
    await anew();
    const { batch } = await write('');
    assert.deepEqual(await readers(), []);
    await undo(store, ids.ada, batch ?? 0n);
    assert.deepEqual(await readers(), [], 'an undo brings the note back to its member alone');
  });

  await t.test('nobody shares with a group of others, or the note of others', async () => {
    await share();
    const other = await makeGroup(store, ids.eve, { name: 'Of eve', zone: 'UTC' });
    const page = await ada.open(problem);
    const _csrf = csrfOf(page);
    const forged = { _csrf, [`group-${other}`]: 'true', 'group-999999999999999999': 'true', 'group-x': 'true' };
    assert.equal((await ada.post(`${problem}share/`, forged)).status, 200);
    const mine = { _csrf: '', [`group-${club}`]: 'true', user: String(ids.ada) };
    assert.equal((await bob.post(`${problem}share/`, mine)).status, 403);
    mine._csrf = csrfOf(await bob.open(problem));
    assert.equal((await bob.post(`${problem}share/`, mine)).status, 200);
    assert.equal((await bob.post('/problem_list/problem/99/share/', mine)).status, 404);
    assert.deepEqual(await store.reader.selectFrom('shared_notes').selectAll().execute(), []);
    await removeGroup(store, { groupId: other, coachId: ids.eve });
  });

  await t.test('who leaves reads nothing and is not read, and must choose again after coming back', async () => {
    await anew();
    await removeFromGroup(store, coached, ids.bob);
    assert.deepEqual(await readers(), ['cy']);
    await put(club, 'bob');
    assert.deepEqual(await readers(), ['bob', 'cy']);
    await removeFromGroup(store, coached, ids.ada);
    assert.deepEqual(await readers(), []);
    await put(club, 'ada');
    assert.deepEqual(await readers(), []);
    await anew();
    await setGroupRole(store, coached, ids.bob, 'coach');
    await setGroupRole(store, coached, ids.bob, 'member');
    assert.deepEqual(await readers(), ['bob', 'cy']);
  });

  await t.test('a note in two groups is shown once, with both', async () => {
    const second = await makeGroup(store, ids.bob, { name: 'Evening', zone: 'UTC' });
    await put(second, 'ada');
    await share(club, second);
    const page = await bob.open(problem);
    assert.equal(page.document.querySelectorAll('#group-notes li').length, 1);
    assert.match(textOf(page, '#group-notes li > p'), /^ada · Evening · Wednesday <club> · /);
    assert.doesNotMatch(textOf(await browsers.cy.open(problem), '#group-notes'), /Evening/);
    await removeGroup(store, { groupId: club, coachId: ids.cy });
    assert.deepEqual(await readers(), ['bob']);
    await removeGroup(store, { groupId: second, coachId: ids.bob });
    assert.deepEqual(await readers(), []);
  });

  await t.test('the newest twenty are shown; a deleted member leaves nothing', async () => {
    const group = await makeGroup(store, ids.bob, { name: 'Large', zone: 'UTC' });
    const many = Array.from({ length: 21 }, (_, n) => `m${n}`);
    await store.write(async (tx) => {
      for (const username of many) {
        const { id } = await createMember(tx, { username });
        await joinGroup(tx, group, id, { joined_at: new Date().toISOString() });
        await setStatus(tx, { memberId: id, problemIds: [1n], status: 'complete' });
        await setNote(tx, id, 1n, `words of ${id}`);
        await shareNote(tx, id, 1n, (id) => id === group);
        const own = tx.updateTable('shared_notes').where('user_id', '=', id);
        if (username === 'm0') await own.set({ shared_at: longAgo }).execute();
      }
    });
    const page = await bob.open(problem);
    assert.equal(page.document.querySelectorAll('#group-notes li').length, 20);
    assert.match(textOf(page, '#group-notes'), /Show 20 notes.*1 older note is not shown/s);
    assert.doesNotMatch(textOf(page, '#group-notes'), /m0 /);
    const long = 'x '.repeat(32_000);
    await store.write((tx) =>
      tx.updateTable('bookmarks').set({ note: long }).where('note', 'like', 'words%').execute(),
    );
    const longPage = await bob.open(problem);
    assert.equal(longPage.document.querySelectorAll('#group-notes li').length, 4);
    assert.match(textOf(longPage, '#group-notes'), /Show 4 notes.*17 older notes are not shown/s);
    for (const username of many) await store.write((tx) => removeMember(tx, username));
    assert.deepEqual(await store.reader.selectFrom('shared_notes').selectAll().execute(), []);
    assert.doesNotMatch(await pageOf('bob'), /group-notes/);
  });
});

test('a note is not read any more when the handle that solved the problem is unlinked, and an archive shares nothing', async (t) => {
  const garden = await openGarden(t);
  const { store } = garden;
  await garden.import('records', [
    { id: 1, username: 'ada' },
    { id: 2, username: 'bob' },
  ]);
  const problems = [{ id: 1, source: 'codeforces', source_key: '4A', title: 'Watermelon' }];
  await garden.import('problems', problems);
  const group = await makeGroup(store, 1n, { name: 'Club', zone: 'UTC' });
  await store.write((tx) => joinGroup(tx, group, 2n, { joined_at: new Date().toISOString() }));
  await setStatus(store, { memberId: 2n, problemIds: [1n], status: 'complete' });
  const sent = submissionsOf('ada_cf', ['4A', 'OK', 1_700_000_000]);
  await garden.import('codeforces-submissions', sent, { member: 'ada' });
  await setNote(store, 1n, 1n, secret);
  await shareNote(store, 1n, 1n, (id) => id === group);
  const read = async () => (await listNotesSharedWith(store.reader, 2n, 1n, 20)).map(({ note }) => note);
  assert.deepEqual(await read(), [secret]);
  await setStatus(store, { memberId: 2n, problemIds: [1n], status: 'reading' });
  assert.deepEqual(await read(), [], 'the store asks the reader too, not the page alone');
  await setStatus(store, { memberId: 2n, problemIds: [1n], status: 'complete' });
  assert.deepEqual(await read(), [secret]);
  const archive = Buffer.concat(await writeArchive(store.reader, 1n).toArray());
  const other = await openGarden(t);
  await other.import('problems', problems);
  await other.import('records', [{ id: 5, username: 'ada' }]);
  await makeGroup(other.store, 5n, { name: 'Club', zone: 'UTC' });
  const { report } = await other.import('archive', archive as never, { trustsIds: false });
  assert.equal(report.bad, 0);
  assert.deepEqual(await other.store.reader.selectFrom('bookmarks').select('note').execute(), [{ note: secret }]);
  const shared = await other.store.reader.selectFrom('shared_notes').selectAll().execute();
  assert.deepEqual(shared, [], 'an import shares nothing');
  const [handle] = await listHandlesWithoutCounts(store.reader, 1n);
  await store.write((tx) => removeHandle(tx, handle?.id ?? 0n));
  assert.deepEqual(await read(), []);
});
