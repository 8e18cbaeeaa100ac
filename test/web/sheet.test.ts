/** A coach fills marks into the sheet of the school's own system. The file is in no table, and nobody else reaches the pages. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assignList } from '../../src/practice/assignments.ts';
import { makeGroup, setOwnStudentNumber } from '../../src/practice/groups.ts';
import { changeContent, makeList } from '../../src/practice/lists.ts';
import { insertExpectedPerson, tickExpected } from '../../src/store/groups.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser } from '../support/browser.ts';
import { rowsOf } from '../support/databases.ts';
import { attributesOf, csrfOf, textsOf, valueIn } from '../support/elements.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, browsersOf, serveHere } from '../support/in-process.ts';
import { faultsOfLook } from '../support/looks.ts';
import { joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { fillSeason } from '../support/seasons.ts';

async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'dan', 'eve');
  const names = { first_name: 'Cy', last_name: 'Okafor' };
  await importRows(databaseUrl, 'records', [{ username: 'cy', ...names }]);
  await importRows(databaseUrl, 'problems', ponds(4));
  const { url } = await serveHere(t, { databaseUrl });
  const [group, list] = await store.write(async (tx) => {
    const id = await makeGroup(tx, ids.ada, { name: 'Thursday club', zone: 'UTC' });
    for (const one of [ids.bob, ids.cy, ids.dan]) await joinGroup(tx, id, one);
    const items = [1n, 2n, 3n, 4n].map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ids.ada, name: 'Winter camp', content: [{ name: '', items }] });
    await assignList(tx, { groupId: id, coachId: ids.ada, listId: list }, new Date(Date.now() - 60_000).toISOString());
    await tx.updateTable('list_items').set({ added_at: longAgo }).execute();
    await setOwnStudentNumber(tx, id, ids.bob, ' 21-0403 ');
    const unknown = { judge_status: null, judge_at: null, earlier_status: null, earlier_at: null, how: null } as const;
    const solve = (user_id: bigint, problem_id: bigint, self_at: string) =>
      tx
        .insertInto('statuses')
        .values({ ...unknown, user_id, problem_id, self_status: 'complete', self_at })
        .execute();
    for (const problem of [1n, 2n]) await solve(ids.bob, problem, longAgo);
    await solve(ids.bob, 3n, new Date().toISOString());
    const byJudge = { judge_status: 'complete', judge_at: longAgo } as const;
    await tx.updateTable('statuses').set(byJudge).where('problem_id', '=', 2n).execute();
    await solve(ids.cy, 1n, longAgo);
    return [id, list];
  });
  const path = `/dashboard/groups/${group}/`;
  return { databaseUrl, url, store, ids, group, list, path, sheet: `${path}assignments/${list}/sheet/` };
}

const csv = (marks: readonly string[]) =>
  `ID number;Name;Winter camp (Real);Total\r\n21-0403;Bob;${marks[0]};=SUM(C2)\r\n21-0411;"Okafor; Cy";${marks[1]};"7,5"\r\n99;Eve;-;`;

async function upload(one: Browser, sheet: string, bytes: string | Uint8Array = csv(['', ''])): Promise<Page> {
  return one.submitAt(sheet, { name: 'file' }, { file: { name: 'grades.csv', bytes } });
}

test('a sheet is uploaded, checked and given back with one column filled in, and kept nowhere', async (t) => {
  const { databaseUrl, url, store, group, sheet, ids } = await world(t);
  const ada = await browserOf(url, 'ada');
  const written = () => rowsOf(databaseUrl, 'SELECT id FROM changes UNION ALL SELECT id FROM uploads');
  const before = await written();
  const columns = await upload(ada, sheet);
  assert.equal(columns.status, 200);
  assert.equal(columns.headers['cache-control'], 'no-store');
  const chosen = textsOf(columns, 'select option[selected]');
  assert.deepEqual(chosen, ['ID number', 'Winter camp (Real)', 'half']);
  assert.match(textOf(columns, 'main'), /Student number: matches 1 of 1.*filled in 0 of 3 rows/s);
  const check = await ada.submit({ name: 'points' }, { points: '10' });
  assert.match(textOf(check, '.counts'), /^1 Filled in ?2 Not filled in ?2 Not in the sheet/);
  assert.match(textOf(check, '[data-row="1"]'), /^bob ?2 of 3 self-reported ?21-0403 ?1 late$/);
  const values = attributesOf(check, '.filled input', 'value');
  assert.deepEqual(values, ['6,25'], 'two in time and half of one, of four, with the comma of the sheet');
  const options = textsOf(check, '[name="who.2"] option');
  assert.deepEqual(options, ['Nobody: leave it as it is', 'Cy Okafor (same name)', 'dan']);
  const file = await ada.submit({ name: 'mark.1' });
  assert.equal(file.text, csv(['6,25', '']), 'the same name alone fills in nothing');
  const expected = (name: string, student_number: string | null = null) => ({ group_id: group, name, student_number });
  await store.write((tx) => insertExpectedPerson(tx, expected('Eve Lund', '99')));
  await store.write((tx) => insertExpectedPerson(tx, expected('Bo Li')));
  const profiles = [
    { username: 'dan', first_name: 'Bo', last_name: 'Li' },
    { username: 'bob', first_name: 'Eve', last_name: 'Lund' },
  ];
  await importRows(databaseUrl, 'records', profiles);
  await store.write(async (tx) => {
    const bob = expected('Bob Ray');
    await tickExpected(tx, { ...bob, id: await insertExpectedPerson(tx, bob) }, ids.bob);
    await setOwnStudentNumber(tx, group, ids.dan, '7');
  });
  await upload(ada, sheet, 'Surname;Name;Mark\nLi;Bo;\nLund;Eve;\nRay;Bob;\n');
  await ada.submit({ name: 'points' }, { points: '10' });
  const byName = await ada.submit({ name: 'mark.3' });
  assert.equal(byName.text, 'Surname;Name;Mark\nLi;Bo;\nLund;Eve;\nRay;Bob;6.25\n', 'no name of a profile takes a row');
  await upload(ada, sheet, 'ID number;Name;Mark\n99;Eve;\n97;Li Bo;\n96;Zed;\n98;Okafor Cy;\n21-0403;Bob;\n');
  const ordered = attributesOf(await ada.submit({ name: 'points' }, { points: '10' }), '.trouble select', 'name');
  assert.deepEqual(ordered, ['who.2', 'who.4', 'who.1', 'who.3'], 'rows for which somebody is proposed are first');
  const asked = textsOf(ada.page(), '.trouble label').map((text) => text.split(/(?<=[.?])/)[0]);
  const isExpected = ' is on the class list and hasn’t joined.';
  const nobody = 'Nobody here matches.';
  assert.deepEqual(asked, [`Bo Li${isExpected}`, nobody, `Eve Lund${isExpected}`, nobody]);
  const [proposed] = ada.page().document.querySelectorAll('[name="who.2"] option[value]:not([value=""])');
  assert.equal(proposed?.textContent.trim(), 'Bo Li (dan) · 7 (same name)', 'who it could be, and by which account');
  const choices = { 'who.1': String(ids.dan), 'who.2': String(ids.cy), 'who.3': String(ids.dan) };
  const doubled = await ada.submit({ name: 'mark.5' }, choices);
  assert.equal(doubled.status, 422);
  assert.match(textOf(doubled, '[role=alert]'), /^Chosen for more than one row/);
  const wrongRows = attributesOf(doubled, '.trouble [aria-invalid]', 'name');
  assert.deepEqual(wrongRows, ['who.1', 'who.3']);
  const kept = attributesOf(doubled, '.trouble option[selected]', 'value');
  assert.deepEqual(kept, [`${ids.cy}`, '', `${ids.dan}`, `${ids.dan}`], 'in the order of the rows');
  assert.match((await ada.submit({ name: 'mark.5' }, { 'who.3': '' })).text, /^99;Eve;0\n97;Li Bo;2\.5\n96;Zed;\n98/m);
  assert.match(String(file.headers['content-disposition']), /filename="grades\.csv"/);

  await upload(ada, sheet, csv(['7,5', '']));
  const again = await ada.submit({ name: 'points' }, { points: '10', late: 'none' });
  assert.match(textOf(again, '.counts'), /^1 Filled in ?1 Overwritten ?2 Not filled in/);
  assert.match(textOf(again, '[data-row="1"] td:last-child'), /Overwritten\s+7,5\s+→/);
  await upload(ada, sheet, csv(['5.00', '']));
  const same = await ada.submit({ name: 'points' }, { points: '10', late: 'none' });
  assert.doesNotMatch(same.text, /Overwritten/, 'the same number');
  await upload(ada, sheet);
  await ada.submit({ name: 'points' }, { points: '10', late: 'none' });
  const byHand = await ada.submit({ name: 'mark.1' }, { 'mark.1': '5.75', 'who.2': String(ids.cy), 'who.3': '' });
  assert.equal(byHand.text, csv(['5,75', '2,5']));
  await upload(ada, sheet);
  await ada.submit({ name: 'points' }, { points: '10' });
  const wrong = await ada.submit({ name: 'mark.1' }, { 'mark.1': 'ten' });
  assert.equal(wrong.status, 422);
  assert.match(textOf(wrong, '[role=alert]'), /Enter a number/);
  assert.deepEqual(await written(), before);
});

test('what is no sheet, or too large, is refused on the page of the upload', async (t) => {
  const { url, sheet } = await world(t);
  const ada = await browserOf(url, 'ada');
  for (const [bytes, sentence] of [
    ['a,b\n', /nobody in the list/],
    [Buffer.alloc(5 * 1024 * 1024 + 1, 'a,b\n'), /at most 1 MiB/],
  ] as const) {
    const page = await upload(ada, sheet, bytes);
    assert.equal(page.status, 422);
    assert.match(textOf(page, '.fault'), sentence);
  }
  await upload(ada, sheet);
  const same = await ada.submit({ name: 'points' }, { who: '2', mark: '2' });
  assert.match(textOf(same, '.fault'), /two different columns/);
});

test('the mark of a course is the part of its modules that is done, without those that have no problems', async (t) => {
  const { store, url, ids, list, sheet } = await world(t);
  const section = (id: string, problems: bigint[], done?: number) => {
    const items = problems.map((problem_id) => ({ problem_id, memo: null, added_at: longAgo }));
    return { name: id, extras: JSON.stringify({ id, done }), items };
  };
  const content = [section('a', [1n, 2n]), section('b', [3n, 4n], 1), section('read', [])];
  await changeContent(store, { id: list, owner_id: ids.ada }, () => content);
  const ada = await browserOf(url, 'ada');
  assert.ok((await ada.open(sheet.replace('sheet/', ''))).document.querySelector(`[href$="${sheet}"]`));
  const columns = await upload(ada, sheet);
  assert.equal(valueIn(columns, 'points'), '2');
  assert.match(textOf(columns, 'main'), /if every module is done/);
  assert.equal(columns.document.querySelector('[name=late]'), null);
  await ada.submit({ name: 'points' }, { points: '10' });
  const file = await ada.submit({ name: 'mark.1' }, { 'who.2': String(ids.cy) });
  assert.equal(file.text, csv(['10', '0']), 'Bob did both, and Cy one problem of the first');
  await upload(ada, sheet);
  await ada.submit({ name: 'points' }, { points: '10' });
  assert.equal((await ada.submit({ name: 'mark.1' }, { 'mark.1': '9' })).text, csv(['9', '']), 'by hand');
});

test('the mark of a season is the total of its table', async (t) => {
  const { store, url, ids } = await world(t);
  const { group } = await fillSeason(store, ids.ada, { people: 5, contests: 4 });
  const ada = await browserOf(url, 'ada');
  const path = `/dashboard/groups/${group}/seasons/1/`;
  const csv = (await ada.open(`${path}csv/`)).text.split('\n').map((line) => line.replaceAll('"', '').split(','));
  const at = (name: string) => csv[0]?.findIndex((head) => head.replace('\ufeff', '').trim() === name) ?? -1;
  const totals = new Map(csv.slice(1).map((row) => [row[at('username')], row[at('points')]]));
  const names = [...totals.keys()].filter((name) => name?.startsWith('member-'));
  assert.equal(names.length, 5);
  const text = (markOf: (name?: string) => string | undefined) =>
    `Username,Mark\n${names.map((name) => `${name},${markOf(name)}\n`).join('')}`;
  const empty = text(() => '');
  const columns = await upload(ada, `${path}sheet/`, empty);
  assert.equal(columns.document.querySelector('[name=points]'), null);
  const check = await ada.submit({ name: 'mark' });
  assert.equal(check.status, 200);
  const filled = text((name) => totals.get(name));
  assert.equal((await ada.submit({ name: 'mark.1' })).text, filled);
});

test('only coaches of the group reach the sheet, and a student number is its owner’s and theirs', async (t) => {
  const { url, sheet, path, list, databaseUrl } = await world(t);
  const { ada, bob, cy, eve } = await browsersOf(url, 'ada', 'bob', 'cy', 'eve');
  for (const one of [bob, eve]) {
    await one.open('/dashboard/groups/');
    const fields = { _csrf: csrfOf(one.page()), sheet: 'YSxiCkFuYSwxCg', who: '0', mark: '1' };
    for (const end of ['', 'columns/', 'check/', 'download/']) {
      assert.equal((await one.open(sheet + end)).status, 404);
      if (end !== '') assert.equal((await one.post(sheet + end, fields)).status, 404);
    }
  }
  assert.equal((await ada.open(`${sheet}check/`)).path, sheet);
  await bob.open(`${path}seen/`);
  assert.equal(valueIn(bob.page(), 'number'), '21-0403');
  await bob.submit({ name: 'number' }, { number: '21-0404' });
  for (const end of ['', 'seen/', 'assignments/', 'rounds/', `assignments/${list}/csv/`])
    assert.ok(!(await cy.open(path + end)).text.includes('21-0404'), end);
  assert.match((await ada.open(path)).text, /21-0404/);
  await ada.submit({ name: 'numbered', value: '2' }, { number: '21-0405' });
  const numbered = 'SELECT student_number FROM group_members WHERE student_number IS NOT NULL';
  assert.deepEqual(await rowsOf(databaseUrl, numbered), [{ student_number: '21-0405' }]);
});

test('the steps of a sheet as they look', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, sheet } = await world(t);
  const ada = await browserOf(url, 'ada');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'session', value: ada.cookies.get('session') ?? '', url }]);
  const page = await context.newPage();
  await page.goto(url + sheet);
  assert.deepEqual(await faultsOfLook(page), []);
  const buffer = Buffer.from(csv(['', '']));
  await page.setInputFiles('[type=file]', { name: 'grades.csv', mimeType: 'text/csv', buffer });
  for (const step of ['columns', 'check']) {
    await page.click('main .panel .actions .button.primary');
    await page.waitForURL(`${url}${sheet}${step}/`);
    assert.deepEqual(await faultsOfLook(page), [], step);
  }
  await page.click(`[formaction$="columns/"]`);
  await page.waitForURL(`${url}${sheet}columns/`);
});
