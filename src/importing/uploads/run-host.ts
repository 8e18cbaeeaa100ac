/** The process in which runs are done (`run-process.ts`): most checks are followed by their import, and starting it takes half a second. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Progress } from './folder.ts';
import type { Job, Said } from './run-process.ts';

const program = fileURLToPath(new URL('./run-process.ts', import.meta.url));
// It runs beside a server, so memory counts for more than time. A file that needs more than 1 GiB ends its own process.
const flags = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
export const longestMs = 600_000;
export const tookTooLong = 'it took too long';
/** How long the process waits for the next run, so that an import that somebody decides on begins at once. */
const idleMs = 20_000;

export function runHost() {
  let child: ChildProcess | undefined;
  /** The run that it does now. */
  let run: { onProgress(progress: Progress): void; end(fault?: string): void } | undefined;
  let leaving: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const process = fork(program, [], { execArgv: flags, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let fault: string | undefined;
    const gone = (reason: string) => {
      // It was sent away, and another one may do the next run.
      if (child !== process) return;
      child = undefined;
      run?.end(fault ?? reason);
    };
    process.on('message', (said: Said) => {
      if ('progress' in said) run?.onProgress(said.progress);
      // After a fault it ends itself.
      else if ('fault' in said) fault = said.fault;
      else run?.end();
    });
    process.on('error', (error) => {
      fault = String(error);
      if (process.pid === undefined) gone(fault);
    });
    process.on('exit', (code, signal) => gone(`it ended by ${signal ?? `code ${code}`}`));
    return process;
  }

  function leave(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  return {
    /** Does one run, and answers what it died of. */
    work: async (
      job: Job,
      atMostMs: number,
      onProgress: (progress: Progress) => void,
    ): Promise<string | undefined> => {
      clearTimeout(leaving);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      run = { onProgress, end: resolve };
      child ??= start();
      child.send(job, () => {});
      const timer = setTimeout(() => {
        resolve(tookTooLong);
        leave();
      }, atMostMs);
      const fault = await promise;
      clearTimeout(timer);
      run = undefined;
      leaving = setTimeout(leave, idleMs).unref();
      return fault;
    },
    /** Ends the process, and with it the run that it does. */
    end: (): void => {
      clearTimeout(leaving);
      child?.kill('SIGKILL');
    },
  };
}
