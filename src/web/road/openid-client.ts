/** A provider of OpenID Connect as this garden asks it. */

import type { OpenIdClient } from '../../jobs/openid.ts';
import { openIdJudges } from '../../judges/judges.ts';
import { claimsOf } from '../../practice/openid.ts';
import type { OpenIdProvidersTable } from '../../store/openid.ts';
import { returnPath } from '../paths.ts';
import type { Visit } from './visits.ts';

export type Provider = Pick<
  OpenIdProvidersTable,
  'key' | 'name' | 'issuer' | 'client_id' | 'client_secret' | 'admits' | 'claim' | 'name_claim'
>;

/** How a provider is asked. The operator may name another address of a judge. */
export function openIdClientOf(
  { site, website }: Visit,
  provider: Provider,
  purpose: OpenIdClient['purpose'],
): OpenIdClient {
  const { key, name, issuer, client_id, client_secret } = provider;
  const isJudge = openIdJudges.has(key);
  const other = isJudge ? website.judgeUrls?.get(`${key}-openid`) : undefined;
  return {
    name,
    issuer: other ?? issuer,
    client: { id: client_id, secret: client_secret },
    returnTo: site.baseUrl + returnPath(key),
    purpose,
    isJudge,
    claims: claimsOf(provider),
    inside: other === undefined ? website.privatePlaces : new Set([new URL(other).origin]),
  };
}
