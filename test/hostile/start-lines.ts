/** Start lines that are none, methods and versions that are not spoken here. */

import { problems } from '../support/http.ts';
import { alike, answered, bareHead, ended, head, smuggled, type Table } from './inputs.ts';

const allowing = (allow: string) => ({ headers: { allow } });
const ofServer = allowing('GET, HEAD, POST, DELETE, OPTIONS');
const ofRead = allowing('GET, HEAD, OPTIONS');
const ofDeletion = allowing('DELETE, OPTIONS');
const withVersion = { headers: { ...ofDeletion.headers, 'api-version': '1.0.0' } };

export const startLines: Table = (fixtures) => {
  const { staff } = fixtures;
  const after = smuggled(fixtures);
  const line = (startLine: string) => head(startLine, staff);
  const version = (text: string) => line(`DELETE /plants/1 ${text}`);
  const sent = (bytes: string) => bytes;
  return [
    ...alike(ended, sent, 40000, {
      'a word': 'hello\r\n\r\n',
      'a method alone': 'GET\r\n\r\n',
      'a method and a space': 'GET \r\n\r\n',
      'a TLS greeting': '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n',
      'an SSH greeting': 'SSH-2.0-OpenSSH_9.6\r\n',
      'an SMTP greeting': 'EHLO garden.test\r\n',
      'a Redis command': '*1\r\n$4\r\nPING\r\n',
      'bytes of nothing': '\0\0\0\0\0\0\0\0',
      'bytes beyond ASCII': '\xff\xfe\xfd\xfc\r\n\r\n',
      'a space before the method': ` ${after}`,
      'a carriage return alone ends the start line': `DELETE /plants/1 HTTP/1.1\rHost: x\r\n${staff}\r\n\r\n`,
      'an answer instead of a request': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    }),
    ...alike(ended, sent, 50500, {
      'HTTP/0.9 without a version': 'GET /plants/1\r\n\r\n',
      'a deletion in HTTP/0.9': 'DELETE /plants/1\r\n\r\n',
      'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'the preface of HTTP/2 with settings':
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d\0\x04\0\xa0\0\0\0\x02\0\0\0\0',
    }),
    ended('a deletion in HTTP/0.9 in one line', 'DELETE /plants/1\r\n', 40800, { isSlow: true }),
    ...alike(ended, version, 50500, {
      'HTTP/0.9 by name': 'HTTP/0.9',
      'HTTP/2.0 by name': 'HTTP/2.0',
      'HTTP/3.0': 'HTTP/3.0',
      'HTTP/9.9': 'HTTP/9.9',
      'HTTP/1.2': 'HTTP/1.2',
    }),
    ended(
      'HTTP/2.0 that asks to be kept alive',
      head('DELETE /plants/1 HTTP/2.0', staff, 'Connection: keep-alive'),
      50500,
    ),
    ...alike(ended, version, 40000, {
      'HTTP/1.10': 'HTTP/1.10',
      'HTTP/11': 'HTTP/11',
      'HTTP/1': 'HTTP/1',
      'HTTP/1.': 'HTTP/1.',
      'http/1.1 in lower case': 'http/1.1',
      'HTTPS/1.1': 'HTTPS/1.1',
      'ICY/1.1': 'ICY/1.1',
      'RTSP/1.0': 'RTSP/1.0',
      'a version with a minus': 'HTTP/-1.1',
      'a space after the version': 'HTTP/1.1 ',
      'a space in the target': '/plants/2 HTTP/1.1',
    }),
    // The parser knows the methods of RTSP and of ICE beside those of HTTP, and takes them with a version of HTTP only.
    ...['DESCRIBE', 'ANNOUNCE', 'FLUSH', 'GET_PARAMETER', 'SETUP', 'PLAY', 'TEARDOWN'].map((method) =>
      ended(`${method} of RTSP/1.0`, head(`${method} /x RTSP/1.0`, 'CSeq: 1') + after, 40000),
    ),
    ended('OPTIONS of RTSP/1.0', head('OPTIONS /plants/1 RTSP/1.0', 'CSeq: 1') + after, 40000),
    ...alike(ended, (startLine: string) => line(startLine) + after, 40000, {
      'GET of RTSP/1.0': 'GET /plants/1 RTSP/1.0',
      'GET of RTSP/1.1': 'GET /plants/1 RTSP/1.1',
      'a read of RTSP/1.1': `GET ${problems}7/ RTSP/1.1`,
      'POST of RTSP/1.1': 'POST /plants/1 RTSP/1.1',
      'SOURCE of ICE/1.1': 'SOURCE /plants/1 ICE/1.1',
    }),
    ended('SOURCE of ICE/1.0', head('SOURCE /x ICE/1.0') + after, 40000),
    ...alike(ended, line, 40000, {
      'a tab after the method': 'DELETE\t/plants/1\tHTTP/1.1',
      'a tab in the target': 'DELETE /plants/1\t HTTP/1.1',
      'a NUL in the target': 'DELETE /plants/1\0 HTTP/1.1',
      'a NUL in the method': 'DEL\0ETE /plants/1 HTTP/1.1',
      'a method of 100 letters': `${'A'.repeat(100)} /plants/1 HTTP/1.1`,
      'a method with a bracket': 'DEL{ETE /plants/1 HTTP/1.1',
    }),
    answered('two spaces after the method', head('DELETE  /plants/404 HTTP/1.1', staff), 40401),
    answered('two spaces before the version', head('DELETE /plants/404  HTTP/1.1', staff), 40401),
    ...alike(ended, line, [40500, ofServer], {
      'a method in lower case': 'delete /plants/1 HTTP/1.1',
      'a method in mixed case': 'Delete /plants/1 HTTP/1.1',
      'an unknown method': 'BREW /plants/1 HTTP/1.1',
      'a method that begins like one': 'DELETEX /plants/1 HTTP/1.1',
    }),
    ended('a method of signs that a method may have', head("!#$%&'*+.^_`|~ /plants/1 HTTP/1.1", staff), 40500),
    ended('CONNECT to a path', head('CONNECT /plants/1 HTTP/1.1', staff), 40500),
    ended(
      'CONNECT to elsewhere',
      bareHead('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'),
      40500,
      ofServer,
    ),
    ended('CONNECT and more behind it', `${bareHead('CONNECT a.test:80 HTTP/1.1', 'Host: a.test:80')}${after}`, 40500),
    answered('TRACE', line('TRACE /plants/1 HTTP/1.1'), 40500, withVersion),
    answered('GET of a plant', line('GET /plants/1 HTTP/1.1'), 40500, withVersion),
    answered('TRACE of a read path', head(`TRACE ${problems} HTTP/1.1`), 40500, ofRead),
    ...alike(answered, line, [40500, ofDeletion], {
      POST: 'POST /plants/1 HTTP/1.1',
      QUERY: 'QUERY /plants/1 HTTP/1.1',
      PURGE: 'PURGE /plants/1 HTTP/1.1',
    }),
    ...alike(answered, line, [40500, ofRead], {
      PUT: `PUT ${problems}7/ HTTP/1.1`,
      'QUERY of a read path': `QUERY ${problems} HTTP/1.1`,
      'DELETE of a problem': `DELETE ${problems}7/ HTTP/1.1`,
    }),
    answered('PATCH without a token', head(`PATCH ${problems}7/ HTTP/1.1`), 40500, ofRead),
    answered('PROPFIND', head(`PROPFIND ${problems} HTTP/1.1`), 40500, ofRead),
    ended(
      'QUERY with a body',
      `${head('QUERY /plants/1 HTTP/1.1', staff, 'Content-Type: a/b', 'Content-Length: 1')}x`,
      40500,
    ),
    answered('QUERY of nothing', head('QUERY /nowhere HTTP/1.1', staff), 40400),
    answered('OPTIONS without a token', head('OPTIONS /plants/1 HTTP/1.1'), 204, withVersion),
    answered('OPTIONS of a malformed id', head('OPTIONS /plants/%ZZ HTTP/1.1'), 204, ofDeletion),
    answered('empty lines before the request', `\r\n\r\n${head('OPTIONS /plants/1 HTTP/1.1')}`, 204),
    ended('HTTP/1.0', head(`GET ${problems}7/ HTTP/1.0`, staff), 200),
    ended('HTTP/1.0 without a Host', bareHead(`GET ${problems}7/ HTTP/1.0`, staff), 200),
  ];
};
