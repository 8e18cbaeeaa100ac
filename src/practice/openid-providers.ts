/** Whom a provider of OpenID Connect lets in, and what a member is called whom it makes. */
import { badSetting } from '../errors.ts';
import type { OpenIdProvidersTable } from '../store/openid-tables.ts';
import { isUsername } from './members.ts';

export type Claims = Readonly<Record<string, unknown>>;
type Rules = Pick<OpenIdProvidersTable, 'name' | 'admits' | 'claim' | 'wanted' | 'name_claim'>;

/** The claims that a provider's rules look at. */
export function claimsOf({ admits, claim, name_claim }: Omit<Rules, 'name' | 'wanted'>): string[] {
  const asked = { domain: ['email', 'email_verified'], claim: [claim], nobody: [], everyone: [], joined: [] };
  return [...asked[admits], ...(name_claim === '' ? [] : [name_claim])];
}

/** Throws badSetting for somebody whom the provider's rules keep out; who joined their account is looked at elsewhere. */
export function assertAdmitted({ name, admits, claim, wanted }: Rules, claims: Claims): void {
  if (admits === 'nobody') throw badSetting(`Sign-in with ${name} is turned off. Sign in another way.`);
  if (admits === 'domain') {
    // Anybody may type any address that nobody checked.
    const isChecked = [true, 'true'].includes(claims['email_verified'] as string);
    const isOwn = textIn(claims, 'email')?.toLowerCase().endsWith(`@${wanted.toLowerCase()}`);
    if (!isOwn) throw badSetting(`Only people with an email address at ${wanted} can sign in with ${name}.`);
    if (!isChecked)
      throw badSetting(`${name} has not verified your email address. Verify it there, then try again.`);
  }
  if (admits === 'claim' && ![claims[claim]].flat().some((one) => String(one) === wanted))
    throw badSetting(
      `Your account of ${name} does not meet this server’s rules. Ask an administrator for access.`,
    );
}

const nameAtMost = 60;

/** The username that the claims suggest. */
export function suggestedName(claims: Claims, claim: string): string {
  const text = textIn(claims, claim) ?? '';
  // An address is nobody's business but its owner's.
  const [own = ''] = text.split('@');
  const clean = own
    .normalize('NFKC')
    .replace(/[\s\p{C}/?#]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const name = [...clean].slice(0, nameAtMost).join('');
  return isUsername(name) ? name : 'member';
}

/** What an account is called there, for its owner to know it by. */
export function labelOf(claims: Claims): string | null {
  const names = ['email', 'preferred_username', 'nickname', 'handle', 'name'];
  const found = names.map((name) => textIn(claims, name)).find((text) => text !== undefined);
  return found?.slice(0, 200) ?? null;
}

/** A claim that is a text with something to see in it. */
export function textIn(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value !== 'string') return undefined;
  return value.replace(/\p{C}/gu, '').trim() || undefined;
}
