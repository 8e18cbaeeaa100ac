/** The command line in a thread of the test's process, which takes a tenth of the time of a process. */
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { environment, garden, type Run, type RunOptions, temporaryDatabase } from './garden.ts';

export interface Command {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: string | Uint8Array;
}

/** Each word of a text is an argument. */
export type Args = string | readonly string[];
type Options = Omit<RunOptions, 'cwd' | 'launcher'>;

export const argsOf = (asked: Args): readonly string[] =>
  typeof asked === 'string' ? asked.split(' ').filter(Boolean) : asked;

let thread: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `garden …` like `garden` of garden.ts, for tests that need no launcher, working folder, signals or second process.
 * A command that leaves something open, which would keep a process from ending, fails.
 */
export function gardenHere(asked: Args, options: Options = {}): Promise<Run> {
  const args = argsOf(asked);
  if (args[0] === 'serve') return garden(args, options);
  const run = last.then(() => runNext({ args, env: environment(options), input: options.input ?? '' }));
  last = run.catch(() => {});
  return run;
}

export async function gardenJson<T>(asked: Args, options: Options = {}): Promise<T> {
  const args = argsOf(asked);
  const run = await gardenHere([...args, '--json'], options);
  if (run.code !== 0) throw new Error(`garden ${args.join(' ')} ended with ${run.code}: ${run.stderr}`);
  return JSON.parse(run.stdout) as T;
}

/** Commands on one database. */
export const commandLine = (databaseUrl: string) => ({
  run: (args: Args, options: Options = {}) => gardenHere(args, { databaseUrl, ...options }),
  json: <T>(args: Args, options: Options = {}) => gardenJson<T>(args, { databaseUrl, ...options }),
});

export const newCommandLine = async (t: Pick<TestContext, 'after'>) => commandLine(await temporaryDatabase(t));

/** What `garden doctor` says of this check; undefined where it says nothing of it. */
export async function doctorLine(check: string, options: Options): Promise<string | undefined> {
  const { stdout } = await gardenHere('doctor --port 0', options);
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
