-- Schema 1 as it was released. Written by npm run freeze:schema; never changed.
INSERT INTO schema_migrations (version,name,applied_at) VALUES
(1,'foundation','2026-11-21T11:40:00.561Z');
INSERT INTO members (id,username,username_key,first_name,last_name,email,phone,address,city,state,zipcode,role,search_text,is_disabled,is_sample,created_at,updated_at) VALUES
(1,'ada','ada','Ada','O''Hara; --','ada@example.org',NULL,NULL,'東京',NULL,NULL,'staff','ada﷐ada﷐o''hara; --﷐ada@example.org',0,0,'2026-11-21T11:40:00.579Z','2026-11-21T11:40:00.592Z'),
(2,'Bën','bën',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'member','bën',0,0,'2026-11-21T11:40:00.586Z','2026-11-21T11:40:00.586Z');
INSERT INTO problems (id,title,source,source_key,url,rating,tags,aliases,editorial_url,video_url,search_text,is_sample,created_at,updated_at) VALUES
(-9223372036854775808,'“Quoted”, with
lines','here','k0',NULL,NULL,'[]','[]',NULL,NULL,'“quoted”, with
lines﷐k0',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z'),
(-1,'Ünïcödé 🌱','here','k1','https://example.org/1',1900,'["dp","müsli"]','["k1b"]',NULL,NULL,'ünïcödé 🌱﷐k1﷐k1b',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z'),
(1,'it''s','here','k2',NULL,NULL,'[]','[]',NULL,NULL,'it''s﷐k2',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z'),
(9007199254740993,'plain','here','k3',NULL,NULL,'["dp","müsli"]','[]',NULL,NULL,'plain﷐k3',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z'),
(9223372036854775806,'NULL','here','k4',NULL,NULL,'[]','[]',NULL,NULL,'null﷐k4',0,'2026-11-21T11:40:00.599Z','2026-11-21T11:40:00.599Z');
INSERT INTO problem_keys (source,key,problem_id) VALUES
('here','k0',-9223372036854775808),
('here','k1',-1),
('here','k1b',-1),
('here','k2',1),
('here','k3',9007199254740993),
('here','k4',9223372036854775806);
INSERT INTO problem_tags (tag,problem_id) VALUES
('dp',-1),
('dp',9007199254740993),
('müsli',-1),
('müsli',9007199254740993);
INSERT INTO statuses (user_id,problem_id,self_status,self_at,judge_status,judge_at) VALUES
(1,-1,'practicing','2026-11-21T11:40:00.606Z',NULL,NULL),
(1,9007199254740993,'skipped','2026-11-21T11:40:00.606Z',NULL,NULL),
(2,-9223372036854775808,'reading','2026-11-21T11:40:00.606Z',NULL,NULL),
(2,1,'complete','2026-11-21T11:40:00.606Z',NULL,NULL),
(2,9223372036854775806,'not_started','2026-11-21T11:40:00.606Z',NULL,NULL);
INSERT INTO bookmarks (user_id,problem_id,note,created_at,updated_at) VALUES
(1,-1,'note 1','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z'),
(1,9007199254740993,'note 3','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z'),
(2,-9223372036854775808,NULL,'2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z'),
(2,1,'note 2','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z'),
(2,9223372036854775806,'note 4','2026-11-21T11:40:00.611Z','2026-11-21T11:40:00.611Z');
INSERT INTO plants (id,user_id,name,tag,target,planted_at) VALUES
(-9223372036854775808,1,'plant 0',NULL,1,'2026-11-21T11:40:00.617Z'),
(-1,1,'plant 1','dp',2,'2026-11-21T11:40:00.617Z'),
(1,1,'plant 2','dp',3,'2026-11-21T11:40:00.617Z'),
(9223372036854775806,1,'plant 4','dp',5,'2026-11-21T11:40:00.617Z');
INSERT INTO deleted_plants (id) VALUES
(9007199254740993);
INSERT INTO tokens (id,user_id,name,digest,scopes,created_at,expires_at,revoked_at,last_used_at) VALUES
(1,1,'test','5130311beadec428065df44e6d96c91fbb1d2cd0880411be9655d9d4c31f49b3','records:read bookmarks:read problems:read status:read plants:delete','2026-11-21T11:40:00.581Z',NULL,NULL,NULL),
(2,2,'test','a87999cb7aa8d4b23136b6ba9902f3a7cd093d13e62d4deb9ae8882152dcb630','plants:delete','2026-11-21T11:40:00.587Z',NULL,NULL,NULL);
INSERT INTO id_counters (table_name,last_id) VALUES
('members',2),
('plants',1),
('problems',1),
('tokens',2);
INSERT INTO revisions (scope,revision) VALUES
('bookmarks',1),
('bookmarks:1',1),
('bookmarks:2',1),
('credentials',1),
('problems',1),
('records',3),
('records:1',2),
('records:2',1),
('statuses',1),
('statuses:1',1),
('statuses:2',1);
INSERT INTO settings (name,value) VALUES
('instance','21a5a208-3084-4673-8426-6e58f8584f41');
