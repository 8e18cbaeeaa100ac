/** Contests that never were: their rows as Codeforces answers them, in the order of their places. */

import type { RealField } from '../../src/judges/real-field.ts';

export interface GeneratedRow {
  /** By problem: the second of the solve, undefined for none, and the refused tries. */
  cells: { second: number | undefined; tries: number }[];
  solved: number;
  points: number;
  penalty: number;
}

export interface GeneratedContest {
  type: 'ICPC' | 'CF';
  worth: number[];
  wrongMinutes: number;
  seconds: number;
  rows: GeneratedRow[];
}

/** The rules of the contest, written apart from those of the garden: what each cell gives by then. */
export function scoreBy(
  { type, worth, wrongMinutes, seconds }: Omit<GeneratedContest, 'rows'>,
  row: Pick<GeneratedRow, 'cells'>,
  by: number,
) {
  const all = row.cells.map(({ second, tries }, index) => {
    if (second === undefined || second >= by) return { solved: 0, points: 0, penalty: 0 };
    const minute = Math.trunc(second / 60);
    if (type === 'ICPC') return { solved: 1, points: 1, penalty: minute + tries * wrongMinutes };
    const full = worth[index] ?? 0;
    const left = full - Math.trunc((full * minute * 120 * 60) / (250 * seconds)) - tries * 50;
    return { solved: 1, points: left > (full * 3) / 10 ? left : (full * 3) / 10, penalty: 0 };
  });
  const sum = (name: 'solved' | 'points' | 'penalty') => all.reduce((total, one) => total + one[name], 0);
  return { solved: sum('solved'), points: sum('points'), penalty: sum('penalty') };
}

export function generateContest(type: 'ICPC' | 'CF', count: number, seed: number): GeneratedContest {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const rules = { type, worth: [500, 1000, 1500, 2000, 2250, 3000], wrongMinutes: 10, seconds: 7200 };
  const rows = Array.from({ length: count }, () => {
    const skill = random();
    const cells = rules.worth.map((_, index) => {
      const isSolved = random() < skill * 1.6 - index * 0.22;
      const second = isSolved ? Math.floor((index + random() + (1 - skill) * 2) * 900) % rules.seconds : undefined;
      return { second, tries: random() < 0.35 ? Math.ceil(random() * 3) : 0 };
    });
    return { cells, ...scoreBy(rules, { cells }, rules.seconds) };
  });
  return { ...rules, rows: rows.sort((one, other) => other.points - one.points || one.penalty - other.penalty) };
}

/** Every so many of its rows. */
export const fieldOfContest = ({ seconds, rows }: GeneratedContest, step: number): RealField => ({
  total: rows.length,
  step,
  seconds,
  positions: [...'ABCDEF'],
  worth: [],
  wrongMinutes: 20,
  rows: rows
    .filter((_, index) => (index + 1) % step === 0)
    .map(({ cells }) => cells.map(({ second, tries }) => (second === undefined ? tries : [second, tries]))),
});

/** What contest.standings answers; every person has a name that is nobody else's. */
export function standingsAnswer({ type, worth, seconds, rows }: GeneratedContest, id: number, letters: string) {
  const named = (rank: number) => ({ handle: `stranger${rank}`, name: 'Strange Name' });
  return {
    contest: { id, name: `Round ${id}`, type, phase: 'FINISHED', durationSeconds: seconds, startTimeSeconds: 1e9 },
    problems: [...letters].map((index, at) => ({
      contestId: id,
      index,
      name: `Task "rows": [${index}`,
      ...(type === 'CF' && { points: worth[at] }),
    })),
    rows: rows.map(({ cells, points, penalty }, at) => ({
      party: { contestId: id, members: [named(at)], participantType: 'CONTESTANT', teamName: '[{"stranger' },
      rank: at + 1,
      points,
      penalty,
      problemResults: cells.map(({ second, tries }, index) => ({
        points: second === undefined ? 0 : type === 'CF' ? pointsOf({ type, worth, seconds }, cells, index) : 1,
        rejectedAttemptCount: tries,
        type: 'FINAL',
        ...(second !== undefined && { bestSubmissionTimeSeconds: second }),
      })),
    })),
  };
}

function pointsOf(
  rules: Pick<GeneratedContest, 'type' | 'worth' | 'seconds'>,
  cells: GeneratedRow['cells'],
  index: number,
): number {
  const alone = cells.map((cell, at) => (at === index ? cell : { second: undefined, tries: 0 }));
  return scoreBy({ ...rules, wrongMinutes: 0 }, { cells: alone }, rules.seconds).points;
}
