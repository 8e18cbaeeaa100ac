/** The page of a course: one module is now, with what to do; what is shaky, next, later and done; and no module is locked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignList } from '../../src/practice/assignments.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { hrefOf, textsOf } from '../support/elements.ts';
import { browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { countStatements } from '../support/statements.ts';

const url = (id: number) => `https://cses.fi/problemset/task/${id}`;
const module = (id: string, title: string, needs: string[], problems: number[], more: object = {}) => {
  return { id, title, needs, problems: problems.map((one) => ({ url: url(one) })), ...more };
};
const reading = {
  about: 'Begin with the smallest case.',
  resources: [{ url: 'https://r.example/dp', title: 'Introduction' }],
};
const course = {
  format: 'practice-course/1',
  title: 'From loops to trees',
  modules: [
    module('w', 'Module 1: Warm-up', [], [1]),
    module('s', '2-SAT', ['w'], [2, 3]),
    module('dp', 'Dynamic programming', ['s'], [4, 5, 6, 7], { done: 3, ...reading }),
    module('g', 'Walking graphs', ['w'], [8]),
    module('rq', 'Range queries', ['s'], [9]),
    module('t', '<b>Trees</b>', ['dp', 'g', 'pt'], [10, 4]),
    module('pt', 'Paths on trees', ['rq', 't', 'none'], []),
  ],
};

const solved = { self_status: 'complete' } as const;
const again = { id: 1n, grade: 'again', undone_at: null } as const;
const titlesIn = ({ document }: Page, selector: string) =>
  [...document.querySelectorAll(`${selector} .module h3`)].map((one) => one.textContent.trim());

test('the page of a course', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ofCses = (at: number) => ({ source: 'cses', source_key: String(at + 1), url: url(at + 1) });
  await importRows(databaseUrl, 'problems', ponds(10, ofCses));
  const user_id = await memberWithPassword(databaseUrl, 'ada');
  const { url: site } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(site, 'ada');
  const solve = (id: number, day: string, how: 'editorial' | null = null) => {
    const status = { ...solved, user_id, problem_id: BigInt(id), self_at: `2026-03-${day}T10:00:00.000Z`, how };
    return withStore(databaseUrl, (store) => store.write((tx) => tx.insertInto('statuses').values(status).execute()));
  };
  await ada.open('/problem_list/lists/new/');
  const upload = (content: object) =>
    ada.submit({ name: 'file' }, { file: { name: 'course.json', bytes: JSON.stringify(content) } });
  const modules = [1, 2].map((n) => ({ problems: [{ url: `https://example.org/p/${n}` }] }));
  const allNew = await upload({ format: 'practice-course/1', title: 'x', modules });
  assert.equal(textOf(allNew, '#found'), 'Course: 2 problems in 2 modules', 'none of which is on this server');
  await ada.open('/problem_list/lists/new/');
  const preview = await upload(course);
  assert.match(preview.text, /Course: 10 problems in 7 modules/);
  const saved = await ada.submit({ name: 'name' }, { do: 'save' });
  const path = '/problem_list/lists/1/';
  assert.equal(saved.status, 200);

  await t.test('begins with its first module, and names circles and unknown needs', async () => {
    const page = await ada.open(path);
    assert.match(textOf(page, '#now'), /Now Module 1: Warm-up/);
    assert.deepEqual(titlesIn(page, '[aria-labelledby=next]'), []);
    assert.match(
      page.text,
      /Paths on trees needs &lt;b&gt;Trees|Paths on trees needs .*Trees.*, which needs Paths on trees too/,
    );
    assert.match(page.text, /Paths on trees needs “none”, which is not in this course/);
    assert.equal(page.document.querySelectorAll('a.primary').length, 1);
    assert.ok(page.document.querySelector('svg.course-graph[aria-hidden=true]'));
  });

  await t.test('counts without the editorial, and a failed review makes a module shaky', async () => {
    for (const id of [1, 2, 3, 4]) await solve(id, `0${id}`);
    await solve(5, '05', 'editorial');
    const failed = { ...again, user_id, problem_id: 2n, made_at: '2026-03-20T10:00:00.000Z' };
    await withStore(databaseUrl, (store) => store.write((tx) => tx.insertInto('reviews').values(failed).execute()));
    const page = await ada.open(path);
    assert.match(textOf(page, '#now'), /Now 3\. Dynamic programming/);
    assert.match(page.text, /1 of 3 solved/);
    assert.match(page.text, /Solve any 3 of the 4 without the editorial\./);
    assert.match(textOf(page, '[data-problem="5"]'), /with the editorial: doesn’t count/);
    assert.equal(hrefOf(page, 'a.primary'), url(6));
    assert.match(textOf(page, '.again'), /2-SAT is shaky.*You couldn’t re-solve Pond 2 on/s);
    assert.deepEqual(titlesIn(page, '[aria-labelledby=next]'), ['Walking graphs', 'Range queries']);
    assert.match(textOf(page, '[aria-labelledby=next]'), /Needs 2-SAT \(shaky\)/);
    assert.deepEqual(titlesIn(page, '[aria-labelledby=later]'), ['<b>Trees</b>']);
    assert.deepEqual(titlesIn(page, '.fold'), ['Module 1: Warm-up', '2-SAT', 'Paths on trees']);
    assert.deepEqual(textsOf(page, '.fold .no'), ['', '2', '7'], 'no number twice');
    assert.match(page.text, /7 modules/);
    assert.match(page.text, /3 done, 1 of them shaky/);
  });

  await t.test('opens any module, also one whose needs are not done', async () => {
    const page = await ada.open(`${path}?module=6`);
    assert.match(textOf(page, '#now'), /Later 6\. <b>Trees<\/b>/);
    // Problem 4 is in two modules, and counts in both.
    assert.match(page.text, /1 of 2 solved/);
    assert.deepEqual(titlesIn(page, '[aria-labelledby=at]'), ['Dynamic programming']);
    assert.deepEqual(titlesIn(page, '[aria-labelledby=next]'), ['Walking graphs', 'Range queries']);
    assert.match((await ada.open(`${path}?module=99`)).text, /Now/);
  });

  await t.test('is made of a list, changed and ended on the page that edits it', async () => {
    await ada.open('/problem_list/lists/new/');
    await ada.submit({ name: 'text' }, { text: `One:\n${url(7)}\nTwo:\n${url(8)}\nThree:\n${url(9)}\n${url(10)}` });
    const { path: list } = await ada.submit({ name: 'name' }, { do: 'save' });
    const edit = (fields: Record<string, string | string[]>) =>
      ada.open(`${list}edit/`).then(() => ada.submit({ within: '.list-edit' }, fields));
    const modules = async () =>
      JSON.parse((await ada.open(`${list}json/`)).text).modules?.map((one: Record<string, unknown>) => [
        one['id'],
        one['needs'],
        one['about'],
        one['done'],
      ]);
    assert.equal((await ada.open(`${list}edit/`)).document.querySelector('[name=needs-1]'), null);
    assert.match(textOf(await edit({ course: 'true' }), '#now'), /Now 1\. One/);
    const fields = { 'needs-3': '1, 2, 99', 'about-3': 'First\r\nread.', 'done-3': '1', 'needs-2': '1' };
    await edit(fields);
    const third = ['3', ['1', '2'], 'First\nread.', 1];
    assert.deepEqual(await modules(), [['1', [], undefined, undefined], ['2', ['1'], undefined, undefined], third]);
    const page = await ada.open(`${list}edit/`);
    assert.equal(page.document.querySelector('[name=needs-3]')?.getAttribute('value'), '1, 2');
    await edit({ 'order-3': '1' });
    assert.deepEqual((await modules())?.[0], third, 'needs go with their modules');
    await edit({ drop: ['2'] });
    assert.deepEqual((await modules())?.[0], ['3', ['2'], 'First\nread.', 1], 'nothing needs what is gone');
    const ended = await edit({ course: '' });
    assert.equal(ended.document.querySelector('#now'), null);
    assert.equal(await modules(), undefined);
  });

  await t.test('may have no problem at all', async () => {
    await ada.open('/problem_list/lists/new/');
    await upload({ ...course, modules: [module('r', 'Read', [], [], reading)] });
    const page = await ada.submit({ name: 'name' }, { do: 'save' });
    assert.match(page.text, /All modules are done\./);
    assert.match((await ada.open(`${page.path}?module=1`)).text, /This module has no problems.*Reading: <a/s);
  });

  await t.test('is a file of its form again, and a list to others', async () => {
    const file = JSON.parse((await ada.open(`${path}json/`)).text);
    assert.deepEqual([file.format, file.modules.length, file.modules[2].done], ['practice-course/1', 7, 3]);
    await ada.open(`${path}edit/`);
    const shared = await ada.submit({ name: 'visibility' }, { visibility: 'secret', do: 'who' });
    const [, secret] = /\/problem_list\/shared\/([\w-]+)\//.exec(shared.text) ?? [];
    assert.match((await browser(site).open(`/problem_list/shared/${secret}/`)).text, /Walking graphs/);
  });
});

test('coaches see people by module and where they stop, from the day of the assignment, and members their own course', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'dee');
  await importRows(databaseUrl, 'problems', ponds(150));
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const made = await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const group_id = await makeGroup(tx, ids.ada, { name: 'Wednesday club', zone: 'Europe/Berlin' });
      for (const user_id of [ids.bob, ids.cy, ids.dee]) await joinGroup(tx, group_id, user_id, { joined_at: ago(90) });
      const section = (id: string, problems: number[]) => {
        const items = problems.map((one) => ({ problem: BigInt(one) }));
        return { name: `Module ${id}`, extras: JSON.stringify({ id }), items };
      };
      const rest = Array.from({ length: 140 }, (_, at) => at + 11);
      const content = [section('a', [1, 2]), section('b', [3, 4]), section('c', rest)];
      const listId = await makeList(tx, { ownerId: ids.ada, name: 'From loops to trees', content });
      await assignList(tx, { groupId: group_id, coachId: ids.ada, listId }, null);
      await tx
        .updateTable('group_lists')
        .set({ given_at: ago(20) })
        .execute();
      const marks: [bigint, number, number][] = [
        [ids.bob, 1, 40],
        [ids.cy, 1, 40],
        [ids.cy, 2, 38],
        [ids.cy, 3, 15],
        [ids.dee, 1, 40],
        [ids.dee, 2, 30],
        [ids.dee, 3, 13],
      ];
      for (const [user_id, problem, days] of marks) {
        const status = { ...solved, user_id, problem_id: BigInt(problem), self_at: ago(days) };
        await tx.insertInto('statuses').values(status).execute();
      }
      const failed = { ...again, user_id: ids.dee, problem_id: 1n, made_at: ago(1) };
      await tx.insertInto('reviews').values(failed).execute();
      return { group_id, listId };
    }),
  );
  const statements = countStatements(t);
  const { url: site } = await serveHere(t, { databaseUrl });
  const path = `/dashboard/groups/${made.group_id}/assignments/${made.listId}/`;
  const ada = await browserOf(site, 'ada');
  const page = await ada.open(path);
  const rowsOf = ({ document }: Page) =>
    document
      .querySelectorAll('.course-table :is(tbody, tfoot) tr')
      .map((row) => row.querySelectorAll('th, td').map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()));
  // Bob began before the list was assigned, so his days count from there. Dee's failed review is hers.
  const [bob, cy, dee] = [
    ['bob', '0', '1 of 2 20 days', '', ''],
    ['cy', '1', 'Done', '1 of 2 15 days', ''],
    ['dee', '1', 'Done', '1 of 2', ''],
  ];
  assert.deepEqual(rowsOf(page), [bob, cy, dee, ['Done by', '', '2', '0', '0']]);
  assert.match(
    textOf(page, '.one-sentence'),
    /Most people stop at 1\. Module a: 1 has been there for 14 days or more\./,
  );
  assert.doesNotMatch(page.text, /shaky/i);
  await withStore(databaseUrl, (store) =>
    store.write((tx) => tx.deleteFrom('statuses').where('user_id', '=', ids.bob).execute()),
  );
  const sorted = await ada.open(`${path}?order=stuck`);
  assert.deepEqual(rowsOf(sorted).slice(0, 2), [cy, ['bob', '0', '', '', '']]);
  assert.match(textOf(sorted, '.one-sentence'), /2\. Module b/);
  const short = await withStore(databaseUrl, (store) => {
    const content = [{ name: 'a', extras: '{"id":"a"}', items: [{ problem: 1n }, { problem: 2n }] }];
    return makeList(store, { ownerId: ids.ada, name: 'Short', content });
  });
  const statementsOf = async (list: bigint) => {
    const before = statements();
    await ada.open(`/problem_list/lists/${list}/`);
    return statements() - before;
  };
  await statementsOf(short);
  assert.equal(await statementsOf(made.listId), await statementsOf(short), 'of 150 problems as of two');
  const own = await (await browserOf(site, 'dee')).open(path);
  assert.match(own.text, /Module a is shaky/);
  assert.equal(own.document.querySelector('aside'), null, 'no picture of modules in their order');
  assert.doesNotMatch(textOf(own, 'main'), /\bcy\b/);
});
