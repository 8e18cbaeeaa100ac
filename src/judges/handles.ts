/** The form of a handle at each judge. */
import type { Judge } from './judge.ts';

/** For a judge whose rule is not known. */
const anyHandle = { pattern: /^[^\s\p{C}]{1,100}$/u, words: '1 to 100 characters without spaces' };

/** A sentence that says what is wrong with a handle; undefined if it has the right form. */
export function handleFault(
  { name, handle: { pattern, words } = anyHandle }: Judge,
  text: string,
): string | undefined {
  if (text === '') return `Enter your handle at ${name}.`;
  return pattern.test(text) ? undefined : `A handle at ${name} has ${words}.`;
}
