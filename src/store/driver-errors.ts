/** Turns the error codes of a database driver into sentences for people; each engine has its own list of them. */
import { AppError, type ErrorName } from '../errors.ts';

/** The codes that a sentence is for, and the error that it becomes. No sentence shows SQL. */
export type CodeSentence = readonly [
  codes: RegExp,
  name: ErrorName,
  sentence: (database: string, code: string) => string,
];

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The AppError for a driver's error; returns an error without a sentence unchanged. */
export function translated(error: unknown, database: string, sentences: readonly CodeSentence[]): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const match = sentences.find(([codes]) => codes.test(code));
  if (!match) return error;
  const [, name, sentence] = match;
  return new AppError(name, sentence(database, code), { cause: error });
}
