/**
 * Reads run.json of XCPCIO's boards (xcpcio.com/guide/data-format): the submissions of a contest, in which teams have
 * numbers. The file with their names is not needed.
 */
import { daySeconds } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { listSplitter } from '../files/list-splitter.ts';
import { type FieldCell, fieldSampler, type RealField, usualWrongMinutes } from '../judges/real-field.ts';

export const runFileMiB = 16;
const teamsAtMost = 20_000;
const problemsAtMost = 26;
const secondsAtMost = 30 * daySeconds;

type Run = readonly [at: number, isSolved: boolean];

const solvedWords = /^(?:ac|ok|accepted|correct)$/;
/** Other words, such as those of compile errors and of what waits, count as no try. */
const refusedWords =
  /^(?:wa|rj|je|re|rte?|[tmoi]le?|incorrect|rejected|hacked|wrong_answer|runtime_error|judgement_failed|(?:time|memory|output|idleness)_limit_exceeded)$/;

/**
 * Times are in seconds or milliseconds, and no file says which. The unit counts in which the last time is nearer to the
 * length of the round. Throws badFile.
 */
export async function readRunFile(
  bytes: AsyncIterable<Uint8Array>,
  roundSeconds: number,
): Promise<RealField> {
  const teams = new Map<string, Run[][]>();
  let [problems, last] = [0, 0];
  const takePiece = listSplitter(/^\s*[[{]/, (text) => {
    const {
      team_id: team,
      problem_id,
      timestamp,
      status,
    } = Object(JSON.parse(text)) as Record<string, unknown>;
    const word = String(status).toLowerCase().replaceAll(' ', '_');
    const problem = problemIndex(problem_id);
    const isTime = Number.isSafeInteger(timestamp) && Number(timestamp) >= 0;
    const isTeam = typeof team === 'number' || (typeof team === 'string' && team !== '');
    if (!isTime || !isTeam || problem === undefined || typeof status !== 'string')
      throw new SyntaxError('A row is not as described.');
    problems = Math.max(problems, problem + 1);
    last = Math.max(last, Number(timestamp));
    const ofTeam = teams.get(String(team)) ?? [];
    teams.set(String(team), ofTeam);
    if (teams.size > teamsAtMost) throw new SyntaxError('There are too many teams.');
    if (!solvedWords.test(word) && !refusedWords.test(word)) return;
    ofTeam[problem] ??= [];
    ofTeam[problem].push([Number(timestamp), solvedWords.test(word)]);
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  let rest = '';
  try {
    for await (const piece of bytes) {
      length += piece.length;
      if (length > runFileMiB * 1024 * 1024) throw new RangeError('The file is too large.');
      rest = (rest + takePiece(decoder.decode(piece, { stream: true }))).slice(-100);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError))
      throw error;
    throw runFileFault(error);
  }
  const unit = last > roundSeconds * Math.sqrt(1000) ? 1000 : 1;
  const isWhole = problems > 0 && /^\s*[[{]\s*[\]}]\s*$/.test(rest);
  if (!isWhole || last > secondsAtMost * unit) throw runFileFault();
  return { ...fieldOf([...teams.values()], problems, unit), seconds: Math.floor(last / unit) + 1 };
}

const runFileFault = (cause?: unknown) => localizedError('badFile.runs', { most: runFileMiB }, cause);

/** Boards count problems from 0, or name them by letters. */
function problemIndex(value: unknown): number | undefined {
  const text = String(value);
  const index = /^[A-Z]$/i.test(text)
    ? text.toUpperCase().charCodeAt(0) - 65
    : /^\d{1,2}$/.test(text)
      ? Number(text)
      : -1;
  return index >= 0 && index < problemsAtMost ? index : undefined;
}

function fieldOf(
  teams: readonly (readonly Run[][])[],
  problems: number,
  unit: number,
): Omit<RealField, 'seconds'> {
  const rows = teams.map((ofTeam) => {
    const cells = Array.from({ length: problems }, (_, index) => cellOf(ofTeam[index] ?? [], unit));
    const solved = cells.filter((cell) => typeof cell === 'object');
    const penalty = solved.reduce(
      (sum, [second, tries]) => sum + Math.floor(second / 60) + usualWrongMinutes * tries,
      0,
    );
    return { cells, solved: solved.length, penalty };
  });
  const sampler = fieldSampler();
  for (const { cells } of rows.toSorted((a, b) => b.solved - a.solved || a.penalty - b.penalty))
    sampler.add(cells);
  return {
    ...sampler.sample(),
    positions: Array.from({ length: problems }, (_, index) => String.fromCharCode(65 + index)),
    worth: [],
    wrongMinutes: usualWrongMinutes,
  };
}

function cellOf(runs: readonly Run[], unit: number): FieldCell {
  const ordered = runs.toSorted(([one], [other]) => one - other);
  const solvedAt = ordered.findIndex(([, isSolved]) => isSolved);
  const [at] = ordered[solvedAt] ?? [];
  return at === undefined ? ordered.length : [Math.floor(at / unit), solvedAt];
}
