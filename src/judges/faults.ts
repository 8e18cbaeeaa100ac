/** The errors of requests to judges. */
import { AppError, localizedError, type MessageValue, message } from '../errors.ts';
import { readRows } from './fields.ts';
import type { FaultKind, JudgeAnswer } from './judge.ts';

const kinds = new WeakMap<AppError, FaultKind>();

export function judgeFault(kind: FaultKind, fault: AppError): AppError {
  kinds.set(fault, kind);
  return fault;
}

export function faultKindOf(error: unknown): FaultKind | undefined {
  return error instanceof AppError ? kinds.get(error) : undefined;
}

export const isUnavailable = (fault: string | null | undefined): boolean =>
  ['busy', 'down', 'refused'].includes(fault ?? '');

/** Throws judgeFailed for what is no JSON. */
export function parseAnswer(answer: JudgeAnswer, judge: string): unknown {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    const { status, text } = answer;
    if (/^\s*</.test(text)) throw pageFault(answer, judge, cause);
    if (status === 429) throw busy(judge);
    if (status >= 500) throw down(judge, status);
    if (isDenied(status))
      throw limitWords.test(text) ? busy(judge) : accessDenied(judge, status, text.trim());
    throw judgeFault('odd answer', localizedError('judgeFailed.notJson', { judge, status }, cause));
  }
}

const isDenied = (status: number): boolean => status === 401 || status === 403;
const limitWords = /limit|too many|too often|throttl|slow down|try again/i;
const signInWords = /\b(?:log|sign)[ -]?in\b|登[录錄]|没有权限|ログイン/i;
const challengeWords =
  /just a moment|checking your browser|enable javascript|access denied|captcha|are you (?:a )?(?:human|robot)|verify(?:ing)? you|blocked/i;
const pageCharactersRead = 100_000;

/** A site that blocks programs answers with a challenge, which may be a script alone; other pages tell of maintenance. */
function pageFault({ status, text }: JudgeAnswer, judge: string, cause: unknown): AppError {
  const page = text.slice(0, pageCharactersRead);
  if (status < 500 && /<input[^<>]*type=["']?password/i.test(page)) return needsSignIn(judge);
  const shown = page.replaceAll(/<(script|style)\b.*?(?:<\/\1\s*>|$)|<[^<>]*>/gis, ' ').trim();
  const isScript = shown === '' && /<script/i.test(page);
  const isChallenge = status < 500 && (isScript || challengeWords.test(shown));
  if (isChallenge || [202, 401, 403, 429, 503].includes(status)) return browserOnly(judge, cause);
  return judgeFault('down', localizedError('judgeFailed.downPage', { judge, status }, cause));
}

/** Throws judgeFailed, also for what a judge refuses in JSON. */
export function parseUnlessBusy(answer: JudgeAnswer, judge: string): unknown {
  const { status } = answer;
  const value = parseAnswer(answer, judge);
  assertNotBusy(answer, judge);
  const { error, message, detail, data } = Object(value) as Record<string, unknown>;
  const reasons = [error, message, detail, Object(error).message, Object(data).errorMessage];
  const said = reasons.find((one) => typeof one === 'string') ?? '';
  if (isDenied(status) || signInWords.test(said)) throw accessDenied(judge, status, said);
  return value;
}

/** Throws judgeFailed. */
export function assertNotBusy({ status }: JudgeAnswer, judge: string): void {
  if (status === 429) throw busy(judge);
  if (status >= 500) throw down(judge, status);
}

const saidAtMost = 200;

/** `body` is what the judge answered in words, and empty for a page. */
export function accessDenied(judge: string, status: number, body: string): AppError {
  if (signInWords.test(body)) return needsSignIn(judge);
  if (body === '') return status === 401 ? needsSignIn(judge) : browserOnly(judge);
  const reason = { judge, status, said: body.slice(0, saidAtMost) };
  return judgeFault('refused', localizedError('judgeFailed.refused', reason));
}

const browserOnly = (judge: string, cause?: unknown) =>
  judgeFault('refused', localizedError('judgeFailed.browserOnly', { judge }, cause));

/** A site that blocks programs redirects a request to itself or to the page where people sign in. */
export function redirectFault(judge: string, from: URL, location: string | null): AppError {
  const target = location === null ? null : URL.parse(location, from.href);
  if (target && /\/(?:log|sign)[-_]?in\b|\/(?:enter|auth)\b/i.test(target.pathname))
    return needsSignIn(judge);
  // A mirror under a path of its own may pass on the judge's own path.
  const isSamePage =
    target?.host === from.host && target.pathname !== '/' && from.pathname.endsWith(target.pathname);
  const isSecured = target?.protocol !== from.protocol && target?.search === from.search;
  if (!target || (isSamePage && !isSecured) || target.pathname.startsWith('/cdn-cgi/'))
    return browserOnly(judge);
  return judgeFault('odd answer', localizedError('judgeFailed.redirect', { judge }));
}

export const unknownHandle = (judge: string, handle: string) =>
  judgeFault('unknown handle', localizedError('judgeFailed.noUser', { judge, handle }));

export const needsSignIn = (judge: string) =>
  judgeFault('refused', localizedError('judgeFailed.signIn', { judge }));

/** Throws judgeFailed. */
export function assertUserFound({ status, text }: JudgeAnswer, judge: string, handle: string): void {
  if (status === 404 && !/^\s*</.test(text)) throw unknownHandle(judge, handle);
}

export function down(judge: string, status: number | string): AppError {
  return judgeFault('down', localizedError('judgeFailed.down', { judge, status }));
}

export function busy(judge: string): AppError {
  return judgeFault('busy', localizedError('judgeFailed.busy', { judge }));
}

const hasField = (row: unknown, field: string): row is object =>
  typeof row === 'object' && row !== null && Object.hasOwn(row, field);

/** All entries of a list, some of which may be odd. Throws judgeFailed if none has the field. */
export function entriesIn(value: unknown, judge: string, field: string): unknown[] {
  const isList = Array.isArray(value) && (value.length === 0 || value.some((row) => hasField(row, field)));
  if (isList) return value;
  throw oddAnswer(judge, message('odd.noRows', { field }));
}

/** The entries that have the field. Throws judgeFailed if none has it. */
export const rowsIn = (value: unknown, judge: string, field: string): object[] =>
  entriesIn(value, judge, field).filter((row) => hasField(row, field));

/** What `read` makes of rows, some of which may be odd. Throws judgeFailed if all are. */
export function readAnswerRows<T>(judge: string, rows: readonly unknown[], read: (row: unknown) => T) {
  const result = readRows(rows, read);
  const [fault] = result.values.length === 0 ? result.skipped : [];
  if (fault) throw oddAnswer(judge, fault.localized ?? fault.message);
  return result;
}

export function badRowAsOddAnswer<T>(judge: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof AppError && error.code === 'badRow'
      ? oddAnswer(judge, error.localized ?? error.message)
      : error;
  }
}

/** `what` completes the sentence, or is a sentence about a row or file. */
export function oddAnswer(judge: string, what: MessageValue): AppError {
  const isSentence = typeof what === 'object' && what.key.startsWith('bad');
  return judgeFault(
    'odd answer',
    localizedError(isSentence ? 'judgeFailed.oddRow' : 'judgeFailed.odd', { judge, what }),
  );
}
