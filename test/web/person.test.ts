/**
 * One person's page in a group, which only its coaches and the person open, and what needs a coach, on the group's first page and
 * on Today. Each number is counted again from submissions.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seeded } from '../../bench/catalogue.ts';
import { deriveStatuses, mergeWith } from '../../src/practice/derivation.ts';
import { archiveGroup, leaveGroup, makeGroup } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { makeSeason } from '../../src/practice/seasons.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { insertGroupMember, updateGroupMember } from '../../src/store/groups.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { listProblemsOfList } from '../../src/store/lists.ts';
import { saveRoundPerson, updateRound } from '../../src/store/rounds.ts';
import { insertSeasonPoints } from '../../src/store/seasons.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser } from '../support/browser.ts';
import { attributeOf, attributesOf } from '../support/elements.ts';
import { browser, type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { dayMs, iso, solve, usualSeason } from '../support/seasons.ts';
import { countStatements } from '../support/statements.ts';

const ago = (days: number) => iso(Date.now() - days * dayMs);
const given = 45;

type Content = NonNullable<Parameters<typeof makeList>[1]['content']>;

interface List {
  id: bigint;
  due: number | null;
  problems: number[];
}

/** Ada coaches Bob, who agreed to the season, Cy, who did not answer, and Dee, who did nothing; Bob is in Eve's group too. */
async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'dee', 'eve', 'fox', 'zed');
  await importRows(databaseUrl, 'records', [{ username: 'bob', first_name: 'Jonas', last_name: 'Weber' }]);
  await importRows(databaseUrl, 'problems', ponds(100));
  const { url } = await serveHere(t, { databaseUrl });
  const below = seeded(5);
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Thursday club', zone: 'Europe/Berlin' });
    const other = await makeGroup(tx, ids.eve, { name: 'Other club', zone: 'UTC' });
    const put = (group_id: bigint, user_id: bigint, role: 'member' | 'coach' = 'member') =>
      insertGroupMember(tx, { group_id, user_id, role, joined_at: ago(90), on_board: 0n });
    for (const id of [ids.bob, ids.cy, ids.dee]) await put(group, id);
    await put(group, ids.fox, 'coach');
    await put(other, ids.bob);
    const coach = { groupId: group, coachId: ids.ada };
    const season = await makeSeason(tx, coach, { ...usualSeason, first_day: '2020-01-01', last_day: '2021-01-01' });
    await updateGroupMember(tx, group, ids.bob, { in_season: 1n, student_number: '21-0417' });
    const points = { user_id: ids.bob, halves: 3n, reason: 'Tutor', made_at: ago(1) };
    await insertSeasonPoints(tx, { group_id: group, season_id: season, ...points });
    const assign = async (name: string, content: Content, due: number | null) => {
      const id = await makeList(tx, { ownerId: ids.ada, name, content });
      const due_at = due === null ? null : iso(Date.now() + due * dayMs);
      await putGroupList(tx, { group_id: group, list_id: id, given_at: ago(given), due_at });
      return id;
    };
    const items = (problems: number[]) => problems.map((one) => ({ problem: BigInt(one) }));
    const lists: List[] = [];
    for (const due of [null, 3, -1, -8, -13, -20, -22, -25, -27, -29, -31, -33, -35, -37]) {
      // Of the last list both solved all, after it was due or before.
      const some = Array.from({ length: 60 }, (_, at) => at + 1).filter(() => below(8) === 0);
      const problems = due === -37 ? [92] : some;
      const name = `Trees and a long name for a list of them, week ${lists.length}`;
      lists.push({ id: await assign(name, [{ name: '', items: items(problems) }], due), due, problems });
    }
    const modules = [
      [61, 62],
      [63, 64, 65],
      [66, 67, 68, 69],
      [70, 71],
    ];
    const sections = modules.map((problems, at) => {
      const extras = JSON.stringify(at === 2 ? { id: at, done: 2 } : { id: at });
      return { name: `Module ${at + 1}`, extras, items: items(problems) };
    });
    await tx
      .updateTable('list_items')
      .set({ added_at: ago(given) })
      .execute();
    const course = await assign('From loops to trees', sections, null);
    const plan = { name: 'Club round', rule: 'icpc', minutes: 60, freezeMinutes: 0, points: [] } as const;
    const startsAt = iso(Date.now() + 60_000);
    const choice = { groupId: group, problems: [91n, 92n, 93n, 94n], limits: { perDay: 0, total: 0 } };
    const round = await makeRound(tx, ids.ada, { ...plan, startsAt }, choice);
    await updateRound(tx, round, { starts_at: ago(10), ends_at: iso(Date.now() - 10 * dayMs + 3_600_000) });
    await saveRoundPerson(tx, { round_id: round, user_id: ids.bob, joined_at: ago(11) });
    const sent: Record<'bob' | 'cy', SolvesTable[]> = { bob: [], cy: [] };
    for (const name of ['bob', 'cy'] as const) {
      const handle = { user_id: ids[name], source: 'codeforces', name, created_at: ago(90) };
      const { id: handle_id } = await insertHandle(tx, handle);
      const send = (problem: number, at: string, verdict_class: 'solved' | 'tried' = 'solved') =>
        sent[name].push(solve({ handle_id, problem_id: BigInt(problem), submitted_at: at, verdict_class }));
      for (let problem = 1; problem <= 60; problem++)
        if (below(3) > 0) send(problem, ago(9.5 + below(30)), below(4) > 0 ? 'solved' : 'tried');
      // Bob finished the first module and a part of the second, Cy began the first long before it was assigned.
      for (const problem of name === 'bob' ? [61, 62, 63] : [61]) send(problem, ago(name === 'bob' ? 30 : 80));
      send(90, ago(1));
      send(91, iso(Date.now() - 10 * dayMs + 60_000));
      send(92, ago(9.5));
      await insertSolves(tx, sent[name]);
      await deriveStatuses(
        tx,
        ids[name],
        sent[name].map((one) => one.problem_id as bigint),
        mergeWith(new Map()),
      );
    }
    return { group, other, lists, course, modules, round, season, sent };
  });
  return { ids, url, store, ...made, path: `/dashboard/groups/${made.group}/` };
}

const line = (page: Page, selector: string) => textOf(page, selector).replaceAll(/\s+/g, ' ').trim();

test('a person’s page says what the submissions say', async (t) => {
  const { url, ids, path, lists, course, round, sent, store } = await world(t);
  const ada = await browserOf(url, 'ada');
  const firstSolve = (problem: number, name: 'bob' | 'cy') =>
    sent[name]
      .filter((one) => one.verdict_class === 'solved' && one.problem_id === BigInt(problem))
      .map((one) => one.submitted_at)
      .toSorted()[0];
  for (const name of ['bob', 'cy'] as const) {
    const page = await ada.open(`${path}people/${ids[name]}/`);
    let [all, solved, late] = [0, 0, 0];
    for (const { id, due, problems } of lists) {
      const solves = problems.flatMap((one) => firstSolve(one, name) ?? []);
      const lateHere = due === null ? [] : solves.filter((at) => at > iso(Date.now() + due * dayMs));
      [all, solved, late] = [all + problems.length, solved + solves.length, late + lateHere.length];
      const overdue = due !== null && due < 0 && solves.length < problems.length ? ' overdue' : '';
      const lateText = lateHere.length > 0 ? `${overdue && ','} ${lateHere.length} late` : '';
      const text = new RegExp(`^${solves.length} of ${problems.length} solved${overdue}${lateText}$`);
      assert.match(line(page, `[data-given="${id}"] .num`), text, `${name}, list ${id}`);
      const marks = page.document.querySelectorAll(`[data-given="${id}"] .marks .complete`).length;
      assert.equal(marks, problems.length > 12 ? 0 : solves.length);
    }
    assert.ok(late > 0 && solved > late && all > solved, 'the world has late and open problems');
    const [number, days] = name === 'bob' ? [2, 30] : [1, given];
    assert.equal(
      line(page, '.one-sentence'),
      `Solved ${solved} of ${all} assigned problems, ${late} of them late. Course: module ${number}. Module ${number}, for ${days} days.`,
    );
    const text =
      name === 'bob' ? /1 of 4 modules ?2\. Module 2 ?1 of 3 ?30 days$/ : /0 of 4 modules ?1\. Module 1 ?1 of 2/;
    assert.match(
      line(page, `[aria-labelledby="course-${course}"]`),
      text,
      'of modules only those that are begun and open',
    );
  }
  const bob = await ada.open(`${path}people/${ids.bob}/`);
  assert.equal(line(bob, `[data-round="${round}"] .num`), '1 of 4 solved, 1 solved later');
  assert.match(line(bob, '[aria-labelledby=season]'), /^Season ?Autumn season ?1½ points$/);
  assert.match(line(bob, '.sub'), /^bob ?since .* ?Student number 21-0417 ?Last practised 24 hours ago$/);
  assert.match(textOf(bob, 'h1'), /^Jonas Weber$/);
  const hidden = { ends_at: ago(0.1), freeze_minutes: 20_000n };
  await store.write((tx) => updateRound(tx, round, hidden));
  const frozen = await ada.open(`${path}people/${ids.bob}/`);
  assert.equal(
    line(frozen, `[data-round="${round}"] .num`),
    '0 of 4 solved',
    'what a freeze hides is hidden from its maker too',
  );
  for (const table of [`assignments/${lists[1]?.id}/`, `assignments/${course}/`, 'people/', '']) {
    const link = attributeOf(await ada.open(path + table), `[data-person="${ids.bob}"] a`, 'href');
    assert.equal(link, `${path}people/${ids.bob}/`, table);
  }
});

test('only coaches of the group and the person open the page; to all others it does not exist', async (t) => {
  const { url, ids, path, group, other, store } = await world(t);
  const named = ['ada', 'bob', 'cy', 'eve', 'fox', 'zed'] as const;
  const browsers = Object.fromEntries(await Promise.all(named.map(async (name) => [name, await browserOf(url, name)])));
  const answerOf = async (name: string, id: bigint, of = path) => {
    const page = await browsers[name].open(`${of}people/${id}/`);
    const selector = page.status === 200 ? '.stack' : 'main';
    const text = textOf(page, 'h1') + textOf(page, '.sub') + textOf(page, selector);
    return { status: page.status, text: text.replace(/Request ID.*/, '') };
  };
  const unknown = await answerOf('ada', 999n);
  assert.equal(unknown.status, 404);
  assert.equal((await answerOf('fox', ids.bob)).status, 200);
  await store.write((tx) => leaveGroup(tx, group, ids.fox));
  const own = await answerOf('bob', ids.bob);
  assert.deepEqual(own, await answerOf('ada', ids.bob), 'the person sees the same page');
  assert.equal((await answerOf('cy', ids.cy)).status, 200);
  const refused: [string, bigint, string?][] = [
    ['cy', ids.bob],
    ['bob', ids.ada],
    ['eve', ids.bob],
    ['fox', ids.bob],
    ['fox', ids.fox],
    ['zed', ids.zed],
    ['ada', ids.zed],
    ['ada', ids.bob, `/dashboard/groups/${other}/`],
  ];
  for (const [name, id, of] of refused) assert.deepEqual(await answerOf(name, id, of), unknown, `${name} at ${id}`);
  assert.equal((await browser(url).ask(`${path}people/${ids.bob}/`)).status, 303, 'strangers sign in first');
  const there = await answerOf('eve', ids.bob, `/dashboard/groups/${other}/`);
  assert.equal(there.status, 200);
  assert.doesNotMatch(there.text, /Trees|loops|Club round|Autumn|21-0417/, 'another group shows nothing of this one');
  const cy = await answerOf('ada', ids.cy);
  assert.match(cy.text, /Active\s+9 days ago/, 'without consent only what was done on assigned problems');
  assert.doesNotMatch(cy.text, /Autumn season|Last practised|Club round/);
  await store.write((tx) => updateGroupMember(tx, group, ids.bob, { in_season: 0n }));
  assert.doesNotMatch((await answerOf('ada', ids.bob)).text, /Autumn season|Last practised/);
  await store.write((tx) => disableMember(tx, 'cy', true));
  assert.deepEqual(await answerOf('ada', ids.cy), unknown);
});

test('a coach reads who is behind, stuck and inactive, on the group’s first page and on Today', async (t) => {
  const { url, ids, path, group, course, store } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const table = await ada.open(`${path}assignments/${course}/`);
  const stuck = attributesOf(table, '.course-table tr:has([data-state=practicing])', 'data-person');
  assert.deepEqual(stuck, [String(ids.cy), String(ids.bob)]);
  const idsIn = (page: Page, selector: string) =>
    attributesOf(page, `${selector} .tag a`, 'href').map((href) => /(\d+)\/$/.exec(href)?.[1]);
  const first = await ada.open(path);
  const today = await ada.open('/dashboard/');
  for (const page of [first, today]) {
    assert.deepEqual(idsIn(page, '[data-look=stuck]').toSorted(), stuck.toSorted());
    assert.match(
      line(page, '[data-look=stuck]'),
      /^In one module for 14 days or more: ?Jonas Weber 2\. Module 2, 30 days ?cy 1\. Module 1, 45 days$/,
    );
    assert.match(line(page, '[data-look=inactive]'), /^Inactive for a week:.*dee never/);
    assert.match(line(page, '[data-due]'), /^Trees and a long name for a list of them, week \d/);
  }
  assert.equal(textOf(first, '.stack > :first-child h2'), 'Needs attention');
  assert.match(
    textOf(today, 'main > .page-head + *'),
    /^\s*Needs attention\s*Thursday club/,
    'before anything of their own',
  );
  const dues = (page: Page) => attributesOf(page, '[data-due]', 'data-due');
  const onToday = dues(today);
  assert.deepEqual(
    onToday,
    dues(first).filter((one) => onToday.includes(one)),
    'in one order',
  );
  for (const own of [await bob.open('/dashboard/'), await bob.open(path)]) {
    assert.equal(own.document.querySelector('[data-look], .behind, #look'), null);
    assert.doesNotMatch(textOf(own, 'main'), /\b(dee|cy)\b/);
  }
  const statements = countStatements(t);
  const countOf = async () => {
    await ada.ask('/dashboard/');
    const before = statements();
    await ada.ask('/dashboard/');
    return statements() - before;
  };
  const one = await countOf();
  await addGroups(store, { coachId: ids.ada, learner: ids.dee, copies: 6 });
  assert.equal(await countOf(), one, 'as many statements for seven groups as for one');
  const seven = await ada.open('/dashboard/');
  assert.equal(seven.document.querySelectorAll('.looks > ul > [data-group]').length, 3);
  assert.equal(seven.document.querySelectorAll('.looks details [data-group]').length, 4);
  const others = seven.document.querySelectorAll(`[data-group]:not([data-group="${group}"]) .tag a`);
  assert.deepEqual(new Set(others.map((one) => one.textContent)), new Set(['dee']), 'people of their own group alone');
  await store.write(async (tx) => {
    await updateGroupMember(tx, group, ids.fox, { role: 'member' });
    for (const user_id of [ids.eve, ids.zed]) await joinGroup(tx, group, user_id, { joined_at: ago(90) });
  });
  const crowded = (await ada.open('/dashboard/')).document;
  const restOf = (line: string) => crowded.querySelector(`${line} .behind > a`)?.getAttribute('href');
  assert.deepEqual(
    [restOf('[data-look=inactive]'), restOf(`[data-due="${onToday[0]}"]`)],
    [path, `${path}assignments/${onToday[0]}/?order=behind`],
  );
  const solved = await listProblemsOfList(store.reader, BigInt(onToday[0] ?? 0));
  await setStatus(store, { memberId: ids.eve, problemIds: solved.map(({ id }) => id), status: 'complete' });
  const behind = idsIn(await ada.open(path), `[data-due="${onToday[0]}"]`);
  const rows = (await ada.open(`${path}assignments/${onToday[0]}/?order=behind`)).document.querySelectorAll('tbody tr');
  const marked = rows.filter((row) => row.querySelector('.who .late-mark') !== null);
  assert.ok(behind.length > 3 && behind.length < rows.length);
  assert.deepEqual(marked, rows.slice(0, behind.length), 'who is behind is first');
  assert.deepEqual(new Set(marked.map((row) => row.getAttribute('data-person'))), new Set(behind));
  await store.write(async (tx) => {
    for (let nth = 0; nth < 12; nth++) {
      const { id: user_id } = await createMember(tx, { username: `pupil${nth}` });
      await joinGroup(tx, group, user_id, { joined_at: ago(90) });
    }
  });
  const rest = Number(/and (\d+) more/.exec(line(await ada.open('/dashboard/'), '[data-look=inactive]'))?.[1]);
  assert.equal(idsIn(await ada.open(path), '[data-look=inactive]').length, 3 + rest, 'the link leads to as many');
  await archiveGroup(store, { groupId: group, coachId: ids.ada }, true);
  assert.equal((await ada.open('/dashboard/')).document.querySelector(`[data-group="${group}"]`), null);
  for (const [end, selector, count] of [
    ['assignments/', '.others', 1],
    ['people/', '[href$="csv/"]', 1],
    [`people/${ids.bob}/`, '[data-print]', 1],
    [`assignments/${course}/`, '[href$="sheet/"]', 1],
    ['', '[data-due], [data-look]', 0],
    ['rounds/', '.page-head .button', 0],
  ] as const)
    assert.equal((await ada.open(path + end)).document.querySelectorAll(selector).length, count, `${end} archived`);
  await store.write(async (tx) => {
    await tx.updateTable('groups').set('archived_at', ago(1)).execute();
    await tx.updateTable('members').set('role', 'staff').execute();
  });
  const panels = (await ada.open('/dashboard/')).document.querySelectorAll('.empty, [aria-labelledby="for-others"]');
  assert.equal(panels.length, 1, 'who had a club is not told to set one up');
});

test('where nobody needs a coach, a sentence says so', async (t) => {
  const { url, path, store, course } = await world(t);
  await store.write(async (tx) => {
    await tx.deleteFrom('group_lists').where('list_id', '<>', course).execute();
    await tx
      .updateTable('group_lists')
      .set({ given_at: ago(6) })
      .execute();
  });
  const ada = await browserOf(url, 'ada');
  for (const at of [path, '/dashboard/'])
    assert.match(line(await ada.open(at), '.due-list'), /^Nobody is behind, stuck or inactive\.$/);
});

test('a group has at most seven tabs, with or without a board, a season and a course', async (t) => {
  const { url, path, store, course } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const counts = async () => {
    const tabs: number[] = [];
    for (const has_board of [0n, 1n]) {
      await store.write((tx) => tx.updateTable('groups').set({ has_board }).execute());
      for (const one of [ada, bob]) tabs.push((await one.open(path)).document.querySelectorAll('.tabs li').length);
    }
    return tabs.join();
  };
  assert.equal(await counts(), '7,5,7,5', 'the board is a view of the season');
  await store.write((tx) => tx.deleteFrom('seasons').execute());
  assert.equal(await counts(), '7,4,7,5');
  await store.write((tx) => tx.deleteFrom('group_lists').where('list_id', '=', course).execute());
  assert.equal(await counts(), '6,3,6,4');
});

async function addGroups(
  store: Store,
  { coachId, learner, copies }: { coachId: bigint; learner: bigint; copies: number },
): Promise<void> {
  await store.write(async (tx) => {
    for (let nth = 0; nth < copies; nth++) {
      const group_id = await makeGroup(tx, coachId, { name: `Club ${nth}`, zone: 'UTC' });
      await joinGroup(tx, group_id, learner, { joined_at: ago(90) });
      const content = [{ name: '', items: [{ problem: 1n }] }];
      const list_id = await makeList(tx, { ownerId: coachId, name: `Pond ${nth}`, content });
      await putGroupList(tx, { group_id, list_id, given_at: ago(8), due_at: ago(nth + 1) });
    }
  });
}

test('the page is one printed sheet', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, ids, path } = await world(t);
  const ada = await browserOf(url, 'ada');
  const context = await chromium.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  await page.goto(`${url}${path}people/${ids.bob}/`);
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  assert.equal(sheets.match(/\/Type \/Page\b/g)?.length, 1);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('[data-given]:visible').count(), 12);
  assert.ok(await page.getByText('and 2 more').isVisible(), 'the sheet says what it leaves out');
});
