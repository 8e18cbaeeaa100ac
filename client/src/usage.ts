/** What the command reads and prints. It reads its arguments by the usage that `--help` shows. */
import { basename } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The name that was typed; where it is not known, as on Windows, the one that is no other command's. */
export const command: string = basename(process.argv[1] ?? '') === 'garden' ? 'garden' : 'garden-client';

/** `exitCode` is 1 where the garden refused, 2 for wrong usage, 3 where no garden was reached; `error` is the number of a refusal. */
export const failure = (exitCode: 1 | 2 | 3, message: string, error?: number) =>
  Object.assign(new Error(message), { exitCode, error });

export function notReached(url: string, { cause, message }: Error): string {
  const { code = message } = Object(cause);
  const isPlain = String(code).startsWith('ERR_SSL_');
  const advice = isPlain ? 'Try http:// instead of https://.' : 'Check the address and your connection.';
  return `${url} cannot be reached (${code}). ${advice}`;
}

/* Texts of the garden: a terminal would obey the control characters in them. */

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export const withoutControls = (text: string): string => text.replace(controls, ' ');

/** JSON with its control characters as escapes. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(controls, (found) =>
    found.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

export const say = (line: string) => void process.stdout.write(`${withoutControls(line)}\n`);

export const warn = (line: string) => void process.stderr.write(`${command}: ${withoutControls(line)}\n`);

/* Usages: `mark URL|ID [trying|solved] [--minutes N] [--star]`. */

const patterns: Readonly<Record<string, RegExp>> = {
  URL: /^https?:\/\/./i,
  'URL|ID': /^(?:-?\d+$|https?:\/\/.)/i,
  N: /^\d{1,5}$/,
  CHANGE: /^\d+$/,
};

/** Words in capitals are any text unless they have a pattern, others are the texts themselves. */
function checkWord(word: string, value: unknown): void {
  const pattern = patterns[word] ?? (/^[A-Z]/.test(word) ? /^/ : new RegExp(`^(?:${word})$`));
  if (typeof value === 'string' && !pattern.test(value))
    throw new Error(
      `Expected ${word} instead of "${value}".${word.startsWith('URL') ? ' A URL begins with http:// or https://.' : ''}`,
    );
}

/** Throws a failure. */
export function readUsage(usage: string, args: string[]) {
  const flags = [...usage.matchAll(/\[--([a-z]+)(?: ([^\]]+))?\]/g)];
  const [name, ...words] = usage.replaceAll(/ \[--[^\]]+\]/g, '').split(' ');
  const options: ParseArgsOptionsConfig = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  for (const [, flag = '', word] of flags) options[flag] = { type: word ? 'string' : 'boolean' };
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const needed = words.filter((word) => !word.startsWith('['));
    if (!values['help'] && positionals.length < needed.length) throw new Error('An argument is missing.');
    if (positionals.length > words.length) throw new Error('There are too many arguments.');
    for (const [at, value] of positionals.entries()) checkWord(words[at]?.replace(/[[\]]/g, '') ?? '', value);
    for (const [, flag = '', word] of flags) if (word) checkWord(word, values[flag]);
    return { values: values as Readonly<Record<string, string | boolean | undefined>>, positionals };
  } catch (error) {
    // Node adds advice that fits few mistakes.
    const sentence = (error as Error).message.replace(/\. To specify .*/s, '.');
    throw failure(2, `${sentence} See: ${command} ${name} --help`);
  }
}
