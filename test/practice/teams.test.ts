/** The rules of docs/teams.md: who is in a team when, what they did together, and who wrote it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { removeFromGroup } from '../../src/practice/groups.ts';
import { disableMember } from '../../src/practice/members.ts';
import { contestsTogether, leftToUpsolve, readTeamHistory, setAuthor } from '../../src/practice/team-contests.ts';
import {
  addToTeam,
  agreeToTeam,
  changeTeamName,
  endTeamMembership,
  hasDeclined,
  isAsked,
  leaveTeam,
  makeTeam,
  removeTeam,
  teamLimits,
  teamMembers,
} from '../../src/practice/teams.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import {
  listTeamAuthors,
  listTeamInvitations,
  listTeamMembers,
  listTeams,
  type TeamSolve,
} from '../../src/store/teams.ts';
import { root } from '../support/garden.ts';
import { addContest, addPerson, dayMs, iso, openClub, solve } from '../support/seasons.ts';

const zone = 'Pacific/Kiritimati';
/** The clocks of the group are 14 hours ahead of UTC. */
const dayFromNow = (days: number) => iso(Date.now() + 14 * 3_600_000 + days * dayMs).slice(0, 10);

async function world(t: TestContext) {
  const { store, ada, group, coach } = await openClub(t, zone);
  const ids = { ada } as Record<'ada' | 'bob' | 'cy' | 'dan' | 'eve', bigint>;
  const handles = {} as typeof ids;
  for (const name of ['bob', 'cy', 'dan', 'eve'] as const) {
    const person = await store.write((tx) => addPerson(tx, group, name));
    [ids[name], handles[name]] = [person.id, person.handle];
  }
  type Name = keyof typeof ids;
  const make = (name: string, firstDay: string, ...people: Name[]) =>
    makeTeam(store, coach, { name, firstDay, userIds: people.map((one) => ids[one]) });
  const own = (team_id: bigint, name: Name) => ({ group_id: group, team_id, user_id: ids[name] });
  const agree = async (team: bigint, ...people: Name[]) => {
    for (const one of people) assert.equal(await agreeToTeam(store, own(team, one)), true, one);
  };
  const on = async (team: bigint, day: string) =>
    (await teamMembers(store.reader, { id: team, group_id: group }, day)).map(({ username }) => username).join(' ');
  const add = (team: bigint, firstDay: string, name: Name) =>
    addToTeam(store, coach, team, { userIds: [ids[name]], firstDay });
  const end = (team_id: bigint, lastDay: string, name: Name) =>
    endTeamMembership(store, coach, { team_id, user_id: ids[name] }, lastDay);
  return { store, coach, group, ids, handles, make, own, agree, on, add, end };
}

const refused = (pattern: RegExp) => ({ message: pattern });

test('rules 1 and 2: a coach makes a team of two or three, whose people are in no other team then', async (t) => {
  const { store, coach, group, ids, make, add, end } = await world(t);
  for (const people of [['bob'], ['bob', 'bob'], ['ada', 'bob', 'cy', 'dan']] as const)
    await assert.rejects(make('Trees', '2026-09-01', ...people), refused(/has 2 or 3 people/));
  await assert.rejects(make(' ', '2026-09-01', 'bob', 'cy'), refused(/a name for the team/));
  for (const day of ['2026-02-30', '1.9.2026', '1989-12-31'])
    await assert.rejects(make('Trees', day, 'bob', 'cy'), refused(/a day such as/), day);
  const outside = { name: 'Trees', firstDay: '2026-09-01', userIds: [ids.bob, 99n] };
  await assert.rejects(makeTeam(store, coach, outside), refused(/not in the group/));
  await assert.rejects(makeTeam(store, { ...coach, coachId: ids.bob }, outside), refused(/no longer coach/));
  assert.deepEqual(await listTeams(store.reader, group), [], 'nothing is made');
  const trees = await make('Trees', '2026-09-01', 'bob', 'cy');
  await assert.rejects(make('Roots', '2026-08-01', 'bob', 'dan'), refused(/^bob is in the team Trees /));
  await end(trees, '2026-09-30', 'bob');
  // Bob never agreed, so he was never in it.
  const roots = await make('Roots', '2026-09-10', 'bob', 'dan');
  await add(trees, '2026-09-05', 'eve');
  await add(trees, '2026-09-06', 'ada');
  await assert.rejects(add(roots, '2026-10-01', 'eve'), refused(/^eve is in the team Trees /));
  const { length } = await listTeamMembers(store.reader, { groupId: group });
  assert.equal(length, 5);
  await assert.rejects(add(trees, '2026-10-01', 'dan'), refused(/^dan is in the team Roots /));
  await removeTeam(store, coach, roots);
  await assert.rejects(add(trees, '2026-09-01', 'dan'), refused(/up to 3 people/));
  assert.equal(teamLimits.people, 3);
  const same = await Promise.allSettled(['A', 'B'].map((name) => make(name, '2026-12-01', 'bob', 'dan')));
  assert.equal(same.filter(({ status }) => status === 'fulfilled').length, 1, 'two teams at once');
  await store.write((tx) => disableMember(tx, 'dan', true));
  await assert.rejects(make('C', '2026-12-01', 'dan', 'ada'), refused(/not in the group/), 'disabled');
});

test('rule 3: nothing is shown of somebody who has not agreed, and who comes back is asked again', async (t) => {
  const { make, agree, on, add, end, own, store, group, ids } = await world(t);
  const trees = await make('Trees', dayFromNow(-40), 'bob', 'cy', 'dan');
  assert.equal(await on(trees, dayFromNow(0)), '');
  await agree(trees, 'bob', 'dan');
  assert.equal(await on(trees, dayFromNow(0)), 'bob dan');
  assert.equal(await agreeToTeam(store, own(trees, 'eve')), false);
  assert.equal(await agreeToTeam(store, { ...own(trees, 'bob'), group_id: group + 1n }), false);
  await end(trees, dayFromNow(-10), 'bob');
  await add(trees, dayFromNow(-2), 'bob');
  assert.deepEqual([await on(trees, dayFromNow(-10)), await on(trees, dayFromNow(0))], ['bob dan', 'dan']);
  await agree(trees, 'bob');
  assert.equal(await on(trees, dayFromNow(-2)), 'bob dan');
  assert.equal(await on(trees, dayFromNow(-5)), 'dan');
  const answers = async () =>
    (await listTeamMembers(store.reader, { groupId: group }))
      .filter(({ username }) => username === 'cy')
      .map((one) => [isAsked(one), hasDeclined(one)]);
  const decline = () => leaveTeam(store, own(trees, 'cy'), { isForgotten: false });
  assert.deepEqual([await decline(), await decline(), await answers()], [true, false, [[false, true]]]);
  assert.equal(await agreeToTeam(store, own(trees, 'cy')), false, 'until somebody asks again');
  assert.deepEqual(await listTeamInvitations(store.reader, { userId: ids.cy }), []);
  const roots = await make('Roots', dayFromNow(-40), 'cy', 'eve');
  await end(roots, dayFromNow(-50), 'cy');
  await add(trees, dayFromNow(-40), 'cy');
  assert.deepEqual(await answers(), [[true, false]], 'asked again');
  await decline();
  await end(trees, dayFromNow(0), 'cy');
  assert.deepEqual(await answers(), [], 'removed');
});

test('rule 4: days are those of the group and include both ends; who leaves stays in the time before', async (t) => {
  const { make, agree, on, own, store, end, add, group } = await world(t);
  const trees = await make('Trees', dayFromNow(-3), 'bob', 'cy');
  await agree(trees, 'bob', 'cy');
  assert.deepEqual(
    [await on(trees, dayFromNow(-4)), await on(trees, dayFromNow(-3)), await on(trees, dayFromNow(9))],
    ['', 'bob cy', 'bob cy'],
  );
  assert.equal(await leaveTeam(store, own(trees, 'bob'), { isForgotten: false }), true);
  assert.deepEqual([await on(trees, dayFromNow(0)), await on(trees, dayFromNow(1))], ['bob cy', 'cy']);
  assert.equal(await leaveTeam(store, own(trees, 'bob'), { isForgotten: false }), false, 'the day stays');
  const elsewhere = { ...own(trees, 'bob'), group_id: group + 1n };
  assert.equal(await leaveTeam(store, elsewhere, { isForgotten: true }), false, 'it is no team of that group');
  await assert.rejects(add(trees, dayFromNow(0), 'bob'), refused(/^bob is in the team Trees /));
  await end(trees, dayFromNow(-1), 'bob');
  assert.equal(await on(trees, dayFromNow(0)), 'cy');
  await end(trees, dayFromNow(0), 'bob');
  assert.equal(await on(trees, dayFromNow(0)), 'cy', 'an end is not moved to a later day');
  await end(trees, dayFromNow(-4), 'cy');
  const rows = await listTeamMembers(store.reader, { groupId: group });
  assert.deepEqual(
    rows.map(({ username }) => username),
    ['bob'],
    'with a last day before the first one, Cy was never in it',
  );
});

test('rule 5: a coach or a present member renames a team; who leaves the group, or wants so, is nowhere in it', async (t) => {
  const { make, agree, on, own, store, coach, ids, group } = await world(t);
  const trees = await make('Trees', dayFromNow(-3), 'bob', 'cy', 'dan');
  await agree(trees, 'bob', 'cy', 'dan');
  await changeTeamName(store, own(trees, 'bob'), '  Three\n Trees ');
  await changeTeamName(store, own(trees, 'ada'), 'Four Trees');
  await assert.rejects(changeTeamName(store, own(trees, 'eve'), 'Mine'), refused(/team does not exist/));
  await assert.rejects(changeTeamName(store, own(trees, 'bob'), '\u2028'), refused(/a name for the team/));
  await assert.rejects(changeTeamName(store, own(trees + 1n, 'ada'), 'Mine'), refused(/team does not exist/));
  assert.deepEqual(
    (await listTeams(store.reader, group)).map(({ name }) => name),
    ['Four Trees'],
  );
  await leaveTeam(store, own(trees, 'bob'), { isForgotten: true });
  assert.equal(await on(trees, dayFromNow(-1)), 'cy dan');
  await removeFromGroup(store, coach, ids.cy);
  assert.equal(await on(trees, dayFromNow(-1)), 'dan');
  await removeTeam(store, { ...coach }, trees);
  assert.deepEqual(await listTeamMembers(store.reader, { groupId: group }), []);
});

const began = Date.parse('2026-10-10T12:00:00Z');
const team = { zone: 'UTC' };
const people = [1n, 2n, 3n].map((user_id) => ({ user_id, first_day: '2026-10-01', last_day: null }));

let sent = 0;
type Sent = Partial<TeamSolve> & { minute?: number };
/** A submission by one of the people, in a team of the judge unless something else is named. */
function by(user: number, problem: string, { minute = 10, ...more }: Sent = {}): TeamSolve {
  sent += 1;
  return {
    user_id: BigInt(user),
    source: 'codeforces',
    name_key: `u${user}`,
    submission_id: `${sent}`,
    key: `2000${problem}`,
    problem_id: null,
    verdict_class: 'solved',
    submitted_at: iso(began + minute * 60_000),
    contest: '2000',
    participation: 'virtual',
    is_team: 1n,
    judge_team: '77',
    virtual_began_at: iso(began),
    ...more,
  };
}
const together = (solves: readonly TeamSolve[], members = people) =>
  contestsTogether(solves, members, team).map(
    ({ contest, isVirtual, solves: own }) =>
      `${contest} ${isVirtual ? 'virtual' : 'live'}: ${own.map(({ key }) => key.slice(4)).join('')}`,
  );

test('rules 6 to 8: two people under one team of the judge are together; the team is then known, also by another id', () => {
  const live = { participation: 'team', virtual_began_at: null } as const;
  assert.deepEqual(together([by(1, 'A'), by(2, 'B')]), ['2000 virtual: AB']);
  assert.deepEqual(together([by(1, 'A'), by(2, 'B', { judge_team: '78' })]), [], 'each in another team');
  assert.deepEqual(together([by(1, 'A'), by(2, 'B', { contest: '2001' })]), []);
  assert.deepEqual(together([by(1, 'A', live), by(2, 'B', live)]), ['2000 live: AB']);
  // Submissions from before this version name no team, and are listed for each of its people.
  const same = { submission_id: 'x', judge_team: null };
  assert.deepEqual(together([by(1, 'A', same), by(2, 'A', same)]), ['2000 virtual: A']);
  assert.deepEqual(
    together([by(1, 'A', { submission_id: 'y' }), by(2, 'A', { submission_id: 'y', judge_team: null })]),
    ['2000 virtual: A'],
  );
  const next = { contest: '2002', virtual_began_at: iso(began + dayMs), submitted_at: iso(began + dayMs) };
  const both = [by(1, 'A'), by(2, 'B')];
  assert.deepEqual(together([...both, by(1, 'C', next)]), ['2002 virtual: C', '2000 virtual: AB']);
  const renewed = { ...next, judge_team: '99' };
  assert.deepEqual(together([...both, by(1, 'C', renewed)]), ['2000 virtual: AB']);
  assert.deepEqual(together([...both, by(1, 'C', renewed), by(3, 'D', renewed)]), [
    '2002 virtual: CD',
    '2000 virtual: AB',
  ]);
  assert.deepEqual(together([...both, by(1, 'C', { ...next, judge_team: null })]), ['2000 virtual: AB']);
  const earlier = iso(began - 20 * dayMs);
  const before = { contest: '1999', virtual_began_at: earlier, submitted_at: earlier };
  assert.deepEqual(together([...both, by(1, 'C', before)]), ['2000 virtual: AB'], 'nobody was in the team then');
});

test('rule 9: one virtual contest with accounts of their own is together, unless two of them race', () => {
  const alone = { is_team: 0n, judge_team: null } as const;
  const [one, other] = [by(1, 'A', alone), by(2, 'B', alone)];
  assert.deepEqual(together([one, other]), ['2000 virtual: AB']);
  const second = iso(began + 1000);
  assert.deepEqual(together([one, { ...other, virtual_began_at: second }]), [], 'a second later is another start');
  assert.deepEqual(together([one, other, by(2, 'A', { ...alone, minute: 30 })]), [], 'both solved A');
  const tried = by(2, 'A', { ...alone, verdict_class: 'tried' });
  assert.deepEqual(together([one, other, tried]), ['2000 virtual: ABA']);
  assert.deepEqual(together([one, other, by(1, 'A', alone)]), ['2000 virtual: ABA'], 'one person solved A twice');
  const live = { ...alone, participation: 'contest', virtual_began_at: null } as const;
  assert.deepEqual(together([by(1, 'A', live), by(2, 'B', live)]), [], 'in the real contest each is alone');
  assert.deepEqual(together([one]), []);
});

test('rules 10 and 13: the day decides who counts, and a handle of two people is one sender', () => {
  const solves = [by(1, 'A'), by(2, 'B'), by(3, 'C')];
  const until = (last_day: string) => [people[0], people[1], { ...people[2], last_day }] as typeof people;
  assert.deepEqual(together(solves, until('2026-10-10')), ['2000 virtual: ABC']);
  assert.deepEqual(together(solves, until('2026-10-09')), ['2000 virtual: AB']);
  assert.deepEqual(together(solves.slice(1), until('2026-10-09')), []);
  const midnight = { virtual_began_at: iso(began + dayMs / 2 - 1), submitted_at: iso(began + dayMs / 2) };
  const over = ['A', 'B', 'C'].map((key, at) => by(at + 1, key, midnight));
  assert.deepEqual(together(over, until('2026-10-10')), ['2000 virtual: ABC'], 'the day on which it began');
  const shared = { name_key: 'shared' };
  assert.deepEqual(together([by(1, 'A', shared), by(2, 'B', shared)]), []);
  assert.deepEqual(together([by(1, 'A'), by(1, 'B', { name_key: 'second' })]), [], 'one person with two handles');
  assert.deepEqual(together([by(1, 'A', shared), by(2, 'B', shared), by(3, 'C')]), ['2000 virtual: ABC']);
});

test('rules 11, 12 and 14: the table of a contest, what is left, and who wrote what', async (t) => {
  const { store, group, ids, handles, make, agree, end, add } = await world(t);
  const { problemIds } = await store.write((tx) => addContest(tx, { key: '2000', problems: 5 }));
  const own = { id: group, zone };
  const trees = await make('Trees', '2026-10-01', 'bob', 'cy', 'dan');
  await agree(trees, 'bob', 'cy');
  type Row = [name: 'bob' | 'cy' | 'dan' | 'eve', problem: number, minute: number, more?: Partial<SolvesTable>];
  const joint = { participation: 'virtual', is_team: 1n, judge_team: '77', virtual_began_at: iso(began) } as const;
  const send = (...rows: Row[]) =>
    store.write((tx) =>
      insertSolves(
        tx,
        rows.map(([name, problem, minute, more]) =>
          solve({
            handle_id: handles[name],
            problem_id: problemIds[problem] ?? null,
            key: `2000${'ABCDE'[problem]}`,
            contest: '2000',
            submitted_at: iso(began + minute * 60_000),
            ...more,
          }),
        ),
      ),
    );
  const tried = { verdict_class: 'tried' } as const;
  // Each submission of the team is listed for all of its people, also for Dan, who has not agreed, and for Eve.
  for (const name of ['bob', 'cy', 'dan', 'eve'] as const)
    await send(
      [name, 0, 20, { ...joint, submission_id: 't1' }],
      [name, 1, 30, { ...joint, ...tried, submission_id: 't2' }],
      [name, 1, 40, { ...joint, submission_id: 't3' }],
      [name, 1, 50, { ...joint, ...tried, submission_id: 't4' }],
      [name, 2, 60, { ...joint, ...tried, submission_id: 't5' }],
    );
  await send(['bob', 0, -9000, tried], ['bob', 2, 9000, tried], ['bob', 2, 9001, tried], ['cy', 3, -20_000]);
  await send(['dan', 4, 9000], ['eve', 2, 9000], ['dan', 2, 9000, tried]);
  const lines = async () => {
    const history = await readTeamHistory(store.reader, own, { id: trees });
    const [contest, ...others] = history.contests;
    assert.deepEqual([others.length, contest?.people.length], [0, 2]);
    return {
      table: contest?.problems.map(({ position, solvedAt, tries, isUpsolved }) =>
        [position, solvedAt ? (Date.parse(solvedAt) - began) / 60_000 : isUpsolved ? 'later' : '-', tries].join(' '),
      ),
      left: leftToUpsolve(history).map(({ key, tries, triesAlone }) => [key, tries, ...[...triesAlone].flat()]),
    };
  };
  assert.deepEqual(await lines(), {
    table: ['A 20 0', 'B 40 1', 'C - 1', 'D later 0', 'E - 0'],
    left: [
      ['2000C', 1, ids.bob, 2],
      ['2000E', 0],
    ],
  });
  const author = (name: 'bob' | 'cy' | 'dan' | 'eve', key: string, isAuthor = true) =>
    setAuthor(store, own, { team_id: trees, group_id: group, user_id: ids[name], source: 'codeforces', key }, isAuthor);
  const said = [await author('bob', '2000A'), await author('cy', '2000A'), await author('cy', '2000B')];
  assert.deepEqual(said, [true, true, true]);
  for (const [name, key] of [
    ['bob', '2000C'],
    ['bob', '2000D'],
    ['dan', '2000A'],
    ['eve', '2000A'],
    ['bob', '1999A'],
  ] as const)
    assert.equal(await author(name, key), false, `${name} ${key}`);
  assert.equal(await author('cy', '2000A', false), true);
  const { contests } = await readTeamHistory(store.reader, own, { id: trees });
  assert.deepEqual(
    contests[0]?.problems.map(({ authors }) => authors),
    [[ids.bob], [ids.cy], [], [], []],
  );
  // Bob leaves: what he sends later is his own business, and the contest still shows him.
  await end(trees, '2026-10-17', 'bob');
  await send(['bob', 4, 10_000]);
  assert.deepEqual((await lines()).left, [
    ['2000C', 1, ids.bob, 2],
    ['2000E', 0],
  ]);
  await send(['cy', 4, 9500]);
  assert.deepEqual(
    (await lines()).left.map(([key]) => key),
    ['2000C'],
  );
  // Eve, who solved it alone, comes to the team.
  await add(trees, dayFromNow(0), 'eve');
  await agree(trees, 'eve');
  assert.deepEqual((await lines()).left, []);
  // Somebody who has not agreed is asked, and only then counts.
  await agree(trees, 'dan');
  const [after] = (await readTeamHistory(store.reader, own, { id: trees })).contests;
  assert.equal(after?.people.length, 3);
  await end(trees, '2026-09-30', 'bob');
  const [without] = (await readTeamHistory(store.reader, own, { id: trees })).contests;
  assert.deepEqual(without?.problems[0]?.authors, [], 'Bob was never in the team');
  await leaveTeam(store, { group_id: group, team_id: trees, user_id: ids.cy }, { isForgotten: true });
  const authors = await listTeamAuthors(store.reader, trees);
  assert.deepEqual(
    authors.map(({ user_id }) => user_id),
    [ids.bob],
  );
});

test('every rule of docs/teams.md has a test here or is named beside it', async () => {
  const rules = [...(await readFile(join(root, 'docs/teams.md'), 'utf8')).matchAll(/^(\d+)\. /gm)].map(([, n]) => n);
  const here = await readFile(import.meta.filename, 'utf8');
  const names = [...here.matchAll(/^test\('rules? ([^:]+):/gm)].flatMap(([, text = '']) => {
    const [from = 0, to = from] = text.split(' to ').map(Number);
    if (text.includes('to')) return Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
    return text.split(/, | and /);
  });
  assert.deepEqual(
    names.toSorted((a, b) => Number(a) - Number(b)),
    rules.slice(0, names.length),
  );
});
