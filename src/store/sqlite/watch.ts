/**
 * Watches that the files of an open database stay at their paths. SQLite keeps using a file that was removed or replaced, and
 * the next start would not see the changes made there, so every request is refused instead (50306).
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { Notify } from '../store.ts';

/** Requests are refused at most this long after the loss. */
const lookEveryMs = 100;

export interface FileWatch {
  /** Throws databaseUnavailable if the last look missed a file. */
  assertThere(): void;
  /** Looks at the file and its log after a commit. Throws databaseUncertain if one of them is missing. */
  assertKept(): void;
  end(): void;
}

/** Device and inode of the file at this path, which no other file gets while one is open; undefined if there is no file. */
export function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    // For example, a folder that this user may no longer search.
    return undefined;
  }
}

/** Throws databaseUnavailable if the file at this path is not the one that the server started with. */
export function assertIdentity(path: string, identity: string): void {
  if (identityOf(path) !== identity) throw lostFile(path);
}

/**
 * Starts the watch of a database that has been opened and read. `checkpoint` runs a checkpoint on the open files, wherever they
 * are now, and returns whether it succeeded. If the same three files return to their paths, requests are
 * answered again, because this process served nothing in between; any other file needs a restart.
 */
export function watchFiles(path: string, checkpoint: () => boolean, notify: Notify): FileWatch {
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
    // The commits of the log move into the open file, because the log may remain at the old path, where SQLite would read it
    // as the log of a file that replaced this one. Where another process has created a new -shm file, whose locks this
    // process does not share, a checkpoint would be unsafe.
    const isUnsafe = existsSync(index) && !isThere(index);
    if (!isCheckpointed) isCheckpointed = isUnsafe || checkpoint();
  }

  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    assertThere: () => {
      if (lost !== undefined) throw lostFile(path);
    },
    assertKept: () => {
      // A stat of the log would make Linux write its times anew at the next commit, at a third of the cost of a delete.
      // A log that was replaced is found by the next look, whose checkpoint then keeps the commits.
      if (lost === undefined && isThere(path) && existsSync(log)) return;
      look();
      if (lost === undefined) return;
      throw new AppError(
        'databaseUncertain',
        'The database was lost while it confirmed the change; look whether it was made before you try again.',
      );
    },
    end: () => clearInterval(timer),
  };
}

function lostFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `The database ${path} is gone or another file than the server began with; stop the server, put the right file there, and start it again.`,
  );
}
