/** The field for how long a link or a token works. */
import { dayMs } from '../../durations.ts';
import type { Html } from '../markup.ts';
import { choiceIn } from '../request/fields.ts';
import { words } from '../words/words.ts';
import { selectField } from './form.ts';

const choicesOf = (days: readonly number[]) =>
  days.map((count) => [`${count}d`, words('tokens.lifetime', { days: count })] as const);

export function lifetimeField(form: URLSearchParams, days: readonly number[]): Html {
  const choices = choicesOf(days);
  return selectField(words('tokens.expires'), 'expires', choices, choiceIn(form, 'expires', choices));
}

export function lifetimeMsIn(form: URLSearchParams, days: readonly number[]): number {
  return Number.parseInt(choiceIn(form, 'expires', choicesOf(days)), 10) * dayMs;
}
