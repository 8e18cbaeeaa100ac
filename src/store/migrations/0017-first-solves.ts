/** First solves are the only table of what members did; days, streaks and boards are counted from it, submissions and reviews. */
import { type Migration, onBothEngines } from '../engine.ts';

export const firstSolves: Migration = {
  name: 'first-solves',
  why: 'Days, streaks and boards are counted when a page shows them, so that marks and imports write less.',
  ...onBothEngines(`
    CREATE TABLE first_solves (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      at TEXT NOT NULL,
      PRIMARY KEY (user_id, problem_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO first_solves (user_id, problem_id, at)
    SELECT user_id, problem_id, min(at)
    FROM (
      SELECT user_id, problem_id, self_at AS at FROM statuses WHERE self_status = 'complete'
      UNION ALL
      SELECT user_id, problem_id, judge_at FROM statuses WHERE judge_status = 'complete'
      UNION ALL
      SELECT user_id, problem_id, submitted_at
      FROM solves JOIN handles ON handles.id = solves.handle_id
      WHERE verdict_class = 'solved' AND problem_id IS NOT NULL
    ) AS moments
    GROUP BY user_id, problem_id;
    CREATE INDEX first_solves_by_time ON first_solves (user_id, at, problem_id);
    CREATE INDEX first_solves_by_problem ON first_solves (problem_id);

    DROP TABLE activity;
    DROP TABLE solved_days;
    DROP INDEX statuses_by_time;
    DROP INDEX solves_by_contest;
    CREATE INDEX solves_by_contest ON solves (handle_id, contest, participation, submitted_at)
      WHERE participation IS NULL OR participation <> 'practice';
  `),
};
