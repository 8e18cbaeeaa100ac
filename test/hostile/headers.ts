/** Host, Expect, and headers that are malformed, doubled or too large. */
import { answered, bareHead, ended, head, problems, smuggled, type Table } from './inputs.ts';

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
    ended('a Host with a space', hosts('a b'), 40008),
    ended('a Host with a path', hosts('a.test/b'), 40008),
    ended('a Host with a user', hosts('u@a.test'), 40008),
    ended('a Host with a query', hosts('a.test?b'), 40008),
    ended('a Host with a fragment', hosts('a.test#b'), 40008),
    ended('a Host that is a URL', hosts('http://a.test'), 40008),
    ended('a list of Hosts', hosts('a.test, b.test'), 40008),
    ended('a Host with a port of letters', hosts('a.test:http'), 40008),
    ended('a Host with a port of six digits', hosts('a.test:123456'), 40008),
    ended('a Host with two ports', hosts('a.test:80:80'), 40008),
    ended('a Host with a bracket', hosts('[::1'), 40008),
    ended('a Host with a backslash', hosts('a\\b'), 40008),
    ended('a Host in quotes', hosts('"a.test"'), 40008),
    ended('a Host beyond ASCII', hosts('caf\xe9.test'), 40008),
    ended('a Host with a NUL', hosts('a\0b'), 40000),
    ended('a Host with a space before its colon', `${line}\r\nHost : a.test\r\n${staff}\r\n\r\n${after}`, 40000),
    ended('a Host on a folded line', `${line}\r\nHost:\r\n a.test\r\n${staff}\r\n\r\n${after}`, 40000),
    answered('a Host of IPv6', bareHead(read, 'Host: [::1]:8080', staff), 200),
    answered('a Host of another site', bareHead(read, 'Host: evil.example', staff), 200),
    answered('an empty Host', bareHead(read, 'Host:', staff), 200),
    ended('a header without a colon', head(line, staff, 'nonsense') + after, 40000),
    ended('a header without a name', head(line, staff, ': value') + after, 40000),
    ended('a header name with a space', head(line, staff, 'X Y: z') + after, 40000),
    ended('a header name with a NUL', head(line, staff, 'X\0Y: z') + after, 40000),
    ended('a header name with a bracket', head(line, staff, 'X(Y): z') + after, 40000),
    ended('a header name beyond ASCII', head(line, staff, 'X\xe9: z') + after, 40000),
    ended('a header value with a NUL', head(line, staff, 'X-A: b\0c') + after, 40000),
    ended('a header value with a bare CR', head(line, staff, 'X-A: b\rX-C: d') + after, 40000),
    ended('a header value with a control character', head(line, staff, 'X-A: b\x01c') + after, 40000),
    ended('a header value with DEL', head(line, staff, 'X-A: b\x7fc') + after, 40000),
    ended('a folded header', head(line, staff, 'X-A: b\r\n c') + after, 40000),
    ended('a folded first header', `${line}\r\n Host: x\r\n${staff}\r\n\r\n${after}`, 40000),
    ended('lines that end with LF alone', `${line}\nHost: x\n${staff}\n\n${after}`, 40000),
    answered('a header value beyond ASCII', head(read, staff, 'X-A: caf\xe9'), 200),
    answered('a header value of tabs', head(read, staff, 'X-A: \t\t'), 200),
    answered('an empty header', head(read, staff, 'X-A:'), 200),
    answered('a header named __proto__', head(read, staff, '__proto__: x', 'constructor: y'), 200),
    answered(
      'two Content-Types on an empty body',
      head('DELETE /plants/404 HTTP/1.1', staff, 'Content-Type: a/b', 'Content-Type: c/d'),
      40401,
    ),
    answered(
      'a malformed Content-Type on an empty body',
      head('DELETE /plants/404 HTTP/1.1', staff, 'Content-Type: ;;;'),
      40401,
    ),
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
    answered('a version in a header', head(read, staff, 'Accept-Version: 2.0.0'), 200),
    answered('a request id of 10,000 letters', head(read, staff, `X-Request-Id: ${'a'.repeat(10_000)}`), 200, {
      headers: { 'x-request-id': /^[0-9a-f-]{36}$/ },
    }),
    answered('a Range', head(read, staff, 'Range: bytes=0-1'), 200),
    answered('a Range of nonsense', head(read, staff, 'Range: bytes=9-1,x'), 200),
    ended('Expect a miracle', head(line, staff, 'Expect: a miracle') + after, 41700),
    ended('Expect nothing', head(line, staff, 'Expect: ') + after, 41700),
    ended('Expect 100-continue and more', head(line, staff, 'Expect: 100-continue, x') + after, 41700),
    ended('Expect 200-ok', head(line, staff, 'Expect: 200-ok') + after, 41700),
    answered(
      'Expect 100-continue without a body',
      head('DELETE /plants/404 HTTP/1.1', staff, 'Expect: 100-continue'),
      40401,
    ),
    ended(
      'Expect 100-continue with a body',
      `${head(line, staff, 'Expect: 100-continue', 'Content-Length: 1')}x`,
      40006,
    ),
    ended('a header of 17 kB', head(line, staff, `X-Pad: ${'a'.repeat(17_000)}`) + after, 43100),
    ended('a header of 100 kB', head(line, staff, `X-Pad: ${'a'.repeat(100_000)}`) + after, 43100),
    ended('a header of 1 MB', head(line, staff, `X-Pad: ${'a'.repeat(1_000_000)}`) + after, 43100),
    ended('a header name of 100 kB', head(line, staff, `${'a'.repeat(100_000)}: x`) + after, 43100),
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
    answered('headers of 15 kB', head(read, staff, `X-Pad: ${'a'.repeat(15_000)}`), 200),
  ];
};
