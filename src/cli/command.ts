/** How commands are declared: with their examples, the flags that many of them take, and suggestions for misspelt words. */
import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import { type Setting, settings } from '../config.ts';

/** The flags that nearly every verb takes. */
export interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

/** A verb that works on the database and prints its result, as JSON if asked. */
export function verb(name: string, summary: string, examples: readonly string[]): Command {
  return plainVerb(name, summary, examples)
    .addOption(settingOption(settings.databaseUrl))
    .option('--json', 'Print the result as JSON');
}

/** A verb without the flags that others share. */
export function plainVerb(name: string, summary: string, examples: readonly string[]): Command {
  const command = new Command(name).summary(summary).description(`${summary}.`);
  examplesOf.set(command, examples);
  return command.addHelpText('after', `\nExamples:${examples.map((line) => `\n  $ ${line}`).join('')}`);
}

const examplesOf = new WeakMap<Command, readonly string[]>();

/** A group of verbs with the first example of each, such as `garden token …`. */
export function group(name: string, summary: string, verbs: readonly Command[]): Command {
  const examples = verbs.flatMap((one) => examplesOf.get(one)?.slice(0, 1) ?? []);
  const command = plainVerb(name, summary, examples);
  for (const one of verbs) command.addCommand(one);
  return command;
}

/** A setting as a flag. Its default stands in the help only, since the environment goes before it. */
export function settingOption({ flag, placeholder, help, env, default: defaultText }: Setting): Option {
  return new Option(`--${flag} <${placeholder}>`, `${help} (${env}, default ${defaultText})`);
}

/** A reader of an option's text; a text that `read` does not understand is refused with this advice. */
export function optionReader<T>(advice: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(advice);
    return value;
  };
}

/** Allows these words alone, and a list of them if `isRepeatable`; the refusal of another word names the nearest. */
export function withChoices<T extends Argument | Option>(
  parameter: T,
  choices: readonly string[],
  { isRepeatable = false } = {},
): T {
  parameter.choices(choices).argParser<unknown>((text, before) => {
    const list = Array.isArray(before) ? before : [];
    if (choices.includes(text)) return isRepeatable ? [...new Set([...list, text])] : text;
    const guess = nearestOf(text, choices);
    throw new InvalidArgumentError(
      `${guess === undefined ? '' : `Did you mean ${guess}? `}Allowed choices are ${choices.join(', ')}.`,
    );
  });
  return parameter;
}

/** The nearest of the words, if one is near. */
export function nearestOf(text: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const nearest = closest(text.slice(0, 100), words);
  const isNear = distance(text.slice(0, 100), nearest) <= Math.max(2, text.length * 0.4);
  return isNear ? nearest : undefined;
}
