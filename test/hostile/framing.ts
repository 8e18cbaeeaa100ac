/** Bodies whose length is in doubt, bodies where none belongs, and requests behind a broken one. */
import { answered, ended, head, problems, smuggled, type Table } from './inputs.ts';

export const framing: Table = (fixtures) => {
  const { staff } = fixtures;
  const after = smuggled(fixtures);
  const deletion = (...headers: string[]) => head('DELETE /plants/1 HTTP/1.1', staff, ...headers);
  const read = (...headers: string[]) => head(`GET ${problems}7/ HTTP/1.1`, staff, ...headers);
  const chunked = 'Transfer-Encoding: chunked';
  const upgrade = read('Connection: Upgrade', 'Upgrade: x');
  return [
    ended('Content-Length of letters', `${deletion('Content-Length: abc')}${after}`, 40000),
    ended('Content-Length of nothing', `${deletion('Content-Length: ')}${after}`, 40000),
    ended('Content-Length below zero', `${deletion('Content-Length: -1')}${after}`, 40000),
    ended('Content-Length with a plus', `${deletion('Content-Length: +0')}${after}`, 40000),
    ended('Content-Length in hexadecimal', `${deletion('Content-Length: 0x10')}${after}`, 40000),
    ended('Content-Length with a point', `${deletion('Content-Length: 0.0')}${after}`, 40000),
    ended('Content-Length with an exponent', `${deletion('Content-Length: 1e1')}${after}`, 40000),
    ended('Content-Length with an underscore', `${deletion('Content-Length: 1_0')}${after}`, 40000),
    ended('Content-Length as a list of one length', `${deletion('Content-Length: 0, 0')}${after}`, 40000),
    ended('Content-Length as a list of two lengths', `${deletion('Content-Length: 0, 5')}${after}`, 40000),
    ended('Content-Length of 2^64', `${deletion('Content-Length: 18446744073709551616')}${after}`, 40000),
    ended('Content-Length of 400 digits', `${deletion(`Content-Length: ${'9'.repeat(400)}`)}${after}`, 40000),
    ended('Content-Length with a space inside', `${deletion('Content-Length: 1 0')}${after}`, 40000),
    ended('Content-Length with a space before the colon', `${deletion('Content-Length : 0')}${after}`, 40000),
    ended('Content-Length twice, alike', `${deletion('Content-Length: 0', 'Content-Length: 0')}${after}`, 40000),
    ended('Content-Length twice, unlike', `${deletion('Content-Length: 0', 'Content-Length: 5')}${after}`, 40000),
    ended('both framings, length first', `${deletion('Content-Length: 5', chunked)}0\r\n\r\n${after}`, 40000),
    ended('both framings, coding first', `${deletion(chunked, 'Content-Length: 5')}0\r\n\r\n${after}`, 40000),
    ended('both framings, length zero', `${deletion('Content-Length: 0', chunked)}0\r\n\r\n${after}`, 40000),
    ended('Transfer-Encoding identity', `${deletion('Transfer-Encoding: identity')}${after}`, 40000),
    ended('Transfer-Encoding gzip', `${deletion('Transfer-Encoding: gzip')}${after}`, 40000),
    ended('Transfer-Encoding of nothing', `${deletion('Transfer-Encoding: ')}${after}`, 40000),
    ended('Transfer-Encoding gzip, chunked', `${deletion('Transfer-Encoding: gzip, chunked')}0\r\n\r\n${after}`, 40000),
    ended('Transfer-Encoding chunked, identity', `${deletion('Transfer-Encoding: chunked, identity')}${after}`, 40000),
    ended(
      'Transfer-Encoding chunked twice in one line',
      `${deletion('Transfer-Encoding: chunked, chunked')}0\r\n\r\n${after}`,
      40000,
    ),
    ended('Transfer-Encoding twice', `${deletion(chunked, 'Transfer-Encoding: identity')}0\r\n\r\n${after}`, 40000),
    ended('Transfer-Encoding chunked in two lines', `${deletion(chunked, chunked)}0\r\n\r\n${after}`, 40000),
    ended('Transfer-Encoding xchunked', `${deletion('Transfer-Encoding: xchunked')}0\r\n\r\n${after}`, 40000),
    ended(
      'Transfer-Encoding with a quoted coding',
      `${deletion('Transfer-Encoding: "chunked"')}0\r\n\r\n${after}`,
      40000,
    ),
    ended(
      'Transfer-Encoding with a control character',
      `${deletion('Transfer-Encoding: \x0bchunked')}0\r\n\r\n${after}`,
      40000,
    ),
    ended(
      'Transfer-Encoding with a space before the colon',
      `${deletion('Transfer-Encoding : chunked')}0\r\n\r\n${after}`,
      40000,
    ),
    ended(
      'Transfer-Encoding in HTTP/1.0',
      `${head('DELETE /plants/1 HTTP/1.0', staff, chunked)}0\r\n\r\n${after}`,
      40000,
    ),
    ended('a chunk size of letters', `${deletion(chunked)}zz\r\n${after}`, 40000),
    ended('a chunk size below zero', `${deletion(chunked)}-1\r\n${after}`, 40000),
    ended('a chunk size with 0x', `${deletion(chunked)}0x1\r\na\r\n0\r\n\r\n${after}`, 40000),
    ended('a chunk size of 2^64', `${deletion(chunked)}10000000000000000\r\na\r\n0\r\n\r\n${after}`, 40000),
    ended('a chunk that is longer than its size', `${deletion(chunked)}1\r\nabc\r\n0\r\n\r\n${after}`, 40000),
    ended('a chunk size that ends with a bare LF', `${deletion(chunked)}0\n\n${after}`, 40000),
    ended('a chunk size that ends with a bare CR', `${deletion(chunked)}1\ra\r\n0\r\n\r\n${after}`, 40000),
    ended('a body of one byte', `${deletion('Content-Length: 1')}x${after}`, 40006),
    ended('a body of JSON', `${deletion('Content-Type: application/json', 'Content-Length: 2')}{}${after}`, 40006),
    ended('a body in chunks', `${deletion(chunked)}1\r\nx\r\n0\r\n\r\n${after}`, 40006),
    ended('a body in chunks with a trailer', `${deletion(chunked)}1\r\nx\r\n0\r\nX-A: b\r\n\r\n${after}`, 40006),
    ended('a body that is a request', `${deletion(`Content-Length: ${after.length}`)}${after}`, 40006),
    ended('a body of a GET', `${read('Content-Length: 5')}hello${after}`, 40006),
    ended('a body of a GET in chunks', `${read(chunked)}5\r\nhello\r\n0\r\n\r\n${after}`, 40006),
    ended('a body of 20 kB', `${deletion('Content-Length: 20000')}${'x'.repeat(20_000)}${after}`, 40006),
    ended(
      'a body of 1 MB in chunks',
      `${deletion(chunked)}f4240\r\n${'x'.repeat(1_000_000)}\r\n0\r\n\r\n${after}`,
      40006,
    ),
    ended('a body announced as a terabyte', deletion('Content-Length: 1099511627776'), 40006),
    ended(
      'a body of a request that is refused anyway',
      `${head('POST /plants/1 HTTP/1.1', staff, 'Content-Length: 5')}hello${after}`,
      40500,
    ),
    ended(
      'a body of a request without a token',
      `${head('DELETE /plants/1 HTTP/1.1', 'Content-Length: 5')}hello${after}`,
      40100,
    ),
    ended(
      'a body of a request for nothing',
      `${head('POST /nowhere HTTP/1.1', 'Content-Length: 5')}hello${after}`,
      40400,
    ),
    ended('an empty body in chunks', `${head('DELETE /plants/404 HTTP/1.1', staff, chunked)}0\r\n\r\n`, 40401),
    answered('an empty body by length', head('DELETE /plants/404 HTTP/1.1', staff, 'Content-Length: 0'), 40401),
    answered(
      'an empty body of a strange type',
      head('DELETE /plants/404 HTTP/1.1', staff, 'Content-Type: a/b', 'Content-Length: 0'),
      40401,
    ),
    ended('nonsense after a good request', `${read()}nonsense\r\n\r\n${after}`, 40000, { before: [200] }),
    ended('nonsense after two good requests', `${read()}${read()}\0\0\0\r\n\r\n${after}`, 40000, {
      before: [200, 200],
    }),
    ended(
      'a second request with both framings',
      `${read()}${deletion('Content-Length: 5', chunked)}0\r\n\r\n${after}`,
      40000,
      { before: [200] },
    ),
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
    ended(
      'an Upgrade to a WebSocket',
      read(
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
      200,
    ),
    ended('an Upgrade behind a good request', `${read()}${upgrade}${after}`, 200, { before: [200] }),
    ended('an Upgrade behind empty lines', `${'\r\n'.repeat(9)}${upgrade}`, 200),
    ended('an Upgrade of a request that is refused', head('GET /nowhere HTTP/1.1', 'Upgrade: x'), 40400),
    ended(
      'an Upgrade with a body',
      `${deletion('Connection: Upgrade', 'Upgrade: x', chunked)}1\r\nx\r\n0\r\n\r\n`,
      40006,
    ),
    ended('a request behind an Upgrade, in one packet', `${upgrade}${after}`, 200),
    ended('a request behind an Upgrade, in a packet of its own', [upgrade, '', '', after], 200),
    ended('a request behind an Upgrade, in two packets', [upgrade + after.slice(0, 40), after.slice(40)], 200),
    ended('a request behind an Upgrade without a Connection that names it', `${read('Upgrade: x')}${after}`, 200),
    ended('requests behind an Upgrade, more than are read', `${read('Upgrade: x')}${after.repeat(500)}`, 200),
    ended('empty lines and a request behind an Upgrade', `${upgrade}\r\n\r\n${after}`, 200),
    ended('nonsense behind an Upgrade, in one packet', `${upgrade}nonsense\r\n\r\n${after}`, 200),
    ended('nonsense behind an Upgrade, in a packet of its own', [upgrade, '', `nonsense\r\n\r\n${after}`], 200),
    ended(
      'nonsense behind an Upgrade without a Connection that names it',
      `${read('Upgrade: x')}nonsense\r\n\r\n${after}`,
      200,
    ),
    ended('half a start line', 'DELETE /plants/1 HT', 40800, { isSlow: true }),
    ended('headers without an end', `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n${staff}\r\n`, 40800, {
      isSlow: true,
    }),
    ended('a body that never comes', deletion(chunked), 40800, { isSlow: true }),
    ended('nothing but a line break', '\r\n', 40800, { isSlow: true }),
  ];
};
