/** Entry links: one-time addresses of invitations, set-up, demo and new passwords. */
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

export const invitationDays = [7, 1, 30] as const;

/** A `reset` link is also where a new member chooses the first password. */
export const linkLifetimesMs = {
  setup: dayMs,
  demo: hourMs,
  reset: 7 * dayMs,
  invitation: invitationDays[0] * dayMs,
} as const satisfies Record<EntryLinksTable['kind'], number>;

export interface NewLink {
  kind: EntryLinksTable['kind'];
  userId?: bigint;
  role: 'member' | 'staff';
  uses: number;
  lifetimeMs?: number;
  madeBy?: bigint | undefined;
}

export const usesAtMost = 999;

export function parseUses(text: string): number | undefined {
  const uses = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
  return uses <= usesAtMost ? uses : undefined;
}

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

export async function endEntryLink(tx: Db, id: bigint): Promise<OpenLink | undefined> {
  const link = (await listOpenLinks(tx, new Date().toISOString())).find((one) => one.id === id);
  return link && (await deleteEntryLink(tx, id)) ? link : undefined;
}

export async function readEntryLink(
  db: Db,
  kind: EntryLinksTable['kind'],
  secret: string,
): Promise<EntryLinksTable | undefined> {
  if (!isSecret(secret)) return undefined;
  const link = await findEntryLink(db, { digest: secretDigest(secret) }, new Date().toISOString());
  if (link?.kind !== kind) return undefined;
  // The command line may have created the first member since.
  return kind === 'setup' && (await hasMembers(db)) ? undefined : link;
}

export async function readInvitation(db: Db, text: string): Promise<EntryLinksTable | undefined> {
  const [key = ''] = /[\w-]{43}(?=\/?$)/.exec(text.trim()) ?? [];
  return readEntryLink(db, 'invitation', key);
}

export function expiredLinkError(kind: EntryLinksTable['kind']): AppError {
  return localizedError(`unknownItem.${kind}Link`);
}

/** Throws unknownItem. */
export async function redeemEntryLink(tx: Db, { id, kind }: EntryLinksTable): Promise<void> {
  if (!(await useEntryLink(tx, id))) throw expiredLinkError(kind);
}

/** Throws unknownItem. */
export async function redeemReset(
  store: Store,
  link: EntryLinksTable,
  password: NewPassword,
  client: Client,
  settle: (tx: Db, userId: bigint) => Promise<void>,
): Promise<SessionCookies> {
  const { user_id } = link;
  if (user_id === null) throw expiredLinkError('reset');
  return changeOwnPassword(store, user_id, password, client, async (tx) => {
    await redeemEntryLink(tx, link);
    await settle(tx, user_id);
  });
}

/** Throws unknownItem. */
export async function redeemDemo(
  store: Store,
  link: EntryLinksTable,
  client: Client,
): Promise<SessionCookies> {
  return store.write(async (tx) => {
    if (link.user_id === null) throw expiredLinkError('demo');
    await redeemEntryLink(tx, link);
    return openSession(tx, link.user_id, client);
  });
}
