/** Passkeys: the public keys with which members sign in, and the challenges that browsers are about to answer. */
import { type Migration, onBothEngines } from '../engine.ts';

export const passkeys: Migration = {
  name: 'passkeys',
  why: 'Members sign in with a passkey of their device in place of the password.',
  ...onBothEngines(`
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
  `),
};
