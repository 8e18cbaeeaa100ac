/**
 * Translates PostgreSQL's errors into sentences for people. They never show SQL, and `refusalOf` keeps the host off the wire
 * too.
 */
import { AppError, type ErrorName } from '../../errors.ts';

/** Errors of the connection, not of the query: Node's codes, then SQLSTATEs (PostgreSQL, appendix A). */
const lossCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'ECONNABORTED'],
  // Shutdown by an administrator or a crash, start-up, idle session, idle transaction, transaction time-out.
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'],
]);
/** The errors of `pg` itself have no code. */
const lossMessages =
  /^(?:Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|Client was closed|The server does not support SSL)/;
const conflictCodes = new Set(['40001', '40P01']);

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether the connection is lost, or the server does not answer on it. */
export function isLoss(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('08') || lossCodes.has(code) || lossMessages.test((error as Error)?.message ?? '');
}

/** Whether a time-out ended the connection. Such a query is not repeated, because that would double the wait. */
export function isTimeout(error: unknown): boolean {
  return /timeout/i.test((error as Error)?.message ?? '') || codeOf(error) === 'ETIMEDOUT';
}

/** Whether the server takes no writes: it is a standby, or was a primary and became one. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Whether the same transaction may succeed when it runs again (serialization failure, deadlock). */
export function isConflict(error: unknown): boolean {
  return (
    conflictCodes.has(codeOf(error)) || (error instanceof AppError && conflictCodes.has(codeOf(error.cause)))
  );
}

/** Turns a PostgreSQL error into an AppError; returns an unknown error unchanged. */
export function asAppError(error: unknown, name: string): unknown {
  if (error instanceof AppError) return error;
  const as = (errorName: ErrorName, sentence: string) => new AppError(errorName, sentence, { cause: error });
  const code = codeOf(error);
  if (code === '28P01' || code === '28000') {
    return as(
      'databaseUnavailable',
      `${name} refuses the user or the password; correct DATABASE_URL or pg_hba.conf.`,
    );
  }
  if (/CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^HOSTNAME_MISMATCH$|^EPROTO$/.test(code)) {
    return as(
      'databaseUnavailable',
      `The TLS certificate of ${name} is not accepted (${code}); correct it, or sslrootcert and sslmode in DATABASE_URL.`,
    );
  }
  if (code === '3D000') {
    return as(
      'databaseUnavailable',
      `There is no database at ${name}; make it with createdb, then run garden migrate.`,
    );
  }
  if (code === '42501') {
    return as(
      'databaseUnavailable',
      `${name} does not allow this user to do that; grant the right, or connect as the owner of the tables.`,
    );
  }
  if (code === '53300') {
    return as(
      'databaseUnavailable',
      `${name} has no connection left; raise max_connections or lower DATABASE_POOL.`,
    );
  }
  if (isReadOnly(error)) {
    return as(
      'databaseReadOnly',
      `${name} takes no writes now; it may be a standby, or a failover may be under way.`,
    );
  }
  if (code === '53100') {
    return as(
      'databaseFull',
      `The disk under ${name} is full; nothing was changed: free some space and try again.`,
    );
  }
  if (code === '55P03' || isConflict(error)) {
    return as('databaseBusy', 'Another process is writing to the database; try again in a moment.');
  }
  if (code === '57014') {
    return as(
      'databaseBusy',
      'The database took too long and the statement was stopped; try again, or ask for fewer rows.',
    );
  }
  if (code === 'XX001' || code === 'XX002') {
    return as('databaseCorrupt', `${name} is damaged; restore a backup of it.`);
  }
  if (code === '22021' || code === '22P05') {
    return as(
      'badRow',
      'A text holds a character that PostgreSQL cannot store (NUL or half a surrogate pair); correct it.',
    );
  }
  if (code === '54000') {
    return as(
      'badRow',
      'A key or a tag is too long for an index of the database; keep them below 2,600 bytes.',
    );
  }
  if (code.startsWith('53') || isLoss(error)) {
    const reason = code || 'it does not answer';
    return as(
      'databaseUnavailable',
      `${name} cannot be reached (${reason}); check that it runs and that DATABASE_URL is right.`,
    );
  }
  return error;
}
