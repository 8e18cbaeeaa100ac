/** What a handle looks like at each judge. */
import type { Judge } from './judge.ts';

/** For a judge whose rule is not known. */
const anyHandle = { pattern: /^[^\s\p{C}]{1,100}$/u, words: '1 to 100 characters without spaces' };

/** What is wrong with a handle of this judge, in a sentence; undefined where nothing is. */
export function handleFault(
  { name, handle: { pattern, words } = anyHandle }: Judge,
  text: string,
): string | undefined {
  if (text === '') return `Enter your handle at ${name}.`;
  return pattern.test(text) ? undefined : `A handle at ${name} has ${words}.`;
}
