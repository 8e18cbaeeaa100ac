/** Importing timers: each is found again by its problem and its start. Submissions say by which of them one ended. */
import { readInstant } from '../contract/parameters.ts';
import { refused } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { pausesAtMost } from '../practice/timing.ts';
import { findOpenTimer, insertTimer, listTimersOf, type TimersTable, updateTimer } from '../store/timers.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, type GivenProblem, memberReferences, problemReferences } from './references.ts';

/** One timer a day for years. */
const timersOfProblemAtMost = 1_000;

type Timer = Omit<TimersTable, 'id' | 'user_id' | 'problem_id' | 'solved_at' | 'change_id'>;
type GivenTimer = GivenMember & GivenProblem & Partial<Timer>;

const emptyTimer = { pauses: '[]', stopped_at: null, outcome: null, grade: null, undone_at: null };

export function timerSink({ tx, each, count, followed, ...applying }: Applying): Sink<GivenTimer> {
  async function take(user_id: bigint, problem_id: bigint, given: Partial<Timer>): Promise<void> {
    const { started_at } = given;
    if (started_at === undefined) throw refused('badRow.timerStart');
    const all = await listTimersOf(tx, user_id, [problem_id]);
    const found = all.find((one) => one.started_at === started_at);
    const timer: Timer = { ...emptyTimer, ...found, ...given, started_at };
    assertWhole(timer);
    const line = () => `timer of problem ${problem_id} at ${started_at}`;
    const columns = Object.keys(given) as (keyof Timer)[];
    if (found && columns.every((column) => found[column] === given[column])) return count('kept', line);
    const isOpen = timer.stopped_at === null && timer.undone_at === null;
    const open = isOpen ? await findOpenTimer(tx, user_id) : undefined;
    if (open && open.id !== found?.id) throw refused('badRow.timerOpen');
    if (!found && all.length >= timersOfProblemAtMost)
      throw refused('badRow.manyTimers', { most: timersOfProblemAtMost });
    if (found) await updateTimer(tx, { id: found.id, ...given });
    else await insertTimer(tx, { ...timer, user_id, problem_id, solved_at: null, change_id: null });
    count(found ? 'changed' : 'new', line);
    followed.solves(user_id, [problem_id]);
  }

  return {
    take: async (entries: readonly Located<GivenTimer>[]) => {
      const memberOf = await memberReferences({ tx, ...applying }, entries);
      const problemOf = await problemReferences(tx, entries);
      await each(entries, async ({ user, username, problem, id, source, source_key, ...given }) =>
        take(memberOf({ user, username }), problemOf({ problem, id, source, source_key }), given),
      );
    },
  };
}

/** Throws badRow. */
function assertWhole({ started_at, stopped_at, outcome, pauses }: Timer): void {
  if ((stopped_at === null) !== (outcome === null)) throw refused('badRow.timerOutcome');
  if (stopped_at !== null && stopped_at < started_at) throw refused('badRow.timerStop');
  const moments: string[] = JSON.parse(pauses);
  const isWhole = moments.every((moment, place) => {
    return readInstant(moment) === moment && moment >= (moments[place - 1] ?? '');
  });
  const hasEnd = moments.length % 2 === 0 || stopped_at === null;
  if (!isWhole || !hasEnd || moments.length > 2 * pausesAtMost)
    throw refused('badRow.timerPauses', { most: pausesAtMost });
}
