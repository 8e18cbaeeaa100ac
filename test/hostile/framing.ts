/** Bodies whose length is in doubt, bodies where none belongs, and requests behind a broken one. */

import { problems } from '../support/http.ts';
import { alike, answered, ended, head, smuggled, type Table, webSocket } from './inputs.ts';

export const framing: Table = (fixtures) => {
  const { staff } = fixtures;
  const after = smuggled(fixtures);
  const line = '/plants/1 HTTP/1.1';
  const deletion = (...headers: string[]) => head(`DELETE ${line}`, staff, ...headers);
  const gone = (...headers: string[]) => head('DELETE /plants/404 HTTP/1.1', staff, ...headers);
  const read = (...headers: string[]) => head(`GET ${problems}7/ HTTP/1.1`, staff, ...headers);
  const [chunked, lastChunk] = ['Transfer-Encoding: chunked', '0\r\n\r\n'];
  const five = 'Content-Length: 5';
  const withLength = (length: string) => deletion(`Content-Length: ${length}`) + after;
  const withCoding = (coding: string, body = '') => deletion(`Transfer-Encoding: ${coding}`) + body + after;
  const withBody = ([body = '', ...headers]: readonly string[]) => deletion(...headers) + body + after;
  const inChunks = (body: string) => withBody([body, chunked]);
  const upgrade = read('Connection: Upgrade', 'Upgrade: x');
  return [
    ...alike(ended, withLength, 40000, {
      'Content-Length of letters': 'abc',
      'Content-Length of nothing': '',
      'Content-Length below zero': '-1',
      'Content-Length with a plus': '+0',
      'Content-Length in hexadecimal': '0x10',
      'Content-Length with a point': '0.0',
      'Content-Length with an exponent': '1e1',
      'Content-Length with an underscore': '1_0',
      'Content-Length as a list of one length': '0, 0',
      'Content-Length as a list of two lengths': '0, 5',
      'Content-Length of 2^64': '18446744073709551616',
      'Content-Length of 400 digits': '9'.repeat(400),
      'Content-Length with a space inside': '1 0',
    }),
    ...alike(ended, withCoding, 40000, {
      'Transfer-Encoding identity': 'identity',
      'Transfer-Encoding gzip': 'gzip',
      'Transfer-Encoding of nothing': '',
      'Transfer-Encoding chunked, identity': 'chunked, identity',
    }),
    ...alike(ended, (coding: string) => withCoding(coding, lastChunk), 40000, {
      'Transfer-Encoding gzip, chunked': 'gzip, chunked',
      'Transfer-Encoding chunked twice in one line': 'chunked, chunked',
      'Transfer-Encoding xchunked': 'xchunked',
      'Transfer-Encoding with a quoted coding': '"chunked"',
      'Transfer-Encoding with a control character': '\x0bchunked',
    }),
    ...alike(ended, withBody, 40000, {
      'Content-Length with a space before the colon': ['', 'Content-Length : 0'],
      'Content-Length twice, alike': ['', 'Content-Length: 0', 'Content-Length: 0'],
      'Content-Length twice, unlike': ['', 'Content-Length: 0', five],
      'both framings, length first': [lastChunk, five, chunked],
      'both framings, coding first': [lastChunk, chunked, five],
      'both framings, length zero': [lastChunk, 'Content-Length: 0', chunked],
      'Transfer-Encoding twice': [lastChunk, chunked, 'Transfer-Encoding: identity'],
      'Transfer-Encoding chunked in two lines': [lastChunk, chunked, chunked],
      'Transfer-Encoding with a space before the colon': [lastChunk, 'Transfer-Encoding : chunked'],
    }),
    ended(
      'Transfer-Encoding in HTTP/1.0',
      `${head('DELETE /plants/1 HTTP/1.0', staff, chunked)}0\r\n\r\n${after}`,
      40000,
    ),
    ...alike(ended, inChunks, 40000, {
      'a chunk size of letters': 'zz\r\n',
      'a chunk size below zero': '-1\r\n',
      'a chunk size with 0x': '0x1\r\na\r\n0\r\n\r\n',
      'a chunk size of 2^64': '10000000000000000\r\na\r\n0\r\n\r\n',
      'a chunk that is longer than its size': '1\r\nabc\r\n0\r\n\r\n',
      'a chunk size that ends with a bare LF': '0\n\n',
      'a chunk size that ends with a bare CR': '1\ra\r\n0\r\n\r\n',
    }),
    ...alike(ended, withBody, 40006, {
      'a body of one byte': ['x', 'Content-Length: 1'],
      'a body of JSON': ['{}', 'Content-Type: application/json', 'Content-Length: 2'],
      'a body in chunks': [`1\r\nx\r\n${lastChunk}`, chunked],
      'a body in chunks with a trailer': ['1\r\nx\r\n0\r\nX-A: b\r\n\r\n', chunked],
      'a body of 20 kB': ['x'.repeat(20_000), 'Content-Length: 20000'],
      'a body of 1 MB in chunks': [`f4240\r\n${'x'.repeat(1_000_000)}\r\n${lastChunk}`, chunked],
    }),
    ended('a body that is a request', deletion(`Content-Length: ${after.length}`) + after, 40006),
    ended('a body of a GET', `${read(five)}hello${after}`, 40006),
    ended('a body of a GET in chunks', `${read(chunked)}5\r\nhello\r\n${lastChunk}${after}`, 40006),
    ended('a body announced as a terabyte', deletion('Content-Length: 1099511627776'), 40006),
    ended('a body of a request that is refused anyway', `${head(`POST ${line}`, staff, five)}hello${after}`, 40500),
    ended('a body of a request without a token', `${head(`DELETE ${line}`, five)}hello${after}`, 40100),
    ended('a body of a request for nothing', `${head('POST /nowhere HTTP/1.1', five)}hello${after}`, 40400),
    ended('an empty body in chunks', `${gone(chunked)}0\r\n\r\n`, 40401),
    answered('an empty body by length', gone('Content-Length: 0'), 40401),
    answered('an empty body of a strange type', gone('Content-Type: a/b', 'Content-Length: 0'), 40401),
    ended('nonsense after a good request', `${read()}nonsense\r\n\r\n${after}`, 40000, { before: [200] }),
    ended('nonsense after two good requests', `${read()}${read()}\0\0\0\r\n\r\n${after}`, 40000, {
      before: [200, 200],
    }),
    ended('a second request with both framings', `${read()}${deletion(five, chunked)}0\r\n\r\n${after}`, 40000, {
      before: [200],
    }),
    ended('a second request without a Host', `${read()}GET / HTTP/1.1\r\n\r\n${after}`, 40008, {
      before: [200],
    }),
    ended('a good request that asks to close, and more', `${read('Connection: close')}${after}`, 200),
    answered('two requests in one packet', `${read()}${head('DELETE /plants/abc HTTP/1.1', staff)}`, 40001, {
      before: [200],
    }),
    answered(
      'a request in three packets',
      ['DELETE /plants/', 'abc HTTP/1.1\r\nHost: x\r\n', `${staff}\r\n\r\n`],
      40001,
    ),
    ended(
      'an Upgrade to HTTP/2',
      read('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'),
      200,
    ),
    ended('an Upgrade to a WebSocket', read(...webSocket), 200),
    ended('an Upgrade behind a good request', `${read()}${upgrade}${after}`, 200, { before: [200] }),
    ended('an Upgrade behind empty lines', `${'\r\n'.repeat(9)}${upgrade}`, 200),
    ended('an Upgrade of a request that is refused', head('GET /nowhere HTTP/1.1', 'Upgrade: x'), 40400),
    ended(
      'an Upgrade with a body',
      `${deletion('Connection: Upgrade', 'Upgrade: x', chunked)}1\r\nx\r\n0\r\n\r\n`,
      40006,
    ),
    ...alike(ended, (behind: string) => upgrade + behind, 200, {
      'a request behind an Upgrade, in one packet': after,
      'empty lines and a request behind an Upgrade': `\r\n\r\n${after}`,
      'nonsense behind an Upgrade, in one packet': `nonsense\r\n\r\n${after}`,
    }),
    ended('a request behind an Upgrade, in a packet of its own', [upgrade, '', '', after], 200),
    ended('a request behind an Upgrade, in two packets', [upgrade + after.slice(0, 40), after.slice(40)], 200),
    ...alike(ended, (behind: string) => read('Upgrade: x') + behind, 200, {
      'a request behind an Upgrade without a Connection that names it': after,
      'requests behind an Upgrade, more than are read': after.repeat(500),
      'nonsense behind an Upgrade without a Connection that names it': `nonsense\r\n\r\n${after}`,
    }),
    ended('nonsense behind an Upgrade, in a packet of its own', [upgrade, '', `nonsense\r\n\r\n${after}`], 200),
    ended('half a start line', 'DELETE /plants/1 HT', 40800, { isSlow: true }),
    ended('headers without an end', `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n${staff}\r\n`, 40800, {
      isSlow: true,
    }),
    ended('a body that never comes', deletion(chunked), 40800, { isSlow: true }),
    ended('nothing but a line break', '\r\n', 40800, { isSlow: true }),
  ];
};
