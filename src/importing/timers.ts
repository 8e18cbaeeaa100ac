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

type Timer = Omit<TimersTable, 'id' | 'solved_at' | 'change_id'>;
type GivenTimer = GivenMember & GivenProblem & Partial<Omit<Timer, 'user_id' | 'problem_id'>>;

export function timerSink({ tx, each, count, followed, ...applying }: Applying): Sink<GivenTimer> {
  async function store(value: Timer): Promise<void> {
    const { user_id, problem_id, started_at, stopped_at, undone_at } = value;
    const all = await listTimersOf(tx, user_id, [problem_id]);
    const found = all.find((one) => one.started_at === started_at);
    const line = () => `timer of problem ${problem_id} at ${started_at}`;
    const columns = Object.keys(value) as (keyof Timer)[];
    if (found && columns.every((column) => found[column] === value[column])) return count('kept', line);
    const open = stopped_at === null && undone_at === null ? await findOpenTimer(tx, user_id) : undefined;
    if (open && open.id !== found?.id) throw refused('badRow.timerOpen');
    if (!found && all.length >= timersOfProblemAtMost)
      throw refused('badRow.manyTimers', { most: timersOfProblemAtMost });
    if (found) await updateTimer(tx, { ...value, id: found.id });
    else await insertTimer(tx, { ...value, solved_at: null, change_id: null });
    count(found ? 'changed' : 'new', line);
    followed.solves(user_id, [problem_id]);
  }

  return {
    take: async (entries: readonly Located<GivenTimer>[]) => {
      const memberOf = await memberReferences({ tx, ...applying }, entries);
      const problemOf = await problemReferences(tx, entries);
      await each(entries, async (given) => {
        const { started_at, stopped_at = null, outcome = null, grade = null, undone_at = null } = given;
        if (started_at === undefined) throw refused('badRow.timerStart');
        if ((stopped_at === null) !== (outcome === null)) throw refused('badRow.timerOutcome');
        if (stopped_at !== null && stopped_at < started_at) throw refused('badRow.timerStop');
        const pauses = pausesIn(given.pauses ?? '[]', stopped_at);
        await store({
          ...{ user_id: memberOf(given), problem_id: problemOf(given), started_at, pauses },
          ...{ stopped_at, outcome, grade, undone_at },
        });
      });
    },
  };
}

/** The pauses as the table has them. Throws badRow. */
function pausesIn(text: string, stoppedAt: string | null): string {
  const moments: string[] = JSON.parse(text);
  const isWhole = moments.every((moment, place) => {
    return readInstant(moment) === moment && moment >= (moments[place - 1] ?? '');
  });
  const hasEnd = moments.length % 2 === 0 || stoppedAt === null;
  if (!isWhole || !hasEnd || moments.length > 2 * pausesAtMost)
    throw refused('badRow.timerPauses', { most: pausesAtMost });
  return text;
}
