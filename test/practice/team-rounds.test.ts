/** Rule 15 of docs/teams.md: rounds in which the people of a team share a row, recounted cell by cell, and a team's year in a season. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seeded } from '../../bench/catalogue.ts';
import type { RoundCell } from '../../src/practice/round-table.ts';
import { changeRound, makeRound, readRoundTable } from '../../src/practice/rounds.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { addToTeam, agreeToTeam, endTeamMembership, makeTeam } from '../../src/practice/teams.ts';
import {
  deleteRound,
  findVisibleRound,
  listRoundPeople,
  listRoundProblems,
  type RoundRule,
  saveRoundPerson,
  writeRoundProblems,
} from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { listRoundTakingRows } from '../../src/store/takings.ts';
import { insertTeam, insertTeamMembers } from '../../src/store/teams.ts';
import {
  addContest,
  addPerson,
  addRound,
  dayMs,
  iso,
  openClub,
  seasonTable,
  solve,
  usualSeason,
} from '../support/seasons.ts';

const minuteMs = 60_000;
const zone = 'Asia/Tokyo';
/** Half past midnight of the 29th by the clocks of the group. */
const start = Date.parse('2026-11-28T15:30:00Z');
const end = start + 120 * minuteMs;
const roundDay = '2026-11-29';
const names = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'];

async function world(t: TestContext) {
  const { store, ada, group, coach } = await openClub(t, zone);
  const made = await store.write(async (tx) => {
    const { problemIds } = await addContest(tx, { key: '2000', problems: 3 });
    const people: { id: bigint; handle: bigint }[] = [];
    for (const name of names) people.push(await addPerson(tx, group, name));
    const teams: bigint[] = [];
    for (const name of ['Roots', 'Trees']) teams.push(await insertTeam(tx, { group_id: group, name }));
    return { problemIds, people, teams };
  });
  const problems = made.problemIds.map((problem_id, at) => ({ problem_id, points: BigInt(100 * (at + 1)) }));
  const round = (at: number, rule: RoundRule, teams_day: string | null, freeze_minutes = 0n) =>
    store.write((tx) => addRound(tx, { made_by: ada, group_id: group, at, rule, teams_day, freeze_minutes, problems }));
  return { store, ada, group, coach, ...made, round };
}

interface Sent {
  person: number;
  problem: number;
  at: number;
  id: string;
  isSolved: boolean;
  isTeam: boolean;
}

type Line = [members: string, place: number | undefined, solved: number, points: number, time: number, ...string[]];

interface Generated {
  rule: RoundRule;
  /** The team of each person on the day, or undefined for people alone. */
  teamOf: readonly (number | undefined)[];
  joined: readonly number[];
  sent: readonly Sent[];
  hiddenFrom: number | undefined;
  isOver: boolean;
}

const byTime = (a: Sent, b: Sent) =>
  a.at - b.at || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.person - b.person);

/** The table by the words of the rules, without anything of the program. */
function recount({ rule, teamOf, joined, sent, hiddenFrom = end, isOver }: Generated): Line[] {
  const units: number[][] = [];
  for (const person of joined) {
    const mates = units.find(([one = -1]) => teamOf[one] !== undefined && teamOf[one] === teamOf[person]);
    if (mates) mates.push(person);
    else units.push([person]);
  }
  const known = new Set<string>();
  const ofUnit = (unit: readonly number[], problem: number) => {
    const all = sent.filter((one) => unit.includes(one.person) && one.problem === problem).toSorted(byTime);
    return all.filter((one) => {
      const name = `${unit} ${problem} ${one.id}`;
      const isCopy = one.isTeam && known.has(name);
      if (one.isTeam) known.add(name);
      return !isCopy;
    });
  };
  const events = units.map((unit) => [0, 1, 2].map((problem) => ofUnit(unit, problem)));
  const isIn = ({ at }: Sent) => at >= start && at < end;
  const solveIn = (some: readonly Sent[]) => some.find((one) => isIn(one) && one.at < hiddenFrom && one.isSolved);
  const firsts = [0, 1, 2].map((problem) => {
    const solves = events.map((cells, unit) => ({ unit, solve: solveIn(cells[problem] ?? []) }));
    const found = solves.flatMap(({ unit, solve }) => (solve ? { unit, solve } : []));
    return found.toSorted((a, b) => byTime(a.solve, b.solve))[0]?.unit;
  });
  const rows = units.map((unit, nth) => {
    const sender = ({ person, isTeam }: Sent) => (isTeam || teamOf[person] === undefined ? '' : ` p${person}`);
    let [solved, points, icpc, last, wrong] = [0, 0, 0, 0, 0];
    const cells = [0, 1, 2].map((problem) => {
      const some = events[nth]?.[problem] ?? [];
      const during = some.filter(isIn);
      const hasHidden = during.some(({ at }) => at >= hiddenFrom);
      const solve = solveIn(some);
      const before = solve ? during.indexOf(solve) : during.length;
      const isTaken = rule === 'lockout' && firsts[problem] !== undefined && firsts[problem] !== nth;
      if (solve && !(isTaken && !isOver)) {
        const minutes = Math.floor((solve.at - start) / minuteMs);
        solved += 1;
        wrong += before;
        icpc += minutes + 20 * before;
        last = Math.max(last, solve.at - start);
        if (!isTaken) points += 100 * (problem + 1);
        const isFirst = firsts[problem] === nth && rule !== 'training';
        return `${isTaken ? 'behind' : isFirst ? 'first' : 'solved'} ${before} ${minutes}${sender(solve)}`;
      }
      const later = some.filter(({ at }) => at >= end);
      const upsolve = later.findIndex((one) => one.isSolved);
      const wasBefore = some.some((one) => one.isSolved && one.at < start);
      if (isTaken && !isOver) return `taken ${during.filter(({ at }) => at < hiddenFrom).length} 0`;
      if (hasHidden) return `hidden ${during.length} 0`;
      if (isOver && upsolve >= 0 && !wasBefore) {
        const one = later[upsolve] as Sent;
        return `later ${during.length + upsolve} ${Math.floor((one.at - end) / minuteMs)}${sender(one)}`;
      }
      if (isTaken) return `taken ${during.length} 0`;
      if (during.length > 0) return `tried ${during.length} 0`;
      return `${wasBefore ? 'before' : 'none'} 0 0`;
    });
    const seconds = Math.floor(last / 1000) + (rule === 'points' ? wrong * 300 : 0);
    const time = rule === 'icpc' ? icpc : rule === 'lockout' ? 0 : seconds;
    const score = rule === 'points' || rule === 'lockout' ? points : solved;
    const isAway = !events[nth]?.some((all) => all.some(isIn));
    const order = [-score, ...(rule === 'lockout' ? [] : [time, wrong])];
    return { members: unit.map((one) => `p${one}`).join(), solved, points, time, cells, order, isAway };
  });
  const isBetter = (a: readonly number[], b: readonly number[]) => {
    const at = a.findIndex((one, nth) => one !== b[nth]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };
  return rows.map((row): Line => {
    const place = 1 + rows.filter((other) => isBetter(other.order, row.order)).length;
    const hasPlace = rows.some(({ solved }) => solved > 0) && !row.isAway;
    return [row.members, hasPlace ? place : undefined, row.solved, row.points, row.time, ...row.cells];
  });
}

const lineOf = ({ kind, tries, afterMs, sender }: RoundCell) =>
  `${kind} ${tries} ${Math.floor(afterMs / minuteMs)}${sender ? ` ${sender.username}` : ''}`;

test('rule 15: generated rounds for teams are as an own recount has them, cell by cell', async (t) => {
  const { store, ada, group, problemIds, people, teams, round } = await world(t);
  const seed = Number(process.env['GARDEN_FUZZ_SEED'] ?? Date.now() % 100_000);
  t.diagnostic(`seed ${seed}`);
  const upTo = seeded(seed);
  const random = () => upTo(1_000) / 1_000;
  const of = <T>(...some: T[]) => some[upTo(some.length)] as T;
  const kinds = new Set<string>();
  const runs = Number(process.env['GARDEN_FUZZ_RUNS'] ?? 400);
  for (let run = 0; run < runs; run++) {
    const rule = of<RoundRule>('icpc', 'icpc', 'points', 'lockout', 'training');
    const teamOf: (number | undefined)[] = [];
    const memberships = people.map(({ id: user_id }, nth) => {
      const span = of(
        ['2026-09-01', null],
        [roundDay, null],
        ['2026-09-01', roundDay],
        ['2026-09-01', '2026-11-28'],
        ['2026-11-30', null],
      );
      const [has_agreed, team] = [of(1n, 1n, 1n, 0n), upTo(2)];
      const [first_day, last_day] = span as [string, string | null];
      const isThen = first_day <= roundDay && (last_day ?? roundDay) >= roundDay;
      teamOf[nth] = has_agreed === 1n && isThen ? team : undefined;
      return { team_id: teams[team] ?? 0n, group_id: group, user_id, first_day, last_day, has_agreed };
    });
    const joined = names.flatMap((_, nth) => (random() < 0.8 ? nth : []));
    // A judge may number submissions in their order, or not.
    const sent = Array.from({ length: upTo(40) }, () => {
      const at = start + of(upTo(121), upTo(121), -9, 125) * minuteMs + of(0, 0, upTo(60_000));
      return { person: upTo(names.length), problem: upTo(3), at, isSolved: random() < 0.4, isTeam: false };
    })
      .toSorted((a, b) => a.at - b.at)
      .map((one, nth): Sent => ({ ...one, id: `${85 + (run % 2 ? nth : 39 - nth)}` }));
    // A team of the judge: its submission is in the list of each of its people.
    const copies = sent.flatMap((one) =>
      random() < 0.2 ? names.map((_, person) => ({ ...one, person, isTeam: true })) : [one],
    );
    const phase = of('running', 'frozen', 'over');
    const now = { running: end - 50 * minuteMs, frozen: end - 5 * minuteMs, over: end + 9 * dayMs }[phase];
    const roundId = await round(start, rule, roundDay, 45n);
    const lines = await store.write(async (tx) => {
      await tx.deleteFrom('team_members').execute();
      await tx.deleteFrom('solves').execute();
      await insertTeamMembers(tx, memberships);
      const rows = copies.map(({ person, problem, at, id, isSolved, isTeam }) =>
        solve({
          handle_id: people[person]?.handle ?? 0n,
          problem_id: problemIds[problem] ?? null,
          submission_id: id,
          submitted_at: iso(at),
          verdict_class: isSolved ? 'solved' : 'tried',
          is_team: isTeam ? 1n : 0n,
        }),
      );
      await insertSolves(tx, rows);
      for (const nth of joined)
        await saveRoundPerson(tx, { round_id: roundId, user_id: people[nth]?.id ?? 0n, joined_at: iso(start) });
      const shown = await findVisibleRound(tx, roundId, ada);
      assert.ok(shown);
      const options = { people: await listRoundPeople(tx, roundId), problems: await listRoundProblems(tx, roundId) };
      const table = await readRoundTable(tx, shown, { ...options, viewerId: people[0]?.id ?? 0n, now });
      await deleteRound(tx, roundId);
      return table.map(({ members, place, solved, points, time, cells }): Line => {
        for (const { kind } of cells) kinds.add(`${rule} ${kind}`);
        return [members.map(({ username }) => username).join(), place, solved, points, time, ...cells.map(lineOf)];
      });
    });
    const hiddenFrom = phase === 'frozen' ? end - 45 * minuteMs : undefined;
    const expected = recount({ rule, teamOf, joined, sent: copies, hiddenFrom, isOver: phase === 'over' });
    const byMembers = (a: Line, b: Line) => (a[0] < b[0] ? -1 : 1);
    assert.deepEqual(
      lines.toSorted(byMembers),
      expected.toSorted(byMembers),
      `seed ${seed}, run ${run}, ${rule} ${phase}`,
    );
  }
  assert.ok(kinds.size >= 28, `only ${kinds.size} kinds of cells came up: ${[...kinds].join(', ')}`);
});

test('a team’s year: whoever is in it on the day of a round shares its row, and the season gives points to each', async (t) => {
  const { store, group, coach, people, round } = await world(t);
  const [p0, p1, p2, p3] = people;
  assert.ok(p0 && p1 && p2 && p3);
  const agree = (team_id: bigint, ...some: { id: bigint }[]) =>
    Promise.all(some.map(({ id }) => agreeToTeam(store, { group_id: group, team_id, user_id: id })));
  const trees = await makeTeam(store, coach, { name: 'Oaks', firstDay: '2026-09-01', userIds: [p0.id, p1.id] });
  await agree(trees, p0, p1);
  await endTeamMembership(store, coach, { team_id: trees, user_id: p1.id }, '2026-10-10');
  await addToTeam(store, coach, trees, { userIds: [p2.id], firstDay: '2026-10-11' });
  await agree(trees, p2);
  const rival = await makeTeam(store, coach, { name: 'Elms', firstDay: '2026-10-11', userIds: [p1.id, p3.id] });
  await agree(rival, p1, p3);
  await makeSeason(store, coach, usualSeason);
  const { problemIds } = await store.write((tx) => addContest(tx, { key: '3000', problems: 3 }));
  const rounds: bigint[] = [];
  const days = ['2026-10-10', '2026-10-11', '2026-11-01'];
  for (const [nth, day] of days.entries()) {
    const at = Date.parse(`${day}T09:00:00+09:00`);
    const id = await round(at, nth === 2 ? 'lockout' : 'icpc', day);
    rounds.push(id);
    await store.write(async (tx) => {
      await writeRoundProblems(tx, id, [{ problem_id: problemIds[nth] as bigint, points: 3n }]);
      for (const { id: user_id } of [p0, p1, p2, p3])
        await saveRoundPerson(tx, { round_id: id, user_id, joined_at: iso(at) });
      const sent = (handle_id: bigint, minute: number) =>
        solve({ handle_id, problem_id: problemIds[nth] ?? null, submitted_at: iso(at + minute * minuteMs) });
      await insertSolves(tx, [sent(p0.handle, 10), sent(p3.handle, 20)]);
    });
  }
  await addSeasonContests(
    store,
    coach,
    rounds.map((item_id) => ({ kind: 'round', item_id })),
  );
  const table = await seasonTable(store.reader, { id: group, zone }, Date.parse('2026-12-01T00:00:00Z'));
  const lines = table.rows
    .toSorted((a, b) => (a.person.username < b.person.username ? -1 : 1))
    .slice(0, 4)
    .map(({ person, cells, total }) =>
      [person.username, ...cells.map(({ halves, isTeam }) => `${halves}${isTeam ? ' team' : ''}`), total].join(', '),
    );
  assert.deepEqual(lines, [
    'p0, 2 team, 2 team, 6 team, 10',
    'p1, 2 team, 2 team, 0 team, 4',
    'p2, 0, 2 team, 6 team, 8',
    'p3, 2, 2 team, 0 team, 4',
  ]);
  const rowsOf = async (id: bigint) =>
    (await listRoundPeople(store.reader, id)).map(({ username, team }) => `${username} ${team}`);
  assert.deepEqual(await rowsOf(rounds[0] ?? 0n), ['p0 Oaks', 'p1 Oaks', 'p2 null', 'p3 null']);
  assert.deepEqual(await rowsOf(rounds[1] ?? 0n), ['p0 Oaks', 'p1 Elms', 'p2 Oaks', 'p3 Elms']);
  assert.deepEqual(
    await listRoundTakingRows(store.reader, p0.id),
    [],
    'a round for teams says nothing of one person’s strength',
  );
});

test('a round takes teams of the day on which it starts, also if that moves; one without a group takes none', async (t) => {
  const { store, ada, group, problemIds } = await world(t);
  const [problem = 0n] = problemIds;
  const startsAt = (days: number) => iso(Math.floor(Date.now() / minuteMs) * minuteMs + days * dayMs);
  const plan = { name: 'R', rule: 'icpc', startsAt: startsAt(3), minutes: 120, freezeMinutes: 0, points: [] } as const;
  const limits = { perDay: 0, total: 0 };
  const make = (groupId: bigint | undefined, takesTeams: boolean) =>
    makeRound(store, ada, plan, { groupId, takesTeams, problems: [problem], limits });
  const dayOf = (at: string) => iso(Date.parse(at) + 9 * 3_600_000).slice(0, 10);
  const id = await make(group, true);
  const read = async (one: bigint) => findVisibleRound(store.reader, one, ada);
  const before = await read(id);
  assert.equal(before?.teams_day, dayOf(plan.startsAt));
  const moved = { ...plan, startsAt: startsAt(5) };
  await changeRound(store, ada, id, moved, { version: before?.updated_at ?? '', problems: undefined, limits });
  assert.equal((await read(id))?.teams_day, dayOf(moved.startsAt));
  for (const one of [await make(group, false), await make(undefined, true)])
    assert.equal((await read(one))?.teams_day, null);
});
