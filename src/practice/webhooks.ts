/** Setting a webhook up: its address, its secret, and tests of it. Where it may lead is decided by the face and by the sender. */

import { randomBytes, randomUUID } from 'node:crypto';
import { secretDigest } from '../auth/tokens.ts';
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { countAttempts } from '../store/entry.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  deleteWebhook,
  findWebhook,
  findWebhookOf,
  insertDelivery,
  insertWebhook,
  spareDeliveries,
  updateWebhook,
  type WebhookOwner,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { assertCoach } from './groups.ts';

/** Webhooks that a member makes and tests in a day: each sends messages to an address that may be anybody's. */
const triesADay = 20;

export interface WebhookSettings {
  url: string;
  sendsWeeks: boolean;
  sendsDues: boolean;
  /** Only a group is told of contests. */
  sendsContests: boolean;
}

/** The version that a second tab may have changed meanwhile. */
export function versionOfWebhook(hook: WebhooksTable | undefined): string {
  if (!hook) return '';
  const { id, url, sends_weeks, sends_dues, sends_contests } = hook;
  return JSON.stringify([id, url, sends_weeks, sends_dues, sends_contests].map(String));
}

/** 256 bits, as Standard Webhooks writes them. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Makes a write of one that only the member with the webhook may make, or a coach of the group. */
const byOwner = <A extends unknown[], R>(
  work: (tx: Db, owner: WebhookOwner, memberId: bigint, ...rest: A) => Promise<R>,
) =>
  inTransaction(async (tx: Db, owner: WebhookOwner, memberId: bigint, ...rest: A) => {
    if ('group_id' in owner) await assertCoach(tx, { groupId: owner.group_id, coachId: memberId });
    return work(tx, owner, memberId, ...rest);
  });

/**
 * Makes the webhook of a group or member, or changes it. Answers its secret where it was made, and 'overtaken' where it is another
 * one than the form showed. Throws badSetting where this member made and tested too many.
 */
export const saveWebhook = byOwner(async (tx, owner, memberId, wishes: WebhookSettings, seen: string) => {
  const { url, sendsWeeks, sendsDues, sendsContests } = wishes;
  const before = await findWebhookOf(tx, owner);
  if (versionOfWebhook(before) !== seen) return 'overtaken' as const;
  const flag = (isOn: boolean) => (isOn ? 1n : 0n);
  const sends = {
    sends_weeks: flag(sendsWeeks),
    sends_dues: flag(sendsDues),
    sends_contests: flag(sendsContests),
  };
  const values = { url, ...sends };
  if (before) {
    await updateWebhook(tx, before.id, { ...values, made_by: memberId, plans_at: 0n });
    return { secret: undefined };
  }
  const now = Date.now();
  await countTry(tx, memberId, now);
  const secret = newSecret();
  const made_at = new Date(now).toISOString();
  const none = { group_id: null, user_id: null };
  await insertWebhook(tx, { ...none, ...owner, ...values, secret, made_at, made_by: memberId, plans_at: 0n });
  return { secret };
});

/** Gives a webhook another secret, and answers it; undefined where there is no webhook. */
export const renewSecret = byOwner(async (tx, owner) => {
  const hook = await findWebhookOf(tx, owner);
  if (!hook) return undefined;
  const secret = newSecret();
  await updateWebhook(tx, hook.id, { secret });
  return secret;
});

/** Throws badSetting for one that staff switched off: it would be on again where it is made anew. */
export const removeWebhook = byOwner(async (tx, owner) => {
  const hook = await findWebhookOf(tx, owner);
  if (hook?.is_off === 1n) throw localizedError('badSetting.webhookOff');
  if (hook) await deleteWebhook(tx, hook.id);
});

/** Switches a webhook off, or on again, for staff; what waits is not sent any more. Answers undefined where there is none. */
export async function switchWebhook(tx: Db, id: bigint, isOff: boolean): Promise<WebhooksTable | undefined> {
  const hook = await findWebhook(tx, id);
  if (!hook) return undefined;
  await updateWebhook(tx, id, { is_off: isOff ? 1n : 0n, plans_at: 0n });
  if (isOff) await spareDeliveries(tx, id);
  return hook;
}

/** Puts a test that this member wants into the queue; false where there is no webhook. Throws badSetting. */
export const sendTest = byOwner(async (tx, owner, memberId, now: number = Date.now()) => {
  const hook = await findWebhookOf(tx, owner);
  if (!hook) return false;
  if (hook.is_off === 1n) throw localizedError('badSetting.webhookOff');
  if (hook.is_left === 1n) throw localizedError('badSetting.webhookLeft');
  await countTry(tx, memberId, now);
  await enqueueDelivery(tx, hook, `test ${randomUUID()}`, new Date(now).toISOString());
  return true;
});

/** The count is the member's and not the webhook's, which can be removed and made anew. */
async function countTry(tx: Db, memberId: bigint, now: number): Promise<void> {
  const [from, until] = [now, now + dayMs].map((at) => new Date(at).toISOString()) as [string, string];
  const [tries = 0] = await countAttempts(tx, [secretDigest(`webhooks of ${memberId}`)], from, until);
  if (tries > triesADay) throw localizedError('badSetting.webhookTries', { most: triesADay });
}

/** Puts a message about an occasion into the queue, unless it has one. */
export async function enqueueDelivery(
  tx: Db,
  hook: WebhooksTable,
  occasion: string,
  made_at: string,
): Promise<void> {
  await insertDelivery(tx, { webhook_id: hook.id, occasion, message: `msg_${randomUUID()}`, made_at });
}
