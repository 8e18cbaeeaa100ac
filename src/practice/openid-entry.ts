/**
 * Signing in with an account elsewhere. An account is a member's only because that member joined it while signed in, or was
 * made by it: an equal name or address joins nothing (docs/decisions/0031-sign-in-by-openid.md).
 */
import { spent } from '../auth/entry.ts';
import { type Opened, type Opening, openSession } from '../auth/sessions.ts';
import type { SignInThrottle } from '../auth/sign-in-throttle.ts';
import { AppError, badSetting } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { findEntryLink, useEntryLink } from '../store/entry-links.ts';
import { findMembersByIds, findMembersByNames, findPasswordHash } from '../store/members.ts';
import {
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  noteUse,
} from '../store/openid-accounts.ts';
import { listProviders } from '../store/openid-providers.ts';
import type { OpenIdProvidersTable } from '../store/openid-tables.ts';
import { deleteSession, type SignedInRow } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Db, EntryLinksTable } from '../store/tables.ts';
import { createMember, namesLike } from './members.ts';
import { assertAdmitted, type Claims, labelOf, suggestedName } from './openid-providers.ts';
import { proveByOpenId } from './proofs.ts';

/** Who somebody is at a provider. */
interface Someone {
  subject: string;
  claims: Claims;
  /** The handle that a judge says is theirs. */
  handle: string | undefined;
}

/**
 * Signs somebody in; answers their cookies. A session that the browser had ends. Somebody without an account here becomes a
 * member by an invitation, also where the provider makes none; who may enter there says the provider in any case. Throws
 * badSetting for somebody who may not enter, unknownItem for an invitation that is not good any more, and tooManyRequests where
 * a network makes too many members.
 */
export async function enterByOpenId(
  store: Store,
  throttle: SignInThrottle,
  provider: OpenIdProvidersTable,
  person: Someone,
  opening: Opening,
  before: SignedInRow | undefined,
  invitationId: bigint | null = null,
): Promise<Opened> {
  const { key } = provider;
  assertAdmitted(provider, person.claims);
  const known = await findAccount(store.reader, key, person.subject);
  if (!known && invitationId === null && makesMembers(provider)) await throttle.beginSignUp(opening.network);
  const { opened, userId } = await store.write(async (tx) => {
    const userId = await memberOf(tx, provider, person, invitationId);
    if (before) await deleteSession(tx, before.user_id, before.id);
    return { userId, opened: await openSession(tx, userId, opening) };
  });
  await proveIfJudge(store, key, userId, person);
  return opened;
}

const makesMembers = ({ admits, makes_members }: OpenIdProvidersTable) =>
  makes_members !== 0n && admits !== 'joined';

async function memberOf(
  tx: Db,
  provider: OpenIdProvidersTable,
  person: Someone,
  invitationId: bigint | null,
): Promise<bigint> {
  const { key, name } = provider;
  const { subject } = person;
  const at = new Date().toISOString();
  const label = labelOf(person.claims);
  const account = await findAccount(tx, key, subject);
  if (account) {
    const [member] = await findMembersByIds(tx, [account.user_id]);
    if (member?.is_disabled !== 0n) throw badSetting('Your account is disabled. Ask an administrator why.');
    await noteUse(tx, { provider: key, subject, label, used_at: at });
    return account.user_id;
  }
  const role = invitationId === null ? 'member' : await roleInvited(tx, invitationId, at);
  if (invitationId === null && !makesMembers(provider))
    throw badSetting(
      `This account of ${name} is not linked to a member. If you are a member, sign in another way and link it under Settings > Sign-in methods; otherwise ask an administrator for an invitation.`,
    );
  const wanted = suggestedName(person.claims, provider.name_claim);
  const { id } = await createMember(tx, { username: await freeName(tx, wanted), role });
  await insertAccount(tx, { provider: key, subject, user_id: id, label, joined_at: at, used_at: at });
  return id;
}

/** Uses the invitation once; answers what it makes of somebody. Throws unknownItem. */
async function roleInvited(tx: Db, id: bigint, now: string): Promise<EntryLinksTable['role']> {
  const link = await findEntryLink(tx, { id }, now);
  if (link?.kind !== 'invitation' || !(await useEntryLink(tx, id))) throw spent('invitation');
  return link.role;
}

/** The name, or one with a number behind it where others have it. */
async function freeName(tx: Db, wanted: string): Promise<string> {
  const names = [wanted, ...Array.from({ length: 98 }, (_, at) => `${wanted}-${at + 2}`)];
  const taken = new Set(
    (await findMembersByNames(tx, names.flatMap(namesLike))).map(({ username }) => fold(username)),
  );
  const free = names.find((name) => !namesLike(name).some((one) => taken.has(fold(one))));
  if (free !== undefined) return free;
  throw badSetting(`Too many members are called ${wanted}. Ask an administrator for an invitation.`);
}

/** Joins an account to a member who is signed in. Throws badSetting and alreadyExists. */
export async function joinAccount(
  store: Store,
  provider: OpenIdProvidersTable,
  person: Someone,
  userId: bigint,
): Promise<void> {
  const { key, name } = provider;
  const { subject } = person;
  assertAdmitted(provider, person.claims);
  await store.write(async (tx) => {
    const account = await findAccount(tx, key, subject);
    if (account && account.user_id !== userId)
      throw new AppError(
        'alreadyExists',
        `This account of ${name} is linked to another member. Nothing was linked.`,
      );
    const own = await listAccounts(tx, userId);
    if (!account && own.some((one) => one.provider === key))
      throw new AppError(
        'alreadyExists',
        `You have already linked another account of ${name}. Remove that one first.`,
      );
    const at = new Date().toISOString();
    const label = labelOf(person.claims);
    if (account) await noteUse(tx, { provider: key, subject, label, used_at: at });
    else
      await insertAccount(tx, { provider: key, subject, user_id: userId, label, joined_at: at, used_at: at });
  });
  await proveIfJudge(store, key, userId, person);
}

/** Takes an account from a member. Throws badSetting for the last way to sign in. */
export async function removeAccount(tx: Db, userId: bigint, key: string): Promise<void> {
  const accounts = await listAccounts(tx, userId);
  const open = (await listProviders(tx)).filter(({ admits }) => admits !== 'nobody').map((one) => one.key);
  const others = accounts.filter(({ provider }) => provider !== key && open.includes(provider));
  if (others.length === 0 && (await findPasswordHash(tx, userId)) === null)
    throw badSetting(
      'Nothing was removed: this is your only sign-in method. Link another account first, or ask an administrator for a link to set a password.',
    );
  if (!(await deleteAccount(tx, userId, key)))
    throw new AppError('unknownItem', 'You have no such account linked. Nothing was changed.');
}

/** Who signs in at a judge shows which handle is theirs. One that cannot be linked keeps nobody out. */
async function proveIfJudge(
  store: Store,
  source: string,
  userId: bigint,
  { subject, handle }: Someone,
): Promise<void> {
  if (handle === undefined) return;
  try {
    await store.write((tx) => proveByOpenId(tx, userId, source, { handle, subject }));
  } catch (error) {
    if (!(error instanceof AppError) || !['badSetting', 'alreadyExists'].includes(error.code)) throw error;
  }
}
