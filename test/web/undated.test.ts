/**
 * A member whose only history is a list without days: the problems count as solved wherever problems are counted, and no page has a
 * day of them, until a submission with a date gives one its day.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { daysOfMember, listActiveDays, readStreak } from '../../src/practice/activity.ts';
import { assignList, readAssignmentTable } from '../../src/practice/assignments.ts';
import { readGarden } from '../../src/practice/garden.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { readBoard } from '../../src/practice/leaderboard.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus, undo } from '../../src/practice/marks.ts';
import { plant } from '../../src/practice/planting.ts';
import { findGroupWithLists } from '../../src/store/assignments.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { type Garden, openGarden, submissionsOf } from '../importing/support.ts';
import { attributeOf, totalIn } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const solved = [1, 2, 3, 4, 5, 6];
const everyDay = { from: undefined, to: undefined, isStreakOnly: false };

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'bob');
  const problems = ponds(12, (n) => ({ rating: 1000 + 50 * n, tags: ['dp'] }));
  await importRows(databaseUrl, 'problems', problems);
  const row = { user: Number(ada), status: 'complete', updated_at: null };
  const byJudge = { origin: 'judge', solved_list_source: 'vjudge' };
  const rows = solved.map((problem) => ({ ...row, problem, ...(problem % 2 ? byJudge : { origin: 'self' }) }));
  await importRows(databaseUrl, 'statuses', rows);
  // The judge knows of tries alone, and their day is no day of the solve.
  const tried = { user: Number(ada), problem: 4, status: 'practicing', origin: 'judge' };
  await importRows(databaseUrl, 'statuses', [{ ...tried, updated_at: new Date().toISOString() }]);
  return { databaseUrl, ada, garden: await openGarden(t, databaseUrl) };
}

const firstSolves = ({ store: { reader } }: Garden) => reader.selectFrom('first_solves').selectAll().execute();

test('what was solved on an unknown day counts, and has no day anywhere', async (t) => {
  const { databaseUrl, ada, garden } = await world(t);
  const { store } = garden;
  const { reader } = store;
  const days = await daysOfMember(reader, ada);
  const now = Date.now();
  const today = days.at(now);
  const { group, list } = await store.write(async (tx) => {
    await plant(tx, ada, { name: 'Dp', tag: 'dp', target: 10n }, new Date());
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
    const items = [1n, 2n, 7n].map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ada, name: 'Ponds', content: [{ name: '', items }] });
    return { group, list };
  });
  const given = { groupId: group, coachId: ada, listId: list };
  await assignList(store, given, new Date(now - 86_400_000).toISOString());

  await t.test('in the store: no day, no first solve, no review, no streak, no board', async () => {
    assert.deepEqual(await firstSolves(garden), []);
    assert.deepEqual(await reader.selectFrom('review_cards').selectAll().execute(), []);
    assert.deepEqual(await listActiveDays(reader, ada, days, everyDay), []);
    const streak = await readStreak(reader, ada, days, today);
    assert.deepEqual(streak, { current: undefined, longest: undefined });
    const board = await readBoard(reader, group, ada, now);
    assert.ok(board.rows.every(({ week, month }) => !week && !month));
  });

  await t.test('plants and the coach’s table count it, neither late nor in time', async () => {
    const [dp] = await readGarden(reader, ada, days, new Date(now));
    assert.deepEqual([dp?.done, dp?.today, dp?.lastAt], [6, 0, null]);
    const found = await findGroupWithLists(reader, group, ada);
    const [row] = found?.lists ?? [];
    assert.ok(found && row);
    const [line] = (await readAssignmentTable(reader, found, row, ada, now)).rows;
    assert.deepEqual([line?.solved, line?.late, line?.activeAt], [2, 0, undefined]);
    const cells = line?.cells.map(({ state, isUndated }) => `${state} ${isUndated}`);
    assert.deepEqual(cells, ['complete true', 'complete true', 'not_started false']);
  });

  await t.test('pages show the totals and no day', async () => {
    const { url } = await serveHere(t, { databaseUrl });
    const browser = await browserOf(url, 'ada');
    const progress = await browser.open('/dashboard/progress/');
    assert.match(textOf(progress, 'main'), /6 solved on Codeforces/);
    assert.match(textOf(progress, 'main'), /6 solved on Codeforces, day unknown/);
    const bars = progress.document.querySelectorAll('section[aria-labelledby="by-rating"] table tbody tr');
    assert.equal(bars.length, 3);
    const list = await browser.open('/problem_list/?status=complete');
    assert.equal(totalIn(list), 6);
    assert.match(textOf(list, 'main'), /day unknown/);
    const listed = await browser.open('/problem_list/problem/1/');
    assert.match(textOf(listed, '.verdict-now'), /Solved, day unknown \(from /);
    assert.match(textOf(await browser.open('/problem_list/problem/2/'), '.verdict-now'), /solved, day unknown/);
    const year = String(new Date(now).getUTCFullYear());
    const others = ['/dashboard/', '/dashboard/days/', '/dashboard/review/', '/plants/', '/dashboard/submissions/'];
    for (const path of others) {
      const page = await browser.open(path);
      assert.equal(page.status, 200, path);
      const marked = page.document.querySelectorAll('main time').map((one) => one.getAttribute('datetime') ?? '');
      assert.ok(!marked.some((at) => at.startsWith('19') || at === ''), path);
      assert.doesNotMatch(textOf(page, 'main'), /Invalid Date|NaN|Infinity|1970/, path);
    }
    for (const path of ['/dashboard/progress/?span=90', `/dashboard/progress/?to=${year}-12-31`, '/plants/at/1/']) {
      const page = await browser.open(path);
      assert.equal(page.status, 200, path);
      assert.doesNotMatch(page.text, /Invalid Date|NaN|Infinity|1970/, path);
    }
  });

  await t.test('exports keep it', async () => {
    const before = await garden.everything();
    const rows = await garden.rows('statuses');
    assert.deepEqual(
      rows.map(({ updated_at }) => updated_at),
      solved.map(() => null),
    );
    const keyed = JSON.parse(before.split('\n').find((line) => line.includes('solved_list_source')) ?? '{}');
    assert.equal(keyed.solved_list_source, 'vjudge');
    for (const row of rows) await garden.import('statuses', [row]);
    assert.equal(await garden.everything(), before);
  });

  await t.test('to say how it was solved invents no day; undoing leaves it as it was', async () => {
    const marked = { memberId: ada, problemIds: [1n, 2n], status: 'complete', how: 'hint' } as const;
    const { batch = 0n } = await setStatus(store, marked);
    assert.deepEqual(await firstSolves(garden), []);
    await undo(store, ada, batch);
    assert.equal((await garden.rows('statuses')).length, solved.length);
  });

  await t.test('a submission with a date gives it its day', async () => {
    const at = '2025-03-04T05:06:07.000Z';
    const sent = submissionsOf('ada', ['1A', 'OK', Date.parse(at) / 1000]);
    await garden.import('codeforces-submissions', sent, { member: 'ada', handle: 'ada' });
    assert.deepEqual(
      (await firstSolves(garden)).map((row) => [row.problem_id, row.at]),
      [[1n, at]],
    );
    assert.equal((await listActiveDays(reader, ada, days, everyDay)).length, 1);
    assert.equal((await reader.selectFrom('review_cards').selectAll().execute()).length, 1);
  });

  await t.test('a handle says how many came from its list once the list was read', async () => {
    const { id } = await store.write((tx) => addHandle(tx, ada, 'vjudge', 'ada'));
    const { url } = await serveHere(t, { databaseUrl });
    const browser = await browserOf(url, 'ada');
    const counted = async () => {
      const page = await browser.open('/authentication/account/handles/');
      return attributeOf(page, `[data-handle="${id}"] [data-listed]`, 'data-listed');
    };
    assert.equal(await counted(), undefined);
    const read = freshSync({ source: 'vjudge', task: 'submissions', handle_id: id });
    await store.write((tx) => saveSync(tx, { ...read, good_at: new Date().toISOString() }));
    assert.equal(await counted(), '3');

    const page = await browser.open('/authentication/account/handles/');
    const form = { within: `[data-handle="${id}"] details.skipped`, name: 'date' };
    assert.match(
      textOf(page, `[data-handle="${id}"] details.skipped summary`),
      /^Set a day for 2 problems without a date$/,
    );
    const before = await garden.rows('statuses');
    for (const day of ['', '1969-12-31', '2999-01-01', 'x']) {
      const refused = await browser.submit(form, { [`day-${id}`]: day });
      assert.deepEqual([refused.status, textOf(refused, '.fault')], [422, 'Enter a day between 1970 and today.'], day);
    }
    assert.deepEqual(await garden.rows('statuses'), before);
    const set = await browser.submit(form, { [`day-${id}`]: '2025-02-03' });
    assert.match(textOf(set, '.undo'), /2 problems/);
    assert.equal(set.document.querySelector(`[name="day-${id}"]`), null, 'all have a day now');
    const days = (await firstSolves(garden)).map((row) => row.at.slice(0, 10));
    assert.deepEqual(days.toSorted(), ['2025-02-03', '2025-02-03', '2025-03-04']);
    await browser.submit({ within: '.undo' });
    assert.deepEqual(await garden.rows('statuses'), before);
  });
});
