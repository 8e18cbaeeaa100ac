/** How providers of OpenID Connect are asked: what they publish of themselves, at which addresses, and within which bounds. */
import * as openid from 'openid-client';
import { faultKindOf } from '../judges/faults.ts';
import { textOf } from './asking.ts';
import { faultOf, foreignAddress, plainAddress, unreached } from './openid-faults.ts';
import type { OpenIdPlace } from './openid-place.ts';
import { assertNoPrivateAddress, publicHosts } from './public-hosts.ts';

const answerMs = 15_000;
/** Documents, keys and tokens have some kilobytes. */
const answerMiB = 1;

interface Sent {
  method: string;
  headers: NonNullable<RequestInit['headers']>;
  body?: unknown;
}

/** Sends requests for a provider: to public addresses with TLS, or to those that the operator allows. */
export function senderFor(place: OpenIdPlace) {
  const own = new URL(place.issuer).origin;
  return async (url: string, options: Sent) => {
    const to = new URL(url);
    const isInside = place.inside.has(to.origin);
    if (place.isJudge && to.origin !== own) throw foreignAddress(place, to.origin);
    if (!isInside && to.protocol !== 'https:') throw plainAddress(place, to.origin);
    try {
      if (!isInside) assertNoPrivateAddress(to);
      const response = await fetch(to, {
        method: options.method,
        headers: options.headers,
        body: (options.body ?? null) as NonNullable<RequestInit['body']> | null,
        // A redirect would lead to a host that nobody configured.
        redirect: 'error',
        ...(!isInside && { dispatcher: await publicHosts() }),
        signal: AbortSignal.timeout(answerMs),
      });
      return new Response((await textOf(response, place.name, answerMiB)) || null, response);
    } catch (error) {
      throw faultKindOf(error) === undefined ? unreached(place, error, answerMs) : error;
    }
  };
}

/** The configuration that the provider publishes. Throws judgeFailed. */
export async function configOf(place: OpenIdPlace): Promise<openid.Configuration> {
  const { client, issuer, isJudge, inside } = place;
  const server = new URL(issuer);
  try {
    const signing = isJudge && { id_token_signed_response_alg: 'HS256' };
    const config = await openid.discovery(
      server,
      client.id,
      { client_secret: client.secret, ...signing },
      authenticate(place),
      {
        [openid.customFetch]: senderFor(place) as openid.CustomFetch,
        ...(server.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
      },
    );
    // The browser goes there, and to nothing but a page.
    const page = URL.parse(config.serverMetadata().authorization_endpoint ?? '');
    if (!page || (page.protocol !== 'https:' && !inside.has(page.origin)))
      throw plainAddress(place, page?.origin ?? 'nowhere');
    return config;
  } catch (error) {
    throw faultOf(place, error);
  }
}

/** In the form, where the provider takes that; else in a header, which all take (OpenID Connect Core §9). */
function authenticate({ client, isJudge }: OpenIdPlace): openid.ClientAuth {
  const [inForm, inHeader] = [
    openid.ClientSecretPost(client.secret),
    openid.ClientSecretBasic(client.secret),
  ];
  return (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (isJudge || takesForm ? inForm : inHeader)(server, ...rest);
  };
}
