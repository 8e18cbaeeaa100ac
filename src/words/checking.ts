/** Checks the messages of a language against the English ones. */
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  type PluralElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { english } from './catalogue.ts';

export const missingFault = 'It is missing.';

export interface MessageFault {
  key: string;
  fault: string;
}

export function faultsOfMessages(tag: string, messages: unknown): MessageFault[] {
  if (typeof messages !== 'object' || messages === null || Array.isArray(messages))
    return [{ key: '', fault: 'The file must be one JSON object of keys and messages.' }];
  const translations = new Map<string, unknown>(Object.entries(messages));
  const faults = Object.entries<string>(english.messages).flatMap(([key, source]) =>
    faultsOf(tag, source, translations.get(key)).map((fault) => ({ key, fault })),
  );
  const unknown = [...translations.keys()].filter((key) => !Object.hasOwn(english.messages, key));
  return [...faults, ...unknown.map((key) => ({ key, fault: 'English has no such key; remove it.' }))];
}

function faultsOf(tag: string, sourceText: string, translation: unknown): string[] {
  if (translation === undefined) return [missingFault];
  if (typeof translation !== 'string' || translation.trim() === '') return ['It must be a text.'];
  let elements: MessageFormatElement[];
  try {
    elements = parse(translation);
  } catch (error) {
    return [`It is no message in the format of ICU (${(error as Error).message}).`];
  }
  const source = parse(sourceText);
  const [expected, actual] = [partsOf(source), partsOf(elements)];
  const missing = [...expected].filter((part) => !actual.has(part));
  const additional = [...actual].filter((part) => !expected.has(part));
  return [
    ...missing.map((part) => `It lacks ${part}.`),
    ...additional.map((part) => `English has no ${part}.`),
    ...missingPlurals(tag, elements, valuesWithoutSingular(source)),
    ...(translation === translation.trim() ? [] : ['Remove the blanks at its ends.']),
  ];
}

function partsOf(elements: readonly MessageFormatElement[], parts = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (isLiteralElement(element) || isPoundElement(element)) continue;
    if (isTagElement(element)) parts.add(`<${element.value}>`);
    else parts.add(`{${element.value}}`);
    if (isSelectElement(element))
      for (const word of Object.keys(element.options)) parts.add(`the word ${word} of {${element.value}}`);
    for (const inner of innerOf(element)) partsOf(inner, parts);
  }
  return parts;
}

export function innerOf(element: MessageFormatElement): readonly MessageFormatElement[][] {
  if (isTagElement(element)) return [element.children];
  if (isPluralElement(element) || isSelectElement(element))
    return Object.values(element.options).map(({ value }) => value);
  return [];
}

/** CLDR's form `many` is for millions, which no message shows. */
const pluralForms = (tag: string, type: 'cardinal' | 'ordinal') => {
  const { pluralCategories } = new Intl.PluralRules(tag, { type }).resolvedOptions();
  return /^(?:es|fr|it|pt)\b/.test(tag)
    ? pluralCategories.filter((form) => form !== 'many')
    : pluralCategories;
};

const pluralsOf = (elements: readonly MessageFormatElement[]): PluralElement[] =>
  elements.flatMap((element) => [
    ...(isPluralElement(element) ? [element] : []),
    ...innerOf(element).flatMap(pluralsOf),
  ]);

/** Values for which English has no separate singular. */
const valuesWithoutSingular = (elements: readonly MessageFormatElement[]) =>
  new Set(pluralsOf(elements).flatMap(({ value, options }) => (options['one'] ? [] : [value])));

function missingPlurals(
  tag: string,
  elements: readonly MessageFormatElement[],
  valuesWithoutOne: ReadonlySet<string>,
): string[] {
  return pluralsOf(elements).flatMap(({ value, options, pluralType }) => {
    const missing = pluralForms(tag, pluralType ?? 'cardinal').filter(
      (form) => !options[form] && !(form === 'one' && valuesWithoutOne.has(value)),
    );
    return missing.length === 0 ? [] : [`{${value}} needs the plural ${missing.join(', ')}.`];
  });
}
