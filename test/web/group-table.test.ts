/**
 * Lists in a group: a coach gives one, with the moment when it is due by the clocks of the group, and sees who solved what; a
 * member sees their own line as the coach does. Nobody sees a note, or a status on a problem of no list given to the group.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assignList, readAssignmentTable, unassignList } from '../../src/practice/assignments.ts';
import { makeGroup, setGroupRole, setOwnStudentNumber } from '../../src/practice/groups.ts';
import { addToList, makeList } from '../../src/practice/lists.ts';
import { setNote, setStatus } from '../../src/practice/marks.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import { findGroupWithLists, putGroupList } from '../../src/store/assignments.ts';
import { countListFinishers } from '../../src/store/groups.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { StatusesTable } from '../../src/store/statuses.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';
import { tamper } from '../support/databases.ts';
import { csrfOf, hrefOf, hrefsOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { solve } from '../support/seasons.ts';
import { counted } from '../support/statements.ts';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function world(t: TestContext, problems = 6) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'eve');
  await importRows(databaseUrl, 'records', [{ username: 'bob', first_name: '=1+1', last_name: 'Tavares' }]);
  await importRows(
    databaseUrl,
    'problems',
    ponds(problems, (n) => ({ rating: 1000 + n })),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const put = (tx: Db, group: bigint, ...people: bigint[]) =>
    Promise.all(people.map((user_id) => joinGroup(tx, group, user_id)));
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Wednesday club', zone: 'Asia/Kolkata' });
    await put(tx, group, ids.bob, ids.cy);
    const items = [1n, 2n, 3n, 4n].map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ids.ada, name: 'Ponds', content: [{ name: '', items }] });
    return { group, list };
  });
  const say = (user_id: bigint, problem_id: bigint, row: Partial<StatusesTable>) =>
    store.write((tx) =>
      tx
        .insertInto('statuses')
        .values({ user_id, problem_id, ...row })
        .execute(),
    );
  const group = `/dashboard/groups/${made.group}/`;
  const coach = { groupId: made.group, coachId: ids.ada };
  const paths = { group, table: `${group}assignments/${made.list}/` };
  return { databaseUrl, url, store, ids, put, say, coach, ...made, paths };
}

const namesIn = (page: Page) => linesOf(page).map(([name]) => name);
const linesOf = ({ document }: Page) =>
  document
    .querySelectorAll('.members tbody tr')
    .map((row) =>
      row
        .querySelectorAll('th, td')
        .map((cell) => cell.getAttribute('title') ?? cell.textContent.replace(/\s+/g, ' ').trim()),
    );

test('the first page of a group says what is due and who is behind, before anything else', async (t) => {
  const { url, store, ids, put, say, group, list, paths } = await world(t);
  await store.write((tx) => put(tx, group, ids.eve));
  const due = (days: number | null) => {
    const times = { given_at: ago(3), due_at: days === null ? null : ago(-days) };
    return store.write((tx) => putGroupList(tx, { group_id: group, list_id: list, ...times }));
  };
  for (const problem of [1n, 2n]) await say(ids.bob, problem, { judge_status: 'complete', judge_at: ago(1) });
  for (const problem of [1n, 2n, 3n, 4n]) await say(ids.eve, problem, { self_status: 'complete', self_at: ago(1) });
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const first = async () => textOf(await ada.open(paths.group), '.stack > :first-child').replaceAll(/\s+/g, ' ');
  await due(3);
  assert.match(await first(), /^Needs attention ?Ponds ?Due .* 1 of 3 finished ?Behind: ?cy 0\/4$/);
  await due(-1);
  assert.match(await first(), /Was due .* 1 of 3 finished ?Behind: ?cy 0\/4 ?=1\+1 Tavares 2\/4$/);
  await due(13);
  assert.match(await first(), /Nobody is behind\.$/);
  assert.match(textOf(await bob.open(paths.group), '.stack > :first-child'), /2 of 4 solved\s*$/);
  assert.doesNotMatch(bob.page().text, /Behind:/, 'members see nobody else');
  for (const days of [15, -15, null]) {
    await due(days);
    assert.match(await first(), /^Needs attention ?Nobody is behind, stuck or inactive\.$/);
    assert.match(textOf(await bob.open(paths.group), '.stack > :first-child'), /^\s*Assignments/);
  }
});

test('a list is given, done, late and changed', async (t) => {
  const { databaseUrl, url, store, ids, say, coach, group, list, paths } = await world(t);
  const [ada, bob, eve] = [await browserOf(url, 'ada'), await browserOf(url, 'bob'), await browserOf(url, 'eve')];

  await t.test('a coach gives a list of their own, with a moment; others see nothing of it', async () => {
    assert.equal((await bob.ask(`${paths.group}give/`)).status, 404);
    await ada.open(`${paths.group}give/`);
    const wrong = await ada.submit({ name: 'list' }, { list: String(list), due_date: '2026-02-30' });
    assert.equal(wrong.status, 422);
    assert.match(textOf(wrong, '#due_date-fault'), /no such day/);
    const zone = (value: string) => store.write((tx) => tx.updateTable('groups').set({ zone: value }).execute());
    await zone('Europe/Berlin');
    const skipped = await ada.submit({ name: 'list' }, { due_date: '2098-03-30', due_time: '02:30' });
    assert.match(textOf(skipped, '#due_date-fault'), /clocks skip an hour/);
    assert.equal(valueIn(skipped, 'due_time'), '02:30', 'it is not moved');
    await zone('Asia/Kolkata');
    const past = await ada.submit({ name: 'list' }, { due_date: '2020-01-02' });
    assert.match(textOf(past, '.notice'), /due date is in the past/);
    await ada.open(`${paths.table}settings/`);
    const changed = await ada.submit({ name: 'due_date' });
    assert.match(textOf(changed, '.notice'), /due date is in the past/);
    await ada.open(`${paths.group}give/`);
    const given = await ada.submit({ name: 'list' }, { list: String(list), due_date: '2099-06-11', due_time: '20:00' });
    assert.equal(given.path, `${paths.table}?done=given`);
    assert.match(textOf(given, '.sub'), /Due Thursday, 11 June 2099 at 20:00 ?2 members ?0 of 8 solved/);
    for (const end of ['', 'csv/']) assert.equal((await eve.ask(paths.table + end)).status, 404);
    assert.match(
      textOf(await bob.open('/dashboard/'), '[data-given]'),
      /Ponds ?Wednesday club · Due Thursday, 11 June 2099 at 20:00 ?0 of 4 solved/,
    );
    assert.ok(!(await eve.open('/dashboard/')).text.includes('Ponds'));
  });

  await t.test('the table says what people and judges said, how, and late', async () => {
    await tamper(
      databaseUrl,
      `UPDATE group_lists SET due_at = '${ago(5)}', given_at = '${ago(30)}'`,
      `UPDATE lists SET updated_at = '${ago(31)}'`,
      `UPDATE list_items SET added_at = '${ago(31)}'`,
    );
    const self = (self_status: 'complete' | 'reading', days: number) => ({ self_status, self_at: ago(days) });
    const judge = (days: number) => ({ judge_status: 'complete', judge_at: ago(days) }) as const;
    await say(ids.bob, 1n, judge(8));
    await say(ids.bob, 2n, { ...self('complete', 3), how: 'editorial' });
    await say(ids.bob, 3n, { ...self('complete', 6), ...judge(2), how: 'hint' });
    await say(ids.bob, 4n, { ...self('reading', 9), ...judge(10) });
    await say(ids.cy, 2n, { self_status: 'practicing', self_at: ago(9) });
    await say(ids.cy, 5n, self('complete', 1));
    const page = await ada.open(paths.table);
    assert.deepEqual(
      linesOf(page).map(([, ...cells]) => cells.join(' | ')),
      [
        '3 | Solved | Solved, self-reported, with the editorial, late | Solved, with a hint | Reading | 2 days ago',
        '0 |  | Trying |  |  | 9 days ago, no activity on this list for a week',
      ],
    );
    assert.deepEqual(textsOf(page, 'tfoot td'), ['', '1', '1', '1', '0', '']);
    assert.match(textOf(page, '.sub'), /2 members ?3 of 8 solved/);
    assert.ok(!page.text.includes('Pond 5'));
    for (const [order, ...expected] of [
      ['solved', 'bob', 'cy'],
      ['quiet', 'cy', 'bob'],
      ['family', 'cy', 'bob'],
      ['solved&coaches=true', 'bob', 'ada', 'cy'],
      ['quiet&coaches=true', 'cy', 'ada', 'bob'],
    ])
      assert.deepEqual(namesIn(await ada.open(`${paths.table}?order=${order}`)), expected, order);
    const everybody = await ada.open(`${paths.table}?coaches=true`);
    assert.match(textOf(everybody, '.sub'), /3 people ?3 of 12 solved/);
    const files = [everybody, page].map((one) => hrefOf(one, '.table-tools .menu-panel a[href*="/csv/"]'));
    assert.deepEqual(files, [`${paths.table}csv/?coaches=true`, `${paths.table}csv/`]);
    const linesIn = async (path = '') => (await ada.ask(path)).text.trim().split('\r\n').length - 1;
    assert.deepEqual([await linesIn(files[0]), await linesIn(files[1])], [3, 2]);
    const { people } = await countListFinishers(store.reader, group, list);
    assert.equal(people, 2, 'a message of the group counts as many members');
    await store.write((tx) => disableMember(tx, 'cy', true));
    assert.deepEqual(namesIn(await ada.open(paths.table)), ['bob'], 'a disabled member is neither in the table');
    assert.equal((await countListFinishers(store.reader, group, list)).people, 1, 'nor in the message');
    await store.write((tx) => disableMember(tx, 'cy', false));
  });

  await t.test('a member sees only their own line', async () => {
    const page = await bob.open(paths.table);
    assert.deepEqual(namesIn(page), ['bob']);
    assert.equal(page.document.querySelector('tfoot'), null);
    assert.ok(!page.text.includes('>cy<') && (await bob.ask(`${paths.table}settings/`)).status === 404);
    const csv = (await bob.ask(`${paths.table}csv/`)).text.trim().split('\r\n');
    assert.equal(csv.length, 2);
    const fields = { _csrf: csrfOf(page), take_back: 'yes' };
    assert.equal((await bob.post(`${paths.table}settings/`, fields)).status, 404);
  });

  await t.test('a coach reads no note, on no page of the group and in no CSV', async () => {
    for (const problemId of [1n, 2n, 3n, 4n]) await setNote(store, ids.bob, problemId, 'secret note');
    assert.match((await bob.ask('/problem_list/problem/1/')).text, /secret note/);
    const { group } = paths;
    const pages = ['', 'board/', 'settings/', 'pick/', 'seen/', 'give/'].map((end) => group + end);
    for (const at of [...pages, paths.table, `${paths.table}csv/`, '/problem_list/problem/1/']) {
      const { status, text } = await ada.ask(at);
      assert.ok(status === 200 || at.endsWith('board/'), at);
      assert.doesNotMatch(text, /secret note/, at);
    }
  });

  await t.test('as CSV no cell is a formula, and it is what Excel of the language reads', async () => {
    await setOwnStudentNumber(store, group, ids.bob, '21;04');
    const reply = await ada.ask(`${paths.table}csv/`);
    assert.equal(reply.headers['content-disposition'], 'attachment; filename="Wednesday club - Ponds.csv"');
    const [head = '', ...lines] = reply.text.trim().split('\r\n');
    const titles = [1, 2, 3, 4].map((n) => `CF ${n}A Pond ${n}`);
    assert.equal(head, `member,username,student_number,solved,late,active,${titles}`);
    assert.match(
      lines.find((line) => line.includes(',bob,')) ?? '',
      /^'=1\+1 Tavares,bob,"21;04",3,1,\d{4}-\d\d-\d\d \d\d:\d\d,Solved,"Solved, self-reported, with the editorial, late","Solved, with a hint",Reading$/,
    );
    const { text } = await ada.ask(`${paths.table}csv/`, { headers: { 'Accept-Language': 'pt-BR' } });
    assert.match(
      text,
      /^\ufeffmember;username;.*\r\ncy;cy;;0;0;.*\r\n'=1\+1 Tavares;bob;"21;04";3;1;/s,
      'by family name',
    );
    const order = async (end: string) =>
      [...(await ada.ask(`${paths.table}csv/${end}`)).text.matchAll(/^[^,]*,(bob|cy),/gm)].map(([, name]) => name);
    assert.deepEqual(await Promise.all(['', '?order=family', '?order=name'].map(order)), [
      ['cy', 'bob'],
      ['cy', 'bob'],
      ['bob', 'cy'],
    ]);
  });

  await t.test('a change after it was given is said, and what was added after it was due is not late', async () => {
    assert.ok(!(await bob.open(paths.table)).text.includes('was changed after'));
    await addToList(store, ids.ada, { id: list }, { ids: [6n] });
    await say(ids.bob, 6n, { judge_status: 'complete', judge_at: new Date().toISOString() });
    const page = await bob.open(paths.table);
    assert.match(
      textOf(page, '.notice[data-kind="warn"] ~ .notice'),
      /changed after it was assigned on .*1 problem was added/,
    );
    assert.match(textOf(page, 'tr[data-problem="6"]'), /added/);
    assert.equal(linesOf(page)[0]?.[6], 'Solved');
  });

  await t.test('a list that its owner hides from the garden is hidden from groups too, and comes back', async () => {
    const content = [{ name: '', items: [{ problem: 5n }] }];
    const other = await makeList(store, { ownerId: ids.eve, name: 'Hers', visibility: 'garden', content });
    await assignList(store, { ...coach, listId: other }, null);
    const path = `${paths.group}assignments/${other}/`;
    assert.equal((await bob.ask(path)).status, 200);
    await store.write((tx) => tx.updateTable('lists').set({ visibility: 'private' }).where('id', '=', other).execute());
    for (const one of [ada, bob]) assert.equal((await one.ask(path)).status, 404);
    assert.ok(!(await bob.open(paths.group)).text.includes('Hers'));
    await assert.rejects(assignList(store, { ...coach, listId: other }, null), /Choose one of your lists/);
  });

  await t.test('the tab shows what is due next or was given last, and a menu has the others', async () => {
    const tab = `${paths.group}assignments/`;
    const past: bigint[] = [];
    for (const [name, inDays] of [
      ['Past', -1],
      ['Last', null],
      ['Far', 9],
      ['Next', 2],
    ] as const) {
      const listId = await makeList(store, { ownerId: ids.ada, name });
      await assignList(store, { ...coach, listId }, inDays === null ? null : ago(-inDays));
      past.push(listId);
    }
    const shown = async (one: typeof ada) => {
      const page = await one.open(tab);
      const [title] = textsOf(page, 'h1');
      return { title, others: hrefsOf(page, '.others li a'), current: hrefsOf(page, '.tabs [aria-current]') };
    };
    const expected = [past[2], past[1], past[0], list].map((id) => `${tab}${id}/`);
    for (const one of [ada, bob])
      assert.deepEqual(await shown(one), { title: 'Next', others: expected, current: [tab] });
    const takeBack = (listId = 0n) => unassignList(store, coach, listId);
    await takeBack(past[3]);
    assert.equal((await shown(bob)).title, 'Far');
    await takeBack(past[2]);
    assert.equal((await shown(bob)).title, 'Last', 'nothing is due');
    await takeBack(past[1]);
    await takeBack(past[0]);
    assert.deepEqual(await shown(bob), { title: 'Ponds', others: [], current: [tab] });
  });

  await t.test('the address that it had before leads to it for good', async () => {
    for (const end of ['', 'csv/', 'settings/', '?order=solved']) {
      const { status, headers } = await ada.ask(`${paths.group}lists/${list}/${end}`);
      assert.deepEqual([status, headers.location], [308, `${paths.table}${end}`]);
    }
  });

  await t.test('a file is named after group and list, whatever letters they have', async () => {
    const name = '../Круг "А/Б"\u202e%';
    await store.write((tx) => tx.updateTable('groups').set({ name }).where('id', '=', group).execute());
    const [, plain = '', encoded = ''] =
      /^attachment; filename="([^"]+)"; filename\*=UTF-8''(\S+)$/.exec(
        (await ada.ask(`${paths.table}csv/`)).headers['content-disposition'] ?? '',
      ) ?? [];
    assert.equal(decodeURIComponent(encoded), '--Круг -А-Б-% - Ponds.csv');
    assert.match(plain, /^[ -~]+ - Ponds\.csv$/);
  });

  await t.test('what a coach changes of it is in its settings, and the file and the list in a menu', async () => {
    const page = await ada.open(paths.table);
    const own = ['settings/', 'sheet/', 'csv/'].map((end) => paths.table + end);
    assert.deepEqual(hrefsOf(page, '.table-tools .menu-panel a'), [...own, `/problem_list/lists/${list}/`]);
    assert.equal(page.document.querySelector('details.legend-fold[open]'), null);
    await ada.open(`${paths.table}settings/`);
    const set = await ada.submit({ name: 'due_date' }, { due_date: '2099-01-02', due_time: '' });
    assert.equal(set.path, `${paths.table}?done=saved`);
    assert.match(textOf(set, '.sub'), /Due Friday, 2 January 2099 at 23:59/);
  });

  await t.test(
    'every coach changes when a list is due, also one of another coach, and also in a group that has no room for another',
    async () => {
      const bobs = await store.write(async (tx) => {
        await setGroupRole(tx, coach, ids.bob, 'coach');
        const id = await makeList(tx, { ownerId: ids.bob, name: 'His' });
        await assignList(tx, { groupId: group, coachId: ids.bob, listId: id }, null);
        // The list that its owner hides is none of the hundred.
        for (let n = 3; n <= 100; n++) {
          const listId = await makeList(tx, { ownerId: ids.ada, name: `List ${n}` });
          await assignList(tx, { ...coach, listId }, null);
        }
        return id;
      });
      for (const one of [list, bobs]) {
        const path = `${paths.group}assignments/${one}/`;
        await ada.open(`${path}settings/`);
        const set = await ada.submit({ name: 'due_date' }, { due_date: '2099-01-03', due_time: '' });
        assert.equal(set.path, `${path}?done=saved`, textOf(set, '#due_date-fault'));
        assert.match(textOf(set, '.sub'), /Due Saturday, 3 January 2099/);
      }
      const more = await makeList(store, { ownerId: ids.ada, name: 'One more' });
      await ada.open(`${paths.group}give/`);
      const full = await ada.submit({ name: 'list' }, { list: String(more) });
      assert.match(textOf(full, '#list-fault'), /100/);
      await setGroupRole(store, coach, ids.bob, 'member');
    },
  );

  await t.test('it is taken back', async () => {
    await ada.open(`${paths.table}settings/`);
    assert.equal((await ada.submit({ name: 'take_back' })).path, `${paths.group}?done=taken`);
    assert.equal((await bob.ask(paths.table)).status, 404);
  });
});

test('an assignment is a list to its members: rows, marks and keys of the problem list, and first on Today', async (t) => {
  const { url, store, ids, say, coach, list, paths } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const due = (ms: number) => assignList(store, { ...coach, listId: list }, new Date(Date.now() + ms).toISOString());
  const hour = 3_600_000;
  const rows = ({ document }: Page, within = '.list-section') =>
    document
      .querySelectorAll(within)
      .map((section) => section.querySelectorAll('tr[data-problem] .c-title').map((one) => one.textContent.trim()));
  await due(100 * hour);
  await say(ids.bob, 2n, { judge_status: 'complete', judge_at: ago(1) });

  await t.test('what is left comes first, with the numbers of the list; a mark moves a row', async () => {
    const page = await bob.open(paths.table);
    assert.deepEqual(rows(page), [['1. Pond 1', '3. Pond 3', '4. Pond 4'], ['2. Pond 2']]);
    assert.equal(page.document.querySelector('.notice'), null);
    const isOnce = (id: string) => page.document.querySelectorAll(`[id=${id}]`).length === 1;
    assert.ok(isOnce('keys') && isOnce('bulk'));
    const marked = await bob.submit({ within: '#p3', name: 'status', value: 'complete' });
    assert.equal(marked.path.split('?')[0], paths.table);
    assert.deepEqual(rows(marked), [
      ['1. Pond 1', '4. Pond 4'],
      ['2. Pond 2', '3. Pond 3'],
    ]);
    const back = await bob.submit({ within: '.undo', name: 'undo' });
    assert.deepEqual(rows(back)[0], ['1. Pond 1', '3. Pond 3', '4. Pond 4']);
  });

  await t.test('the bar for ticked rows is about the list, which its members may change at once', async () => {
    const page = await bob.open(paths.table);
    const action = page.document.querySelector('#bulk')?.getAttribute('action') ?? '';
    assert.equal(action, `/problem_list/bulk/?list=${list}`);
    assert.equal(totalIn(await bob.open(action)), 4);
  });

  await t.test('from two days before it is due one is warned, by the clocks of the group', async () => {
    const noon = new Date(Date.now() + 5.5 * hour);
    noon.setUTCHours(12, 0, 0, 0);
    for (const [days, text] of [
      [0, /^(Due|Was due) today at 12:00\. 3 of 4 problems left\./],
      [1, /^Due tomorrow at 12:00\. 3 of 4 problems left\. After that, solves are marked late\.$/],
    ] as const) {
      await due(noon.getTime() - 5.5 * hour + days * 24 * hour - Date.now());
      assert.match(textOf(await bob.open(paths.table), '.notice[data-kind="warn"]'), text);
      const onToday = days ? /Due tomorrow at 12:00/ : /ue today at 12:00/;
      assert.match(textOf(await bob.open('/dashboard/'), '.assigned'), onToday);
    }
    await due(-hour);
    assert.match(textOf(await bob.open(paths.table), '.notice'), /^Was due .*New solves are marked late/);
    await due(60 * hour);
    assert.equal((await bob.open(paths.table)).document.querySelector('.notice'), null);
  });

  await t.test('on Today what is due next stands first with what is left of it, other lists are lines', async () => {
    const content = [{ name: '', items: [{ problem: 5n }, { problem: 6n }] }];
    for (const [name, days] of [
      ['Undated', null],
      ['Next', 20 / 24],
      ['Late', -20 / 24],
    ] as const) {
      const listId = await makeList(store, { ownerId: ids.ada, name, content });
      await assignList(store, { ...coach, listId }, days === null ? null : ago(-days));
    }
    const page = await bob.open('/dashboard/');
    assert.equal(page.document.querySelector('main .panel')?.querySelector('h2')?.textContent, 'Next');
    assert.deepEqual(rows(page, '.assigned'), [['1. Pond 5', '2. Pond 6']]);
    assert.deepEqual(textsOf(page, '.given li a'), ['Late', 'Ponds', 'Undated']);
    const marked = await bob.submit({ within: '#p5', name: 'status', value: 'complete' });
    assert.equal(marked.path.split('?')[0], '/dashboard/');
    assert.deepEqual(rows(marked, '.assigned'), [['2. Pond 6']]);
    assert.equal((await ada.open('/dashboard/')).document.querySelector('.assigned'), null, 'a coach assigned them');
    await setStatus(store, { memberId: ids.ada, problemIds: [6n], status: 'complete' });
    const begun = await ada.open('/dashboard/');
    assert.deepEqual(rows(begun, '.assigned'), [[]], 'a coach has lines alone, of what they began');
    assert.doesNotMatch(textOf(begun, '.assigned'), /due/i);
    await bob.submit({ within: '#p6', name: 'status', value: 'complete' });
    assert.match(textOf(await bob.open('/dashboard/'), '.assigned h2'), /^Ponds$/);
  });
});

test('a list that grew beyond what can be given has all its problems for members, and a coach reads how many are left out', async (t) => {
  const { url, store, ids, coach, group, list, paths } = await world(t, 104);
  await assignList(store, { ...coach, listId: list }, ago(-9));
  await addToList(store, ids.ada, { id: list }, { ids: Array.from({ length: 100 }, (_, n) => BigInt(5 + n)) });
  const bob = await browserOf(url, 'bob');
  assert.match(textOf(await bob.open('/dashboard/'), '.assigned'), /0 of 104 solved.*Show all 104 problems/);
  const page = await bob.open(paths.table);
  assert.equal(page.document.querySelectorAll('.list-section tr[data-problem]').length, 104);
  assert.match(textOf(page, '.sub'), /0 of 104 solved/);
  const ada = await browserOf(url, 'ada');
  const table = await ada.open(paths.table);
  assert.equal(table.document.querySelectorAll('.key-list [data-problem]').length, 100);
  const assignLinks = async (one: typeof ada) =>
    hrefsOf(await one.open(`/problem_list/lists/${list}/`), '.page-head [href*="give/"]');
  const to = `${paths.group}give/?list=${list}`;
  assert.deepEqual([await assignLinks(ada), await assignLinks(bob)], [[to], []]);
  const other = await makeGroup(store, ids.ada, { name: 'Zebras', zone: 'UTC' });
  assert.deepEqual(await assignLinks(ada), [to, to.replace(`/${group}/`, `/${other}/`)], 'a menu of the groups');
  assert.match(textOf(table, '.key-list'), /and 4 more$/);
});

test('in a new group the first step is a button, on its page and in its empty table', async (t) => {
  const { url, list } = await world(t);
  const ada = await browserOf(url, 'ada');
  await ada.open('/dashboard/groups/');
  const made = await ada.submit({ name: 'zone' }, { name: 'New club', zone: 'UTC' });
  const [group = ''] = made.path.split('?');
  for (const page of [made, await ada.open(`${group}assignments/`)]) {
    assert.match(textOf(page, 'section:has(#lists)'), /No assignments yet\./);
    assert.ok(page.document.querySelector(`section:has(#lists) a[href="${group}give/"]`), 'to the first one');
  }
  await ada.open(`${group}give/`);
  const table = await ada.submit({ name: 'list' }, { list: String(list) });
  assert.match(textOf(table, 'main'), /No members yet\./);
  for (const page of [made, table]) {
    assert.equal(hrefOf(page, 'main a.primary'), `${group}settings/#links`);
    assert.equal(page.document.querySelector('a[href$="/pick/"]'), null, 'it needs five others');
  }
  const settings = await ada.open(`${group}settings/`);
  assert.ok(settings.document.querySelector('section:has(#links) [name=uses]'), 'where it leads');
  assert.equal(textOf(table, '.menu-panel [data-print]'), 'Print');
});

async function readTable(db: Db, { group, list, ada }: { group: bigint; list: bigint; ada: bigint }) {
  const found = await findGroupWithLists(db, group, ada);
  const given = found?.lists.find((one) => one.list_id === list);
  assert.ok(found && given);
  return readAssignmentTable(db, found, given, ada, Date.now());
}

test('whoever goes on trying a problem is active', async (t) => {
  const { databaseUrl, store, ids, say, coach, group, list } = await world(t);
  const [first, last] = [ago(20), ago(1)];
  await assignList(store, { ...coach, listId: list }, null);
  await tamper(databaseUrl, `UPDATE group_lists SET given_at = '${ago(30)}'`);
  await store.write(async (tx) => {
    const handle = await insertHandle(tx, { user_id: ids.bob, source: 'codeforces', name: 'bob', created_at: first });
    const tried = { handle_id: handle.id, problem_id: 1n, verdict_class: 'tried' } as const;
    await insertSolves(tx, [solve({ ...tried, submitted_at: first }), solve({ ...tried, submitted_at: last })]);
  });
  await say(ids.bob, 1n, { judge_status: 'practicing', judge_at: first });
  await say(ids.cy, 1n, { judge_status: 'practicing', judge_at: first });
  const { rows } = await readTable(store.reader, { group, list, ada: ids.ada });
  assert.deepEqual(
    rows.map(({ person, activeAt, isInactive }) => [person.username, activeAt, isInactive]),
    [
      ['ada', undefined, false],
      ['bob', last, false],
      ['cy', first, true],
    ],
  );
});

test('60 people by 40 problems: three statements, and a small page', async (t) => {
  const { url, store, ids, put, coach, group } = await world(t, 40);
  const problemIds = Array.from({ length: 40 }, (_, n) => BigInt(n + 1));
  const states = ['complete', 'practicing', 'reading', undefined, 'complete', 'skipped'] as const;
  const list = await store.write(async (tx) => {
    for (let n = 0; n < 57; n++) {
      const names = { first_name: `First${n}`, last_name: `Last${n}` };
      const { id } = await createMember(tx, { username: `member-${n}`, ...names });
      await put(tx, group, id);
      for (const [at, status] of states.entries()) {
        const some = problemIds.filter((problem) => (Number(problem) * 7 + n * 3) % states.length === at);
        if (status) await setStatus(tx, { memberId: id, problemIds: some, status, ...(at === 4 && { how: 'hint' }) });
      }
    }
    const items = problemIds.map((problem) => ({ problem }));
    const listId = await makeList(tx, { ownerId: ids.ada, name: 'Forty', content: [{ name: '', items }] });
    await assignList(tx, { ...coach, listId }, null);
    return listId;
  });
  const { db, statements } = counted(store.reader);
  const table = await readTable(db, { group, list, ada: ids.ada });
  assert.equal(statements(), 3);
  assert.deepEqual([table.rows.length, table.problems.length], [60, 40]);
  const ada = await browserOf(url, 'ada');
  const path = `/dashboard/groups/${group}/assignments/${list}/`;
  const zipped = await ada.ask(path, { headers: { 'Accept-Encoding': 'gzip' } });
  const bytes = zipped.bytes.length;
  assert.ok(bytes > 1_000 && bytes < 60_000, `${bytes} bytes`);
  assert.match(gunzipSync(zipped.bytes).toString(), /member-56/);
});
