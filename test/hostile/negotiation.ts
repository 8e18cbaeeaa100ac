/** Accept, Accept-Encoding, If-Match and If-None-Match with nonsense, with too much, and with formats that no answer has. */

import { problems } from '../support/http.ts';
import { alike, answered, ended, head, type Table } from './inputs.ts';

const json = { headers: { 'content-type': 'application/json; charset=utf-8' } };
const current = { headers: { etag: /^"[\w-]{27}"$/ } };

export const negotiation: Table = ({ staff, member, narrow }) => {
  const list = (...headers: string[]) => head(`GET ${problems} HTTP/1.1`, staff, ...headers);
  const item = (...headers: string[]) => head(`GET ${problems}7/ HTTP/1.1`, staff, ...headers);
  const missing = (header: string) => head(`GET ${problems}404/ HTTP/1.1`, staff, header);
  const deletion = (id: number | string, ...headers: string[]) =>
    head(`DELETE /plants/${id} HTTP/1.1`, staff, ...headers);
  return [
    ...alike(answered, list, 40600, {
      'a picture': 'Accept: image/png',
      'nothing at any price': 'Accept: */*;q=0',
      nonsense: 'Accept: nonsense',
      commas: 'Accept: ,,,',
      'a slash': 'Accept: /',
      'ten thousand types': `Accept: ${Array(1000).fill('a/b').join(',')}`,
      'another version of JSON': 'Accept: application/vnd.api+json',
    }),
    answered('a picture of what is not there', missing('Accept: image/png'), 40600),
    ...alike(answered, item, 40600, {
      'CSV of an item': 'Accept: text/csv',
      'NDJSON of an item': 'Accept: application/x-ndjson',
      'JSON at no price': 'Accept: application/json;q=0',
    }),
    answered('a deletion that accepts a picture', deletion(404, 'Accept: image/png'), 40401, json),
    ...alike(answered, list, [200, json], {
      'a preference beyond one': 'Accept: application/json;q=5',
      'an empty Accept': 'Accept:',
      'eight thousand quotes': `Accept: application/json;a=${'"'.repeat(8000)}`,
      'eight thousand semicolons': `Accept: application/json${';'.repeat(8000)}`,
      'types in capitals': 'Accept: APPLICATION/JSON',
      'If-Match of any, for a collection': 'If-Match: *',
    }),
    ...alike(answered, list, 200, {
      'a preference below zero': 'Accept: application/json;q=-1, */*',
      'a preference of letters': 'Accept: application/json;q=a, */*;q=0.1',
      'a thousand quoted commas': `Accept: text/csv;a="${','.repeat(1000)}"`,
    }),
    answered('two Accepts', list('Accept: image/png', 'Accept: application/json'), 200, json),
    ...alike(answered, item, [200, json], {
      'a coding that is none': 'Accept-Encoding: nonsense',
      'no coding at any price': 'Accept-Encoding: *;q=0',
      'not even none': 'Accept-Encoding: identity;q=0, *;q=0',
      'codings of commas': 'Accept-Encoding: ,;,;',
    }),
    answered('a thousand codings', item(`Accept-Encoding: ${Array(1000).fill('gzip').join(',')}`), 200),
    ...alike(answered, item, [200, current], {
      'If-None-Match of nonsense': 'If-None-Match: nonsense',
      'If-None-Match without a closing quote': 'If-None-Match: "',
      'If-None-Match of commas': 'If-None-Match: ,,,',
      'If-None-Match of two thousand tags': `If-None-Match: ${Array(2000).fill('"a"').join(',')}`,
      'If-None-Match of ten thousand quotes': `If-None-Match: ${'"'.repeat(10_000)}`,
      'If-Match of any': 'If-Match: *',
      'If-Modified-Since of nonsense': 'If-Modified-Since: yesterday',
      'If-Modified-Since of the future': 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
    }),
    answered('If-None-Match of any', item('If-None-Match: *'), 304, current),
    ...alike(answered, missing, 40401, {
      'If-None-Match of any, in vain': 'If-None-Match: *',
      'If-Match of any, in vain': 'If-Match: *',
      'If-Match of a tag, in vain': 'If-Match: "x"',
    }),
    answered('If-None-Match of any, on a deletion', deletion(404, 'If-None-Match: *'), 40401),
    ...alike(answered, item, 41200, {
      'If-Match of another tag': 'If-Match: "nope"',
      'If-Match of two thousand tags': `If-Match: ${Array(2000).fill('"a"').join(',')}`,
      'If-Match of a weak tag': 'If-Match: W/"nope"',
    }),
    answered('If-Match of another tag, for a collection', list('If-Match: "nope"'), 41200),
    answered('If-Match of another tag, for CSV', list('If-Match: "nope"', 'Accept: text/csv'), 41200),
    answered('If-Match of any, and If-None-Match of any', item('If-Match: *', 'If-None-Match: *'), 304, current),
    answered('If-Match of another tag, and If-None-Match', item('If-Match: "nope"', 'If-None-Match: *'), 41200),
    answered('If-Match without a token', head(`GET ${problems}7/ HTTP/1.1`, 'If-Match: "nope"'), 40100),
    answered('If-Match and a malformed id', head(`GET ${problems}x/ HTTP/1.1`, staff, 'If-Match: "x"'), 40001),
    answered(
      'If-Match and a malformed parameter',
      head(`GET ${problems}?limit=0 HTTP/1.1`, staff, 'If-Match: "x"'),
      40003,
    ),
    ...alike(answered, (header: string) => deletion(1000, header), 41200, {
      'a deletion if it matches a tag': 'If-Match: "nope"',
      'a deletion if it matches a weak tag': 'If-Match: W/"nope"',
      'a deletion if it matches nonsense': 'If-Match: nonsense',
      'a deletion if it matches none': 'If-None-Match: *',
    }),
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
  ];
};
