/** The form of a passkey, whose script is assets/passkey.js. */
import type { PasskeyOptions } from '../../auth/passkeys.ts';
import { type Html, html } from '../markup.ts';
import type { Visit } from '../request/visits.ts';
import { words } from '../words/words.ts';
import { button, form } from './form.ts';
import { notice } from './panel.ts';

export const challengeIn = (form: URLSearchParams): string => (form.get('challenge') ?? '').slice(0, 100);

/** In characters. Most answers of a device have fewer than two thousand. */
export const longestAnswer = 50_000;

const texts = {
  make: ['passkeys.make', 'passkeys.makeText'],
  use: ['passkeys.use', 'passkeys.useText'],
} as const;

interface Step {
  to: string;
  operation: keyof typeof texts;
  options: PasskeyOptions;
  hidden: Readonly<Record<string, string>>;
}

/** The script asks the device at once, and again when the button is pressed. */
export function passkeyStep(visit: Visit, { to, operation, options, hidden }: Step): Html {
  const [label, text] = texts[operation];
  const content = html`
    <p>${words(text)}</p>
    <div data-failed hidden>${notice('bad', words('passkeys.failed'))}</div>
    ${button(words(label), 'primary wide', [], 'key')}`;
  const all = { ...hidden, challenge: options.challenge, answer: '' };
  return html`
    <div data-passkey="${operation}" data-options="${JSON.stringify(options)}">
      ${form(visit, { to, className: 'form', hidden: all }, content)}
    </div>`;
}
