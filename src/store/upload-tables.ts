/** The tables of uploads, and of what was imported last. */

declare module './tables.ts' {
  interface Tables {
    uploads: UploadsTable;
    imports: ImportsTable;
  }
}

/** A file that somebody uploaded, and how far its import is. The file itself is in a folder that all processes see. */
export interface UploadsTable {
  id: bigint;
  /** The member who uploaded it; nobody else sees it. */
  user_id: bigint;
  /** The pages on which it was uploaded, which decide what the file may change. */
  room: 'member' | 'staff';
  /** The name that the file had, for people to know it again. */
  name: string;
  /** JSON: what the file is, and how it is read. */
  asked: string;
  bytes: bigint;
  state: UploadState;
  /** JSON: what the last run found or did. */
  report: string | null;
  created_at: string;
  /** When the run that is under way began. */
  started_at: string | null;
  /** When the row goes, with its file. */
  expires_at: string;
}
/**
 * A file arrives; then it is checked by a dry run, and imported if its owner says so. Each run waits for its turn. Refused is a
 * file that cannot be imported; broken is a run whose process died.
 */
export type UploadState =
  | 'arriving'
  | 'to-check'
  | 'checking'
  | 'checked'
  | 'to-import'
  | 'importing'
  | 'imported'
  | 'refused'
  | 'broken';

/** The last import of each kind of a judge's files that is nobody's own. */
export interface ImportsTable {
  /** The name of the import, such as `codeforces-problems`. */
  what: string;
  made_at: string;
  /** The member who imported it on the website; null for the command line. They may be gone by now. */
  user_id: bigint | null;
  /** Its figures: entries in the file, rows that were added, rows that were changed. */
  read: bigint;
  added: bigint;
  changed: bigint;
}
