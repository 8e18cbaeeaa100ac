/** Problems that are due to be tried again, and the order in which contests are shown. */
import { type Migration, onBothEngines } from '../engine.ts';

const tables = onBothEngines(`
    CREATE TABLE reviews (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      grade TEXT NOT NULL CHECK (grade IN ('again', 'hard', 'good', 'easy', 'later', 'never')),
      made_at TEXT NOT NULL,
      undone_at TEXT
    ) STRICT;
    CREATE INDEX reviews_by_time ON reviews (user_id, made_at);
    CREATE INDEX reviews_by_problem ON reviews (problem_id, user_id);

    CREATE TABLE review_cards (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      begun_day INTEGER NOT NULL,
      first_grade TEXT NOT NULL CHECK (first_grade IN ('again', 'hard', 'good', 'easy')),
      due_day INTEGER,
      turn INTEGER NOT NULL,
      last_review INTEGER,
      PRIMARY KEY (user_id, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX review_cards_by_turn ON review_cards (user_id, turn, due_day, problem_id);
    CREATE INDEX review_cards_by_problem ON review_cards (problem_id);

    CREATE INDEX contests_by_start ON contests (source, coalesce(starts_at, ''), id);
    CREATE INDEX solves_by_contest ON solves (handle_id, contest, participation, submitted_at);
  `);

/** A card for every problem that is solved, as `firstGrade` and `cardOf` of `practice/review-cards.ts` make it. */
const begun = `
    INSERT INTO review_cards (user_id, problem_id, begun_day, first_grade, due_day, turn)
    SELECT user_id, problem_id, day, grade,
      day + CASE grade WHEN 'again' THEN 1 WHEN 'hard' THEN 2 WHEN 'good' THEN 3 ELSE 8 END,
      CASE grade WHEN 'again' THEN 1 WHEN 'hard' THEN 2 WHEN 'good' THEN 3 ELSE 4 END
    FROM (
      SELECT solved.user_id, solved.problem_id, solved.day,
        CASE
          WHEN statuses.how = 'editorial' THEN 'again'
          WHEN statuses.how = 'hint' OR sent.tried > 3 THEN 'hard'
          WHEN sent.tried = 0 THEN 'easy'
          ELSE 'good'
        END AS grade
      FROM (SELECT user_id, problem_id, max(day) AS day FROM solved_days GROUP BY user_id, problem_id) AS solved
      JOIN statuses ON statuses.user_id = solved.user_id AND statuses.problem_id = solved.problem_id
      LEFT JOIN (
        SELECT handles.user_id, solves.problem_id,
          sum(CASE WHEN verdict_class = 'tried' AND submitted_at < first.at THEN 1 ELSE 0 END) AS tried
        FROM solves
        JOIN handles ON handles.id = solves.handle_id
        JOIN (
          SELECT handles.user_id, solves.problem_id, min(submitted_at) AS at
          FROM solves JOIN handles ON handles.id = solves.handle_id
          WHERE verdict_class = 'solved' AND problem_id IS NOT NULL
          GROUP BY handles.user_id, solves.problem_id
        ) AS first ON first.user_id = handles.user_id AND first.problem_id = solves.problem_id
        GROUP BY handles.user_id, solves.problem_id
      ) AS sent ON sent.user_id = solved.user_id AND sent.problem_id = solved.problem_id
      WHERE coalesce(statuses.self_status, statuses.judge_status) = 'complete'
    ) AS graded`;

export const reviews: Migration = {
  name: 'reviews',
  why: 'Solved problems are due for review; contests are listed by their start.',
  sqlite: tables.sqlite + begun,
  postgres: tables.postgres + begun,
};
