/** The messages between a server and its process of jobs. */

/** A job that somebody waits for. `holder` has taken the job's lease already. */
export type JobRequest =
  | { job: 'uploads' }
  | { job: 'backup'; holder: string | undefined }
  | { job: 'confirmed sync'; handleId: string; token: string; holder: string };

export type EnqueueJob = (jobRequest: JobRequest) => void;

export interface RunningJob {
  name: string;
  uploadId?: string;
  isScheduledBackup?: boolean;
  timeoutMs?: number;
}

export interface UploadCrash {
  uploadId: string;
  isTimeout: boolean;
}

export type WorkerMessage =
  | { log: 'info' | 'warn' | 'error'; sentence: string }
  | { running: RunningJob | undefined }
  | { fault: string }
  | 'backup failed'
  | { doneRequest: number };
