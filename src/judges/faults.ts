/** The errors of a request to a judge, and the checks that every answer must pass before it is read. */
import { AppError, localizedError, type MessageValue, message } from '../errors.ts';
import type { FaultKind, JudgeAnswer } from './judge.ts';

const kinds = new WeakMap<AppError, FaultKind>();

/** A failed request to a judge. Its sentence says what happened and what follows. */
export function judgeFault(kind: FaultKind, fault: AppError): AppError {
  kinds.set(fault, kind);
  return fault;
}

/** The kind of an error that `judgeFault` made; undefined for any other. */
export function faultKindOf(error: unknown): FaultKind | undefined {
  return error instanceof AppError ? kinds.get(error) : undefined;
}

export const isNoAnswer = (fault: string | null | undefined): boolean =>
  ['busy', 'down', 'refused'].includes(fault ?? '');

/**
 * The answer as JSON, whatever its status is. Throws judgeFailed: a page in its place means that the judge refuses us or is
 * down.
 */
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

/** The answer as JSON, of a judge whose status says whether it is busy or down. Throws judgeFailed. */
export function parseFinalAnswer(answer: JudgeAnswer, judge: string): unknown {
  const value = parseAnswer(answer, judge);
  if (answer.status === 429) throw busy(judge);
  if (answer.status >= 500) throw down(judge, answer.status);
  return value;
}

/** The fault of a handle that nobody has. */
export const noUser = (judge: string, handle: string) =>
  judgeFault('unknown handle', localizedError('judgeFailed.noUser', { judge, handle }));

/** Throws that fault for the answer of a judge that says so by its status. */
export function assertFound({ status, text }: JudgeAnswer, judge: string, handle: string): void {
  if (status === 404 && !/^\s*</.test(text)) throw noUser(judge, handle);
}

export function down(judge: string, status: number): AppError {
  return judgeFault('down', localizedError('judgeFailed.down', { judge, status }));
}

/** The fault of a judge that says that it is asked too often. */
export function busy(judge: string): AppError {
  return judgeFault('busy', localizedError('judgeFailed.busy', { judge }));
}

/** The rows of an answer, each of which has this field. Throws judgeFailed for anything else. */
export function rowsIn(value: unknown, judge: string, field: string): object[] {
  const isRow = (row: unknown) => typeof row === 'object' && row !== null && Object.hasOwn(row, field);
  if (Array.isArray(value) && value.every(isRow)) return value;
  throw oddAnswer(judge, message('odd.noRows', { field }));
}

/** Reads part of an answer. Throws judgeFailed for a field that is not valid. */
export function asAnswer<T>(judge: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof AppError && error.code === 'badRow'
      ? oddAnswer(judge, error.localized ?? error.message)
      : error;
  }
}

/** The fault of an answer that cannot be used; `what` is a part of the message, or that of a bad row or file. */
export function oddAnswer(judge: string, what: MessageValue): AppError {
  const isSentence = typeof what === 'object' && what.key.startsWith('bad');
  return judgeFault(
    'odd answer',
    localizedError(isSentence ? 'judgeFailed.oddRow' : 'judgeFailed.odd', { judge, what }),
  );
}
