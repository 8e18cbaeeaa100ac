/** How a refusal looks on the wire, whoever refuses: a status, the Error body, the headers that go with it. */
import type { ErrorBody } from '../contract/common.ts';
import { AppError, type ErrorName } from '../errors.ts';

export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
  /** Whether it is a fault of ours, whose cause belongs into the log. */
  isFault: boolean;
}

/** Any error as a refusal. What is not an AppError is a fault of ours: no word of it leaves. */
export function refusalOf(error: unknown): Refusal {
  const known = error instanceof AppError ? error : fromFramework(error);
  if (!known) {
    const message =
      'Something broke here; try again, and if it stays show the X-Request-Id to whoever runs this garden.';
    return { status: 500, headers: {}, body: { error: 50000, message }, isFault: true };
  }
  return {
    status: known.status,
    headers: headersOf(known),
    body: { error: known.number, message: wireMessage(known) },
    isFault: known.status >= 500 && known.code !== 'unsupportedHttpVersion',
  };
}

/** Messages about the database name its path: fine on a terminal, not on the wire. */
function wireMessage(error: AppError): string {
  const tellsNoPath = ['overloaded', 'databaseBusy', 'databaseUncertain'].includes(error.code);
  if (error.status !== 503 || tellsNoPath) return error.message;
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

function headersOf(error: AppError): Record<string, string> {
  if (framingErrors.has(error.code)) return { Connection: 'close' };
  if (error.code === 'missingToken') return { 'WWW-Authenticate': 'Bearer' };
  if (error.code === 'invalidToken') return { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  if (error.code === 'missingScope') return { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' };
  if (error.status === 429 || error.status === 503) return { 'Retry-After': '1' };
  return {};
}

function fromFramework(error: unknown): AppError | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError('bodyTooLarge', 'The body is larger than 16 KiB; nothing here takes one that large.');
  }
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new AppError(
      'malformedRequest',
      'The body is not as long as Content-Length says; send them alike.',
    );
  }
  return undefined;
}
