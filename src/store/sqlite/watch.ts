/**
 * Watches that the files of an open database stay at their paths. SQLite keeps using a file that was removed or replaced, and
 * the next start would not see the changes made there, so every request is refused instead (50306).
 */
import { realpathSync, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';

/** Requests are refused at most this long after the loss. A look at one file takes about 2 µs. */
const lookEveryMs = 100;

/** Device and inode of a file. No other file gets them while a process has this one open. */
interface Identity {
  dev: bigint;
  ino: bigint;
}

export interface FileWatch {
  /** Throws databaseUnavailable if the last look missed a file. */
  assertThere(): void;
  /**
   * Looks at the file and its log now, after a commit was written to them. Throws databaseUncertain if one of them is
   * missing.
   */
  assertKept(): void;
  end(): void;
}

export interface WatchOptions {
  /** Runs a checkpoint on the open files, wherever they are now; returns whether it succeeded. */
  checkpoint(): boolean;
  notify(level: 'info' | 'warn', sentence: string): void;
}

/** Device and inode of the file at this path, as text; undefined if there is no file. */
export function identityOf(path: string): string | undefined {
  const found = look(path);
  return found && `${found.dev}:${found.ino}`;
}

/** Throws databaseUnavailable if the file at this path is not the one that the server started with. */
export function assertIdentity(path: string, identity: string): void {
  if (identityOf(path) !== identity) throw lostFile(path);
}

/**
 * Starts the watch of a database that has been opened and read. If the same three files return to their paths, requests are
 * answered again, because this process served nothing in between; any other file needs a restart.
 */
export function watchFiles(path: string, { checkpoint, notify }: WatchOptions): FileWatch {
  // SQLite keeps the log beside the file that a symbolic link names.
  const real = realpathSync(path);
  const watched = (name: string) => ({ name, identity: look(name) });
  const [file, log, index] = [watched(path), watched(`${real}-wal`), watched(`${real}-shm`)];
  const files = [file, log, index];
  const isThere = ({ name, identity }: ReturnType<typeof watched>) => isSame(identity, look(name));
  let lost: string | undefined;
  let isCheckpointed = false;

  function lookAgain(): void {
    const missing = files.find((one) => !isThere(one))?.name;
    if (missing !== undefined && lost === undefined) {
      isCheckpointed = false;
      notify(
        'warn',
        `${missing} was removed or replaced while the database was served: every request is refused with 503. Put the very same file back, or stop the server, put the right file there (garden restore brings back a backup) and start it again.`,
      );
    }
    if (missing === undefined && lost !== undefined)
      notify('info', `${lost} is back; requests are answered.`);
    lost = missing;
    if (missing !== undefined && !isCheckpointed) isCheckpointed = checkpointLost();
  }

  /**
   * Moves the commits of the log into the open file. The log may remain at the old path, where SQLite would read it as the
   * log of a file that replaced this one.
   */
  function checkpointLost(): boolean {
    const there = look(index.name);
    // Another process has created a new -shm file, whose locks this process does not share; a checkpoint would be unsafe.
    if (there && !isSame(index.identity, there)) return true;
    return checkpoint();
  }

  const timer = setInterval(lookAgain, lookEveryMs);
  timer.unref();
  return {
    assertThere: () => {
      if (lost !== undefined) throw lostFile(path);
    },
    assertKept: () => {
      if (lost === undefined && isThere(file) && isThere(log)) return;
      lookAgain();
      if (lost === undefined) return;
      throw new AppError(
        'databaseUncertain',
        'The database was lost while it confirmed the change; look whether it was made before you try again.',
      );
    },
    end: () => clearInterval(timer),
  };
}

function look(name: string): Identity | undefined {
  try {
    return statSync(name, { bigint: true, throwIfNoEntry: false });
  } catch {
    // For example, a folder that this user may no longer search.
    return undefined;
  }
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino;
}

function lostFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `The database ${path} is gone or another file than the server began with; stop the server, put the right file there, and start it again.`,
  );
}
