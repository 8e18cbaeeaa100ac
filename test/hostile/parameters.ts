/** Query parameters and cursors that are wrong, doubled, damaged or made up. */

import { bookmarks, problems, records, statuses } from '../support/http.ts';
import { alike, answered, ended, head, type Table } from './inputs.ts';

const get = (target: string, authorization: string) => head(`GET ${target} HTTP/1.1`, authorization);
const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const ofProblems: Record<number, Record<string, string>> = {
  200: {
    'a thousand tags': Array(1000).fill('tag=a').join('&'),
    'separators alone': '&&&&',
    'an injection in q': "q='%20OR%201=1%20--",
    'wildcards in q': 'q=%25_%25',
    'q of 8,000 letters': `q=${'a'.repeat(8000)}`,
    'q of line breaks': 'q=%0d%0aSet-Cookie:%20a=b',
    'a thousand tags, each another': Array.from({ length: 1000 }, (_, n) => `tag=${n}`).join('&'),
  },
  40002: {
    'an unknown name': 'x=1',
    'a name in capitals': 'Limit=1',
    'a name with a space': 'limit%20=1',
    'a name with brackets': 'tag[]=dp',
    'a name of an object': 'limit[gt]=1',
    'an empty name': '=1',
    ['__proto__']: '__proto__=1',
    constructor: 'constructor=1',
    'a name of 5,000 letters': `${'a'.repeat(5000)}=1`,
    'a second question mark': '?limit=1',
    'user on problems': 'user=1',
    'two thousand parameters': Array(2000).fill('a=1').join('&'),
  },
  40003: {
    'another separator': 'limit=1;order=id',
    'limit in hexadecimal': 'limit=0x10',
    'limit with a point': 'limit=1.0',
    'limit with a leading zero': 'limit=01',
    'limit with a space': 'limit=1%20',
    'limit in 400 digits': `limit=${'1'.repeat(400)}`,
    'limit of Infinity': 'limit=Infinity',
    'limit of everything': 'limit=all',
    'count in capitals': 'count=TRUE',
    'a status that is none': 'status=done',
    'an empty tag': 'tag=dp&tag=',
    'an order by what is no field': 'order=password',
    'an order with an injection': 'order=id;DROP%20TABLE%20plants',
    'an order with a direction': 'order=id%20desc',
    'an order with a space': 'order=id,%20title',
    'updated_since in the hour 25': 'updated_since=2026-01-01T25:00:00Z',
    'updated_since with a bare plus': 'updated_since=2026-01-01T00:00:00+01:00',
    'updated_since in seconds': 'updated_since=1767225600',
    'updated_since in the year 10000': 'updated_since=10000-01-01T00:00:00Z',
    'a broken escape in a name': '%zz=1',
    'half of UTF-8 in a value': 'q=%c3',
    'a surrogate in a value': 'q=%ed%a0%80',
    'an overlong NUL in a value': 'q=%c0%80',
    'a NUL in a value': 'q=a%00b',
    'a NUL in a name': 'limit%00=1',
  },
  40004: {
    'limit twice, once encoded': 'limit=1&%6cimit=2',
  },
};

export const parameters: Table = ({ staff, member }) => [
  ...Object.entries(ofProblems).flatMap(([answer, queries]) =>
    alike(answered, (query) => get(`${problems}?${query}`, staff), Number(answer), queries),
  ),
  ...alike(answered, (target: string) => get(target, staff), 40003, {
    'user=all on an item': `${statuses}7/?user=all`,
    'a status in capitals': `${statuses}?status=COMPLETE`,
    'two statuses in a list': `${statuses}?status=complete,reading`,
    'user of a name': `${statuses}?user=ada`,
    'user of 2^63': `${statuses}?user=9223372036854775808`,
    'a role that is none': `${records}?role=admin`,
    'user of nothing': `${bookmarks}?user=`,
    'user in capitals': `${bookmarks}?user=ALL`,
  }),
  answered('a parameter of a collection on an item', get(`${problems}7/?limit=1`, staff), 40002),
  answered('a parameter on a deletion', head('DELETE /plants/1?force=1 HTTP/1.1', staff), 40002),
  answered('a nameless parameter on a deletion', head('DELETE /plants/1?1 HTTP/1.1', staff), 40002),
  answered('a parameter of another resource', get(`${statuses}?q=a`, staff), 40002),
  answered('user of another member, by a member', get(`${statuses}?user=2`, member), 40402),
  answered('user=all, by a member', get(`${bookmarks}?user=all`, member), 40301),
  ended('q of raw bytes beyond ASCII', get(`${problems}?q=caf\xe9`, staff), 40000),
  answered('q twice', get(`${records}?q=a&q=b`, staff), 40004),
  answered('user twice', get(`${statuses}?user=1&user=2`, staff), 40004),
  answered('cursor twice', get(`${statuses}?cursor=a&cursor=b`, staff), 40004),
  answered('user that does not exist', get(`${statuses}?user=404`, staff), 40402),
];

export const cursors: Table = ({ staff, cursor }) => {
  const walk = (value: string) => get(`${problems}?cursor=${value}`, staff);
  const byTitle = (title: unknown, id: string) =>
    walk(`${forged(['listProblems', 'title,id', title, id])}&order=title`);
  const ofOthers = (path: string) => get(`${path}?cursor=${cursor}`, staff);
  return [
    answered('an empty cursor', walk(''), 40003),
    ...alike(answered, walk, 40005, {
      letters: 'abc',
      'what is no base64url': 'a+b/c==',
      'base64url with padding': `${cursor}%3D`,
      'base64url and a line feed': `${cursor}%0A`,
      'a cursor without its end': cursor.slice(0, -4),
      'a cursor twice over': cursor + cursor,
      'a cursor of another order': `${cursor}&order=title`,
      'a cursor of the other direction': `${cursor}&order=-id`,
      'JSON nested a thousand deep': Buffer.from('['.repeat(1000)).toString('base64url'),
      'the cursor in capitals': cursor.toUpperCase(),
      'a whole Link': encodeURIComponent(`<http://x/?cursor=${cursor}>; rel="next"`),
    }),
    answered('a cursor of another collection', ofOthers(records), 40005),
    answered('a cursor of statuses', ofOthers(statuses), 40005),
    ...alike(answered, (value: unknown) => walk(forged(value)), 40005, {
      null: null,
      'a number': 7,
      'an object': { id: 7 },
      'an empty list': [],
      'a list of lists': [[], [], []],
      'a value too few': ['listProblems', 'id'],
      'a value too many': ['listProblems', 'id', '7', '8'],
    }),
    ...alike(answered, (id: unknown) => walk(forged(['listProblems', 'id', id])), 40005, {
      'an id as a number': 7,
      'an id of null': null,
      'an id as an object': { $gt: 0 },
      'an id as a list': ['7', '8'],
      'an id of 2^63': '9223372036854775808',
      'an id with an exponent': '1e3',
    }),
    ...alike(answered, (title: unknown) => byTitle(title, '7'), 40005, {
      'a text with a NUL': 'a\0b',
      'a shortened text of one part': ['a'],
      'a shortened text of numbers': [1, 2],
    }),
    answered('a shortened text of no row', byTitle(['zzz', 'x'], '404'), 200),
    answered('a shortened text that others start with', byTitle(['', 'x'], '404'), 40005),
  ];
};
