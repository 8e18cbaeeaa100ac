/** Jobs that a server asks for, and what their process says of its work. */

/** A job that somebody waits for. One with a holder is under a lease, which was taken before it was asked for. */
export type JobRequest =
  | { job: 'uploads' }
  | { job: 'backup'; holder: string | undefined }
  | { job: 'confirmed sync'; handleId: string; token: string; holder: string };

export type EnqueueJob = (jobRequest: JobRequest) => void;

/** The work of the process, for the log where the process dies. */
export interface RunningJob {
  name: string;
  upload?: string;
  isScheduledBackup?: boolean;
  /** The process is killed if this work takes longer. */
  atMostMs?: number;
}

/** An upload whose run killed the process, or took too long. */
export interface UploadCrash {
  upload: string;
  isTooLong: boolean;
}

export type WorkerMessage =
  | { log: 'info' | 'warn' | 'error'; sentence: string }
  | { work: RunningJob | undefined }
  | { fault: string }
  | 'backup failed'
  | { done: number };
