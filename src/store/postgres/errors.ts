/** The sentences for PostgreSQL's errors (SQLSTATE, its appendix A). They name the host; `refusalOf` hides it. */
import { AppError } from '../../errors.ts';
import { codeOf, type ErrorSentence, toAppError } from '../errors.ts';

/** SQLSTATEs after which the connection is lost: connection exceptions, shutdown, start-up, idle and transaction time-outs. */
const connectionLossStates = /^(?:08...|57P01|57P02|57P03|57P05|25P03|25P04)$/;
const connectionLossCodes = /^(?:E(?!PROTO$)[A-Z]+|EAI_AGAIN)$/;
/** A standby answers 0A000 to `begin … read write`. */
const readOnlyStates = /^(?:25006|0A000)$/;
/** Errors of the package `pg` itself have no code. */
const connectionLossMessages =
  /^(?:Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|Client was closed|The server does not support SSL)/;

const unreachable =
  '{database} cannot be reached ({code}); check that it runs and that DATABASE_URL is right.';

const sentences: readonly ErrorSentence[] = [
  [
    /^(?:28P01|28000)$/,
    'databaseUnavailable',
    '{database} refuses the user or the password; correct DATABASE_URL or pg_hba.conf.',
  ],
  [
    /CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^HOSTNAME_MISMATCH$|^EPROTO$/,
    'databaseUnavailable',
    'The TLS certificate of {database} is not accepted ({code}); correct it, or sslrootcert and sslmode in DATABASE_URL.',
  ],
  [
    /^3D000$/,
    'databaseUnavailable',
    'There is no database at {database}; create it with createdb, then run garden migrate.',
  ],
  [
    /^42501$/,
    'databaseUnavailable',
    '{database} does not allow this user to do that; grant the permission, or connect as the owner of the tables.',
  ],
  [
    /^53300$/,
    'databaseUnavailable',
    '{database} has no free connection; raise max_connections or lower DATABASE_POOL.',
  ],
  [
    readOnlyStates,
    'databaseReadOnly',
    '{database} does not accept writes now; it may be a standby, or a failover may be in progress.',
  ],
  [
    /^53100$/,
    'databaseFull',
    'The disk under {database} is full; nothing was changed: free some space and try again.',
  ],
  [
    /^(?:55P03|40001|40P01)$/,
    'databaseBusy',
    'Another process is writing to the database; try again in a moment.',
  ],
  [
    /^57014$/,
    'databaseBusy',
    'The database took too long and the statement was stopped; try again, or ask for fewer rows.',
  ],
  [/^XX00[12]$/, 'databaseCorrupt', '{database} is damaged; restore a backup of it.'],
  [
    /^(?:22021|22P05)$/,
    'badRow',
    'A text contains a character that PostgreSQL cannot store (NUL or half a surrogate pair); correct it.',
  ],
  [
    /^54000$/,
    'badRow',
    'A key or a tag is too long for an index of the database; keep them below 2,600 bytes.',
  ],
  [/^53/, 'databaseUnavailable', unreachable],
];

export function asAppError(error: unknown, name: string): unknown {
  const translation = toAppError(error, name, sentences);
  if (translation instanceof AppError || !isConnectionLoss(error)) return translation;
  return toAppError(error, name, [[/(?:)/, 'databaseUnavailable', unreachable]]);
}

export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return (
    connectionLossStates.test(code) ||
    connectionLossCodes.test(code) ||
    connectionLossMessages.test(messageOf(error))
  );
}

/** A query that timed out is not repeated, because that would double the wait. */
export function isTimeout(error: unknown): boolean {
  return /timeout/i.test(messageOf(error)) || codeOf(error) === 'ETIMEDOUT';
}

export function isReadOnly(error: unknown): boolean {
  return readOnlyStates.test(codeOf(error));
}

export function isConflict(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error instanceof AppError ? error.cause : error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
