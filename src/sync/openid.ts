/**
 * Asks a judge who is signed in there, by OpenID Connect's code flow with PKCE. The browser carries state, nonce and the
 * digest of a secret to the judge; what it brings back is worth something only with the visit that it began.
 */
import { errors, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { badSetting } from '../errors.ts';
import { faultKindOf, judgeFault } from '../judges/faults.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgeClient } from '../practice/judge-clients.ts';
import type { OpenIdVisitsTable } from '../store/proof-tables.ts';
import { networkFault, textOf } from './asking.ts';
import { assertNoPrivateAddress, publicHosts } from './public-hosts.ts';

/** How long somebody may take at the judge. */
export const visitMs = 15 * 60_000;
const answerMs = 15_000;

/** A judge with OpenID Connect, where it is asked, and the garden's own client there. */
export interface OpenIdPlace {
  judge: Judge & Required<Pick<Judge, 'openId'>>;
  client: JudgeClient;
  /** Another address of the judge that staff configured, which may be private. */
  issuer: string | undefined;
  /** Where the judge sends the browser back to. */
  returnTo: string;
}

export type Visit = Pick<OpenIdVisitsTable, 'state' | 'nonce' | 'verifier'>;

/** Where the browser is to go, and what to keep until it is back. Throws judgeFailed. */
export async function beginVisit(place: OpenIdPlace): Promise<{ url: string; visit: Visit }> {
  const config = await configOf(place);
  const visit = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: place.returnTo,
    scope: 'openid',
    state: visit.state,
    nonce: visit.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(visit.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, visit };
}

/**
 * Who came back. Throws badSetting for what is not the answer to this visit, or no good one, and judgeFailed where the judge
 * cannot be asked.
 */
export async function endVisit(
  place: OpenIdPlace,
  answer: URLSearchParams,
  visit: Visit,
): Promise<{ handle: string; subject: string }> {
  const { judge, client, returnTo } = place;
  const { name } = judge;
  if (answer.get('state') !== visit.state) throw notBegunHere(name);
  if (answer.has('error')) throw declined(name, answer.get('error') ?? '');
  const code = answer.get('code');
  if (!code) throw badSetting(`${name} sent no code back, so nothing was proved. Begin again.`);
  const config = await configOf(place);
  const { issuer } = config.serverMetadata();
  if (answer.has('iss') && answer.get('iss') !== issuer) throw wrongToken(name, 'iss');
  try {
    const asked = { code, redirect_uri: returnTo, code_verifier: visit.verifier };
    const { id_token } = await openid.genericGrantRequest(config, 'authorization_code', asked);
    if (id_token === undefined) throw badSetting(`${name} did not say who you are. Nothing was proved.`);
    const { payload } = await jwtVerify(id_token, Buffer.from(client.secret), {
      algorithms: ['HS256'],
      issuer,
      audience: client.id,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: 30,
    });
    return personOf(judge, payload, visit);
  } catch (error) {
    throw faultOf(name, error);
  }
}

function personOf(
  { name, openId }: OpenIdPlace['judge'],
  payload: JWTPayload,
  { nonce }: Visit,
): { handle: string; subject: string } {
  // The document of Codeforces lists no nonce among its claims. The code is bound to this visit by state and PKCE as well.
  if (payload['nonce'] !== undefined && payload['nonce'] !== nonce) throw wrongToken(name, 'nonce');
  const { sub: subject, [openId.claim]: handle } = payload;
  if (typeof subject !== 'string' || typeof handle !== 'string' || subject.length > 200 || handle === '')
    throw badSetting(`${name} did not say which handle is yours. Nothing was proved.`);
  return { handle, subject };
}

/** What the judge publishes of itself; only its own address is ever asked. */
async function configOf({ judge, client, issuer }: OpenIdPlace): Promise<openid.Configuration> {
  const server = new URL(issuer ?? judge.openId.issuer);
  const { name } = judge;
  const send: openid.CustomFetch = async (url, options) => {
    const { origin } = new URL(url);
    if (origin !== server.origin) throw odd(name, `it names ${origin} as its own address`);
    try {
      if (issuer === undefined) assertNoPrivateAddress(server);
      const { body, ...rest } = options;
      const response = await fetch(url, {
        ...rest,
        body: body as NonNullable<RequestInit['body']>,
        redirect: 'error',
        ...(issuer === undefined && { dispatcher: publicHosts }),
        signal: AbortSignal.timeout(answerMs),
      });
      return new Response(await textOf(response, name), response);
    } catch (error) {
      throw faultKindOf(error) === undefined ? networkFault(name, error, answerMs) : error;
    }
  };
  try {
    const metadata = { client_secret: client.secret, id_token_signed_response_alg: 'HS256' };
    const isPlain = issuer?.startsWith('http:') === true;
    return await openid.discovery(server, client.id, metadata, openid.ClientSecretPost(client.secret), {
      [openid.customFetch]: send,
      ...(isPlain && { execute: [openid.allowInsecureRequests] }),
    });
  } catch (error) {
    throw faultOf(name, error);
  }
}

/** Whatever went wrong, in one sentence. */
function faultOf(name: string, error: unknown): unknown {
  const fault = [error, (error as Error).cause].find((one) => faultKindOf(one) !== undefined);
  if (fault) return fault;
  if (error instanceof openid.ResponseBodyError) return refused(name, error.error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return wrongToken(name, 'signature', error);
  if (error instanceof errors.JWTExpired) return wrongToken(name, 'exp', error);
  if (error instanceof errors.JWTClaimValidationFailed) return wrongToken(name, error.claim, error);
  if (error instanceof openid.ClientError) {
    const claim = claimIn(error);
    return claim === undefined ? odd(name, error.message, error) : wrongToken(name, claim, error);
  }
  return error instanceof errors.JOSEError ? odd(name, error.message, error) : error;
}

/** The claim that is wrong, which stands somewhere among the causes. */
function claimIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('claim' in error && typeof error.claim === 'string') return error.claim;
  return 'cause' in error ? claimIn(error.cause) : undefined;
}

const tokenFaults: Readonly<Record<string, string>> = {
  nonce: 'belongs to another visit than yours',
  aud: 'is meant for another site',
  iss: 'comes from somebody else',
  exp: 'is too old',
  signature: 'is not signed with the secret that staff entered',
};

function wrongToken(name: string, claim: string, cause?: unknown) {
  const what = tokenFaults[claim] ?? `has a wrong ${claim}`;
  return badSetting(`The answer of ${name} ${what}, so nothing was proved. Begin again.`, cause);
}

/** That the browser brought the answer to another visit, or one that has ended. */
export function notBegunHere(name: string) {
  return badSetting(
    `This answer of ${name} does not belong to a visit that you began in this browser, or was used before. Nothing was proved; begin again.`,
  );
}

function declined(name: string, error: string) {
  if (error === 'access_denied') return badSetting(`You did not agree at ${name}, so nothing was proved.`);
  return refused(name, error);
}

function refused(name: string, error: string) {
  if (error === 'invalid_grant')
    return badSetting(`${name} takes this answer no more: it is too old or was used before. Begin again.`);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return badSetting(`${name} does not know this garden: staff can enter client id and secret anew.`);
  return odd(name, `it says ${JSON.stringify(error.slice(0, 100))}`);
}

function odd(name: string, what: string, cause?: unknown) {
  return judgeFault(
    'odd answer',
    `${name} answered what this garden does not understand: ${what}. Nothing was proved.`,
    cause,
  );
}
