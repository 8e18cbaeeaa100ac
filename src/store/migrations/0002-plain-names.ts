import { type Migration, onBothEngines } from '../engine.ts';

/**
 * Both engines rename a column in its checks and indexes too. What staff removed is JSON with the names of columns, so
 * that it can come back for a day; a quote follows such a name, or a backslash in JSON inside of JSON.
 */
export const plainNames: Migration = {
  name: 'plain-names',
  why: 'Columns and a table have names that say what they hold, an arrival holds the problems that wait for the limits, a person of a round the hours that they saw, a submission when its virtual contest began, a group who was removed and since when it is archived, a judge what is known of its live feed, what programs wrote, so that each write can be undone, a member keeps own code with problems, and a secret address knows when it was used.',
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
`),
};
