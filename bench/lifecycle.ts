/** What a benchmark starts and makes, and how all of it goes again: at the end, after Ctrl+C and after a fault. */
import { type ChildProcess, type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Place, placed } from './cores.ts';

const graceMs = 5_000;
const outputKept = 4_000;
const outputAtMost = 64 * 1024 * 1024;

type Cleanup = () => Promise<void>;
const cleanups = new Set<Cleanup>();
const groups = new Set<number>();
const folders = new Set<string>();
let isStopping = false;

/** Runs this when everything ends; answers how to run it earlier, which then was the only time. */
export function atEnd(cleanup: Cleanup): Cleanup {
  const once = async () => {
    if (cleanups.delete(once)) await cleanup();
  };
  cleanups.add(once);
  return once;
}

/** Stops what runs and removes what was made, the latest first. */
export async function cleanUp(): Promise<void> {
  // What is waited for may not keep this process alive by itself.
  const awake = setInterval(() => {}, graceMs);
  for (const cleanup of [...cleanups].reverse()) {
    await cleanup().catch((error) => process.stderr.write(`${error}\n`));
  }
  clearInterval(awake);
}

/** From here on nothing is left behind, however this process ends (but by SIGKILL). */
export function cleanUpOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      isStopping = true;
      await cleanUp();
      process.exit(128 + constants.signals[signal]);
    });
  }
  process.on('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
}

/** Never goes on once a signal stops everything: what was being done must not begin anything more, nor complain. */
export async function haltIfStopping(): Promise<void> {
  if (isStopping) await new Promise(() => {});
}

/** A folder that goes at the end. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-bench-'));
  folders.add(folder);
  atEnd(async () => {
    folders.delete(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

export interface Command {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

export interface Running {
  pid: number;
  child: ChildProcess;
  /** The end of what it printed, for complaints. */
  output(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** Starts a process with a group of its own, so that its children go with it. */
export async function launch({ command, args, env, cwd }: Command, place: Place): Promise<Running> {
  await haltIfStopping();
  const [file, rest] = placed(command, args, place);
  const child = spawn(file, rest, {
    env: { ...process.env, ...env },
    cwd,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (text: Buffer) => {
    output = (output + text).slice(-outputKept);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  groups.add(pid);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = atEnd(async () => {
    if (!hasEnded()) {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([exit, sleep(graceMs, undefined, { ref: false })]);
    }
    signalGroup(pid, 'SIGKILL');
    groups.delete(pid);
  });
  return { pid, child, output: () => output, hasEnded, stop };
}

/** Runs a program to its end; throws where it fails. */
export async function runToEnd(
  file: string,
  args: readonly string[],
  options: ExecFileOptions = {},
  onStart?: (child: ChildProcess) => void,
): Promise<{ stdout: string; stderr: string }> {
  await haltIfStopping();
  const running = promisify(execFile)(file, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: outputAtMost,
  });
  const kill = atEnd(async () => {
    running.child.kill('SIGKILL');
  });
  onStart?.(running.child);
  try {
    return await running;
  } catch (error) {
    await haltIfStopping();
    throw error;
  } finally {
    await kill();
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // All of them are gone.
  }
}
