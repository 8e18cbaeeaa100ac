/** Host, Expect, and headers that are malformed, doubled or too large. */

import { problems } from '../support/http.ts';
import { alike, answered, bareHead, ended, head, smuggled, type Table } from './inputs.ts';

const pieces = (text: string) => text.match(/.{1,1000}/gs) ?? [];

export const headers: Table = (fixtures) => {
  const { staff } = fixtures;
  const after = smuggled(fixtures);
  const line = 'DELETE /plants/1 HTTP/1.1';
  const read = `GET ${problems}7/ HTTP/1.1`;
  const hosts = (...values: string[]) => bareHead(line, ...values.map((value) => `Host: ${value}`), staff) + after;
  /** So many header lines; Host and the token are two of them. */
  const manyLines = (count: number) => [staff, ...Array<string>(count - 2).fill('a:')];
  /** Node leaves out the lines beyond the first thousand, and with them what frames a body, unless its limit is lifted. */
  const beyond = (startLine: string, ...framing: string[]) => head(startLine, ...manyLines(1000), ...framing);
  const gone = (...headers: string[]) => head('DELETE /plants/404 HTTP/1.1', staff, ...headers);
  const withHeader = (header: string) => head(line, staff, header) + after;
  const readWith = (header: string) => head(read, staff, header);
  return [
    answered('1,000 header lines', head(read, ...manyLines(1000)), 200),
    answered('1,001 header lines of two bytes', head(read, ...manyLines(1001)), 200),
    answered('1,001 header lines of a deletion', head('DELETE /plants/404 HTTP/1.1', ...manyLines(1001)), 40401),
    answered('1,001 header lines without a token', head(line, ...Array(1000).fill('a:')), 40100),
    answered('2,000 header lines', head(read, ...manyLines(2000)), 200),
    answered('2,000 header lines in small packets', pieces(head(read, ...manyLines(2000))), 200),
    ended('6,000 header lines', head(read, ...manyLines(6000)) + after, 43100),
    ended(
      'a length beyond 1,000 header lines, and a body that is a deletion',
      beyond(read, `Content-Length: ${after.length}`) + after,
      40006,
    ),
    ended(
      'a length beyond 1,000 header lines of a deletion, and a body that is another',
      beyond('DELETE /plants/404 HTTP/1.1', `Content-Length: ${after.length}`) + after,
      40006,
    ),
    ended(
      'chunks beyond 1,000 header lines, and in them a deletion',
      `${beyond(read, 'Transfer-Encoding: chunked')}${after.length.toString(16)}\r\n${after}\r\n0\r\n\r\n`,
      40006,
    ),
    ended('a second Host beyond 1,000 header lines', beyond(line, 'Host: b.test') + after, 40008),
    ended('a second token beyond 1,000 header lines', beyond(line, staff) + after, 40000),
    ended(
      'a Connection that closes beyond 1,000 lines',
      beyond('GET /problem_list/api/problems/404/ HTTP/1.1', 'Connection: close') + after,
      40401,
    ),
    ended('no Host', bareHead(line, staff) + after, 40008),
    ended('two Hosts', hosts('a.test', 'b.test'), 40008),
    ended('two Hosts, alike', hosts('a.test', 'a.test'), 40008),
    ended('two Hosts, one in capitals', bareHead(line, 'HOST: a.test', 'host: b.test', staff) + after, 40008),
    ...alike(ended, hosts, 40008, {
      'a Host with a space': 'a b',
      'a Host with a path': 'a.test/b',
      'a Host with a user': 'u@a.test',
      'a Host with a query': 'a.test?b',
      'a Host with a fragment': 'a.test#b',
      'a Host that is a URL': 'http://a.test',
      'a list of Hosts': 'a.test, b.test',
      'a Host with a port of letters': 'a.test:http',
      'a Host with a port of six digits': 'a.test:123456',
      'a Host with two ports': 'a.test:80:80',
      'a Host with a bracket': '[::1',
      'a Host with a backslash': 'a\\b',
      'a Host in quotes': '"a.test"',
      'a Host beyond ASCII': 'caf\xe9.test',
    }),
    ended('a Host with a NUL', hosts('a\0b'), 40000),
    ended('a Host with a space before its colon', `${line}\r\nHost : a.test\r\n${staff}\r\n\r\n${after}`, 40000),
    ended('a Host on a folded line', `${line}\r\nHost:\r\n a.test\r\n${staff}\r\n\r\n${after}`, 40000),
    answered('a Host of IPv6', bareHead(read, 'Host: [::1]:8080', staff), 200),
    answered('a Host of another site', bareHead(read, 'Host: evil.example', staff), 200),
    answered('an empty Host', bareHead(read, 'Host:', staff), 200),
    ...alike(ended, withHeader, 40000, {
      'a header without a colon': 'nonsense',
      'a header without a name': ': value',
      'a header name with a space': 'X Y: z',
      'a header name with a NUL': 'X\0Y: z',
      'a header name with a bracket': 'X(Y): z',
      'a header name beyond ASCII': 'X\xe9: z',
      'a header value with a NUL': 'X-A: b\0c',
      'a header value with a bare CR': 'X-A: b\rX-C: d',
      'a header value with a control character': 'X-A: b\x01c',
      'a header value with DEL': 'X-A: b\x7fc',
      'a folded header': 'X-A: b\r\n c',
    }),
    ended('a folded first header', `${line}\r\n Host: x\r\n${staff}\r\n\r\n${after}`, 40000),
    ended('lines that end with LF alone', `${line}\nHost: x\n${staff}\n\n${after}`, 40000),
    ...alike(answered, readWith, 200, {
      'a header value beyond ASCII': 'X-A: caf\xe9',
      'a header value of tabs': 'X-A: \t\t',
      'an empty header': 'X-A:',
      'a version in a header': 'Accept-Version: 2.0.0',
      'a Range': 'Range: bytes=0-1',
      'a Range of nonsense': 'Range: bytes=9-1,x',
      'headers of 15 kB': `X-Pad: ${'a'.repeat(15_000)}`,
    }),
    answered('a header named __proto__', head(read, staff, '__proto__: x', 'constructor: y'), 200),
    answered('two Content-Types on an empty body', gone('Content-Type: a/b', 'Content-Type: c/d'), 40401),
    answered('a malformed Content-Type on an empty body', gone('Content-Type: ;;;'), 40401),
    answered('Expect 100-continue without a body', gone('Expect: 100-continue'), 40401),
    answered(
      'hop-by-hop headers of a proxy',
      head(
        read,
        staff,
        'Connection: keep-alive, Authorization',
        'Keep-Alive: timeout=9999',
        'TE: trailers',
        'Proxy-Authorization: Basic x',
      ),
      200,
    ),
    answered(
      'where the request says it came from',
      head(read, staff, "X-Forwarded-For: '; --", 'X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example'),
      200,
    ),
    answered(
      'another method in a header',
      head(read, staff, 'X-HTTP-Method-Override: DELETE', 'X-HTTP-Method: DELETE'),
      200,
    ),
    answered(
      'another target in a header',
      head(read, staff, 'X-Original-URL: /plants/1', 'X-Rewrite-URL: /plants/1'),
      200,
    ),
    answered('a request id of 10,000 letters', head(read, staff, `X-Request-Id: ${'a'.repeat(10_000)}`), 200, {
      headers: { 'x-request-id': /^[0-9a-f-]{36}$/ },
    }),
    ...alike(ended, withHeader, 41700, {
      'Expect a miracle': 'Expect: a miracle',
      'Expect nothing': 'Expect: ',
      'Expect 100-continue and more': 'Expect: 100-continue, x',
      'Expect 200-ok': 'Expect: 200-ok',
    }),
    ended(
      'Expect 100-continue with a body',
      `${head(line, staff, 'Expect: 100-continue', 'Content-Length: 1')}x`,
      40006,
    ),
    ...alike(ended, withHeader, 43100, {
      'a header of 17 kB': `X-Pad: ${'a'.repeat(17_000)}`,
      'a header of 100 kB': `X-Pad: ${'a'.repeat(100_000)}`,
      'a header of 1 MB': `X-Pad: ${'a'.repeat(1_000_000)}`,
      'a header name of 100 kB': `${'a'.repeat(100_000)}: x`,
    }),
    ended('ten thousand headers', head(line, staff, ...Array<string>(10_000).fill('X-Pad: a')) + after, 43100),
    ended('a token of 100 kB', head(line, `Authorization: Bearer ${'a'.repeat(100_000)}`) + after, 43100),
    ended(
      'a header of 40 kB in small packets',
      [head(line, staff).slice(0, -2), 'X-Pad: ', ...Array<string>(40).fill('a'.repeat(1000)), '\r\n\r\n'],
      43100,
    ),
    ended(
      'a header of 40 kB in small packets, like a start line',
      [`${line}\r\nX-Pad: `, ...Array<string>(40).fill('a'.repeat(1000)), '\r\n', '\r\n'],
      43100,
    ),
    ended('a header of 40 kB that stops', [`${line}\r\nX-Pad: `, ...Array<string>(40).fill('a'.repeat(1000))], 43100),
  ];
};
