/** Reads a typed key of a problem with the name of its judge, as pages show both. */
import { sites } from './address-book.ts';
import type { Judge } from './judge.ts';
import { judges } from './judges.ts';

interface TypedKey {
  source: string;
  /** The spellings that the judge may have stored. */
  keys: string[];
}

const sourcesByName = new Map(
  [...sites, ...Object.entries<Judge>(judges)].flatMap(([source, { name, short }]) =>
    [source, name, short].map((one) => [one.toLowerCase(), source] as const),
  ),
);
const names = [...sourcesByName.keys()].sort((one, other) => other.length - one.length);
const anyName = names.join('|').replaceAll('.', '\\.');
const nameAndKey = new RegExp(`^(${anyName})(?:[\\s:/]+|(?=\\d))(\\S.*)$`, 'i');
const numberAndLetter = /^(\d{1,6})([\s/]*)([a-z]\d?)$/i;

/** Understands `CF 4A`, `CF4A`, `CSES 1621` and, because only Codeforces has such keys, `4/A`. */
export function readTypedKey(text: string): TypedKey | undefined {
  const [, name = '', key = text] = nameAndKey.exec(text) ?? [];
  const source = name === '' ? 'codeforces' : (sourcesByName.get(name.toLowerCase()) ?? '');
  const [, contest, between, letter = ''] = (source === 'codeforces' && numberAndLetter.exec(key)) || [];
  if (name === '' && !between) return undefined;
  const tidy = contest === undefined ? key : contest + letter;
  return { source, keys: [...new Set([tidy, tidy.toUpperCase(), tidy.toLowerCase()])] };
}
