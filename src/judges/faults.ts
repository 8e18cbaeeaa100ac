/** The errors of requests to judges. */
import { AppError, localizedError, type MessageValue, message } from '../errors.ts';
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

/** Throws judgeFailed unless every row has the field. */
export function rowsIn(value: unknown, judge: string, field: string): object[] {
  const isRow = (row: unknown) => typeof row === 'object' && row !== null && Object.hasOwn(row, field);
  if (Array.isArray(value) && value.every(isRow)) return value;
  throw oddAnswer(judge, message('odd.noRows', { field }));
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
