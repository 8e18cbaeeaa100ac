/** Signing in by OpenID Connect: where, which accounts there are members', and the browsers that are on their way. */
import { type Migration, onBothEngines } from '../engine.ts';

export const openid: Migration = {
  name: 'openid',
  why: 'Members sign in with an account of their school, club or judge.',
  // A visit lasts minutes, so none is carried over. Clients of judges stood in settings.
  ...onBothEngines(`
    DROP TABLE openid_visits;
    DELETE FROM settings WHERE substr(name, 1, 7) = 'openid_';

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
  `),
};
