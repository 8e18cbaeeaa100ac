/** Request targets: other forms, soup of percent signs, dots and slashes, and too much of it. */

import { problems, records, statuses } from '../support/http.ts';
import { alike, answered, ended, head, type Table } from './inputs.ts';

export const targets: Table = ({ staff, token }) => {
  const deletion = (target: string, ...headers: string[]) => head(`DELETE ${target} HTTP/1.1`, staff, ...headers);
  const read = (target: string, ...headers: string[]) => head(`GET ${target} HTTP/1.1`, staff, ...headers);
  const pieces = (text: string) => text.match(/.{1,1000}/gs) ?? [];
  return [
    ...alike(answered, deletion, 40400, {
      'a path that is not there': '/nowhere',
      'the path in capitals': '/PLANTS/1',
      'a trailing slash': '/plants/1/',
      'two trailing slashes': '/plants/1//',
      'a second id': '/plants/1/2',
      'a doubled slash before the id': '/plants//1',
      'a doubled slash at the start': '//plants/1',
      'a prefix': '/api/plants/1',
      'a dot segment': '/./plants/1',
      'up and down again': '/plants/../plants/1',
      'up and down again, encoded': '/plants/%2e%2e/plants/1',
      'up to the root': '/../../../../etc/passwd',
      'up with backslashes': '/plants\\..\\1',
      'an encoded slash before the id': '/plants%2F1',
      'the path, encoded twice': '/pl%2561nts/1',
      'a whole URL in a path': '/http://garden.test/plants/1',
    }),
    ...alike(answered, deletion, 40500, {
      'the path without an id': '/plants',
      'an empty id': '/plants/',
      'a whole URL with a query alone': 'http://garden.test?id=1',
    }),
    ...alike(answered, read, 40400, {
      'an encoded slash in the path of a read': '/problem_list%2Fapi/problems/',
      'a redirect that would leave the site': '//evil.example/problem_list/api/status',
      'a read path with two slashes at its end': `${problems}/`,
    }),
    ...alike(answered, deletion, 40001, {
      'a question mark, encoded': '/plants/1%3Fx=1',
      'a hash, encoded': '/plants/1%23x',
      'eight thousand percent signs as an id': `/plants/${'%'.repeat(8000)}`,
      'two thousand encoded percent signs': `/plants/${'%25'.repeat(2000)}`,
      'two thousand encoded slashes': `/plants/${'%2F'.repeat(2000)}`,
      'a semicolon and parameters': '/plants/1;x=1',
      'a matrix parameter of a session': '/plants/1;jsessionid=1',
    }),
    ...alike(answered, deletion, 40401, {
      'a letter of the path, encoded': '/pl%61nts/404',
      'all letters of the path, encoded': '/%70%6c%61%6e%74%73/404',
      'a whole URL': 'http://garden.test/plants/404',
      'a whole URL of another host': 'http://evil.example/plants/404',
      'a whole URL in capitals': 'HTTPS://GARDEN.TEST/plants/404',
      'a whole URL with a user': 'http://user:secret@garden.test/plants/404',
    }),
    ...alike(ended, deletion, 40000, {
      'full-width digits as bytes': '/plants/\xef\xbc\x91',
      'a fragment': '/plants/1#top',
      'a target without a slash': 'plants/1',
      'a target that is a query': '?id=1',
      'an asterisk': '*',
      'an authority': 'garden.test:80',
      'a file URL': 'file:///plants/1',
      'an ftp URL': 'ftp://garden.test/plants/1',
      'a URL without an authority': 'http:///plants/1',
      'a URL with one slash': 'http:/plants/1',
      'a javascript URL': 'javascript:alert(1)',
    }),
    ...alike(answered, deletion, 40007, {
      'a percent sign alone': '/%',
      'a percent sign and a letter': '/%a',
      'a percent sign and no digits': '/nowhere/%zz',
      'half of a UTF-8 sequence': '/nowhere/%c3',
      'an overlong slash': '/nowhere/%c0%af',
      'an overlong dot': '/%c0%ae%c0%ae/plants/1',
      'a surrogate in UTF-8': '/nowhere/%ed%a0%80',
      'eight thousand percent signs': `/${'%'.repeat(8000)}`,
    }),
    answered('four thousand slashes', deletion('/'.repeat(4000)), 40400),
    answered('a thousand steps up', deletion('/..'.repeat(1000)), 40400),
    answered('a malformed id of a read, without a token', head(`GET ${problems}%ZZ/ HTTP/1.1`), 40100, {
      headers: { 'www-authenticate': 'Bearer' },
    }),
    answered('a malformed id of a read', read(`${problems}%ZZ/`), 40001),
    answered('an id of a read that is half of UTF-8', read(`${records}%ff/`), 40001),
    answered('a malformed id of a deletion, without a token', head('DELETE /plants/%ZZ HTTP/1.1'), 40100),
    answered('a malformed id and the wrong method', read('/plants/%ZZ'), 40500, {
      headers: { allow: 'DELETE, OPTIONS' },
    }),
    answered('a malformed id without its slash', read(`${problems}%ZZ`), 308, {
      headers: { location: `${problems}%ZZ/` },
    }),
    answered('a read path without its slash', read(`${problems.slice(0, -1)}?limit=1&q=%2F`), 308, {
      headers: { location: `${problems}?limit=1&q=%2F`, 'api-version': '1.0.0' },
    }),
    answered(
      'a read path without its slash, as another host',
      head('GET /problem_list/api/status HTTP/1.1', 'X-Forwarded-Host: evil.example'),
      308,
      { headers: { location: statuses } },
    ),
    ended('a fragment in the query', read(`${problems}?q=a#b`), 40000),
    ended('an asterisk for GET', read('*'), 40000),
    answered('an asterisk for OPTIONS', head('OPTIONS * HTTP/1.1'), 204, {
      headers: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
    }),
    // Its authority stands in for Host (RFC 9112 §3.2.2), so that it has to be as well-formed as a Host.
    ...['a:b', 'a%00', '[', '[::1', 'a:99999', 'a:80:80', ':80', '@'].map((authority) =>
      ended(`a whole URL of the host ${authority}`, deletion(`http://${authority}/plants/1`), 40008),
    ),
    answered('a whole URL without a path', read('http://garden.test'), 200),
    answered('a target of just 8 KiB', read(`${problems}?q=${'a'.repeat(8192 - problems.length - 3)}`), 200),
    answered('a token in the query', head(`DELETE /plants/1?access_token=${token} HTTP/1.1`), 40100),
    answered('a token in the query beside a good one', deletion(`/plants/1?access_token=${token}`), 40002),
    ended('a target of one byte too much', read(`${problems}?q=${'a'.repeat(8193 - problems.length - 3)}`), 41400),
    ended('a query of 100 kB', read(`${problems}?q=${'a'.repeat(100_000)}`), 41400),
    ...alike(ended, deletion, 41400, {
      'an id of 9,000 digits': `/plants/${'1'.repeat(9000)}`,
      'an id of 12,000 percent signs': `/plants/${'%'.repeat(12_000)}`,
      'a target of 100 kB': `/${'a'.repeat(100_000)}`,
      'a target of 1 MB': `/${'a'.repeat(1_000_000)}`,
    }),
    ended('a target of 40 kB in small packets', pieces(deletion(`/${'a'.repeat(40_000)}`)), 41400),
    ended('a target of 40 kB that does not end', `DELETE /${'a'.repeat(40_000)}`, 41400),
    ended(
      'a target of 40 kB behind a good request',
      `${read(`${problems}7/`)}${deletion(`/${'a'.repeat(40_000)}`)}`,
      41400,
      { before: [200] },
    ),
  ];
};
