/**
 * The leaderboard of a group: off until a coach switches it on, and nobody is on it before they choose to. Members who did not
 * stand on no board, and nobody has a last place. Its figures are those of Today, by a few statements however many people there are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../bench/catalogue.ts';
import { readActivity, readStreak } from '../../src/practice/activity.ts';
import { type DayRule, dateOf, dayOf, daysOf, defaultDayRule, startOfWeek } from '../../src/practice/days.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { type LeaderboardRow, rankRows, readBoard } from '../../src/practice/leaderboard.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import { writeDayRule } from '../../src/practice/preferences.ts';
import { type FirstSolvesTable, upsertFirstSolves } from '../../src/store/activity.ts';
import { setBoard } from '../../src/store/groups.ts';
import { insertReviews, type ReviewsTable } from '../../src/store/reviews.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';
import { steadyDays } from '../support/days.ts';
import { csrfOf, textsOf, totalIn } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { counted } from '../support/statements.ts';

const put = (tx: Db, group_id: bigint, user_id: bigint, on_board: bigint) =>
  joinGroup(tx, group_id, user_id, { on_board });

test('a board has three places at most, and never a last one', () => {
  const order = (...counts: number[]) => {
    const lines = counts.map((week, n) => {
      const person = { user_id: BigInt(n), username: String.fromCharCode(122 - n) };
      return { person, week, month: 0, streak: 0 } as unknown as LeaderboardRow;
    });
    return rankRows(lines, 'week', (one, other) => (one.username < other.username ? -1 : 1))
      .map(({ row, place }) => `${place ?? '-'}:${row.week}${row.person.username}`)
      .join(' ');
  };
  assert.equal(order(), '');
  assert.equal(order(7), '-:7z', 'alone');
  assert.equal(order(3, 3, 3), '-:3x -:3y -:3z', 'all alike');
  assert.equal(order(2, 5), '1:5y -:2z');
  assert.equal(order(0, 0, 1), '1:1x -:0y -:0z', 'by name and not by figures');
  assert.equal(order(9, 7, 5), '1:9z 2:7y -:5x', 'the third of three is the last');
  assert.equal(order(1, 4, 9, 7, 5, 8), '1:9x 2:8u 3:7w -:5v -:4y -:1z');
  assert.equal(order(5, 5, 9, 7, 5, 1), '1:9x 2:7w 3:5v 3:5y 3:5z -:1u');
  assert.equal(order(4, 4, 4, 4, 2, 1), '1:4w 1:4x 1:4y 1:4z -:1u -:2v');
});

test('the figures are those of Today, for 60 people by a few statements', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', ponds(1500));
  const below = seeded(7);
  const now = Date.parse('2026-07-01T10:00:00Z');
  const zones: DayRule[] = [
    defaultDayRule,
    { zone: 'Pacific/Kiritimati', startHour: 0 },
    { zone: 'Etc/GMT+12', startHour: 23 },
    { zone: 'Pacific/Apia', startHour: 4 },
  ];
  const people: { id: bigint; rule: DayRule }[] = [];
  const group = await store.write(async (tx) => {
    const coach = await createMember(tx, { username: 'coach' });
    const made = await makeGroup(tx, coach.id, { name: 'Club', zone: 'UTC' });
    await setBoard(tx, made, true);
    for (let n = 0; n < 60; n++) {
      const { id } = await createMember(tx, { username: `member-${n}` });
      await put(tx, made, id, n === 59 ? 0n : 1n);
      const rule = zones[n % zones.length] as DayRule;
      if (n % zones.length > 0) await writeDayRule(tx, id, rule);
      people.push({ id, rule });
      const days = daysOf(rule);
      const today = days.at(now);
      const often = [20, 300, 2, 900][n % 4] ?? 1;
      const solves: FirstSolvesTable[] = [];
      const reviews: Omit<ReviewsTable, 'id'>[] = [];
      for (let back = n % 7 === 3 ? 1 : n % 7 === 4 ? 2 : 0; back < 500; back++) {
        const at = new Date(days.start(today - back) + below(20 * 3_600_000)).toISOString();
        for (let more = below(often) === 0 ? 0 : 1 + below(3); more > 0; more--)
          solves.push({ user_id: id, problem_id: BigInt(solves.length + 1), at, tries: 0n });
        const said = { grade: 'good', made_at: at, undone_at: null } as const;
        if (below(40) === 0) reviews.push({ user_id: id, problem_id: 1n, ...said });
      }
      await upsertFirstSolves(tx, solves);
      await insertReviews(tx, reviews);
    }
    return made;
  });
  const { db, statements } = counted(store.reader);
  const viewer = people.at(-1)?.id ?? 0n;
  const board = await readBoard(db, group, viewer, now, 'sunday');
  assert.ok(statements() <= 9, `${statements()} statements`);
  assert.equal(board.rows.length, 59, 'the viewer stands beside it');
  assert.equal(board.ownRow?.person.user_id, viewer);
  const streaks = new Set<number>();
  for (const line of [...board.rows, board.ownRow]) {
    assert.ok(line);
    const { id, rule } = people.find((one) => one.id === line.person.user_id) ?? {};
    assert.ok(id && rule);
    const days = daysOf(rule);
    const today = days.at(now);
    const sumSince = async (from: number) =>
      (await readActivity(store.reader, id, days, [from, today])).reduce(
        (all, row) => all + Number(row.first_solves),
        0,
      );
    assert.equal(line.week, await sumSince(startOfWeek(today, 'sunday')));
    assert.equal(line.month, await sumSince(dayOf(`${dateOf(today).slice(0, 7)}-01`) ?? 0));
    const { current } = await readStreak(store.reader, id, days, today);
    assert.equal(line.streak, current?.length ?? 0, `${id}`);
    streaks.add(line.streak);
  }
  assert.ok(streaks.size > 8 && Math.max(...streaks) > 100 && streaks.has(0), [...streaks].join());
});

test('days that never came end no row of days on the board either', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', ponds(3));
  const rule = { zone: 'Pacific/Apia', startHour: 4 };
  const days = daysOf(rule);
  const now = Date.parse('2011-12-31T20:00:00Z');
  const today = days.at(now);
  const { id, group } = await store.write(async (tx) => {
    const { id } = await createMember(tx, { username: 'ada' });
    await writeDayRule(tx, id, rule);
    const solved = [today, today - 1, today - 3].map((day) => new Date(days.start(day)).toISOString());
    await upsertFirstSolves(
      tx,
      solved.map((at, n) => ({ user_id: id, problem_id: BigInt(n + 1), at, tries: 0n })),
    );
    return { id, group: await makeGroup(tx, id, { name: 'Club', zone: 'UTC' }) };
  });
  assert.equal(dateOf(today - 2), '2011-12-30');
  assert.equal((await readBoard(store.reader, group, id, now)).ownRow?.streak, 3);
});

const linesOf = ({ document }: Page, within = '.board') =>
  document
    .querySelectorAll(`${within} tbody tr`)
    .map((row) => row.querySelectorAll('th, td').map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()))
    .map((cells) => cells.join(' ').trim());

test('the board in pages', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'eve');
  for (const id of Object.values(ids)) await store.write((tx) => writeDayRule(tx, id, steadyDays()));
  await importRows(databaseUrl, 'problems', ponds(6));
  const group = await store.write(async (tx) => {
    const made = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    for (const name of ['bob', 'cy'] as const) await put(tx, made, ids[name], 0n);
    for (const [name, count] of [
      ['ada', 1],
      ['bob', 4],
      ['cy', 2],
    ] as const) {
      const problemIds = Array.from({ length: count }, (_, n) => BigInt(n + 1));
      await setStatus(tx, { memberId: ids[name], problemIds, status: 'complete' });
    }
    return made;
  });
  const path = `/dashboard/groups/${group}/`;
  const board = `${path}board/`;
  const { url } = await serveHere(t, { databaseUrl });
  const other = await serveHere(t, { databaseUrl });
  const [ada, bob, cy, eve] = await Promise.all(['ada', 'bob', 'cy', 'eve'].map((name) => browserOf(url, name)));
  assert.ok(ada && bob && cy && eve);
  const bobElsewhere = await browserOf(other.url, 'bob');
  const tabs = (page: Page) => textsOf(page, '.tabs a');
  const onBoard = async () =>
    (await store.reader.selectFrom('group_members').selectAll().where('on_board', '=', 1n).execute()).map(
      ({ user_id }) => user_id,
    );

  await t.test('there is none before a coach switches it on', async () => {
    const page = await ada.open(path);
    assert.ok(!tabs(page).includes('Leaderboard'));
    const _csrf = csrfOf(page);
    for (const one of [ada, bob, eve]) assert.equal((await one.ask(board)).status, 404);
    assert.equal((await ada.post(board, { _csrf, stand: 'true' })).status, 404);
    await ada.open(`${path}settings/`);
    const done = await ada.submit({ name: 'board' });
    assert.equal(done.path, `${path}settings/?done=board`);
    assert.deepEqual(await onBoard(), [], 'and nobody is on it, the coach neither');
    const views = textsOf(await ada.open(`${path}season/`), '.segments a');
    assert.ok(views.includes('Leaderboard'), 'beside the season');
    assert.ok(tabs(await bob.open(path)).includes('Leaderboard'));
    assert.equal((await eve.ask(board)).status, 404);
    assert.equal((await eve.ask('/dashboard/groups/999/board/')).status, 404);
    const own = csrfOf(await bob.open(path));
    assert.equal((await bob.post(`${path}settings/`, { _csrf: own, board: 'false' })).status, 404);
  });

  await t.test('everybody sees their own line, and nobody that of others before they choose', async () => {
    for (const [one, name, count] of [
      [ada, 'ada', 1],
      [bob, 'bob', 4],
    ] as const) {
      const page = await one.open(board);
      assert.match(textOf(page, '[aria-labelledby=own]'), /Only you see this/);
      assert.deepEqual(linesOf(page), [`${name} you ${count} ${count} 1`]);
      assert.equal(page.document.querySelector('[data-place]'), null);
      assert.match(textOf(page, 'main'), /Nobody has joined the leaderboard yet/);
      for (const link of page.document.querySelectorAll('.board [data-count]')) {
        const behind = await one.open(link.getAttribute('href') ?? '');
        assert.equal(totalIn(behind), Number(link.getAttribute('data-count')), link.outerHTML);
      }
    }
    await bob.open(board);
    assert.equal((await bob.submit({ name: 'stand' })).path, `${board}?done=stands`);
    assert.deepEqual(await onBoard(), [ids.bob]);
    assert.deepEqual(linesOf(await ada.open(board), '[aria-label=Leaderboard]'), ['bob 4 4 1']);
    assert.deepEqual(linesOf(await cy.open(board)), ['cy you 2 2 1', 'bob 4 4 1']);
    const page = await bob.open(board);
    assert.deepEqual(linesOf(page), ['bob you 4 4 1']);
    assert.ok(!page.text.includes('Only you see this'));
    const elsewhere = await bobElsewhere.open(board);
    assert.deepEqual(linesOf(elsewhere), ['bob you 4 4 1']);
    assert.ok(!(await ada.open(path)).text.includes('board tbody'));
  });

  await t.test('places are of the first, and the order is asked for in the address', async () => {
    await cy.open(board);
    await cy.submit({ name: 'stand' });
    assert.deepEqual(linesOf(await bob.open(board)), ['1. bob you 4 4 1', 'cy 2 2 1']);
    assert.deepEqual(linesOf(await bob.open(`${board}?by=streak`)), ['bob you 4 4 1', 'cy 2 2 1']);
    assert.equal((await bob.ask(`${board}?by=%3Cb%3E`)).status, 200);
    const seen = await cy.ask(board);
    const held = { headers: { 'If-None-Match': seen.headers.etag ?? '' } };
    assert.equal((await cy.ask(board, held)).status, 304);
    await store.write((tx) => setStatus(tx, { memberId: ids.bob, problemIds: [6n], status: 'complete' }));
    assert.equal((await cy.ask(board, held)).status, 200);
    assert.match(
      textOf(await cy.open(`${path}seen/`), 'main'),
      /if the group has a leaderboard and you opted in: how many new problems/,
    );
  });

  await t.test('members who leave the board or the group, or are disabled, are no longer on the board', async () => {
    await cy.open(board);
    assert.equal((await cy.submit({ name: 'stand' })).path, `${board}?done=offBoard`);
    for (const one of [bob, bobElsewhere, ada]) assert.doesNotMatch(linesOf(await one.open(board)).join(), /cy/);
    await cy.submit({ name: 'stand' });
    assert.deepEqual(linesOf(await bobElsewhere.open(board)).length, 2);
    await store.write((tx) => disableMember(tx, 'cy', true));
    assert.deepEqual(linesOf(await bobElsewhere.open(board)).length, 1);
    await store.write((tx) => disableMember(tx, 'cy', false));
    const back = await browserOf(url, 'cy');
    await back.open(path);
    await back.submit({ name: 'leave' });
    assert.doesNotMatch(linesOf(await ada.open(board)).join(), /cy/);
    await store.write((tx) => put(tx, group, ids.cy, 0n));
    assert.deepEqual(await onBoard(), [ids.bob], 'also when they come again');
  });

  await t.test('switched off, it is gone for all, and all choose anew', async () => {
    await ada.open(`${path}settings/`);
    assert.equal((await ada.submit({ name: 'board' })).path, `${path}settings/?done=noBoard`);
    for (const one of [ada, bob, bobElsewhere]) assert.equal((await one.ask(board)).status, 404);
    assert.deepEqual(await onBoard(), []);
    await ada.submit({ name: 'board' });
    assert.match(textOf(await bob.open(board), 'main'), /Nobody has joined/);
  });
});
