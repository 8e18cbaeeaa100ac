/**
 * Watches that the files of an open database stay at their paths. SQLite goes on with a file that was removed or replaced,
 * and a change that is made there is lost to the next start, so such a database is refused (50306).
 */
import { realpathSync, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';

/** Requests are refused at most so long after the loss; a look at one file takes some 2 µs. */
const lookEveryMs = 100;

/** Device and inode of a file, which stay the same for as long as somebody has it open. */
interface Identity {
  dev: bigint;
  ino: bigint;
}

export interface FileWatch {
  /** Throws databaseUnavailable where the last look missed a file. */
  assertThere(): void;
  /**
   * Looks now, at the file and its log, which hold what was just committed. Throws databaseUncertain where one of them is
   * missing.
   */
  assertKept(): void;
  end(): void;
}

export interface Watching {
  /** Folds the log into the file, wherever both are now; answers whether that is done. */
  fold(): boolean;
  tell(level: 'info' | 'warn', sentence: string): void;
}

/** Device and inode of the file at this path, as text; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const found = look(path);
  return found && `${found.dev}:${found.ino}`;
}

/** Throws databaseUnavailable where the file at this path is not the one that the server began with. */
export function assertIdentity(path: string, identity: string): void {
  if (identityOf(path) !== identity) throw lostFile(path);
}

/**
 * Begins for a database that is open and was read. The same three files back at their paths are accepted again, because
 * nothing was answered from them meanwhile; any other file there needs a restart.
 */
export function watchFiles(path: string, { fold, tell }: Watching): FileWatch {
  // SQLite keeps the log beside the file that a symbolic link names.
  const real = realpathSync(path);
  const watched = (name: string) => ({ name, identity: look(name) });
  const [file, log, index] = [watched(path), watched(`${real}-wal`), watched(`${real}-shm`)];
  const files = [file, log, index];
  const isThere = ({ name, identity }: ReturnType<typeof watched>) => isSame(identity, look(name));
  let lost: string | undefined;
  let isFolded = false;

  function lookAgain(): void {
    const missing = files.find((one) => !isThere(one))?.name;
    if (missing !== undefined && lost === undefined) {
      isFolded = false;
      tell(
        'warn',
        `${missing} was removed or replaced while the database was served: every request is refused with 503. Put the very same file back, or stop the server, put the right file there (garden restore brings back a backup) and start it again.`,
      );
    }
    if (missing === undefined && lost !== undefined) tell('info', `${lost} is back; requests are answered.`);
    lost = missing;
    if (missing !== undefined && !isFolded) isFolded = foldOnce();
  }

  /**
   * What was committed is in the log, which may have stayed where the file was: it belongs into the file that was moved
   * away, and must not be read as the log of the file that took its place.
   */
  function foldOnce(): boolean {
    const there = look(index.name);
    // Another process has made an index of its own, whose locks are not those of this process.
    if (there && !isSame(index.identity, there)) return true;
    return fold();
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
    // Such as a folder that may not be searched any more.
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
