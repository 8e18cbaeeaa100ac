/** Which processor cores there are, and who runs on which: the server on one, the load and everything else on another. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where a process may run: on the server's core, on the load generator's, or on both. */
export type Place = 'server' | 'load' | 'both';

/** The cores this process may use, by number. */
export const cores: readonly number[] = allowedCores();

const hasTaskset = process.platform === 'linux' && spawnSync('taskset', ['--version']).status === 0;
/** Whether server and load are kept apart; otherwise the system places them. */
export const isPinning = hasTaskset && cores.length >= 2;

function allowedCores(): number[] {
  const everyCore = Array.from({ length: availableParallelism() }, (_, core) => core);
  try {
    const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return list === undefined ? everyCore : list.split(',').flatMap(range);
  } catch {
    return everyCore;
  }
}

function range(text: string): number[] {
  const [first = 0, last = first] = text.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

function coresOf(place: Place): string {
  if (place === 'server') return String(cores[0]);
  return place === 'load' ? String(cores[1]) : `${cores[0]},${cores[1]}`;
}

/** The command that runs this one in its place. */
export function placed(command: string, args: readonly string[], place: Place): [string, string[]] {
  return isPinning ? ['taskset', ['-c', coresOf(place), command, ...args]] : [command, [...args]];
}

/** Moves this process off the server's core. */
export function stepAside(): void {
  if (!isPinning) return;
  execFileSync('taskset', ['-a', '-c', '-p', coresOf('load'), String(process.pid)], { stdio: 'ignore' });
}
