/** One run of the bench: its options, and the end of what it started and made, also after Ctrl+C and after a fault. */
import { constants } from 'node:os';
import { temporaryFolder } from '../test/support/garden.ts';

export interface Options {
  /** Other checkouts of the program, which are measured in turn with this one. */
  against: readonly string[];
  rounds: number;
  seconds: number;
  /** Smaller data, to see whether it works. */
  isQuick: boolean;
}

/** One evening of at least so many minutes for each of these numbers of members. */
export interface EveningOptions extends Options {
  members: readonly number[];
  minutes: number;
}

const endings: (() => unknown)[] = [];

/** Stands where the helpers of test/support want a test, which ends what they start. */
export const run = { after: (ending: () => unknown) => void endings.push(ending) };

/** A folder that goes at the end of the run. */
export const folderOfRun = () => temporaryFolder(run);

/** Ends what was started and removes what was made, the latest first. */
export async function endRun(): Promise<void> {
  for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
}

export function endRunOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, async () => {
      await endRun();
      process.exit(128 + constants.signals[signal]);
    });
}

/** Shows on a terminal what is being done. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
}
