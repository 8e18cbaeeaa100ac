/**
 * The garden: what of each topic a member has completed, the plants of the last day that were uprooted, and the secret
 * addresses of what members share. Triggers keep the first, because statuses are written in many
 * places, and bump the revisions of plants (decision 0027).
 */
import { type Migration, onBothEngines } from '../engine.ts';

const tables = onBothEngines(`
    ALTER TABLE plants ADD COLUMN species TEXT;
    ALTER TABLE plants ADD COLUMN list_id INTEGER;
    ALTER TABLE plants ADD COLUMN list_name TEXT;
    ALTER TABLE plants ADD COLUMN edits TEXT;
    CREATE INDEX plants_by_list ON plants (list_id) WHERE list_id IS NOT NULL;

    CREATE TABLE completions (
      user_id INTEGER NOT NULL,
      tag TEXT NOT NULL,
      completed_at TEXT NOT NULL,
      problem_id INTEGER NOT NULL,
      PRIMARY KEY (user_id, tag, completed_at, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX completions_by_problem ON completions (problem_id, user_id);

    CREATE TABLE uprooted_plants (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      tag TEXT,
      target INTEGER NOT NULL,
      planted_at TEXT NOT NULL,
      species TEXT,
      list_id INTEGER,
      list_name TEXT,
      edits TEXT,
      uprooted_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX uprooted_plants_by_member ON uprooted_plants (user_id);
    CREATE INDEX uprooted_plants_by_time ON uprooted_plants (uprooted_at);

    CREATE TABLE shared_addresses (
      secret TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('garden', 'year', 'calendar')),
      made_at TEXT NOT NULL,
      UNIQUE (user_id, kind)
    ) STRICT, WITHOUT ROWID;
`);

/** Rows for the completed ones of these statuses: one for each topic, and one with an empty tag, which stands for any topic. */
const completionsOf = (statuses: string, tags: string) => `
    INSERT INTO completions (user_id, tag, completed_at, problem_id)
    SELECT DISTINCT s.user_id, element.value,
      CASE WHEN s.self_at IS NULL OR (s.judge_status = 'complete' AND s.judge_at < s.self_at) THEN s.judge_at ELSE s.self_at END,
      s.problem_id
    FROM ${statuses} JOIN problems ON problems.id = s.problem_id CROSS JOIN ${tags}
    WHERE coalesce(s.self_status, s.judge_status) = 'complete'`;

/** The runner takes a semicolon at the end of a line for the end of a statement. */
const onOneLine = (statement: string) => statement.replaceAll(/\s+/g, ' ').trim();

/** The statements of a trigger in SQLite, which runs for each row. */
const sqliteTrigger = (name: string, event: string, ...statements: string[]) =>
  `${onOneLine(`CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statements.join('; ')}; END`)};\n`;

const sqliteTags = `json_each(json_insert(problems.tags, '$[#]', '')) AS element`;
/** The row of a trigger as a table of one row. */
const sqliteRow = `(SELECT NEW.user_id AS user_id, NEW.problem_id AS problem_id, NEW.self_status AS self_status,
    NEW.self_at AS self_at, NEW.judge_status AS judge_status, NEW.judge_at AS judge_at) AS s`;
const sqliteAdd = `${completionsOf(sqliteRow, sqliteTags)} ON CONFLICT DO NOTHING`;
const sqliteRemove = 'DELETE FROM completions WHERE problem_id = OLD.problem_id AND user_id = OLD.user_id';
const isComplete = (row: string) => `coalesce(${row}.self_status, ${row}.judge_status) = 'complete'`;
const sqliteBump = (row: string) =>
  `INSERT INTO revisions (scope, revision) VALUES ('plants:' || ${row}.user_id, 1) ON CONFLICT (scope) DO UPDATE SET revision = revision + 1`;

const sqlite = [
  `${completionsOf('statuses AS s', sqliteTags)};\n`,
  sqliteTrigger('statuses_added', `INSERT ON statuses WHEN ${isComplete('NEW')}`, sqliteAdd),
  sqliteTrigger(
    'statuses_changed',
    `UPDATE ON statuses WHEN ${isComplete('OLD')} OR ${isComplete('NEW')}`,
    sqliteRemove,
    sqliteAdd,
  ),
  sqliteTrigger('statuses_removed', `DELETE ON statuses WHEN ${isComplete('OLD')}`, sqliteRemove),
  sqliteTrigger(
    'problems_retagged',
    'UPDATE OF tags ON problems WHEN OLD.tags <> NEW.tags',
    'DELETE FROM completions WHERE problem_id = OLD.id',
    `${completionsOf('statuses AS s', sqliteTags)} AND s.problem_id = NEW.id ON CONFLICT DO NOTHING`,
  ),
  sqliteTrigger('plants_added', 'INSERT ON plants', sqliteBump('NEW')),
  sqliteTrigger('plants_changed', 'UPDATE ON plants', sqliteBump('NEW'), sqliteBump('OLD')),
].join('');

/** The statements of a trigger in PostgreSQL, which runs once for all rows of a statement. */
const postgresTrigger = (name: string, event: string, rows: string, ...statements: string[]) => `
    ${onOneLine(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements.join('; ')}; RETURN NULL; END $$`)};
    CREATE TRIGGER ${name} AFTER ${event} REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;

const postgresTags = `LATERAL jsonb_array_elements_text(problems.tags::jsonb || '[""]'::jsonb) AS element (value)`;
const postgresAdd = `${completionsOf('added AS s', postgresTags)} ON CONFLICT DO NOTHING`;
const postgresRemove = `DELETE FROM completions USING removed AS s
    WHERE completions.problem_id = s.problem_id AND completions.user_id = s.user_id AND ${isComplete('s')}`;
const postgresBump = (rows: string) => `INSERT INTO revisions (scope, revision)
    SELECT DISTINCT 'plants:' || user_id, 1 FROM ${rows} ORDER BY 1
    ON CONFLICT (scope) DO UPDATE SET revision = revisions.revision + 1`;
const [asOld, asNew] = ['OLD TABLE AS removed', 'NEW TABLE AS added'];

const postgres = [
  `${completionsOf('statuses AS s', postgresTags)};`,
  postgresTrigger('statuses_added', 'INSERT ON statuses', asNew, postgresAdd),
  postgresTrigger('statuses_changed', 'UPDATE ON statuses', `${asOld} ${asNew}`, postgresRemove, postgresAdd),
  postgresTrigger('statuses_removed', 'DELETE ON statuses', asOld, postgresRemove),
  postgresTrigger(
    'problems_retagged',
    'UPDATE ON problems',
    `${asOld} ${asNew}`,
    `DELETE FROM completions USING removed, added
      WHERE removed.id = added.id AND removed.tags <> added.tags AND completions.problem_id = added.id`,
    `${completionsOf('statuses AS s', postgresTags)}
      AND s.problem_id IN (SELECT added.id FROM removed JOIN added ON added.id = removed.id WHERE removed.tags <> added.tags)
      ON CONFLICT DO NOTHING`,
  ),
  postgresTrigger('plants_added', 'INSERT ON plants', asNew, postgresBump('added')),
  postgresTrigger(
    'plants_changed',
    'UPDATE ON plants',
    `${asOld} ${asNew}`,
    postgresBump('(SELECT user_id FROM removed UNION SELECT user_id FROM added) AS owners'),
  ),
].join('\n');

export const garden: Migration = {
  name: 'garden',
  why: 'Plants keep their species and can count a list; a deleted plant can be restored for a day.',
  sqlite: tables.sqlite + sqlite,
  postgres: `${tables.postgres}\n${postgres}`,
};
