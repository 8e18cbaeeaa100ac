/** Authorization that is missing, doubled, of another kind, damaged, used up or not enough. */

import { problems, records } from '../support/http.ts';
import { alike, answered, ended, head, type Table } from './inputs.ts';

const challenge = { headers: { 'www-authenticate': 'Bearer' } };
const invalid = { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
const scope = { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } };

export const credentials: Table = ({ member, staff, narrow, expired, revoked, disabled, token }) => {
  const deletion = (...headers: string[]) => head('DELETE /plants/1 HTTP/1.1', ...headers);
  const bearer = (value: string) => deletion(`Authorization: ${value}`);
  const other = (token.endsWith('0') ? '1' : '0').padStart(1);
  return [
    answered('none', deletion(), 40100, challenge),
    answered('none, for what is not there', head('DELETE /plants/404 HTTP/1.1'), 40100, challenge),
    answered('none, with a malformed id', head('DELETE /plants/abc HTTP/1.1'), 40100, challenge),
    answered('none, with a malformed parameter', head(`GET ${problems}?limit=0 HTTP/1.1`), 40100, challenge),
    ...alike(answered, bearer, [40100, challenge], {
      'an empty header': '',
      'the scheme alone': 'Bearer',
      'the scheme and a space': 'Bearer ',
      'another scheme': `Token ${token}`,
      Basic: 'Basic YWRhOnNlY3JldA==',
      Digest: 'Digest username="ada", realm="x"',
      'a tab after the scheme': `Bearer\t${token}`,
      'a colon after the scheme': `Bearer: ${token}`,
      'an equals sign after the scheme': `Bearer=${token}`,
      'two schemes in one header': `Basic x, Bearer ${token}`,
    }),
    answered('the token alone', bearer(token), 40100, challenge),
    ...alike(answered, bearer, [40101, invalid], {
      'the scheme twice': `Bearer Bearer ${token}`,
      'a token in quotes': `Bearer "${token}"`,
      'two tokens with a comma': `Bearer ${token}, ${token}`,
      'two tokens with a space': `Bearer ${token} ${token}`,
      'a token without its last letter': `Bearer ${token.slice(0, -1)}`,
      'a token with a letter more': `Bearer ${token}a`,
      'a token with another last letter': `Bearer ${token.slice(0, -1)}${other}`,
      'a token in capitals': `Bearer ${token.toUpperCase()}`,
      'a token without its prefix': `Bearer ${token.slice(4)}`,
      'a token of another prefix': `Bearer ghp_${token.slice(4)}`,
      'a token that was never made': 'Bearer pgt_0000000000000000000000000000001yQTBC',
      'a token of 10,000 letters': `Bearer pgt_${'a'.repeat(10_000)}`,
      'a token beyond ASCII': 'Bearer pgt_\xe9\xe8',
      'ten thousand blanks': `Bearer${' '.repeat(10_000)}x`,
      'a JSON web token': 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
      'a wildcard of SQL': 'Bearer %',
      null: 'Bearer null',
    }),
    answered('an expired token', deletion(expired), 40101, invalid),
    answered('a revoked token', deletion(revoked), 40101, invalid),
    answered('the token of a disabled member', deletion(disabled), 40101, invalid),
    ended('two headers, alike', deletion(member, member), 40000),
    ended('two headers, a bad one first', deletion('Authorization: Bearer x', staff), 40000),
    ended('two headers, a bad one second', deletion(staff, 'Authorization: Bearer x'), 40000),
    ended('two headers, one in capitals', deletion(staff, member.replace('Authorization', 'AUTHORIZATION')), 40000),
    ended('a header with a space before its colon', deletion(`Authorization : Bearer ${token}`), 40000),
    answered('a token in a cookie', deletion(`Cookie: token=${token}; session=${token}`), 40100, challenge),
    answered(
      'a token in another header',
      deletion(`X-Api-Key: ${token}`, `Proxy-Authorization: Bearer ${token}`),
      40100,
      challenge,
    ),
    answered(
      'a user in the target',
      head(`DELETE http://ada:${token}@garden.test/plants/1 HTTP/1.1`),
      40100,
      challenge,
    ),
    answered('the scheme in lower case', head('DELETE /plants/404 HTTP/1.1', `authorization: bearer ${token}`), 40401),
    answered(
      'the scheme in capitals and many spaces',
      head('DELETE /plants/404 HTTP/1.1', `AUTHORIZATION:   BEARER   ${token}   `),
      40401,
    ),
    answered('a token without the scope', deletion(narrow), 40300, scope),
    answered(
      'a token without the scope, with a malformed id',
      head('DELETE /plants/abc HTTP/1.1', narrow),
      40300,
      scope,
    ),
    answered(
      'a token without the scope of a filter',
      head(`GET ${problems}?status=complete HTTP/1.1`, narrow),
      40300,
      scope,
    ),
    answered(
      'a token without the scope of a malformed filter',
      head(`GET ${problems}?limit=0&bookmarked=maybe HTTP/1.1`, narrow),
      40300,
      scope,
    ),
    answered('a plant of another member', deletion(member), 40401),
    answered('a record of another member', head(`GET ${records}2/ HTTP/1.1`, member), 40401),
  ];
};
