/** Jobs that a server asks for, and what their process says of its work. */

/** A job that somebody waits for. One with a holder is under a lease, which was taken before it was asked for. */
export type Wish =
  | { job: 'uploads' }
  | { job: 'backup'; holder: string | undefined }
  | { job: 'confirmed sync'; handleId: string; token: string; holder: string };

export type TellJobs = (wish: Wish) => void;

/** The work of the process, for the log where the process dies. */
export interface Work {
  name: string;
  upload?: string;
  isScheduledBackup?: boolean;
  /** The process is killed if this work takes longer. */
  atMostMs?: number;
}

/** An upload whose run killed the process, or took too long. */
export interface Death {
  upload: string;
  isTooLong: boolean;
}

export type Said =
  | { log: 'info' | 'warn' | 'error'; sentence: string }
  | { work: Work | undefined }
  | { fault: string }
  | 'backup failed'
  | { done: number };
