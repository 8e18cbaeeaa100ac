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

/** Throws judgeFailed. A web page instead of JSON means that the judge blocks us or is down. */
export function parseAnswer({ status, text }: JudgeAnswer, judge: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const isPage = /^\s*<(?:!doctype|html)/i.test(text);
    if (isPage && (status === 403 || status === 429 || status === 503)) {
      throw judgeFault('refused', localizedError('judgeFailed.browserOnly', { judge }, cause));
    }
    if (isPage || status >= 500) {
      throw judgeFault('down', localizedError('judgeFailed.downPage', { judge, status }, cause));
    }
    if (status === 429) throw busy(judge);
    throw judgeFault('odd answer', localizedError('judgeFailed.notJson', { judge, status }, cause));
  }
}

/** Throws judgeFailed, also for a status of 429 or 5xx. */
export function parseUnlessBusy(answer: JudgeAnswer, judge: string): unknown {
  const value = parseAnswer(answer, judge);
  if (answer.status === 429) throw busy(judge);
  if (answer.status >= 500) throw down(judge, answer.status);
  return value;
}

export const unknownHandle = (judge: string, handle: string) =>
  judgeFault('unknown handle', localizedError('judgeFailed.noUser', { judge, handle }));

export const needsSignIn = (judge: string) =>
  judgeFault('refused', localizedError('judgeFailed.signIn', { judge }));

/** Throws judgeFailed. */
export function assertUserFound({ status, text }: JudgeAnswer, judge: string, handle: string): void {
  if (status === 404 && !/^\s*</.test(text)) throw unknownHandle(judge, handle);
}

export function down(judge: string, status: number): AppError {
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
