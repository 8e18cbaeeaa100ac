/** What PostgreSQL's failures mean to people: never with SQL, and on the wire (http/refusals) without any host either. */
import { AppError, type ErrorName } from '../../errors.ts';

/** Of the connection, not of the query: it is closed, and the server may be another one now. */
const lossCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'ECONNABORTED'],
  // Shut down by an administrator, by a crash, not taking connections yet, idle in a transaction for too long.
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'],
]);
/** The driver's own complaints have no code. */
const lossMessages =
  /^(?:Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|Client was closed|The server does not support SSL)/;
const conflictCodes = new Set(['40001', '40P01']);

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether the connection is gone, or the server does not answer on it. */
export function isLoss(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('08') || lossCodes.has(code) || lossMessages.test((error as Error)?.message ?? '');
}

/** Whether it was a clock that ended the connection: trying again would double the wait. */
export function isTimeout(error: unknown): boolean {
  return /timeout/i.test((error as Error)?.message ?? '') || codeOf(error) === 'ETIMEDOUT';
}

/** Whether the server takes no writes: a standby, or a primary that was made one. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Whether the same transaction may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  return (
    conflictCodes.has(codeOf(error)) || (error instanceof AppError && conflictCodes.has(codeOf(error.cause)))
  );
}

/** What each of PostgreSQL's failures means; anything unknown passes through unchanged. */
export function asAppError(error: unknown, name: string): unknown {
  if (error instanceof AppError) return error;
  const as = (errorName: ErrorName, sentence: string) => new AppError(errorName, sentence, { cause: error });
  const code = codeOf(error);
  if (code === '28P01' || code === '28000') {
    return as(
      'databaseUnavailable',
      `${name} refuses the user or the password; mend DATABASE_URL, or what pg_hba.conf allows.`,
    );
  }
  if (/CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^HOSTNAME_MISMATCH$|^EPROTO$/.test(code)) {
    return as(
      'databaseUnavailable',
      `${name} has no certificate that is accepted (${code}); mend it, or sslrootcert and sslmode in DATABASE_URL.`,
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
      `${name} does not let this user do that; grant it, or name the tables' owner.`,
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
      `${name} takes no writes now; it may be a standby, or be changing places with one.`,
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
      'The database took too long over this and was stopped; try again, or ask for less.',
    );
  }
  if (code === 'XX001' || code === 'XX002') {
    return as('databaseCorrupt', `${name} is damaged; restore a backup of it.`);
  }
  if (code === '22021' || code === '22P05') {
    return as(
      'badRow',
      'A text holds a character that PostgreSQL cannot keep (NUL or half a surrogate pair); mend it.',
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
