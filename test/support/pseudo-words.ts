/**
 * Has the program of this process speak a pseudo-language, which is what the words of the pages become here: accented, four
 * tenths longer, in brackets. To be imported before any module of the program is.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { withText } from './messages.ts';

const english = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const accented = [...'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÕÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž'];
const letters = new Map(english.map((letter, place) => [letter, accented[place] ?? '']));

/** Vowels stand twice, which makes a usual sentence that much longer, and its words too. */
const accent = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => (letters.get(letter) ?? '').repeat(/[aeiou]/.test(letter) ? 2 : 1));

function pseudo(message: string): string {
  return `⟦${printAST(withText(parse(message), accent))}⟧`;
}

registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith('/src/web/words/en.json')) return next(url, context);
    const words: Record<string, string> = JSON.parse(readFileSync(fileURLToPath(url), 'utf8'));
    const changed = Object.entries(words).map(([key, message]) => [key, pseudo(message)]);
    return {
      format: 'json',
      source: JSON.stringify(Object.fromEntries(changed)),
      shortCircuit: true,
    };
  },
});
