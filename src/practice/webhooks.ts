/** Setting a webhook up: its address, its secret, and tests. Its callers check the address. */

import { randomBytes, randomUUID } from 'node:crypto';
import { secretDigest } from '../auth/tokens.ts';
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { countAttempts } from '../store/entry.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  cancelDeliveries,
  deleteWebhook,
  findWebhook,
  findWebhookOf,
  insertDelivery,
  insertWebhook,
  updateWebhook,
  type WebhookOwner,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { assertCoach } from './groups.ts';

/** Each webhook sends messages to an address that may be anybody's. */
const triesADay = 20;

export interface WebhookSettings {
  /** Empty to keep the stored address. */
  url: string;
  sendsWeeks: boolean;
  sendsDues: boolean;
  sendsContests: boolean;
}

export function versionOfWebhook(hook: WebhooksTable | undefined): string {
  if (!hook) return '';
  const { id, url, sends_weeks, sends_dues, sends_contests } = hook;
  return secretDigest(JSON.stringify([id, url, sends_weeks, sends_dues, sends_contests].map(String)));
}

/** 256 bits, as Standard Webhooks writes them. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const byOwner = <A extends unknown[], R>(
  work: (tx: Db, owner: WebhookOwner, memberId: bigint, ...rest: A) => Promise<R>,
) =>
  inTransaction(async (tx: Db, owner: WebhookOwner, memberId: bigint, ...rest: A) => {
    if ('group_id' in owner) await assertCoach(tx, { groupId: owner.group_id, coachId: memberId });
    return work(tx, owner, memberId, ...rest);
  });

/** Returns the secret of a new webhook, and 'conflict' if the stored one is not `version`. Throws invalidValue. */
export const saveWebhook = byOwner(
  async (tx, owner, memberId, settings: WebhookSettings, version: string) => {
    const { sendsWeeks, sendsDues, sendsContests } = settings;
    const before = await findWebhookOf(tx, owner);
    if (versionOfWebhook(before) !== version) return 'conflict' as const;
    const url = settings.url || (before?.url ?? '');
    const flag = (isOn: boolean) => (isOn ? 1n : 0n);
    const sends = {
      sends_weeks: flag(sendsWeeks),
      sends_dues: flag(sendsDues),
      sends_contests: flag(sendsContests),
    };
    const values = { url, ...sends };
    if (before) {
      // The week before a webhook began to send weeks is not sent.
      const isNewlyWeekly = sendsWeeks && before.sends_weeks === 0n;
      const made_at = isNewlyWeekly ? new Date().toISOString() : before.made_at;
      await updateWebhook(tx, before.id, { ...values, made_at, made_by: memberId, plans_at: 0n });
      return { secret: undefined };
    }
    const now = Date.now();
    await assertTriesLeft(tx, memberId, now);
    const secret = newSecret();
    const made_at = new Date(now).toISOString();
    const noOwner = { group_id: null, user_id: null };
    await insertWebhook(tx, {
      ...noOwner,
      ...owner,
      ...values,
      secret,
      made_at,
      made_by: memberId,
      plans_at: 0n,
    });
    return { secret };
  },
);

export const renewSecret = byOwner(async (tx, owner) => {
  const hook = await findWebhookOf(tx, owner);
  if (!hook) return undefined;
  const secret = newSecret();
  await updateWebhook(tx, hook.id, { secret });
  return secret;
});

/** Throws invalidValue if staff switched it off: a new one would be on again. */
export const removeWebhook = byOwner(async (tx, owner) => {
  const hook = await findWebhookOf(tx, owner);
  if (hook?.is_off === 1n) throw localizedError('invalidValue.webhookOff');
  if (hook) await deleteWebhook(tx, hook.id);
});

/** In place of what the receiver of a message answered. */
export const answerOfOff = 'off';

/** Waiting messages are not sent any more. */
export async function switchWebhook(tx: Db, id: bigint, isOff: boolean): Promise<WebhooksTable | undefined> {
  const hook = await findWebhook(tx, id);
  if (!hook) return undefined;
  await updateWebhook(tx, id, { is_off: isOff ? 1n : 0n, plans_at: 0n });
  if (isOff) await cancelDeliveries(tx, id, answerOfOff);
  return hook;
}

/** Throws invalidValue. */
export const sendTest = byOwner(async (tx, owner, memberId, now: number = Date.now()) => {
  const hook = await findWebhookOf(tx, owner);
  if (!hook) return false;
  if (hook.is_off === 1n) throw localizedError('invalidValue.webhookOff');
  if (hook.is_left === 1n) throw localizedError('invalidValue.webhookLeft');
  await assertTriesLeft(tx, memberId, now);
  await enqueueDelivery(tx, hook, `test ${randomUUID()}`, new Date(now).toISOString());
  return true;
});

/** The member is counted, because a webhook can be removed and made anew. */
async function assertTriesLeft(tx: Db, memberId: bigint, now: number): Promise<void> {
  const [from, until] = [now, now + dayMs].map((at) => new Date(at).toISOString()) as [string, string];
  const [tries = 0] = await countAttempts(tx, [secretDigest(`webhooks of ${memberId}`)], from, until);
  if (tries > triesADay) throw localizedError('invalidValue.webhookTries', { most: triesADay });
}

export async function enqueueDelivery(
  tx: Db,
  hook: WebhooksTable,
  occasion: string,
  made_at: string,
): Promise<void> {
  await insertDelivery(tx, { webhook_id: hook.id, occasion, message: `msg_${randomUUID()}`, made_at });
}
