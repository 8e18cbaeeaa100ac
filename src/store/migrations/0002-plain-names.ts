import { type Migration, onBothEngines } from '../engine.ts';

/**
 * Both engines rename a column in its checks and indexes too. What staff removed is JSON with the names of columns, so
 * that it can come back for a day; a quote follows such a name, or a backslash in JSON inside of JSON.
 */
export const plainNames: Migration = {
  name: 'plain-names',
  why: 'Columns and a table have plainer names. There is room for programs, own code, labels, teams, duels, live imports, results of past contests, class lists and archived groups.',
  ...onBothEngines(`
ALTER TABLE solves RENAME COLUMN way TO origin;
ALTER TABLE handle_proofs RENAME COLUMN way TO method;
ALTER TABLE handles RENAME COLUMN brought_at TO imported_at;
ALTER TABLE arrivals RENAME COLUMN way TO channel;
ALTER TABLE arrivals RENAME COLUMN lost TO unmatched;
ALTER TABLE arrivals RENAME COLUMN lost_text TO unmatched_text;
ALTER TABLE statuses RENAME COLUMN overtaken_status TO earlier_status;
ALTER TABLE statuses RENAME COLUMN overtaken_at TO earlier_at;
ALTER TABLE statuses RENAME COLUMN listed_by TO solved_list_source;
ALTER TABLE judge_gates RENAME TO request_slots;
UPDATE removed_problems SET before = replace(replace(before, 'overtaken_status', 'earlier_status'), 'overtaken_at', 'earlier_at');
UPDATE removed_problems SET before = replace(replace(before, 'listed_by"', 'solved_list_source"'), 'listed_by\\', 'solved_list_source\\');
ALTER TABLE arrivals ADD COLUMN waiting TEXT;
CREATE INDEX arrivals_waiting ON arrivals (user_id) WHERE waiting IS NOT NULL;
ALTER TABLE round_people ADD COLUMN hours_from TEXT NOT NULL DEFAULT '';
ALTER TABLE round_people ADD COLUMN hours_until TEXT NOT NULL DEFAULT '';
ALTER TABLE round_people ADD COLUMN has_same_problems INTEGER NOT NULL DEFAULT 1;
UPDATE round_people SET
  hours_from = (SELECT starts_at FROM rounds WHERE id = round_id),
  hours_until = (SELECT ends_at FROM rounds WHERE id = round_id);
ALTER TABLE group_lists ADD COLUMN changed_at TEXT;
ALTER TABLE solves ADD COLUMN virtual_began_at TEXT;
CREATE TABLE group_removals (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  removed_at TEXT NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_removals_by_member ON group_removals (user_id);
ALTER TABLE groups ADD COLUMN archived_at TEXT;
CREATE TABLE round_invitations (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  is_declined INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (round_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX round_invitations_by_member ON round_invitations (user_id);
DROP INDEX solves_by_contest;
CREATE INDEX solves_by_contest ON solves (handle_id, contest, participation, submitted_at, is_team, verdict_class, problem_id)
  WHERE participation IS NULL OR participation <> 'practice';
CREATE INDEX handles_by_name ON handles (source, name_key);
CREATE TABLE live_feeds (source TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
CREATE TABLE program_changes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  made_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
CREATE INDEX program_changes_by_member ON program_changes (user_id, id);
CREATE INDEX program_changes_by_token ON program_changes (token_id);
CREATE TABLE program_parts (
  change_id INTEGER NOT NULL REFERENCES program_changes (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  part_id INTEGER NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (change_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX program_parts_by_part ON program_parts (kind, part_id);
CREATE TABLE program_keys (
  token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  PRIMARY KEY (token_id, key)
) STRICT;
CREATE INDEX program_keys_by_age ON program_keys (token_id, made_at, key, bytes);
CREATE TABLE program_writes (
  user_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
  minute INTEGER NOT NULL,
  writes INTEGER NOT NULL
) STRICT;
CREATE TABLE solutions (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  about TEXT,
  submission TEXT,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  code TEXT NOT NULL,
  added_at TEXT NOT NULL,
  removed_at TEXT
) STRICT;
CREATE INDEX solutions_by_member ON solutions (user_id, problem_id);
CREATE INDEX solutions_by_problem ON solutions (problem_id);
CREATE INDEX solutions_removed ON solutions (removed_at) WHERE removed_at IS NOT NULL;
ALTER TABLE arrived_problems ADD COLUMN solution_id INTEGER;
CREATE INDEX program_parts_contents ON program_parts (part_id, change_id) WHERE kind = 'content' AND before IS NOT NULL;
ALTER TABLE shared_addresses ADD COLUMN used_at TEXT;
CREATE TABLE program_feeds (
  user_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
  place INTEGER NOT NULL
) STRICT;
CREATE TABLE program_feed_items (
  user_id INTEGER NOT NULL REFERENCES program_feeds (user_id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  thing_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  at TEXT NOT NULL,
  by_kind TEXT NOT NULL,
  token_id INTEGER,
  change_id INTEGER,
  PRIMARY KEY (user_id, kind, thing_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX program_feed_items_by_place ON program_feed_items (user_id, place);
CREATE INDEX program_feed_items_by_thing ON program_feed_items (thing_id, kind);
ALTER TABLE bookmarks ADD COLUMN labels TEXT;
CREATE INDEX bookmarks_labelled ON bookmarks (user_id, problem_id) WHERE labels IS NOT NULL;
ALTER TABLE group_members ADD COLUMN student_number TEXT;
CREATE TABLE expected_people (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  student_number TEXT
) STRICT;
CREATE INDEX expected_people_by_group ON expected_people (group_id, id);
ALTER TABLE group_members ADD COLUMN expected_id INTEGER REFERENCES expected_people (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX group_members_by_expected ON group_members (expected_id);
ALTER TABLE group_links ADD COLUMN expected_id INTEGER REFERENCES expected_people (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX group_links_by_expected ON group_links (expected_id);
CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;
CREATE INDEX teams_by_group ON teams (group_id);
CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT,
  has_agreed INTEGER NOT NULL,
  PRIMARY KEY (team_id, user_id, first_day),
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_by_person ON team_members (group_id, user_id);
CREATE TABLE team_authors (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (team_id, source, key, user_id),
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX team_authors_by_person ON team_authors (group_id, user_id);
ALTER TABLE rounds ADD COLUMN teams_day TEXT;
ALTER TABLE solves ADD COLUMN judge_team TEXT;
CREATE TABLE real_fields (
  round_id INTEGER PRIMARY KEY REFERENCES rounds (id) ON DELETE CASCADE,
  due_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  title TEXT,
  field TEXT
) STRICT;
ALTER TABLE rounds ADD COLUMN duel_source TEXT;
ALTER TABLE rounds ADD COLUMN duel_band TEXT;
ALTER TABLE rounds ADD COLUMN accepted_at TEXT;
ALTER TABLE contests ADD COLUMN difficulty INTEGER;
`),
};

/* Triggers write each change of practice into the feed of its member, whichever door it comes by. */

type Event = 'INSERT' | 'UPDATE' | 'DELETE';

interface Source {
  columns: readonly string[];
  events?: readonly Event[];
  /** Which things of whom differ after a statement that wrote the rows `changed`. */
  things: string;
  /** When a judge changed a row; before an UPDATE its row is in `former`. */
  isByJudge?: Partial<Record<Event, string>>;
}

const everyEvent = ['INSERT', 'UPDATE', 'DELETE'] as const;

const isFormer = (key: readonly string[], same: readonly string[]) =>
  `EXISTS (SELECT 1 FROM former WHERE ${key.map((column) => `former.${column} = changed.${column}`).join(' AND ')}
    AND ${same.map((column) => `former.${column} IS NOT DISTINCT FROM (changed.${column})`).join(' AND ')})`;

const ofKind = (kind: string, id: string, member = 'user_id') =>
  `SELECT ${member} AS user_id, '${kind}' AS kind, ${id} AS thing_id, AUTHOR AS by_kind FROM changed`;

/** An added problem shows its mark. */
const marks: Source = {
  columns: ['user_id', 'problem_id'],
  things: `${ofKind('mark', 'problem_id')} UNION
    SELECT member_id, 'problem', added_problems.problem_id, AUTHOR FROM changed
    INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id`,
};

const sources: Readonly<Record<string, Source>> = {
  statuses: {
    ...marks,
    columns: ['user_id', 'problem_id', 'self_status', 'self_at', 'how'],
    // A list says how many of its problems are solved.
    things: `${marks.things} UNION SELECT owner_id, 'list', list_id, AUTHOR FROM changed
      INNER JOIN list_items ON list_items.problem_id = changed.problem_id
      INNER JOIN lists ON lists.id = list_id AND owner_id = user_id`,
    isByJudge: {
      INSERT: 'self_status IS NULL',
      UPDATE: isFormer(['user_id', 'problem_id'], ['self_status', 'self_at', 'how']),
      DELETE: 'self_status IS NULL',
    },
  },
  bookmarks: marks,
  reviews: { columns: ['user_id', 'id'], things: ofKind('review', 'id') },
  // Only an ended time is in the feed, and one that runs on again has left it.
  timers: {
    columns: ['user_id', 'id', 'stopped_at', 'solved_at', 'undone_at'],
    things: `${ofKind('time', 'id')} WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL
      OR EXISTS (SELECT 1 FROM program_feed_items AS items
        WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)`,
    isByJudge: { UPDATE: `NOT ${isFormer(['id'], ['solved_at'])}` },
  },
  lists: { columns: ['owner_id', 'id'], things: ofKind('list', 'id', 'owner_id') },
  added_problems: {
    columns: ['member_id', 'problem_id'],
    things: ofKind('problem', 'problem_id', 'member_id'),
  },
  solutions: { columns: ['user_id', 'id'], things: ofKind('solution', 'id') },
  // Marks, added problems and lists show what a problem says.
  problems: {
    columns: ['id'],
    events: ['INSERT', 'UPDATE'],
    things: `SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed
      INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION
      SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id
      INNER JOIN lists ON lists.id = list_id`,
  },
};

/** Each thing moves to the end of its feed. */
const statementsOf = (things: string, now: string, whose: string) => [
  `INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind)
    SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id),
      ${now}, by_kind
    FROM (${things}) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true
    ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at,
      by_kind = excluded.by_kind, token_id = NULL, change_id = NULL;`,
  `UPDATE program_feeds SET place = (
      SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id)
    WHERE ${whose} AND EXISTS (SELECT 1 FROM program_feed_items AS items
      WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place);`,
];

/** Of a row of `problems`. */
const isShownSomewhere = `EXISTS (SELECT 1 FROM program_feed_items WHERE thing_id = NEW.id AND kind IN ('mark', 'problem'))
  OR EXISTS (SELECT 1 FROM list_items WHERE problem_id = NEW.id)`;

const whoseOf = (things: string) => `user_id IN (SELECT user_id FROM (${things}) AS things)`;

/** The runner splits a migration at semicolons at the ends of lines, so a body stands on one. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

const thingsAt = (event: Event, { things, isByJudge }: Source) =>
  things.replaceAll('AUTHOR', `CASE WHEN ${isByJudge?.[event] ?? 'false'} THEN 'judge' ELSE 'website' END`);

function sqliteTrigger(table: string, event: Event, source: Source): string {
  const rows = (of: string, name: string) =>
    `FROM (SELECT ${source.columns.map((column) => `${of}.${column} AS ${column}`)}) AS ${name}`;
  const row = event === 'DELETE' ? 'OLD' : 'NEW';
  const things = thingsAt(event, source)
    .replaceAll('FROM changed', rows(row, 'changed'))
    .replaceAll('FROM former', rows('OLD', 'former'));
  // A row that is in no feed costs a look or three.
  const isOfMember = `user_id = ${row}.${source.columns[0]}`;
  const [whose, isFollowed] =
    table === 'problems' ? [whoseOf(things), isShownSomewhere] : [isOfMember, isOfMember];
  const body = statementsOf(things, "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')", whose).join(' ');
  const when = onOneLine(`EXISTS (SELECT 1 FROM program_feeds WHERE ${isFollowed})`);
  return `CREATE TRIGGER ${table}_${event.toLowerCase()}_in_feed AFTER ${event} ON ${table}
    WHEN ${when} BEGIN ${onOneLine(body)} END;\n`;
}

const rowsAt = {
  INSERT: 'NEW TABLE AS changed',
  UPDATE: 'OLD TABLE AS former NEW TABLE AS changed',
  DELETE: 'OLD TABLE AS changed',
} as const;

/** Waits for the row of the feed, which then stays locked until commit; a statement after it sees what came before. */
function postgresTrigger(table: string, event: Event, source: Source): string {
  const name = `${table}_${event.toLowerCase()}_in_feed`;
  const things = thingsAt(event, source);
  const lock = `PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (${things}) AS things)
    ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF;`;
  const now = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const body = [lock, ...statementsOf(things, now, whoseOf(things)), 'RETURN NULL;'].join(' ');
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${onOneLine(body)} END $$;
    CREATE TRIGGER ${name} AFTER ${event} ON ${table} REFERENCING ${rowsAt[event]}
    FOR EACH STATEMENT EXECUTE FUNCTION ${name}();\n`;
}

const all = (trigger: (table: string, event: Event, source: Source) => string) =>
  Object.entries(sources)
    .flatMap(([table, source]) => (source.events ?? everyEvent).map((event) => trigger(table, event, source)))
    .join('');

plainNames.sqlite += all(sqliteTrigger);
plainNames.postgres += all(postgresTrigger);
