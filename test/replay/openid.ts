/**
 * A judge where people sign in by OpenID Connect, on loopback: discovery, authorize, and a token endpoint whose tokens are signed
 * with the client's secret, as those of Codeforces are (codeforces.com/blog/entry/145566). It can go wrong as an attacker would like.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { SignJWT } from 'jose';

export interface OpenIdServer {
  url: string;
  client: { id: string; secret: string };
  /** Who is signed in there. */
  person: { sub: string; handle?: string };
  /** Changed claims of the next token, the secret that it is signed with, or whether the person says no. */
  next: { claims?: Record<string, unknown>; secret?: string; isDeclined?: boolean };
  /** What the browser was sent with, the newest last. */
  asked: URLSearchParams[];
}

interface Grant {
  nonce: string | null;
  challenge: string | null;
  returnTo: string | null;
}

export async function startOpenId(t: Pick<TestContext, 'after'>): Promise<OpenIdServer> {
  const grants = new Map<string, Grant>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', place.url);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration') return json(200, documentOf(place.url));
    if (pathname === '/oauth/authorize') {
      place.asked.push(searchParams);
      return response.writeHead(302, { Location: allow(place, searchParams, grants) }).end();
    }
    if (pathname === '/oauth/token') {
      const form = new URLSearchParams(await text(request));
      const error = refusalOf(place, form, grants);
      if (error) return json(error === 'invalid_client' ? 401 : 400, { error });
      const id_token = await tokenOf(place, grants.get(form.get('code') ?? '') as Grant);
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
    next: {},
    asked: [],
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

function allow({ next }: OpenIdServer, asked: URLSearchParams, grants: Map<string, Grant>): string {
  const to = new URL(asked.get('redirect_uri') ?? '');
  to.searchParams.set('state', asked.get('state') ?? '');
  if (next.isDeclined) to.searchParams.set('error', 'access_denied');
  else {
    const code = randomUUID();
    const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')];
    grants.set(code, { nonce, challenge, returnTo: asked.get('redirect_uri') });
    to.searchParams.set('code', code);
  }
  next.isDeclined = false;
  return to.href;
}

function refusalOf({ client }: OpenIdServer, form: URLSearchParams, grants: Map<string, Grant>) {
  if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
    return 'invalid_client';
  const grant = grants.get(form.get('code') ?? '');
  const verifier = form.get('code_verifier') ?? '';
  const isBound = grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
  return isBound && grant.returnTo === form.get('redirect_uri') ? undefined : 'invalid_grant';
}

async function tokenOf({ url, client, person, next }: OpenIdServer, { nonce }: Grant): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: url, aud: client.id, iat: now, exp: now + 60, nonce, ...person, ...next.claims };
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  const secret = next.secret ?? client.secret;
  next.claims = {};
  delete next.secret;
  return new SignJWT(given).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
}
