/**
 * Ends a test file that never ends: `node --test` waits for it for ever, with `--test-timeout` too where its tests are over and
 * something it opened lives on; `--test-force-exit` would hide that. The file is named, killed with all that it started, and
 * counts as failed.
 */
import { execFileSync } from 'node:child_process';

/** The longest process of a run takes three and a half minutes beside four others. */
const usualLimitMs = 10 * 60_000;
const testFile = /\S+(?:\.test\.m?ts|\/test\/together\/\S+\.ts)\b/;

interface Running {
  pid: number;
  parent: number;
  command: string;
}

/** Looks again and again at the files that this run has started; until it ends. */
export function watchFiles({ limitMs = usualLimitMs, everyMs = 10_000 } = {}): void {
  const firstSeen = new Map<number, number>();
  const look = () => {
    const all = processes();
    const now = performance.now();
    for (const { pid, command } of all.filter(({ parent }) => parent === process.pid)) {
      const [name] = testFile.exec(command) ?? [];
      if (name === undefined) continue;
      const since = firstSeen.get(pid) ?? now;
      firstSeen.set(pid, since);
      if (now - since < limitMs) continue;
      const seconds = Math.round((now - since) / 1000);
      process.stderr.write(`${name} has not ended after ${seconds} s, and is killed with what it started.\n`);
      for (const one of [...descendants(all, pid), pid]) kill(one);
    }
    for (const pid of firstSeen.keys()) if (!all.some((one) => one.pid === pid)) firstSeen.delete(pid);
  };
  setInterval(look, everyMs).unref();
}

/** None where the system has no `ps`. */
function processes(): Running[] {
  try {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [...text.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
      ...{ pid: Number(pid), parent: Number(parent), command },
    }));
  } catch {
    return [];
  }
}

function descendants(all: readonly Running[], pid: number): number[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [...descendants(all, child.pid), child.pid]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
