/** Schema 1: all tables and indexes by noun. A table comes after those that it references. */
import { type Migration, onBothEngines } from '../engine.ts';

const tables = onBothEngines(`
-- Members, and how they sign in.

CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  username_key TEXT NOT NULL UNIQUE,
  first_name TEXT, last_name TEXT, email TEXT, phone TEXT,
  address TEXT, city TEXT, state TEXT, zipcode TEXT,
  role TEXT NOT NULL CHECK (role IN ('member', 'staff')),
  search_text TEXT NOT NULL,
  is_disabled INTEGER NOT NULL DEFAULT 0,
  is_sample INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  password_hash TEXT
) STRICT;

CREATE TABLE member_settings (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  digest TEXT NOT NULL UNIQUE,
  browser TEXT NOT NULL,
  network TEXT NOT NULL,
  created_at TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_member ON sessions (user_id, id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  last_used_at TEXT
) STRICT;
CREATE INDEX tokens_by_member ON tokens (user_id, id);

CREATE TABLE entry_links (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset', 'demo')),
  digest TEXT NOT NULL UNIQUE,
  user_id INTEGER REFERENCES members (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('member', 'staff')),
  uses_left INTEGER NOT NULL,
  made_by INTEGER REFERENCES members (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;

CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  made_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX passkeys_by_member ON passkeys (user_id);

CREATE TABLE passkey_challenges (
  browser TEXT PRIMARY KEY,
  user_id INTEGER REFERENCES members (id) ON DELETE CASCADE,
  challenge TEXT NOT NULL,
  begun_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (begun_at);
CREATE INDEX passkey_challenges_by_member ON passkey_challenges (user_id);

CREATE TABLE openid_providers (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  admits TEXT NOT NULL CHECK (admits IN ('nobody', 'everyone', 'domain', 'claim', 'joined')),
  claim TEXT NOT NULL,
  wanted TEXT NOT NULL,
  makes_members INTEGER NOT NULL,
  name_claim TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE openid_accounts (
  provider TEXT NOT NULL REFERENCES openid_providers (key) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  label TEXT,
  joined_at TEXT NOT NULL,
  used_at TEXT NOT NULL,
  PRIMARY KEY (provider, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX openid_accounts_by_member ON openid_accounts (user_id, provider);

CREATE TABLE openid_visits (
  browser TEXT PRIMARY KEY,
  user_id INTEGER REFERENCES members (id) ON DELETE CASCADE,
  provider TEXT NOT NULL REFERENCES openid_providers (key) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign-in', 'join', 'proof')),
  state TEXT NOT NULL,
  nonce TEXT NOT NULL,
  verifier TEXT NOT NULL,
  goes_to TEXT NOT NULL,
  invitation_id INTEGER,
  joins_group INTEGER NOT NULL,
  begun_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX openid_visits_by_age ON openid_visits (begun_at);
CREATE INDEX openid_visits_by_member ON openid_visits (user_id);
CREATE INDEX openid_visits_by_provider ON openid_visits (provider);

CREATE TABLE attempts (
  digest TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_end ON attempts (expires_at);

CREATE TABLE staff_log (
  id INTEGER PRIMARY KEY,
  made_at TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  what TEXT NOT NULL,
  member_id INTEGER
) STRICT;

-- Problems: the catalogue, with the keys, topics and figures of each problem.

CREATE TABLE problems (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL,
  url TEXT,
  rating INTEGER,
  tags TEXT NOT NULL,
  aliases TEXT NOT NULL,
  editorial_url TEXT,
  video_url TEXT,
  search_text TEXT NOT NULL,
  is_sample INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_gym INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX problems_by_update ON problems (updated_at, id);
CREATE INDEX problems_by_url ON problems (url) WHERE url IS NOT NULL;
CREATE INDEX problems_by_key ON problems (source_key, id) WHERE is_gym < 1;
CREATE INDEX problems_of_gyms ON problems (id) WHERE is_gym = 1;

CREATE TABLE problem_keys (
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  problem_id INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE problem_tags (
  tag TEXT NOT NULL,
  problem_id INTEGER NOT NULL,
  PRIMARY KEY (tag, problem_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE added_problems (
  problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
  member_id INTEGER REFERENCES members (id) ON DELETE SET NULL,
  added_at TEXT NOT NULL
) STRICT;
CREATE INDEX added_problems_by_member ON added_problems (member_id, added_at);
CREATE INDEX added_problems_by_time ON added_problems (added_at, problem_id);

CREATE TABLE removed_problems (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL,
  title TEXT NOT NULL,
  merged_into INTEGER REFERENCES problems (id) ON DELETE CASCADE,
  before TEXT NOT NULL,
  removed_at TEXT NOT NULL
) STRICT;
CREATE INDEX removed_problems_by_key ON removed_problems (source, source_key);
CREATE INDEX removed_problems_by_time ON removed_problems (removed_at);

CREATE TABLE solved_counts (
  problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
  solved_by INTEGER NOT NULL
) STRICT;

CREATE TABLE time_models (
  problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
  slope INTEGER NOT NULL,
  intercept INTEGER NOT NULL
) STRICT;

-- Marks of members on problems, the changes that can be undone, and first solves.

CREATE TABLE statuses (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  self_status TEXT, self_at TEXT,
  judge_status TEXT, judge_at TEXT,
  how TEXT CHECK (how IN ('alone', 'hint', 'editorial')),
  overtaken_status TEXT, overtaken_at TEXT,
  listed_by TEXT,
  PRIMARY KEY (user_id, problem_id),
  -- Lists of solved problems from other sites have no days, so only "complete" may have no time.
  CHECK (self_at IS NULL OR self_status IS NOT NULL),
  CHECK (self_at IS NOT NULL OR self_status IS NULL OR self_status = 'complete'),
  CHECK (judge_at IS NULL OR judge_status IS NOT NULL),
  CHECK (judge_at IS NOT NULL OR judge_status IS NULL OR judge_status = 'complete'),
  CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);

CREATE TABLE bookmarks (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  note TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_starred INTEGER NOT NULL DEFAULT 1,
  editorial_at TEXT,
  PRIMARY KEY (user_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);

CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  batch_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('status', 'how', 'bookmark', 'note')),
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  made_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
CREATE INDEX changes_by_member ON changes (user_id, id);
CREATE INDEX changes_by_problem ON changes (problem_id, user_id, id);
CREATE INDEX changes_by_batch ON changes (user_id, batch_id);

CREATE TABLE first_solves (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX first_solves_by_time ON first_solves (user_id, at, problem_id);
CREATE INDEX first_solves_by_problem ON first_solves (problem_id);

-- Handles at judges, whose they are, and the submissions and ratings under them.

CREATE TABLE handles (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  brought_at TEXT,
  UNIQUE (user_id, source, name_key)
) STRICT;

CREATE TABLE handle_renames (
  handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
  before TEXT NOT NULL,
  renamed_at TEXT NOT NULL,
  PRIMARY KEY (handle_id, before)
) STRICT, WITHOUT ROWID;

CREATE TABLE handle_proofs (
  handle_id INTEGER PRIMARY KEY REFERENCES handles (id) ON DELETE CASCADE,
  way TEXT NOT NULL CHECK (way IN ('submission', 'openid', 'confirmation')),
  subject TEXT,
  proved_at TEXT NOT NULL
) STRICT;

CREATE TABLE proof_tasks (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  handle_id INTEGER REFERENCES handles (id) ON DELETE SET NULL,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  drawn_at TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  PRIMARY KEY (user_id, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX proof_tasks_by_handle ON proof_tasks (handle_id);
CREATE INDEX proof_tasks_by_problem ON proof_tasks (problem_id);

CREATE TABLE solves (
  handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
  submission_id TEXT NOT NULL,
  problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
  key TEXT NOT NULL,
  verdict_class TEXT NOT NULL CHECK (verdict_class IN ('pending', 'void', 'tried', 'solved')),
  verdict TEXT,
  submitted_at TEXT NOT NULL,
  contest TEXT,
  participation TEXT CHECK (participation IN ('contest', 'virtual', 'practice', 'team')),
  language TEXT,
  way TEXT NOT NULL CHECK (way IN ('server', 'browser', 'file')),
  is_team INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (handle_id, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX solves_by_problem ON solves (problem_id, handle_id, verdict_class, submitted_at);
CREATE INDEX solves_by_contest ON solves (handle_id, contest, participation, submitted_at)
  WHERE participation IS NULL OR participation <> 'practice';
-- It has all columns that the figures of days need, so counting them reads no submission itself.
CREATE INDEX solves_by_time ON solves (handle_id, submitted_at, submission_id, verdict_class, problem_id);

CREATE TABLE ratings (
  handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
  contest TEXT NOT NULL,
  title TEXT NOT NULL,
  place INTEGER,
  rating INTEGER NOT NULL,
  rated_at TEXT NOT NULL,
  PRIMARY KEY (handle_id, contest)
) STRICT, WITHOUT ROWID;

-- Contests of judges, and contests to come with the feeds that list them.

CREATE TABLE contests (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  starts_at TEXT,
  duration_s INTEGER NOT NULL,
  phase TEXT,
  search_text TEXT NOT NULL,
  is_gym INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, key)
) STRICT;
CREATE INDEX contests_by_start ON contests (source, coalesce(starts_at, ''), id);

CREATE TABLE contest_problems (
  contest_id INTEGER NOT NULL REFERENCES contests (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  position TEXT NOT NULL,
  problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
  PRIMARY KEY (contest_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX contest_problems_by_problem ON contest_problems (problem_id, contest_id);

CREATE TABLE upcoming_contests (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  url TEXT,
  starts_at TEXT NOT NULL,
  duration_s INTEGER NOT NULL,
  told_by TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  cancelled_at TEXT,
  UNIQUE (source, key)
) STRICT;
CREATE INDEX upcoming_contests_by_start ON upcoming_contests (starts_at);

CREATE TABLE upcoming_listings (
  contest_id INTEGER NOT NULL REFERENCES upcoming_contests (id) ON DELETE CASCADE,
  feed TEXT NOT NULL,
  PRIMARY KEY (contest_id, feed)
) STRICT, WITHOUT ROWID;
CREATE INDEX upcoming_listings_by_feed ON upcoming_listings (feed);

-- Plants, and the secret addresses of what members share.

CREATE TABLE plants (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  tag TEXT,
  target INTEGER NOT NULL CHECK (target > 0),
  planted_at TEXT NOT NULL,
  species TEXT,
  list_id INTEGER,
  list_name TEXT,
  edits TEXT,
  source TEXT,
  rating_min INTEGER,
  rating_max INTEGER,
  by_date TEXT
) STRICT;
CREATE INDEX plants_by_member ON plants (user_id, id);
CREATE INDEX plants_by_list ON plants (list_id) WHERE list_id IS NOT NULL;

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
  uprooted_at TEXT NOT NULL,
  source TEXT,
  rating_min INTEGER,
  rating_max INTEGER,
  by_date TEXT
) STRICT;
CREATE INDEX uprooted_plants_by_member ON uprooted_plants (user_id);
CREATE INDEX uprooted_plants_by_time ON uprooted_plants (uprooted_at);

CREATE TABLE deleted_plants (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE shared_addresses (
  secret TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('garden', 'year', 'calendar')),
  made_at TEXT NOT NULL,
  UNIQUE (user_id, kind)
) STRICT, WITHOUT ROWID;

-- Reviews and timers.

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

CREATE TABLE timers (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  started_at TEXT NOT NULL,
  pauses TEXT NOT NULL,
  stopped_at TEXT,
  outcome TEXT CHECK (outcome IN ('solved', 'editorial', 'unsolved')),
  solved_at TEXT,
  grade TEXT CHECK (grade IN ('again', 'hard', 'good', 'easy')),
  change_id INTEGER,
  undone_at TEXT
) STRICT;
CREATE UNIQUE INDEX timers_open ON timers (user_id) WHERE stopped_at IS NULL AND undone_at IS NULL;
CREATE INDEX timers_by_time ON timers (user_id, started_at);
CREATE INDEX timers_by_problem ON timers (problem_id, user_id);

-- Lists: problems in sections, and the lists that follow an address.

CREATE TABLE lists (
  id INTEGER PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'garden', 'secret')),
  secret_digest TEXT UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  extras TEXT,
  CHECK ((visibility = 'secret') = (secret_digest IS NOT NULL))
) STRICT;
CREATE INDEX lists_by_owner ON lists (owner_id, updated_at);
CREATE INDEX lists_of_garden ON lists (updated_at) WHERE visibility = 'garden';

CREATE TABLE list_sections (
  list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  extras TEXT,
  PRIMARY KEY (list_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE list_items (
  list_id INTEGER NOT NULL,
  section INTEGER NOT NULL,
  position INTEGER NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  memo TEXT,
  added_at TEXT NOT NULL,
  extras TEXT,
  PRIMARY KEY (list_id, problem_id),
  FOREIGN KEY (list_id, section) REFERENCES list_sections (list_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX list_items_by_problem ON list_items (problem_id, list_id);
CREATE INDEX list_items_by_section ON list_items (list_id, section, position);

CREATE TABLE list_follows (
  list_id INTEGER PRIMARY KEY REFERENCES lists (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  entity_tag TEXT,
  due_at INTEGER NOT NULL,
  tried_at TEXT,
  good_at TEXT,
  fault TEXT,
  missing TEXT NOT NULL
) STRICT;
CREATE INDEX list_follows_by_due ON list_follows (due_at);

CREATE TABLE followed_items (
  list_id INTEGER NOT NULL REFERENCES list_follows (list_id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  came_at TEXT,
  is_gone INTEGER NOT NULL,
  PRIMARY KEY (list_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX followed_items_by_problem ON followed_items (problem_id);

-- Inboxes: the secret address to which a member sends problems, and the problems that arrived.

CREATE TABLE inboxes (
  user_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
  secret_digest TEXT NOT NULL UNIQUE,
  beginning TEXT NOT NULL,
  made_at TEXT NOT NULL,
  minute INTEGER NOT NULL,
  requests INTEGER NOT NULL
) STRICT;

CREATE TABLE arrivals (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  way TEXT NOT NULL,
  batch TEXT,
  list_id INTEGER REFERENCES lists (id) ON DELETE SET NULL,
  makes_list INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  over_limit INTEGER NOT NULL,
  lost_text TEXT,
  arrived_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
CREATE INDEX arrivals_by_member ON arrivals (user_id, id);
CREATE INDEX arrivals_by_list ON arrivals (list_id);

CREATE TABLE arrived_problems (
  arrival_id INTEGER NOT NULL REFERENCES arrivals (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  is_new INTEGER NOT NULL,
  is_listed INTEGER NOT NULL,
  status_change INTEGER,
  note_change INTEGER,
  minutes INTEGER,
  PRIMARY KEY (arrival_id, position)
) STRICT;
CREATE INDEX arrived_problems_by_problem ON arrived_problems (problem_id);

-- Groups: people, join links, assigned lists, keys to private gyms, and notes shared with the group.

CREATE TABLE groups (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  zone TEXT NOT NULL,
  has_board INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  language TEXT
) STRICT;

CREATE TABLE group_members (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('member', 'coach')),
  joined_at TEXT NOT NULL,
  on_board INTEGER NOT NULL,
  in_season INTEGER,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_members_by_member ON group_members (user_id, group_id);

CREATE TABLE group_links (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  digest TEXT NOT NULL UNIQUE,
  uses_left INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  made_by INTEGER REFERENCES members (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX group_links_by_group ON group_links (group_id);

CREATE TABLE group_lists (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  due_at TEXT,
  given_at TEXT NOT NULL,
  PRIMARY KEY (group_id, list_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_lists_by_list ON group_lists (list_id);

CREATE TABLE gym_keys (
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- Only the browser of the coach can read it.
  sealed TEXT NOT NULL,
  made_at TEXT NOT NULL,
  PRIMARY KEY (group_id, user_id),
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX gym_keys_by_session ON gym_keys (session_id);

CREATE TABLE shared_notes (
  problem_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  shared_at TEXT NOT NULL,
  PRIMARY KEY (problem_id, user_id, group_id),
  FOREIGN KEY (user_id, problem_id) REFERENCES bookmarks (user_id, problem_id) ON DELETE CASCADE,
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX shared_notes_by_person ON shared_notes (group_id, user_id);

-- Rounds and seasons. Their tables are counted from submissions.

CREATE TABLE rounds (
  id INTEGER PRIMARY KEY,
  made_by INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  group_id INTEGER REFERENCES groups (id) ON DELETE CASCADE,
  secret TEXT UNIQUE,
  name TEXT NOT NULL,
  rule TEXT NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  freeze_minutes INTEGER NOT NULL,
  is_shown INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX rounds_by_maker ON rounds (made_by);
CREATE INDEX rounds_by_group ON rounds (group_id);
CREATE INDEX rounds_by_end ON rounds (ends_at);

CREATE TABLE round_problems (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  points INTEGER NOT NULL,
  PRIMARY KEY (round_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX round_problems_by_problem ON round_problems (problem_id);

CREATE TABLE round_people (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  joined_at TEXT NOT NULL,
  PRIMARY KEY (round_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX round_people_by_member ON round_people (user_id);

CREATE TABLE seasons (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  upsolve_days INTEGER NOT NULL,
  points TEXT NOT NULL CHECK (points IN ('problem', 'band')),
  best INTEGER,
  rule_since TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX seasons_by_group ON seasons (group_id, id);

CREATE TABLE season_contests (
  season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('contest', 'round')),
  item_id INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (season_id, kind, item_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE season_points (
  id INTEGER PRIMARY KEY,
  season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  halves INTEGER NOT NULL,
  reason TEXT NOT NULL,
  made_at TEXT NOT NULL,
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX season_points_by_season ON season_points (season_id, user_id);
CREATE INDEX season_points_by_person ON season_points (group_id, user_id);

-- Webhooks of groups and members, and each message to them.

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY,
  group_id INTEGER UNIQUE REFERENCES groups (id) ON DELETE CASCADE,
  user_id INTEGER UNIQUE REFERENCES members (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  sends_weeks INTEGER NOT NULL,
  sends_dues INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  plans_at INTEGER NOT NULL,
  is_off INTEGER NOT NULL,
  made_by INTEGER REFERENCES members (id) ON DELETE SET NULL,
  sends_contests INTEGER NOT NULL DEFAULT 0,
  CHECK ((group_id IS NULL) <> (user_id IS NULL))
) STRICT;
CREATE INDEX webhooks_by_plan ON webhooks (plans_at);

CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  occasion TEXT NOT NULL,
  message TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'spared')),
  tries INTEGER NOT NULL,
  answer TEXT,
  made_at TEXT NOT NULL,
  tried_at TEXT,
  next_at INTEGER,
  UNIQUE (webhook_id, occasion)
) STRICT;
-- It has the waiting deliveries alone, so it stays small however long the log is.
CREATE INDEX webhook_deliveries_by_turn ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL;

-- Uploads, imports, syncs, and the turns and leases that processes share.

CREATE TABLE uploads (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  room TEXT NOT NULL CHECK (room IN ('member', 'staff')),
  name TEXT NOT NULL,
  asked TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  state TEXT NOT NULL,
  report TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX uploads_by_member ON uploads (user_id, id);

CREATE TABLE imports (
  what TEXT PRIMARY KEY,
  made_at TEXT NOT NULL,
  user_id INTEGER,
  read INTEGER NOT NULL,
  added INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT;

CREATE TABLE syncs (
  name TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  task TEXT NOT NULL,
  handle_id INTEGER REFERENCES handles (id) ON DELETE CASCADE,
  cursor TEXT,
  due_at INTEGER NOT NULL,
  tried_at TEXT,
  good_at TEXT,
  news INTEGER NOT NULL,
  skipped TEXT,
  fault TEXT,
  fault_text TEXT,
  fault_since TEXT,
  failures INTEGER NOT NULL,
  judge_at TEXT
) STRICT;
CREATE INDEX syncs_by_handle ON syncs (handle_id);

CREATE TABLE judge_gates (host TEXT PRIMARY KEY, next_at INTEGER NOT NULL) STRICT;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;

-- The database itself.

CREATE TABLE id_counters (table_name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`);

/**
 * Page indexes leave out gyms, so a page costs the same however many there are. Both conditions mean the same, but is_gym <= 0
 * uses only the index for filters, and is_gym < 1 only those for orders.
 */
const pageIndexes = {
  sqlite: `
CREATE INDEX problems_by_filters ON problems (source, rating, search_text) WHERE is_gym <= 0;
CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_gym < 1;
CREATE INDEX problems_by_title ON problems (title, id) WHERE is_gym < 1;
`,
  // An entry of an index has at most 2,704 bytes here, and titles may be longer. Nulls come last in both directions.
  postgres: `
CREATE INDEX problems_by_filters ON problems (source, rating) WHERE is_gym <= 0;
CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_gym < 1;
CREATE INDEX problems_by_rating_down ON problems (rating DESC NULLS LAST, id) WHERE is_gym < 1;
`,
};

/** Part of the names of backups, so that two databases can share a backup folder. */
const backupMark = (random: string) =>
  `INSERT INTO settings (name, value) VALUES ('backup_mark', ${random});`;

export const schema: Migration = {
  name: 'schema',
  why: 'All tables of the garden.',
  sqlite: tables.sqlite + pageIndexes.sqlite + backupMark('lower(hex(randomblob(4)))'),
  postgres:
    tables.postgres +
    pageIndexes.postgres +
    backupMark('substr(md5(random()::text || clock_timestamp()::text), 1, 8)'),
};
