/**
 * Signs a person in at a provider by OpenID Connect's code flow with PKCE. A visit is one attempt; its answer counts
 * only in the browser that began it.
 */

import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import * as openid from 'openid-client';
import { type AppError, type ErrorKey, localizedError } from '../errors.ts';
import { faultKindOf, judgeFault } from '../judges/faults.ts';
import { claimAt } from '../practice/openid.ts';
import type { OpenIdVisitsTable } from '../store/openid.ts';
import { readResponseText } from './judge-client.ts';
import { fetchWithin, type NetworkFailure, networkFault } from './public-hosts.ts';

/** Tokens are signed with the client's secret or with published keys; one algorithm never takes both kinds of key. */
const secretAlgorithm = 'HS256';
const keyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export type AuthorizationRequest = Pick<OpenIdVisitsTable, 'state' | 'nonce' | 'verifier'>;

export interface OpenIdIdentity {
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

export async function checkProvider(provider: OpenIdClient): Promise<void> {
  await configOf(provider);
}

/** Returns the address for the browser, and secrets to store until it comes back. Throws judgeFailed. */
export async function beginAuthorization(
  provider: OpenIdClient,
  choosesAccount: boolean,
): Promise<{ url: string; visit: AuthorizationRequest }> {
  const config = await configOf(provider);
  const visit = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
  const { scopes_supported: supported, prompt_values_supported: prompts } = config.serverMetadata();
  const prompt = Array.isArray(prompts) && !prompts.includes('select_account') ? 'login' : 'select_account';
  const scopes = provider.isJudge ? [] : ['email', 'profile', ...provider.claims];
  // A provider may list its scopes. The scope of a claim, such as `groups`, has the claim's name.
  const moreScopes = scopes.filter(
    (name) => supported?.includes(name) ?? ['email', 'profile'].includes(name),
  );
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: provider.redirectUri,
    scope: [...new Set(['openid', ...moreScopes])].join(' '),
    state: visit.state,
    nonce: visit.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(visit.verifier),
    code_challenge_method: 'S256',
    ...(choosesAccount && { prompt }),
  });
  return { url: url.href, visit };
}

/** Where the browser can sign out (OpenID Connect RP-Initiated Logout), else the provider. Throws judgeFailed. */
export async function signOutAddress(provider: OpenIdClient): Promise<string> {
  const config = await configOf(provider);
  const page = URL.parse(config.serverMetadata().end_session_endpoint ?? '');
  return page && isWebPage(provider, page) ? openid.buildEndSessionUrl(config).href : provider.issuer;
}

const isWebPage = ({ privateOrigins }: OpenIdClient, { protocol, origin }: URL) =>
  protocol === 'https:' || privateOrigins.has(origin);

/**
 * Throws invalidValue if the answer is invalid or belongs to another visit, and judgeFailed if the provider cannot be
 * reached.
 */
export async function finishAuthorization(
  provider: OpenIdClient,
  answer: URLSearchParams,
  visit: AuthorizationRequest,
): Promise<OpenIdIdentity> {
  if (answer.get('state') !== visit.state) throw noPendingAuthorization(provider);
  const config = await configOf(provider);
  const { issuer, authorization_response_iss_parameter_supported: requiresIssuer } = config.serverMetadata();
  // RFC 9207: the answer must come from this provider.
  if ((requiresIssuer || answer.has('iss')) && answer.get('iss') !== issuer)
    throw wrongToken(provider, 'iss');
  if (answer.has('error')) throw declined(provider, answer.get('error') ?? '');
  const code = answer.get('code');
  if (!code) throw noCode(provider);
  try {
    const parameters = { code, redirect_uri: provider.redirectUri, code_verifier: visit.verifier };
    const tokens = await openid.genericGrantRequest(config, 'authorization_code', parameters);
    if (tokens.id_token === undefined) throw unknownPerson(provider);
    const payload = await verifyIdToken(provider, config, tokens.id_token);
    const person = identityOf(provider, payload, visit);
    return await withUserInfo(provider, config, tokens.access_token, person);
  } catch (error) {
    throw faultOf(provider, error);
  }
}

async function verifyIdToken(
  provider: OpenIdClient,
  config: openid.Configuration,
  token: string,
): Promise<JWTPayload> {
  const { client, isJudge } = provider;
  const { issuer, jwks_uri } = config.serverMetadata();
  const options = {
    algorithms: isJudge ? [secretAlgorithm] : [secretAlgorithm, ...keyAlgorithms],
    issuer,
    audience: client.id,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: 30,
  };
  const keyOf = async (
    header: JWTHeaderParameters,
    parts: Parameters<ReturnType<typeof createRemoteJWKSet>>[1],
  ) => {
    if (header.alg === secretAlgorithm) return Buffer.from(client.secret);
    if (jwks_uri === undefined) throw wrongToken(provider, 'signature');
    // Keys are fetched at each visit, so that a withdrawn key stops being valid.
    return createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: boundedFetchFor(provider) })(header, parts);
  };
  return (await verified(token, keyOf as never, options)).payload;
}

/** Where keys have no id, several may fit a token. */
async function verified(...[token, keyOf, options]: Parameters<typeof jwtVerify>) {
  try {
    return await jwtVerify(token, keyOf as never, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (mismatch) {
        if (!(mismatch instanceof errors.JWSSignatureVerificationFailed)) throw mismatch;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function identityOf(
  provider: OpenIdClient,
  payload: JWTPayload,
  { nonce }: AuthorizationRequest,
): OpenIdIdentity {
  const { sub: subject, azp, nonce: tokenNonce, ...claims } = payload;
  // Codeforces documents no nonce. State and PKCE bind the code to the visit as well.
  if (tokenNonce !== nonce && !(provider.isJudge && tokenNonce === undefined))
    throw wrongToken(provider, 'nonce');
  if (azp !== undefined && azp !== provider.client.id) throw wrongToken(provider, 'aud');
  if (typeof subject !== 'string' || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject))
    throw unknownPerson(provider);
  return { subject, claims };
}

/** Some providers return claims other than `sub` separately (OpenID Connect Core §5.4). */
async function withUserInfo(
  { isJudge, claims }: OpenIdClient,
  config: openid.Configuration,
  accessToken: string,
  person: OpenIdIdentity,
): Promise<OpenIdIdentity> {
  const hasAllClaims = claims.every((name) => claimAt(person.claims, name) !== undefined);
  if (isJudge || hasAllClaims || config.serverMetadata().userinfo_endpoint === undefined) return person;
  const userInfo = await openid.fetchUserInfo(config, accessToken, person.subject);
  return { ...person, claims: { ...userInfo, ...person.claims } };
}

export interface OpenIdClient {
  name: string;
  issuer: string;
  client: { id: string; secret: string };
  redirectUri: string;
  purpose: 'sign-in' | 'join' | 'proof' | 'set-up';
  /** Judges sign with the client's secret, use one origin, and may leave the nonce out. */
  isJudge: boolean;
  claims: readonly string[];
  privateOrigins: ReadonlySet<string>;
}

const answerMs = 15_000;
const answerMiB = 1;

interface ProviderRequest {
  method: string;
  headers: NonNullable<RequestInit['headers']>;
  body?: unknown;
}

function boundedFetchFor(provider: OpenIdClient) {
  const issuerOrigin = new URL(provider.issuer).origin;
  return async (url: string, options: ProviderRequest) => {
    const target = new URL(url);
    const isPrivateAllowed = provider.privateOrigins.has(target.origin);
    if (provider.isJudge && target.origin !== issuerOrigin) throw foreignAddress(provider, target.origin);
    if (!isPrivateAllowed && target.protocol !== 'https:') throw insecureAddress(provider, target.origin);
    try {
      const { method, headers } = options;
      const body = (options.body ?? null) as NonNullable<RequestInit['body']> | null;
      const bounds = { mayBePrivate: isPrivateAllowed, answerMs };
      const response = await fetchWithin(target, { method, headers, body }, bounds);
      return new Response((await readResponseText(response, provider.name, answerMiB)) || null, response);
    } catch (error) {
      if (faultKindOf(error) !== undefined) throw error;
      throw networkFault(error, answerMs, (cause) => unreachableError(provider, cause, error));
    }
  };
}

async function configOf(provider: OpenIdClient): Promise<openid.Configuration> {
  const { client, issuer, isJudge } = provider;
  const server = new URL(issuer);
  try {
    const signing = isJudge && { id_token_signed_response_alg: 'HS256' };
    const config = await openid.discovery(
      server,
      client.id,
      { client_secret: client.secret, ...signing },
      clientAuthOf(provider),
      {
        [openid.customFetch]: boundedFetchFor(provider) as openid.CustomFetch,
        ...(server.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
      },
    );
    // The browser is sent to this address, so it must be a web page.
    const page = URL.parse(config.serverMetadata().authorization_endpoint ?? '');
    if (!page || !isWebPage(provider, page)) throw insecureAddress(provider, page?.origin ?? 'nowhere');
    return config;
  } catch (error) {
    throw faultOf(provider, error);
  }
}

/**
 * The secret goes into the form if the provider accepts it, else into a header, which all do (OpenID Connect Core
 * §9).
 */
function clientAuthOf({ client, isJudge }: OpenIdClient): openid.ClientAuth {
  const [inForm, inHeader] = [
    openid.ClientSecretPost(client.secret),
    openid.ClientSecretBasic(client.secret),
  ];
  return (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (isJudge || takesForm ? inForm : inHeader)(server, ...rest);
  };
}

type ProviderUse = Pick<OpenIdClient, 'name' | 'purpose'>;

const outcomes = {
  'sign-in': 'invalidValue.openidNotSignedIn',
  join: 'invalidValue.openidNotLinked',
  proof: 'invalidValue.openidNotVerified',
  'set-up': 'invalidValue.openidNotSaved',
} as const satisfies Record<OpenIdClient['purpose'], ErrorKey>;

const faultValues = ({ name, purpose }: ProviderUse) => ({
  name,
  outcome: { key: outcomes[purpose], values: {} },
});

function faultOf(provider: ProviderUse, error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  const fault = [error, cause].find((one) => faultKindOf(one) !== undefined);
  if (fault) return fault;
  if (error instanceof openid.ResponseBodyError) return refusedBy(provider, error.error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return wrongToken(provider, 'signature', error);
  if (error instanceof errors.JWKSNoMatchingKey) return wrongToken(provider, 'signature', error);
  if (error instanceof errors.JWTExpired) return wrongToken(provider, 'exp', error);
  if (error instanceof errors.JWTClaimValidationFailed) return wrongToken(provider, error.claim, error);
  const issuer = issuerIn(cause);
  if (issuer !== undefined) {
    const { name, outcome } = faultValues(provider);
    return judgeFault(
      'odd answer',
      localizedError('judgeFailed.openidIssuer', { name, issuer, outcome }, error),
    );
  }
  if (error instanceof openid.ClientError) {
    const claim = claimIn(error);
    return claim === undefined ? oddAnswerOf(provider, error) : wrongToken(provider, claim, error);
  }
  return error instanceof errors.JOSEError ? oddAnswerOf(provider, error) : error;
}

/** The provider's own spelling of its issuer, where it differs from ours, as by a slash at the end. */
function issuerIn(cause: unknown): string | undefined {
  const { attribute, body } = Object(cause);
  return attribute === 'issuer' ? String(body.issuer).slice(0, 300) : undefined;
}

function claimIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('claim' in error && typeof error.claim === 'string') return error.claim;
  return 'cause' in error ? claimIn(error.cause) : undefined;
}

const tokenFaults = {
  nonce: 'nonce',
  aud: 'audience',
  azp: 'audience',
  iss: 'sender',
  exp: 'expired',
  signature: 'signature',
} as const;

function wrongToken(provider: ProviderUse, claim: string, cause?: unknown): AppError {
  const { name, outcome } = faultValues(provider);
  return Object.hasOwn(tokenFaults, claim)
    ? localizedError(
        `invalidValue.openidToken.${tokenFaults[claim as keyof typeof tokenFaults]}`,
        { name, outcome },
        cause,
      )
    : localizedError('invalidValue.openidClaim', { name, outcome, claim }, cause);
}

export function noPendingAuthorization(provider: ProviderUse): AppError {
  const { name, outcome } = faultValues(provider);
  return localizedError('invalidValue.openidNotBegun', { name, outcome });
}

function noCode(provider: ProviderUse): AppError {
  const { name, outcome } = faultValues(provider);
  return localizedError('invalidValue.openidNoCode', { name, outcome });
}

function unknownPerson(provider: ProviderUse): AppError {
  const { name, outcome } = faultValues(provider);
  return localizedError('invalidValue.openidNobody', { name, outcome });
}

function declined(provider: ProviderUse, error: string): AppError {
  const { name, outcome } = faultValues(provider);
  return error === 'access_denied'
    ? localizedError('invalidValue.openidDeclined', { name, outcome })
    : refusedBy(provider, error);
}

function refusedBy(provider: ProviderUse, error: string): AppError {
  const { name, outcome } = faultValues(provider);
  if (error === 'invalid_grant') return localizedError('invalidValue.openidUsed', { name });
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return localizedError('invalidValue.openidClient', { name });
  if (error === 'temporarily_unavailable' || error === 'server_error')
    return judgeFault('down', localizedError('judgeFailed.openidBusy', { name, outcome }));
  const quoted = JSON.stringify(error.slice(0, 100));
  return judgeFault('odd answer', localizedError('judgeFailed.openidSays', { name, outcome, said: quoted }));
}

function foreignAddress(provider: ProviderUse, origin: string): AppError {
  const { name, outcome } = faultValues(provider);
  return judgeFault('odd answer', localizedError('judgeFailed.openidForeign', { name, outcome, origin }));
}

function insecureAddress(provider: ProviderUse, origin: string): AppError {
  const { name, outcome } = faultValues(provider);
  return judgeFault('odd answer', localizedError('judgeFailed.openidPlain', { name, outcome, origin }));
}

function unreachableError(
  provider: ProviderUse,
  { word, host, why, seconds }: NetworkFailure,
  error: unknown,
): AppError {
  const { name, outcome } = faultValues(provider);
  if (word === 'private') return localizedError('judgeFailed.openidInside', { name, outcome, host }, error);
  if (word === 'timeout') return localizedError('judgeFailed.openidSlow', { name, outcome, seconds }, error);
  if (word === 'redirect') return localizedError('judgeFailed.openidRedirect', { name, outcome }, error);
  return localizedError('judgeFailed.openidUnreached', { name, outcome, why }, error);
}

/** The library has the details in English, which the log shows. */
function oddAnswerOf(provider: ProviderUse, cause: unknown): AppError {
  const { name, outcome } = faultValues(provider);
  return judgeFault('odd answer', localizedError('judgeFailed.openidOdd', { name, outcome }, cause));
}
