/** The messages to webhooks: one row for each occasion, which is its place in the queue and later its line in the log. */
import { giveIds } from './ids.ts';
import type { Db } from './tables.ts';
import type { WebhookDeliveriesTable } from './webhooks.ts';

/** Puts a message into the queue; nothing happens where its occasion has one already. */
export async function insertDelivery(
  tx: Db,
  {
    message,
    made_at,
    ...row
  }: Pick<WebhookDeliveriesTable, 'webhook_id' | 'occasion' | 'message' | 'made_at'>,
): Promise<void> {
  const [id = 0n] = await giveIds(tx, 'webhook_deliveries', 1);
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...{ ...row, id, message, made_at, state: 'waiting', tries: 0n },
      ...{ answer: null, tried_at: null, next_at: BigInt(Date.parse(made_at)) },
    })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'occasion']).doNothing())
    .execute();
}

/** The occasions of a webhook that have a message already, among these. */
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

/** The messages whose turn has come, those that waited longest first. */
export async function listDeliveriesInTurn(
  db: Db,
  now: number,
  limit: number,
): Promise<WebhookDeliveriesTable[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('next_at', '<=', BigInt(now))
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** Takes a message for one try, until the given moment; false where another process has taken it. */
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

/** Notes how a try ended, unless its claim (`until`) has run out and another process has taken the message since. */
export async function updateDelivery(
  tx: Db,
  id: bigint,
  until: number,
  values: Pick<WebhookDeliveriesTable, 'state' | 'answer' | 'tried_at' | 'next_at'>,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set(values)
    .where('id', '=', id)
    .where('next_at', '=', BigInt(until))
    .execute();
}

/** The newest messages of a webhook. */
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

/** Ends what still waits for its turn: it is not sent any more. */
export async function spareDeliveries(tx: Db, webhookId: bigint): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'spared', next_at: null })
    .where('webhook_id', '=', webhookId)
    .where('next_at', 'is not', null)
    .execute();
}

/** Forgets the messages of these webhooks that are over and were made before a moment. */
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
