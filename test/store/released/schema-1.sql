-- Schema 1 as it was released, with rows. Written by npm run freeze:schema; never changed.
PRAGMA page_size = 8192;
PRAGMA journal_mode = wal;
PRAGMA application_id = 1196573774;
CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
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
      updated_at TEXT NOT NULL
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
      updated_at TEXT NOT NULL
    ) STRICT;
CREATE INDEX problems_by_update ON problems (updated_at, id);
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
CREATE TABLE statuses (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      self_status TEXT, self_at TEXT,
      judge_status TEXT, judge_at TEXT,
      PRIMARY KEY (user_id, problem_id),
      CHECK ((self_status IS NULL) = (self_at IS NULL)),
      CHECK ((judge_status IS NULL) = (judge_at IS NULL)),
      CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);
CREATE TABLE bookmarks (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      note TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (user_id, problem_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);
CREATE TABLE plants (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      tag TEXT,
      target INTEGER NOT NULL CHECK (target > 0),
      planted_at TEXT NOT NULL
    ) STRICT;
CREATE INDEX plants_by_member ON plants (user_id, id);
CREATE TABLE deleted_plants (id INTEGER PRIMARY KEY) STRICT;
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
CREATE TABLE id_counters (table_name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO schema_migrations (version,name,applied_at) VALUES (1,'foundation','2026-11-21T11:40:00.561Z');
INSERT INTO members (id,username,username_key,first_name,last_name,email,phone,address,city,state,zipcode,role,search_text,is_disabled,is_sample,created_at,updated_at) VALUES (1,'ada','ada','Ada','O''Hara; --','ada@example.org',NULL,NULL,'東京',NULL,NULL,'staff','ada﷐ada﷐o''hara; --﷐ada@example.org',0,0,'2026-11-21T11:40:00.579Z','2026-11-21T11:40:00.592Z');
INSERT INTO members (id,username,username_key,first_name,last_name,email,phone,address,city,state,zipcode,role,search_text,is_disabled,is_sample,created_at,updated_at) VALUES (2,'Bën','bën',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'member','bën',0,0,'2026-11-21T11:40:00.586Z','2026-11-21T11:40:00.586Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES (-9223372036854775808,'“Quoted”, with
lines','here','k0',NULL,NULL,'[]','[]',NULL,NULL,'“quoted”, with
lines﷐k0',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES (-1,'Ünïcödé 🌱','here','k1','https://example.org/1',1900,'["dp","müsli"]','["k1b"]',NULL,NULL,'ünïcödé 🌱﷐k1﷐k1b',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES (1,'it''s','here','k2',NULL,NULL,'[]','[]',NULL,NULL,'it''s﷐k2',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES (9007199254740993,'plain','here','k3',NULL,NULL,'["dp","müsli"]','[]',NULL,NULL,'plain﷐k3',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES (9223372036854775806,'NULL','here','k4',NULL,NULL,'[]','[]',NULL,NULL,'null﷐k4',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k0',-9223372036854775808);
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k1',-1);
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k1b',-1);
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k2',1);
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k3',9007199254740993);
INSERT INTO problem_keys (source,key,problem_id) VALUES ('here','k4',9223372036854775806);
INSERT INTO problem_tags (tag,problem_id) VALUES ('dp',-1);
INSERT INTO problem_tags (tag,problem_id) VALUES ('dp',9007199254740993);
INSERT INTO problem_tags (tag,problem_id) VALUES ('müsli',-1);
INSERT INTO problem_tags (tag,problem_id) VALUES ('müsli',9007199254740993);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES (1,-1,'practicing','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES (1,9007199254740993,'skipped','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES (2,-9223372036854775808,'reading','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES (2,1,'complete','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES (2,9223372036854775806,'not_started','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES (1,-1,'note 1','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES (1,9007199254740993,'note 3','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES (2,-9223372036854775808,NULL,'2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES (2,1,'note 2','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES (2,9223372036854775806,'note 4','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO plants (id,user_id,name,tag,target,planted_at) VALUES (-9223372036854775808,1,'plant 0',NULL,1,'2026-11-21T11:40:00.617Z');
INSERT INTO plants (id,user_id,name,tag,target,planted_at) VALUES (-1,1,'plant 1','dp',2,'2026-11-21T11:40:00.617Z');
INSERT INTO plants (id,user_id,name,tag,target,planted_at) VALUES (1,1,'plant 2','dp',3,'2026-11-21T11:40:00.617Z');
INSERT INTO plants (id,user_id,name,tag,target,planted_at) VALUES (9223372036854775806,1,'plant 4','dp',5,'2026-11-21T11:40:00.617Z');
INSERT INTO deleted_plants (id) VALUES (9007199254740993);
INSERT INTO tokens (id,user_id,name,digest,scopes,created_at,expires_at,revoked_at,last_used_at) VALUES (1,1,'test','5130311beadec428065df44e6d96c91fbb1d2cd0880411be9655d9d4c31f49b3','records:read bookmarks:read problems:read status:read plants:delete','2026-11-21T11:40:00.581Z',NULL,NULL,NULL);
INSERT INTO tokens (id,user_id,name,digest,scopes,created_at,expires_at,revoked_at,last_used_at) VALUES (2,2,'test','a87999cb7aa8d4b23136b6ba9902f3a7cd093d13e62d4deb9ae8882152dcb630','plants:delete','2026-11-21T11:40:00.587Z',NULL,NULL,NULL);
INSERT INTO id_counters (table_name,last_id) VALUES ('members',2);
INSERT INTO id_counters (table_name,last_id) VALUES ('plants',1);
INSERT INTO id_counters (table_name,last_id) VALUES ('problems',1);
INSERT INTO id_counters (table_name,last_id) VALUES ('tokens',2);
INSERT INTO revisions (scope,revision) VALUES ('bookmarks',1);
INSERT INTO revisions (scope,revision) VALUES ('bookmarks:1',1);
INSERT INTO revisions (scope,revision) VALUES ('bookmarks:2',1);
INSERT INTO revisions (scope,revision) VALUES ('credentials',1);
INSERT INTO revisions (scope,revision) VALUES ('problems',1);
INSERT INTO revisions (scope,revision) VALUES ('records',3);
INSERT INTO revisions (scope,revision) VALUES ('records:1',2);
INSERT INTO revisions (scope,revision) VALUES ('records:2',1);
INSERT INTO revisions (scope,revision) VALUES ('statuses',1);
INSERT INTO revisions (scope,revision) VALUES ('statuses:1',1);
INSERT INTO revisions (scope,revision) VALUES ('statuses:2',1);
INSERT INTO settings (name,value) VALUES ('instance','21a5a208-3084-4673-8426-6e58f8584f41');
