/** Runs the programs that a release is made with, in the folder of the clone or in another one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Says what the person who makes the release can do about it. */
export class Refusal extends Error {}

const execute = promisify(execFile);

/** Runs a program and answers its standard output. Throws a Refusal with its last words if it fails or is not here. */
export async function run(program: string, args: readonly string[], cwd = '.'): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd, maxBuffer: 2 ** 26, env: { ...process.env, LC_ALL: 'C' } });
    return stdout.trim();
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Refusal(`${program} ${args[0]} failed: ${(stderr || message).trim()}`);
  }
}

export const git = (...args: string[]) => run('git', args);
