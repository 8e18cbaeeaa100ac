/** The page of backups has the server make them, through these functions. */
import type { BackupFile } from '../../store/backup-folder.ts';

export interface BackupFailure {
  at: string;
  why: 'busy' | 'full' | 'unwritable' | 'unknown';
}

export interface BackupDesk {
  folder: string;
  /** The backups of this database in the folder, the newest first. */
  list(): Promise<BackupFile[]>;
  /** Begins a backup after `note`, unless one is made already; it goes on in the background where it takes long. */
  begin(note: () => Promise<unknown>): Promise<'made' | 'under-way' | BackupFailure>;
  /** When the one that is being made was begun, by whichever process. */
  underWay(): Promise<string | undefined>;
  /** The failure of the last backup that staff asked for; undefined if it was made. */
  lastFailure(): Promise<BackupFailure | undefined>;
}
