/** The index of submissions by time has all that the figures of days need, so that counting them reads no submission itself. */
import { type Migration, onBothEngines } from '../engine.ts';

export const dayCounts: Migration = {
  name: 'day-counts',
  why: 'Today and Progress count the days of a long history from an index alone.',
  ...onBothEngines(`
    DROP INDEX solves_by_time;
    CREATE INDEX solves_by_time ON solves (handle_id, submitted_at, submission_id, verdict_class, problem_id);
  `),
};
