/** The mark of a database, which the names of its backups have. */
import type { Migration } from '../engine.ts';

const mark = (random: string) => `INSERT INTO settings (name, value) VALUES ('backup_mark', ${random});`;

export const backupMark: Migration = {
  name: 'backup-mark',
  why: 'The name of a backup tells its database, so two databases can share a backup folder.',
  sqlite: mark('lower(hex(randomblob(4)))'),
  postgres: mark('substr(md5(random()::text || clock_timestamp()::text), 1, 8)'),
};
