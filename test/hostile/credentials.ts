/** Authorization that is missing, doubled, of another kind, damaged, used up or not enough. */
import { answered, ended, head, problems, records, type Table } from './inputs.ts';

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
    answered('an empty header', bearer(''), 40100, challenge),
    answered('the scheme alone', bearer('Bearer'), 40100, challenge),
    answered('the scheme and a space', bearer('Bearer '), 40100, challenge),
    answered('the token alone', bearer(token), 40100, challenge),
    answered('another scheme', bearer(`Token ${token}`), 40100, challenge),
    answered('Basic', bearer('Basic YWRhOnNlY3JldA=='), 40100, challenge),
    answered('Digest', bearer('Digest username="ada", realm="x"'), 40100, challenge),
    answered('a tab after the scheme', bearer(`Bearer\t${token}`), 40100, challenge),
    answered('a colon after the scheme', bearer(`Bearer: ${token}`), 40100, challenge),
    answered('an equals sign after the scheme', bearer(`Bearer=${token}`), 40100, challenge),
    answered('the scheme twice', bearer(`Bearer Bearer ${token}`), 40101, invalid),
    answered('a token in quotes', bearer(`Bearer "${token}"`), 40101, invalid),
    answered('two tokens with a comma', bearer(`Bearer ${token}, ${token}`), 40101, invalid),
    answered('two tokens with a space', bearer(`Bearer ${token} ${token}`), 40101, invalid),
    answered('two schemes in one header', bearer(`Basic x, Bearer ${token}`), 40100, challenge),
    answered('a token without its last letter', bearer(`Bearer ${token.slice(0, -1)}`), 40101, invalid),
    answered('a token with a letter more', bearer(`Bearer ${token}a`), 40101, invalid),
    answered('a token with another last letter', bearer(`Bearer ${token.slice(0, -1)}${other}`), 40101, invalid),
    answered('a token in capitals', bearer(`Bearer ${token.toUpperCase()}`), 40101, invalid),
    answered('a token without its prefix', bearer(`Bearer ${token.slice(4)}`), 40101, invalid),
    answered('a token of another prefix', bearer(`Bearer ghp_${token.slice(4)}`), 40101, invalid),
    answered('a token that was never made', bearer('Bearer pgt_0000000000000000000000000000001yQTBC'), 40101, invalid),
    answered('a token of 10,000 letters', bearer(`Bearer pgt_${'a'.repeat(10_000)}`), 40101, invalid),
    answered('a token beyond ASCII', bearer('Bearer pgt_\xe9\xe8'), 40101, invalid),
    answered('ten thousand blanks', bearer(`Bearer${' '.repeat(10_000)}x`), 40101, invalid),
    answered('a JSON web token', bearer('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'), 40101, invalid),
    answered('a wildcard of SQL', bearer('Bearer %'), 40101, invalid),
    answered('null', bearer('Bearer null'), 40101, invalid),
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
