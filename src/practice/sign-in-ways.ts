/** Removing a way to sign in; everybody keeps one that works. */
import type { RelyingParty } from '../auth/passkeys.ts';
import { localizedError } from '../errors.ts';
import { findPasswordHash } from '../store/members.ts';
import { deleteAccount, listAccounts, listProviders } from '../store/openid.ts';
import { countPasskeys, deletePasskeys } from '../store/passkeys.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

type Site = RelyingParty | undefined;

/** Throws invalidValue for the last way, and unknownItem. */
export const removeAccount = inTransaction(
  async (tx: Db, userId: bigint, key: string, relyingParty: Site): Promise<void> => {
    await assertOtherWay(tx, userId, relyingParty, { account: key });
    if (!(await deleteAccount(tx, userId, key))) throw localizedError('unknownItem.account');
  },
);

/** Throws invalidValue for the last way, and unknownItem. */
export const removePasskey = inTransaction(
  async (tx: Db, userId: bigint, id: bigint, relyingParty: Site): Promise<void> => {
    await assertOtherWay(tx, userId, relyingParty, { passkey: id });
    if (!(await deletePasskeys(tx, userId, id))) throw localizedError('unknownItem.passkey');
  },
);

async function assertOtherWay(
  tx: Db,
  userId: bigint,
  relyingParty: Site,
  removed: { account?: string; passkey?: bigint },
): Promise<void> {
  if ((await findPasswordHash(tx, userId)) !== null) return;
  const usableProviders = (await listProviders(tx))
    .filter(({ admits }) => admits !== 'nobody')
    .map((one) => one.key);
  const accounts = (await listAccounts(tx, userId)).map((one) => one.provider);
  if (accounts.some((key) => key !== removed.account && usableProviders.includes(key))) return;
  // A passkey of another host opens nothing here.
  if (relyingParty && (await countPasskeys(tx, userId, relyingParty.host, removed.passkey)) > 0n) return;
  throw localizedError('invalidValue.lastWay');
}
