/**
 * Every error number: HTTP status × 100 + detail, whose meaning never changes (docs/errors.md). The sentences of the OpenAPI
 * document are here, so that it and the server agree.
 */

import {
  english,
  type Language,
  type MessageKey,
  type Messages,
  makeLanguage,
  translate,
} from './words/catalogue.ts';

const entry = (number: number, summary: string) => ({ number, summary });

export const errors = {
  malformedRequest: entry(40000, 'The request is not well-formed HTTP.'),
  malformedId: entry(40001, 'The id in the path is not an int64.'),
  unknownParameter: entry(40002, 'The operation has no such query parameter.'),
  malformedParameter: entry(40003, 'A query parameter has a value that is not allowed.'),
  repeatedParameter: entry(40004, 'A query parameter that may be sent once was sent more than once.'),
  malformedCursor: entry(40005, 'The cursor is not valid for this collection and order.'),
  unexpectedBody: entry(40006, 'A body was sent to an operation that takes none.'),
  malformedPath: entry(40007, 'The path is not well-formed.'),
  badHost: entry(40008, 'The Host header is missing, repeated or malformed.'),
  malformedBody: entry(40009, 'The body is not well-formed JSON, or is too deep.'),
  malformedKey: entry(40010, 'The Idempotency-Key is not well-formed.'),
  badFile: entry(40050, 'A file to import cannot be read, or has another format than the one you named.'),
  badRow: entry(40051, 'A row of a file to import is not valid.'),
  invalidValue: entry(40052, 'A setting or an argument has a value that is not allowed.'),
  missingToken: entry(40100, 'No bearer token was sent.'),
  invalidToken: entry(40101, 'The bearer token is malformed, unknown, expired or revoked.'),
  missingScope: entry(40300, 'The token lacks the scope that this needs.'),
  staffOnly: entry(40301, 'Only administrators (staff) may request this.'),
  foreignForm: entry(40302, 'A form was not sent from a page of this garden, or is too old.'),
  notByProgram: entry(40303, 'The change was not made by a program, so no program can undo it.'),
  unknownPath: entry(40400, 'There is nothing at this path.'),
  unknownItem: entry(40401, 'The item does not exist, or this token may not see it.'),
  unknownMember: entry(40402, 'There is no member with that name or id.'),
  wrongMethod: entry(40500, 'The path does not allow this method.'),
  notAcceptable: entry(40600, 'None of the accepted content types can be served.'),
  requestTimeout: entry(40800, 'The request took too long to arrive.'),
  preconditionFailed: entry(41200, 'The condition of If-Match or If-None-Match is not met.'),
  alreadyExists: entry(40900, 'Something with that name or key already exists.'),
  keyInUse: entry(40901, 'A request with the same Idempotency-Key is still running.'),
  changedSince: entry(40902, 'A later change depends on it.'),
  goesBack: entry(40903, 'The status would go back, which needs If-Match with a version.'),
  notDue: entry(40904, 'The problem is not due for review.'),
  timerConflict: entry(40905, 'A timer runs, or none does.'),
  trimmed: entry(41000, 'It was stored for a limited time, which is over.'),
  bodyTooLarge: entry(41300, 'The body is too large.'),
  targetTooLong: entry(41400, 'The request target is longer than 8 KiB.'),
  unsupportedType: entry(41500, 'The body has a content type or a coding that the operation does not take.'),
  expectationFailed: entry(41700, 'The Expect header asks for something other than 100-continue.'),
  keyReused: entry(42200, 'The Idempotency-Key was used for another request.'),
  versionRequired: entry(42800, 'The operation needs If-Match with a version.'),
  tooManyRequests: entry(42900, 'The token sent too many requests.'),
  headersTooLarge: entry(43100, 'The headers are larger than 16 KiB.'),
  internal: entry(50000, 'The server failed; the log line with the request id says why.'),
  fileUnwritable: entry(50050, 'A file cannot be written to that place.'),
  judgeFailed: entry(50250, 'A judge could not be reached, or sent an answer that cannot be used.'),
  unsupportedHttpVersion: entry(50500, 'The HTTP version is not supported.'),
  overloaded: entry(50300, 'The server is stopping or overloaded.'),
  databaseBusy: entry(50301, 'The database is locked by another process.'),
  databaseReadOnly: entry(50302, 'The database cannot be written.'),
  databaseFull: entry(50303, 'The disk under the database is full.'),
  databaseCorrupt: entry(50304, 'The database file is damaged, or is not a database of Practice Garden.'),
  databaseNewer: entry(50305, 'The database was written by a newer version.'),
  databaseUnavailable: entry(50306, 'The database cannot be opened.'),
  databaseOutdated: entry(50307, 'The database needs to be migrated first.'),
  databaseUncertain: entry(
    50308,
    'The database was lost while it confirmed a change; the change may have been saved.',
  ),
  databaseTooOld: entry(50309, 'The database is from before schema 1, which is the oldest that is updated.'),
};

export type ErrorName = keyof typeof errors;

export type ErrorKey = Extract<MessageKey, `${ErrorName}.${string}`>;

export type MessageValue = string | number | bigint | Message;
type MessageValues = Readonly<Record<string, MessageValue>>;

/** A sentence as a key and values, which a page shows in the language of its viewer. */
export interface Message {
  key: MessageKey;
  values: MessageValues;
}

/** Only the message of an AppError is shown to people. */
export class AppError extends Error {
  readonly code: ErrorName;
  readonly number: number;
  readonly status: number;
  readonly localized: Message | undefined;
  /** Each name is followed by its value. */
  readonly headers: readonly string[];
  constructor(
    code: ErrorName,
    message: string,
    options?: { cause?: unknown; localized?: Message; headers?: readonly string[] },
  ) {
    super(message, options);
    this.localized = options?.localized;
    this.headers = options?.headers ?? [];
    this.name = 'AppError';
    this.code = code;
    this.number = errors[code].number;
    this.status = Math.floor(this.number / 100);
  }
}

export function localizedError(key: ErrorKey, values: MessageValues = {}, cause?: unknown): AppError {
  const localized: Message = { key, values };
  return new AppError(key.slice(0, key.indexOf('.')) as ErrorName, inEnglish(localized), {
    cause,
    localized,
  });
}

export function message(key: MessageKey, values: MessageValues = {}): Message {
  return { key, values };
}

export function joinMessages(parts: readonly MessageValue[], between: string): MessageValue {
  const [first = '', ...others] = parts;
  return others.reduce((before, next) => {
    if (between === ', ') return message('message.comma', { before, next });
    if (between === '; ') return message('message.semicolon', { before, next });
    return message('message.joined', { before, between, next });
  }, first);
}

/** The command line and the API have these instead of the messages of pages, because they name flags. */
export const terminalMessages = {
  'alreadyExists.handleToJoin':
    '{name} is linked as well; use --join to join both handles, which cannot be undone.',
  'badFile.bareId':
    'Line {line}, column {column}: the row names a {named} by its id alone, which is another {named} in another garden; import a file from garden export, which has names and keys as well as ids, or use --ids-of-this-garden if the file comes from this database.',
  'badFile.manyHandles':
    'The file has {count} handles under which these submissions were made; name this member’s handle with --handle NAME.',
  'badFile.noHandle':
    'The file does not say under which handle these submissions were made; name this member’s handle with --handle NAME.',
  'badFile.otherKind': 'This looks like {found}, not {expected}: import it with {kind}.',
  'badRow.otherName':
    'member {id} is {here} here, not {username}; leave the id out, or use --ids-of-this-garden to rename them; garden export --without-ids leaves ids out.',
  'badRow.otherPlant':
    'plant {id} is another one here, {name} of member {user}; leave the id out, or use --ids-of-this-garden to change its name or member; garden export --without-ids leaves ids out.',
  'badRow.otherProblem':
    'problem {id} is {source} {key} here, not {given}; leave the id out, or use --ids-of-this-garden to change its key; garden export --without-ids leaves ids out.',
  'badRow.several':
    '{isAll, select, true {No row is valid and nothing was imported; correct the file, or name the kind that it is} other {{count, plural, one {One row is} other {# rows are}} not valid and nothing was imported; correct the file, or skip such rows with --skip-bad}}:{rows}',
  'judgeFailed.noUser':
    '{judge} has no user {handle}; if the name there changed, use garden handle rename, which keeps everything.',
  'imported.leftOut':
    'Left out: {count, plural, one {# problem} other {# problems}} that the garden does not have: {names}; --add-unknown adds links.',
} satisfies Partial<Messages>;

const terminalLanguage = makeLanguage('en', () => ({ ...english.messages, ...terminalMessages }));

export function formatMessage(language: Language, { key, values }: Message): string {
  const texts = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'object' ? formatMessage(language, value) : value] as const,
  );
  return translate(language, key, Object.fromEntries(texts));
}

export const inEnglish = (message: Message): string => formatMessage(terminalLanguage, message);

export type LocalizedText = Pick<AppError, 'localized' | 'message'>;

export function localizedText(localized: Message): LocalizedText {
  return { localized, message: inEnglish(localized) };
}

export function serializeLocalizedText({ localized, message }: LocalizedText): string {
  if (!localized) return message;
  return JSON.stringify({ localized, message }, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** Earlier releases stored plain English text. */
export function parseLocalizedText(text: string): LocalizedText {
  return text.startsWith('{') ? (JSON.parse(text) as LocalizedText) : { localized: undefined, message: text };
}

export const quoted = (text: string) => JSON.stringify(text.slice(0, 60));

/** Members make the tokens of programs on the website. */
const tokenPlace = (kind: string) => (kind === 'pgt' ? 'garden token create' : 'Settings, Connections');

const sentences = {
  unknownParameter: (name: string, nearest: string) =>
    `Unknown parameter ${quoted(name)}; did you mean "${nearest}"?`,
  malformedParameter: (name: string, expected: string) => `The parameter "${name}" must be ${expected}.`,
  repeatedParameter: (name: string) => `The parameter "${name}" was sent more than once; send it once.`,
  malformedCursor: () =>
    'This cursor does not belong to this collection and order; use the one in the Link header of the previous page.',
  malformedId: (id: string) =>
    `The id ${quoted(id)} is not an int64: send decimal digits without leading zeros, from -9223372036854775808 to 9223372036854775807.`,
  missingToken: (kind = 'pgt') =>
    `This request needs a token: send "Authorization: Bearer ${kind}_…", with a token from ${tokenPlace(kind)}.`,
  invalidToken: (kind = 'pgt') =>
    `This token is malformed, unknown, expired or revoked; create a new one ${kind === 'pgt' ? 'with' : 'under'} ${tokenPlace(kind)}.`,
  missingScope: (scope: string) => {
    const place = scope.startsWith('practice:') ? `under ${tokenPlace('pgw')}` : `with ${tokenPlace('pgt')}`;
    return `This token lacks the scope ${scope}; create one that has it ${place}.`;
  },
  unknownItem: (noun: string, id: bigint) =>
    `There is no ${noun} ${id} that this token may see; check the id.`,
  unknownMember: (id: bigint) => `There is no member ${id} that this token may see; check "user".`,
  staffOnly: () => 'Only administrators (staff) may request user=all; leave "user" out to get your own rows.',
  notAcceptable: (accept: string, types: string) =>
    `The answer cannot be sent as ${quoted(accept)}; accept ${types}.`,
  requestTimeout: () => 'The request took longer than 10 seconds to arrive; send it faster.',
  preconditionFailed: () =>
    'The condition of If-Match or If-None-Match is not met, and nothing was changed; read the ETag again, or leave the header out.',
  targetTooLong: () => 'The request target is longer than 8 KiB; send fewer or shorter parameters.',
  tooManyRequests: (perSecond: number) =>
    `This token sent more than ${perSecond} requests in a second; wait a second.`,
  headersTooLarge: () => 'The headers are larger than 16 KiB; send fewer or shorter ones.',
  internal: () =>
    'The server failed; try again, and if it fails again, give the X-Request-Id to an administrator.',
  overloaded: () => 'The server is sending too many long answers; try again in a second.',
} satisfies Partial<Record<ErrorName, (...values: never[]) => string>>;

export function documentedError<Name extends keyof typeof sentences>(
  name: Name,
  ...values: Parameters<(typeof sentences)[Name]>
): AppError {
  const sentence: (...values: never[]) => string = sentences[name];
  return new AppError(name, sentence(...(values as never[])));
}

/** The message of an error that is no AppError never leaves the program. */
export function refusalOf(error: unknown) {
  const appError = error instanceof AppError ? error : documentedError('internal');
  const { status, number, code } = appError;
  return {
    status,
    /** Each name is followed by its value. */
    headers: headersOf(appError),
    body: { error: number, message: responseMessage(appError) },
    isFault: status >= 500 && !['unsupportedHttpVersion', 'overloaded', 'databaseBusy'].includes(code),
  };
}

/** Messages about the database contain its path, which clients must not see. */
function responseMessage(error: AppError): string {
  const isWithoutPath = ['overloaded', 'databaseBusy', 'databaseUncertain'].includes(error.code);
  if (error.status !== 503 || isWithoutPath) return error.message;
  return 'The database cannot be used right now and nothing was changed; try again later.';
}

function headersOf(error: AppError): readonly string[] {
  if (error.headers.length > 0) return error.headers;
  if (error.code === 'missingToken') return ['WWW-Authenticate', 'Bearer'];
  if (error.code === 'invalidToken') return ['WWW-Authenticate', 'Bearer error="invalid_token"'];
  if (error.code === 'missingScope') return ['WWW-Authenticate', 'Bearer error="insufficient_scope"'];
  if (error.status === 429 || error.status === 503) return ['Retry-After', '1'];
  return [];
}

export function badFile(message: string, cause?: unknown): AppError {
  return new AppError('badFile', message, { cause });
}

export function invalidValue(message: string, cause?: unknown): AppError {
  return new AppError('invalidValue', message, { cause });
}
