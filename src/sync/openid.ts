/**
 * Asks a provider who is signed in there, by OpenID Connect's code flow with PKCE. The browser carries state, nonce and the
 * digest of a secret to the provider; what it brings back is worth something only with the visit that it began.
 */
import { createRemoteJWKSet, customFetch, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { OpenIdVisitsTable } from '../store/openid.ts';
import { configOf, senderFor } from './openid-asking.ts';
import { declined, faultOf, noCode, notBegunHere, unknownPerson, wrongToken } from './openid-faults.ts';
import type { OpenIdPlace } from './openid-place.ts';

/** A token is signed with a key that the provider publishes, or with the client's secret; never with both kinds of key at once. */
const bySecret = 'HS256';
const byKey = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export type Visit = Pick<OpenIdVisitsTable, 'state' | 'nonce' | 'verifier'>;

export interface Person {
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/** Asks the provider for its document, as every visit does. Throws judgeFailed. */
export async function tryPlace(place: OpenIdPlace): Promise<void> {
  await configOf(place);
}

/** The address to which the browser goes, and the secrets to keep until it is back. Throws judgeFailed. */
export async function beginVisit(place: OpenIdPlace): Promise<{ url: string; visit: Visit }> {
  const config = await configOf(place);
  const visit = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
  const known = config.serverMetadata().scopes_supported;
  const scopes = place.isJudge ? [] : ['email', 'profile', ...place.claims];
  // A provider may name its scopes; one of the name of a claim, such as `groups`, is what brings it.
  const more = scopes.filter((name) => known?.includes(name) ?? ['email', 'profile'].includes(name));
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: place.returnTo,
    scope: [...new Set(['openid', ...more])].join(' '),
    state: visit.state,
    nonce: visit.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(visit.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, visit };
}

/**
 * The person who came back. Throws badSetting if the answer is invalid or belongs to another visit, and judgeFailed if the
 * provider cannot be asked.
 */
export async function endVisit(place: OpenIdPlace, answer: URLSearchParams, visit: Visit): Promise<Person> {
  if (answer.get('state') !== visit.state) throw notBegunHere(place);
  const config = await configOf(place);
  const { issuer, authorization_response_iss_parameter_supported: mustName } = config.serverMetadata();
  // RFC 9207: an answer of another provider is told from one of this.
  if ((mustName || answer.has('iss')) && answer.get('iss') !== issuer) throw wrongToken(place, 'iss');
  if (answer.has('error')) throw declined(place, answer.get('error') ?? '');
  const code = answer.get('code');
  if (!code) throw noCode(place);
  try {
    const asked = { code, redirect_uri: place.returnTo, code_verifier: visit.verifier };
    const tokens = await openid.genericGrantRequest(config, 'authorization_code', asked);
    if (tokens.id_token === undefined) throw unknownPerson(place);
    const payload = await verified(place, config, tokens.id_token);
    const person = personOf(place, payload, visit);
    return await withUserInfo(place, config, tokens.access_token, person);
  } catch (error) {
    throw faultOf(place, error);
  }
}

async function verified(
  place: OpenIdPlace,
  config: openid.Configuration,
  token: string,
): Promise<JWTPayload> {
  const { client, isJudge } = place;
  const { issuer, jwks_uri } = config.serverMetadata();
  const options = {
    algorithms: isJudge ? [bySecret] : [bySecret, ...byKey],
    issuer,
    audience: client.id,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: 30,
  };
  const keyOf = async (
    header: JWTHeaderParameters,
    parts: Parameters<ReturnType<typeof createRemoteJWKSet>>[1],
  ) => {
    if (header.alg === bySecret) return Buffer.from(client.secret);
    if (jwks_uri === undefined) throw wrongToken(place, 'signature');
    // Asked for at each visit, so that a key is good as long as the provider publishes it.
    return createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: senderFor(place) })(header, parts);
  };
  return (await jwtVerify(token, keyOf as never, options)).payload;
}

function personOf(place: OpenIdPlace, payload: JWTPayload, { nonce }: Visit): Person {
  const { sub: subject, azp, nonce: given, ...claims } = payload;
  // The document of Codeforces lists no nonce among its claims. The code is bound to this visit by state and PKCE as well.
  if (given !== nonce && !(place.isJudge && given === undefined)) throw wrongToken(place, 'nonce');
  if (azp !== undefined && azp !== place.client.id) throw wrongToken(place, 'aud');
  if (typeof subject !== 'string' || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject)) throw unknownPerson(place);
  return { subject, claims };
}

/** Some providers put the claims beside `sub` into an answer of its own (OpenID Connect Core §5.4). */
async function withUserInfo(
  { isJudge, claims }: OpenIdPlace,
  config: openid.Configuration,
  accessToken: string,
  person: Person,
): Promise<Person> {
  const isWhole = claims.every((name) => Object.hasOwn(person.claims, name));
  if (isJudge || isWhole || config.serverMetadata().userinfo_endpoint === undefined) return person;
  const more = await openid.fetchUserInfo(config, accessToken, person.subject);
  return { ...person, claims: { ...more, ...person.claims } };
}
