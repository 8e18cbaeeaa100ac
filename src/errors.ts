/** Every error number, once: number = HTTP status × 100 + detail. Numbers never change meaning (docs/errors.md explains each). */

export const errors = {
  malformedRequest: { number: 40000, summary: 'The request is not well-formed HTTP.' },
  malformedId: { number: 40001, summary: 'The id in the path is not an int64.' },
  unknownParameter: { number: 40002, summary: 'A query parameter is not known here.' },
  malformedParameter: { number: 40003, summary: 'A query parameter has a value that is not allowed.' },
  repeatedParameter: {
    number: 40004,
    summary: 'A query parameter that may stand once was given more than once.',
  },
  malformedCursor: {
    number: 40005,
    summary: 'The cursor is not one that this collection and order gave out.',
  },
  unexpectedBody: { number: 40006, summary: 'A body was sent where none belongs.' },
  malformedPath: { number: 40007, summary: 'The path is not well-formed.' },
  badHost: { number: 40008, summary: 'The Host header is missing, repeated or malformed.' },
  badFile: { number: 40050, summary: 'A file to import cannot be read as what it was said to be.' },
  badRow: { number: 40051, summary: 'A row of a file to import is not valid.' },
  badSetting: { number: 40052, summary: 'A setting or an argument has a value that is not allowed.' },
  missingToken: { number: 40100, summary: 'No bearer token was sent.' },
  invalidToken: { number: 40101, summary: 'The bearer token is malformed, unknown, expired or revoked.' },
  missingScope: { number: 40300, summary: 'The token lacks the scope that this needs.' },
  staffOnly: { number: 40301, summary: 'Only staff may ask for this.' },
  unknownPath: { number: 40400, summary: 'Nothing lives at this path.' },
  unknownItem: { number: 40401, summary: 'No such item, or none that this token may see.' },
  unknownMember: { number: 40402, summary: 'No member of that name or id.' },
  wrongMethod: { number: 40500, summary: 'The path exists, but not with this method.' },
  notAcceptable: { number: 40600, summary: 'None of the accepted content types can be served.' },
  requestTimeout: { number: 40800, summary: 'The request took too long to arrive.' },
  preconditionFailed: { number: 41200, summary: 'If-Match or If-None-Match does not hold.' },
  alreadyExists: { number: 40900, summary: 'Something of that name or key exists already.' },
  bodyTooLarge: { number: 41300, summary: 'The body is larger than is read here.' },
  targetTooLong: { number: 41400, summary: 'The request target is longer than 8 KiB.' },
  expectationFailed: {
    number: 41700,
    summary: 'The Expect header asks for something other than 100-continue.',
  },
  tooManyRequests: { number: 42900, summary: 'The token used up its requests for now.' },
  headersTooLarge: { number: 43100, summary: 'The headers are larger than 16 KiB.' },
  internal: { number: 50000, summary: 'Something broke here; the log line of the request id says what.' },
  fileUnwritable: { number: 50050, summary: 'A file cannot be written where it was asked for.' },
  unsupportedHttpVersion: { number: 50500, summary: 'The HTTP version is not supported.' },
  overloaded: { number: 50300, summary: 'The server is stopping or has too much to do.' },
  databaseBusy: { number: 50301, summary: 'The database is locked by another process.' },
  databaseReadOnly: { number: 50302, summary: 'The database cannot be written.' },
  databaseFull: { number: 50303, summary: 'The disk under the database is full.' },
  databaseCorrupt: { number: 50304, summary: 'The database file is damaged or no database of ours.' },
  databaseNewer: { number: 50305, summary: 'The database was written by a newer version.' },
  databaseUnavailable: { number: 50306, summary: 'The database cannot be opened.' },
  databaseOutdated: { number: 50307, summary: 'The database needs to be migrated first.' },
  databaseUncertain: {
    number: 50308,
    summary: 'The database was lost while a change was confirmed; it may have been made.',
  },
} as const satisfies Record<string, { number: number; summary: string }>;

export type ErrorName = keyof typeof errors;

/** The HTTP status that a catalogue number belongs to. */
export function statusOf(errorNumber: number): number {
  return Math.floor(errorNumber / 100);
}

/** The only error that is meant for people: its message says in one sentence what is wrong and what to do. */
export class AppError extends Error {
  readonly code: ErrorName;
  readonly number: number;
  readonly status: number;
  constructor(code: ErrorName, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.number = errors[code].number;
    this.status = statusOf(this.number);
  }
}

/** An error as an answer. */
export interface Refusal {
  status: number;
  /** Names and values in turn. */
  headers: readonly string[];
  body: { error: number; message: string };
  /** Whether it is a fault of ours, whose cause belongs into the log. */
  isFault: boolean;
}

/** Any error as a refusal. What is no AppError is a fault of ours: no word of it leaves. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError)) {
    const message =
      'Something broke here; try again, and if it stays show the X-Request-Id to the people who run this garden.';
    return { status: 500, headers: [], body: { error: errors.internal.number, message }, isFault: true };
  }
  return {
    status: error.status,
    headers: headersOf(error),
    body: { error: error.number, message: wireMessage(error) },
    isFault: error.status >= 500 && error.code !== 'unsupportedHttpVersion',
  };
}

/** Messages about the database name its path: fine on a terminal, not on the wire. */
function wireMessage(error: AppError): string {
  const namesNoPath = ['overloaded', 'databaseBusy', 'databaseUncertain'].includes(error.code);
  if (error.status !== 503 || namesNoPath) return error.message;
  return 'The database cannot be used right now and nothing was changed; try again later.';
}

/** After these nobody can be sure where the next request begins. */
const framingErrors: ReadonlySet<ErrorName> = new Set([
  'malformedRequest',
  'badHost',
  'unsupportedHttpVersion',
  'expectationFailed',
  'targetTooLong',
  'headersTooLarge',
]);

/** Whether the connection has to end with this refusal. */
export function endsConnection(error: unknown): boolean {
  return error instanceof AppError && framingErrors.has(error.code);
}

function headersOf(error: AppError): string[] {
  if (error.code === 'missingToken') return ['WWW-Authenticate', 'Bearer'];
  if (error.code === 'invalidToken') return ['WWW-Authenticate', 'Bearer error="invalid_token"'];
  if (error.code === 'missingScope') return ['WWW-Authenticate', 'Bearer error="insufficient_scope"'];
  if (error.status === 429 || error.status === 503) return ['Retry-After', '1'];
  return [];
}

/** A file that cannot be imported at all: one sentence of what is wrong and what to do. */
export function badFile(message: string, cause?: unknown): AppError {
  return new AppError('badFile', message, { cause });
}

/** A setting, flag or argument that is not allowed. */
export function badSetting(message: string, cause?: unknown): AppError {
  return new AppError('badSetting', message, { cause });
}
