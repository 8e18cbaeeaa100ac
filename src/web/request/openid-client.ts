/** The settings of an OpenID Connect provider. */

import type { OpenIdClient } from '../../jobs/openid.ts';
import { openIdJudges } from '../../judges/judges.ts';
import { claimsOf } from '../../practice/openid.ts';
import type { OpenIdProvidersTable } from '../../store/openid.ts';
import { openIdProviderPath } from '../paths.ts';
import type { Visit } from './visits.ts';

export type Provider = Pick<
  OpenIdProvidersTable,
  'key' | 'name' | 'issuer' | 'client_id' | 'client_secret' | 'admits' | 'claim' | 'name_claim'
>;

/** JUDGE_URLS may replace a judge's issuer. */
export function openIdClientOf(
  { site, website }: Visit,
  provider: Provider,
  purpose: OpenIdClient['purpose'],
): OpenIdClient {
  const { key, name, issuer, client_id, client_secret } = provider;
  const isJudge = openIdJudges.has(key);
  const override = isJudge ? website.judgeUrls?.get(`${key}-openid`) : undefined;
  return {
    name,
    issuer: override ?? issuer,
    client: { id: client_id, secret: client_secret },
    redirectUri: site.baseUrl + openIdProviderPath(key),
    purpose,
    isJudge,
    claims: claimsOf(provider),
    privateOrigins: override === undefined ? website.privateOrigins : new Set([new URL(override).origin]),
  };
}
