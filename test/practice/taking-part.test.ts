/**
 * How somebody took part in a contest. The rule stands in TypeScript for the table of a season and the cells of the grid, and in SQL
 * for what the grid filters and counts: both say the same of generated submissions, and so does the table of a season.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { isSolvedThen, roundTable } from '../../src/practice/round-table.ts';
import type { SeasonColumn } from '../../src/practice/season-table.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { bestSolveIn, participationIn } from '../../src/practice/solve-settings.ts';
import {
  countGridContests,
  findLastParticipation,
  insertContestProblems,
  listAttendedContests,
  listContestProblems,
  listContests,
  listParticipations,
} from '../../src/store/contests.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { listRoundPeople, listRoundSolves, saveRoundPerson } from '../../src/store/rounds.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import type { Db } from '../../src/store/tables.ts';
import { addContest, addPerson, addRound, iso, openClub, seasonTable, solve, usualSeason } from '../support/seasons.ts';

const dated = {
  id: 1n,
  source: 'codeforces',
  key: '101021',
  title: '',
  starts_at: '2020-01-01T12:00:00.000Z',
  duration_s: 6000n,
  phase: null,
};

test('a judge that does not say how something was sent: its time does', () => {
  const contest = { ...dated, source: 'atcoder', key: 'abc1' };
  const at = (submitted_at: string, contest = 'abc1') => ({
    verdict_class: 'solved' as const,
    submitted_at,
    source: 'atcoder',
    contest,
    is_team: 0n,
    participation: null,
  });
  const took = (...sent: Parameters<typeof bestSolveIn>[1]) => bestSolveIn(contest, sent)?.setting;
  assert.equal(took(at('2020-01-01T12:00:00.000Z')), 'live');
  assert.equal(took(at('2020-01-01T13:40:00.000Z')), 'later');
  assert.equal(took(at('2020-01-01T13:39:59.000Z', 'arc1')), 'elsewhere');
  assert.equal(took({ ...at('2020-01-01T12:30:00.000Z'), verdict_class: 'tried' }), undefined);
});

test('a team’s solve is told as one unless the member solved it alone as well, and counts where no date is known', () => {
  const undated = { ...dated, starts_at: null, duration_s: 0n };
  const team = {
    verdict_class: 'solved' as const,
    submitted_at: '2020-01-01T12:30:00.000Z',
    source: 'codeforces',
    contest: '101021',
    is_team: 1n,
    participation: 'team' as const,
  };
  const late = { ...team, submitted_at: '2020-02-01T12:30:00.000Z' };
  const alone = { ...team, is_team: 0n, participation: 'contest' as const };
  assert.deepEqual(bestSolveIn(undated, [team]), { setting: 'live', isTeam: true });
  assert.deepEqual(bestSolveIn(dated, [team]), { setting: 'live', isTeam: true });
  assert.deepEqual(bestSolveIn(dated, [late]), { setting: 'later', isTeam: true });
  assert.deepEqual(bestSolveIn(dated, [team, alone]), { setting: 'live', isTeam: false });
  assert.deepEqual(bestSolveIn(dated, [{ ...team, participation: 'virtual' }, late]), {
    setting: 'virtual',
    isTeam: true,
  });
});

const start = Date.parse('2026-10-24T14:35:00.500Z');
const minuteMs = 60_000;
const end = start + 120 * minuteMs;
/** Begins within the first contest, ends after it, and hides what was sent from then on. */
const roundStart = end - 10 * minuteMs;
const roundEnd = end + 50 * minuteMs;
const hiddenFrom = roundEnd - 30 * minuteMs;
const people = 60;

/** A submission, with a place among the problems and one among the handles of its person. */
interface Generated {
  person: number;
  handle: number;
  problem: number | undefined;
  row: Pick<
    SolvesTable,
    'submitted_at' | 'contest' | 'participation' | 'verdict_class' | 'is_team' | 'virtual_began_at'
  >;
}

const moments = [start, end, roundStart, roundEnd, hiddenFrom].flatMap((at) => [at - 1, at, at + 1]);
const anySubmission: fc.Arbitrary<Generated> = fc.record({
  person: fc.nat(people - 1),
  handle: fc.constantFrom(0, 0, 1, 2),
  problem: fc.option(fc.nat(7), { nil: undefined, freq: 8 }),
  row: fc.record({
    submitted_at: fc
      .oneof(fc.constantFrom(...moments), fc.integer({ min: start - 30 * minuteMs, max: roundEnd + 30 * minuteMs }))
      .map(iso),
    contest: fc.constantFrom(null, null, '1', '2', '3', '4', '5'),
    participation: fc.constantFrom(null, null, 'contest', 'virtual', 'practice', 'team'),
    verdict_class: fc.constantFrom('pending', 'void', 'tried', 'solved'),
    is_team: fc.constantFrom(0n, 1n),
    virtual_began_at: fc.constantFrom(null, iso(start - 60 * minuteMs)),
  }),
});

/** People of a group with a season of four contests and a round, which half of them joined, and what they sent. */
async function world(t: TestContext, seed: number) {
  const { store, ada, group, coach: coached } = await openClub(t, 'UTC');
  const made = await store.write(async (tx) => {
    await makeSeason(tx, coached, usualSeason);
    const contests = [
      await addContest(tx, { key: '1', starts_at: iso(start), problems: 4 }),
      await addContest(tx, { key: '2', starts_at: null, problems: 2 }),
      await addContest(tx, { key: '3', starts_at: iso(end), duration_s: 0n, problems: 1 }),
      await addContest(tx, { key: '4', starts_at: iso(end), problems: 0 }),
    ];
    await addContest(tx, { source: 'atcoder', key: '1', starts_at: iso(start), problems: 1 });
    const problemIds = contests.flatMap((one) => one.problemIds);
    const inRound = problemIds[3] as bigint;
    // Two contests share a problem.
    const shared = { contest_id: contests[3]?.id ?? 0n, key: '4A', position: 'A', problem_id: problemIds[0] ?? null };
    await insertContestProblems(tx, [shared]);
    const round = await addRound(tx, {
      made_by: ada,
      group_id: group,
      at: roundStart,
      ends_at: iso(roundEnd),
      freeze_minutes: 30n,
      problems: [{ problem_id: inRound, points: 1n }],
    });
    await addSeasonContests(tx, coached, [
      ...contests.map(({ id }) => ({ kind: 'contest', item_id: id }) as const),
      { kind: 'round', item_id: round },
    ]);
    await tx
      .updateTable('season_contests')
      .set({ added_at: iso(start) })
      .execute();
    const sent = Map.groupBy(fc.sample(anySubmission, { numRuns: 1_200, seed }), ({ person }) => person);
    const persons: Person[] = [];
    for (let nth = 0; nth < people; nth++) {
      const { id, handle } = await addPerson(tx, group, `p${nth}`);
      const addHandle = async (source: string) =>
        (await insertHandle(tx, { user_id: id, source, name: `p${nth}_${source}`, created_at: iso(start) })).id;
      const handles = [handle, await addHandle('codeforces'), await addHandle('atcoder')];
      const rows = (sent.get(nth) ?? []).map(({ handle, problem, row }) => ({
        ...solve({
          ...row,
          virtual_began_at: row.participation === 'virtual' ? row.virtual_began_at : null,
          handle_id: handles[handle] as bigint,
          problem_id: problem === undefined ? null : (problemIds[problem] ?? null),
        }),
        source: handle === 2 ? 'atcoder' : 'codeforces',
      }));
      await insertSolves(
        tx,
        rows.map(({ source: _, ...row }) => row),
      );
      const hasJoined = nth % 2 === 0;
      if (hasJoined) await saveRoundPerson(tx, { round_id: round, user_id: id, joined_at: iso(start) });
      persons.push({ id, rows, hasJoined });
    }
    return { persons, inRound, round };
  });
  return { group, ...made, reader: store.reader };
}

interface Person {
  id: bigint;
  rows: (SolvesTable & { source: string })[];
  hasJoined: boolean;
}

/** The contests of a judge in which these rows took part by `participationIn`, with the rows that did. */
async function takenOf(db: Db, source: string, rows: Person['rows']) {
  const contests = await listContests(db, source);
  const places = await listContestProblems(db, source);
  const isPlaced = (contest: bigint, problem: bigint | null) =>
    places.some(({ contest_id, problem_id }) => contest_id === contest && problem_id === problem);
  return contests.flatMap((contest) => {
    const own = rows.filter((row) => row.contest !== null || isPlaced(contest.id, row.problem_id));
    const parts = own
      .map((row) => ({ row, part: participationIn(contest, row) }))
      .filter(({ part }) => part !== undefined);
    const live = parts.filter(({ part }) => part === 'live').map(({ row }) => row);
    const how: 'live' | 'virtual' = live.length > 0 ? 'live' : 'virtual';
    return parts.length > 0 ? [{ id: contest.id, contest, how, live, all: parts.map(({ row }) => row) }] : [];
  });
}

type Part = Awaited<ReturnType<typeof takenOf>>[number];

const momentsOf = (rows: Person['rows']) => rows.map(({ submitted_at }) => submitted_at).toSorted();

test('TypeScript and SQL say the same of a thousand submissions, and so does the table of a season', async (t) => {
  const seed = Number(process.env['GARDEN_FUZZ_SEED'] ?? 1);
  t.diagnostic(`GARDEN_FUZZ_SEED=${seed}`);
  const { reader, persons, group, inRound } = await world(t, seed);
  for (const { id: memberId, rows } of persons)
    for (const source of ['codeforces', 'atcoder']) {
      const expected = await takenOf(reader, source, rows);
      assert.deepEqual(
        await listParticipations(reader, { memberId, source }),
        new Map(expected.map(({ id, how, all }) => [id, { how, isTeam: all.every(({ is_team }) => is_team === 1n) }])),
      );
      assert.equal(await countGridContests(reader, { memberId, source, show: 'taken' }), expected.length);
      const taken = await listAttendedContests(reader, memberId, source);
      assert.deepEqual(
        new Map(taken.map(({ id, live, ...at }) => [id, [live === 0n ? 'virtual' : 'live', at.first_at, at.over_at]])),
        new Map(
          expected.map(({ id, how, all, contest: { starts_at, duration_s } }) => {
            const [first = ''] = all.map((row) => row.virtual_began_at ?? row.submitted_at).toSorted();
            const begin = Date.parse(how === 'live' ? (starts_at ?? first) : first);
            return [id, [how, first, iso(begin + Number(duration_s) * 1000)]];
          }),
        ),
      );
      for (const handle of new Set(rows.filter((row) => row.source === source).map((row) => row.handle_id))) {
        const live = expected.flatMap((one) => one.live.filter(({ handle_id }) => handle_id === handle));
        assert.equal(await findLastParticipation(reader, handle, source), momentsOf(live).at(-1) ?? null);
      }
    }
  for (const now of [roundEnd + minuteMs, roundEnd + 2 * 24 * 60 * minuteMs]) {
    const { rows: lines, columns } = await seasonTable(reader, { id: group, zone: 'UTC' }, now);
    assert.deepEqual([lines.length, columns.length], [people, 5]);
    const isHidden = columns.some((one) => one.hiddenFrom !== undefined);
    for (const { person, cells } of lines) {
      const { rows, hasJoined } = persons.find(({ id }) => id === person.user_id) as Person;
      const shown = rows.filter((row) => !isHidden || row.problem_id !== inRound || row.submitted_at < iso(hiddenFrom));
      const judged = shown.filter(({ verdict_class }) => /tried|solved/.test(verdict_class));
      const taken = new Map((await takenOf(reader, 'codeforces', judged)).map((one) => [one.id, one]));
      const expected = columns.map((column) =>
        recount(column, { shown, hasJoined, part: taken.get(column.contest.id) }),
      );
      const found = cells.map(({ participation, solved, upsolved }) => [participation, solved, upsolved]);
      assert.deepEqual(found, expected, person.username);
    }
  }
});

/** What a cell says by the sentences above the table, from all rows of the person. */
function recount(
  { contest, places, startsAt, endsAt }: SeasonColumn,
  { shown, hasJoined, part }: { shown: Person['rows']; hasJoined: boolean; part: Part | undefined },
) {
  if (contest.kind === 'round' && !hasJoined) return ['absent', 0, 0];
  const isIn = ({ submitted_at: at }: SolvesTable) => at >= startsAt && at < endsAt;
  const ofProblems = places.map(({ id }) => shown.filter((row) => row.problem_id === id));
  const isLive = ofProblems.flat().some((row) => /tried|solved/.test(row.verdict_class) && isIn(row));
  const how = contest.kind === 'contest' ? part?.how : isLive ? 'live' : undefined;
  const end = [endsAt, ...(how === 'virtual' ? momentsOf(part?.all ?? []) : [])].toSorted().at(-1) ?? '';
  let [solved, upsolved] = [0, 0];
  for (const rows of ofProblems.map((all) => all.filter((row) => row.verdict_class === 'solved'))) {
    const isThen = (row: (typeof rows)[number]) =>
      contest.kind === 'round' ? isIn(row) : participationIn(contest, row) === how;
    if (how && rows.some(isThen)) solved += 1;
    else if ((momentsOf(rows)[0] ?? '') >= end) upsolved += 1;
  }
  return [how ?? (upsolved > 0 ? 'upsolved' : 'absent'), solved, upsolved];
}

test('the database folds what was sent to a round, and its table stays the same', async (t) => {
  const { reader, persons, inRound, round } = await world(t, Number(process.env['GARDEN_FUZZ_SEED'] ?? 1));
  const joined = await listRoundPeople(reader, round);
  const sent = persons.flatMap(({ id: user_id, rows, hasJoined }) =>
    rows
      .filter((row) => hasJoined && row.problem_id === inRound && /tried|solved/.test(row.verdict_class))
      .map((row) => ({ ...row, problem_id: inRound, user_id, round_id: round, count: 1n })),
  );
  const times = { starts_at: iso(roundStart), ends_at: iso(roundEnd) };
  for (const rule of ['icpc', 'lockout'] as const)
    for (const hidden of [iso(hiddenFrom), iso(roundEnd)])
      for (const showsLater of [false, true]) {
        const solves = await listRoundSolves(reader, [round], { moments: [times.starts_at, hidden, times.ends_at] });
        assert.ok(solves.length < sent.length, 'some rows stand for several');
        const table = (rows: typeof solves) =>
          roundTable({
            round: { ...times, rule },
            hiddenFrom: hidden,
            showsLater,
            problems: [{ id: inRound, points: 1n }],
            people: joined,
            solves: rows,
          });
        assert.deepEqual(table(solves), table(sent));
        if (!showsLater || hidden !== times.ends_at) continue;
        // A naive recount from the rows.
        const idsOf = (rows: readonly { user_id: bigint }[]) => [...new Set(rows.map((row) => row.user_id))].toSorted();
        const during = sent.filter(({ submitted_at: at }) => at >= times.starts_at && at < times.ends_at);
        const [solvedThen, byNow] = [during, sent].map((rows) =>
          idsOf(rows.filter((row) => row.verdict_class === 'solved')),
        );
        const lines = table(solves).map(({ person: { user_id }, cells: [cell], place }) => ({ user_id, cell, place }));
        assert.deepEqual(idsOf(lines.filter(({ cell }) => cell && isSolvedThen(cell))), solvedThen);
        assert.deepEqual(idsOf(lines.filter(({ cell }) => cell?.isSolved)), byNow);
        const first = lines.slice(0, idsOf(during).length);
        assert.deepEqual(idsOf(first), idsOf(during), 'who sent nothing comes last');
        assert.ok(lines.every((line) => first.includes(line) === (line.place !== undefined)));
      }
});
