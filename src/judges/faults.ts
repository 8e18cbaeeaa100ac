/** The errors of a request to a judge, and the checks that every answer must pass before it is read. */
import { AppError } from '../errors.ts';
import type { FaultKind, JudgeAnswer } from './judge.ts';

const kinds = new WeakMap<AppError, FaultKind>();

/** A failed request to a judge: one sentence that says what happened and what follows. */
export function judgeFault(kind: FaultKind, sentence: string, cause?: unknown): AppError {
  const fault = new AppError('judgeFailed', sentence, { cause });
  kinds.set(fault, kind);
  return fault;
}

/** The kind of an error that `judgeFault` made; undefined for any other. */
export function faultKindOf(error: unknown): FaultKind | undefined {
  return error instanceof AppError ? kinds.get(error) : undefined;
}

/**
 * The answer as JSON, whatever its status is. Throws judgeFailed: a page in its place means that the judge refuses us or is
 * down.
 */
export function jsonOf({ status, text }: JudgeAnswer, judge: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const isPage = /^\s*<(?:!doctype|html)/i.test(text);
    if (isPage && (status === 403 || status === 429 || status === 503)) {
      throw judgeFault(
        'refused',
        `${judge} only lets people in a browser through. Sync from your browser, or upload your submissions; nothing is lost.`,
        cause,
      );
    }
    if (isPage || status >= 500) {
      throw judgeFault(
        'down',
        `${judge} is down: it answered ${status} with a page. We try again later.`,
        cause,
      );
    }
    if (status === 429) throw busy(judge);
    throw judgeFault(
      'odd answer',
      `${judge} answered ${status} with text that is not JSON, perhaps cut off. We try again later.`,
      cause,
    );
  }
}

/** The answer as JSON, of a judge whose status says whether it is busy or down. Throws judgeFailed. */
export function settledJsonOf(answer: JudgeAnswer, judge: string): unknown {
  const value = jsonOf(answer, judge);
  if (answer.status === 429) throw busy(judge);
  if (answer.status >= 500) throw down(judge, answer.status);
  return value;
}

export function down(judge: string, status: number): AppError {
  return judgeFault('down', `${judge} is down: it answered ${status}. We try again later.`);
}

/** The fault of a judge that says that it is asked too often. */
export function busy(judge: string): AppError {
  return judgeFault('busy', `${judge} says that we send too many requests. We try again later.`);
}

/** The rows of an answer, each of which has this field. Throws judgeFailed for anything else. */
export function rowsIn(value: unknown, judge: string, field: string): object[] {
  const isRow = (row: unknown) => typeof row === 'object' && row !== null && Object.hasOwn(row, field);
  if (Array.isArray(value) && value.every(isRow)) return value;
  throw oddAnswer(judge, `its answer is not a list of rows with “${field}”`);
}

export function oddAnswer(judge: string, what: string): AppError {
  return judgeFault('odd answer', `${judge} sent an unexpected answer: ${what}. We try again later.`);
}
