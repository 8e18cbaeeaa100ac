/** Entry links, the one-time addresses: invitations, set-up and demo addresses, and those that give a new password. */
import { dayMs, hourMs } from '../durations.ts';
import { type AppError, localizedError } from '../errors.ts';
import {
  deleteEntryLink,
  type EntryLinksTable,
  findEntryLink,
  insertEntryLink,
  listOpenLinks,
  type OpenLink,
  useEntryLink,
} from '../store/entry.ts';
import { hasMembers } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type Client, isSecret, newSecret, openSession, type SessionCookies } from './sessions.ts';
import { changeOwnPassword, type NewPassword } from './sign-in.ts';
import { secretDigest } from './tokens.ts';

/** For how many days the maker of an invitation can let it work; the first is the usual one. */
export const invitationDays = [7, 1, 30] as const;

/** How long a link works. New members choose their password at a `reset`. */
export const linkLifetimesMs = {
  setup: dayMs,
  demo: hourMs,
  reset: 7 * dayMs,
  invitation: invitationDays[0] * dayMs,
} as const satisfies Record<EntryLinksTable['kind'], number>;

export interface NewLink {
  kind: EntryLinksTable['kind'];
  /** The member who gets a password or is signed in. */
  userId?: bigint;
  role: 'member' | 'staff';
  uses: number;
  /** Missing for the usual one of its kind. */
  lifetimeMs?: number;
  madeBy?: bigint;
}

export const usesAtMost = 999;

/** For how many people an address shall work; undefined for a text that is no number from 1 to `usesAtMost`. */
export function usesIn(text: string): number | undefined {
  const uses = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  return uses > 0 && uses <= usesAtMost ? uses : undefined;
}

/** Makes a one-time address; answers the secret that stands in it. */
export async function makeEntryLink(tx: Db, link: NewLink): Promise<string> {
  const secret = newSecret();
  const now = Date.now();
  await insertEntryLink(tx, {
    kind: link.kind,
    digest: secretDigest(secret),
    user_id: link.userId ?? null,
    role: link.role,
    uses_left: BigInt(link.uses),
    made_by: link.madeBy ?? null,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + (link.lifetimeMs ?? linkLifetimesMs[link.kind])).toISOString(),
  });
  return secret;
}

/** Ends an invitation, or the address of a new password; answers it as it was, or undefined where there is none open. */
export async function endEntryLink(tx: Db, id: bigint): Promise<OpenLink | undefined> {
  const link = (await listOpenLinks(tx, new Date().toISOString())).find((one) => one.id === id);
  return link && (await deleteEntryLink(tx, id)) ? link : undefined;
}

/** The link of this secret, if it is of this kind and still good. */
export async function readEntryLink(
  db: Db,
  kind: EntryLinksTable['kind'],
  secret: string,
): Promise<EntryLinksTable | undefined> {
  if (!isSecret(secret)) return undefined;
  const link = await findEntryLink(db, { digest: secretDigest(secret) }, new Date().toISOString());
  if (link?.kind !== kind) return undefined;
  // The command line may have made the first member meanwhile.
  return kind === 'setup' && (await hasMembers(db)) ? undefined : link;
}

/** The invitation of an address that was pasted, whole or its end, if it is still good. */
export async function readInvitation(db: Db, text: string): Promise<EntryLinksTable | undefined> {
  const [key = ''] = /[\w-]{43}(?=\/?$)/.exec(text.trim()) ?? [];
  return readEntryLink(db, 'invitation', key);
}

/** The error for a one-time address that no longer works, for any reason; it says how to get a new one. */
export function spent(kind: EntryLinksTable['kind']): AppError {
  return localizedError(`unknownItem.${kind}Link`);
}

/** Uses a one-time address once. Throws unknownItem. */
export async function takeLink(tx: Db, { id, kind }: EntryLinksTable): Promise<void> {
  if (!(await useEntryLink(tx, id))) throw spent(kind);
}

/** Changes the password of the member of a reset address; answers the new cookies. Throws unknownItem. */
export async function acceptReset(
  store: Store,
  link: EntryLinksTable,
  wanted: NewPassword,
  client: Client,
): Promise<SessionCookies> {
  if (link.user_id === null) throw spent('reset');
  return changeOwnPassword(store, link.user_id, wanted, client, (tx) => takeLink(tx, link));
}

/** Signs the member of a demo address in. Throws unknownItem. */
export async function acceptDemo(
  store: Store,
  link: EntryLinksTable,
  client: Client,
): Promise<SessionCookies> {
  return store.write(async (tx) => {
    if (link.user_id === null) throw spent('demo');
    await takeLink(tx, link);
    return openSession(tx, link.user_id, client);
  });
}
