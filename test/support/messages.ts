/** The parts of the words of the pages: the values and tags that each message takes. */
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { innerOf } from '../../src/words/checking.ts';

export interface Wants {
  values: Set<string>;
  tags: Set<string>;
}

export function wantsOf(
  message: readonly MessageFormatElement[],
  wants: Wants = { values: new Set(), tags: new Set() },
): Wants {
  for (const element of message) {
    if (isLiteralElement(element) || isPoundElement(element)) continue;
    (isTagElement(element) ? wants.tags : wants.values).add(element.value);
    for (const inner of innerOf(element)) wantsOf(inner, wants);
  }
  return wants;
}

export function withText(
  message: readonly MessageFormatElement[],
  change: (text: string) => string,
): MessageFormatElement[] {
  return message.map((element) => {
    if (isLiteralElement(element)) return { ...element, value: change(element.value) };
    if (isTagElement(element)) return { ...element, children: withText(element.children, change) };
    if (!isPluralElement(element) && !isSelectElement(element)) return element;
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: withText(option.value, change) },
    ]);
    return { ...element, options: Object.fromEntries(options) };
  });
}

export function textsOfMessage(message: readonly MessageFormatElement[]): { texts: string[]; isWhole: boolean } {
  const texts: string[] = [];
  withText(message, (text) => {
    texts.push(text.trim());
    return text;
  });
  return { texts, isWhole: message.length === 1 && texts.length === 1 };
}
