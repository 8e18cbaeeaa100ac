-- Schema 2 as it was released, written by npm run freeze:schema; never changed. A token of ada's: pgt_FP2I8hjtevNmJWEECc6trEXeGnydyz0mntDW
PRAGMA page_size = 8192;
PRAGMA journal_mode = wal;
PRAGMA application_id = 1196573774;
CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
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
CREATE TABLE passkey_challenges (
  browser TEXT PRIMARY KEY,
  user_id INTEGER REFERENCES members (id) ON DELETE CASCADE,
  challenge TEXT NOT NULL,
  begun_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE attempts (
  digest TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE staff_log (
  id INTEGER PRIMARY KEY,
  made_at TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  what TEXT NOT NULL,
  member_id INTEGER
) STRICT;
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
CREATE TABLE removed_problems (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL,
  title TEXT NOT NULL,
  merged_into INTEGER REFERENCES problems (id) ON DELETE CASCADE,
  before TEXT NOT NULL,
  removed_at TEXT NOT NULL
) STRICT;
CREATE TABLE solved_counts (
  problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
  solved_by INTEGER NOT NULL
) STRICT;
CREATE TABLE time_models (
  problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
  slope INTEGER NOT NULL,
  intercept INTEGER NOT NULL
) STRICT;
CREATE TABLE statuses (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  self_status TEXT, self_at TEXT,
  judge_status TEXT, judge_at TEXT,
  how TEXT CHECK (how IN ('alone', 'hint', 'editorial')),
  earlier_status TEXT, earlier_at TEXT,
  solved_list_source TEXT,
  PRIMARY KEY (user_id, problem_id),
  -- Lists of solved problems from other sites have no days, so only "complete" may have no time.
  CHECK (self_at IS NULL OR self_status IS NOT NULL),
  CHECK (self_at IS NOT NULL OR self_status IS NULL OR self_status = 'complete'),
  CHECK (judge_at IS NULL OR judge_status IS NOT NULL),
  CHECK (judge_at IS NOT NULL OR judge_status IS NULL OR judge_status = 'complete'),
  CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE TABLE bookmarks (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  note TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_starred INTEGER NOT NULL DEFAULT 1,
  editorial_at TEXT, labels TEXT,
  PRIMARY KEY (user_id, problem_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE first_solves (
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE handles (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  imported_at TEXT,
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
  method TEXT NOT NULL CHECK (method IN ('submission', 'openid', 'confirmation')),
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
  origin TEXT NOT NULL CHECK (origin IN ('server', 'browser', 'file')),
  is_team INTEGER NOT NULL DEFAULT 0, virtual_began_at TEXT, judge_team TEXT,
  PRIMARY KEY (handle_id, submission_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE ratings (
  handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
  contest TEXT NOT NULL,
  title TEXT NOT NULL,
  place INTEGER,
  rating INTEGER NOT NULL,
  rated_at TEXT NOT NULL,
  PRIMARY KEY (handle_id, contest)
) STRICT, WITHOUT ROWID;
CREATE TABLE contests (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  starts_at TEXT,
  duration_s INTEGER NOT NULL,
  phase TEXT,
  search_text TEXT NOT NULL,
  is_gym INTEGER NOT NULL DEFAULT 0, difficulty INTEGER,
  UNIQUE (source, key)
) STRICT;
CREATE TABLE contest_problems (
  contest_id INTEGER NOT NULL REFERENCES contests (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  position TEXT NOT NULL,
  problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
  PRIMARY KEY (contest_id, key)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE upcoming_listings (
  contest_id INTEGER NOT NULL REFERENCES upcoming_contests (id) ON DELETE CASCADE,
  feed TEXT NOT NULL,
  PRIMARY KEY (contest_id, feed)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE deleted_plants (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE shared_addresses (
  secret TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('garden', 'year', 'calendar')),
  made_at TEXT NOT NULL, used_at TEXT,
  UNIQUE (user_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  grade TEXT NOT NULL CHECK (grade IN ('again', 'hard', 'good', 'easy', 'later', 'never')),
  made_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
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
CREATE TABLE followed_items (
  list_id INTEGER NOT NULL REFERENCES list_follows (list_id) ON DELETE CASCADE,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  came_at TEXT,
  is_gone INTEGER NOT NULL,
  PRIMARY KEY (list_id, problem_id)
) STRICT, WITHOUT ROWID;
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
  channel TEXT NOT NULL,
  batch TEXT,
  list_id INTEGER REFERENCES lists (id) ON DELETE SET NULL,
  makes_list INTEGER NOT NULL,
  unmatched INTEGER NOT NULL,
  over_limit INTEGER NOT NULL,
  unmatched_text TEXT,
  arrived_at TEXT NOT NULL,
  undone_at TEXT
, waiting TEXT) STRICT;
CREATE TABLE arrived_problems (
  arrival_id INTEGER NOT NULL REFERENCES arrivals (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  is_new INTEGER NOT NULL,
  is_listed INTEGER NOT NULL,
  status_change INTEGER,
  note_change INTEGER,
  minutes INTEGER, solution_id INTEGER,
  PRIMARY KEY (arrival_id, position)
) STRICT;
CREATE TABLE groups (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  zone TEXT NOT NULL,
  has_board INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  language TEXT
, archived_at TEXT) STRICT;
CREATE TABLE group_members (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('member', 'coach')),
  joined_at TEXT NOT NULL,
  on_board INTEGER NOT NULL,
  in_season INTEGER, student_number TEXT, expected_id INTEGER REFERENCES expected_people (id) ON DELETE SET NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE group_links (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  digest TEXT NOT NULL UNIQUE,
  uses_left INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  made_by INTEGER REFERENCES members (id) ON DELETE CASCADE
, expected_id INTEGER REFERENCES expected_people (id) ON DELETE CASCADE) STRICT;
CREATE TABLE group_lists (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  due_at TEXT,
  given_at TEXT NOT NULL, changed_at TEXT,
  PRIMARY KEY (group_id, list_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE shared_notes (
  problem_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  shared_at TEXT NOT NULL,
  PRIMARY KEY (problem_id, user_id, group_id),
  FOREIGN KEY (user_id, problem_id) REFERENCES bookmarks (user_id, problem_id) ON DELETE CASCADE,
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
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
, teams_day TEXT, duel_source TEXT, duel_band TEXT, accepted_at TEXT) STRICT;
CREATE TABLE round_problems (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
  points INTEGER NOT NULL,
  PRIMARY KEY (round_id, problem_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE round_people (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  joined_at TEXT NOT NULL, hours_from TEXT NOT NULL DEFAULT '', hours_until TEXT NOT NULL DEFAULT '', has_same_problems INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (round_id, user_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE "request_slots" (host TEXT PRIMARY KEY, next_at INTEGER NOT NULL) STRICT;
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE TABLE id_counters (table_name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE group_removals (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  removed_at TEXT NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE round_invitations (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  is_declined INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (round_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE live_feeds (source TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
CREATE TABLE program_changes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  made_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
CREATE TABLE program_parts (
  change_id INTEGER NOT NULL REFERENCES program_changes (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  part_id INTEGER NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (change_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE program_keys (
  token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  PRIMARY KEY (token_id, key)
) STRICT;
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
CREATE TABLE expected_people (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  student_number TEXT
) STRICT;
CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;
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
CREATE TABLE team_authors (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (team_id, source, key, user_id),
  FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE real_fields (
  round_id INTEGER PRIMARY KEY REFERENCES rounds (id) ON DELETE CASCADE,
  due_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  title TEXT,
  field TEXT
) STRICT;
-- Here go the rows.
CREATE INDEX sessions_by_member ON sessions (user_id, id);
CREATE INDEX tokens_by_member ON tokens (user_id, id);
CREATE INDEX passkeys_by_member ON passkeys (user_id);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (begun_at);
CREATE INDEX passkey_challenges_by_member ON passkey_challenges (user_id);
CREATE UNIQUE INDEX openid_accounts_by_member ON openid_accounts (user_id, provider);
CREATE INDEX openid_visits_by_age ON openid_visits (begun_at);
CREATE INDEX openid_visits_by_member ON openid_visits (user_id);
CREATE INDEX openid_visits_by_provider ON openid_visits (provider);
CREATE INDEX attempts_by_end ON attempts (expires_at);
CREATE INDEX problems_by_update ON problems (updated_at, id);
CREATE INDEX problems_by_url ON problems (url) WHERE url IS NOT NULL;
CREATE INDEX problems_by_key ON problems (source_key, id) WHERE is_gym < 1;
CREATE INDEX problems_of_gyms ON problems (id) WHERE is_gym = 1;
CREATE INDEX added_problems_by_member ON added_problems (member_id, added_at);
CREATE INDEX added_problems_by_time ON added_problems (added_at, problem_id);
CREATE INDEX removed_problems_by_key ON removed_problems (source, source_key);
CREATE INDEX removed_problems_by_time ON removed_problems (removed_at);
CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);
CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);
CREATE INDEX changes_by_member ON changes (user_id, id);
CREATE INDEX changes_by_problem ON changes (problem_id, user_id, id);
CREATE INDEX changes_by_batch ON changes (user_id, batch_id);
CREATE INDEX first_solves_by_time ON first_solves (user_id, at, problem_id);
CREATE INDEX first_solves_by_problem ON first_solves (problem_id);
CREATE INDEX proof_tasks_by_handle ON proof_tasks (handle_id);
CREATE INDEX proof_tasks_by_problem ON proof_tasks (problem_id);
CREATE INDEX solves_by_problem ON solves (problem_id, handle_id, verdict_class, submitted_at);
CREATE INDEX solves_by_time ON solves (handle_id, submitted_at, submission_id, verdict_class, problem_id);
CREATE INDEX contests_by_start ON contests (source, coalesce(starts_at, ''), id);
CREATE INDEX contest_problems_by_problem ON contest_problems (problem_id, contest_id);
CREATE INDEX upcoming_contests_by_start ON upcoming_contests (starts_at);
CREATE INDEX upcoming_listings_by_feed ON upcoming_listings (feed);
CREATE INDEX plants_by_member ON plants (user_id, id);
CREATE INDEX plants_by_list ON plants (list_id) WHERE list_id IS NOT NULL;
CREATE INDEX uprooted_plants_by_member ON uprooted_plants (user_id);
CREATE INDEX uprooted_plants_by_time ON uprooted_plants (uprooted_at);
CREATE INDEX reviews_by_time ON reviews (user_id, made_at);
CREATE INDEX reviews_by_problem ON reviews (problem_id, user_id);
CREATE INDEX review_cards_by_turn ON review_cards (user_id, turn, due_day, problem_id);
CREATE INDEX review_cards_by_problem ON review_cards (problem_id);
CREATE UNIQUE INDEX timers_open ON timers (user_id) WHERE stopped_at IS NULL AND undone_at IS NULL;
CREATE INDEX timers_by_time ON timers (user_id, started_at);
CREATE INDEX timers_by_problem ON timers (problem_id, user_id);
CREATE INDEX lists_by_owner ON lists (owner_id, updated_at);
CREATE INDEX lists_of_garden ON lists (updated_at) WHERE visibility = 'garden';
CREATE INDEX list_items_by_problem ON list_items (problem_id, list_id);
CREATE INDEX list_items_by_section ON list_items (list_id, section, position);
CREATE INDEX list_follows_by_due ON list_follows (due_at);
CREATE INDEX followed_items_by_problem ON followed_items (problem_id);
CREATE INDEX arrivals_by_member ON arrivals (user_id, id);
CREATE INDEX arrivals_by_list ON arrivals (list_id);
CREATE INDEX arrived_problems_by_problem ON arrived_problems (problem_id);
CREATE INDEX group_members_by_member ON group_members (user_id, group_id);
CREATE INDEX group_links_by_group ON group_links (group_id);
CREATE INDEX group_lists_by_list ON group_lists (list_id);
CREATE INDEX gym_keys_by_session ON gym_keys (session_id);
CREATE INDEX shared_notes_by_person ON shared_notes (group_id, user_id);
CREATE INDEX rounds_by_maker ON rounds (made_by);
CREATE INDEX rounds_by_group ON rounds (group_id);
CREATE INDEX rounds_by_end ON rounds (ends_at);
CREATE INDEX round_problems_by_problem ON round_problems (problem_id);
CREATE INDEX round_people_by_member ON round_people (user_id);
CREATE INDEX seasons_by_group ON seasons (group_id, id);
CREATE INDEX season_points_by_season ON season_points (season_id, user_id);
CREATE INDEX season_points_by_person ON season_points (group_id, user_id);
CREATE INDEX webhooks_by_plan ON webhooks (plans_at);
CREATE INDEX webhook_deliveries_by_turn ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX uploads_by_member ON uploads (user_id, id);
CREATE INDEX syncs_by_handle ON syncs (handle_id);
CREATE INDEX problems_by_filters ON problems (source, rating, search_text) WHERE is_gym <= 0;
CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_gym < 1;
CREATE INDEX problems_by_title ON problems (title, id) WHERE is_gym < 1;
CREATE INDEX arrivals_waiting ON arrivals (user_id) WHERE waiting IS NOT NULL;
CREATE INDEX group_removals_by_member ON group_removals (user_id);
CREATE INDEX round_invitations_by_member ON round_invitations (user_id);
CREATE INDEX solves_by_contest ON solves (handle_id, contest, participation, submitted_at, is_team, verdict_class, problem_id)
  WHERE participation IS NULL OR participation <> 'practice';
CREATE INDEX handles_by_name ON handles (source, name_key);
CREATE INDEX program_changes_by_member ON program_changes (user_id, id);
CREATE INDEX program_changes_by_token ON program_changes (token_id);
CREATE INDEX program_parts_by_part ON program_parts (kind, part_id);
CREATE INDEX program_keys_by_age ON program_keys (token_id, made_at, key, bytes);
CREATE INDEX solutions_by_member ON solutions (user_id, problem_id);
CREATE INDEX solutions_by_problem ON solutions (problem_id);
CREATE INDEX solutions_removed ON solutions (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX program_parts_contents ON program_parts (part_id, change_id) WHERE kind = 'content' AND before IS NOT NULL;
CREATE UNIQUE INDEX program_feed_items_by_place ON program_feed_items (user_id, place);
CREATE INDEX program_feed_items_by_thing ON program_feed_items (thing_id, kind);
CREATE INDEX bookmarks_labelled ON bookmarks (user_id, problem_id) WHERE labels IS NOT NULL;
CREATE INDEX expected_people_by_group ON expected_people (group_id, id);
CREATE UNIQUE INDEX group_members_by_expected ON group_members (expected_id);
CREATE UNIQUE INDEX group_links_by_expected ON group_links (expected_id);
CREATE INDEX teams_by_group ON teams (group_id);
CREATE INDEX team_members_by_person ON team_members (group_id, user_id);
CREATE INDEX team_authors_by_person ON team_authors (group_id, user_id);
CREATE TRIGGER statuses_insert_in_feed AFTER INSERT ON statuses
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER statuses_update_in_feed AFTER UPDATE ON statuses
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN EXISTS (SELECT 1 FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN EXISTS (SELECT 1 FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN EXISTS (SELECT 1 FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id,NEW.self_status AS self_status,NEW.self_at AS self_at,NEW.how AS how) AS changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER statuses_delete_in_feed AFTER DELETE ON statuses
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id,OLD.self_status AS self_status,OLD.self_at AS self_at,OLD.how AS how) AS changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER bookmarks_insert_in_feed AFTER INSERT ON bookmarks
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER bookmarks_update_in_feed AFTER UPDATE ON bookmarks
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM (SELECT NEW.user_id AS user_id,NEW.problem_id AS problem_id) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER bookmarks_delete_in_feed AFTER DELETE ON bookmarks
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id) AS changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM (SELECT OLD.user_id AS user_id,OLD.problem_id AS problem_id) AS changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER reviews_insert_in_feed AFTER INSERT ON reviews
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER reviews_update_in_feed AFTER UPDATE ON reviews
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER reviews_delete_in_feed AFTER DELETE ON reviews
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.user_id AS user_id,OLD.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER timers_insert_in_feed AFTER INSERT ON timers
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id,NEW.stopped_at AS stopped_at,NEW.solved_at AS solved_at,NEW.undone_at AS undone_at) AS changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER timers_update_in_feed AFTER UPDATE ON timers
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN NOT EXISTS (SELECT 1 FROM (SELECT OLD.user_id AS user_id,OLD.id AS id,OLD.stopped_at AS stopped_at,OLD.solved_at AS solved_at,OLD.undone_at AS undone_at) AS former WHERE former.id = changed.id AND former.solved_at IS NOT DISTINCT FROM (changed.solved_at)) THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id,NEW.stopped_at AS stopped_at,NEW.solved_at AS solved_at,NEW.undone_at AS undone_at) AS changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER timers_delete_in_feed AFTER DELETE ON timers
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.user_id AS user_id,OLD.id AS id,OLD.stopped_at AS stopped_at,OLD.solved_at AS solved_at,OLD.undone_at AS undone_at) AS changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER lists_insert_in_feed AFTER INSERT ON lists
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.owner_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.owner_id AS owner_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.owner_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER lists_update_in_feed AFTER UPDATE ON lists
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.owner_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.owner_id AS owner_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.owner_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER lists_delete_in_feed AFTER DELETE ON lists
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.owner_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.owner_id AS owner_id,OLD.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.owner_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER added_problems_insert_in_feed AFTER INSERT ON added_problems
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.member_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.member_id AS member_id,NEW.problem_id AS problem_id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.member_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER added_problems_update_in_feed AFTER UPDATE ON added_problems
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.member_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.member_id AS member_id,NEW.problem_id AS problem_id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.member_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER added_problems_delete_in_feed AFTER DELETE ON added_problems
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.member_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.member_id AS member_id,OLD.problem_id AS problem_id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.member_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER solutions_insert_in_feed AFTER INSERT ON solutions
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER solutions_update_in_feed AFTER UPDATE ON solutions
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = NEW.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT NEW.user_id AS user_id,NEW.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = NEW.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER solutions_delete_in_feed AFTER DELETE ON solutions
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE user_id = OLD.user_id) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM (SELECT OLD.user_id AS user_id,OLD.id AS id) AS changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id = OLD.user_id AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER problems_insert_in_feed AFTER INSERT ON problems
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE EXISTS (SELECT 1 FROM program_feed_items WHERE thing_id = NEW.id AND kind IN ('mark', 'problem')) OR EXISTS (SELECT 1 FROM list_items WHERE problem_id = NEW.id)) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM (SELECT NEW.id AS id) AS changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM (SELECT NEW.id AS id) AS changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM (SELECT NEW.id AS id) AS changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM (SELECT NEW.id AS id) AS changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
CREATE TRIGGER problems_update_in_feed AFTER UPDATE ON problems
    WHEN EXISTS (SELECT 1 FROM program_feeds WHERE EXISTS (SELECT 1 FROM program_feed_items WHERE thing_id = NEW.id AND kind IN ('mark', 'problem')) OR EXISTS (SELECT 1 FROM list_items WHERE problem_id = NEW.id)) BEGIN INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), by_kind FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM (SELECT NEW.id AS id) AS changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM (SELECT NEW.id AS id) AS changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM (SELECT NEW.id AS id) AS changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM (SELECT NEW.id AS id) AS changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); END;
