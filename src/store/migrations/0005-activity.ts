/** The activity of members on each of their days, so that pictures of a year read a row a day. */
import { type Migration, onBothEngines } from '../engine.ts';

const tables = onBothEngines(`
    CREATE TABLE solved_days (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      is_first INTEGER NOT NULL,
      PRIMARY KEY (user_id, day, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX solved_days_by_problem ON solved_days (problem_id, user_id);

    CREATE TABLE activity (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      submissions INTEGER NOT NULL,
      solved INTEGER NOT NULL,
      first_solves INTEGER NOT NULL,
      reviews INTEGER NOT NULL,
      hardest TEXT,
      PRIMARY KEY (user_id, day)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX solves_by_time ON solves (handle_id, submitted_at);
    CREATE INDEX statuses_by_time ON statuses (user_id, coalesce(self_at, judge_at));
  `);

/** Rows for the facts that are here already, by the usual days: they begin at 04:00 UTC, and nobody could set others before. */
function filled(secondsOf: (at: string) => string, quoted: (text: string) => string): string {
  const moment = (at: string) => `${secondsOf(at)} - 4 * 3600`;
  return `
    INSERT INTO solved_days (user_id, day, problem_id, is_first)
    SELECT user_id, day, problem_id, CASE WHEN day = min(day) OVER (PARTITION BY user_id, problem_id) THEN 1 ELSE 0 END
    FROM (
      SELECT DISTINCT user_id, problem_id, (moment - ((moment % 86400) + 86400) % 86400) / 86400 AS day
      FROM (
        SELECT user_id, problem_id, ${moment('self_at')} AS moment FROM statuses WHERE self_status = 'complete'
        UNION
        SELECT user_id, problem_id, ${moment('judge_at')} FROM statuses WHERE judge_status = 'complete'
        UNION
        SELECT user_id, problem_id, ${moment('submitted_at')}
        FROM solves JOIN handles ON handles.id = solves.handle_id
        WHERE verdict_class = 'solved' AND problem_id IS NOT NULL
      ) AS moments
    ) AS days;

    INSERT INTO activity (user_id, day, submissions, solved, first_solves, reviews, hardest)
    SELECT counted.user_id, counted.day, sum(submissions), sum(solved), sum(first_solves), 0, min(hardest)
    FROM (
      SELECT user_id, day, 0 AS submissions, count(*) AS solved, sum(is_first) AS first_solves
      FROM solved_days GROUP BY user_id, day
      UNION ALL
      SELECT user_id, (moment - ((moment % 86400) + 86400) % 86400) / 86400, count(*), 0, 0
      FROM (
        SELECT user_id, ${moment('submitted_at')} AS moment
        FROM solves JOIN handles ON handles.id = solves.handle_id
      ) AS sent
      GROUP BY 1, 2
    ) AS counted
    LEFT JOIN (
      SELECT user_id, day, '{' || string_agg(${quoted('source')} || ':' || rating, ',' ORDER BY source) || '}' AS hardest
      FROM (
        SELECT user_id, day, source, max(rating) AS rating
        FROM solved_days JOIN problems ON problems.id = solved_days.problem_id
        WHERE is_first = 1 AND rating IS NOT NULL
        GROUP BY user_id, day, source
      ) AS rated
      GROUP BY user_id, day
    ) AS ratings ON ratings.user_id = counted.user_id AND ratings.day = counted.day
    GROUP BY counted.user_id, counted.day`;
}

export const activity: Migration = {
  name: 'activity',
  why: 'The year, days and streaks of a member load fast, however long their history is.',
  sqlite:
    tables.sqlite +
    filled(
      (at) => `CAST(strftime('%s', ${at}) AS INTEGER)`,
      (text) => `json_quote(${text})`,
    ),
  postgres:
    tables.postgres +
    filled(
      (at) => `floor(extract(epoch FROM ${at}::timestamptz))::bigint`,
      (text) => `to_json(${text})::text`,
    ),
};
