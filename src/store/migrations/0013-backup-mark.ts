/** The mark of a database, which the names of its backups have. */
import type { Migration } from '../migration.ts';

const mark = (random: string) => `INSERT INTO settings (name, value) VALUES ('backup_mark', ${random});`;

export const backupMark: Migration = {
  name: 'backup-mark',
  why: 'A backup says by its name which database it is of, so that two in one folder leave each other’s alone.',
  sqlite: mark('lower(hex(randomblob(4)))'),
  postgres: mark('substr(md5(random()::text || clock_timestamp()::text), 1, 8)'),
};
