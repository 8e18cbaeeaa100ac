/** Turns the error codes of a database driver into sentences for people; each engine has its own list of them. */
import { AppError, type ErrorName } from '../errors.ts';

/** Codes, the error that they become, and its sentence about {database} and {code}. No sentence shows SQL. */
export type CodeSentence = readonly [codes: RegExp, name: ErrorName, sentence: string];

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
  const coded = sentence.replace('{code}', code || 'it does not answer');
  // A replacement that is a text could contain "$&".
  return new AppError(
    name,
    coded.replace('{database}', () => database),
    { cause: error },
  );
}
