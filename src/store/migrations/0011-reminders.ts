/** Reminders: where the messages of groups and members are sent, and what became of each. */
import { type Migration, onBothEngines } from '../engine.ts';

export const reminders: Migration = {
  name: 'reminders',
  why: 'Groups and members get weekly summaries and due dates in their chat, by webhook.',
  // The index of turns has the deliveries that wait alone, so it stays small however long the log is.
  ...onBothEngines(`
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
    CREATE INDEX webhook_deliveries_by_turn ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL;
  `),
};
