/** What an inbox takes from tools, forms and phones: which links with which details, and what it refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInboxBody } from '../../src/importing/inbox.ts';

const form = 'application/x-www-form-urlencoded';
const url = 'https://toph.co/p/y';
const read = (body: string | object, type = typeof body === 'string' ? 'text/plain' : 'application/json') =>
  parseInboxBody(type, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

/** Without the details that a link does not have. */
async function shown(...body: Parameters<typeof read>) {
  const { channel, links, withoutLink } = await read(...body);
  return [
    channel,
    ...links.map(({ address, ...more }) => {
      const details = Object.entries(more).filter(([, value]) => value !== undefined && value !== '');
      return details.length === 0 ? address : [address, Object.fromEntries(details)];
    }),
    ...withoutLink.map((text) => `? ${text}`),
  ];
}

const long = (length: number) => 'x'.repeat(length);
const many = (count: number) => Array.from({ length: count }, (_, at) => `https://toph.co/p/${at}`);

const bodies: readonly (readonly [what: string, body: Parameters<typeof read>, ...shown: unknown[]])[] = [
  ['one address', [{ url: ` ${url} ` }], 'json', url],
  [
    'a list of addresses',
    [[url, { url }, { url: ' ', title: 'T', name: 'N' }, { url: 5, name: 'N' }, { a: long(300) }, null, 7]],
    'json',
    url,
    url,
    ...['? T', '? N', `? {"a":"${long(194)}`, '? null', '? 7'],
  ],
  [
    'every field',
    [
      {
        url,
        title: ' A\n b ',
        name: 'N',
        status: 'Not Started',
        how: 'HINT',
        note: ' a\r\nb\u0007\tc ',
        minutes: '5.5',
        list: ' L\n',
        code: 'x\r\n',
        file: 'a.c',
        group: 'G',
      },
    ],
    'json',
    [
      url,
      {
        title: 'A b',
        status: 'not_started',
        how: 'hint',
        note: 'a\nb\tc',
        minutes: 6,
        list: 'L',
        code: { file: 'a.c', text: 'x\r\n' },
      },
    ],
  ],
  [
    'the longest fields',
    [{ url, name: long(201), note: long(65_536), minutes: 6000, list: long(201) }],
    'json',
    [url, { title: long(200), note: long(65_536), minutes: 6000, list: long(200) }],
  ],
  ['fields that say nothing', [{ url, status: '', how: null, note: null, minutes: '', code: '' }], 'json', url],
  ['a minute of none', [{ url, minutes: 0 }], 'json', [url, { minutes: 0 }]],
  [
    'the words of pages',
    [['trying', 'solved', 'complete'].map((status) => ({ url, status }))],
    'json',
    ...['practicing', 'complete', 'complete'].map((status) => [url, { status }]),
  ],
  [
    'Competitive Companion',
    [[1, 2].map((size) => ({ url, name: 'N', group: 'Toph - Round - 1', batch: { id: 'b', size } }))],
    'companion',
    [url, { title: 'N' }],
    [url, { title: 'N', list: 'Round - 1', batch: 'b' }],
  ],
  [
    'groups and ids of Competitive Companion',
    [
      [
        ['G', long(100)],
        ['G - ', 'b'],
        ['G', long(101)],
      ].map(([group, id]) => ({ url, group, batch: { id, size: 2 } })),
    ],
    'companion',
    [url, { list: 'G', batch: long(100) }],
    [url, { list: 'G -', batch: 'b' }],
    url,
  ],
  [
    'oj-api',
    [[{ result: { url, name: 'N' } }, { result: { name: 'C', problems: [{ url }, 7] } }]],
    'json',
    [url, { title: 'N' }],
    [url, { list: 'C' }],
    '? {"list":"C"}',
  ],
  [
    'a form',
    [`url=${encodeURIComponent(url)}&title=T&minutes=5`, `${form}; charset=utf-8`],
    'form',
    [url, { title: 'T', minutes: 5 }],
  ],
  ['a form of 100 fields', [`url=${url}${'&a'.repeat(99)}`, form], 'form', url],
  ['a form of more', [`url=${url}${'&a'.repeat(100)}`, form], 'text', [`${url}${'&a'.repeat(100)}`, { title: 'url=' }]],
  ['JSON that a form was said to be', [JSON.stringify({ url }), form], 'json', url],
  ['a text that a form was said to be', [url, form], 'text', url],
  ['JSON as text', [` [{"url":"${url}"}]`], 'json', url],
  ['words and an address', [`See\n${url} !`], 'text', [url, { title: 'See !' }]],
  ['an address alone', [`- ${url}.`], 'text', url],
  ['several addresses, one of them twice', [`See ${url} and ${url}2 and ${url}`], 'text', url, `${url}2`],
  ['no address', [long(300)], 'text', `? ${long(200)}`],
  ['text that begins as JSON', [`{ see ${url}`], 'text', [url, { title: '{ see' }]],
  ['as many as there may be', [many(100)], 'json', ...many(100)],
  ['as many in a text', [many(100).join(' ')], 'text', ...many(100)],
];
for (const [what, body, ...expected] of bodies)
  test(`an inbox reads ${what}`, async () => assert.deepEqual(await shown(...body), expected));

const refused: readonly (readonly [sentence: RegExp, ...Parameters<typeof read>])[] = [
  [/not JSON/, '{"url":', 'application/json'],
  [/not JSON/, '', 'application/problem+json'],
  [/Unknown status/, { url, status: 'done' }],
  [/Unknown status/, { url, status: 'toString' }],
  [/Unknown "how"/, { url, how: 7 }],
  [/"minutes" must be a number from 0 to 6000/, { url, minutes: -1 }],
  [/"minutes"/, { url, minutes: 6001 }],
  [/"minutes"/, { url, minutes: 'x' }],
  [/"minutes"/, { url, minutes: { toString: 1, valueOf: 1 } }],
  [/file name/, { url, code: 'x' }],
  [/up to 64 KiB/, { url, code: long(65_537), file: 'a.c' }],
  [/NUL/, { url, code: 'a\0', file: 'a.c' }],
  [/"code" must be a text/, { url, code: 1 }],
  [/"list" must be a text/, { url, list: ['Trees'] }],
  [/"title" must be a text/, { url, title: 7 }],
  [/up to 65536/, { url, note: long(65_537) }],
  [/not UTF-8/, { url, note: 'Fr\ufffdsche' }],
  [/not UTF-8/, { url, code: '\ufffd', file: 'a.c' }],
  [/not UTF-8/, `url=${url}&title=%8E`, form],
  [/up to 100 links/, many(101)],
  [/up to 100 links/, many(101).join(' ')],
];
for (const [sentence, ...body] of refused)
  test(`an inbox refuses ${JSON.stringify(body).slice(0, 60)}`, () =>
    assert.rejects(read(...body), { message: sentence }));
