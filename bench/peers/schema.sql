-- The tables of the peers: what an application with these resources would have, without our own bookkeeping.
CREATE TABLE problems (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL,
  url TEXT,
  rating INTEGER,
  editorial_url TEXT,
  video_url TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX problems_by_rating ON problems (rating);
CREATE TABLE problem_tags (
  problem_id INTEGER NOT NULL REFERENCES problems (id),
  position INTEGER NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (problem_id, position)
) WITHOUT ROWID;
CREATE INDEX problem_tags_by_tag ON problem_tags (tag, problem_id);
CREATE TABLE problem_aliases (
  problem_id INTEGER NOT NULL REFERENCES problems (id),
  position INTEGER NOT NULL,
  alias TEXT NOT NULL,
  PRIMARY KEY (problem_id, position)
) WITHOUT ROWID;
CREATE INDEX problem_aliases_by_alias ON problem_aliases (alias, problem_id);
CREATE TABLE statuses (
  user_id INTEGER NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problems (id),
  status TEXT NOT NULL,
  origin TEXT,
  updated_at TEXT,
  PRIMARY KEY (user_id, problem_id)
);
CREATE TABLE tokens (
  digest TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL
);
CREATE TABLE plants (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  tag TEXT,
  target INTEGER NOT NULL,
  planted_at TEXT NOT NULL
);
-- Without this index, a query for one member's plants reads the plants of all members.
CREATE INDEX plants_by_user ON plants (user_id);
