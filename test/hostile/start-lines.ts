/** Start lines that are none, methods and versions that are not spoken here. */
import { answered, bareHead, ended, head, problems, smuggled, type Table } from './inputs.ts';

const serverMethods = 'GET, HEAD, POST, DELETE, OPTIONS';

export const startLines: Table = (fixtures) => {
  const { staff } = fixtures;
  const after = smuggled(fixtures);
  return [
    ended('a word', 'hello\r\n\r\n', 40000),
    ended('a method alone', 'GET\r\n\r\n', 40000),
    ended('a method and a space', 'GET \r\n\r\n', 40000),
    ended('HTTP/0.9 without a version', 'GET /plants/1\r\n\r\n', 50500),
    ended('a deletion in HTTP/0.9', 'DELETE /plants/1\r\n\r\n', 50500),
    ended('a deletion in HTTP/0.9 in one line', 'DELETE /plants/1\r\n', 40800, { isSlow: true }),
    ended('HTTP/0.9 by name', head('DELETE /plants/1 HTTP/0.9', staff), 50500),
    ended('HTTP/2.0 by name', head('DELETE /plants/1 HTTP/2.0', staff), 50500),
    ended(
      'HTTP/2.0 that asks to be kept alive',
      head('DELETE /plants/1 HTTP/2.0', staff, 'Connection: keep-alive'),
      50500,
    ),
    ended('HTTP/3.0', head('DELETE /plants/1 HTTP/3.0', staff), 50500),
    ended('HTTP/9.9', head('DELETE /plants/1 HTTP/9.9', staff), 50500),
    ended('HTTP/1.2', head('DELETE /plants/1 HTTP/1.2', staff), 50500),
    ended('HTTP/1.10', head('DELETE /plants/1 HTTP/1.10', staff), 40000),
    ended('HTTP/11', head('DELETE /plants/1 HTTP/11', staff), 40000),
    ended('HTTP/1', head('DELETE /plants/1 HTTP/1', staff), 40000),
    ended('HTTP/1.', head('DELETE /plants/1 HTTP/1.', staff), 40000),
    ended('http/1.1 in lower case', head('DELETE /plants/1 http/1.1', staff), 40000),
    ended('HTTPS/1.1', head('DELETE /plants/1 HTTPS/1.1', staff), 40000),
    ended('ICY/1.1', head('DELETE /plants/1 ICY/1.1', staff), 40000),
    ended('RTSP/1.0', head('DELETE /plants/1 RTSP/1.0', staff), 40000),
    // The parser knows the methods of RTSP and of ICE beside those of HTTP, and takes them with a version of HTTP only.
    ...['DESCRIBE', 'ANNOUNCE', 'FLUSH', 'GET_PARAMETER', 'SETUP', 'PLAY', 'TEARDOWN'].map((method) =>
      ended(`${method} of RTSP/1.0`, head(`${method} /x RTSP/1.0`, 'CSeq: 1') + after, 40000),
    ),
    ended('OPTIONS of RTSP/1.0', head('OPTIONS /plants/1 RTSP/1.0', 'CSeq: 1') + after, 40000),
    ended('GET of RTSP/1.0', head('GET /plants/1 RTSP/1.0', staff) + after, 40000),
    ended('GET of RTSP/1.1', head('GET /plants/1 RTSP/1.1', staff) + after, 40000),
    ended('a read of RTSP/1.1', head(`GET ${problems}7/ RTSP/1.1`, staff) + after, 40000),
    ended('POST of RTSP/1.1', head('POST /plants/1 RTSP/1.1', staff) + after, 40000),
    ended('SOURCE of ICE/1.0', head('SOURCE /x ICE/1.0') + after, 40000),
    ended('SOURCE of ICE/1.1', head('SOURCE /plants/1 ICE/1.1', staff) + after, 40000),
    ended('a version with a minus', head('DELETE /plants/1 HTTP/-1.1', staff), 40000),
    ended('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 50500),
    ended(
      'the preface of HTTP/2 with settings',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d\0\x04\0\xa0\0\0\0\x02\0\0\0\0',
      50500,
    ),
    ended('a TLS greeting', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n', 40000),
    ended('an SSH greeting', 'SSH-2.0-OpenSSH_9.6\r\n', 40000),
    ended('an SMTP greeting', 'EHLO garden.test\r\n', 40000),
    ended('a Redis command', '*1\r\n$4\r\nPING\r\n', 40000),
    ended('bytes of nothing', '\0\0\0\0\0\0\0\0', 40000),
    ended('bytes beyond ASCII', '\xff\xfe\xfd\xfc\r\n\r\n', 40000),
    ended('an answer instead of a request', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 40000),
    ended('a space before the method', ` ${after}`, 40000),
    ended('a tab after the method', head('DELETE\t/plants/1\tHTTP/1.1', staff), 40000),
    answered('two spaces after the method', head('DELETE  /plants/404 HTTP/1.1', staff), 40401),
    answered('two spaces before the version', head('DELETE /plants/404  HTTP/1.1', staff), 40401),
    ended('a space after the version', head('DELETE /plants/1 HTTP/1.1 ', staff), 40000),
    ended('a space in the target', head('DELETE /plants/1 /plants/2 HTTP/1.1', staff), 40000),
    ended('a tab in the target', head('DELETE /plants/1\t HTTP/1.1', staff), 40000),
    ended('a NUL in the target', head('DELETE /plants/1\0 HTTP/1.1', staff), 40000),
    ended('a NUL in the method', head('DEL\0ETE /plants/1 HTTP/1.1', staff), 40000),
    ended(
      'a carriage return alone ends the start line',
      `DELETE /plants/1 HTTP/1.1\rHost: x\r\n${staff}\r\n\r\n`,
      40000,
    ),
    ended('a method in lower case', head('delete /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: serverMethods },
    }),
    ended('a method in mixed case', head('Delete /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: serverMethods },
    }),
    ended('an unknown method', head('BREW /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: serverMethods },
    }),
    ended('a method that begins like one', head('DELETEX /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: serverMethods },
    }),
    ended('a method of signs that a method may have', head("!#$%&'*+.^_`|~ /plants/1 HTTP/1.1", staff), 40500),
    ended('a method of 100 letters', head(`${'A'.repeat(100)} /plants/1 HTTP/1.1`, staff), 40000),
    ended('a method with a bracket', head('DEL{ETE /plants/1 HTTP/1.1', staff), 40000),
    ended('CONNECT to elsewhere', bareHead('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'), 40500, {
      headers: { allow: serverMethods },
    }),
    ended('CONNECT to a path', head('CONNECT /plants/1 HTTP/1.1', staff), 40500),
    ended('CONNECT and more behind it', `${bareHead('CONNECT a.test:80 HTTP/1.1', 'Host: a.test:80')}${after}`, 40500),
    answered('TRACE', head('TRACE /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: 'DELETE, OPTIONS', 'api-version': '1.0.0' },
    }),
    answered('TRACE of a read path', head(`TRACE ${problems} HTTP/1.1`), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    answered('POST', head('POST /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: 'DELETE, OPTIONS' },
    }),
    answered('PUT', head(`PUT ${problems}7/ HTTP/1.1`, staff), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    answered('PATCH without a token', head(`PATCH ${problems}7/ HTTP/1.1`), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    answered('PROPFIND', head(`PROPFIND ${problems} HTTP/1.1`), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    answered('QUERY', head('QUERY /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: 'DELETE, OPTIONS' },
    }),
    answered('QUERY of a read path', head(`QUERY ${problems} HTTP/1.1`, staff), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    ended(
      'QUERY with a body',
      `${head('QUERY /plants/1 HTTP/1.1', staff, 'Content-Type: a/b', 'Content-Length: 1')}x`,
      40500,
    ),
    answered('QUERY of nothing', head('QUERY /nowhere HTTP/1.1', staff), 40400),
    answered('PURGE', head('PURGE /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: 'DELETE, OPTIONS' },
    }),
    answered('GET of a plant', head('GET /plants/1 HTTP/1.1', staff), 40500, {
      headers: { allow: 'DELETE, OPTIONS', 'api-version': '1.0.0' },
    }),
    answered('DELETE of a problem', head(`DELETE ${problems}7/ HTTP/1.1`, staff), 40500, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    }),
    answered('OPTIONS without a token', head('OPTIONS /plants/1 HTTP/1.1'), 204, {
      headers: { allow: 'DELETE, OPTIONS', 'api-version': '1.0.0' },
    }),
    answered('OPTIONS of a malformed id', head('OPTIONS /plants/%ZZ HTTP/1.1'), 204, {
      headers: { allow: 'DELETE, OPTIONS' },
    }),
    answered('empty lines before the request', `\r\n\r\n${head('OPTIONS /plants/1 HTTP/1.1')}`, 204),
    ended('HTTP/1.0', head(`GET ${problems}7/ HTTP/1.0`, staff), 200),
    ended('HTTP/1.0 without a Host', bareHead(`GET ${problems}7/ HTTP/1.0`, staff), 200),
  ];
};
