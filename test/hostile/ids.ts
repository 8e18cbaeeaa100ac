/** Ids that are none, and ids of nothing that lie next to something: each with the plants it could be mistaken for. */

import { problems } from '../support/http.ts';
import { answered, head, type Table } from './inputs.ts';

const max = 2n ** 63n - 1n;
const min = -(2n ** 63n);
const exact = 2n ** 53n;

/** A name, the id as it stands in the path, and what a careless reader would make of it. */
type HostileId = readonly [name: string, id: string, canaries: readonly bigint[]];

const absent: readonly HostileId[] = [
  ['2^53 + 1', '9007199254740993', [exact, exact + 2n]],
  ['2^53 − 1', '9007199254740991', [exact]],
  ['2^53 + 3', '9007199254740995', [exact + 2n, exact + 4n]],
  ['−2^53 − 1', '-9007199254740993', [-exact, -exact - 2n]],
  ['2^63 − 1', '9223372036854775807', [max - 1n, min, -1n]],
  ['2^63 − 3', '9223372036854775805', [max - 1n]],
  ['−2^63 + 1', '-9223372036854775807', [min]],
  ['2^60 + 1', '1152921504606846977', [2n ** 60n]],
  ['17 nines', '99999999999999999', [10n ** 17n]],
  ['2^32', '4294967296', [0n]],
  ['2^32 + 1', '4294967297', [1n]],
  ['2^31', '2147483648', [-(2n ** 31n)]],
  ['1 − 2^32', '-4294967295', [1n]],
  ['2^16 + 1', '65537', [1n]],
  ['the negative of one that is there', '-1000', [1000n]],
  ['digits that are encoded', '%34%30%34', [4n, 34n]],
];

/** Ids that are none, which a careless reader would take for these plants. */
const mistakenFor = (canaries: readonly bigint[], ids: Readonly<Record<string, string>>): HostileId[] =>
  Object.entries(ids).map(([name, id]) => [name, id, canaries]);

const malformed: readonly HostileId[] = [
  ...mistakenFor([0n], {
    '2^64': '18446744073709551616',
    'a minus alone': '-',
    'minus zero': '-0',
    'two zeros': '00',
    dots: '..',
    'encoded dots': '%2e%2e',
    'one dot': '.',
    letters: 'abc',
    null: 'null',
    undefined: 'undefined',
    NaN: 'NaN',
    Infinity: 'Infinity',
    'a placeholder': ':id',
    'a template': '%7Bid%7D',
    ['__proto__']: '__proto__',
    'a percent sign and no digits': '%ZZ',
  }),
  ...mistakenFor([1n], {
    '2^64 + 1': '18446744073709551617',
    '400 digits': '1'.repeat(400),
    'a zero exponent': '1e0',
    'a plus': '+1',
    'an encoded plus': '%2B1',
    'a leading zero': '01',
    'a whole fraction': '1.0',
    'a point behind': '1.',
    'a bigint of JavaScript': '1n',
    'a long of Java': '1L',
    'an encoded space before': '%201',
    'an encoded space behind': '1%20',
    'a plus for a space': '1+',
    'an encoded tab': '1%09',
    'an encoded line feed': '1%0A',
    'an encoded line feed in lower case': '1%0a',
    'an encoded carriage return': '1%0D',
    'an encoded line break before': '%0D%0A1',
    'an encoded NUL behind': '1%00',
    'an encoded NUL before': '%001',
    'a no-break space': '1%C2%A0',
    'a zero-width space': '1%E2%80%8B',
    'a byte order mark': '%EF%BB%BF1',
    'a mark of right to left': '%E2%80%8F1',
    'full-width digits': '%EF%BC%91',
    'Arabic digits': '%D9%A1',
    'Persian digits': '%DB%B1',
    'Devanagari digits': '%E0%A5%A7',
    'a digit in a circle': '%E2%91%A0',
    'a superscript digit': '%C2%B9',
    'a digit of mathematics': '%F0%9D%9F%8F',
    'encoded twice': '%2531',
    'an encoded slash behind': '1%2F',
    'an encoded backslash': '1%5C',
    'dots and an encoded slash': '..%2F1',
    'digits and letters': '1abc',
    'letters and digits': 'abc1',
    true: 'true',
    'a list in brackets': '[1]',
    'an object': '%7B%22id%22:1%7D',
    'a text in quotes': '%221%22',
    'a wildcard': '*',
    'a wildcard of SQL': '%25',
    'an injection': "1'%20OR%20'1'='1",
    'an injection with a comment': '1--',
    'an injection with a semicolon': '1;DROP%20TABLE%20plants',
    'a percent sign behind': '1%',
    'half of UTF-8 behind': '1%C3',
  }),
  ...mistakenFor([1n, 1000n], {
    'an exponent': '1e3',
    'an exponent in capitals': '1E3',
    'a negative exponent': '1000e-3',
    'a comma': '1,000',
    'an underscore': '1_000',
    'an apostrophe between digits': "1'000",
  }),
  ...mistakenFor([0n, 16n], {
    hexadecimal: '0x10',
    'hexadecimal in capitals': '0X10',
    octal: '0o20',
    binary: '0b10000',
  }),
  ...mistakenFor([1n, 2n], {
    'a fraction': '1.5',
    'an encoded slash between': '1%2F2',
    'a list': '1,2',
    'a sum': '1+1',
  }),
  ['2^63', '9223372036854775808', [min, max - 1n, 0n]],
  ['−2^63 − 1', '-9223372036854775809', [min]],
  ['2^64 − 1', '18446744073709551615', [-1n]],
  ['20 digits', '10000000000000000001', [1n, 10n ** 17n]],
  ['hexadecimal without a prefix', 'ff', [255n]],
  ['octal as in C', '010', [8n, 10n]],
  ['two minuses', '--1', [1n, -1n]],
  ['a minus behind', '1-', [1n, -1n]],
  ['a minus sign that is not ASCII', '%E2%88%921', [1n, -1n]],
  ['a leading zero behind a minus', '-01', [-1n, 1n]],
  ['a point before', '.1', [0n, 1n]],
  ['an encoded NUL between', '10%0000', [10n, 1000n]],
];

/** All plants that must still be there afterwards. */
export const canaries: readonly bigint[] = [
  ...new Set([...absent, ...malformed].flatMap(([, , mistaken]) => mistaken)),
];

export const ids: Table = ({ member, staff }) => [
  ...absent.map(([name, id]) => answered(`an absent id: ${name}`, head(`DELETE /plants/${id} HTTP/1.1`, staff), 40401)),
  ...malformed.map(([name, id]) =>
    answered(`an id that is none: ${name}`, head(`DELETE /plants/${id} HTTP/1.1`, staff), 40001),
  ),
  ...malformed.map(([name, id]) =>
    answered(`an id that is none, read: ${name}`, head(`GET ${problems}${id}/ HTTP/1.1`, member), 40001),
  ),
];
