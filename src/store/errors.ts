/** Driver errors as sentences for people. Threads load this file, so it loads no kysely. */
import { AppError, type ErrorName } from '../errors.ts';

export type ErrorSentence = readonly [codes: RegExp, name: ErrorName, sentence: string];

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The address in quotes, without its password, which could have any signs. */
export const quotedAddress = (databaseUrl: string): string =>
  JSON.stringify(
    databaseUrl
      .replace(/^(?!sqlite:)(\w+:\/\/)?([^:@/]*)[:/].*@/s, '$1$2:***@')
      .replace(/([?&](?:ssl)?password=).*/s, '$1***'),
  );

export function toAppError(error: unknown, database: string, sentences: readonly ErrorSentence[]): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const match = sentences.find(([codes]) => codes.test(code));
  if (!match) return error;
  const [, name, sentence] = match;
  const coded = sentence.replace('{code}', code || 'it does not answer');
  // A replacement string could contain "$&".
  return new AppError(
    name,
    coded.replace('{database}', () => database),
    { cause: error },
  );
}
