/** Webhooks of groups and members, and the deliveries of their messages. */
import { type SqlBool, sql } from 'kysely';
import { isMakerCoach } from './groups.ts';
import { reserveIds } from './ids.ts';
import { isDueBefore } from './leases.ts';
import { deleteRows, insertRow, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

/** One of `group_id` and `user_id` is null. */
export interface WebhooksTable {
  id: bigint;
  group_id: bigint | null;
  user_id: bigint | null;
  url: string;
  /** `whsec_` and base64, as Standard Webhooks has it. It signs, so no digest would do. */
  secret: string;
  sends_weeks: bigint;
  sends_dues: bigint;
  sends_contests: bigint;
  made_at: string;
  /** In milliseconds since 1970: when to look for messages to send. */
  plans_at: bigint;
  is_off: bigint;
  /** The member who saved it last; null in old rows of a member's own webhook. */
  made_by: bigint | null;
}

/** One message. Its text is written when it is sent, and not stored. */
export interface WebhookDeliveriesTable {
  id: bigint;
  webhook_id: bigint;
  occasion: string;
  message: string;
  /** `spared` messages were no longer worth sending, or their webhook was off (`answerOfOff` of practice/webhooks). */
  state: 'waiting' | 'sent' | 'failed' | 'spared';
  tries: bigint;
  answer: string | null;
  made_at: string;
  tried_at: string | null;
  /** In milliseconds since 1970; null for a message that is over. */
  next_at: bigint | null;
}

declare module './tables.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_deliveries: WebhookDeliveriesTable;
  }
}

export type WebhookOwner = { group_id: bigint } | { user_id: bigint };

/** `is_left` is 1 where nothing is sent, because no coach of the group has saved it. */
export type Webhook = WebhooksTable & { is_left: bigint };

const hasOwner = sql<SqlBool>`(webhooks.user_id IS NOT NULL OR ${isMakerCoach('webhooks')})`;
const isLeft = sql<bigint>`CAST(CASE WHEN ${hasOwner} THEN 0 ELSE 1 END AS BIGINT)`.as('is_left');
const webhooks = (db: Db) => db.selectFrom('webhooks').selectAll('webhooks').select(isLeft);

export async function findWebhookOf(db: Db, owner: WebhookOwner): Promise<Webhook | undefined> {
  const webhook =
    'group_id' in owner
      ? webhooks(db).where('group_id', '=', owner.group_id)
      : webhooks(db).where('user_id', '=', owner.user_id);
  return webhook.executeTakeFirst();
}

export async function findWebhook(db: Db, id: bigint): Promise<Webhook | undefined> {
  return webhooks(db).where('id', '=', id).executeTakeFirst();
}

export async function hasWebhooks(db: Db): Promise<boolean> {
  return (await db.selectFrom('webhooks').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export const insertWebhook = (tx: Db, row: Omit<WebhooksTable, 'id' | 'is_off'>) =>
  insertRow(tx, 'webhooks', { ...row, is_off: 0n });

export const updateWebhook = (
  tx: Db,
  id: bigint,
  values: Partial<Omit<WebhooksTable, 'id' | 'group_id' | 'user_id'>>,
) => updateRows(tx, 'webhooks', { id }, values);

export const deleteWebhook = (tx: Db, id: bigint) => deleteRows(tx, 'webhooks', { id });

export async function listWebhooksToPlan(db: Db, now: number, limit: number): Promise<WebhooksTable[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where(isDueBefore('plans_at', now))
    .where('is_off', '=', 0n)
    .where(hasOwner)
    .orderBy('plans_at')
    .limit(limit)
    .execute();
}

export type ListedWebhook = Pick<WebhooksTable, 'id' | 'group_id' | 'user_id' | 'url' | 'is_off'> & {
  is_left: bigint;
  group_name: string | null;
  username: string | null;
  delivery_id: bigint | null;
};

export async function listWebhooks(db: Db, limit: number, after = 0n): Promise<ListedWebhook[]> {
  return db
    .selectFrom('webhooks')
    .leftJoin('groups', 'groups.id', 'webhooks.group_id')
    .leftJoin('members', 'members.id', 'webhooks.user_id')
    .select(['webhooks.id', 'webhooks.group_id', 'webhooks.user_id', 'webhooks.url', 'webhooks.is_off'])
    .select(isLeft)
    .select(['groups.name as group_name', 'members.username'])
    .select((eb) =>
      // The messages of one webhook, which are stored for 60 days, begin its unique index.
      eb
        .selectFrom('webhook_deliveries')
        .select('webhook_deliveries.id')
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .orderBy('webhook_deliveries.made_at', 'desc')
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(1)
        .as('delivery_id'),
    )
    .where('webhooks.id', '>', after)
    .orderBy('webhooks.id')
    .limit(limit)
    .execute();
}

export async function setPlansAt(tx: Db, ids: readonly bigint[], plansAt: bigint): Promise<void> {
  await tx.updateTable('webhooks').set({ plans_at: plansAt }).where('id', 'in', ids).execute();
}

/* Deliveries: a row for each occasion, first in the queue and later in the log. */

export async function insertDelivery(
  tx: Db,
  {
    message,
    made_at,
    ...row
  }: Pick<WebhookDeliveriesTable, 'webhook_id' | 'occasion' | 'message' | 'made_at'>,
): Promise<void> {
  const [id = 0n] = await reserveIds(tx, 'webhook_deliveries', 1);
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...row,
      id,
      message,
      made_at,
      state: 'waiting',
      tries: 0n,
      answer: null,
      tried_at: null,
      next_at: BigInt(Date.parse(made_at)),
    })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'occasion']).doNothing())
    .execute();
}

export async function listKnownOccasions(
  db: Db,
  webhookId: bigint,
  occasions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('occasion')
    .where('webhook_id', '=', webhookId)
    .where('occasion', 'in', occasions)
    .execute();
  return new Set(rows.map(({ occasion }) => occasion));
}

export async function listDueDeliveries(
  db: Db,
  now: number,
  limit: number,
): Promise<WebhookDeliveriesTable[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where(isDueBefore('next_at', now))
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** Reserves a message for one try, until that moment; false where another process has reserved it. */
export async function claimDelivery(
  tx: Db,
  { id, next_at }: Pick<WebhookDeliveriesTable, 'id' | 'next_at'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set((eb) => ({ tries: eb('tries', '+', 1n), next_at: BigInt(until) }))
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Does nothing if the claim (`until`) has expired and another process has claimed the message since. */
export const updateDelivery = (
  tx: Db,
  id: bigint,
  until: number,
  values: Pick<WebhookDeliveriesTable, 'state' | 'answer' | 'tried_at' | 'next_at'>,
) => updateRows(tx, 'webhook_deliveries', { id, next_at: BigInt(until) }, values);

export async function listDeliveries(
  db: Db,
  webhookId: bigint,
  limit: number,
): Promise<WebhookDeliveriesTable[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function findDeliveries(db: Db, ids: readonly bigint[]): Promise<WebhookDeliveriesTable[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('webhook_deliveries').selectAll().where('id', 'in', ids).execute();
}

export async function cancelDeliveries(tx: Db, webhookId: bigint, answer: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'spared', next_at: null, answer })
    .where('webhook_id', '=', webhookId)
    .where('next_at', 'is not', null)
    .execute();
}

export async function deleteOldDeliveries(
  tx: Db,
  webhookIds: readonly bigint[],
  before: string,
): Promise<void> {
  await tx
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', 'in', webhookIds)
    .where('next_at', 'is', null)
    .where('made_at', '<', before)
    .execute();
}
