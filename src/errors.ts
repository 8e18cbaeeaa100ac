/**
 * Every error number, once: number = HTTP status × 100 + detail. Numbers never change meaning (docs/errors.md explains each).
 * The sentences that the OpenAPI document shows stand here too, so that the document and the server say the same.
 */

const entry = (number: number, summary: string) => ({ number, summary });

export const errors = {
  malformedRequest: entry(40000, 'The request is not well-formed HTTP.'),
  malformedId: entry(40001, 'The id in the path is not an int64.'),
  unknownParameter: entry(40002, 'A query parameter is not known here.'),
  malformedParameter: entry(40003, 'A query parameter has a value that is not allowed.'),
  repeatedParameter: entry(40004, 'A query parameter that may stand once was given more than once.'),
  malformedCursor: entry(40005, 'The cursor is not one that this collection and order gave out.'),
  unexpectedBody: entry(40006, 'A body was sent where none belongs.'),
  malformedPath: entry(40007, 'The path is not well-formed.'),
  badHost: entry(40008, 'The Host header is missing, repeated or malformed.'),
  badFile: entry(40050, 'A file to import cannot be read, or is not of the kind that was named.'),
  badRow: entry(40051, 'A row of a file to import is not valid.'),
  badSetting: entry(40052, 'A setting or an argument has a value that is not allowed.'),
  missingToken: entry(40100, 'No bearer token was sent.'),
  invalidToken: entry(40101, 'The bearer token is malformed, unknown, expired or revoked.'),
  missingScope: entry(40300, 'The token lacks the scope that this needs.'),
  staffOnly: entry(40301, 'Only staff may ask for this.'),
  foreignForm: entry(40302, 'A form was not sent from a page of this garden, or is too old.'),
  unknownPath: entry(40400, 'Nothing lives at this path.'),
  unknownItem: entry(40401, 'No such item, or none that this token may see.'),
  unknownMember: entry(40402, 'No member of that name or id.'),
  wrongMethod: entry(40500, 'The path exists, but not with this method.'),
  notAcceptable: entry(40600, 'None of the accepted content types can be served.'),
  requestTimeout: entry(40800, 'The request took too long to arrive.'),
  preconditionFailed: entry(41200, 'If-Match or If-None-Match does not hold.'),
  alreadyExists: entry(40900, 'Something of that name or key exists already.'),
  bodyTooLarge: entry(41300, 'The body is larger than is read here.'),
  targetTooLong: entry(41400, 'The request target is longer than 8 KiB.'),
  expectationFailed: entry(41700, 'The Expect header asks for something other than 100-continue.'),
  tooManyRequests: entry(42900, 'The token used up its requests for now.'),
  headersTooLarge: entry(43100, 'The headers are larger than 16 KiB.'),
  internal: entry(50000, 'Something broke here; the log line of the request id says what.'),
  fileUnwritable: entry(50050, 'A file cannot be written where it was asked for.'),
  judgeFailed: entry(50250, 'A judge did not answer as it should.'),
  unsupportedHttpVersion: entry(50500, 'The HTTP version is not supported.'),
  overloaded: entry(50300, 'The server is stopping or has too much to do.'),
  databaseBusy: entry(50301, 'The database is locked by another process.'),
  databaseReadOnly: entry(50302, 'The database cannot be written.'),
  databaseFull: entry(50303, 'The disk under the database is full.'),
  databaseCorrupt: entry(50304, 'The database file is damaged or no database of ours.'),
  databaseNewer: entry(50305, 'The database was written by a newer version.'),
  databaseUnavailable: entry(50306, 'The database cannot be opened.'),
  databaseOutdated: entry(50307, 'The database needs to be migrated first.'),
  databaseUncertain: entry(
    50308,
    'The database was lost while a change was confirmed; it may have been made.',
  ),
};

export type ErrorName = keyof typeof errors;

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
    this.status = Math.floor(this.number / 100);
  }
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 60));

/** What a client reads: one sentence of what is wrong and what to do. */
const sentences = {
  unknownParameter: (name: string, nearest: string) =>
    `There is no parameter ${quoted(name)} here; did you mean "${nearest}"?`,
  malformedParameter: (name: string, expected: string) => `The parameter "${name}" must be ${expected}.`,
  repeatedParameter: (name: string) => `The parameter "${name}" stands more than once; send it once.`,
  malformedCursor: () =>
    'This cursor does not belong to this collection and order; take it from the Link header of the page before.',
  malformedId: (id: string) =>
    `The id ${quoted(id)} is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.`,
  missingToken: () =>
    'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
  invalidToken: () =>
    'This token is malformed, unknown, expired or revoked; garden token create makes a new one.',
  missingScope: (scope: string) =>
    `This token lacks the scope ${scope}; make one that has it with garden token create.`,
  unknownItem: (noun: string, id: bigint) =>
    `There is no ${noun} ${id} that this token may see; check the id.`,
  unknownMember: (id: bigint) => `There is no member ${id} that this token may see; check "user".`,
  staffOnly: () => 'Only staff may ask for user=all; leave "user" out to see your own rows.',
  notAcceptable: (accept: string, types: string) =>
    `This cannot be served as ${quoted(accept)}; accept ${types}.`,
  requestTimeout: () => 'The request took longer than 10 seconds to arrive; send it faster.',
  preconditionFailed: () =>
    'If-Match or If-None-Match does not hold, and nothing was done; read the ETag again, or leave the header out.',
  targetTooLong: () => 'The request target is longer than 8 KiB; send fewer or shorter parameters.',
  tooManyRequests: (perSecond: number) =>
    `This token made more than ${perSecond} requests in a second; wait a second.`,
  headersTooLarge: () => 'The headers are larger than 16 KiB; send fewer or shorter ones.',
  internal: () =>
    'Something broke here; try again, and if it stays show the X-Request-Id to the people who run this garden.',
  overloaded: () => 'Too many long answers are under way; try again in a second.',
} satisfies Partial<Record<ErrorName, (...facts: never[]) => string>>;

/** An error in the words of the OpenAPI document. */
export function documentedError<Name extends keyof typeof sentences>(
  name: Name,
  ...facts: Parameters<(typeof sentences)[Name]>
): AppError {
  const sentence: (...facts: never[]) => string = sentences[name];
  return new AppError(name, sentence(...(facts as never[])));
}

/** Any error as a refusal. No word of an error that is no AppError leaves the program. */
export function refusalOf(error: unknown) {
  const known = error instanceof AppError ? error : documentedError('internal');
  const { status, number, code } = known;
  return {
    status,
    /** Names and values in turn. */
    headers: headersOf(known),
    body: { error: number, message: wireMessage(known) },
    /** Whether the program itself is at fault, so that the cause belongs into the log. */
    isFault: status >= 500 && code !== 'unsupportedHttpVersion',
  };
}

/** Messages about the database name its path, which may be shown on a terminal but not to clients. */
function wireMessage(error: AppError): string {
  const namesNoPath = ['overloaded', 'databaseBusy', 'databaseUncertain'].includes(error.code);
  if (error.status !== 503 || namesNoPath) return error.message;
  return 'The database cannot be used right now and nothing was changed; try again later.';
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
