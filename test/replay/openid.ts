/**
 * A place where people sign in by OpenID Connect, on loopback: discovery, authorize, and a token endpoint. As a judge it signs
 * tokens with the client's secret, as Codeforces does (codeforces.com/blog/entry/145566); as a school with a key that it
 * publishes, and it names itself in its answers (RFC 9207). It can go wrong as an attacker would like.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose';

export interface OpenIdServer {
  url: string;
  client: { id: string; secret: string };
  person: { sub: string; [claim: string]: unknown };
  /** Who is signed in there, in a browser that several people use. */
  seat?: OpenIdServer['person'] | undefined;
  isShared?: boolean;
  /** The prompts that it knows; it refuses others, as GitLab does. */
  prompts?: string[];
  /** Keys of Ed25519 that it publishes without ids; the last one signs, and calls its algorithm so. */
  twins?: { pairs: GenerateKeyPairResult[]; alg: 'EdDSA' | 'Ed25519' };
  /** Claims that only the answer beside the token has. */
  userInfo: Record<string, unknown>;
  /** Changed claims of the next token, the secret that it is signed with, or whether the person says no. */
  next: {
    claims?: Record<string, unknown>;
    secret?: string;
    isDeclined?: boolean;
    /** The error that the browser is sent back with, and who says that they are its sender; null is nobody. */
    error?: string;
    iss?: string | null;
    isForged?: boolean;
    fault?: 'down' | 'redirect' | 'page';
  };
  asked: URLSearchParams[];
  requests: number;
  rotate(): Promise<void>;
}

interface Grant {
  nonce: string | null;
  challenge: string | null;
  returnTo: string | null;
}

export async function startOpenId(
  t: Pick<TestContext, 'after'>,
  signing: 'HS256' | 'RS256' = 'HS256',
): Promise<OpenIdServer> {
  const isSchool = signing === 'RS256';
  const newKeys = async (kid: string) => ({ kid, ...(await generateKeyPair('RS256')) });
  let keys = isSchool ? await newKeys('first') : undefined;
  const grants = new Map<string, Grant>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', place.url);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    place.requests++;
    const { fault } = place.next;
    if (fault === 'down') return response.destroy();
    if (fault === 'page') return response.writeHead(503).end('<html>');
    if (fault === 'redirect') return response.writeHead(302, { Location: `${place.url}/elsewhere` }).end();
    if (pathname === '/.well-known/openid-configuration')
      return json(200, { ...documentOf(place.url), ...(isSchool && schoolDocument(place)) });
    if (pathname === '/realms/x/.well-known/openid-configuration')
      return json(200, documentOf(`${place.url}/realms/x`));
    if (pathname === '/oauth/keys' && keys)
      return json(200, {
        keys: [
          ...(await Promise.all((place.twins?.pairs ?? []).map((pair) => exportJWK(pair.publicKey)))),
          { ...(await exportJWK(keys.publicKey)), kid: keys.kid, alg: 'RS256' },
        ],
      });
    if (pathname === '/oauth/userinfo') return json(200, { sub: place.person.sub, ...place.userInfo });
    if (pathname === '/oauth/authorize') {
      place.asked.push(searchParams);
      return response.writeHead(302, { Location: allow(place, searchParams, grants, isSchool) }).end();
    }
    if (pathname === '/oauth/logout' && searchParams.get('client_id') === place.client.id) {
      place.seat = undefined;
      return response.end('Signed out');
    }
    if (pathname === '/oauth/token') {
      const form = new URLSearchParams(await text(request));
      const error = refusalOf(place, form, grants);
      if (error) return json(error === 'invalid_client' ? 401 : 400, { error });
      const claims = claimsOf(place, grants.get(form.get('code') ?? '') as Grant);
      const strange = place.next.isForged ? await newKeys('first') : keys;
      const key = strange ? strange.privateKey : Buffer.from(place.next.secret ?? place.client.secret);
      place.next.claims = {};
      delete place.next.secret;
      const { pairs: [, twin] = [], alg = signing } = place.twins ?? {};
      const header = twin ? { alg } : { alg, ...(keys && { kid: keys.kid }) };
      const id_token = await new SignJWT(claims).setProtectedHeader(header).sign(twin?.privateKey ?? key);
      grants.delete(form.get('code') ?? '');
      return json(200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token });
    }
    return json(404, {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const place: OpenIdServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client: { id: 'garden-client', secret: 'a-secret-of-at-least-32-bytes-for-hs256' },
    person: { sub: '4711', handle: 'Ada_CF' },
    userInfo: {},
    next: {},
    asked: [],
    requests: 0,
    rotate: async () => {
      keys = await newKeys('second');
    },
  };
  return place;
}

const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  response_types_supported: ['code'],
  scopes_supported: ['openid'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['HS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

const schoolDocument = ({ url: issuer, prompts, isShared }: OpenIdServer) => ({
  jwks_uri: `${issuer}/oauth/keys`,
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  scopes_supported: ['openid', 'email', 'profile', 'groups'],
  id_token_signing_alg_values_supported: ['RS256', 'EdDSA', 'Ed25519'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  authorization_response_iss_parameter_supported: true,
  prompt_values_supported: prompts,
  ...(isShared && { end_session_endpoint: `${issuer}/oauth/logout` }),
});

function allow(place: OpenIdServer, asked: URLSearchParams, grants: Map<string, Grant>, namesItself: boolean): string {
  const { next, url, prompts } = place;
  const to = new URL(asked.get('redirect_uri') ?? '');
  to.searchParams.set('state', asked.get('state') ?? '');
  const iss = next.iss === undefined && namesItself ? url : next.iss;
  if (iss) to.searchParams.set('iss', iss);
  const isUnknownPrompt = asked.has('prompt') && prompts && !prompts.includes(asked.get('prompt') ?? '');
  const error = next.isDeclined ? 'access_denied' : isUnknownPrompt ? 'invalid_request' : next.error;
  if (error) to.searchParams.set('error', error);
  else {
    if (place.isShared && (asked.has('prompt') || !place.seat)) place.seat = place.person;
    const code = randomUUID();
    const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')];
    grants.set(code, { nonce, challenge, returnTo: asked.get('redirect_uri') });
    to.searchParams.set('code', code);
  }
  next.isDeclined = false;
  return to.href;
}

function refusalOf({ client }: OpenIdServer, form: URLSearchParams, grants: Map<string, Grant>) {
  if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) return 'invalid_client';
  const grant = grants.get(form.get('code') ?? '');
  const verifier = form.get('code_verifier') ?? '';
  const isBound = grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
  return isBound && grant.returnTo === form.get('redirect_uri') ? undefined : 'invalid_grant';
}

function claimsOf(
  { url, client, person, seat = person, next }: OpenIdServer,
  { nonce }: Grant,
): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: url, aud: client.id, iat: now, exp: now + 60, nonce, ...seat, ...next.claims };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
