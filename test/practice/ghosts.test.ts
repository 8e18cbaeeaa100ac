/** A round beside the real field: places and ghosts against an exact recount of whole generated contests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { codeforces } from '../../src/judges/codeforces.ts';
import type { JudgeClient } from '../../src/judges/judge.ts';
import { fieldRowsAtMost, type RealField } from '../../src/judges/real-field.ts';
import { fieldOfRound, ghostsAt, placeIn, pointsOfSolve, scoresAt } from '../../src/practice/ghosts.ts';
import type { RoundCell, RoundRow } from '../../src/practice/round-table.ts';
import {
  type GeneratedContest,
  type GeneratedRow,
  generateContest,
  scoreBy,
  standingsAnswer,
} from '../support/real-fields.ts';

const pieceLength = 997;

/** What the judge's answer becomes when it comes in pieces that are cut anywhere. */
async function fieldOf(contest: GeneratedContest): Promise<RealField> {
  const text = JSON.stringify({ status: 'OK', result: standingsAnswer(contest, 1090, 'ABCDEF') });
  const ask = (async (_path, read, { reader } = {}) => {
    const takePiece = reader?.() ?? String;
    let left = '';
    for (let at = 0; at < text.length; at += pieceLength) left += takePiece(text.slice(at, at + pieceLength));
    assert.ok(left.length < 3000, 'rows are never together');
    return read({ status: 200, text: left });
  }) as JudgeClient;
  const field = await codeforces.api.realField?.(ask, '1090');
  return field as RealField;
}

const roundCell = ({ second, tries }: GeneratedRow['cells'][number]): RoundCell => ({
  kind: second === undefined ? 'none' : 'solved',
  tries,
  afterMs: (second ?? 0) * 1000,
  points: 1,
  isSolved: false,
});
const isAhead = (one: Pick<GeneratedRow, 'points' | 'penalty'>, other: typeof one) =>
  one.points > other.points || (one.points === other.points && one.penalty < other.penalty);

test('a place is that of an exact recount, but for half a step at the end and a little in between', async () => {
  for (const type of ['ICPC', 'CF'] as const)
    for (const [count, step] of [
      [7, 1],
      [1000, 1],
      [1001, 2],
      [9_120, 10],
      [20_000, 20],
    ] as const) {
      const contest = generateContest(type, count, count);
      const field = await fieldOf(contest);
      assert.deepEqual([field.total, field.step, field.seconds], [count, step, 7200]);
      assert.ok(field.rows.length <= fieldRowsAtMost);
      if (type === 'ICPC' && count > 7) assert.equal(field.wrongMinutes, 10, 'from the penalties');
      const others = generateContest(type, 40, 7).rows;
      for (const seconds of [contest.seconds, 2700]) {
        const scores = scoresAt(field, seconds);
        const all = contest.rows.map((row) => scoreBy(contest, row, seconds));
        for (const { cells } of others) {
          const shown = cells.map((cell) => ((cell.second ?? 0) < seconds ? cell : { second: undefined, tries: 0 }));
          const own = scoreBy(contest, { cells: shown }, seconds);
          const exact = Math.min(count, 1 + all.filter((one) => isAhead(one, own)).length);
          const place = placeIn(field, scores, { cells: shown.map(roundCell) });
          const error = Math.abs(place - exact);
          const most = seconds === contest.seconds ? step / 2 : step === 1 ? 0 : count * 0.05;
          assert.ok(error <= most, `${type} ${count} at ${seconds}: ${place} for ${exact}`);
        }
      }
    }
});

test('20,000 rows pass through at most three megabytes', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const contest = generateContest('ICPC', 1000, 1);
  const { rows, ...before } = standingsAnswer({ ...contest, rows: [] }, 1090, 'ABCDEF');
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  let [bytes, most, left] = [0, 0, ''];
  const ask = (async (_path, read, { reader } = {}) => {
    const takePiece = reader?.() ?? String;
    const atStart = used();
    const take = (piece: string) => {
      left += takePiece(piece);
      bytes += piece.length;
    };
    take(`{"status":"OK","result":${JSON.stringify(before).slice(0, -1)},"rows":[`);
    for (let at = 1; at <= 20_000; at++) {
      const row = contest.rows[at % 1000] as GeneratedRow;
      take(`${JSON.stringify(standingsAnswer({ ...contest, rows: [row] }, 1090, 'ABCDEF').rows[0])},`);
      if (at % 5000 === 0) most = Math.max(most, used() - atStart);
    }
    take(`${JSON.stringify(rows).slice(1)}}}`);
    return read({ status: 200, text: left });
  }) as JudgeClient;
  const field = await codeforces.api.realField?.(ask, '1090');
  assert.deepEqual([field?.total, field?.rows.length, bytes > 10_000_000], [20_000, 1000, true]);
  assert.ok(most < 3_000_000, `${most} bytes`);
});

test('ghosts are five rows of the field as they stood at that second, at round places and in the middle', async () => {
  const contest = generateContest('ICPC', 9_120, 5);
  const field = await fieldOf(contest);
  const rules = { rule: 'icpc', points: [1, 1, 1, 1, 1, 1] } as const;
  for (const seconds of [0, 1, 1800, 4980, 7199, 7200, 9000]) {
    const ghosts = ghostsAt(field, rules, seconds);
    assert.deepEqual(
      ghosts.map(({ place }) => place),
      [90, 500, 900, 2000, 4560],
    );
    for (const { place, cells, solved, time } of ghosts) {
      const row = contest.rows[place - 1] as GeneratedRow;
      // The table of the round has 20 minutes.
      const then = scoreBy({ ...contest, wrongMinutes: 20 }, row, seconds);
      assert.deepEqual([solved, time], [then.solved, then.penalty], `${place} at ${seconds}`);
      const expected = row.cells.map(({ second = 9e9, tries }) =>
        second < seconds
          ? ['solved', tries, second * 1000]
          : seconds >= 7200 && tries > 0
            ? ['tried', tries, 0]
            : ['none', 0, 0],
      );
      assert.deepEqual(
        cells.map(({ kind, tries, afterMs }) => [kind, tries, afterMs]),
        expected,
      );
    }
  }
  const few = await fieldOf(generateContest('ICPC', 12, 3));
  assert.deepEqual(
    ghostsAt(few, rules, 7200).map(({ place }) => place),
    [1, 2, 3, 5, 6],
  );
  assert.deepEqual(ghostsAt({ ...few, total: 0, rows: [] }, rules, 7200), []);
});

test('points fall with time as in a real row of Codeforces Round 696', () => {
  const of = (worth: number, second: number, tries: number) =>
    pointsOfSolve({ seconds: 7200 }, worth, { afterMs: second * 1000, tries });
  assert.deepEqual([of(500, 284, 0), of(1000, 642, 2), of(1500, 1622, 0), of(2000, 3502, 2)], [492, 860, 1338, 1436]);
  assert.deepEqual([of(500, 7100, 9), of(0, 60, 0)], [150, 0]);
});

test('an earlier round is a field of those who took part in it', () => {
  const cells = [
    roundCell({ second: 61, tries: 2 }),
    { ...roundCell({ second: undefined, tries: 1 }), kind: 'tried' as const },
    { ...roundCell({ second: 9000, tries: 3 }), kind: 'later' as const },
  ];
  const row = (place: number | undefined) => ({ place, cells }) as unknown as RoundRow;
  assert.equal(fieldOfRound([row(undefined)], 7200), undefined);
  const field = fieldOfRound([row(1), row(undefined)], 7200);
  assert.deepEqual(
    field,
    {
      total: 1,
      step: 1,
      seconds: 7200,
      positions: ['0', '1', '2'],
      worth: [],
      wrongMinutes: 20,
      rows: [[[61, 2], 1, 0]],
    },
    'tries after its end are none of it',
  );
});

test('a score counts what was solved before that second, and a place is the middle of the rows that one stands for', () => {
  const rows: RealField['rows'] = [
    [
      [60, 0, 490],
      [120, 1],
    ],
    [[60, 0, 480], 2],
    [3, 0],
  ];
  const solved: RealField = {
    total: 1000,
    step: 10,
    seconds: 7200,
    positions: ['A', 'B'],
    worth: [],
    wrongMinutes: 10,
    rows,
  };
  const points = { ...solved, worth: [500, 1000] };
  const scores = (field: RealField, seconds: number) =>
    scoresAt(field, seconds).map(({ points, penalty }) => `${points}-${penalty}`);
  assert.deepEqual(scores(solved, 60), ['0-0', '0-0', '0-0']);
  assert.deepEqual(scores(solved, 61), ['1-1', '1-1', '0-0']);
  assert.deepEqual(scores(solved, 7200), ['2-13', '1-1', '0-0']);
  assert.deepEqual(scores(points, 7200), ['491-0', '480-0', '0-0']);
  const place = (field: RealField, ...cells: GeneratedRow['cells']) =>
    placeIn(field, scoresAt(field, 7200), { cells: cells.map(roundCell) });
  const [never, early, late] = [
    { second: undefined, tries: 2 },
    { second: 60, tries: 0 },
    { second: 120, tries: 0 },
  ];
  assert.deepEqual(
    [place(solved, early, late), place(solved, early, never), place(solved, late, never), place(solved, never, never)],
    [5, 15, 25, 25],
  );
  assert.equal(place({ ...solved, step: 1 }, late, never), 3);
  assert.equal(place({ ...solved, total: 24 }, late, never), 24);
  assert.deepEqual([place(points, early, never), place(points, { second: 300, tries: 0 }, never)], [5, 15]);
  const many = (total: number) => {
    const field = { ...solved, total, step: 1, rows: Array(total).fill(rows[0]) };
    return ghostsAt(field, { rule: 'points', points: [3, 5] }, 7200);
  };
  assert.deepEqual(
    [99, 100].map((total) => many(total).map((ghost) => ghost.place)),
    [
      [1, 10, 20, 40, 50],
      [1, 5, 10, 30, 50],
    ],
  );
  assert.deepEqual(
    many(99)[0]?.cells.map((cell) => cell.points),
    [3, 5],
  );
});
