/**
 * Signing in with an account of a provider. It is linked only to a member who linked it while signed in, or who was
 * created by it; an equal name or address links nothing (docs/decisions/0031-sign-in-by-openid.md).
 */

import { expiredLinkError, redeemEntryLink } from '../auth/entry.ts';
import type { EntryThrottle } from '../auth/entry-throttle.ts';
import { type Client, openSession, type SessionCookies } from '../auth/sessions.ts';
import { minuteMs } from '../durations.ts';
import { AppError, localizedError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { type EntryLinksTable, findEntryLink } from '../store/entry.ts';
import { findMembersByIds, findMembersByNames } from '../store/members.ts';
import {
  consumeAuthorizationRequest,
  deleteProvider,
  findAccount,
  findProvider,
  insertAccount,
  insertAuthorizationRequest,
  listAccounts,
  type OpenIdProvidersTable,
  type OpenIdVisitsTable,
  saveAccountUse,
  saveProvider,
} from '../store/openid.ts';
import { deleteSession, type SignedInRow } from '../store/sessions.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { proveByOpenId } from './handles.ts';
import { createMember, isUsername, lookalikeNames } from './members.ts';

type Claims = Readonly<Record<string, unknown>>;
type AdmissionRules = Pick<OpenIdProvidersTable, 'name' | 'admits' | 'claim' | 'wanted' | 'name_claim'>;

export function claimsOf({ admits, claim, name_claim }: Omit<AdmissionRules, 'name' | 'wanted'>): string[] {
  const claimNames = {
    domain: ['email', 'email_verified'],
    claim: [claim],
    nobody: [],
    everyone: [],
    joined: [],
  };
  return [...claimNames[admits], ...(name_claim === '' ? [] : [name_claim])];
}

function assertAdmitted({ name, admits, claim, wanted }: AdmissionRules, claims: Claims): void {
  if (admits === 'nobody') throw localizedError('invalidValue.providerOff', { name });
  if (admits === 'domain') {
    // Anybody may type an address that nobody verified.
    const isVerified = [true, 'true'].includes(claims['email_verified'] as string);
    const isInDomain = textClaim(claims, 'email')?.toLowerCase().endsWith(`@${wanted.toLowerCase()}`);
    if (!isInDomain) throw localizedError('invalidValue.providerDomain', { wanted, name });
    if (!isVerified) throw localizedError('invalidValue.providerEmail', { name });
  }
  if (admits === 'claim' && ![claimAt(claims, claim)].flat().some((one) => String(one) === wanted))
    throw localizedError('invalidValue.providerRules', { name });
}

const longestSuggestion = 60;

function suggestedUsername(claims: Claims, claim: string): string {
  const text = textClaim(claims, claim) ?? '';
  // The rest of an address is private.
  const [localPart = ''] = text.split('@');
  const clean = localPart
    .normalize('NFKC')
    .replace(/[\s\p{C}/?#]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const name = [...clean].slice(0, longestSuggestion).join('');
  return isUsername(name) ? name : 'member';
}

function labelOf(claims: Claims): string | null {
  const names = ['email', 'preferred_username', 'nickname', 'handle', 'name'];
  const label = names.map((name) => textClaim(claims, name)).find((text) => text !== undefined);
  return label?.slice(0, 200) ?? null;
}

/** A name with dots is also a path, as of the roles that Keycloak has in `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  const own = (at: unknown, part: string) => (Object.hasOwn(Object(at), part) ? Object(at)[part] : undefined);
  return own(claims, name) ?? name.split('.').reduce<unknown>(own, claims);
}

/** Undefined for a claim without visible text. */
export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claimAt(claims, name);
  if (typeof value !== 'string') return undefined;
  return value.replace(/\p{C}/gu, '').trim() || undefined;
}

interface ProviderPerson {
  subject: string;
  claims: Claims;
  handle: string | undefined;
}

interface SignInContext {
  client: Client;
  before: SignedInRow | undefined;
  isInOtherTab: boolean;
  invitationId: bigint | null;
}

/**
 * An invitation creates a member even if the provider creates none. Throws invalidValue, unknownItem and tooManyRequests.
 */
export async function enterByOpenId(
  store: Store,
  throttle: EntryThrottle,
  provider: OpenIdProvidersTable,
  person: ProviderPerson,
  { client, before: formerSession, isInOtherTab, invitationId }: SignInContext,
): Promise<SessionCookies | undefined> {
  const { key } = provider;
  assertAdmitted(provider, person.claims);
  const account = await findAccount(store.reader, key, person.subject);
  if (!account && invitationId === null && createsMembers(provider))
    await throttle.beginSignUp(client.network);
  const { opened: cookies, userId } = await store.write(async (tx) => {
    const userId = await findOrCreateMember(tx, provider, person, invitationId);
    if (isInOtherTab && formerSession?.user_id === userId) return { userId, opened: undefined };
    if (formerSession) await deleteSession(tx, formerSession.user_id, formerSession.id);
    return { userId, opened: await openSession(tx, userId, client) };
  });
  await proveIfJudge(store, key, userId, person);
  return cookies;
}

const createsMembers = ({ admits, makes_members }: OpenIdProvidersTable) =>
  makes_members !== 0n && admits !== 'joined';

async function findOrCreateMember(
  tx: Db,
  provider: OpenIdProvidersTable,
  person: ProviderPerson,
  invitationId: bigint | null,
): Promise<bigint> {
  const { key, name } = provider;
  const account = await findAccount(tx, key, person.subject);
  if (account) {
    const [member] = await findMembersByIds(tx, [account.user_id]);
    if (member?.is_disabled !== 0n) throw localizedError('invalidValue.disabled');
    await saveAccount(tx, key, person, account.user_id, true);
    return account.user_id;
  }
  const role = invitationId === null ? 'member' : await roleInvited(tx, invitationId);
  if (invitationId === null && !createsMembers(provider))
    throw localizedError('invalidValue.notLinked', { name });
  const suggestion = suggestedUsername(person.claims, provider.name_claim);
  const { id } = await createMember(tx, { username: await freeUsername(tx, suggestion), role });
  await saveAccount(tx, key, person, id, false);
  return id;
}

async function saveAccount(
  tx: Db,
  provider: string,
  { subject, claims }: ProviderPerson,
  user_id: bigint,
  isLinked: boolean,
): Promise<void> {
  const used_at = new Date().toISOString();
  const values = { provider, subject, label: labelOf(claims), used_at };
  if (isLinked) await saveAccountUse(tx, values);
  else await insertAccount(tx, { ...values, user_id, joined_at: used_at });
}

async function roleInvited(tx: Db, id: bigint): Promise<EntryLinksTable['role']> {
  const link = await findEntryLink(tx, { id }, new Date().toISOString());
  if (link?.kind !== 'invitation') throw expiredLinkError('invitation');
  await redeemEntryLink(tx, link);
  return link.role;
}

async function freeUsername(tx: Db, suggestion: string): Promise<string> {
  const names = [suggestion, ...Array.from({ length: 98 }, (_, index) => `${suggestion}-${index + 2}`)];
  const usedNames = new Set(
    (await findMembersByNames(tx, names.flatMap(lookalikeNames))).map(({ username }) => fold(username)),
  );
  const free = names.find((name) => !lookalikeNames(name).some((one) => usedNames.has(fold(one))));
  if (free !== undefined) return free;
  throw localizedError('invalidValue.namesakes', { wanted: suggestion });
}

/** Returns false if the provider was changed since `version`. */
export async function changeProvider(tx: Db, row: OpenIdProvidersTable, version: string): Promise<boolean> {
  if (((await findProvider(tx, row.key))?.changed_at ?? '') !== version) return false;
  await saveProvider(tx, row);
  return true;
}

export const removeProvider = inTransaction(deleteProvider);

const authorizationMs = 15 * minuteMs;

export const saveAuthorizationRequest = inTransaction(
  (tx: Db, request: Omit<OpenIdVisitsTable, 'begun_at'>) => {
    const now = Date.now();
    const row = { ...request, begun_at: new Date(now).toISOString() };
    return insertAuthorizationRequest(tx, row, new Date(now - authorizationMs).toISOString());
  },
);

/** Reading a request deletes it, so that it is used only once. */
export const takeAuthorizationRequest = inTransaction(consumeAuthorizationRequest);

export const isAuthorizationExpired = ({ begun_at }: OpenIdVisitsTable) =>
  Date.parse(begun_at) + authorizationMs < Date.now();

/** Throws invalidValue and alreadyExists. */
export async function linkAccount(
  store: Store,
  provider: OpenIdProvidersTable,
  person: ProviderPerson,
  userId: bigint,
): Promise<void> {
  const { key, name } = provider;
  assertAdmitted(provider, person.claims);
  await store.write(async (tx) => {
    const account = await findAccount(tx, key, person.subject);
    if (account && account.user_id !== userId) throw localizedError('alreadyExists.accountOfOther', { name });
    const own = await listAccounts(tx, userId);
    if (!account && own.some((one) => one.provider === key))
      throw localizedError('alreadyExists.otherAccount', { name });
    await saveAccount(tx, key, person, userId, account !== undefined);
  });
  await proveIfJudge(store, key, userId, person);
}

/** A handle that cannot be linked keeps nobody out. */
async function proveIfJudge(
  store: Store,
  source: string,
  userId: bigint,
  { subject, handle }: ProviderPerson,
): Promise<void> {
  if (handle === undefined) return;
  try {
    await proveByOpenId(store, userId, source, { handle, subject });
  } catch (error) {
    if (!(error instanceof AppError) || !['invalidValue', 'alreadyExists'].includes(error.code)) throw error;
  }
}
