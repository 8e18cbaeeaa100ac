/**
 * Adds two pseudo languages to this process: accented letters with German numbers and dates, and Hebrew letters from right
 * to left. Both are 40 % longer than English, in brackets.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { addLanguage, type Messages } from '../../src/words/catalogue.ts';
import { root } from './garden.ts';
import { withText } from './messages.ts';

const english = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const accented = [...'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÕÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž'];
const hebrew = [...'אבגדהוזחטיכלמנסעפצקרשתםןךף'];

function pseudo(message: string, letters: readonly string[]): string {
  const other = (letter: string) => letters[english.indexOf(letter) % letters.length] ?? '';
  const change = (text: string) =>
    text.replaceAll(/[a-z]/gi, (letter) => other(letter).repeat(/[aeiou]/.test(letter) ? 2 : 1));
  return `⟦${printAST(withText(parse(message), change))}⟧`;
}

export const pseudoTag = 'de';
export const leftwardTag = 'he';
const messages = Object.entries<string>(JSON.parse(readFileSync(join(root, 'src/words/en.json'), 'utf8')));
for (const [tag, letters] of [
  [pseudoTag, accented],
  [leftwardTag, hebrew],
] as const) {
  const changed = messages.map(([key, message]) => [key, pseudo(message, letters)]);
  addLanguage(tag, () => Object.fromEntries(changed) as Messages);
}
