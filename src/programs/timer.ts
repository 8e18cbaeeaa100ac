/** getTimer and changeTimer: the one timer of a member. */
import { hash } from 'node:crypto';
import { AppError, invalidValue } from '../errors.ts';
import { assertConditions } from '../http/preconditions.ts';
import { isForgotten, isPaused, minutesOf, versionOfTimer } from '../practice/timer-rules.ts';
import { discardTimer, partsOfTimers, pauseTimer, startTimer, stopTimer } from '../practice/timers.ts';
import type { Db } from '../store/tables.ts';
import { findOpenTimer, findTimer, type TimersTable } from '../store/timers.ts';
import { getProblem, type Input, type Reader, type Writer } from './context.ts';

/** One that a judge ended is open in the store until it is stopped. */
async function findRunning(db: Db, memberId: bigint): Promise<TimersTable | undefined> {
  const timer = await findOpenTimer(db, memberId);
  return timer?.solved_at === null ? timer : undefined;
}

const versionOf = (timer: TimersTable) => hash('sha256', versionOfTimer(timer), 'base64url').slice(0, 22);

export function timerOf(timer: TimersTable, now: number) {
  const { id, problem_id, started_at, stopped_at, solved_at, undone_at } = timer;
  const hasEnded = [stopped_at, solved_at, undone_at].some((at) => at !== null);
  const state = hasEnded
    ? 'ended'
    : isForgotten(timer, now)
      ? 'forgotten'
      : isPaused(timer)
        ? 'paused'
        : 'running';
  const minutes = minutesOf(timer, undone_at === null ? now : Date.parse(undone_at));
  return {
    id: String(id),
    problem: String(problem_id),
    state,
    started_at,
    minutes,
    version: versionOf(timer),
  };
}

export const getTimer: Reader<'getTimer'> = async (db, { actor }) => {
  const timer = await findRunning(db, actor.memberId);
  if (!timer) return { body: { timer: null } };
  // The minutes are part of the answer, so the tag is that of its bytes.
  return { body: { timer: timerOf(timer, Date.now()) } };
};

type Action = Input<'changeTimer'>['body'];

const fieldsOfActions: Readonly<Record<string, readonly string[]>> = {
  start: ['problem', 'instead'],
  stop: ['outcome', 'minutes'],
};

/** Throws invalidValue for a field of another action. */
function checkAction({ action = 'start', ...fields }: Action): void {
  const allowed = fieldsOfActions[action] ?? [];
  const other = Object.keys(fields).find((name) => !allowed.includes(name));
  if (other !== undefined)
    throw invalidValue(`The field "${other}" does not belong to the action ${action}.`);
  const [needed = ''] = allowed;
  if (allowed.length > 0 && !Object.hasOwn(fields, needed))
    throw invalidValue(`The field "${needed}" is missing.`);
}

const conflict = (sentence: string) => new AppError('timerConflict', sentence);

export const changeTimer: Writer<'changeTimer'> = async (tx, { actor, body, conditions }, record) => {
  const { memberId } = actor;
  const now = new Date();
  checkAction(body);
  if (body.problem !== undefined) await getProblem(tx, BigInt(body.problem));
  const running = await findRunning(tx, memberId);
  assertConditions(conditions, running && versionOf(running), running !== undefined);
  let id = running?.id;
  const parts = await partsOfTimers(tx, memberId, async () => {
    if (body.action === 'start') id = await start(tx, memberId, body, now);
    else if (running) await act(tx, memberId, running, body, now);
    else throw conflict('No timer runs; start one first.');
  });
  for (const part of parts) record(part);
  const timer = await findTimer(tx, memberId, id ?? 0n);
  if (!timer) throw conflict('The timer is gone; start it again.');
  return { body: { timer: timerOf(timer, now.getTime()) }, version: versionOf(timer) };
};

async function start(
  tx: Db,
  memberId: bigint,
  { problem = '0', instead }: Action,
  now: Date,
): Promise<bigint> {
  const replaced = instead === undefined ? undefined : BigInt(instead);
  const started = await startTimer(tx, memberId, BigInt(problem), now, replaced);
  if ('timer' in started) return started.timer.id;
  throw conflict(`Timer ${started.conflict.id} of another try runs; stop it, or send its id as "instead".`);
}

async function act(tx: Db, memberId: bigint, running: TimersTable, action: Action, now: Date): Promise<void> {
  const version = versionOfTimer(running);
  const { outcome = 'unsolved', minutes } = action;
  if (action.action === 'stop') {
    if (minutes !== undefined && !isForgotten(running, now.getTime()))
      throw invalidValue('The field "minutes" belongs to a forgotten timer; this one counts itself.');
    await stopTimer(tx, memberId, running.id, version, { outcome, minutes }, now);
  } else if (action.action === 'discard') await discardTimer(tx, memberId, running.id, version, now);
  else if (isPaused(running) === (action.action === 'resume'))
    await pauseTimer(tx, memberId, running.id, version, now);
}
