/** The command line in a thread of the test's process, which takes a tenth of the time of a process. */
import { Worker } from 'node:worker_threads';
import { environment, garden, type Run, type RunOptions } from './garden.ts';

export interface Command {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: string | Uint8Array;
}

let thread: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `garden …` like `garden` of garden.ts, for tests that need no launcher, working folder, signals or second process.
 * A command that leaves something open, which would keep a process from ending, fails.
 */
export function gardenHere(args: readonly string[], options: Omit<RunOptions, 'cwd' | 'launcher'> = {}): Promise<Run> {
  if (args[0] === 'serve') return garden(args, options);
  const run = last.then(() => runNext({ args, env: environment(options), input: options.input ?? '' }));
  last = run.catch(() => {});
  return run;
}

export async function gardenJson<T>(
  args: readonly string[],
  options: Omit<RunOptions, 'cwd' | 'launcher'> = {},
): Promise<T> {
  const run = await gardenHere([...args, '--json'], options);
  if (run.code !== 0) throw new Error(`garden ${args.join(' ')} ended with ${run.code}: ${run.stderr}`);
  return JSON.parse(run.stdout) as T;
}

/** What `garden doctor` says of this check; undefined where it says nothing of it. */
export async function doctorLine(
  check: string,
  options: Omit<RunOptions, 'cwd' | 'launcher'>,
): Promise<string | undefined> {
  const { stdout } = await gardenHere(['doctor', '--port', '0'], options);
  return stdout.split('\n').find((line) => line.split(/ +/)[1] === check);
}

function runNext(command: Command): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  thread ??= new Worker(new URL('./command-thread.ts', import.meta.url));
  const worker = thread;
  const fail = (cause: unknown) => {
    thread = undefined;
    reject(new Error(`garden ${command.args.join(' ')} ended the thread`, { cause }));
  };
  worker.ref();
  worker.once('message', resolve).once('error', fail).once('exit', fail);
  worker.postMessage(command);
  return promise.finally(() => {
    worker.off('message', resolve).off('error', fail).off('exit', fail);
    worker.unref();
  });
}
