/** Accept, Accept-Encoding, If-Match and If-None-Match with nonsense, with too much, and with formats that no answer has. */
import { answered, ended, head, problems, type Table } from './inputs.ts';

const json = { headers: { 'content-type': 'application/json; charset=utf-8' } };
const current = { headers: { etag: /^"[\w-]{27}"$/ } };

export const negotiation: Table = ({ staff, member, narrow }) => {
  const list = (...headers: string[]) => head(`GET ${problems} HTTP/1.1`, staff, ...headers);
  const item = (...headers: string[]) => head(`GET ${problems}7/ HTTP/1.1`, staff, ...headers);
  const deletion = (id: number | string, ...headers: string[]) =>
    head(`DELETE /plants/${id} HTTP/1.1`, staff, ...headers);
  return [
    answered('a picture', list('Accept: image/png'), 40600),
    answered('a picture of what is not there', head(`GET ${problems}404/ HTTP/1.1`, staff, 'Accept: image/png'), 40600),
    answered('CSV of an item', item('Accept: text/csv'), 40600),
    answered('NDJSON of an item', item('Accept: application/x-ndjson'), 40600),
    answered('nothing at any price', list('Accept: */*;q=0'), 40600),
    answered('JSON at no price', item('Accept: application/json;q=0'), 40600),
    answered('nonsense', list('Accept: nonsense'), 40600),
    answered('commas', list('Accept: ,,,'), 40600),
    answered('a slash', list('Accept: /'), 40600),
    answered('ten thousand types', list(`Accept: ${Array(1000).fill('a/b').join(',')}`), 40600),
    answered('another version of JSON', list('Accept: application/vnd.api+json'), 40600),
    answered(
      'a deletion that accepts a picture',
      head('DELETE /plants/404 HTTP/1.1', staff, 'Accept: image/png'),
      40401,
      json,
    ),
    answered('a preference beyond one', list('Accept: application/json;q=5'), 200, json),
    answered('a preference below zero', list('Accept: application/json;q=-1, */*'), 200),
    answered('a preference of letters', list('Accept: application/json;q=a, */*;q=0.1'), 200),
    answered('an empty Accept', list('Accept:'), 200, json),
    answered('two Accepts', list('Accept: image/png', 'Accept: application/json'), 200, json),
    answered('a thousand quoted commas', list(`Accept: text/csv;a="${','.repeat(1000)}"`), 200),
    answered('eight thousand quotes', list(`Accept: application/json;a=${'"'.repeat(8000)}`), 200, json),
    answered('eight thousand semicolons', list(`Accept: application/json${';'.repeat(8000)}`), 200, json),
    answered('types in capitals', list('Accept: APPLICATION/JSON'), 200, json),
    answered('a coding that is none', item('Accept-Encoding: nonsense'), 200, json),
    answered('no coding at any price', item('Accept-Encoding: *;q=0'), 200, json),
    answered('not even none', item('Accept-Encoding: identity;q=0, *;q=0'), 200, json),
    answered('codings of commas', item('Accept-Encoding: ,;,;'), 200, json),
    answered('a thousand codings', item(`Accept-Encoding: ${Array(1000).fill('gzip').join(',')}`), 200),
    answered('If-None-Match of nonsense', item('If-None-Match: nonsense'), 200, current),
    answered('If-None-Match without a closing quote', item('If-None-Match: "'), 200, current),
    answered('If-None-Match of commas', item('If-None-Match: ,,,'), 200, current),
    answered(
      'If-None-Match of two thousand tags',
      item(`If-None-Match: ${Array(2000).fill('"a"').join(',')}`),
      200,
      current,
    ),
    answered('If-None-Match of ten thousand quotes', item(`If-None-Match: ${'"'.repeat(10_000)}`), 200, current),
    answered('If-None-Match of any', item('If-None-Match: *'), 304, current),
    answered('If-None-Match of any, in vain', head(`GET ${problems}404/ HTTP/1.1`, staff, 'If-None-Match: *'), 40401),
    answered(
      'If-None-Match of any, on a deletion',
      head('DELETE /plants/404 HTTP/1.1', staff, 'If-None-Match: *'),
      40401,
    ),
    answered('If-Match of another tag', item('If-Match: "nope"'), 41200),
    answered('If-Match of another tag, for a collection', list('If-Match: "nope"'), 41200),
    answered('If-Match of another tag, for CSV', list('If-Match: "nope"', 'Accept: text/csv'), 41200),
    answered('If-Match of two thousand tags', item(`If-Match: ${Array(2000).fill('"a"').join(',')}`), 41200),
    answered('If-Match of a weak tag', item('If-Match: W/"nope"'), 41200),
    answered('If-Match of any', item('If-Match: *'), 200, current),
    answered('If-Match of any, for a collection', list('If-Match: *'), 200, json),
    answered('If-Match of any, in vain', head(`GET ${problems}404/ HTTP/1.1`, staff, 'If-Match: *'), 40401),
    answered('If-Match of a tag, in vain', head(`GET ${problems}404/ HTTP/1.1`, staff, 'If-Match: "x"'), 40401),
    answered('If-Match of any, and If-None-Match of any', item('If-Match: *', 'If-None-Match: *'), 304, current),
    answered('If-Match of another tag, and If-None-Match', item('If-Match: "nope"', 'If-None-Match: *'), 41200),
    answered('If-Match without a token', head(`GET ${problems}7/ HTTP/1.1`, 'If-Match: "nope"'), 40100),
    answered('If-Match and a malformed id', head(`GET ${problems}x/ HTTP/1.1`, staff, 'If-Match: "x"'), 40001),
    answered(
      'If-Match and a malformed parameter',
      head(`GET ${problems}?limit=0 HTTP/1.1`, staff, 'If-Match: "x"'),
      40003,
    ),
    answered('a deletion if it matches a tag', deletion(1000, 'If-Match: "nope"'), 41200),
    answered('a deletion if it matches a weak tag', deletion(1000, 'If-Match: W/"nope"'), 41200),
    answered('a deletion if it matches nonsense', deletion(1000, 'If-Match: nonsense'), 41200),
    answered('a deletion if it matches none', deletion(1000, 'If-None-Match: *'), 41200),
    answered('a deletion if it matches any and none', deletion(1000, 'If-Match: *', 'If-None-Match: *'), 41200),
    answered('a deletion if it matches any, in vain', deletion(404, 'If-Match: *'), 40401),
    answered('a deletion if it matches a tag, in vain', deletion(404, 'If-Match: "nope"'), 40401),
    answered('a deletion if it matches a tag, with a malformed id', deletion('x', 'If-Match: "nope"'), 40001),
    answered(
      'a deletion if it matches a tag, of another member’s plant',
      head('DELETE /plants/1000 HTTP/1.1', member, 'If-Match: "nope"'),
      40401,
    ),
    answered(
      'a deletion if it matches a tag, without a token',
      head('DELETE /plants/1 HTTP/1.1', 'If-Match: "nope"'),
      40100,
    ),
    answered(
      'a deletion if it matches a tag, without the scope',
      head('DELETE /plants/1 HTTP/1.1', narrow, 'If-Match: "nope"'),
      40300,
    ),
    answered('a deletion if it matches a tag, with a parameter', deletion('1?x=1', 'If-Match: "nope"'), 40002),
    ended(
      'a deletion if it matches a tag, with a body',
      `${deletion(1000, 'If-Match: "n"', 'Content-Length: 1')}x`,
      40006,
    ),
    answered('a deletion that matches a tag, by GET', head('GET /plants/1 HTTP/1.1', 'If-Match: "x"'), 40500),
    answered('If-Modified-Since of nonsense', item('If-Modified-Since: yesterday'), 200, current),
    answered('If-Modified-Since of the future', item('If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'), 200, current),
  ];
};
