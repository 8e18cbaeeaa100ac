/** Asking judges: whose turn it is at a host, which process leads, how far each sync has come, and whose handles are proved. */
import { type Migration, onBothEngines } from '../engine.ts';

export const sync: Migration = {
  name: 'sync',
  why: 'Submissions are imported automatically, and each sync continues where the last one stopped.',
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

    CREATE TABLE openid_visits (
      session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      state TEXT NOT NULL,
      nonce TEXT NOT NULL,
      verifier TEXT NOT NULL,
      begun_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE handle_renames (
      handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
      before TEXT NOT NULL,
      renamed_at TEXT NOT NULL,
      PRIMARY KEY (handle_id, before)
    ) STRICT, WITHOUT ROWID;
  `),
};
