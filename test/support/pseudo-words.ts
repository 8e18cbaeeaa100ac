/**
 * Teaches the program of this process a second language, as one more file of messages would. It is written in accented
 * letters, is four tenths longer than English, and stands in brackets. Its numbers and dates are German.
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
const letters = new Map(english.map((letter, place) => [letter, accented[place] ?? '']));

const accent = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => (letters.get(letter) ?? '').repeat(/[aeiou]/.test(letter) ? 2 : 1));

function pseudo(message: string): string {
  return `⟦${printAST(withText(parse(message), accent))}⟧`;
}

export const pseudoTag = 'de';
const messages = ['src/errors.json', 'src/words/en.json'].flatMap((path) =>
  Object.entries<string>(JSON.parse(readFileSync(join(root, path), 'utf8'))),
);
const changed = messages.map(([key, message]) => [key, pseudo(message)]);
addLanguage(pseudoTag, Object.fromEntries(changed) as Messages);
