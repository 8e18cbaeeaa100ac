/** How commands are declared: their examples, common flags, and suggestions for misspelt words. */
import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import { type Setting, settings } from '../config.ts';

export interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

export function databaseCommand(name: string, summary: string, examples: readonly string[]): Command {
  return plainCommand(name, summary, examples)
    .addOption(settingOption(settings.databaseUrl))
    .option('--json', 'Print the result as JSON');
}

export function plainCommand(name: string, summary: string, examples: readonly string[]): Command {
  const command = new Command(name).summary(summary).description(`${summary}.`);
  examplesOf.set(command, examples);
  return command.addHelpText('after', `\nExamples:${examples.map((line) => `\n  $ ${line}`).join('')}`);
}

const examplesOf = new WeakMap<Command, readonly string[]>();

export function commandGroup(name: string, summary: string, subcommands: readonly Command[]): Command {
  const examples = subcommands.flatMap((subcommand) => examplesOf.get(subcommand)?.slice(0, 1) ?? []);
  const command = plainCommand(name, summary, examples);
  for (const subcommand of subcommands) command.addCommand(subcommand);
  return command;
}

/** The option has no default of its own, because that would take precedence over the environment. */
export function settingOption({ flag, placeholder, help, env, default: defaultText }: Setting): Option {
  return new Option(`--${flag} <${placeholder}>`, `${help} (${env}, default ${defaultText})`);
}

export function optionParser<T>(advice: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(advice);
    return value;
  };
}

export function withChoices<T extends Argument | Option>(
  parameter: T,
  choices: readonly string[],
  { isRepeatable = false } = {},
): T {
  parameter.choices(choices).argParser<unknown>((text, previous) => {
    const list = Array.isArray(previous) ? previous : [];
    if (choices.includes(text)) return isRepeatable ? [...new Set([...list, text])] : text;
    const guess = nearestOf(text, choices);
    throw new InvalidArgumentError(
      `${guess === undefined ? '' : `Did you mean ${guess}? `}Allowed choices are ${choices.join(', ')}.`,
    );
  });
  return parameter;
}

export function nearestOf(text: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const nearest = closest(text.slice(0, 100), words);
  // Any two words of three letters are near each other, so a short one has to begin alike.
  const most = Math.max(text[0] === nearest[0] ? 2 : 1, text.length * 0.4);
  return distance(text.slice(0, 100), nearest) <= most ? nearest : undefined;
}
