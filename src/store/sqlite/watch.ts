/**
 * Watches that the files of an open database stay at their paths. SQLite would go on with a removed file, and the next start
 * miss its changes, so every request is refused (50306).
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { Notify } from '../store.ts';

const lookEveryMs = 100;

export type FileWatch = ReturnType<typeof watchFiles>;

/** Device and inode of the file at this path; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    // A folder may have become unsearchable.
    return undefined;
  }
}

export function assertIdentity(path: string, identity: string): void {
  if (identityOf(path) !== identity) throw lostFile(path);
}

/**
 * Starts the watch. `checkpoint` runs on the open files, wherever they are. If the same files return, requests are answered
 * again, because this process served nothing in between.
 */
export function watchFiles(path: string, checkpoint: () => boolean, notify: Notify) {
  // SQLite keeps the log beside the file that a symbolic link names.
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const identities = new Map([path, log, index].map((name) => [name, identityOf(name)]));
  const isThere = (name: string) => identityOf(name) === identities.get(name);
  let lost: string | undefined;
  let isCheckpointed = false;

  function look(): void {
    const before = lost;
    lost = [...identities.keys()].find((name) => !isThere(name));
    watch.isLost = lost !== undefined;
    if (lost === undefined) {
      if (before !== undefined) notify('info', `${before} is back; requests are answered.`);
      return;
    }
    if (before === undefined) {
      isCheckpointed = false;
      notify(
        'warn',
        `${lost} was removed or replaced while the database was served: every request is refused with 503. Put the very same file back, or stop the server, put the right file there (garden restore brings back a backup) and start it again.`,
      );
    }
    // The commits of the log move into the open file, because SQLite would read a log left at the old path as that of a new
    // file. Beside another process's new -shm file, whose locks are not shared, a checkpoint would be unsafe.
    const isUnsafe = existsSync(index) && !isThere(index);
    if (!isCheckpointed) isCheckpointed = isUnsafe || checkpoint();
  }

  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  const watch = {
    /** While it is true, every request is refused with `lostFile`. */
    isLost: false,
    /** Looks after a commit. Throws databaseUncertain if the file or its log is missing. */
    assertKept: (): void => {
      // A stat of the log would make Linux write its times anew at each commit, a third of the cost of a delete. The next look
      // finds a log that was replaced.
      if (lost === undefined && isThere(path) && existsSync(log)) return;
      look();
      if (lost === undefined) return;
      throw new AppError(
        'databaseUncertain',
        'The database was lost while it confirmed the change; check whether the change was saved before you try again.',
      );
    },
    end: (): void => clearInterval(timer),
  };
  return watch;
}

export function lostFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `The database ${path} was removed or replaced while the server was running; stop the server, put the right file there, and start it again.`,
  );
}
