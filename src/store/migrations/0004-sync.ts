/** Asking judges: whose turn it is at a host, which process leads, and how far each sync has come. */
import { type Migration, onBothEngines } from '../migration.ts';

export const sync: Migration = {
  name: 'sync',
  why: 'Judges are asked by several processes and commands at once, never faster than they allow, and each sync goes on where it stopped.',
  ...onBothEngines(`
    CREATE TABLE judge_gates (
      host TEXT PRIMARY KEY,
      next_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      ends_at INTEGER NOT NULL
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
  `),
};
