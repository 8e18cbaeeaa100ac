/** A first solve knows how many tries it took, so that Progress of a long history does not count them for each problem. */
import { type Migration, onBothEngines } from '../engine.ts';

export const firstTries: Migration = {
  name: 'first-tries',
  why: 'Progress and the filter of tries read how many submissions a first solve took from one row.',
  ...onBothEngines(`
    ALTER TABLE first_solves ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
    UPDATE first_solves SET tries = (
      SELECT count(*)
      FROM statuses
        JOIN handles ON handles.user_id = statuses.user_id
        JOIN solves ON solves.handle_id = handles.id AND solves.problem_id = statuses.problem_id
      WHERE statuses.user_id = first_solves.user_id AND statuses.problem_id = first_solves.problem_id
        AND verdict_class IN ('tried', 'solved')
        AND (judge_status IS NULL OR judge_status <> 'complete' OR judge_at IS NULL OR submitted_at <= judge_at)
    );
  `),
};
